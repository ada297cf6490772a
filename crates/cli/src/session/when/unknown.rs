//! Under which inputs the versions of a pair are proved to do the same where nothing is known of all of them: loops that
//! run a few times, numbers that are no NaN, one side of a branch.

use budget::{Budget, Steps};
use check::{CheckConfig, Reason, Strategy, Unknown, Verdict};
use infer::{Atom, Formula, Literal, coverage, loop_bounds, negation};
use ir::{Pair, Type};

use super::Found;
use super::atoms::{has_floats, written_procedures};
use crate::job::Unit;
use crate::options::Conditions;
use crate::session::Session;

/// The share of the effort that goes into it beside a plain verdict, with the least and the most of it.
const SHARE: f64 = 0.1;
const LEAST: Steps = Steps::of_milliseconds(500);
const AT_ONCE: Steps = Steps::of_seconds(2);
const SHARE_OF_WHEN: f64 = 0.5;
/// Conditions that are tried, and the share of the work for one of them.
const MOST_TRIED: usize = 6;
const MOST_TRIED_AT_ONCE: usize = 12;
const FOR_A_PROOF_AT_ONCE: Steps = Steps::of_milliseconds(60);
const SHARE_OF_A_PROOF: f64 = 0.25;
/// Proved conditions that are put together.
const MOST_PARTS: usize = 3;
/// Conditions of the sources that are looked at.
const MOST_OF_SOURCE: usize = 16;
/// The share of the time that is left.
const SHARE_OF_TIME: f64 = 0.4;
/// How often loops may run.
const ITERATIONS: [i64; 2] = [10, 3];

impl Session {
    /// A condition under which the versions of an unknown pair were proved to do the same.
    pub(in crate::session) fn proved_part(
        &self,
        index: usize,
        unknown: &Unknown,
        config: &CheckConfig,
    ) -> Option<Found> {
        let may_help = unknown.reasons().all(is_about_some_inputs);
        if !may_help || !self.is_about_all_inputs(index, config) || config.strategy != Strategy::Auto {
            return None;
        }
        let kill = super::share_of_time(config, SHARE_OF_TIME);
        let effort = Steps::new(self.options.effort);
        let steps = match self.options.conditions {
            Conditions::Off => return None,
            Conditions::Quick if !self.is_read_at_once(index) => return None,
            Conditions::Quick => effort.mul_f64(SHARE).clamp(LEAST, AT_ONCE),
            Conditions::Thorough => effort.mul_f64(SHARE_OF_WHEN),
        };
        let config = CheckConfig { budget: Budget::new(steps, kill.clone()), ..config.clone() };
        let found = self.part(index, &config);
        // How far that got depends on the machine.
        found.filter(|_| !kill.is_due())
    }

    fn part(&self, index: usize, config: &CheckConfig) -> Option<Found> {
        let unit = self.sources.get(self.pairs[index].unit)?;
        let candidates = self.candidates(unit, index);
        let understood = self.with_atoms(index, unit, &candidates, &[])?;
        let atoms = &understood.atoms;
        let coverage = coverage(understood.subjects(), understood.given(), config);
        let mut order: Vec<usize> = (0..atoms.len()).filter(|at| coverage.beside(*at, &[]) > 0).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(coverage.beside(*at, &[])), *at));
        let mut proved: Vec<usize> = Vec::new();
        let mut best: Option<Found> = None;
        // What needs little is tried first: a hard question would use up everything.
        for (most, steps) in [(MOST_TRIED_AT_ONCE, FOR_A_PROOF_AT_ONCE), (MOST_TRIED, Steps::MAX)] {
            if best.is_some() {
                break;
            }
            for at in order.iter().copied().take(most) {
                if config.budget.is_over() || proved.len() >= MOST_PARTS {
                    break;
                }
                if coverage.beside(at, &proved) == 0 {
                    continue;
                }
                let parts = proved.iter().chain([&at]);
                let cubes = parts.map(|atom| vec![Literal { atom: *atom, is_positive: true }]).collect();
                let text = Formula::any(cubes).text(atoms);
                let budget = config.budget.share(SHARE_OF_A_PROOF).at_most(steps);
                let for_a_proof = CheckConfig { budget, ..config.clone() };
                if let Some(assumptions) = self.same_by_text(index, unit, &text, &for_a_proof) {
                    proved.push(at);
                    best = Some(Found { same_when: Some(text), assumptions, ..Found::default() });
                }
            }
        }
        best
    }

    /// Conditions that may keep away what stands in the way of a proof.
    fn candidates(&self, unit: &Unit, index: usize) -> Vec<Atom> {
        let pair = self.subjects(index);
        let (mut loops, mut of_source): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (subject, sources) in [(pair.new, &unit.new), (pair.old, &unit.old)] {
            let written = written_procedures(unit.language, subject.program, sources);
            let Some((_, procedure)) = written.iter().find(|(span, _)| *span == subject.procedure().span)
            else {
                continue;
            };
            for iterations in ITERATIONS {
                loops.extend(loop_bounds(procedure, &numbers(subject), iterations));
                if infer::is_recursive(Pair::new(subject, subject)) {
                    let parameters =
                        numbers(subject).into_iter().filter(|it| procedure.parameters.contains(it));
                    loops.extend(parameters.map(|name| format!("{name} <= {iterations}")));
                }
            }
            of_source.extend(infer::source_atoms(procedure, &[]));
        }
        of_source.truncate(MOST_OF_SOURCE);
        let has_floats = has_floats(pair);
        let sides = of_source.iter().flat_map(|text| [text.clone(), negation(text, has_floats)]);
        let mut texts: Vec<String> = no_nans(pair.new).into_iter().chain(loops).chain(sides).collect();
        let mut seen = std::collections::BTreeSet::new();
        texts.retain(|text| seen.insert(text.clone()));
        texts.iter().map(|text| Atom::plain(text, &negation(text, has_floats))).collect()
    }

    /// What the proof that the versions do the same under a condition takes for granted; `None` if there is none.
    fn same_by_text(
        &self,
        index: usize,
        unit: &Unit,
        text: &str,
        config: &CheckConfig,
    ) -> Option<Vec<String>> {
        let session = self.under_texts(index, unit, &[text.to_owned()], &[])?;
        let judged = session.judge(0, config, &mut |_| {});
        match &judged.checked.verdict {
            Verdict::Equivalent(proof) => Some([proof.assumptions(), &judged.taken_for_granted].concat()),
            Verdict::Different(_) | Verdict::Unknown(_) => None,
        }
    }
}

/// Whether this may stand in the way of some inputs only.
fn is_about_some_inputs(reason: &Reason) -> bool {
    match reason {
        Reason::UsedUp
        | Reason::Bound { .. }
        | Reason::Unsupported { .. }
        | Reason::SolverGaveUp(_)
        | Reason::Spurious { .. }
        | Reason::TooLarge
        | Reason::NotCompared(_) => true,
        Reason::Timeout
        | Reason::SolverFailed(_)
        | Reason::OnlyTested { .. }
        | Reason::CodeDiffers
        | Reason::NothingToHide
        | Reason::NotInStep
        | Reason::Vacuous
        | Reason::NeverBothEnd
        | Reason::NothingDefined { .. }
        | Reason::NotExecuted { .. }
        | Reason::Contradiction(_)
        | Reason::OnlyWhereBothEnd
        | Reason::OpenWorld
        | Reason::Interface(_)
        | Reason::Incomparable(_)
        | Reason::NotConfirmed { .. }
        | Reason::Memory
        | Reason::Internal(_) => false,
    }
}

/// The parameters and globals that are whole numbers.
fn numbers(subject: check::Subject<'_>) -> Vec<String> {
    let parameters = subject.procedure().parameters().iter().map(|local| (&local.name, &local.ty));
    let globals = subject.program.globals.iter().map(|global| (&global.name, &global.ty));
    let numbers = parameters.chain(globals).filter(|(_, ty)| matches!(ty, Type::Int(_)));
    numbers.map(|(name, _)| name.rsplit('.').next().unwrap_or(name).to_owned()).collect()
}

/// That parameters are numbers: each of them, and all.
fn no_nans(subject: check::Subject<'_>) -> Vec<String> {
    let parameters = subject.procedure().parameters().iter();
    let floats =
        parameters.filter(|local| matches!(local.ty, Type::Float(_)) && !local.name.starts_with('$'));
    let mut texts: Vec<String> = floats.map(|local| format!("{0} == {0}", local.name)).collect();
    if texts.len() > 1 {
        texts.insert(0, texts.join(" && "));
    }
    texts
}

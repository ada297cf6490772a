//! Under which inputs the versions of a pair do the same: atoms from the sources, conditions from `infer`, and each
//! condition proved again as it is written.

mod atoms;
mod callees;
mod elements;
mod numbers;
mod quick;
mod texts;
mod unknown;

use std::time::Instant;

use budget::{Budget, Kill, Steps};
use check::CheckConfig;
use infer::{Formula, infer};
use interp::Input;
use ir::{Language, Pair};

use super::{Session, select};
use crate::options::{Conditions, Options};
use atoms::Meaning;

/// Under which inputs the versions do the same, and under which they differ; in the words of the program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Found {
    pub(super) same_when: Option<String>,
    pub(super) different_when: Option<String>,
    /// One is the negation of the other.
    pub(super) exact: bool,
    /// What the proofs of both take for granted.
    pub(super) assumptions: Vec<String>,
}

/// The work for conditions with a plain verdict, and the share of the effort where more is asked for.
const AT_ONCE: Steps = Steps::of_milliseconds(400);
const SHARE_OF_QUICK: f64 = 0.3;
/// The share of the time that is left.
const SHARE_OF_TIME: f64 = 0.7;
/// Procedures and statements of a version for which a plain verdict has conditions.
const MOST_PROCEDURES: usize = 30;
const MOST_STATEMENTS: usize = 400;
/// The sources of a unit for which it has them: conditions are read together with all of these.
const MOST_BYTES: usize = 400_000;

impl Session {
    /// What can be said of a pair whose versions differ on an input: conditions, and whether they are the same with
    /// mathematical numbers. As much as is asked for.
    pub(super) fn hints(&self, index: usize, known: &Input, config: &CheckConfig) -> (Option<Found>, bool) {
        let is_quick = self.options.conditions == Conditions::Quick;
        let kill = share_of_time(config, SHARE_OF_TIME);
        let config =
            &CheckConfig { budget: Budget::new(config.budget.left(), kill.clone()), ..config.clone() };
        if is_quick && !(is_small(self.subjects(index)) && self.is_read_at_once(index)) {
            return (None, false);
        }
        let found = match is_quick {
            true => self.at_once(index, known, config),
            false => self.conditions(index, known, config),
        };
        // A condition without arithmetic is no matter of overflow or rounding.
        let computes = |text: &String| [" + ", " - ", " * ", " / "].iter().any(|sign| text.contains(sign));
        let is_settled = |found: &Found| {
            let is_plain = found.same_when.as_ref().is_some_and(|same| !computes(same));
            is_plain && (is_quick || found.exact)
        };
        let same_in_math =
            !found.as_ref().is_some_and(is_settled) && self.same_in_math(index, is_quick, config);
        // How far that got depends on the machine.
        if kill.is_due() { (None, false) } else { (found, same_in_math) }
    }

    /// Whether reading the sources of a pair again costs little.
    fn is_read_at_once(&self, index: usize) -> bool {
        let Some(unit) = self.sources.get(self.pairs[index].unit) else { return false };
        unit.old.files.iter().chain(&unit.new.files).map(|file| file.text.len()).sum::<usize>() <= MOST_BYTES
    }

    /// Conditions that are found with a handful of questions.
    fn at_once(&self, index: usize, known: &Input, config: &CheckConfig) -> Option<Found> {
        if !self.is_about_all_inputs(index, config) {
            return None;
        }
        let unit = self.sources.get(self.pairs[index].unit)?;
        let budget = Budget::new(AT_ONCE, config.budget.kill().clone());
        let config = CheckConfig { budget, ..config.clone() };
        let found = self.at_first_sight(index, unit, known, &config)?;
        found.same_when.as_deref().is_some_and(tells).then_some(found)
    }

    /// Whether nothing restricts what is compared: of other classes, and of runs that do not end, nothing is proved of the
    /// other side.
    fn is_about_all_inputs(&self, index: usize, config: &CheckConfig) -> bool {
        let contracts = &self.unit_of(index).contracts;
        self.options.under.is_empty()
            && !config.total
            && !config.open_world
            && contracts.old.is_empty()
            && contracts.new.is_empty()
    }

    /// Infers conditions for a pair whose versions differ on an input.
    pub(super) fn conditions(&self, index: usize, known: &Input, config: &CheckConfig) -> Option<Found> {
        // Of other classes, and of runs that do not end, nothing is proved of the other side.
        if !self.options.under.is_empty() || config.total || config.open_world {
            return None;
        }
        let unit = self.sources.get(self.pairs[index].unit)?;
        let pair = self.subjects(index);
        let budget = fresh(config, &self.options).share(SHARE_OF_QUICK);
        let quick = CheckConfig { budget, ..config.clone() };
        if let Some(found) = self.at_first_sight(index, unit, known, &quick) {
            return Some(found);
        }
        if let Some(found) = self.element_conditions(index, unit, known, config) {
            return Some(found);
        }
        let atoms = self.atoms(unit, index, known, Meaning::LookedAt, config);
        let callees = self.callee_conditions(index, config);
        let understood = self.with_atoms(index, unit, &atoms.atoms, &callees)?;
        let atoms = &understood.atoms;
        let budget = Budget::new(Steps::new(self.options.effort), config.budget.kill().clone());
        let config = CheckConfig { budget, ..config.clone() };
        let mut inferred =
            infer(understood.subjects(), understood.given(), std::slice::from_ref(known), &config);
        tracing::debug!(target: "conditions", atoms = atoms.len(), rounds = inferred.rounds);
        let names = pair.map(|subject| subject.procedure().name.as_str());
        let name = select::name_of(names);
        // All proofs of texts together get as much again.
        let config = CheckConfig { budget: fresh(&config, &self.options), ..config };
        let (never, always) = constants(unit.language);
        let mut found = Found::default();
        if inferred.different.is_always() {
            if let Some((assumptions, _)) = self.differ_under(unit, &name, None, &config) {
                let (same_when, different_when) = (Some(never.to_owned()), Some(always.to_owned()));
                return Some(Found { same_when, different_when, exact: true, assumptions });
            }
            return Some(found);
        }
        for (place, same) in with_parts(&inferred.same).iter().enumerate() {
            let text = same.text(atoms);
            if let Some(assumptions) = self.same_under(index, unit, &text, &callees, &config) {
                found.same_when = Some(text);
                found.assumptions.extend(assumptions);
                inferred.is_exact &= place == 0;
                break;
            }
        }
        if !inferred.different.is_never() {
            let text = inferred.different.text(atoms);
            if let Some((assumptions, _)) = self.differ_under(unit, &name, Some(&text), &config) {
                found.different_when = Some(text);
                found.assumptions.extend(assumptions);
            }
        }
        if inferred.is_exact
            && found.different_when.is_some()
            && let Some(same) = &found.same_when
            && let Some(assumptions) = self.differ_outside(index, unit, same, &config)
        {
            found.exact = true;
            found.assumptions.extend(assumptions);
        }
        Some(found)
    }
}

/// A condition, and then its cubes: what is proved of each of them may be too much to prove at once.
fn with_parts(condition: &Formula) -> Vec<Formula> {
    if condition.is_never() {
        return Vec::new();
    }
    let is_one = condition.is_negated || condition.cubes.len() < 2;
    let parts = condition.cubes.iter().filter(|_| !is_one).map(|cube| Formula::any(vec![cube.clone()]));
    std::iter::once(condition.clone()).chain(parts).collect()
}

/// The clock must not cost the pair its verdict.
fn share_of_time(config: &CheckConfig, share: f64) -> Kill {
    let left = config.budget.kill().time_left().map(|left| left.mul_f64(share));
    left.map_or(Kill::never(), |left| Kill::at(Instant::now() + left))
}

fn fresh(config: &CheckConfig, options: &Options) -> Budget {
    Budget::new(Steps::new(options.effort), config.budget.kill().clone())
}

/// What never holds and what always does, in the words of a language.
fn constants(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Java => ("false", "true"),
        Language::C => ("0", "1"),
    }
}

/// Whether a condition tells a reader something: that one result is the other one does not.
fn tells(condition: &str) -> bool {
    let computes = |side: &str| side.contains(['+', '-', '*', '/', '%']);
    let is_of_results = |literal: &str| {
        let sides = literal.split_once("==").or_else(|| literal.split_once("!="));
        sides.is_some_and(|(left, right)| computes(left) && computes(right))
    };
    !condition.split("||").flat_map(|cube| cube.split("&&")).any(is_of_results)
}

/// Whether neither version has a loop, recursion, or much code.
fn is_small(pair: Pair<check::Subject<'_>>) -> bool {
    let is_small = |subject: check::Subject<'_>| {
        let reached = ir::reachable(subject.program, subject.procedure);
        let mut statements = 0;
        for id in &reached {
            let body = subject.program.procedure(*id).body.as_deref();
            ir::for_each_stmt(body.unwrap_or_default(), &mut |_| statements += 1);
        }
        reached.len() <= MOST_PROCEDURES && statements <= MOST_STATEMENTS
    };
    has_no_loop(pair) && !infer::is_recursive(pair) && is_small(pair.old) && is_small(pair.new)
}

/// Whether neither version has a loop.
fn has_no_loop(pair: Pair<check::Subject<'_>>) -> bool {
    let is_plain = |subject: check::Subject<'_>| {
        let reachable = ir::reachable(subject.program, subject.procedure);
        reachable.into_iter().all(|id| {
            let body = subject.program.procedure(id).body.as_deref();
            !body.is_some_and(ir::has_loop)
        })
    };
    is_plain(pair.old) && is_plain(pair.new)
}

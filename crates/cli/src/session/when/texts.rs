//! What is proved of conditions as they are written.

use check::{CheckConfig, Everywhere, Strategy, Verdict, check_pair, differ_everywhere};
use interp::Input;
use ir::{Language, Pair, ProcId, Program};

use super::atoms::quantified;
use crate::job::{Job, Unit};
use crate::options::{Conditions, Options, Under};
use crate::session::contracts::VersionContracts;
use crate::session::under::{self, Conditioned};
use crate::session::{Session, open, prepared, select};

/// The share of what is left that a proof of a text may take.
const SHARE_OF_A_TEXT: f64 = 0.5;

impl Session {
    /// A session about one procedure under a condition, as somebody would ask for it.
    pub(in crate::session) fn under(
        &self,
        unit: &Unit,
        procedure: &str,
        text: Option<&str>,
    ) -> Option<Session> {
        let options = self.options_under(procedure, text);
        open(Job { units: vec![unit.clone()], options }).ok().filter(|session| session.pairs() == 1)
    }

    pub(super) fn options_under(&self, procedure: &str, text: Option<&str>) -> Options {
        let under = text.map(Under::of_all).into_iter().collect();
        Options {
            function: Some(procedure.to_owned()),
            under,
            conditions: Conditions::Off,
            explain: false,
            dump: None,
            trace: false,
            ..self.options.clone()
        }
    }

    /// A session about a pair under the first of some conditions, with procedures for all of them. It is lowered once,
    /// where [`Session::under`] does that twice to learn where the procedure is.
    /// Calls of the given callees tell the inputs that meet their conditions from the others.
    pub(super) fn under_texts(
        &self,
        index: usize,
        unit: &Unit,
        texts: &[String],
        callees: &[Conditioned],
    ) -> Option<Session> {
        let procedures = self.subjects(index).map(|subject| subject.procedure());
        let names = procedures.map(|procedure| procedure.name.as_str());
        let options = self.options_under(&select::name_of(names), texts.first().map(String::as_str));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let callees = numbered_from(callees, texts.len());
        let lowered = self.lowered_with(index, unit, &texts, &callees)?;
        let of_one = quantified(unit.language, texts.first()?).and_then(|meaning| meaning.instance);
        let of_one = of_one.map(|instance| (instance, texts.len() + callees.len()));
        let conditioned = Conditioned::of(procedures, texts.first()?).with_instance(of_one).found();
        let faults = Pair::new(&lowered.old.program, &lowered.new.program);
        if (0..texts.len()).any(|at| under::fault(faults, at, &conditioned).is_some()) {
            return None;
        }
        let mut session = Session::empty(options);
        session.sources.push(unit.clone());
        session.c_units.extend((unit.language == Language::C).then(|| unit.clone()));
        let contracts = Pair::new(VersionContracts::default(), VersionContracts::default());
        session.add_unit(lowered, &[&[conditioned], &callees[..]].concat(), contracts).ok()?;
        (session.pairs() == 1).then_some(session)
    }

    /// What the proof that the versions do the same under a condition takes for granted; `None` if there is none.
    pub(in crate::session) fn same_under(
        &self,
        index: usize,
        unit: &Unit,
        text: &str,
        callees: &[Conditioned],
        config: &CheckConfig,
    ) -> Option<Vec<String>> {
        let session = self.under_texts(index, unit, &[text.to_owned()], callees)?;
        let config = CheckConfig { budget: config.budget.share(SHARE_OF_A_TEXT), ..config.clone() };
        let strategies = match infer::is_recursive(session.subjects(0)) {
            true => vec![Strategy::SameSymbol, config.strategy],
            false => vec![config.strategy],
        };
        strategies.into_iter().find_map(|strategy| {
            let judged = session.judge(0, &CheckConfig { strategy, ..config.clone() }, &mut |_| {});
            match &judged.checked.verdict {
                Verdict::Equivalent(proof) => Some([proof.assumptions(), &judged.taken_for_granted].concat()),
                Verdict::Different(_) | Verdict::Unknown(_) => None,
            }
        })
    }

    /// Both versions, restricted to the inputs on which none of some conditions holds: each of them does not, or fails.
    fn outside(&self, index: usize, unit: &Unit, texts: &[&str]) -> Option<(Pair<Program>, Pair<ProcId>)> {
        let names = self.subjects(index).map(|subject| subject.procedure().name.clone());
        let lowered = self.lowered_with(index, unit, texts, &[])?;
        let programs = prepared(Pair::new(lowered.old.program, lowered.new.program), &self.options).programs;
        let outside = |program: &Program, name: &str| {
            let procedure = program.procedure_named(name)?;
            Some((outside(program, procedure, texts.len())?, procedure))
        };
        let (old, old_id) = outside(&programs.old, &names.old)?;
        let (new, new_id) = outside(&programs.new, &names.new)?;
        Some((Pair::new(old, new), Pair::new(old_id, new_id)))
    }

    /// What the proof that they differ everywhere where a condition does not hold as it is written, or fails, takes for
    /// granted; `None` if there is none.
    pub(super) fn differ_outside(
        &self,
        index: usize,
        unit: &Unit,
        text: &str,
        config: &CheckConfig,
    ) -> Option<Vec<String>> {
        let (programs, ids) = self.outside(index, unit, &[text])?;
        let config = CheckConfig { budget: config.budget.share(SHARE_OF_A_TEXT), ..config.clone() };
        match differ_everywhere(ir::subjects(&programs, ids), &config) {
            Everywhere::Proved(proof) => Some(proof.assumptions().to_vec()),
            Everywhere::SameOn(_) | Everywhere::NotKnown => None,
        }
    }

    /// The same for that they do the same where none of some conditions holds.
    pub(in crate::session) fn same_outside(
        &self,
        index: usize,
        unit: &Unit,
        texts: &[&str],
        config: &CheckConfig,
    ) -> Option<Vec<String>> {
        let (programs, ids) = self.outside(index, unit, texts)?;
        match check_pair(ir::subjects(&programs, ids), config, &mut |_| {}).verdict {
            Verdict::Equivalent(proof) => Some(proof.assumptions().to_vec()),
            Verdict::Different(_) | Verdict::Unknown(_) => None,
        }
    }

    /// The same for that they differ everywhere under it, or without a condition; with an input that shows it.
    pub(in crate::session) fn differ_under(
        &self,
        unit: &Unit,
        procedure: &str,
        text: Option<&str>,
        config: &CheckConfig,
    ) -> Option<(Vec<String>, Input)> {
        let session = self.under(unit, procedure, text)?;
        let config = CheckConfig { budget: config.budget.share(SHARE_OF_A_TEXT), ..config.clone() };
        let judged = session.judge(0, &config, &mut |_| {});
        let Verdict::Different(witness) = &judged.checked.verdict else { return None };
        if session.may_leave_inputs_out(0) {
            return None;
        }
        match differ_everywhere(session.subjects(0), &config) {
            Everywhere::Proved(proof) => {
                let granted = [proof.assumptions(), &judged.taken_for_granted].concat();
                Some((granted, witness.input().clone()))
            }
            Everywhere::SameOn(_) | Everywhere::NotKnown => None,
        }
    }
}

/// The conditions of callees, which come after so many others.
pub(super) fn numbered_from(callees: &[Conditioned], first: usize) -> Vec<Conditioned> {
    callees.iter().enumerate().map(|(at, it)| it.clone().numbered(first + at)).collect()
}

/// A program whose procedure is restricted to the inputs on which none of its first conditions holds.
fn outside(program: &Program, procedure: ProcId, conditions: usize) -> Option<Program> {
    let met = (0..conditions).map(|at| Some(vec![(program.condition(at)?, true)]));
    let (program, unmet) = rewrite::combine(program, &met.collect::<Option<Vec<_>>>()?, true);
    Some(rewrite::restrict(&program, procedure, unmet))
}

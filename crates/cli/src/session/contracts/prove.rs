//! Proves what procedures ensure, from callees to callers; those that call each other together.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use budget::{Budget, Kill, Steps};
use check::{CheckConfig, Strategy, Subject, Undefined, Verdict, check_pair};
use contracts::ClauseKind;
use ir::{Pair, ProcId, Program};
use rewrite::Promises;

use super::{Asking, Owner};

/// What was found out about a promise.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Answer {
    /// With what the proof takes for granted.
    Proved(Vec<String>),
    /// By a call.
    Refuted(String),
    /// With the reason.
    NotKnown(String),
}

/// Who calls the procedure that is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Callers {
    /// The outside, with the inputs of a pair.
    Outside,
    /// Any code of the program, with whatever it has.
    Any,
}

/// The answers of a version so far, by the procedure of the promise.
#[derive(Default)]
pub(super) struct Proofs(Mutex<BTreeMap<ProcId, Answer>>);

/// What is known of the promises that a procedure may rely on.
pub(in crate::session) struct Proved {
    pub(super) promises: Vec<Promises>,
    pub(super) answers: BTreeMap<ProcId, Answer>,
    pub(super) assumptions: Vec<String>,
}

impl Proved {
    pub(super) fn nothing() -> Proved {
        Proved { promises: Vec::new(), answers: BTreeMap::new(), assumptions: Vec::new() }
    }
}

/// The work for one question about a contract.
const FOR_A_CLAUSE: Steps = Steps::of_seconds(3);
/// The share of the work of a pair that it may be at the most.
const SHARE_FOR_A_CLAUSE: u64 = 8;

impl Asking<'_> {
    /// Proves what the procedures that one may run ensure, as far as that works.
    pub(super) fn prove(&self, id: ProcId) -> Proved {
        let mut open = self.facts.reached(id);
        // A callee may run less than its caller, unless they call each other.
        open.sort_by_key(|owner| ir::reachable(&self.facts.program, owner.id).len());
        let known = &self.facts.proved.0;
        while let Some(first) = open.first().copied() {
            let (group, rest): (Vec<&Owner>, Vec<&Owner>) = open
                .iter()
                .partition(|owner| owner.id == first.id || self.call_each_other(first.id, owner.id));
            open = rest;
            let answers = known.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let is_done = |owner: &&Owner| {
                owner.meant(ClauseKind::Ensures).all(|(_, promise)| answers.contains_key(&promise))
            };
            if !group.iter().all(is_done) {
                let found = self.prove_together(&group, answers);
                *known.lock().unwrap_or_else(PoisonError::into_inner) = found;
            }
        }
        let answers = known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let promises = self.promises(&answers, &|_| false, &self.facts.reached(id));
        let mut assumptions = Vec::new();
        for promise in promises.iter().flat_map(|it| &it.promises) {
            if let Some(Answer::Proved(taken_for_granted)) = answers.get(promise) {
                assumptions.extend(taken_for_granted.iter().cloned());
            }
        }
        Proved { promises, answers, assumptions }
    }

    fn call_each_other(&self, one: ProcId, other: ProcId) -> bool {
        let program = &self.facts.program;
        ir::reachable(program, one).contains(&other) && ir::reachable(program, other).contains(&one)
    }

    /// Proves the promises of procedures that call each other. All are assumed at calls; what cannot be proved is dropped,
    /// and the rest is asked for again.
    fn prove_together(
        &self,
        group: &[&Owner],
        mut answers: BTreeMap<ProcId, Answer>,
    ) -> BTreeMap<ProcId, Answer> {
        let mut hoped: Vec<(&Owner, ProcId)> = Vec::new();
        for owner in group {
            hoped.extend(owner.meant(ClauseKind::Ensures).map(|(_, promise)| (*owner, promise)));
        }
        let all: Vec<&Owner> = self.facts.owners.iter().collect();
        loop {
            let is_hoped = |promise: ProcId| hoped.iter().any(|(_, it)| *it == promise);
            let promises = self.promises(&answers, &is_hoped, &all);
            let program = rewrite::use_promises(&self.facts.program, &promises);
            let mut found = Vec::new();
            for (owner, promise) in &hoped {
                let question = rewrite::kept(&program, *promise, owner.id, owner.condition);
                found.push((
                    *promise,
                    match question {
                        Some(question) => self.ask(question, Callers::Any),
                        None => Answer::NotKnown("a call may run another method".to_owned()),
                    },
                ));
            }
            let is_proved = |answer: &Answer| matches!(answer, Answer::Proved(_));
            if found.iter().all(|(_, answer)| is_proved(answer)) {
                answers.extend(found);
                return answers;
            }
            hoped.retain(|(_, promise)| found.iter().any(|(it, answer)| it == promise && is_proved(answer)));
            answers.extend(found.into_iter().filter(|(_, answer)| !is_proved(answer)));
        }
    }

    /// The promises that were proved, or are hoped for, of some procedures.
    fn promises(
        &self,
        answers: &BTreeMap<ProcId, Answer>,
        is_hoped: &dyn Fn(ProcId) -> bool,
        owners: &[&Owner],
    ) -> Vec<Promises> {
        let is_used =
            |promise: &ProcId| is_hoped(*promise) || matches!(answers.get(promise), Some(Answer::Proved(_)));
        let of = |owner: &&Owner| Promises {
            owner: owner.id,
            condition: owner.condition,
            promises: owner.meant(ClauseKind::Ensures).map(|(_, id)| id).filter(is_used).collect(),
        };
        let consulted = &self.facts.consulted;
        owners.iter().filter(|owner| !consulted.contains(&owner.id)).map(of).collect()
    }

    /// Whether two procedures do the same.
    pub(super) fn ask(&self, [asked, given]: [(Program, ProcId); 2], callers: Callers) -> Answer {
        let steps = FOR_A_CLAUSE.get().min(self.options.effort / SHARE_FOR_A_CLAUSE);
        let config = |strategy| CheckConfig {
            budget: Budget::new(Steps::new(steps), Kill::never()),
            strategy,
            total: false,
            undefined: Undefined::Compared,
            any_inputs: callers == Callers::Any,
            ..self.options.config(Kill::never())
        };
        let pair = Pair::new(Subject::new(&asked.0, asked.1), Subject::new(&given.0, given.1));
        // What calls promise is seen where calls are symbols.
        let is_recursive = ir::effects(&asked.0, asked.1).recursive;
        let induction = is_recursive.then(|| check_pair(pair, &config(Strategy::SameSymbol), &mut |_| {}));
        let config = config(Strategy::Auto);
        let checked = match induction {
            Some(checked) if matches!(checked.verdict, Verdict::Equivalent(_)) => checked,
            Some(_) | None => check_pair(pair, &config, &mut |_| {}),
        };
        match &checked.verdict {
            Verdict::Equivalent(_) if self.leaves_inputs_out(pair) => {
                Answer::NotKnown("objects of two types may overlap".to_owned())
            }
            Verdict::Equivalent(_) if callers == Callers::Any && names_constants(pair.old) => {
                Answer::NotKnown("a call may be given an object that is a constant of the program".to_owned())
            }
            Verdict::Equivalent(proof) => Answer::Proved(proof.assumptions().to_vec()),
            Verdict::Unknown(_) | Verdict::Different(_) => {
                let report = report::pair_report(pair, &checked, &config);
                match (report.witness, report.reasons.first()) {
                    (Some(witness), _) => Answer::Refuted(witness.call),
                    (None, Some(reason)) => Answer::NotKnown(reason.text.clone()),
                    (None, None) => Answer::NotKnown(String::new()),
                }
            }
        }
    }

    /// Whether memory as cells may leave inputs out.
    fn leaves_inputs_out(&self, pair: Pair<Subject<'_>>) -> bool {
        let Some(views) = &self.unit.views else { return false };
        let views = views.get(self.side);
        let viewed = pair.map(|subject| (subject.program, subject.procedure, views));
        let has_cells = self.options.c_options().memory == frontend_c::MemoryModel::Cells;
        has_cells && frontend_c::overlap(viewed).is_some() || frontend_c::seen_constant(viewed).is_some()
    }
}

/// Whether a procedure names constant objects: references of inputs do not lead there, those of calls may.
fn names_constants(subject: Subject<'_>) -> bool {
    let statics = ir::effects(subject.program, subject.procedure).statics;
    statics.iter().any(|id| subject.program.static_object(*id).constant)
}

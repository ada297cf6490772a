//! What callees assert, as contracts for their callers.
//!
//! An assertion at the end of a procedure that was proved of all that a call can be given is known after each call:
//!
//! ```text
//! static int size(...) { ...; assert r >= 0; return r; }          n = size(...);   assume n >= 0
//! ```
//!
//! A proof of a callee rests on no such thing, so that proofs do not go in circles. Where the procedure requires something
//! nothing is known after its calls.

use budget::{Budget, Steps};
use check::{CheckConfig, Verdict};
use ir::{ProcId, Program};
use properties::{Below, Others, Site};
use report::VerdictWord;

use super::Session;
use super::assertions::Asks;
use crate::wire::Answer;

/// The share of the work for the assertions of callees, and for what follows from them.
const SHARE_FOR_CALLEES: f64 = 0.3;
const SHARE_AFTER_CALLS: f64 = 0.5;

impl Session {
    /// Whether a procedure calls one whose last assertions callers can use.
    pub(super) fn asserting_callees(&self, unit: usize, entry: ProcId) -> bool {
        !self.last_assertions(unit, entry).is_empty()
    }

    /// The assertions of callees that callers can use.
    fn last_assertions(&self, unit: usize, entry: ProcId) -> Vec<(ProcId, Site)> {
        let program = &self.units[unit].programs.new;
        let facts = self.units[unit].contract_facts();
        let is_free =
            |id: &ProcId| *id != entry && facts.is_none_or(|facts| facts.new.required(*id).is_none());
        let callees = ir::reachable(program, entry).into_iter().filter(is_free);
        let of = |id| properties::last_assertions(program, id).into_iter().map(move |site| (id, site));
        callees.flat_map(of).collect()
    }

    /// Lists the questions about callees.
    pub(super) fn add_callees(&mut self, unit: usize, entry: ProcId) {
        for (callee, site) in self.last_assertions(unit, entry) {
            for asks in self.ways_of_proving(unit, callee, &site) {
                if self.question_about(unit, callee, &asks).is_none() {
                    self.add_question_of(unit, ir::Pair::new(callee, callee), asks);
                }
            }
        }
    }

    /// The questions that may prove an assertion of a callee, in the order in which they are tried.
    fn ways_of_proving(&self, unit: usize, callee: ProcId, site: &Site) -> Vec<Asks> {
        let is_recursive = ir::is_recursive(&self.units[unit].programs.new, callee);
        let below: &[Below] = if is_recursive { &[Below::Unknown, Below::Known] } else { &[] };
        let by_induction = below.iter().map(|below| Asks::ByInduction(site.clone(), *below));
        by_induction.chain([Asks::Violated(site.clone(), Others::Off)]).collect()
    }

    fn question_about(&self, unit: usize, id: ProcId, asks: &Asks) -> Option<usize> {
        let is_it = |at: &usize| {
            let pair = &self.pairs[*at];
            pair.unit == unit
                && pair.procedures.new == id
                && pair.question.as_ref().is_some_and(|question| question.asks == *asks)
        };
        (0..self.pairs.len()).find(is_it)
    }

    /// A program in which calls keep what callees were proved to assert.
    pub(super) fn with_callees(&self, unit: usize, program: &Program, entry: ProcId) -> Program {
        let proved = self.proved_of_callees.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known: Vec<(ProcId, Site)> = self
            .last_assertions(unit, entry)
            .into_iter()
            .filter(|(callee, site)| proved.get(&(unit, *callee, site.clone())) == Some(&true))
            .collect();
        properties::known_after_calls(program, entry, &known)
    }

    /// A proof that rests on what callees assert, if there is one.
    pub(super) fn after_calls(&self, index: usize, config: &CheckConfig) -> Option<Answer> {
        let asked = self.asserted[index].after_calls?;
        let (unit, entry) = (self.pairs[asked].unit, self.pairs[asked].procedures.new);
        let all = self.last_assertions(unit, entry);
        // The plain question has used up its own.
        let fresh = Budget::new(Steps::new(self.options.effort), config.budget.kill().clone());
        let config = &CheckConfig { budget: fresh, ..config.clone() };
        let budget = config.budget.share(SHARE_FOR_CALLEES / all.len().max(1) as f64);
        let for_callees = CheckConfig { budget, any_inputs: true, ..config.clone() };
        let mut is_any = false;
        for (callee, site) in all {
            is_any |= self.is_proved_of(unit, callee, site, &for_callees);
        }
        if !is_any {
            return None;
        }
        let config = CheckConfig { budget: config.budget.share(SHARE_AFTER_CALLS), ..config.clone() };
        let answer = self.ask_about(asked, &config);
        (answer.report.verdict == VerdictWord::Equivalent).then_some(answer)
    }

    /// Whether an assertion was proved of all that calls of its procedure can be given.
    fn is_proved_of(&self, unit: usize, callee: ProcId, site: Site, config: &CheckConfig) -> bool {
        let known = (unit, callee, site.clone());
        let lock = || self.proved_of_callees.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = lock().get(&known) {
            return *known;
        }
        let proves = |index: usize| {
            let asked = self.asked(index).old;
            // References of inputs do not lead to constants of the program, those of calls may.
            let statics = ir::effects(asked.program, asked.procedure).statics;
            let names_constants = statics.iter().any(|id| asked.program.static_object(*id).constant);
            let judged = self.judge(index, config, &mut |_| {});
            matches!(judged.checked.verdict, Verdict::Equivalent(_))
                && !names_constants
                && !self.may_leave_inputs_out(index)
                && judged.taken_for_granted.is_empty()
        };
        let ways = self.ways_of_proving(unit, callee, &site);
        let proved = ways.iter().filter_map(|asks| self.question_about(unit, callee, asks)).any(proves);
        lock().insert(known, proved);
        proved
    }
}

//! What the first test of a loop has said, known ever after.
//!
//! A loop that has made an iteration has passed its first test. What that test says of values that the loop does not
//! change (a pointer leads into its object) is otherwise forgotten after the first iteration.

use std::collections::BTreeMap;

use ir::Side;
use smt::{Op, Sort, Term};

use super::Coupling;
use super::simulation::Trace;

/// A test with more parts than this says too much at once.
const LARGEST_TEST: usize = 60;

impl Coupling<'_> {
    /// For each version: the loop is at its start, or the first test said to go on.
    pub(super) fn first_tests_passed(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let sides = self.loops[place].sides.clone();
        let passed = sides.into_iter().filter_map(|side| self.first_test_passed(place, side)).collect();
        trace.not_refuted(self.terms, passed)
    }

    fn first_test_passed(&mut self, place: usize, side: Side) -> Option<Term> {
        let coupled = &self.loops[place];
        let (iteration, loop_use) = (coupled.iterations.get(side), coupled.uses.get(side));
        let goes_on = iteration.goes_on;
        let states = iteration.before.iter().copied().zip(loop_use.entry.iter().copied());
        let start: BTreeMap<Term, Term> =
            states.filter(|(variable, _)| self.is_state_of(place, *variable)).collect();
        let first_test = self.terms.substitute(goes_on, &start);
        let first_test = self.parts_in_scope(first_test, place);
        let is_known = self.terms.as_const(first_test).is_some();
        if is_known || self.terms.reachable(&[first_test]).len() > LARGEST_TEST {
            return None;
        }
        let is_plain = |term: Term| !matches!(self.terms.sort_of(term), Sort::Array(..));
        let plain: Vec<(Term, Term)> = start.into_iter().filter(|(state, _)| is_plain(*state)).collect();
        let at_start: Vec<Term> = plain.into_iter().map(|(now, then)| self.terms.eq(now, then)).collect();
        let at_start = self.terms.and(&at_start);
        Some(self.terms.or(&[at_start, first_test]))
    }

    /// What a test says of what stays the same while a loop runs.
    fn parts_in_scope(&mut self, test: Term, place: usize) -> Term {
        let scope = self.scope(place);
        let parts = match self.terms.op(test) {
            Op::And => self.terms.args(test).to_vec(),
            _ => vec![test],
        };
        let parts: Vec<Term> = parts.into_iter().filter(|part| self.is_in_scope(*part, &scope)).collect();
        self.terms.and(&parts)
    }
}

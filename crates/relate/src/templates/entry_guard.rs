//! What the tests of a loop have said on the way to an iteration: the first one and the last one.
//!
//! A loop that is not at its start has passed its first test. What that test says of values that the loop does not
//! change (a pointer leads into its object) would be forgotten after the first iteration. It has also passed its last
//! test, and what that says of a counter tells where the loop ends. Both hold by themselves; they are guesses only in
//! that they may be of no use.

use std::collections::BTreeMap;

use ir::Side;
use smt::{Op, Sort, Term};

use crate::LoopProduct;
use crate::arithmetic::{scaled, sum};
use crate::simulation::Trace;
use query::conjuncts;

/// A test with more parts than this says too much at once.
const LARGEST_TEST: usize = 60;

impl LoopProduct<'_> {
    /// For each version: the last test said to go on, if runs show no other; else that it did or the loop is at its
    /// start; and the same of the first test.
    pub(crate) fn passed_tests(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let mut found = Vec::new();
        for side in self.loops[place].sides.clone() {
            let last = self.last_test(place, side);
            let passed = trace.not_refuted(self.terms, last.into_iter().collect());
            let at_start = self.is_at_start(place, side);
            let first = self.first_test(place, side);
            let others = [first].into_iter().chain(last.filter(|_| passed.is_empty()));
            for test in others.filter_map(|test| self.without_cells(test)).collect::<Vec<_>>() {
                found.push(self.terms.or(&[at_start, test]));
            }
            found.extend(passed);
        }
        trace.not_refuted(self.terms, found)
    }

    /// What a test says of what stays the same while the loop runs, or of counters: not of what memory holds.
    fn without_cells(&mut self, test: Term) -> Option<Term> {
        let is_cell = |term: &Term| {
            *self.terms.op(*term) == Op::Select && *self.terms.op(self.terms.args(*term)[0]) == Op::Select
        };
        let has_cells = |part: &Term| self.terms.reachable(&[*part]).iter().any(is_cell);
        let parts = conjuncts(self.terms, test).into_iter().filter(|part| !has_cells(part));
        let parts: Vec<Term> = parts.collect();
        let test = self.terms.and(&parts);
        let is_known = self.terms.as_const(test).is_some();
        let is_small = self.terms.reachable(&[test]).len() <= LARGEST_TEST;
        (!is_known && is_small).then_some(test)
    }

    /// The states of a loop with what they are at its start.
    fn start(&self, place: usize, side: Side) -> BTreeMap<Term, Term> {
        let coupled = &self.loops[place];
        let (iteration, loop_use) = (coupled.iterations.get(side), coupled.uses.get(side));
        let states = iteration.before.iter().copied().zip(loop_use.entry.iter().copied());
        states.filter(|(variable, _)| self.is_state_of(place, *variable)).collect()
    }

    fn is_at_start(&mut self, place: usize, side: Side) -> Term {
        let is_plain = |term: Term| !matches!(self.terms.sort_of(term), Sort::Array(..));
        let start: Vec<(Term, Term)> =
            self.start(place, side).into_iter().filter(|(state, _)| is_plain(*state)).collect();
        let equal: Vec<Term> = start.into_iter().map(|(now, then)| self.terms.eq(now, then)).collect();
        self.terms.and(&equal)
    }

    /// What the first test says of what stays the same while the loop runs.
    fn first_test(&mut self, place: usize, side: Side) -> Term {
        let goes_on = self.loops[place].iterations.get(side).goes_on;
        let start = self.start(place, side);
        let test = self.terms.substitute(goes_on, &start);
        let vocabulary = self.vocabulary(place);
        let parts =
            conjuncts(self.terms, test).into_iter().filter(|part| self.is_in_vocabulary(*part, &vocabulary));
        let parts: Vec<Term> = parts.collect();
        self.terms.and(&parts)
    }

    /// What the loop asked to get here, where it only counts.
    fn last_test(&mut self, place: usize, side: Side) -> Option<Term> {
        let iteration = self.loops[place].iterations.get(side).clone();
        let mut back = BTreeMap::new();
        for (before, after) in iteration.before.iter().zip(&iteration.after) {
            let sort = self.terms.sort_of(*before).clone();
            if matches!(sort, Sort::Int | Sort::BitVec(_)) && self.is_state_of(place, *before) {
                let minus = scaled(self.terms, &sort, *before, -1);
                let step = sum(self.terms, &sort, &[*after, minus]);
                if self.terms.as_const(step).is_some() {
                    let minus_step = scaled(self.terms, &sort, step, -1);
                    back.insert(*before, sum(self.terms, &sort, &[*before, minus_step]));
                }
            }
        }
        let mut state = self.terms.variables(iteration.goes_on).into_iter();
        let only_counts = state.all(|it| !self.is_state_of(place, it) || back.contains_key(&it));
        only_counts.then(|| self.terms.substitute(iteration.goes_on, &back))
    }
}

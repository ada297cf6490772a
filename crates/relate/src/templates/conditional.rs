//! Candidates that hold only as long as both loops are in lockstep, or only once one of them is done.
//!
//! For loops that wait for each other: one that returns at once what the other one goes on to count is done while the
//! other one still runs. Guesses, like all candidates.

use smt::{BvCmp, Op, Sort, Term};

use crate::LoopProduct;
use crate::simulation::Trace;

/// Guards and what they guard, at the most.
const MOST_GUARDS: usize = 6;
const MOST_GUARDED: usize = 40;

impl LoopProduct<'_> {
    pub(crate) fn guarded(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        if !self.loops[place].stutters {
            return Vec::new();
        }
        let guards = self.guards(place);
        let mut guarded = self.states_in_words(place);
        guarded.extend(guards.iter().copied());
        guarded.truncate(MOST_GUARDED);
        let mut found = Vec::new();
        for &guard in &guards {
            for &relation in guarded.iter().filter(|relation| **relation != guard) {
                let no_relation = self.terms.not(relation);
                let no_guard = self.terms.not(guard);
                for (guard, relation) in
                    [(guard, relation), (no_guard, relation), (guard, no_relation), (no_guard, no_relation)]
                {
                    found.push(self.terms.implies(guard, relation));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        trace.not_refuted(self.terms, found)
    }

    /// Whether the loops are in lockstep, and whether each of them is done.
    fn guards(&mut self, place: usize) -> Vec<Term> {
        let iterations = self.loops[place].iterations.clone();
        let mut guards: Vec<Term> = self.loops[place].done.clone();
        for a in &iterations.old.before {
            for b in &iterations.new.before {
                let is_number = matches!(self.terms.sort_of(*a), Sort::Int | Sort::BitVec(_));
                let are_states = self.is_state_of(place, *a) && self.is_state_of(place, *b);
                if is_number && are_states && self.terms.sort_of(*a) == self.terms.sort_of(*b) {
                    guards.push(self.terms.eq(*a, *b));
                }
            }
        }
        guards.retain(|guard| self.terms.as_const(*guard).is_none());
        guards.truncate(MOST_GUARDS);
        guards
    }

    /// What the states may be: zero, positive, or what the loops ask of them.
    fn states_in_words(&mut self, place: usize) -> Vec<Term> {
        let iterations = self.loops[place].iterations.clone();
        let mut found = Vec::new();
        for value in iterations.old.before.iter().chain(&iterations.new.before).copied() {
            if !self.is_state_of(place, value) {
                continue;
            }
            match self.terms.sort_of(value).clone() {
                Sort::Int => {
                    let zero = self.terms.int(0);
                    found.push(self.terms.eq(value, zero));
                    found.push(self.terms.lt(zero, value));
                }
                Sort::BitVec(width) => {
                    let zero = self.terms.bv(0, width);
                    found.push(self.terms.eq(value, zero));
                    found.push(self.terms.bv_cmp(BvCmp::Slt, zero, value));
                }
                Sort::Bool => found.push(value),
                _ => {}
            }
        }
        let roots = self.loops[place].done.clone();
        for term in self.terms.reachable(&roots) {
            let is_atom = matches!(self.terms.op(term), Op::Eq | Op::Le | Op::Lt | Op::BvCmp(_));
            if is_atom && !found.contains(&term) {
                found.push(term);
            }
        }
        found
    }
}

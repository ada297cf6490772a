//! Loops that count the other way: a loop whose iterations can be done in any order is followed from its last to its
//! first.
//!
//! That they can is proved: any two of them do the same in either order, and none of them leaves the loop. Then the
//! loop from `first` to `last` may do what iteration `first + last - c` does where it would do `c`.
//! Exact: what the loop leaves behind stays the same.

use std::collections::BTreeMap;

use ir::{Pair, Side};
use smt::{Floats, Op, Sort, Term};
use symbolic::Iteration;

use crate::arithmetic::{at_most, difference, number, sum};
use crate::inequality::{Order, order};
use crate::{LoopProduct, unrolling};
use query::{Asked, Client, Violation};

/// The variable that a loop counts by.
#[derive(Clone, Copy)]
struct Counter {
    /// Which part of the state it is.
    at: usize,
    counts_up: bool,
    /// Whether the loop goes on, as far as the counter is concerned.
    goes_on: Term,
    /// What the first and the last value add up to.
    sum_of_ends: Term,
    first: Term,
}

impl LoopProduct<'_> {
    /// Follows loops of a version from their end where the other one counts the other way; false if none can be.
    pub fn reverse_loops(&mut self, side: Side, client: &mut Client) -> bool {
        let reversed = (0..self.loops.len()).map(|place| self.reverse(place, side, client).is_some());
        reversed.filter(|is_reversed| *is_reversed).count() > 0
    }

    fn reverse(&mut self, place: usize, side: Side, client: &mut Client) -> Option<()> {
        if self.loops[place].sides.len() < 2 {
            return None;
        }
        let counters = Pair { old: self.counter(place, Side::Old)?, new: self.counter(place, Side::New)? };
        let iteration = self.loops[place].iterations.get(side).clone();
        let counter = *counters.get(side);
        if counters.old.counts_up == counters.new.counts_up || !unrolling::is_quiet(self.terms, &iteration) {
            return None;
        }
        // What iterations take for granted has to hold in any order.
        let never = self.terms.bool(false);
        let moves = |term: &Term| self.terms.variables(*term).iter().any(|it| self.is_state_of(place, *it));
        if iteration.unfinished != never || iteration.assumptions.iter().any(moves) {
            return None;
        }
        self.only_counts_to_its_end(place, &iteration, &counter, client)?;
        self.can_be_done_in_any_order(place, &iteration, &counter, client)?;
        let mirrored = BTreeMap::from([(iteration.before[counter.at], self.mirror(&iteration, &counter))]);
        let mut after = self.terms.substitute_all(&iteration.after, &mirrored);
        after[counter.at] = iteration.after[counter.at];
        // A counter that wraps around is beyond the values that were looked at. There the test goes on for ever, so that
        // the loops can only be in lockstep with one that does.
        let reversed = Iteration { after, goes_on: counter.goes_on, ..iteration };
        *self.loops[place].iterations.get_mut(side) = reversed;
        Some(())
    }

    /// How a loop counts by ones up to, or down to, a number that it does not change.
    fn counter(&mut self, place: usize, side: Side) -> Option<Counter> {
        let iteration = self.loops[place].iterations.get(side).clone();
        let entry = self.loops[place].uses.get(side).entry.clone();
        let mut conditions = vec![iteration.goes_on];
        while let Some(at) = conditions.iter().position(|it| *self.terms.op(*it) == Op::And) {
            let both = conditions.swap_remove(at);
            conditions.extend(self.terms.args(both));
        }
        conditions.sort_unstable();
        for (at, (before, after)) in iteration.before.iter().zip(&iteration.after).enumerate() {
            let sort = self.terms.sort_of(*before).clone();
            if !self.is_state_of(place, *before) || !matches!(sort, Sort::Int | Sort::BitVec(_)) {
                continue;
            }
            let step = difference(self.terms, *after, *before);
            let (one, minus_one) = (number(self.terms, &sort, 1), number(self.terms, &sort, -1));
            if step != one && step != minus_one {
                continue;
            }
            for goes_on in &conditions {
                let Some(Order { low, high, is_strict }) = order(self.terms, *goes_on) else { continue };
                let (counted, bound) = if step == one { (low, high) } else { (high, low) };
                let moves = self.terms.variables(bound).iter().any(|it| self.is_state_of(place, *it));
                if counted != *before || moves {
                    continue;
                }
                let last = if is_strict { difference(self.terms, bound, step) } else { bound };
                let sum_of_ends = sum(self.terms, &sort, &[entry[at], last]);
                let (counts_up, first) = (step == one, entry[at]);
                return Some(Counter { at, counts_up, goes_on: *goes_on, sum_of_ends, first });
            }
        }
        None
    }

    /// As long as it counts, the loop goes on, and then it ends without doing anything else.
    fn only_counts_to_its_end(
        &mut self,
        place: usize,
        iteration: &Iteration,
        counter: &Counter,
        client: &mut Client,
    ) -> Option<()> {
        let is_counted = self.is_counted(iteration, counter);
        let stops = self.terms.not(iteration.goes_on);
        let mut known = self.context(place);
        known.extend([is_counted, stops]);
        self.is_impossible(&known, client)?;
        let is_done = self.terms.not(counter.goes_on);
        let stays = iteration.before.iter().zip(&iteration.at_end);
        let mut ends: Vec<Term> = stays.map(|(before, at_end)| self.terms.eq(*before, *at_end)).collect();
        let sort = self.terms.sort_of(iteration.ended).clone();
        let by_itself = number(self.terms, &sort, 0);
        ends.push(self.terms.eq(iteration.ended, by_itself));
        ends.push(iteration.leaves);
        let ends = self.terms.and(&ends);
        let not_so = self.terms.not(ends);
        let mut known = self.context(place);
        known.extend([is_done, not_so]);
        self.is_impossible(&known, client)
    }

    /// Two iterations do the same in either order.
    fn can_be_done_in_any_order(
        &mut self,
        place: usize,
        iteration: &Iteration,
        counter: &Counter,
        client: &mut Client,
    ) -> Option<()> {
        let variable = iteration.before[counter.at];
        let sort = self.terms.sort_of(variable).clone();
        let other = self.terms.var(&format!("other{place}.count"), &sort);
        let is_counted = self.is_counted(iteration, counter);
        let to_other = BTreeMap::from([(variable, other)]);
        let is_other_counted = self.terms.substitute(is_counted, &to_other);
        let after_this = self.then(place, iteration, counter.at, variable, other);
        let after_other = self.then(place, iteration, counter.at, other, variable);
        let same = after_this.iter().zip(&after_other).map(|(a, b)| self.terms.eq(*a, *b));
        let same: Vec<Term> = same.collect();
        let same = self.terms.and(&same);
        let not_same = self.terms.not(same);
        let is_same_one = self.terms.eq(variable, other);
        let are_two = self.terms.not(is_same_one);
        let mut known = self.context(place);
        known.extend([is_counted, is_other_counted, are_two, not_same]);
        self.is_impossible(&known, client)
    }

    /// The state after two iterations, without the counter.
    fn then(
        &mut self,
        place: usize,
        iteration: &Iteration,
        counter: usize,
        first: Term,
        second: Term,
    ) -> Vec<Term> {
        let of_first = BTreeMap::from([(iteration.before[counter], first)]);
        let mut middle = self.terms.substitute_all(&iteration.after, &of_first);
        middle[counter] = second;
        let states = iteration.before.iter().copied().zip(middle);
        let states = states.filter(|(before, _)| self.is_state_of(place, *before)).collect();
        let mut after = self.terms.substitute_all(&iteration.after, &states);
        after.remove(counter);
        after
    }

    /// The counter is between its first and its last value.
    fn is_counted(&mut self, iteration: &Iteration, counter: &Counter) -> Term {
        let variable = iteration.before[counter.at];
        let (low, high) =
            if counter.counts_up { (counter.first, variable) } else { (variable, counter.first) };
        let sort = self.terms.sort_of(variable).clone();
        let has_begun = at_most(self.terms, &sort, low, high);
        self.terms.and(&[has_begun, counter.goes_on])
    }

    /// The value that is as far from the last as the counter is from the first.
    fn mirror(&mut self, iteration: &Iteration, counter: &Counter) -> Term {
        difference(self.terms, counter.sum_of_ends, iteration.before[counter.at])
    }

    fn is_impossible(&mut self, known: &[Term], client: &mut Client) -> Option<()> {
        let budget = self.soon();
        let asked = client.ask(self.terms, Violation::of(known.to_vec()), &[], Floats::Symbols, &budget);
        matches!(asked, Asked::Refuted(_)).then_some(())
    }
}

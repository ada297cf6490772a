//! Loop postconditions: what is known of what loops leave behind once their invariants are, and what holds inside them.

use std::collections::BTreeSet;

use ir::{Pair, Side};
use smt::{Term, Terms};
use symbolic::{Iteration, LoopUse};

use crate::LoopProduct;
use crate::equalities::{equalities_from_bounds, solve_equalities_for};
use crate::product::Part;

impl LoopProduct<'_> {
    /// Facts about all loops that are used directly inside another one, or at the top.
    pub(crate) fn postconditions(&mut self, parent: Option<usize>) -> Vec<Term> {
        let inside: Vec<usize> =
            (0..self.loops.len()).filter(|place| self.loops[*place].parent == parent).collect();
        let mut facts = Vec::new();
        for place in inside {
            facts.push(self.what_is_left(place));
            facts.extend(self.end_alike(place));
            for side in self.sides_left_at_once(place) {
                let first = self.left_at_once(place, side);
                facts.push(first);
            }
        }
        facts
    }

    /// The versions whose loop is known to be left at once where its first iteration leaves.
    pub(crate) fn sides_left_at_once(&self, place: usize) -> Vec<Side> {
        // What loops inside leave behind has one name for all iterations, so that two of them cannot be spoken of.
        if self.loops.iter().any(|other| other.parent == Some(place)) {
            return Vec::new();
        }
        // Where a loop stops because of the other one, its own state says nothing of when.
        let stops = |side: &Side| self.loops[place].part == Part::Start(*side);
        self.loops[place].sides.iter().copied().filter(|side| !stops(side)).collect()
    }

    /// What holds while a loop runs, before an iteration of it: of the inputs, and of all loops around it.
    pub(crate) fn context(&mut self, place: usize) -> Vec<Term> {
        let mut known = self.assumptions.clone();
        let mut around = vec![place];
        while let Some(parent) = self.loops[around[around.len() - 1]].parent {
            around.push(parent);
        }
        for &place in around.iter().rev() {
            let uses = &self.loops[place].uses;
            known.extend([uses.old.reached, uses.new.reached]);
            let parent = self.loops[place].parent;
            // The loops before this one have ended.
            let before = self.postconditions_before(parent, place);
            known.extend(before);
            known.extend(&self.loops[place].invariants);
            for iteration in [&self.loops[place].iterations.old, &self.loops[place].iterations.new] {
                known.extend(&iteration.assumptions);
            }
        }
        known
    }

    /// Facts about the loops at the same level that ended before this one starts.
    pub(crate) fn postconditions_before(&mut self, parent: Option<usize>, except: usize) -> Vec<Term> {
        let others: Vec<usize> = (0..self.loops.len())
            .filter(|place| self.loops[*place].parent == parent && *place < except)
            .collect();
        let mut facts = Vec::new();
        for place in others {
            facts.push(self.what_is_left(place));
            facts.extend(self.end_alike(place));
        }
        facts
    }

    /// Two loops that go on together are never left together. One that stands alone may be known to end.
    fn end_alike(&mut self, place: usize) -> Option<Term> {
        let coupled = &self.loops[place];
        if coupled.stutters || coupled.part != Part::Whole {
            return None;
        }
        let Pair { old, new } = &coupled.uses;
        let (old_diverges, new_diverges) = (old.diverges?, new.diverges?);
        let reached = self.terms.and(&[old.reached, new.reached]);
        let alike = match coupled.sides.len() {
            2 => self.terms.eq(old_diverges, new_diverges),
            // The one that does nothing has the same symbol.
            _ if coupled.ends => self.terms.not(old_diverges),
            _ => return None,
        };
        Some(self.terms.implies(reached, alike))
    }

    /// If both versions get to the loop and leave it: some state satisfies the relations, and both leave from it.
    fn what_is_left(&mut self, place: usize) -> Term {
        let uses = self.loops[place].uses.clone();
        let iterations = self.loops[place].iterations.clone();
        // The last iteration starts from a state of its own.
        let last = |product: &mut LoopProduct<'_>, iteration: &Iteration, side: &str| -> Vec<Term> {
            let variables = iteration.before.iter().enumerate();
            let fresh = variables.map(|(at, variable)| {
                let sort = product.terms.sort_of(*variable).clone();
                product.terms.var(&format!("last{place}.{side}.{at}"), &sort)
            });
            fresh.collect()
        };
        let (old, new) = (last(self, &iterations.old, "old"), last(self, &iterations.new, "new"));
        let variables = self.binding(place, &old, &new);
        let mut known: Vec<Term> = self.loops[place].invariants.clone();
        for (iteration, loop_use) in [(&iterations.old, &uses.old), (&iterations.new, &uses.new)] {
            known.push(iteration.leaves);
            known.extend(&iteration.assumptions);
            known.extend(self.ends_as(iteration, loop_use));
        }
        // The loops inside have names of their own for the last iteration: no other one is spoken of.
        known.extend(self.postconditions(Some(place)));
        let known: Vec<Term> = known.into_iter().map(|fact| self.at(fact, &variables)).collect();
        let last: BTreeSet<Term> = old.into_iter().chain(new).collect();
        let mut known = self.without(&last, known);
        known.extend(same_texts(self.terms, uses.old.written, uses.new.written));
        let known = self.terms.and(&known);
        let mut premise = vec![uses.old.reached, uses.new.reached];
        for diverges in [uses.old.diverges, uses.new.diverges].into_iter().flatten() {
            premise.push(self.terms.not(diverges));
        }
        let premise = self.terms.and(&premise);
        self.terms.implies(premise, known)
    }

    /// The same conditions without those of the variables that they say the values of.
    fn without(&mut self, variables: &BTreeSet<Term>, conditions: Vec<Term>) -> Vec<Term> {
        let values = solve_equalities_for(self.terms, &conditions, &|variable| variables.contains(&variable));
        let conditions = self.terms.substitute_all(&conditions, &values);
        let bounded = equalities_from_bounds(self.terms, &conditions);
        let mut conditions = self.terms.substitute_all(&conditions, &bounded);
        conditions.extend(bounded.into_iter().map(|(variable, value)| self.terms.eq(variable, value)));
        conditions
    }

    /// A loop that is left in its first iteration leaves the state that this iteration makes.
    pub(crate) fn left_at_once(&mut self, place: usize, side: Side) -> Term {
        let (iteration, loop_use): (Iteration, LoopUse) = {
            let it = &self.loops[place];
            (it.iterations.get(side).clone(), it.uses.get(side).clone())
        };
        let variables = iteration.before.iter().copied().zip(loop_use.entry.iter().copied());
        let variables = variables.filter(|(variable, _)| self.is_state_of(place, *variable)).collect();
        let mut ends = self.ends_as(&iteration, &loop_use);
        ends.extend(same_texts(self.terms, loop_use.written, iteration.written));
        if let Some(diverges) = loop_use.diverges {
            ends.push(self.terms.not(diverges));
        }
        let ends = self.terms.and(&ends);
        let premise = self.terms.and(&[loop_use.reached, iteration.leaves]);
        let fact = self.terms.implies(premise, ends);
        self.at(fact, &variables)
    }

    /// The loop ends as this iteration does.
    pub(crate) fn ends_as(&mut self, iteration: &Iteration, loop_use: &LoopUse) -> Vec<Term> {
        let mut facts = vec![self.terms.eq(loop_use.ended, iteration.ended)];
        for (exit, end) in loop_use.exit.iter().zip(&iteration.at_end) {
            facts.push(self.terms.eq(*exit, *end));
        }
        for (exit, end) in loop_use.result.iter().zip(&iteration.result) {
            facts.push(self.terms.eq(*exit, *end));
        }
        facts
    }

    /// The conditions under which an iteration of one of two coupled loops does not do what the other's does.
    pub(crate) fn disagreement(&mut self, place: usize) -> Term {
        let Pair { old, new } = self.loops[place].iterations.clone();
        let terms = &mut *self.terms;
        let go_on = terms.eq(old.goes_on, new.goes_on);
        let leave = terms.eq(old.leaves, new.leaves);
        let [output, error_output] = same_texts(terms, old.written, new.written);
        // One may return where the other leaves its loop and returns then: what comes after tells.
        let same = terms.and(&[go_on, leave, output, error_output]);
        let differ = terms.not(same);
        terms.or(&[differ, old.unfinished, new.unfinished])
    }
}

/// Whether two loops write the same, for each stream.
pub(crate) fn same_texts(terms: &mut Terms, old: [Term; 2], new: [Term; 2]) -> [Term; 2] {
    [terms.eq(old[0], new[0]), terms.eq(old[1], new[1])]
}

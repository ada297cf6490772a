//! The path pairs that were looked at, and the question whether some input takes none of them.

use std::collections::BTreeSet;

use budget::Budget;
use query::{Asked, Client, Question, Refuted};
use smt::{Floats, Term, Terms};
use symbolic::Inputs;

use super::follow::all_values;
use crate::kernel::{Covered, Covering, Uncovered};
use crate::unknown::{Reason, Unknown};

pub(super) struct PathPairs {
    /// Those on which the versions do the same.
    pub(super) covering: Covering,
    /// Those that go beyond the bound, or into what has no meaning for us, and where they do.
    unfinished: Vec<(Term, Vec<Reason>)>,
    /// Those on which the question was not answered.
    undecided: Vec<(Term, Reason)>,
    followed: BTreeSet<Term>,
}

impl PathPairs {
    pub(super) fn new(facts: &[Term]) -> PathPairs {
        PathPairs {
            covering: Covering::new(facts),
            unfinished: Vec::new(),
            undecided: Vec::new(),
            followed: BTreeSet::new(),
        }
    }

    /// An input that takes no path pair.
    pub(super) fn next_input(
        &self,
        terms: &mut Terms,
        client: &mut Client,
        inputs: &Inputs,
        floats: Floats,
        budget: &Budget,
    ) -> Asked<Uncovered> {
        let uncovered = self.uncovered(terms, &[]);
        let wanted = all_values(terms, inputs, uncovered.conditions());
        client.ask(terms, uncovered, &wanted, floats, budget)
    }

    /// Whether some input takes no path pair and meets more conditions.
    pub(super) fn uncovered(&self, terms: &mut Terms, more: &[Term]) -> Uncovered {
        let unfinished = self.unfinished.iter().map(|(beyond, _)| *beyond);
        let undecided = self.undecided.iter().map(|(within, _)| *within);
        let others: Vec<Term> = unfinished.chain(undecided).collect();
        self.covering.uncovered_beside(terms, &others, more)
    }

    /// Whether a path pair was followed before.
    pub(super) fn was_followed(&self, path_pair: Term) -> bool {
        self.followed.contains(&path_pair)
    }

    pub(super) fn note_followed(&mut self, path_pair: Term) {
        self.followed.insert(path_pair);
    }

    pub(super) fn note_unfinished(&mut self, beyond: Term, gaps: Vec<Reason>) {
        self.unfinished.push((beyond, gaps));
    }

    pub(super) fn note_undecided(&mut self, within: Term, reason: Reason) {
        self.undecided.push((within, reason));
    }

    /// Gives the inputs that went beyond the bound another chance.
    pub(super) fn forget_unfinished(&mut self) {
        self.unfinished.clear();
        self.followed.clear();
    }

    /// Whether the covering is complete, given that no input is left over. Without a reason if some input may take an
    /// unfinished path pair.
    pub(super) fn covered(
        &self,
        terms: &mut Terms,
        client: &mut Client,
        nothing_left: &Refuted<Uncovered>,
        floats: Floats,
        budget: &Budget,
    ) -> Result<Covered, Option<Reason>> {
        if let Some((_, reason)) = self.undecided.first() {
            return Err(Some(reason.clone()));
        }
        if let Some(covered) = self.covering.covered(nothing_left) {
            return Ok(covered);
        }
        // No input may take an unfinished path pair, or its runs surely go on forever.
        let uncovered = self.covering.uncovered(terms);
        match client.ask(terms, uncovered, &[], floats, budget) {
            Asked::Refuted(refuted) => self.covering.covered(&refuted).ok_or(None),
            Asked::Counterexample(_) => Err(None),
            Asked::GaveUp(reason) => Err(Some(reason.into())),
        }
    }

    /// Where path pairs leave what was followed.
    pub(super) fn gaps(&self) -> Vec<Reason> {
        self.unfinished.iter().flat_map(|(_, gaps)| gaps.iter().cloned()).collect()
    }

    /// Why there is no verdict: a reason first, then all that was not decided.
    pub(super) fn unknown(&self, reason: Reason) -> Unknown {
        let undecided = self.undecided.iter().map(|(_, reason)| reason.clone());
        undecided.chain(self.gaps()).fold(Unknown::because(reason), Unknown::and)
    }
}

//! What was proved of loops, as facts that may be assumed.

use ir::{Pair, Span};
use smt::{Term, Terms};

/// A condition that holds on all runs on which both versions end. Only this crate makes facts, from what it proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact(Term);

impl Fact {
    pub(crate) fn proved(term: Term) -> Fact {
        Fact(term)
    }

    pub fn term(self) -> Term {
        self.0
    }

    /// The same where it was proved for the inputs of a case only.
    fn under(self, terms: &mut Terms, case: Term) -> Fact {
        Fact(terms.implies(case, self.0))
    }
}

/// The coupling invariants of two loops in lockstep, or of one that stands alone: what holds before every iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariants {
    pub spans: Pair<Option<Span>>,
    /// In the names of the source, `old.` and `new.` before those of each version.
    pub invariants: Vec<String>,
}

/// Why nothing was proved of the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The loops leave lockstep, whichever candidates are kept.
    NotInLockstep,
    /// The candidates that are inductive do not keep the loops together.
    InvariantsTooWeak,
    /// The work was used up.
    UsedUp,
}

impl Failure {
    /// In a word, for traces.
    pub fn name(self) -> &'static str {
        match self {
            Failure::NotInLockstep => "not in lockstep",
            Failure::InvariantsTooWeak => "invariants too weak",
            Failure::UsedUp => "used up",
        }
    }
}

/// What is known of the loops of a pair.
#[derive(Default)]
pub struct Proved {
    /// What the loops at the top leave behind.
    pub facts: Vec<Fact>,
    /// The coupling invariants, for people.
    pub invariants: Vec<LoopInvariants>,
    /// What iterations take for granted, in words.
    pub assumptions: Vec<String>,
}

impl Proved {
    /// The same where it was proved for the inputs of a case only.
    pub fn under(self, terms: &mut Terms, case: Term) -> Proved {
        let facts = self.facts.into_iter().map(|fact| fact.under(terms, case)).collect();
        Proved { facts, ..self }
    }

    /// What is known from both.
    pub fn and(mut self, other: Proved) -> Proved {
        self.facts.extend(other.facts);
        self.invariants.extend(other.invariants);
        self.assumptions.extend(other.assumptions);
        self
    }
}

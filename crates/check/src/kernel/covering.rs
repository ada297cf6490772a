//! Path pairs that cover all inputs: on each of them a difference was refuted, and every input takes one.

use std::collections::BTreeSet;

use query::{Question, Refuted};
use smt::{Term, Terms};

use super::claim::{Claim, Difference, fresh_id};
use super::termination::EndsAlike;

/// The path pairs on which the versions do the same.
pub(crate) struct Covering {
    /// Questions are about the covering that formed them.
    id: u64,
    /// What holds of all inputs and of unknown functions.
    facts: Vec<Term>,
    known_facts: BTreeSet<Term>,
    /// The inputs that take a proved path pair to its end.
    proved: Vec<Term>,
    ends_alike: Vec<Option<EndsAlike>>,
}

/// Says that every input takes a path pair on which no difference is left.
pub(crate) struct Covered(());

/// The question whether some input takes none of the path pairs.
pub(crate) struct Uncovered {
    covering: u64,
    conditions: Vec<Term>,
    /// Whether nothing is excluded but what the covering has proved.
    is_about_all: bool,
}

impl Covering {
    /// No path pair yet.
    pub(crate) fn new(facts: &[Term]) -> Covering {
        let mut covering = Covering {
            id: fresh_id(),
            facts: Vec::new(),
            known_facts: BTreeSet::new(),
            proved: Vec::new(),
            ends_alike: Vec::new(),
        };
        covering.learn(facts);
        covering
    }

    /// Adds facts that hold of every run.
    pub(crate) fn learn<'t>(&mut self, facts: impl IntoIterator<Item = &'t Term>) {
        for &fact in facts {
            if self.known_facts.insert(fact) {
                self.facts.push(fact);
            }
        }
    }

    /// Adds a path pair, from a claim of which no difference is left; `ends_alike` if that says so of its runs.
    pub(crate) fn add(
        &mut self,
        terms: &mut Terms,
        claim: &Claim,
        refuted: &Refuted<Difference>,
        ends_alike: Option<EndsAlike>,
    ) {
        assert!(claim.is_about(refuted), "the token should be of this claim");
        let within = claim.within(terms).expect("the claim should be about a path pair");
        self.proved.push(within);
        self.ends_alike.push(ends_alike);
    }

    /// Whether some input takes no path pair.
    pub(crate) fn uncovered(&self, terms: &mut Terms) -> Uncovered {
        self.uncovered_beside(terms, &[], &[])
    }

    /// The same for inputs that take none of the others either, and meet more conditions.
    pub(crate) fn uncovered_beside(&self, terms: &mut Terms, others: &[Term], more: &[Term]) -> Uncovered {
        let outside = self.proved.iter().chain(others).map(|within| terms.not(*within));
        let mut conditions: Vec<Term> = self.facts.iter().copied().chain(outside).collect();
        conditions.extend(more);
        Uncovered { covering: self.id, conditions, is_about_all: others.is_empty() && more.is_empty() }
    }

    /// That every input takes a path pair, unless the question left some inputs out.
    pub(crate) fn covered(&self, refuted: &Refuted<Uncovered>) -> Option<Covered> {
        let Uncovered { covering, is_about_all, .. } = refuted.question();
        (*covering == self.id && *is_about_all).then_some(Covered(()))
    }

    /// Says that one version ends exactly when the other does, if that is so on every path pair.
    pub(crate) fn end_alike(&mut self) -> Option<EndsAlike> {
        let all = self.ends_alike.iter().all(Option::is_some);
        if all { self.ends_alike.last_mut()?.take() } else { None }
    }
}

impl Question for Uncovered {
    const NAME: &'static str = "uncovered";

    fn conditions(&self) -> &[Term] {
        &self.conditions
    }
}

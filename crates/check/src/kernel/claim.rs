//! A claim that two summaries do the same, and the questions that refute or prove it.
//!
//! Exact: what is made simpler on the way was proved equal under the claim's own premises.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use budget::Budget;
use query::{Client, Decomposition, Question, Refuted, sweep};
use relate::Fact;
use smt::{Floats, Term, Terms};

use super::residual::ResidualCondition;

/// Which inputs a claim is about.
pub(crate) enum Scope {
    AllInputs,
    /// Those that a bounded check has left.
    Residual(ResidualCondition),
    /// Those that take one path pair, which has this condition.
    PathPair(Term),
}

/// That two versions do the same wherever the premises hold.
pub(crate) struct Claim {
    /// Questions are about the claim that formed them.
    id: u64,
    premises: Vec<Term>,
    question: symbolic::Question,
    scope: Scope,
}

/// A number that no other claim has.
pub(super) fn fresh_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Claim {
    /// The claim about all inputs.
    pub(crate) fn new(question: symbolic::Question) -> Claim {
        let premises = question.assumptions.clone();
        Claim { id: fresh_id(), premises, question, scope: Scope::AllInputs }
    }

    /// The same for the inputs that take one path pair.
    pub(crate) fn on_path_pair(mut self, condition: Term) -> Claim {
        self.premises.push(condition);
        Claim { scope: Scope::PathPair(condition), ..self }
    }

    /// The same for the inputs that a bounded check has left.
    pub(crate) fn on_residual(mut self, residual: ResidualCondition) -> Claim {
        self.premises.push(residual.term());
        Claim { scope: Scope::Residual(residual), ..self }
    }

    /// The inputs that take the path pair to its end, if the claim is about one.
    pub(super) fn within(&self, terms: &mut Terms) -> Option<Term> {
        let Scope::PathPair(condition) = self.scope else { return None };
        let finished = terms.not(self.question.unfinished);
        Some(terms.and(&[condition, finished]))
    }

    /// Adds facts that were proved of all runs on which both versions end.
    pub(crate) fn assume(&mut self, facts: &[Fact]) {
        self.premises.extend(facts.iter().map(|fact| fact.term()));
    }

    pub(crate) fn premises(&self) -> &[Term] {
        &self.premises
    }

    /// Where the versions differ, and where runs leave what was followed.
    pub(crate) fn question(&self) -> &symbolic::Question {
        &self.question
    }

    pub(super) fn into_scope(self) -> Scope {
        self.scope
    }

    /// Whether some input makes the versions differ, among the runs that were followed to their end.
    pub(crate) fn difference(&self, terms: &mut Terms) -> Difference {
        let mut conditions = self.premises.clone();
        conditions.extend([self.question.differ, terms.not(self.question.unfinished)]);
        Difference { claim: self.id, conditions }
    }

    /// The same if more held than is known, or only for some inputs: nothing is proved if there is none.
    pub(crate) fn difference_if(&self, terms: &mut Terms, more: &[Term]) -> Hypothetical {
        let Difference { mut conditions, .. } = self.difference(terms);
        conditions.extend(more);
        Hypothetical { conditions }
    }

    /// Whether some input makes the versions do the same.
    pub(crate) fn agreement(&self, terms: &mut Terms) -> Hypothetical {
        let mut conditions = self.premises.clone();
        conditions.extend([terms.not(self.question.differ), terms.not(self.question.unfinished)]);
        Hypothetical { conditions }
    }

    /// Whether some input that is compared makes the versions do the same, as far as `surely` knows a difference.
    pub(crate) fn agreement_everywhere(&self, terms: &mut Terms, surely: Term) -> Agreement {
        let mut conditions = self.premises.clone();
        let symbolic::Question { unfinished, excluded, diverged, undefined, .. } = self.question;
        let not_compared = [surely, unfinished, excluded, diverged, undefined];
        conditions.extend(not_compared.map(|condition| terms.not(condition)));
        Agreement { claim: self.id, conditions }
    }

    pub(super) fn is_about_agreement(&self, refuted: &Refuted<Agreement>) -> bool {
        refuted.question().claim == self.id
    }

    /// Whether some input makes a run leave what was followed: a bound, or unsupported source.
    pub(crate) fn unfinished(&self) -> Unfinished {
        let mut conditions = self.premises.clone();
        conditions.push(self.question.unfinished);
        Unfinished { claim: self.id, conditions }
    }

    pub(super) fn is_about(&self, refuted: &Refuted<Difference>) -> bool {
        refuted.question().claim == self.id
    }

    pub(super) fn is_finished(&self, refuted: &Refuted<Unfinished>) -> bool {
        refuted.question().claim == self.id
    }

    /// The conditions under which anything is compared at all.
    pub(crate) fn compared(&self, terms: &mut Terms) -> Vec<Term> {
        let mut conditions = self.premises.clone();
        conditions.push(terms.not(self.question.excluded));
        conditions
    }

    /// Makes corresponding parts of the versions the same where they are equal.
    pub(crate) fn decompose(
        &mut self,
        terms: &mut Terms,
        inputs: BTreeSet<Term>,
        client: &mut Client,
        budget: &Budget,
    ) {
        let mut known = self.premises.clone();
        known.push(terms.not(self.question.unfinished));
        let parts = Decomposition::new(terms, client, inputs, &known, budget);
        self.question.differ = parts.simplified(self.question.differ);
    }

    /// Leaves out the ways to leave what was followed that no input takes.
    pub(crate) fn leave_out_impossible(
        &mut self,
        terms: &mut Terms,
        inputs: BTreeSet<Term>,
        client: &mut Client,
        budget: &Budget,
    ) {
        let parts = Decomposition::new(terms, client, inputs, &self.premises, budget);
        self.question.unfinished = parts.possible(self.question.unfinished);
    }

    /// Merges terms that are equal wherever the premises hold.
    pub(crate) fn sweep(&mut self, terms: &mut Terms, client: &mut Client, budget: &Budget) {
        let roots = [self.question.differ, self.question.unfinished];
        let swept = sweep(terms, client, &self.premises, &roots, Floats::Symbols, budget);
        (self.question.differ, self.question.unfinished) = (swept[0], swept[1]);
    }
}

/// The question whether some input makes the versions differ.
pub(crate) struct Difference {
    claim: u64,
    conditions: Vec<Term>,
}

/// The question whether some run leaves what was followed.
pub(crate) struct Unfinished {
    claim: u64,
    conditions: Vec<Term>,
}

/// The question whether some input makes the versions do the same.
pub(crate) struct Agreement {
    claim: u64,
    conditions: Vec<Term>,
}

/// A question whose answer guides the search and proves nothing.
pub(crate) struct Hypothetical {
    conditions: Vec<Term>,
}

impl Question for Difference {
    const NAME: &'static str = "difference";

    fn conditions(&self) -> &[Term] {
        &self.conditions
    }
}

impl Question for Unfinished {
    const NAME: &'static str = "unfinished";

    fn conditions(&self) -> &[Term] {
        &self.conditions
    }
}

impl Question for Agreement {
    const NAME: &'static str = "agreement";

    fn conditions(&self) -> &[Term] {
        &self.conditions
    }
}

impl Question for Hypothetical {
    const NAME: &'static str = "hypothetical";
    const PROVES: bool = false;

    fn conditions(&self) -> &[Term] {
        &self.conditions
    }
}

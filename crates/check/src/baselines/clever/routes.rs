//! The routes that were looked at, and the question whether some input takes none of them.

use budget::Budget;
use smt::{Floats, Term, Terms};
use std::collections::BTreeSet;
use symbolic::Inputs;

use super::follow::all_values;
use crate::kernel::{Difference, EndsAlike};
use crate::verdict::{Reason, Unknown};
use query::{Asked, Client, Question, Refuted};

/// All inputs that take the same two paths, to the end, and on which the versions do the same.
pub(super) struct SettledRoute {
    pub(super) within: Term,
    pub(super) ends_alike: Option<EndsAlike>,
    #[expect(dead_code, reason = "it is the evidence without which there is no such route")]
    pub(super) refuted: Refuted<Difference>,
}

/// Says that every input takes a route on which no difference is left.
pub(crate) struct Covered(());

/// The question whether some input takes none of the routes that were compared.
pub(super) struct Uncovered {
    conditions: Vec<Term>,
}

impl Uncovered {
    pub(super) fn of(conditions: Vec<Term>) -> Uncovered {
        Uncovered { conditions }
    }
}

impl Question for Uncovered {
    const NAME: &'static str = "uncovered";

    fn conditions(&self) -> &[Term] {
        &self.conditions
    }
}

pub(super) struct Routes {
    /// What holds of all inputs and of unknown functions.
    facts: Vec<Term>,
    known_facts: BTreeSet<Term>,
    settled: Vec<SettledRoute>,
    /// Paths that go beyond the bound, or into what has no meaning for us, and where they do.
    cut: Vec<(Term, Vec<Reason>)>,
    /// Routes on which the question was not answered.
    open: Vec<(Term, Reason)>,
    followed: BTreeSet<Term>,
}

impl Routes {
    pub(super) fn new(facts: &[Term]) -> Routes {
        let mut routes = Routes {
            facts: Vec::new(),
            known_facts: BTreeSet::new(),
            settled: Vec::new(),
            cut: Vec::new(),
            open: Vec::new(),
            followed: BTreeSet::new(),
        };
        routes.learn(facts);
        routes
    }

    /// Adds facts that hold of every run.
    pub(super) fn learn<'t>(&mut self, facts: impl IntoIterator<Item = &'t Term>) {
        for &fact in facts {
            if self.known_facts.insert(fact) {
                self.facts.push(fact);
            }
        }
    }

    /// An input that takes no route.
    pub(super) fn next_input(
        &self,
        terms: &mut Terms,
        client: &mut Client,
        inputs: &Inputs,
        floats: Floats,
        budget: &Budget,
    ) -> Asked<Uncovered> {
        let conditions = self.left(terms);
        let wanted = all_values(terms, inputs, &conditions);
        client.ask(terms, Uncovered::of(conditions), &wanted, floats, budget)
    }

    /// What holds of the inputs that take no route.
    pub(super) fn left(&self, terms: &mut Terms) -> Vec<Term> {
        let settled = self.settled.iter().map(|settled| settled.within);
        let cut = self.cut.iter().map(|(beyond, _)| *beyond);
        let open = self.open.iter().map(|(within, _)| *within);
        let outside = settled.chain(cut).chain(open).map(|route| terms.not(route));
        self.facts.iter().copied().chain(outside).collect()
    }

    /// Whether a pair of paths was followed before.
    pub(super) fn was_followed(&self, route: Term) -> bool {
        self.followed.contains(&route)
    }

    pub(super) fn note_followed(&mut self, route: Term) {
        self.followed.insert(route);
    }

    pub(super) fn add(&mut self, settled: SettledRoute) {
        self.settled.push(settled);
    }

    pub(super) fn cut_short(&mut self, beyond: Term, gaps: Vec<Reason>) {
        self.cut.push((beyond, gaps));
    }

    pub(super) fn leave_open(&mut self, within: Term, reason: Reason) {
        self.open.push((within, reason));
    }

    /// Gives the inputs that went beyond the bound another chance.
    pub(super) fn forget_what_was_cut(&mut self) {
        self.cut.clear();
        self.followed.clear();
    }

    /// Whether all inputs take settled routes, given that none is left over. Without a
    /// reason if some input may take what was cut.
    pub(super) fn covered(
        &self,
        terms: &mut Terms,
        client: &mut Client,
        _nothing_left: Refuted<Uncovered>,
        floats: Floats,
        budget: &Budget,
    ) -> Result<Covered, Option<Reason>> {
        if let Some((_, reason)) = self.open.first() {
            return Err(Some(reason.clone()));
        }
        if self.cut.is_empty() {
            return Ok(Covered(()));
        }
        // What was cut may be a path that no input takes, or one that surely goes on forever.
        let mut conditions = self.facts.clone();
        conditions.extend(self.settled.iter().map(|settled| terms.not(settled.within)));
        match client.ask(terms, Uncovered::of(conditions), &[], floats, budget) {
            Asked::Refuted(_) => Ok(Covered(())),
            Asked::Counterexample(_) => Err(None),
            Asked::GaveUp(reason) => Err(Some(reason.into())),
        }
    }

    /// Says that one version ends exactly when the other does, if that is so on every route.
    pub(super) fn end_alike(&mut self) -> Option<EndsAlike> {
        let all = self.settled.iter().all(|settled| settled.ends_alike.is_some());
        if all { self.settled.last_mut()?.ends_alike.take() } else { None }
    }

    /// Where paths leave what was followed.
    pub(super) fn gaps(&self) -> Vec<Reason> {
        self.cut.iter().flat_map(|(_, gaps)| gaps.iter().cloned()).collect()
    }

    /// Why there is no verdict: a reason first, then all that was left open.
    pub(super) fn unknown(&self, reason: Reason) -> Unknown {
        let open = self.open.iter().map(|(_, reason)| reason.clone());
        open.chain(self.gaps()).fold(Unknown::because(reason), Unknown::and)
    }
}

//! Constrained Horn clauses: conditions that unknown predicates must meet, and predicates that meet them.
//!
//! ```text
//! n >= 0                    =>  P(0, n)
//! P(i, n)  and  i < n       =>  P(i + 1, n)
//! P(i, n)  and  i > n       =>  false
//! ```
//!
//! A solver finds a definition of `P` (here `i <= n`), or that there is none, or neither. Nothing should rest on a
//! definition that was not checked again: that is an ordinary question, once the predicate is known.

mod integers;

use crate::sort::Sort;
use crate::terms::{Term, Terms};
use std::collections::BTreeMap;

/// Predicates that are looked for, and the clauses that they must make true.
#[derive(Clone, Debug, Default)]
pub struct HornQuery {
    /// The sorts of each predicate's arguments.
    pub predicates: Vec<Vec<Sort>>,
    pub clauses: Vec<Clause>,
}

/// Whatever its variables are: if all uses and conditions hold, so does the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub uses: Vec<Application>,
    pub conditions: Vec<Term>,
    /// `None` is false: the rest must never hold.
    pub head: Option<Application>,
}

/// An unknown predicate of some terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Its place among the predicates of the query.
    pub predicate: usize,
    pub args: Vec<Term>,
}

/// A predicate that was found: a condition on its parameters, which are variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub parameters: Vec<Term>,
    pub condition: Term,
}

impl HornQuery {
    /// Whether a predicate can have an argument of this sort: no floats, texts or sorts of which nothing is known.
    pub fn can_speak_of(sort: &Sort) -> bool {
        match sort {
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => true,
            Sort::Float(_) | Sort::Text | Sort::Uninterpreted(_) => false,
            Sort::Array(index, element) => HornQuery::can_speak_of(index) && HornQuery::can_speak_of(element),
        }
    }
}

impl Clause {
    /// All terms that the clause is made of.
    pub(crate) fn roots(&self) -> Vec<Term> {
        let applications = self.uses.iter().chain(&self.head);
        applications.flat_map(|it| it.args.iter()).chain(&self.conditions).copied().collect()
    }

    /// The clause with terms replaced.
    pub(crate) fn substituted(&self, terms: &mut Terms, map: &BTreeMap<Term, Term>) -> Clause {
        let mut application = |it: &Application| Application {
            predicate: it.predicate,
            args: terms.substitute_all(&it.args, map),
        };
        let uses = self.uses.iter().map(&mut application).collect();
        let head = self.head.as_ref().map(&mut application);
        Clause { uses, conditions: terms.substitute_all(&self.conditions, map), head }
    }
}

impl Definition {
    /// The condition on these terms.
    pub fn at(&self, terms: &mut Terms, args: &[Term]) -> Term {
        let map = self.parameters.iter().copied().zip(args.iter().copied()).collect();
        terms.substitute(self.condition, &map)
    }
}

/// The symbol of a predicate in the text.
pub(crate) fn predicate_symbol(number: usize) -> String {
    format!("p!{number}")
}

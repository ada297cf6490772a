//! What a summary relies on: facts that hold of every run, and symbols that say less than the program does.

use rustc_hash::FxHashSet;
use smt::{Sort, Term, Terms};
use std::collections::BTreeSet;

/// Collected while a procedure is summarised.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Facts, in the order they were found.
    pub(crate) assumptions: Vec<Term>,
    known: FxHashSet<Term>,
    /// Names of the uninterpreted symbols that over-approximate what the program does.
    pub(crate) abstractions: BTreeSet<String>,
    /// What was taken for granted, in words.
    pub(crate) texts: BTreeSet<String>,
}

impl Notes {
    /// Adds a fact that holds of every run.
    pub(crate) fn assume(&mut self, terms: &Terms, fact: Term) {
        if terms.as_bool(fact) != Some(true) && self.known.insert(fact) {
            self.assumptions.push(fact);
        }
    }

    /// A function of which only its name and arguments are known; the same in both versions.
    pub(crate) fn unknown(&mut self, terms: &mut Terms, name: &str, args: &[Term], sort: &Sort) -> Term {
        if !self.abstractions.contains(name) {
            self.abstractions.insert(name.to_owned());
        }
        terms.apply(name, args, sort)
    }
}

//! How runs end, and what is left where their paths meet.
//!
//! Exact: every path ends in one of these ways, and the conditions of all of them together hold of every input.

use crate::merge::{Choice, Mergeable};
use crate::path::PathId;
use crate::state::{Memory, merge_memory, merge_value};
use crate::summary::CutKind;
use crate::value::SymValue;
use ir::Span;
use smt::{Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A place at which the account of a procedure has a gap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    Cut { kind: CutKind, span: Span, procedure: String },
    Unsupported { what: String, span: Span },
}

/// How a run ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    Returned,
    Failed(String),
    Excluded,
    /// Not at all: a loop goes on forever.
    Diverged,
    /// In a gap, by its place in the list.
    Gap(usize),
}

/// The end of some paths.
#[derive(Clone, Debug)]
pub(crate) struct Final {
    pub(crate) path: PathId,
    /// The condition of each way to end, on this path.
    pub(crate) exits: BTreeMap<Exit, Term>,
    /// Absent where it does not matter.
    pub(crate) memory: Option<Rc<Memory>>,
    pub(crate) result: Option<SymValue>,
    /// What the failure carries, where it ends in one.
    pub(crate) thrown: Option<SymValue>,
}

impl Final {
    pub(crate) fn in_gap(terms: &mut Terms, path: PathId, place: usize) -> Final {
        Final::new(terms, path, Exit::Gap(place))
    }

    pub(crate) fn excluded(terms: &mut Terms, path: PathId) -> Final {
        Final::new(terms, path, Exit::Excluded)
    }

    pub(crate) fn new(terms: &mut Terms, path: PathId, exit: Exit) -> Final {
        let exits = [(exit, terms.bool(true))].into();
        Final { path, exits, memory: None, result: None, thrown: None }
    }
}

impl Mergeable for Final {
    fn path(&self) -> PathId {
        self.path
    }

    fn set_path(&mut self, path: PathId) {
        self.path = path;
    }

    fn merge(self, other: Final, choice: &Choice, terms: &mut Terms) -> Final {
        let mut exits = BTreeMap::new();
        let never = terms.bool(false);
        for exit in self.exits.keys().chain(other.exits.keys()) {
            if !exits.contains_key(exit) {
                let of = |exits: &BTreeMap<Exit, Term>| exits.get(exit).copied().unwrap_or(never);
                let guard = choice.either(terms, of(&self.exits), of(&other.exits));
                exits.insert(exit.clone(), guard);
            }
        }
        let memory = match (self.memory, other.memory) {
            (Some(mine), Some(theirs)) => Some(merge_memory(mine, &theirs, choice, terms)),
            (mine, theirs) => mine.or(theirs),
        };
        let mut either = |mine: Option<SymValue>, theirs: Option<SymValue>| match (mine, theirs) {
            (Some(mine), Some(theirs)) => Some(merge_value(&mine, &theirs, choice, terms)),
            (mine, theirs) => mine.or(theirs),
        };
        let result = either(self.result, other.result);
        let thrown = either(self.thrown, other.thrown);
        Final { path: self.path, exits, memory, result, thrown }
    }
}

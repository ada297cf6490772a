//! Abstraction by uninterpreted functions: runs of statements that a summary does not look into.
//!
//! Over-approximating: the symbols say only that the same code on the same values does the same. What a run may
//! change, print, and how it may end are all symbols, so that nothing that it does is lost. A run that does not end
//! has no outcome in the program; here it has some, which is sound for runs on which both versions end.

use crate::iteration::{LoopShape, StatePlace};
use ir::{Interface, ProcId, Stmt, Stream, WayOut};
use rustc_hash::FxHashMap;
use smt::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

/// Which statements of one version are hidden, and behind what.
#[derive(Clone, Debug, Default)]
pub struct Abstraction<'p> {
    runs: FxHashMap<StmtPlace<'p>, HiddenRun>,
    /// Procedures whose calls are hidden, the one that is summarised itself included.
    calls: BTreeMap<ProcId, HiddenCall>,
}

/// A statement by where it stands in a program that is borrowed for as long as this is known, and so stays there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct StmtPlace<'p>(usize, PhantomData<&'p Stmt>);

impl StmtPlace<'_> {
    fn of(stmt: &Stmt) -> StmtPlace<'_> {
        StmtPlace(std::ptr::from_ref(stmt).addr(), PhantomData)
    }
}

/// What takes the place of calls of a procedure.
#[derive(Clone, Debug)]
pub(crate) struct HiddenCall {
    pub(crate) name: String,
    pub(crate) interface: Interface,
}

#[derive(Clone, Debug)]
pub(crate) struct HiddenRun {
    pub(crate) length: usize,
    pub(crate) instead: Instead,
}

/// What takes the place of statements.
#[derive(Clone, Debug)]
pub(crate) enum Instead {
    /// Functions of what goes in, with names that begin with this.
    Symbols { name: String, interface: Interface },
    /// Nothing: the caller knows that what they do does not matter.
    Nothing,
    /// A loop that is stepped over after some iterations; what it leaves behind are symbols of its own.
    Loop {
        number: usize,
        name: String,
        peeled: u32,
        places: Vec<StatePlace>,
        written: Vec<StatePlace>,
        prints: BTreeSet<Stream>,
        ways_out: Vec<WayOut>,
    },
    /// A return of some value with this name: the caller knows that both versions return the same here.
    Return { name: String },
}

impl<'p> Abstraction<'p> {
    /// Nothing is hidden.
    pub fn nothing() -> Abstraction<'p> {
        Abstraction::default()
    }

    /// Hides statements behind symbols. The other version must hide the same code behind the same name.
    pub fn hide(&mut self, statements: &'p [Stmt], name: &str, interface: Interface) {
        let instead = Instead::Symbols { name: name.to_owned(), interface };
        self.insert(statements, instead);
    }

    /// Leaves statements out: sound only if nothing that is compared depends on them.
    pub fn leave_out(&mut self, statements: &'p [Stmt]) {
        self.insert(statements, Instead::Nothing);
    }

    fn insert(&mut self, statements: &'p [Stmt], instead: Instead) {
        if let Some(first) = statements.first() {
            self.runs.insert(StmtPlace::of(first), HiddenRun { length: statements.len(), instead });
        }
    }

    /// Steps over a loop: its uses are listed under the number.
    pub fn step_over(&mut self, shape: &LoopShape<'p>, number: usize, name: &str, peeled: u32) {
        let instead = Instead::Loop {
            number,
            name: name.to_owned(),
            peeled,
            places: shape.places.clone(),
            written: shape.written.clone(),
            prints: shape.prints.clone(),
            ways_out: shape.ways_out.clone(),
        };
        self.insert(std::slice::from_ref(shape.stmt), instead);
    }

    /// Lets a return give an unknown value: sound only if the other version returns the same value where this one does.
    pub fn return_unknown(&mut self, statement: &'p Stmt, name: &str) {
        self.insert(std::slice::from_ref(statement), Instead::Return { name: name.to_owned() });
    }

    /// Hides all calls of a procedure behind symbols.
    ///
    /// Proves something only by induction: where the versions of the procedure itself, with these calls hidden, are
    /// shown to do the same.
    pub fn hide_calls(&mut self, procedure: ProcId, name: &str, interface: Interface) {
        self.calls.insert(procedure, HiddenCall { name: name.to_owned(), interface });
    }

    /// What hides the calls of a procedure.
    pub(crate) fn call(&self, procedure: ProcId) -> Option<&HiddenCall> {
        self.calls.get(&procedure)
    }

    /// Whether all that is hidden is still there, behind functions of what goes in: then nothing else than what the
    /// code reads decides where a run goes.
    pub(crate) fn is_complete(&self) -> bool {
        self.runs.values().all(|run| matches!(run.instead, Instead::Symbols { .. }))
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.calls.is_empty()
    }

    /// What hides the statements that begin here.
    pub(crate) fn at(&self, statements: &[Stmt]) -> Option<&HiddenRun> {
        if self.runs.is_empty() {
            return None;
        }
        let StmtPlace(address, _) = StmtPlace::of(statements.first()?);
        self.runs.get(&StmtPlace(address, PhantomData))
    }
}

/// One place of a summary where statements were hidden.
#[derive(Clone, Debug)]
pub struct HiddenUse {
    /// The name that the symbols begin with.
    pub name: String,
    /// The values of the symbols here.
    pub symbols: Vec<Term>,
}

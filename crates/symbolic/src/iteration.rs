//! One iteration of a loop from any state, and loops stepped over with what they start from and end in.
//!
//! Exact for the iteration itself. The state of a loop is the list of all terms that the loop may read or change, in
//! the order of [`LoopShape::elements`].

use ir::{
    GlobalId, Interface, LabelId, LocalId, ProcId, Program, RegionId, Stmt, StmtKind, Stream, WayOut,
    assigned_locals, for_each_stmt,
};
use smt::{Sort, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// A loop of one version, and what its state consists of.
#[derive(Clone, Debug)]
pub struct LoopShape<'a> {
    pub program: &'a Program,
    pub procedure: ProcId,
    pub stmt: &'a Stmt,
    pub places: Vec<StatePlace>,
    /// Those of the places that the loop may change: the others are after it what they were before.
    pub written: Vec<StatePlace>,
    /// The streams that it writes to.
    pub prints: BTreeSet<Stream>,
    pub ways_out: Vec<WayOut>,
}

/// What a part of a loop's state is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StatePlace {
    Local(LocalId),
    Global(GlobalId),
    Region(RegionId),
    World,
}

/// One term of a loop's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    pub place: StatePlace,
    /// Which leaf of the place's value it is.
    pub leaf: usize,
    pub sort: Sort,
}

/// Why a loop cannot be stepped over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotALoop;

impl<'a> LoopShape<'a> {
    /// The shape of a loop with this interface. Regions that nothing writes to are not part of the state.
    pub fn new(
        program: &'a Program,
        procedure: ProcId,
        stmt: &'a Stmt,
        interface: &Interface,
        is_written: &dyn Fn(RegionId) -> bool,
    ) -> Result<LoopShape<'a>, NotALoop> {
        let leaves = |way: &WayOut| matches!(way, WayOut::Break(_) | WayOut::Continue(_));
        if !matches!(stmt.kind, StmtKind::Loop { .. })
            || interface.frees
            || interface.ways_out.iter().any(leaves)
        {
            return Err(NotALoop);
        }
        let mut locals: Vec<LocalId> = interface.inputs.iter().chain(&interface.outputs).copied().collect();
        locals.sort();
        locals.dedup();
        let mut places: Vec<StatePlace> = locals.into_iter().map(StatePlace::Local).collect();
        let globals = interface.globals.iter().filter(|id| !program.global(**id).constant);
        places.extend(globals.map(|id| StatePlace::Global(*id)));
        let regions = interface.regions.iter().filter(|id| is_written(**id));
        places.extend(regions.map(|id| StatePlace::Region(*id)));
        places.extend(interface.calls_out.then_some(StatePlace::World));
        let mut assigned: Vec<LocalId> = Vec::new();
        for_each_stmt(std::slice::from_ref(stmt), &mut |stmt| assigned.extend(assigned_locals(&stmt.kind)));
        let is_written = |place: &StatePlace| match place {
            StatePlace::Local(local) => assigned.contains(local),
            StatePlace::Global(global) => interface.written_globals.contains(global),
            StatePlace::Region(region) => interface.written_regions.contains(region),
            StatePlace::World => true,
        };
        let written = places.iter().copied().filter(is_written).collect();
        let ways_out = interface.ways_out.clone();
        Ok(LoopShape {
            program,
            procedure,
            stmt,
            places,
            written,
            prints: interface.prints.clone(),
            ways_out,
        })
    }

    pub(crate) fn label(&self) -> LabelId {
        let StmtKind::Loop { label, .. } = self.stmt.kind else {
            panic!("the shape of a loop should be made of one")
        };
        label
    }

    pub(crate) fn body(&self) -> &'a [Stmt] {
        let StmtKind::Loop { body, .. } = &self.stmt.kind else {
            panic!("the shape of a loop should be made of one")
        };
        body
    }
}

/// What one iteration does, from a state of variables.
#[derive(Clone, Debug)]
pub struct Iteration {
    pub elements: Vec<Element>,
    /// The state before: variables, and what replaced those of parts that no iteration changes.
    pub before: Vec<Term>,
    /// The variables that were made for the state before.
    pub variables: BTreeSet<Term>,
    /// When there is another iteration, and the state that it starts from.
    pub goes_on: Term,
    pub after: Vec<Term>,
    /// When the loop is left, the code of the way out (0 for its end), and the state then.
    pub leaves: Term,
    pub ended: Term,
    pub at_end: Vec<Term>,
    /// What is returned, where the way out is a return.
    pub result: Vec<Term>,
    /// What is written, for each stream, whether it goes on or leaves.
    pub written: [Term; 2],
    /// Where an inner loop was cut short or something has no meaning. Where the iteration itself does not end, none
    /// of these three holds.
    pub unfinished: Term,
    pub assumptions: Vec<Term>,
    /// What was taken for granted, in words.
    pub assumption_texts: Vec<String>,
    /// Loops inside that were stepped over.
    pub inner: Vec<LoopUse>,
}

impl Iteration {
    /// The same with terms in place of variables.
    pub fn substituted(&self, terms: &mut Terms, map: &BTreeMap<Term, Term>) -> Iteration {
        let mut all = |list: &[Term]| terms.substitute_all(list, map);
        let [goes_on, leaves, ended, unfinished] =
            [self.goes_on, self.leaves, self.ended, self.unfinished].map(|term| all(&[term])[0]);
        Iteration {
            elements: self.elements.clone(),
            before: all(&self.before),
            variables: self.variables.clone(),
            goes_on,
            after: all(&self.after),
            leaves,
            ended,
            at_end: all(&self.at_end),
            result: all(&self.result),
            written: self.written.map(|text| all(&[text])[0]),
            unfinished,
            assumptions: all(&self.assumptions),
            assumption_texts: self.assumption_texts.clone(),
            inner: self.inner.iter().map(|inner| inner.substituted(&mut all)).collect(),
        }
    }
}

/// One place of a run where a loop was stepped over.
#[derive(Clone, Debug)]
pub struct LoopUse {
    /// The number that the loop was hidden under.
    pub number: usize,
    /// The condition under which the run gets here.
    pub reached: Term,
    /// The state in which the loop starts, and in which it is left.
    pub entry: Vec<Term>,
    pub exit: Vec<Term>,
    /// Whether it is never left, where that is told apart (`Config::total`).
    pub diverges: Option<Term>,
    /// The code of the way out: 0 for its end.
    pub ended: Term,
    pub result: Vec<Term>,
    /// What is written, for each stream.
    pub written: [Term; 2],
}

impl LoopUse {
    fn substituted(&self, all: &mut dyn FnMut(&[Term]) -> Vec<Term>) -> LoopUse {
        LoopUse {
            number: self.number,
            reached: all(&[self.reached])[0],
            entry: all(&self.entry),
            exit: all(&self.exit),
            diverges: self.diverges,
            ended: all(&[self.ended])[0],
            result: all(&self.result),
            written: self.written.map(|text| all(&[text])[0]),
        }
    }
}

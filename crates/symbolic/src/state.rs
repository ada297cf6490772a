//! The state of a symbolic run at one place of the program.

use crate::inputs::objects::FIRST_ALLOCATED;
use crate::merge::{Choice, Mergeable, choose};
use crate::path::PathId;
use crate::value::SymValue;
use ir::Stream;
use smt::{Term, Terms};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a run has: where it is, its local variables and everything that outlives the procedure.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) path: PathId,
    /// The local variables of the procedure that is running; in a list of returns the result alone.
    pub(crate) locals: Rc<Vec<SymValue>>,
    pub(crate) memory: Rc<Memory>,
}

/// Everything that outlives a call. The tables are those of the program that is run.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) globals: Vec<SymValue>,
    pub(crate) regions: Vec<SymValue>,
    /// What only the other version has, in the order of `Absent`: only code that is not there can change it.
    pub(crate) absent_globals: Vec<SymValue>,
    pub(crate) absent_regions: Vec<SymValue>,
    pub(crate) lengths: [Term; 2],
    pub(crate) shapes: Term,
    /// How many objects were allocated at most. Runs that part count on from the same number, so that two objects
    /// of one run never have the same one, and references to new objects are constants.
    pub(crate) allocated: u32,
    /// What was written so far, for each stream.
    pub(crate) written: [Term; 2],
    pub(crate) world: Term,
    /// What code that is not there may have got hold of.
    pub(crate) escaped: Rc<Escaped>,
}

/// The allocated objects that code that is not there may have been handed. Over-approximating.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Escaped {
    /// All objects with a smaller place in the order of allocation.
    pub(crate) below: u32,
    /// The numbers of others.
    pub(crate) objects: BTreeSet<u32>,
}

impl Escaped {
    /// Nothing is known of what happened before.
    pub(crate) fn anything() -> Escaped {
        Escaped { below: u32::MAX, objects: BTreeSet::new() }
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        number.wrapping_sub(FIRST_ALLOCATED) < self.below || self.objects.contains(&number)
    }

    /// All that are known by number; `None` if there may be others.
    pub(crate) fn numbers(&self) -> Option<BTreeSet<u32>> {
        if self.below > MOST_KNOWN {
            return None;
        }
        let first = (0..self.below).map(|index| FIRST_ALLOCATED + index);
        Some(first.chain(self.objects.iter().copied()).collect())
    }

    pub(crate) fn union(&self, other: &Escaped) -> Escaped {
        let objects = self.objects.union(&other.objects).copied().collect();
        Escaped { below: self.below.max(other.below), objects }
    }
}

/// More objects than this are not listed one by one.
const MOST_KNOWN: u32 = 500;

impl State {
    pub(crate) fn local_mut(&mut self, index: usize) -> &mut SymValue {
        &mut Rc::make_mut(&mut self.locals)[index]
    }

    pub(crate) fn memory_mut(&mut self) -> &mut Memory {
        Rc::make_mut(&mut self.memory)
    }

    /// Appends a text to what was written to a stream.
    pub(crate) fn write(&mut self, terms: &mut Terms, stream: Stream, text: Term) {
        let written = terms.text_concat(&[self.memory.written[stream.index()], text]);
        self.memory_mut().written[stream.index()] = written;
    }

    /// Whatever was allocated so far may be known to code that is not there.
    pub(crate) fn let_all_escape(&mut self) {
        let allocated = self.memory.allocated;
        let escaped = &self.memory.escaped;
        let all = Escaped { below: allocated.max(escaped.below), objects: escaped.objects.clone() };
        self.memory_mut().escaped = Rc::new(all);
    }
}

impl Mergeable for State {
    fn path(&self) -> PathId {
        self.path
    }

    fn set_path(&mut self, path: PathId) {
        self.path = path;
    }

    fn merge(self, other: State, choice: &Choice, terms: &mut Terms) -> State {
        State {
            path: self.path,
            locals: merge_locals(self.locals, &other.locals, choice, terms),
            memory: merge_memory(self.memory, &other.memory, choice, terms),
        }
    }
}

fn merge_locals(
    mut mine: Rc<Vec<SymValue>>,
    other: &Rc<Vec<SymValue>>,
    choice: &Choice,
    terms: &mut Terms,
) -> Rc<Vec<SymValue>> {
    if !Rc::ptr_eq(&mine, other) {
        let values: &mut Vec<SymValue> = Rc::make_mut(&mut mine);
        merge_values(values, other, choice, terms);
    }
    mine
}

/// Merges only what differs.
pub(crate) fn merge_memory(
    mut mine: Rc<Memory>,
    other: &Rc<Memory>,
    choice: &Choice,
    terms: &mut Terms,
) -> Rc<Memory> {
    if Rc::ptr_eq(&mine, other) {
        return mine;
    }
    let memory = Rc::make_mut(&mut mine);
    merge_values(&mut memory.globals, &other.globals, choice, terms);
    merge_values(&mut memory.regions, &other.regions, choice, terms);
    merge_values(&mut memory.absent_globals, &other.absent_globals, choice, terms);
    merge_values(&mut memory.absent_regions, &other.absent_regions, choice, terms);
    for (length, theirs) in memory.lengths.iter_mut().zip(other.lengths) {
        *length = choose(terms, choice.condition, *length, theirs);
    }
    memory.shapes = choose(terms, choice.condition, memory.shapes, other.shapes);
    memory.allocated = memory.allocated.max(other.allocated);
    for (written, theirs) in memory.written.iter_mut().zip(other.written) {
        *written = choose(terms, choice.condition, *written, theirs);
    }
    memory.world = choose(terms, choice.condition, memory.world, other.world);
    if memory.escaped != other.escaped {
        memory.escaped = Rc::new(memory.escaped.union(&other.escaped));
    }
    mine
}

fn merge_values(mine: &mut [SymValue], other: &[SymValue], choice: &Choice, terms: &mut Terms) {
    for (mine, theirs) in mine.iter_mut().zip(other) {
        if mine != theirs {
            *mine = merge_value(mine, theirs, choice, terms);
        }
    }
}

pub(crate) fn merge_value(a: &SymValue, b: &SymValue, choice: &Choice, terms: &mut Terms) -> SymValue {
    a.zip(b, &mut |a, b| choose(terms, choice.condition, a, b))
}

//! Summaries: everything observable of a procedure as terms over its inputs.
//!
//! Exact where `ended` is the normal end or an error, but for the `abstractions`. What was cut short, is not
//! supported, or does not count has its condition in `cut`, `unsupported` and `excluded`; there the other parts of
//! the summary say nothing. Nor do they where the run does not end (`diverged`).

use crate::abstraction::HiddenUse;
use crate::inputs::Inputs;
use crate::inputs::objects::FIRST_ALLOCATED;
use crate::inputs::types::InputType;
use crate::iteration::LoopUse;
use crate::state::Escaped;
use crate::value::{SymValue, ref_number};
use ir::Span;
use smt::{Op, Term, Terms};
use std::collections::BTreeMap;

/// What a procedure does, as terms over its inputs.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The code of the ending: 0 for the normal end, or that of the error in `Inputs::errors`.
    pub ended: Term,
    /// The condition of each ending; the normal end is `None`, an error its name.
    pub endings: BTreeMap<Option<String>, Term>,
    /// The returned value, where the procedure ended normally.
    pub result: Option<SymValue>,
    pub result_type: Option<InputType>,
    /// What the error carries, where the procedure ended in one, if that is more than a message.
    pub(crate) thrown: Option<Carried>,
    /// The names of the regions that the objects of each error have fields in.
    pub(crate) error_fields: BTreeMap<String, Vec<String>>,
    /// The final values of the globals that are not constant.
    pub globals: BTreeMap<String, SymValue>,
    /// The final regions by name, like `Inputs::regions`.
    pub heap: BTreeMap<String, SymValue>,
    pub lengths: [Term; 2],
    pub shapes: Term,
    /// How many objects were allocated at most on one path. They are numbered from a fixed number on.
    pub allocated: u32,
    /// What is written, for each stream.
    pub written: [Term; 2],
    pub world: Term,
    /// The allocated objects that code that is not there may have kept.
    pub(crate) escaped: Escaped,
    /// An `assume` did not hold.
    pub excluded: Term,
    /// The run does not end: a loop goes on forever.
    pub diverged: Term,
    /// Whether code was stepped over that may not end, of which nothing says when it does: the summary speaks only of
    /// runs on which it ends.
    pub open_ended: bool,
    /// Where a bound was reached.
    pub cut: Vec<Cut>,
    /// Where the run came to source that has no meaning for us.
    pub unsupported: Vec<Unsupported>,
    /// The names of the uninterpreted symbols that stand for more than the program does: where one matters,
    /// a model of the solver is only a candidate.
    pub abstractions: Vec<String>,
    /// Where statements were hidden, in the order of the run.
    pub hidden: Vec<HiddenUse>,
    /// Where loops were stepped over, in the order of the run.
    pub loops: Vec<LoopUse>,
    /// Facts that hold of every run, about the cells and functions that occur here.
    pub assumptions: Vec<Term>,
    /// What is taken for granted, in words.
    pub assumption_texts: Vec<String>,
}

impl Summary {
    /// The names of the shapes of allocated objects, by the numbers of their references; those that have one of several
    /// shapes are left out.
    pub fn new_objects(&self, terms: &mut Terms, inputs: &Inputs) -> BTreeMap<u32, String> {
        let names: BTreeMap<u32, &String> =
            inputs.shape_table.iter().map(|(name, info)| (info.code, name)).collect();
        let mut found = BTreeMap::new();
        for number in (0..self.allocated).map(|at| FIRST_ALLOCATED + at) {
            let object = ref_number(terms, number, inputs.numbers);
            let shape = terms.select(self.shapes, object);
            let mut codes = Vec::new();
            add_codes(terms, shape, inputs, &mut codes);
            if let [code] = codes.as_slice()
                && let Some(name) = names.get(code)
            {
                found.insert(number, (*name).clone());
            }
        }
        found
    }

    /// All terms that say what the procedure does.
    pub fn roots(&self) -> Vec<Term> {
        let values = self.result.iter().chain(self.globals.values()).chain(self.heap.values());
        let mut roots: Vec<Term> = values.flat_map(SymValue::leaves).collect();
        roots.extend(self.endings.values());
        roots.extend(self.written);
        roots.push(self.world);
        roots.extend(self.thrown.iter().flat_map(|it| [it.message, it.is_known, it.object]));
        roots
    }
}

/// What an error carries: its message, whether that is known, and its object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    pub(crate) message: Term,
    pub(crate) is_known: Term,
    pub(crate) object: Term,
}

impl Carried {
    pub(crate) fn of(value: &SymValue) -> Option<Carried> {
        match value.leaves().as_slice() {
            [message, is_known, object] => {
                Some(Carried { message: *message, is_known: *is_known, object: *object })
            }
            _ => None,
        }
    }
}

/// A place where paths were cut short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The condition on the inputs under which the run gets here.
    pub guard: Term,
    pub what: CutKind,
    pub span: Span,
    /// The name of the procedure that it stands in.
    pub procedure: String,
}

/// Which bound was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CutKind {
    /// More iterations of a loop than followed.
    Loop,
    /// More calls of one procedure inside each other than followed.
    Recursion,
    /// Statements and calls inside each other, beyond what the stack holds.
    Nesting,
}

/// A place where the run came to source that has no meaning for us.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub guard: Term,
    pub what: String,
    pub span: Span,
}

/// The codes that a shape may be.
fn add_codes(terms: &mut Terms, shape: Term, inputs: &Inputs, codes: &mut Vec<u32>) {
    if let (Op::Ite, &[_, then, otherwise]) = (terms.op(shape), terms.args(shape)) {
        add_codes(terms, then, inputs, codes);
        add_codes(terms, otherwise, inputs, codes);
        return;
    }
    for info in inputs.shape_table.values() {
        if ref_number(terms, info.code, inputs.numbers) == shape && !codes.contains(&info.code) {
            codes.push(info.code);
        }
    }
}

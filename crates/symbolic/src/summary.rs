//! Summaries: everything observable of a procedure as terms over its inputs.
//!
//! Exact where `ended` is the normal end or an error, but for the `abstractions`. What was cut short, is not
//! supported, or does not count has its condition in `cut`, `unsupported` and `excluded`; there the other parts of
//! the summary say nothing.

use crate::config::{Config, Stopped};
use crate::exec::Executor;
use crate::inputs::Inputs;
use crate::inputs::objects::{LENGTHS, index_number, length_place};
use crate::inputs::shapes::index_type;
use crate::inputs::types::InputType;
use crate::merge::{self, Choice, Mergeable};
use crate::path::{PathId, Paths, StepKind};
use crate::reach;
use crate::state::{Memory, State, merge_memory, merge_value};
use crate::value::{SortTree, SymValue, int_sort, ref_number};
use ir::{Cells, ProcId, Program, Span, StaticObject};
use smt::{Sort, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The stack of the thread that makes a summary: bodies of procedures are run in place, one inside the other.
const STACK: usize = 256 << 20;

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
    /// The final values of the globals that are not constant.
    pub globals: BTreeMap<String, SymValue>,
    /// The final regions by name, like `Inputs::regions`.
    pub heap: BTreeMap<String, SymValue>,
    pub lengths: [Term; 2],
    pub shapes: Term,
    /// How many objects were allocated at most on one path. They are numbered from a fixed number on.
    pub allocated: u32,
    pub output: Term,
    pub world: Term,
    /// An `assume` did not hold.
    pub excluded: Term,
    /// Where a bound was reached.
    pub cut: Vec<Cut>,
    /// Where the run came to source that has no meaning for us.
    pub unsupported: Vec<Unsupported>,
    /// The names of the uninterpreted symbols that stand for more than the program does: where one matters,
    /// a model of the solver is only a candidate.
    pub abstractions: Vec<String>,
    /// Facts that hold of every run, about the cells and functions that occur here.
    pub assumptions: Vec<Term>,
    /// What is taken for granted, in words.
    pub assumption_texts: Vec<String>,
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

/// Summarises a procedure. Runs on a thread of its own with a large stack.
pub fn summarize(
    terms: &mut Terms,
    program: &Program,
    procedure: ProcId,
    inputs: &Inputs,
    config: &Config,
) -> Result<Summary, Stopped> {
    std::thread::scope(|scope| {
        let run = || Executor::new(terms, program, inputs, config).summarize(procedure);
        let thread = std::thread::Builder::new().name("summary".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, run).expect("a thread should start");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

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
    /// In a gap, by its place in the list.
    Gap(usize),
}

/// The end of some paths.
#[derive(Clone, Debug)]
pub(crate) struct Final {
    path: PathId,
    /// The condition of each way to end, on this path.
    exits: BTreeMap<Exit, Term>,
    /// Absent where it does not matter.
    memory: Option<Rc<Memory>>,
    result: Option<SymValue>,
}

impl Final {
    pub(crate) fn in_gap(terms: &mut Terms, path: PathId, place: usize) -> Final {
        Final::new(terms, path, Exit::Gap(place))
    }

    pub(crate) fn excluded(terms: &mut Terms, path: PathId) -> Final {
        Final::new(terms, path, Exit::Excluded)
    }

    fn new(terms: &mut Terms, path: PathId, exit: Exit) -> Final {
        let exits = [(exit, terms.bool(true))].into();
        Final { path, exits, memory: None, result: None }
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
        let result = match (self.result, other.result) {
            (Some(mine), Some(theirs)) => Some(merge_value(&mine, &theirs, choice, terms)),
            (mine, theirs) => mine.or(theirs),
        };
        Final { path: self.path, exits, memory, result }
    }
}

impl Executor<'_> {
    fn summarize(mut self, procedure: ProcId) -> Result<Summary, Stopped> {
        let start = self.initial_state(procedure);
        let memory = start.memory.clone();
        let args = self.arguments(procedure);
        let frame = self.frame(procedure, Paths::ROOT).expect("the first call should be within every bound");
        match self.program.procedure(procedure).body.is_some() {
            true => self.run_root(start, frame, args)?,
            false => self.run_external(start, procedure, &args),
        }
        let finals = std::mem::take(&mut self.finals);
        let joined = merge::join(self.terms, &mut self.paths, finals, Paths::ROOT, true, StepKind::Branch);
        let all = joined.expect("every run should end in some way");
        Ok(self.account(procedure, all, memory))
    }

    /// The arguments, which both versions share if they agree on their types.
    fn arguments(&mut self, procedure: ProcId) -> Vec<SymValue> {
        let params = self.program.procedure(procedure).parameters();
        let numbers = self.config.numbers;
        let mut args = Vec::with_capacity(params.len());
        for (index, param) in params.iter().enumerate() {
            let sorts = SortTree::of(&param.ty, numbers).leaves();
            let shared = self.inputs.args.get(index).filter(|arg| {
                let leaves = arg.value.leaves();
                leaves.len() == sorts.len()
                    && leaves.iter().zip(&sorts).all(|(leaf, sort)| self.terms.sort_of(*leaf) == sort)
            });
            match shared {
                Some(arg) => {
                    self.known.add_input(&arg.value, &arg.ty);
                    args.push(arg.value.clone());
                }
                None => args.push(Inputs::variable(
                    self.terms,
                    &format!("arg.{}", param.name),
                    &param.ty,
                    numbers,
                )),
            }
        }
        args
    }

    fn initial_state(&mut self, procedure: ProcId) -> State {
        let mut globals = Vec::with_capacity(self.program.globals.len());
        for global in &self.program.globals {
            let value = match global.constant {
                true => self.constant(&global.initial).ok(),
                false => None,
            };
            globals.push(value.unwrap_or_else(|| {
                let name = format!("global.{}", global.name);
                Inputs::variable(self.terms, &name, &global.ty, self.config.numbers)
            }));
        }
        for global in self.inputs.globals.values() {
            self.known.add_input(&global.value, &global.ty);
        }
        let mut memory = Memory {
            globals,
            regions: self.initial_regions.clone(),
            lengths: self.inputs.lengths,
            shapes: self.inputs.shapes,
            allocated: 0,
            output: self.terms.text(&[]),
            world: self.inputs.world,
        };
        for id in reach::statics(self.program, procedure) {
            let object = self.program.static_object(id);
            if let (true, Some(number)) = (object.constant, self.inputs.static_number(self.program, object)) {
                self.known.add_constant_static(number);
                self.place_constant(&mut memory, object, number);
            }
        }
        State { path: Paths::ROOT, locals: Rc::new(Vec::new()), memory: Rc::new(memory) }
    }

    /// Puts the cells of a constant static object into the initial heap.
    fn place_constant(&mut self, memory: &mut Memory, object: &StaticObject, number: u32) {
        let numbers = self.config.numbers;
        let shape = self.program.shape(object.shape);
        let reference = ref_number(self.terms, number, numbers);
        let code = self.inputs.shape_table.get(&shape.name).map_or(0, |info| info.code);
        let code = ref_number(self.terms, code, numbers);
        memory.shapes = self.terms.store(memory.shapes, reference, code);
        if let (Some(index), Some(length)) = (index_type(self.program, &shape.cells), object.length) {
            let place = length_place(index.width);
            let length = index_number(self.terms, length, LENGTHS[place].1, numbers);
            memory.lengths[place] = self.terms.store(memory.lengths[place], reference, length);
        }
        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &shape.cells;
        for (position, id) in regions.iter().enumerate() {
            if regions[..position].contains(id) {
                continue;
            }
            let region = self.program.region(*id);
            let keys: Vec<Sort> = region.index.iter().map(|index| int_sort(index.width, numbers)).collect();
            let mut cells = self.zero(&region.value).map(&mut |leaf| self.constant_array(&keys, leaf));
            for (place, cell) in object.cells.iter().enumerate() {
                if regions[place % regions.len()] != *id {
                    continue;
                }
                let Ok(value) = self.constant(cell) else { continue };
                let keys: Vec<Term> = region
                    .index
                    .iter()
                    .map(|index| index_number(self.terms, place as i64, index.width, numbers))
                    .collect();
                let terms = &mut *self.terms;
                cells = cells.zip(&value, &mut |array, leaf| crate::heap::update(terms, array, &keys, leaf));
            }
            let terms = &mut *self.terms;
            let whole = &mut memory.regions[id.index()];
            *whole = whole.zip(&cells, &mut |array, cells| terms.store(array, reference, cells));
        }
    }

    fn run_external(&mut self, state: State, procedure: ProcId, args: &[SymValue]) {
        let result = self.program.procedure(procedure).result.as_ref();
        let zero: Vec<SymValue> = result.iter().map(|ty| self.zero(ty)).collect();
        let state = State { locals: Rc::new(zero), ..state };
        let local = result.map(|_| ir::LocalId(0));
        let state = self.call_external(state, local, procedure, args);
        self.end_normally(state);
    }

    pub(crate) fn end_normally(&mut self, state: State) {
        let ending = Final::new(self.terms, state.path, Exit::Returned);
        let result = state.locals.first().cloned();
        self.finals.push(Final { memory: Some(state.memory), result, ..ending });
    }

    pub(crate) fn end_in_error(&mut self, state: State, error: ir::ErrorId) {
        let exit = Exit::Failed(self.program.error(error).to_owned());
        let ending = Final::new(self.terms, state.path, exit);
        self.finals.push(Final { memory: Some(state.memory), ..ending });
    }

    /// Writes the summary. `initial` stands in where no run ends with a memory that matters.
    fn account(self, procedure: ProcId, all: Final, initial: Rc<Memory>) -> Summary {
        let memory = all.memory.unwrap_or(initial);
        let never = self.terms.bool(false);
        let mut ended = ref_number(self.terms, 0, self.config.numbers);
        let mut endings = BTreeMap::new();
        let (mut excluded, mut cut, mut unsupported) = (never, Vec::new(), Vec::new());
        for (exit, guard) in all.exits {
            if guard == never {
                continue;
            }
            match exit {
                Exit::Returned => {
                    endings.insert(None, guard);
                }
                Exit::Failed(name) => {
                    let code = self.inputs.errors.get(&name).copied().unwrap_or(0);
                    let code = ref_number(self.terms, code, self.config.numbers);
                    ended = self.terms.ite(guard, code, ended);
                    endings.insert(Some(name), guard);
                }
                Exit::Excluded => excluded = guard,
                Exit::Gap(place) => match self.gaps[place].clone() {
                    Gap::Cut { kind, span, procedure } => {
                        cut.push(Cut { guard, what: kind, span, procedure })
                    }
                    Gap::Unsupported { what, span } => unsupported.push(Unsupported { guard, what, span }),
                },
            }
        }
        let result_type = self.program.procedure(procedure).result.as_ref();
        let named = |(global, value): (&ir::Global, &SymValue)| (global.name.clone(), value.clone());
        let globals = self.program.globals.iter().zip(&memory.globals);
        let regions = self.program.regions.iter().zip(&memory.regions);
        Summary {
            ended,
            endings,
            result: all.result,
            result_type: result_type.map(|ty| InputType::of(ty, self.program, &self.inputs.shape_table)),
            globals: globals.filter(|(global, _)| !global.constant).map(named).collect(),
            heap: regions.map(|(region, cells)| (region.name.clone(), cells.clone())).collect(),
            lengths: memory.lengths,
            shapes: memory.shapes,
            allocated: memory.allocated,
            output: memory.output,
            world: memory.world,
            excluded,
            cut,
            unsupported,
            abstractions: self.notes.abstractions.into_iter().collect(),
            assumptions: self.notes.assumptions,
            assumption_texts: self.notes.texts.into_iter().collect(),
        }
    }
}

//! What a run of a procedure was like: how it ended, and everything one can observe of it.

use std::collections::BTreeMap;

use crate::{ObjectValue, Value};

/// What a run may use up. A run that needs more is stopped, so that every run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Operations: every statement, every iteration, every call and every operator counts; more than one when its
    /// result is a long number of a `math` run.
    pub steps: u64,
    /// Heap cells, code units of new texts, entries of maps, words of big integers.
    pub memory_cells: u64,
    /// Calls that may be open at the same time.
    pub call_depth: u32,
    /// Code units of output, of all streams together.
    pub output: usize,
}

impl Limits {
    /// Enough for small inputs, and over within a fraction of a second.
    pub const USUAL: Limits =
        Limits { steps: 1_000_000, memory_cells: 1_000_000, call_depth: 3_000, output: 100_000 };
}

/// A run that came to an end.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    pub ending: Ending,
    /// The final values of the globals that are not constant.
    pub globals: BTreeMap<String, Value>,
    /// The final heap: the input objects at the same indices as in the input, then those allocated.
    pub objects: Vec<ObjectValue>,
    /// How many of `objects` were inputs.
    pub input_objects: usize,
    /// The final cells of the static objects that are not constant.
    pub statics: BTreeMap<String, Vec<Value>>,
    /// What was written, for each stream.
    pub written: [Vec<u16>; 2],
    pub external_calls: Vec<ExternalCall>,
    /// How many operations were executed; those on long numbers count more than one.
    pub steps: u64,
    /// How many cells of objects were filled at the start.
    pub filled: u64,
    /// Which ways the run took at its branches.
    pub branches: Branches,
    /// Which of the marked statements it executed.
    pub executed: Executed,
    /// Whether it used a function, such as `sin`, in whose last digits implementations may differ.
    pub inexact: bool,
    /// Whether it made memory that nothing was written to, or looked at the sign or the digits of a NaN: a difference
    /// that it shows may rest on what these are, which nothing promises.
    pub doubtful: bool,
    /// A procedure without a body whose results are not all possible, or whose calls are not observable, and that the
    /// run called all the same: a difference that it shows does not count.
    pub invented: Option<String>,
    /// What the failure that ended it carries, if it ended so.
    pub thrown: Option<Value>,
    /// Where the failure was raised that ended it, if it ended so and that place is known.
    pub failed_at: Option<ir::Span>,
}

impl Run {
    /// The object that a value refers to at the end of the run, if it is one that is not static.
    pub fn object(&self, value: &Value) -> Option<&ObjectValue> {
        let Value::Ref(crate::RefValue::Object(index)) = value else { return None };
        self.objects.get(*index)
    }

    /// What it took, in steps: cells that are filled at the start and looked at in the end count, too.
    pub fn cost(&self) -> u64 {
        let of_statics = self.statics.values().map(Vec::len);
        let cells: usize = of_statics.chain(self.objects.iter().map(|object| object.cells.len())).sum();
        self.steps + self.filled + cells as u64
    }
}

/// A statement whose execution runs note: the procedure, and the number in the order of `ir::for_each_stmt`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mark {
    pub procedure: ir::ProcId,
    pub statement: usize,
}

/// A set of marked statements, by their place in the list of marks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Executed {
    words: Vec<u64>,
}

impl Executed {
    pub(crate) fn new(marks: usize) -> Executed {
        Executed { words: vec![0; marks.div_ceil(64)] }
    }

    pub(crate) fn set(&mut self, number: u32) {
        self.words[number as usize / 64] |= 1 << (number % 64);
    }

    pub fn insert(&mut self, place: usize) {
        if self.words.len() <= place / 64 {
            self.words.resize(place / 64 + 1, 0);
        }
        self.words[place / 64] |= 1 << (place % 64);
    }

    pub fn contains(&self, place: usize) -> bool {
        self.words.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Adds the other set; whether that made this one larger.
    pub fn add(&mut self, other: &Executed) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grew = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            grew |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        grew
    }
}

/// How a run ended. Only the first two say what the procedure does.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    Returned(Option<Value>),
    /// A failure that nobody caught, by its name.
    Failed {
        error: String,
    },
    /// The run never ends: its whole state is one that it was in before.
    Endless,
    OutOfSteps,
    OutOfMemory,
    /// More open calls than the limit.
    TooDeep,
    /// More output than the limit.
    TooMuchOutput,
    /// An `assume` did not hold: the run does not count.
    Excluded,
    /// The run came to source that the front end could not lower.
    Unsupported {
        what: String,
        span: ir::Span,
    },
    /// What the run does depends on more than is known: the enclosures of a `math` run are too wide, a value without
    /// meaning mattered, or an external procedure got a map whose keys are objects.
    Undecided {
        why: String,
    },
    /// The program broke a rule of the IR, such as a load without its check, or the input does not fit the program.
    Broken {
        what: String,
    },
}

/// A call of a procedure without a body.
#[derive(Clone, PartialEq, Debug)]
pub struct ExternalCall {
    pub name: String,
    pub args: Vec<Value>,
    pub result: Option<Value>,
    /// What made the result, if it is an object that the outside world made: the same number is the same object.
    pub made: Option<u64>,
    /// Whether it changed the state of the outside world: otherwise only its result shows.
    pub observable: bool,
    /// The memory that it could look at.
    pub memory: SeenMemory,
    /// The run ended with this call, of which more is documented than is known here.
    pub is_open: bool,
    /// How much the program had written to each stream, if the call itself may write there too.
    pub written: Option<[usize; 2]>,
}

/// The globals, objects and static objects at some point of a run, as in `Run`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MemoryState {
    pub globals: BTreeMap<String, Value>,
    pub objects: Vec<ObjectValue>,
    pub statics: BTreeMap<String, Vec<Value>>,
}

/// The memory that an external call could look at, the objects in an order that does not depend on their allocation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeenMemory {
    /// A number made of all of it.
    pub digest: u64,
    /// A number made of the places in it of which nothing is known; 0 if there are none.
    pub unknown: u64,
    /// The first cells, in words, of the first calls of a run.
    pub glimpse: Vec<(String, String)>,
}

/// The set of the ways taken at branches: a bit for each branch and way.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Branches {
    ways: Executed,
}

impl Branches {
    pub(crate) fn new(branches: usize) -> Branches {
        Branches { ways: Executed::new(2 * branches) }
    }

    pub(crate) fn set(&mut self, branch: u32, taken: bool) {
        self.ways.set(2 * branch + u32::from(taken));
    }

    /// The branches with the way taken, in order. Numbers are stable for one program.
    pub fn iter(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let bits = self.ways.words.iter().enumerate();
        bits.flat_map(|(index, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        })
        .map(|bit| ((bit / 2) as u32, bit % 2 == 1))
    }

    /// Adds the other set; whether that made this one larger.
    pub fn add(&mut self, other: &Branches) -> bool {
        self.ways.add(&other.ways)
    }

    /// How many ways there are in the set.
    pub fn len(&self) -> usize {
        self.ways.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Ending {
    /// Whether the ending says what the procedure does.
    pub fn is_conclusive(&self) -> bool {
        matches!(self, Ending::Returned(_) | Ending::Failed { .. })
    }
}

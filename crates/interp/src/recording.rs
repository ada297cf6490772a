//! Calls inside of a run that are written down: which ones are wanted, and what each was given and came to.

use std::collections::{BTreeMap, BTreeSet};

use ir::ProcId;

use crate::{Input, Run};

/// Which calls of a run are written down, and how much of each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// The procedures, with the names of the globals and static objects that are part of what a call is given.
    pub procedures: BTreeMap<ProcId, BTreeSet<String>>,
    /// The fields of objects that are written down: two versions are compared by those that both have.
    pub fields: BTreeSet<String>,
    /// Calls, and cells of all of them together, that are written down at the most.
    pub most_calls: usize,
    pub most_cells: u64,
}

/// The calls that were written down, in the order in which they began.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Recorded {
    pub calls: Vec<RecordedCall>,
    /// Whether no wanted call was left out, and none was left unfinished.
    pub is_complete: bool,
}

/// One call in the midst of a run.
///
/// Objects are numbered as they are found from the arguments and globals, so that two calls that are given the same
/// have the same input, whatever was allocated before.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedCall {
    pub procedure: ProcId,
    /// The innermost call around it that was written down too, by its index.
    pub inside: Option<usize>,
    pub input: Input,
    /// From the call to its end, as if it were a run of its own; `None` if it did not come to an end.
    pub run: Option<Run>,
}

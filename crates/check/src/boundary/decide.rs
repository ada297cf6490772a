//! What the search for boundaries needs from outside: somebody who decides a part of a pair, and takes note of the cost.

use std::time::Instant;

use crate::tried::Tried;
use crate::verdict::{Statistics, Unknown, Verdict};
use crate::{Event, StopFlag, Subject};
use ir::Pair;

/// Decides a pair on all inputs that calls may give, without looking for boundaries again. What comes of it depends on
/// the arguments alone, and not on what was decided before or is being decided at the same time.
pub(crate) type Decide<'d> = &'d (dyn Fn(Pair<Subject<'_>>, Tried, Until<'_>) -> Decided + Sync);

/// When a part has to be decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until<'s> {
    pub(crate) deadline: Instant,
    pub(crate) stop: &'s StopFlag,
}

/// What came of a part.
pub(crate) struct Decided {
    pub(crate) verdict: Verdict,
    /// What was known before of trying with less time, and what is known now.
    pub(crate) tried: Tried,
    pub(crate) cost: Cost,
}

/// What was done to decide a part. Kept apart until it is known whether the part counts.
#[derive(Default)]
pub(crate) struct Cost {
    pub(crate) statistics: Statistics,
    pub(crate) events: Vec<Event>,
    /// Solver and interpreter disagree about the part.
    pub(crate) contradiction: Option<Unknown>,
}

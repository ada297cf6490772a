//! What the search for boundaries needs from outside: somebody who decides a part of a pair, and takes note of the cost.

use crate::StopFlag;
use crate::resume::ResumeState;
use crate::unknown::Unknown;
use crate::verdict::Verdict;
use budget::Statistics;
use budget::{Budget, Steps};
use ir::{Pair, Subject};

/// Decides a pair on all inputs that calls may give, without looking for boundaries again. What comes of it depends on
/// the arguments alone, and not on what was decided before or is being decided at the same time.
pub(crate) type Decide<'d> = &'d (dyn Fn(Pair<Subject<'_>>, ResumeState, Until<'_>) -> Decided + Sync);

/// The work that a part may take, on a meter of its own, and who stops it.
#[derive(Clone, Debug)]
pub(crate) struct Until<'s> {
    pub(crate) budget: Budget,
    pub(crate) stop: &'s StopFlag,
}

/// What came of a part.
pub(crate) struct Decided {
    pub(crate) verdict: Verdict,
    /// What engines said with less work, now and before.
    pub(crate) resume: ResumeState,
    pub(crate) cost: Cost,
}

/// What was done to decide a part. Kept apart until it is known whether the part counts.
#[derive(Default)]
pub(crate) struct Cost {
    pub(crate) steps: Steps,
    pub(crate) statistics: Statistics,
    /// Solver and interpreter disagree about the part.
    pub(crate) contradiction: Option<Unknown>,
}

//! Whether runs show what a proof speaks of.

use ir::{Pair, Side, Span, Subject};

use crate::unknown::Reason;
use crate::witness::Evidence;

/// Says that some run is defined, and that each changed statement was executed or cannot be.
#[derive(Debug)]
pub(crate) struct Exercised {
    /// The changed statements that no input reaches.
    unreachable: Vec<(Side, Span)>,
}

impl Exercised {
    /// From the runs of a pair; otherwise what these do not show.
    pub(crate) fn by(evidence: &Evidence, pair: Pair<Subject<'_>>) -> Result<Exercised, Reason> {
        match evidence.gap(pair) {
            Some(reason) => Err(reason),
            None => Ok(Exercised { unreachable: evidence.unreachable() }),
        }
    }

    pub(super) fn unreachable(&self) -> &[(Side, Span)] {
        &self.unreachable
    }
}

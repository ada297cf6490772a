//! What engines have said of a pair within a shorter time, so that they need not be asked for it again.
//!
//! Exact: it only leaves out what would come to the same.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::Strategy;
use crate::strategies::Attempts;
use crate::verdict::{Unknown, Verdict};

/// The share of its time that a strategy that was stopped has used at the least.
const USED_UP: f64 = 0.8;

/// What became of a pair so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tried {
    /// Strategies that gave up though there was time left: more of it does not help them.
    exhausted: BTreeSet<Strategy>,
    /// That there is no difference up to a bound.
    followed: Option<Unknown>,
    /// Which ways to couple loops are left.
    pub(crate) attempts: Option<Attempts>,
}

impl Tried {
    pub(crate) fn is_exhausted(&self, strategy: Strategy) -> bool {
        self.exhausted.contains(&strategy)
    }

    /// Notes that a strategy has done what it does, however much time there is.
    pub(crate) fn is_done(&mut self, strategy: Strategy) {
        self.exhausted.insert(strategy);
    }

    /// Notes that a strategy gave up: for good, if it was not stopped for its time.
    pub(crate) fn gave_up(&mut self, strategy: Strategy, started: Instant, share: Duration) {
        if started.elapsed() < share.mul_f64(USED_UP) {
            self.exhausted.insert(strategy);
        }
    }

    /// How far everything was followed without a difference.
    pub(crate) fn followed(&self) -> Option<&Unknown> {
        self.followed.as_ref()
    }

    /// Notes how far everything was followed.
    pub(crate) fn was_followed(&mut self, verdict: &Verdict) {
        if let Verdict::Unknown(unknown) = verdict
            && unknown.no_difference_up_to().is_some()
        {
            self.followed = Some(unknown.clone());
        }
    }
}

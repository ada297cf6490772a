//! Work counted in steps instead of seconds, so that what is decided does not depend on the machine or its load.
//!
//! A check gets a [`Budget`] and divides it by arithmetic: an engine gets a share, a question to the solver a share of
//! that. Whoever works charges what it did: the solver its resource units, the interpreter its steps, the summaries
//! their terms. The clock appears in one place only: it kills a check at the deadline of its user, and a check that was
//! killed says nothing but that.

mod clock;
mod statistics;
mod steps;

pub use clock::Kill;
pub use statistics::Statistics;
pub use steps::{Rate, Steps};

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A part of the work that may be done, which ends when the work done so far passes its end.
///
/// Clones and shares count on one meter: what is spent of a share is spent of the whole.
#[derive(Clone, Debug)]
pub struct Budget {
    spent: Arc<AtomicU64>,
    /// The reading of the meter at which this budget is used up.
    end: u64,
    kill: Kill,
}

impl Budget {
    /// A budget with a meter of its own.
    pub fn new(steps: Steps, kill: Kill) -> Budget {
        Budget { spent: Arc::default(), end: steps.get(), kill }
    }

    /// What may still be spent.
    pub fn left(&self) -> Steps {
        Steps::new(self.end.saturating_sub(self.reading()))
    }

    /// What was spent on this meter so far, by whoever shares it.
    pub fn spent(&self) -> Steps {
        Steps::new(self.reading())
    }

    /// Charges work that was done. It may go beyond the end: work is counted when it is done.
    pub fn spend(&self, steps: Steps) {
        self.spent.fetch_add(steps.get(), Ordering::Relaxed);
    }

    /// Whether there is nothing left, or the clock has killed the check.
    pub fn is_over(&self) -> bool {
        self.reading() >= self.end || self.is_killed()
    }

    /// Whether the clock has killed the check.
    pub fn is_killed(&self) -> bool {
        self.kill.is_due()
    }

    /// When the clock kills the check.
    pub fn kill(&self) -> &Kill {
        &self.kill
    }

    /// So much of what is left, on the same meter.
    pub fn at_most(&self, steps: Steps) -> Budget {
        let end = self.reading().saturating_add(steps.get()).min(self.end);
        Budget { end, ..self.clone() }
    }

    /// A fraction of what is left, on the same meter.
    pub fn share(&self, fraction: f64) -> Budget {
        self.at_most(self.left().mul_f64(fraction))
    }

    /// A budget on a meter of its own, for work that is done beside other work: what it spends is charged here only
    /// when it is known whether that work counts.
    pub fn apart(&self, steps: Steps) -> Budget {
        Budget { spent: Arc::default(), end: steps.get(), kill: self.kill.clone() }
    }

    fn reading(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(steps: u64) -> Budget {
        Budget::new(Steps::new(steps), Kill::never())
    }

    #[test]
    fn what_a_share_spends_is_spent_of_the_whole() {
        let whole = budget(100);
        let share = whole.share(0.3);
        assert_eq!(share.left(), Steps::new(30));
        share.spend(Steps::new(20));
        assert_eq!((share.left(), whole.left()), (Steps::new(10), Steps::new(80)));
        whole.spend(Steps::new(15));
        assert!(share.is_over() && !whole.is_over());
    }

    #[test]
    fn a_share_never_ends_after_the_whole() {
        let whole = budget(10);
        assert_eq!(whole.at_most(Steps::new(50)).left(), Steps::new(10));
        whole.spend(Steps::new(25));
        assert_eq!((whole.left(), whole.at_most(Steps::new(5)).left()), (Steps::ZERO, Steps::ZERO));
    }

    #[test]
    fn work_beside_other_work_is_charged_when_it_counts() {
        let whole = budget(100);
        let beside = whole.apart(Steps::new(40));
        beside.spend(Steps::new(30));
        assert_eq!(whole.left(), Steps::new(100));
        whole.spend(beside.spent());
        assert_eq!(whole.left(), Steps::new(70));
    }

    #[test]
    fn a_killed_check_is_over_whatever_is_left() {
        let kill = Kill::at(std::time::Instant::now());
        assert!(Budget::new(Steps::MAX, kill).is_over());
    }
}

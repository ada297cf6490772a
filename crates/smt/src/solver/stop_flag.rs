//! A flag that ends a search before its deadline, from any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised once, it stays raised; whoever has a clone of it sees that.
///
/// After that a question in flight is given up, as if its deadline had passed.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<Flag>);

#[derive(Default, Debug)]
struct Flag {
    is_raised: AtomicBool,
    above: Option<StopFlag>,
}

impl StopFlag {
    /// A flag for a part of the work: it is also raised when this one is.
    pub fn below(&self) -> StopFlag {
        StopFlag(Arc::new(Flag { is_raised: AtomicBool::new(false), above: Some(self.clone()) }))
    }

    pub fn raise(&self) {
        // What was found out by whoever raises it is handed over by other means.
        self.0.is_raised.store(true, Ordering::Relaxed);
    }

    pub fn is_raised(&self) -> bool {
        self.0.is_raised.load(Ordering::Relaxed) || self.0.above.as_ref().is_some_and(StopFlag::is_raised)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_flag_stops_the_parts_of_the_work_and_not_the_whole() {
        let whole = StopFlag::default();
        let (part, other) = (whole.below(), whole.below());
        part.raise();
        assert!(part.clone().is_raised() && !other.is_raised() && !whole.is_raised());
        whole.raise();
        assert!(other.is_raised());
    }
}

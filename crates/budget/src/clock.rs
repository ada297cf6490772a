//! The only clock: when the user's deadline passes, the check ends, whatever it was doing.

use std::time::{Duration, Instant};

/// The moment at which a check is killed.
#[derive(Clone, Debug)]
pub struct Kill(Option<Instant>);

impl Kill {
    pub fn at(deadline: Instant) -> Kill {
        Kill(Some(deadline))
    }

    pub fn never() -> Kill {
        Kill(None)
    }

    pub fn is_due(&self) -> bool {
        self.0.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The time until then; `None` without an end.
    pub fn time_left(&self) -> Option<Duration> {
        self.0.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

//! The ways to put a question to the solver: on the running context, or in an empty one by a method of our choice.
//!
//! Left to itself, Z3 chooses for arithmetic alone a sequence of methods that give up by the clock. Which of them
//! answers would depend on the load of the machine, so that we name the methods and divide the steps between them.

use crate::print::Fragment;
use budget::Steps;

/// Steps for the first, incremental attempt. It answers easy questions in a fraction of the time
/// that a fresh context costs (0.1 ms against 3 ms), but has the weaker methods.
pub(super) const QUICK_STEPS: Steps = Steps::new(50_000);

/// One way to put a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attempt {
    /// On top of the running context: cheap.
    Incremental,
    /// In an empty context.
    Whole(Method),
}

/// What a solver does in an empty context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    /// What it chooses by looking at all of the question.
    Chosen,
    /// Cylindrical algebraic decomposition, for real numbers alone.
    Algebraic,
    /// The search that it also does on a running context.
    Search,
}

/// The methods for a question in an empty context, one after the other.
pub(super) fn methods(fragment: Fragment) -> &'static [Method] {
    match fragment {
        Fragment::Reals => &[Method::Algebraic, Method::Search],
        Fragment::Integers => &[Method::Search],
        // Of 37 hard questions of the labelled pairs, Z3's choice left 20 open after 3 million steps that the search
        // decides, most of them within 0.2 million.
        Fragment::Maps => &[Method::Search, Method::Chosen],
        Fragment::Other => &[Method::Chosen],
    }
}

impl Attempt {
    pub(super) fn most_steps(self) -> Steps {
        match self {
            Attempt::Incremental => QUICK_STEPS,
            Attempt::Whole(_) => Steps::MAX,
        }
    }

    /// Whether it needs a new process: these methods may run for long without taking steps, so that their allocations
    /// are limited, which Z3 counts from its start.
    pub(super) fn is_fresh(self) -> bool {
        matches!(self, Attempt::Whole(Method::Algebraic | Method::Search))
    }

    /// The command that makes Z3 begin.
    pub(super) fn command(self) -> &'static str {
        match self {
            Attempt::Incremental | Attempt::Whole(Method::Chosen) => "(check-sat)\n",
            Attempt::Whole(Method::Algebraic) => "(check-sat-using qfnra-nlsat)\n",
            Attempt::Whole(Method::Search) => "(check-sat-using smt)\n",
        }
    }
}

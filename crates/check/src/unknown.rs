//! Why there is no verdict.

use ir::{Pair, Side, Span};
use query::GaveUp;

use crate::interface::Mismatch;

/// Why there is no verdict; never empty.
#[derive(Clone, Debug)]
pub struct Unknown {
    first: Reason,
    more: Vec<Reason>,
    /// Set when no difference exists among the runs that stay within this bound.
    no_difference_up_to: Option<u32>,
}

impl Unknown {
    pub fn because(reason: Reason) -> Unknown {
        Unknown { first: reason, more: Vec::new(), no_difference_up_to: None }
    }

    /// Adds a reason, unless it is there already.
    pub fn and(mut self, reason: Reason) -> Unknown {
        if self.first != reason && !self.more.contains(&reason) {
            self.more.push(reason);
        }
        self
    }

    /// Records that all runs within a bound were proved to be the same.
    pub fn with_bound(mut self, bound: u32) -> Unknown {
        self.no_difference_up_to = Some(bound);
        self
    }

    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        std::iter::once(&self.first).chain(&self.more)
    }

    pub fn no_difference_up_to(&self) -> Option<u32> {
        self.no_difference_up_to
    }

    /// Whether solver and interpreter disagree about the pair: nothing that is found out later may hide that.
    pub fn is_contradiction(&self) -> bool {
        self.reasons().any(|reason| matches!(reason, Reason::Contradiction(_)))
    }
}

/// One reason for an *unknown*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The clock killed the check: nothing else is said then.
    Timeout,
    /// The work that this pair may take was used up.
    UsedUp,
    /// A loop may run longer, or a recursion go deeper, than was followed.
    Bound { side: Side, procedure: String, span: Span, bound: u32 },
    /// Source that the front end could not lower may be reached.
    Unsupported { side: Side, what: String, span: Span },
    /// The solver gave up, in its words.
    SolverGaveUp(String),
    /// The solver died or could not be started.
    SolverFailed(String),
    /// The solver's candidates did not separate the versions when run.
    Spurious { candidates: u32 },
    /// Inputs were tried, none of them separated the versions, and nothing else was asked for.
    OnlyTested { inputs: u64 },
    /// The code differs, and nothing else was asked for.
    CodeDiffers,
    /// The versions have no recursion in common, and nothing else was asked for.
    NothingToHide,
    /// No relation between the loops was found that proves anything, and nothing else was asked for.
    NotInStep,
    /// No input satisfies the assumptions, so that nothing would be proved.
    Vacuous,
    /// On no input do both versions end, so that there is nothing to compare.
    NeverBothEnd,
    /// No run was seen that ends in a defined way in both versions. If all of them end in undefined behaviour: in which,
    /// and where.
    NothingDefined { undefined: Pair<Vec<(String, Option<Span>)>> },
    /// A changed statement was neither seen to be executed nor proved to be unreachable.
    NotExecuted { side: Side, procedure: String, span: Span },
    /// The solver proved what the interpreter refutes: a bug of ours. Both facts in words.
    Contradiction(String),
    /// The versions do the same where both end; that they end on the same inputs is not proved.
    OnlyWhereBothEnd,
    /// Classes that are not at hand may matter.
    OpenWorld,
    /// The summaries grew too large.
    TooLarge,
    /// The two cannot be given the same inputs.
    Interface(Mismatch),
    /// The two share names for things of different types, in words.
    Incomparable(String),
    /// No difference was found, but some inputs were not compared: which, in words.
    NotCompared(String),
    /// A second solver could not refute everything that the proof rests on.
    NotConfirmed { solver: String, open: usize, of: usize },
    /// The worker ran out of memory.
    Memory,
    /// A bug of ours.
    Internal(String),
}

impl From<GaveUp> for Reason {
    fn from(reason: GaveUp) -> Reason {
        match reason {
            GaveUp::UsedUp => Reason::UsedUp,
            GaveUp::Solver(words) => Reason::SolverGaveUp(words),
            GaveUp::Failed(words) => Reason::SolverFailed(words),
        }
    }
}

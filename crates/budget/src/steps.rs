//! The unit of work, and what the kinds of work cost in it.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul};

/// An amount of work. One step is one resource unit of the pinned solver (Z3's `rlimit`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Steps(u64);

/// What the kinds of work cost, and how much of it a quiet core does.
///
/// Measured on the labelled pairs, with the pinned solver on a core that did nothing else
/// (`docs/decisions/028-budgets-in-steps.md`). The figures need not be exact: they say how a budget is divided, and every
/// machine divides it in the same way.
pub struct Rate;

impl Rate {
    /// Steps that a quiet core does in a millisecond.
    pub const PER_MILLISECOND: u64 = 2_000;
    /// Interpreter steps for one step.
    pub const INTERPRETER_STEPS: u64 = 10;
    /// What a term costs that a summary makes.
    pub const TERM: u64 = 2;
    /// What a product of two digits costs, each of 64 bits, where numbers have many of them.
    pub const LONG_ARITHMETIC: u64 = 1;
    /// What a statement costs that a summary follows.
    pub const STATEMENT: u64 = 4;
    /// What a byte of a question costs: it is written, sent, read, and made into bits by methods that do not count.
    pub const BYTE_OF_QUESTION: u64 = 2;
    /// What a question costs besides.
    pub const QUESTION: u64 = 200;
}

impl Steps {
    pub const ZERO: Steps = Steps(0);
    pub const MAX: Steps = Steps(u64::MAX);

    pub const fn new(steps: u64) -> Steps {
        Steps(steps)
    }

    pub const fn get(self) -> u64 {
        self.0
    }

    /// About what a quiet core does in that many milliseconds.
    pub const fn of_milliseconds(milliseconds: u64) -> Steps {
        Steps(milliseconds.saturating_mul(Rate::PER_MILLISECOND))
    }

    /// About what a quiet core does in that many seconds.
    pub const fn of_seconds(seconds: u64) -> Steps {
        Steps::of_milliseconds(seconds.saturating_mul(1000))
    }

    /// What the interpreter did.
    pub const fn of_interpreter(steps: u64) -> Steps {
        Steps(steps.div_ceil(Rate::INTERPRETER_STEPS))
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    pub fn mul_f64(self, factor: f64) -> Steps {
        Steps((self.0 as f64 * factor) as u64)
    }

    pub fn saturating_sub(self, other: Steps) -> Steps {
        Steps(self.0.saturating_sub(other.0))
    }
}

impl Add for Steps {
    type Output = Steps;

    fn add(self, other: Steps) -> Steps {
        Steps(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Steps {
    fn add_assign(&mut self, other: Steps) {
        *self = *self + other;
    }
}

impl Mul<u64> for Steps {
    type Output = Steps;

    fn mul(self, factor: u64) -> Steps {
        Steps(self.0.saturating_mul(factor))
    }
}

impl Div<u64> for Steps {
    type Output = Steps;

    fn div(self, parts: u64) -> Steps {
        Steps(self.0 / parts)
    }
}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps", self.0)
    }
}

//! What a caller chooses about summaries.

use budget::Budget;
use ir::Numbers;
use smt::StopFlag;

/// What counts of an error that ends a run, besides its name.
///
/// The fields of its object always do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Errors {
    /// Its message; where that is not known the run has no meaning for us.
    pub messages: bool,
    /// All that it carries, as a handler could see it: for parts of a program that has handlers.
    pub everything: bool,
}

/// The options of a summary.
#[derive(Clone, Debug)]
pub struct Config {
    pub numbers: Numbers,
    /// How many iterations of a loop, and recursive calls inside each other, are followed.
    pub bound: u32,
    /// How many are followed as long as it does not depend on the inputs whether there is another one.
    pub concrete_limit: u32,
    /// Whether runs that do not end are told apart: hidden code then says by a symbol whether it ends.
    pub total: bool,
    /// Under `math`, whether `sqrt` comes with what defines it (`r >= 0` and `r * r = x` for `x >= 0`).
    pub sqrt_axioms: bool,
    /// Whether the inputs are all that a call could give, not only what a program starts with.
    pub any_inputs: bool,
    /// What counts of the errors that end a run.
    pub errors: Errors,
    /// Give up when the arena has more terms than this.
    pub max_terms: usize,
    /// What following a run costs is charged here; give up when nothing is left.
    pub budget: Budget,
    /// Give up when this is raised.
    pub stop: StopFlag,
}

/// Why there is no summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The arena grew beyond `max_terms`.
    TooLarge,
    /// The budget is used up, or the flag was raised.
    UsedUp,
    /// A guided run came to a condition of which its guide knows nothing.
    Undecided,
}

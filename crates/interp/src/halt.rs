//! Operations that end a run.

use crate::Ending;

/// Why an operation ends the run.
pub(crate) type Halt = Box<Ending>;

/// The end of a run that broke a rule of the IR.
#[cold]
pub(crate) fn broken(what: impl Into<String>) -> Halt {
    Box::new(Ending::Broken { what: what.into() })
}

/// The end of a `math` run that cannot go on.
#[cold]
pub(crate) fn undecided(why: impl Into<String>) -> Halt {
    Box::new(Ending::Undecided { why: why.into() })
}

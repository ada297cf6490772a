//! What the process says with its exit code.

use std::process::ExitCode;

use report::{Counts, RunReport};

/// The exit codes, from the README's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Every pair was proved equivalent.
    AllEquivalent,
    /// Some pair is different: there is an input that shows it.
    SomeDifferent,
    /// The command line or the input is wrong, or a file of a folder could not be understood.
    BadInput,
    /// Some pair is unknown, and none is different.
    SomeUnknown,
    /// A bug of ours: the interpreter disagrees with the real runtime or with the solver, or the program panicked.
    OurBug,
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::AllEquivalent => 0,
            Exit::SomeDifferent => 1,
            Exit::BadInput => 2,
            Exit::SomeUnknown => 3,
            Exit::OurBug => 101,
        }
    }

    /// The exit of a run: our own bugs first, then what is certain, then what is missing.
    pub fn of(run: &RunReport) -> Exit {
        let Counts { equivalent: _, different, unknown } = run.counts();
        match () {
            () if run.has_replay_disagreement() || run.has_contradiction() => Exit::OurBug,
            () if different > 0 => Exit::SomeDifferent,
            () if !run.errors.is_empty() => Exit::BadInput,
            () if unknown > 0 => Exit::SomeUnknown,
            () => Exit::AllEquivalent,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

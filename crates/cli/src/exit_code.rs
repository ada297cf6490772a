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
            () if run.has_replay_disagreement() || run.has_contradiction() || run.has_breakdown() => {
                Exit::OurBug
            }
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

#[cfg(test)]
mod tests {
    use report::{PairHeader, ReasonReport, Versions};

    use super::*;

    #[test]
    fn a_bug_of_ours_is_told_from_what_is_not_known() {
        let config = (&crate::options::Options::usual().config(budget::Kill::never())).into();
        let header = PairHeader {
            function: "f".to_owned(),
            renamed_from: None,
            language: "java".to_owned(),
            places: Versions::default(),
        };
        let run = |reason| RunReport {
            results: vec![header.clone().unknown(vec![reason], Clone::clone(&config), 0.0)],
            ..RunReport::default()
        };
        assert_eq!(Exit::of(&run(ReasonReport::timeout())), Exit::SomeUnknown);
        assert_eq!(Exit::of(&run(ReasonReport::killed("SIGKILL"))), Exit::SomeUnknown);
        assert_eq!(Exit::of(&run(ReasonReport::internal("a panic"))), Exit::OurBug);
    }

    #[test]
    fn a_file_that_broke_the_front_end_is_not_bad_input() {
        let errors = vec!["B.java: a bug of selfsame, please report it: a panic".to_owned()];
        let bad = RunReport { errors, ..RunReport::default() };
        assert_eq!(Exit::of(&bad), Exit::BadInput);
        assert_eq!(Exit::of(&RunReport { is_broken: true, ..bad }), Exit::OurBug);
    }
}

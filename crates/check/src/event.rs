//! What happens during a check, as data for progress bars, logs and tests.

use std::time::Duration;

use crate::Strategy;

/// Something that happened while a pair was checked.
#[derive(Clone, Debug)]
pub enum Event {
    /// A strategy of `auto` begins.
    StrategyStarted { strategy: Strategy },
    /// Inputs were run through both versions.
    InputsTried { count: u64 },
    /// The terms of both summaries, in readable form (only with `keep_questions`).
    Terms { text: String },
    /// A question is put to the solver, as SMT-LIB text (only with `keep_questions`).
    Question { text: String },
    /// The solver is done with a question.
    QuestionAnswered { answer: &'static str, elapsed: Duration },
    /// A candidate of the solver did not separate the versions.
    Spurious,
}

//! What a solver may answer, and what may go wrong.

use super::model::Model;
use super::sexpr::{self, SExpr};
use std::path::PathBuf;

/// The answer to whether assertions can all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They can, as the model shows.
    Sat(Model),
    /// They cannot.
    Unsat,
    /// The solver did not find out.
    Unknown(UnknownReason),
}

impl Answer {
    /// Whether another method, or more steps, may still find out.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Answer::Unknown(UnknownReason::Steps | UnknownReason::Incomplete(_)))
    }
}

/// Why a solver did not find out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// The step limit was reached.
    Steps,
    /// The check was killed, or somebody raised the flag.
    Killed,
    /// The memory limit was reached.
    Memory,
    /// The solver has no method that decides the question; in its own words.
    Incomplete(String),
}

/// What keeps a solver from answering at all.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    #[error(
        "no solver found (looked at {}): run `cargo xtask setup`, install z3, or pass --solver PATH",
        list(.looked_at)
    )]
    NotFound { looked_at: Vec<PathBuf> },
    #[error(
        "cannot start the solver {}: {source}; run `cargo xtask setup`, install z3, or pass --solver PATH",
        .program.display()
    )]
    CannotStart { program: PathBuf, source: std::io::Error },
    #[error(
        "{} does not answer like an SMT-LIB solver ({what}); run `cargo xtask setup`, install z3, or pass --solver PATH",
        .program.display()
    )]
    NotASolver { program: PathBuf, what: String },
    #[error("the solver {} ended while it was asked: {how}", .program.display())]
    Died { program: PathBuf, how: String },
    #[error("the solver did not understand us, or we it: {text}")]
    Protocol { text: String },
}

fn list(paths: &[PathBuf]) -> String {
    match paths {
        [] => "nothing".to_owned(),
        _ => paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "),
    }
}

/// How one exchange with the process failed.
#[derive(Debug)]
pub(super) enum Failure {
    Killed,
    Stopped,
    Memory,
    /// The limit of allocations was passed.
    Allocations,
    Died(String),
    Protocol(String),
    Io(std::io::Error),
}

/// How many characters of a solver's words are shown.
const MOST_QUOTED: usize = 200;

/// What a solver said, as far as it fits into a message: one line, not too long, nothing but text.
pub(super) fn quoted(words: &str) -> String {
    let line = words.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let is_whole = line.len() == words.trim().len() && line.chars().nth(MOST_QUOTED).is_none();
    let shown = line.chars().take(MOST_QUOTED).map(|c| if c.is_control() { '\u{fffd}' } else { c });
    shown.chain(if is_whole { "" } else { " ..." }.chars()).collect()
}

/// Reads `(:reason-unknown "...")`.
pub(super) fn reason_for_unknown(replies: &[SExpr]) -> UnknownReason {
    let text = match replies {
        [SExpr::List(items)] => match items.as_slice() {
            [_, SExpr::Text(text) | SExpr::Atom(text)] => text.clone(),
            _ => sexpr::to_text(replies),
        },
        _ => sexpr::to_text(replies),
    };
    // No time limit is ever set in the solver, so that whatever cancels it counts steps.
    if text.contains("resource") || text.contains("cancel") {
        UnknownReason::Steps
    } else if text.contains("memout") || text.contains("memory") {
        UnknownReason::Memory
    } else if text.contains("timeout") {
        // None is set by us: a method of the solver gave up by a clock of its own.
        UnknownReason::Steps
    } else {
        UnknownReason::Incomplete(quoted(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_one_line_of_text_and_not_too_long() {
        assert_eq!(quoted("\n  unsupported \n"), "unsupported");
        assert_eq!(quoted("one\ntwo"), "one ...");
        assert_eq!(quoted("bell\u{7}\u{1b}[2J"), "bell\u{fffd}\u{fffd}[2J");
        assert_eq!(quoted(&"ä".repeat(1000)), format!("{} ...", "ä".repeat(MOST_QUOTED)));
        assert_eq!(quoted(""), "");
    }
}

//! Standard output, as the commands use it.

use std::env;
use std::io::{self, IsTerminal, Write};

use anyhow::{Context, Result};
use report::Style;

/// Writes a report to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        // A reader such as `head` has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("the report cannot be written to standard output"),
    }
}

/// Colours at a terminal, unless somebody asked for none.
pub(crate) fn style() -> Style {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || env::var_os("TERM").is_some_and(|term| term == "dumb");
    if io::stdout().is_terminal() && !refused { Style::Coloured } else { Style::Plain }
}

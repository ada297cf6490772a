//! The commands of the program, one module each.

mod assertions;
mod bench;
mod check;
mod explain;
mod store;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use crate::args::{Arguments, Command};
use crate::exit_code::Exit;
use crate::worker;

/// Runs the command that was asked for. `started` is when the process began.
pub fn run(arguments: &Arguments, started: Instant) -> ExitCode {
    match &arguments.command {
        Command::Check(arguments) => exit_of(check::check(arguments, started, check::Question::Same)),
        Command::When(arguments) => exit_of(check::check(&arguments.check, started, check::Question::When)),
        Command::Explain(arguments) => exit_of(explain::explain(arguments, started)),
        Command::Assert(arguments) => exit_of(assertions::assert(arguments, started)),
        Command::Store(arguments) => exit_of(store::store(arguments)),
        Command::Bench(arguments) => exit_of(bench::bench(arguments)),
        Command::Worker => worker::run(),
    }
}

fn exit_of(ended: Result<impl Into<ExitCode>>) -> ExitCode {
    match ended {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("selfsame: {error:#}");
            Exit::BadInput.into()
        }
    }
}

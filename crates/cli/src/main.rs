//! The program `selfsame`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use cli::args::{Arguments, Command};
use cli::{Exit, bench, commands, worker};

fn main() -> ExitCode {
    let started = Instant::now();
    match Arguments::parse().command {
        Command::Worker => worker::run(),
        Command::Check(arguments) => exit_of(commands::check(&arguments, started)),
        Command::Bench(arguments) => exit_of(bench::bench(&arguments)),
    }
}

fn exit_of(ended: anyhow::Result<impl Into<ExitCode>>) -> ExitCode {
    match ended {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("selfsame: {error:#}");
            Exit::BadInput.into()
        }
    }
}

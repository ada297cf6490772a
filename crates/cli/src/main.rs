//! The program `selfsame`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use cli::args::{Arguments, Command};
use cli::{Exit, commands, worker};

fn main() -> ExitCode {
    let started = Instant::now();
    match Arguments::parse().command {
        Command::Worker => worker::run(),
        Command::Check(arguments) => match commands::check(&arguments, started) {
            Ok(exit) => exit.into(),
            Err(error) => {
                eprintln!("selfsame: {error:#}");
                Exit::BadInput.into()
            }
        },
    }
}

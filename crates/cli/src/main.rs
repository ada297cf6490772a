//! The program `selfsame`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use cli::args::Arguments;

fn main() -> ExitCode {
    let started = Instant::now();
    cli::commands::run(&Arguments::parse(), started)
}

//! Chores of the project, written in Rust: `cargo xtask --help` lists them.
#![expect(clippy::print_stdout, reason = "chores speak to the person who runs them")]

mod demo;
mod growth;
mod setup;
mod test;
mod tidy;

use std::process::ExitCode;

use anyhow::Result;
use casekit::workspace;
use clap::{Parser, Subcommand};

/// Chores of selfsame. On a fresh machine, start with `cargo xtask demo` or `cargo xtask test`.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Fetch the pinned solver (needs `python3 -m pip` once), unless it is there already.
    ///
    /// The solver is a program of its own. It is put at `target/solver/z3`, where selfsame and the tests find it.
    Setup,
    /// Run what continuous integration runs: formatting, lints, every test. Sets up the solver first.
    Test(test::TestArguments),
    /// Build selfsame, compare the shipped pairs in `examples/`, and show the reports. Sets up the solver first.
    Demo,
    /// Check the layout of the project: opening sentences, code map, dependency arrows, links.
    ///
    /// `cargo test` runs the same checks.
    Tidy,
    /// Compare our reading of Java and C with the real thing, on random programs. Needs `javac` and `java`, or `gcc`.
    ///
    /// Disagreements are written to `target/oracle/`, the first ones cut down to small programs.
    Oracle(oracle::OracleArguments),
    /// Look for wrong verdicts: pairs of random programs, rewritten or mutated, against every strategy.
    ///
    /// Rewrites must never be *different*; what execution separates must never be *equivalent*.
    FuzzVerdicts(fuzz::FuzzArguments),
    /// Look for wrong conditions: pairs that differ where a planted condition holds, against what `when` says.
    ///
    /// See `docs/campaigns.md`.
    Conditions(fuzz::conditions::ConditionsArguments),
    /// Measure how the time of a proof grows with the number of loops, and write `docs/growth.md`.
    ///
    /// Measure with `cargo run --release -p xtask -- growth`, on a machine that does nothing else.
    Growth(growth::GrowthArguments),
    /// Compare functions of any source tree with mutants of themselves, and list those proved *equivalent*.
    ///
    /// See `docs/campaigns.md`.
    Mutants(mutants::MutantsArguments),
    /// Run pairs that selfsame proves *equivalent* for real. Needs `javac` and `java`, or `gcc`.
    ///
    /// See `docs/campaigns.md`.
    VerdictOracle(oracle::verdict_oracle::VerdictOracleArguments),
}

fn main() -> ExitCode {
    match run(Arguments::parse().chore) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    let root = workspace::root();
    match chore {
        Chore::Setup => setup::install(&root).map(|solver| println!("The solver is {}.", solver.display())),
        Chore::Test(arguments) => test::run(&root, &arguments),
        Chore::Demo => demo::run(&root),
        Chore::Tidy => tidy::run(&root),
        Chore::Oracle(arguments) => oracle::run(&root, &arguments),
        Chore::FuzzVerdicts(arguments) => fuzz::run(&root, &arguments),
        Chore::Conditions(arguments) => fuzz::conditions::run(&root, &arguments),
        Chore::Growth(arguments) => growth::run(&root, &arguments),
        Chore::Mutants(arguments) => mutants::run(&root, &arguments),
        Chore::VerdictOracle(arguments) => oracle::verdict_oracle::run(&root, &arguments),
    }
}

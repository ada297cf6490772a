//! Chores of the project, written in Rust: `cargo xtask --help` lists them.
#![expect(clippy::print_stdout, reason = "chores speak to the person who runs them")]

mod campaign;
mod demo;
mod lint;
mod setup;
mod test;
mod tidy;

use std::process::ExitCode;

use anyhow::Result;
use casekit::workspace;
use clap::{Parser, Subcommand};

use campaign::CampaignArguments;

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
    /// Build and run every test. Sets up the solver first.
    Test(test::TestArguments),
    /// Check formatting and lints. Continuous integration runs `lint` and `test`.
    Lint,
    /// Build selfsame, compare the shipped pairs in `examples/`, and show the reports. Sets up the solver first.
    Demo,
    /// Check the layout of the project: opening sentences, code map, dependency arrows, links.
    ///
    /// `cargo test` runs the same checks.
    Tidy,
    /// Compare our reading of Java and C with the real thing, on random programs.
    #[command(disable_help_flag = true)]
    Oracle(CampaignArguments),
    /// Look for wrong verdicts: pairs of random programs, rewritten or mutated, against every strategy.
    #[command(disable_help_flag = true)]
    FuzzVerdicts(CampaignArguments),
    /// Look for wrong conditions: pairs that differ where a planted condition holds, against what `when` says.
    #[command(disable_help_flag = true)]
    Conditions(CampaignArguments),
    /// Measure how the time of a proof grows with the number of loops, and write `docs/growth.md`.
    #[command(disable_help_flag = true)]
    Growth(CampaignArguments),
    /// Compare functions of any source tree with mutants of themselves, and list those proved *equivalent*.
    #[command(disable_help_flag = true)]
    Mutants(CampaignArguments),
    /// Run pairs that selfsame proves *equivalent* for real.
    #[command(disable_help_flag = true)]
    VerdictOracle(CampaignArguments),
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
        Chore::Lint => lint::run(&root),
        Chore::Demo => demo::run(&root),
        Chore::Tidy => tidy::run(&root),
        Chore::Oracle(arguments) => campaign::run("oracle", &arguments),
        Chore::FuzzVerdicts(arguments) => campaign::run("fuzz-verdicts", &arguments),
        Chore::Conditions(arguments) => campaign::run("conditions", &arguments),
        Chore::Growth(arguments) => campaign::run("growth", &arguments),
        Chore::Mutants(arguments) => campaign::run("mutants", &arguments),
        Chore::VerdictOracle(arguments) => campaign::run("verdict-oracle", &arguments),
    }
}

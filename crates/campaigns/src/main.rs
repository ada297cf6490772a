//! The program that runs campaigns; `cargo xtask` starts it, so that the chores need not be linked with them.
#![expect(clippy::print_stdout, reason = "campaigns speak to the person who runs them")]

mod growth;

use std::process::ExitCode;

use anyhow::Result;
use casekit::workspace;
use clap::{Parser, Subcommand};

/// Campaigns of selfsame. See `docs/campaigns.md`.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    campaign: Campaign,
}

#[derive(Subcommand)]
enum Campaign {
    /// Compare our reading of Java and C with the real thing, on random programs. Needs `javac` and `java`, or `gcc`.
    ///
    /// Disagreements are written to `target/oracle/`, the first ones cut down to small programs.
    Oracle(oracle::OracleArguments),
    /// Look for wrong verdicts: pairs of random programs, rewritten or mutated, against every strategy.
    ///
    /// Rewrites must never be *different*; what execution separates must never be *equivalent*.
    FuzzVerdicts(fuzz::FuzzArguments),
    /// Look for wrong conditions: pairs that differ where a planted condition holds, against what `when` says.
    Conditions(fuzz::conditions::ConditionsArguments),
    /// Measure how the time of a proof grows with the number of loops, and write `docs/growth.md`.
    ///
    /// Measure with `cargo run --release -p campaigns -- growth`, on a machine that does nothing else.
    Growth(growth::GrowthArguments),
    /// Compare functions of any source tree with mutants of themselves, and list those proved *equivalent*.
    Mutants(mutants::MutantsArguments),
    /// Run pairs that selfsame proves *equivalent* for real. Needs `javac` and `java`, or `gcc`.
    VerdictOracle(oracle::verdict_oracle::VerdictOracleArguments),
}

fn main() -> ExitCode {
    match run(Arguments::parse().campaign) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(campaign: Campaign) -> Result<()> {
    let root = workspace::root();
    match campaign {
        Campaign::Oracle(arguments) => oracle::run(&root, &arguments),
        Campaign::FuzzVerdicts(arguments) => fuzz::run(&root, &arguments),
        Campaign::Conditions(arguments) => fuzz::conditions::run(&root, &arguments),
        Campaign::Growth(arguments) => growth::run(&root, &arguments),
        Campaign::Mutants(arguments) => mutants::run(&root, &arguments),
        Campaign::VerdictOracle(arguments) => oracle::verdict_oracle::run(&root, &arguments),
    }
}

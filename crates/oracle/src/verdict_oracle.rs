//! Pairs that selfsame proves *equivalent*, compiled and run for real: `cargo xtask verdict-oracle`.
//!
//! `cargo xtask oracle` judges the interpreter, and `fuzz-verdicts` lets the interpreter judge the proofs. Here the
//! compiler judges the verdict itself, so that nothing that front end, interpreter and engine agree on wrongly is safe.

mod c_driver;
mod campaign;
mod java_driver;
mod summary;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use arbitrary_source::Language;
use casekit::workspace::find_solver;
use clap::Args;

use crate::missing_tool;
use campaign::Plan;

#[derive(Args)]
pub struct VerdictOracleArguments {
    /// The language of the pairs.
    #[arg(long, value_parser = arbitrary_source::language_parser())]
    language: Language,
    /// How many pairs that are said to be *equivalent* to run for real.
    #[arg(long, default_value_t = 1000)]
    pairs: usize,
    /// Where the random choices start: the same seed gives the same pairs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first pair, to make one of a campaign again.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// On how many inputs to run each.
    #[arg(long, default_value_t = 200)]
    inputs: u64,
    /// Milliseconds that selfsame may take for a pair.
    #[arg(long, default_value_t = 150)]
    deadline: u64,
    /// How many pairs are compiled together.
    #[arg(long, default_value_t = 300)]
    batch: usize,
    /// How many batches to work on at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Stop after this many seconds, and show what was counted.
    #[arg(long, default_value_t = 86_400)]
    seconds: u64,
}

/// An input on which the compiled versions part.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Separated {
    number: usize,
    /// The input, and what both versions did.
    how: String,
}

impl Separated {
    /// What a driver writes: the pair's number, a tab, and words.
    fn from_line(line: &str) -> Option<Separated> {
        let (number, how) = line.split_once('\t')?;
        Some(Separated { number: number.parse().ok()?, how: how.replace('\t', "\n  ") })
    }
}

/// Runs a campaign, unless the compilers are missing: then says so. Fails if a pair is separated.
pub fn run(root: &Path, arguments: &VerdictOracleArguments) -> Result<()> {
    if let Some(tool) = missing_tool(arguments.language) {
        println!("SKIPPED: the oracle needs `{tool}`, which cannot be run here.");
        return Ok(());
    }
    let solver: Option<PathBuf> = find_solver(root);
    if solver.is_none() {
        println!("There is no solver: run `cargo xtask setup`. What needs one is unknown.");
    }
    let folder = root.join("target/verdict-oracle").join(format!(
        "{}-{}",
        arguments.language.name(),
        std::process::id()
    ));
    let plan = Plan {
        language: arguments.language,
        pairs: arguments.pairs,
        seed: arguments.seed,
        first: arguments.first,
        inputs: arguments.inputs,
        deadline: Duration::from_millis(arguments.deadline),
        batch: arguments.batch.max(1),
        jobs: arguments.jobs.max(1),
        stop: Duration::from_secs(arguments.seconds),
        solver,
        folder,
        loud: true,
    };
    let summary = campaign::run(&plan);
    let _ = std::fs::remove_dir_all(&plan.folder);
    let summary = summary?;
    println!("{}{}\n{}", summary.show_reasons(), summary.show_times(), summary.show());
    if summary.separated > 0 {
        bail!("{} pairs that were proved equivalent are not", summary.separated);
    }
    if summary.broken > 0 {
        bail!("selfsame broke on {} pairs", summary.broken);
    }
    Ok(())
}

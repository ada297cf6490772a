//! Looks for wrong verdicts: random pairs of programs, against every strategy, in both number models.
//!
//! | pair | must not be |
//! |---|---|
//! | a program and itself after rewrites that keep its behaviour | *different* |
//! | two programs that an input separates when both are run | *equivalent* |
//! | with `--total`, two programs of which only one ends on an input | *equivalent* |
//!
//! A contradiction between solver and interpreter is a bug of selfsame, and counts as wrong.
//!
//! Programs are small trees of our own, with sound rewrites of them, and those of the oracle's generators, which use
//! more of the languages. Everything runs in this process; the same seed gives the same pairs.
#![expect(clippy::print_stdout, reason = "campaigns speak to the person who runs them")]

mod campaign;
pub mod case;
mod clients;
pub mod conditions;
mod effects;
mod generate;
pub mod inputs;
pub mod judge;
#[cfg(test)]
mod loop_tests;
mod minimise;
mod mutate;
pub mod panics;
mod planted;
mod print;
mod rewrite;
mod sites;
#[cfg(test)]
mod tests;
mod text_changes;
mod tree;
pub mod twins;

use std::num::NonZero;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use arbitrary_source::Language;
use check::Strategy;
use clap::{Args, ValueEnum};
use ir::Numbers;

use campaign::Plan;
use case::Sizes;
use judge::Questions;

#[derive(Clone, Copy, ValueEnum)]
enum Models {
    Machine,
    Math,
    Both,
    /// Machine numbers for the pairs with even numbers, mathematical ones for the others.
    Alternate,
}

#[derive(Args)]
pub struct FuzzArguments {
    /// The strategies to ask, separated by commas; otherwise all of them.
    #[arg(long, value_delimiter = ',')]
    strategies: Vec<Strategy>,
    /// How many pairs to make.
    #[arg(long, default_value_t = 1000)]
    pairs: u64,
    /// Where the random choices start: the same seed gives the same pairs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first pair, to make one of a campaign again.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Only programs in this language.
    #[arg(long, value_parser = arbitrary_source::language_parser())]
    language: Option<Language>,
    /// Which numbers the programs compute with.
    #[arg(long, value_enum, default_value = "both")]
    numbers: Models,
    /// About how many statements a function has at the most.
    #[arg(long, default_value_t = 7)]
    size: usize,
    /// How many programs of a hundred are made of loops alone, with changes of loops.
    #[arg(long, default_value_t = 20)]
    loops: usize,
    /// How many pairs of a hundred are about pointers, structs, enums, statics and code that is not there.
    #[arg(long, default_value_t = 20)]
    twins: usize,
    /// How many pairs of a hundred are compared by what an unchanged client sees of them.
    #[arg(long, default_value_t = 10)]
    clients: usize,
    /// Demand of *equivalent* that one version ends exactly when the other does.
    #[arg(long)]
    total: bool,
    /// How many threads may work on one pair.
    #[arg(long, default_value = "1")]
    pair_threads: NonZero<usize>,
    /// Milliseconds that a strategy may take for a pair.
    #[arg(long, default_value_t = 300)]
    deadline: u64,
    /// On how many inputs of our own both versions are run.
    #[arg(long, default_value_t = 150)]
    inputs: usize,
    /// How far loops are followed by strategies that unroll them.
    #[arg(long, default_value_t = 3)]
    bound: u32,
    /// Ask the strategies only about pairs that inputs of our own separate: the fastest way to a wrong *equivalent*.
    #[arg(long)]
    separated: bool,
    /// How many pairs to check at a time.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Stop after this many seconds, and show what was counted.
    #[arg(long, default_value_t = 86_400)]
    seconds: u64,
    /// Cut pairs with a wrong verdict down to small ones.
    #[arg(long)]
    minimise: bool,
    /// Show every pair and every answer.
    #[arg(long)]
    show: bool,
}

/// Runs a campaign; fails if a verdict was wrong.
pub fn run(root: &Path, arguments: &FuzzArguments) -> Result<()> {
    let strategies =
        if arguments.strategies.is_empty() { Strategy::ALL.to_vec() } else { arguments.strategies.clone() };
    let solver = casekit::workspace::find_solver(root);
    if solver.is_none() {
        println!("There is no solver: run `cargo xtask setup`. What needs one is unknown.");
    }
    let first = strategies.first().copied();
    let plan = Plan {
        questions: Questions {
            strategies,
            solver,
            deadline: Duration::from_millis(arguments.deadline),
            inputs: arguments.inputs,
            bound: arguments.bound,
            only_separated: arguments.separated,
            total: arguments.total,
            pair_threads: arguments.pair_threads,
        },
        languages: arguments.language.map_or_else(|| vec![Language::Java, Language::C], |one| vec![one]),
        numbers: match arguments.numbers {
            Models::Machine => vec![Numbers::Machine],
            Models::Math => vec![Numbers::Math],
            Models::Both | Models::Alternate => vec![Numbers::Machine, Numbers::Math],
        },
        alternate: matches!(arguments.numbers, Models::Alternate),
        seed: arguments.seed,
        first: arguments.first,
        pairs: arguments.pairs,
        threads: arguments.threads.max(1),
        sizes: Sizes {
            statements: arguments.size.max(1),
            loops: arguments.loops,
            twins: arguments.twins,
            clients: arguments.clients,
        },
        minimise: arguments.minimise,
        show: arguments.show,
        loud: true,
        stop: Duration::from_secs(arguments.seconds),
    };
    let summary = campaign::run(&plan);
    println!("{}", summary.show(first));
    if summary.wrong > 0 {
        bail!("{} wrong verdicts", summary.wrong);
    }
    Ok(())
}

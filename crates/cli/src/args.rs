//! The command line: a variant for each command, with its options in a file of its own.

mod assertions;
mod bench;
mod check;
mod explain;
mod store;
mod when;

pub use assertions::AssertArguments;
pub use bench::{BenchArguments, BenchCommand, GenerateArguments, MergeKind, NumbersChoice};
pub use check::{
    CheckArguments, ContractsArgument, ExceptionsArgument, Format, NumbersArgument, OnOff, Overflow,
};
pub use explain::ExplainArguments;
pub use store::{StoreArguments, StoreCommand};
pub use when::WhenArguments;

use ::check::{Strategy, UnknownStrategy};
use clap::{Parser, Subcommand};

/// Tells whether two versions of a program behave the same: proved, refuted by an input, or unknown with its reason.
#[derive(Debug, Parser)]
#[command(
    name = "selfsame",
    version,
    after_help = "`selfsame check --help` has examples and the exit codes."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Check(CheckArguments),
    When(WhenArguments),
    Explain(ExplainArguments),
    Assert(AssertArguments),
    Store(StoreArguments),
    Bench(BenchArguments),
    /// Checks pairs for a parent process, which speaks JSON lines with it.
    #[command(hide = true)]
    Worker,
}

fn strategy(name: &str) -> Result<Strategy, UnknownStrategy> {
    name.parse()
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        Ok(_) => Err("give a number of seconds above 0, and at most a million".to_owned()),
        Err(_) => Err("not a number of seconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}

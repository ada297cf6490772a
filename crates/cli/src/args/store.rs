//! The command line of `selfsame store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Look into the store of `selfsame assert`, clean it up, or share it.
///
/// The store has the outcome of each assertion under a number made of the code that it rests on, the options, and the
/// version of selfsame. It may be deleted at any time: then everything is checked again.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct StoreArguments {
    #[command(subcommand)]
    pub command: StoreCommand,
    /// The store [default: the one in the user's cache folder].
    #[arg(long, value_name = "PATH", global = true)]
    pub store: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// A line for each outcome.
    List,
    /// All about the outcomes whose numbers begin so: what each rests on, what it cost, the input of a failure.
    Show {
        /// The beginning of a number.
        number: String,
    },
    /// Drop outcomes that nobody used for some days.
    Gc {
        #[arg(long, value_name = "N", default_value_t = 90)]
        days: u64,
    },
    /// Write all outcomes to a file, one to a line.
    Export { file: PathBuf },
    /// Take over outcomes that were exported. Whoever made that file is believed.
    Import { file: PathBuf },
}

const EXAMPLES: &str = "\
Examples:
  selfsame store list                          what is known
  selfsame store show 3f2a                     what one outcome rests on
  selfsame store gc --days 30                  drops what was not used for a month
  selfsame store export outcomes.jsonl         for another machine, which runs
  selfsame store import outcomes.jsonl";

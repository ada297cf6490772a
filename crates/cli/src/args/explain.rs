//! The command line of `selfsame explain`.

use std::path::PathBuf;

use clap::Args;

use super::CheckArguments;

/// Show why two versions differ: under which conditions, on which lines, with which values.
///
/// Compares as `check` does. For each pair that is different: what both versions do under which condition, where the
/// changed code has no loops; the ways of both through their sources on an input, side by side with the values along
/// them and a mark where they part; and the changed procedure that the difference comes from.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, after_help = "`--help` shows examples and exit codes.")]
pub struct ExplainArguments {
    #[command(flatten)]
    pub check: CheckArguments,
    /// Write the report to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  selfsame explain old/Mid.java new/Mid.java         why does `mid` differ?
  selfsame explain old.c new.c --function parse      for one function
  selfsame explain before/ after/ --format html --out review.html
          one page for a reviewer, which needs no network and can be read on a phone
  selfsame explain before/ after/ --format json | jq '.results[].explanation.cause'

Lines with `=` are the same in both versions, `|` changed, `<` and `>` are executed by one version alone, and at `≠` only
the values differ. `>>>` is where the versions part. Exit codes are those of `selfsame check`.";

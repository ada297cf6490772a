//! The command line of `selfsame when`.

use clap::Args;

use super::CheckArguments;

/// Tell on which inputs two versions do the same, and on which they differ.
///
/// Compares as `check` does. For each pair that is different, conditions are looked for, in the words of the program, and
/// proved: that the versions do the same wherever the first one holds, and differ wherever the second one does.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, after_help = "`--help` shows examples and exit codes.")]
pub struct WhenArguments {
    #[command(flatten)]
    pub check: CheckArguments,
}

const EXAMPLES: &str = "\
Examples:
  selfsame when old/Mid.java new/Mid.java            on which inputs is `mid` still the same?
  selfsame when old.c new.c --function f             for one function
  selfsame when before/ after/ --format json         `same_when`, `different_when` and `exact` of each pair

A condition is an expression that could stand in the first line of the procedure; `selfsame check --under CONDITION`
takes it as it is. Exit codes are those of `selfsame check`.";

//! The command line of `selfsame bench`.

use std::path::PathBuf;

use check::Strategy;
use clap::{Args, Subcommand, ValueEnum};
use ir::Numbers;

use super::{seconds, strategy};

/// Run labelled pairs with several strategies, and write the tables that compare them.
///
/// A suite is a `.jsonl` file with one labelled pair a line, or a folder with pairs in the layout
/// `GROUP/METHOD/{Eq,NEq}/{oldV,newV}.java` (or `{old,new}.c`); the label may be any folder above the pair.
/// Verdicts are compared with the labels; a verdict that is the opposite of its label is *wrong*, and shown with its
/// evidence, because it is the label that may be wrong.
#[derive(Debug, Args)]
#[command(
    after_long_help = EXAMPLES,
    after_help = "`--help` shows examples and exit codes.",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct BenchArguments {
    #[command(subcommand)]
    pub what: Option<BenchCommand>,
    /// The labelled pairs: `.jsonl` files, or folders with `Eq` and `NEq` pairs.
    #[arg(value_name = "SUITE", required_unless_present = "properties")]
    pub suites: Vec<PathBuf>,
    /// Series of versions whose assertions are checked, from scratch and after the version before: folders with `v1`, `v2`
    /// and so on, or folders of such folders.
    ///
    /// Solver calls, states (branch decisions that were explored) and seconds are compared, for symbolic execution path by
    /// path (full against DiSE) and for summaries. With `--out`: properties.{txt,md,csv,json}.
    #[arg(long, value_name = "FOLDER", num_args = 1.., conflicts_with = "suites")]
    pub properties: Vec<PathBuf>,
    /// The strategies to compare, with commas between them.
    #[arg(long, value_name = "NAMES", default_value = "auto", value_delimiter = ',', value_parser = strategy)]
    pub strategies: Vec<Strategy>,
    /// The procedure to compare in every pair [default: what the suite says, or else the one that both versions offer
    /// and nobody calls].
    #[arg(long, short, value_name = "NAME")]
    pub function: Option<String>,
    /// Corrected labels: a CSV file with the columns `case`, `label`, and if you like `numbers` and `reason`.
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// What others measured, as columns beside ours: a CSV file with `tool,case,verdict` for each pair, or with
    /// `tool,group,label,solved` for groups. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub published: Vec<PathBuf>,
    /// How often each pair runs with each strategy; the median time counts, and the verdict that flatters least.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
    /// Each pair's own numbers (`math` for folders), or the same for all; pairs without a label for them are left
    /// out. Labels of folders do not say for which numbers they hold, and count for any.
    #[arg(long, value_enum, default_value_t = NumbersChoice::Own)]
    pub numbers: NumbersChoice,
    /// How many seconds each pair may take with each strategy.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub timeout: f64,
    /// How many iterations of a loop, and how deep a recursion, a proof follows [default: as `check`].
    #[arg(long, value_name = "K")]
    pub bound: Option<u32>,
    /// How many pairs run at the same time [default: the number of cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Only the pairs with this text in `suite/case`.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Only so many pairs, evenly spread over those that were chosen.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub sample: Option<u32>,
    /// Where the reports go: report.{txt,md,json,html}, runs.csv, tables/ and plots/ as CSV, LaTeX and SVG, and
    /// runs.jsonl with every run as it finishes.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Go on where a run into this folder stopped: what it finished with the same program and options is not repeated.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// The solver program [default: as `check`].
    #[arg(long, value_name = "PATH")]
    pub solver: Option<PathBuf>,
}

/// What `bench` does besides running.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    Generate(GenerateArguments),
}

/// Put client cases together to larger ones, as a suite again.
#[derive(Debug, Args)]
pub struct GenerateArguments {
    /// The cases: `.jsonl` files; only those in C are used.
    #[arg(value_name = "SUITE", required = true)]
    pub suites: Vec<PathBuf>,
    /// How they are put together; `sequential` and `nested` take each case with the one after it.
    #[arg(long, value_enum)]
    pub kind: MergeKind,
    /// How many calls in a row, as in `1..15` or `4`; with `--kind calls`.
    #[arg(long, value_name = "RANGE", default_value = "1..15", value_parser = range)]
    pub calls: (usize, usize),
    /// How many cases on the second one is, with `sequential` and `nested`.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub distance: usize,
    /// How many seconds may be spent on confirming that a merged case is different.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub timeout: f64,
    /// Where the suite goes.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// How clients are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum MergeKind {
    /// Two clients one after the other, their results added.
    Sequential,
    /// Two clients, the first one's result given to the second.
    Nested,
    /// One client many times in a row, the results added.
    Calls,
}

/// `1..15`, both ends included, or one number.
fn range(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.trim().parse(), last.trim_start_matches('=').trim().parse()) {
        (Ok(first), Ok(last)) if (1..=last).contains(&first) && last <= 1000 => Ok((first, last)),
        _ => Err("a range is as 1..15, from 1 to at most 1000".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum NumbersChoice {
    Own,
    Math,
    Machine,
}

impl NumbersChoice {
    /// The numbers that everybody has to use, if any.
    pub(crate) fn forced(self) -> Option<Numbers> {
        match self {
            NumbersChoice::Own => None,
            NumbersChoice::Math => Some(Numbers::Math),
            NumbersChoice::Machine => Some(Numbers::Machine),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  selfsame bench pairs.jsonl
          runs every pair with `auto`, and shows how many were solved, and in what time
  selfsame bench pairs.jsonl --strategies auto,naive,testing --timeout 10 --out results
          compares three strategies; results/report.html has the tables and a plot
  selfsame bench pairs.jsonl --strategies auto,naive,testing --timeout 10 --out results --resume
          goes on after it was stopped
  selfsame bench ardiff/benchmarks --numbers math --only Bess --sample 10
          runs ten pairs of a folder in the layout Bess/bessi/Eq/oldV.java
  selfsame bench ardiff/benchmarks --labels errata.csv --published paper.csv --repeat 5 --out results
          with corrected labels, beside the figures of a paper, five times; results/tables has LaTeX and CSV

  selfsame bench generate --kind calls --calls 1..15 clients.jsonl --out calls.jsonl
          makes larger cases of clients and their libraries

A line of a .jsonl suite:
  {\"suite\": \"mine\", \"case\": \"mid/1\", \"language\": \"java\", \"function\": \"mid\", \"numbers\": \"math\",
   \"truth\": {\"math\": \"equivalent\", \"machine\": \"different\"}, \"old_name\": \"Mid.java\",
   \"new_name\": \"Mid.java\", \"old\": \"class Mid {...}\", \"new\": \"class Mid {...}\"}
  Also, if you like: \"group\" (a row of the tables), \"args\" (more options of `check` for this pair).
  \"function\" may be missing where one procedure is called by no other. Unknown fields are errors.

Lines of the files for --labels and --published:
  case,label,reason                     errata.csv
  mine/mid/1,different,the sum overflows
  tool,group,label,solved,bounded,of,mean_seconds     paper.csv: figures of groups, \"all\" for every pair
  other,sums,equivalent,15,1,17,25.04
  tool,case,verdict,seconds             other.csv: results of pairs
  other,mine/mid/1,unknown,300

Exit codes:
  0    no verdict is the opposite of its label
  1    some verdict is: selfsame is wrong, or the label is
  2    bad usage or input
  3    no verdict is the opposite of its label, but some run crashed: it came to no verdict at all
  130  interrupted; `--resume` goes on";

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges_have_both_ends() {
        assert_eq!(range("1..15"), Ok((1, 15)));
        assert_eq!(range("4"), Ok((4, 4)));
        assert!(range("0..3").is_err() && range("5..2").is_err() && range("many").is_err());
    }
}

//! The command line of `selfsame assert`.

use std::path::PathBuf;

use clap::Args;

use super::check::{ContractsArgument, Format, NumbersArgument, Overflow};
use super::seconds;
use crate::effort::Effort;
use crate::options::{Assertions, CMemory, Options, PathStrategy};

/// Check the assertions of a Java or C program; with an old version, only what the change asks for, and what caused each
/// failure.
///
/// Each clause of each assertion gets one of three outcomes.
/// *holds*: proved for every input that meets what the procedure requires.
/// *fails*: with inputs, run in the interpreter, and the way of that run up to the assertion.
/// *unknown*: with the reason, and how far the proof got.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, after_help = "`--help` shows examples and exit codes.")]
pub struct AssertArguments {
    /// The version whose assertions are checked, or the old version and then that one: .java or .c files, or folders.
    #[arg(required = true, num_args = 1..=2, value_name = "[OLD] NEW")]
    pub versions: Vec<PathBuf>,
    /// Check only the assertions of procedures with this name: `mid`, `Mid.mid`, `Mid.mid(int,int)` or `pkg.Mid.mid`.
    #[arg(long, short, value_name = "NAME")]
    pub function: Option<String>,
    /// Check the assertions of callees as well, as runs of the procedures that are asked about see them.
    #[arg(long, requires = "function")]
    pub callees: bool,
    /// Propose assertions instead of checking those that are there: what held in runs on many inputs, and was then proved.
    #[arg(long, conflicts_with_all = ["errors", "callees", "replay"])]
    pub propose: bool,
    /// Write the proposed assertions into the sources: as `assert`, or as `//@ ensures` and `//@ loop_invariant` where no
    /// `assert` can say it. The files are changed in place.
    #[arg(long, requires = "propose")]
    pub write: bool,
    /// Take it for an assertion that no error happens: null, bounds, division, casts; in C also what is undefined.
    #[arg(long)]
    pub errors: bool,
    /// Take calls that check something for assertions: `Objects.requireNonNull(x)`, `Objects.checkIndex(i, n)`, and
    /// `Preconditions`, `Validate` and `Assert` of usual libraries.
    #[arg(long, conflicts_with = "propose")]
    pub checks: bool,
    /// Whether contracts in the sources count: what a procedure requires restricts its inputs, what it ensures is checked.
    #[arg(long, value_enum, default_value_t = ContractsArgument::On)]
    pub contracts: ContractsArgument,
    /// Numbers as the machine has them, or unbounded integers and exact reals.
    #[arg(long, value_enum, default_value_t = NumbersArgument::Machine)]
    pub numbers: NumbersArgument,
    /// How assertions are decided.
    ///
    /// summary: all paths at once, with invariants and induction; proves assertions in and after loops of any length.
    /// full: symbolic execution path by path, up to the bound.
    /// dise: the same for assertions that held before, but only along paths that the change has an impact on.
    #[arg(long, value_enum, default_value_t = PathStrategy::Summary, verbatim_doc_comment)]
    pub strategy: PathStrategy,
    /// How many iterations of a loop, and how deep a recursion, a proof follows.
    #[arg(long, value_name = "K")]
    pub bound: Option<u32>,
    /// How much work each assertion may take: quick, normal, thorough, or a number of million steps.
    #[arg(long, value_name = "EFFORT", value_parser = clap::value_parser!(Effort))]
    pub effort: Option<Effort>,
    /// After how many seconds an assertion is given up, whatever is left of its effort.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,
    /// How many assertions are checked at the same time [default: the number of cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// For people, or for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Where outcomes are kept, so that what did not change is not checked again; `off` for nowhere [default: a file in the
    /// user's cache folder].
    ///
    /// An outcome is kept under a number made of the code that it rests on, the options, and the version of selfsame: a hit
    /// is a proof that still holds. Several processes may use one store.
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// Run every failure on the real thing as well: `java -ea`, or what `cc` makes.
    #[arg(long)]
    pub replay: bool,
    /// The solver program [default: $SELFSAME_SOLVER, then the one of `cargo xtask setup`, then z3].
    #[arg(long, value_name = "PATH")]
    pub solver: Option<PathBuf>,
    /// What C makes of signed overflow: the usual wrapping, or an error outcome.
    #[arg(long, value_enum, default_value_t = Overflow::Wraps)]
    pub overflow: Overflow,
    /// What C's memory is made of in proofs.
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = CMemory::Auto)]
    pub c_memory: CMemory,
    /// How many megabytes an assertion may use, and its solver as much again.
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(64..))]
    pub memory: u64,
    /// Where the random choices of testing start.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl AssertArguments {
    /// What a worker needs to know of them.
    pub(crate) fn options(&self, solver: Option<PathBuf>) -> Options {
        let (effort, seconds) = Effort::and_seconds(self.effort, self.timeout);
        Options {
            function: self.function.clone(),
            contracts: self.contracts == ContractsArgument::On,
            math: self.numbers == NumbersArgument::Math,
            bound: self.bound,
            seconds,
            effort: effort.steps().get(),
            solver,
            memory_mb: self.memory,
            overflow_undefined: self.overflow == Overflow::Undefined,
            c_memory: self.c_memory,
            seed: self.seed,
            replay: self.replay,
            assertions: Some(Assertions {
                errors: self.errors,
                checks: self.checks,
                callees: self.callees,
                strategy: self.strategy,
                ..Assertions::plain()
            }),
            ..Options::usual()
        }
    }

    /// The version whose assertions are checked.
    pub(crate) fn new_version(&self) -> &PathBuf {
        self.versions.last().expect("the command line should have a version")
    }

    /// The version before it.
    pub(crate) fn old(&self) -> Option<&PathBuf> {
        (self.versions.len() > 1).then(|| &self.versions[0])
    }
}

const EXAMPLES: &str = "\
Assertions are `assert` of Java and C, `//@ assert E;`, `//@ loop_invariant E;` (in C also `/*@ loop invariant E; */`)
before a loop, and `//@ ensures E;` before a procedure. `assert a && b;` has two clauses, with an outcome each.

Examples:
  selfsame assert Account.java                 every assertion of every method
  selfsame assert account.c --errors           and that nothing is null, out of bounds or divided by zero
  selfsame assert old/ new/                    what still holds, what broke, and why
  selfsame assert Account.java --propose       what might be asserted, and was proved
  selfsame assert Account.java --propose --write
  selfsame assert Account.java --replay        runs each failure with `java -ea` as well
  selfsame assert a.c --format json | jq '.results[] | select(.outcome == \"fails\")'

Exit codes:
  0    all assertions hold
  1    some assertion fails
  2    bad usage or input
  3    some assertion is unknown, and none fails
  101  a bug of selfsame";

//! The command line of `selfsame check`.

use std::path::PathBuf;

use check::Strategy;
use clap::{Args, ValueEnum};

use super::{seconds, strategy};
use crate::effort::Effort;
use crate::options::{CMemory, Conditions, Dump, Options};

/// Compare two versions of a Java or C program, procedure by procedure.
///
/// Each pair of procedures gets one of three verdicts.
/// *equivalent*: proved for every input; what the proof assumes is listed.
/// *different*: with inputs on which both versions were run and ended differently.
/// *unknown*: with the reason, and how far the proof got.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, after_help = "`--help` shows examples and exit codes.")]
pub struct CheckArguments {
    /// The old version: a .java or .c file, or a folder of them.
    pub old: PathBuf,
    /// The new version: a file or folder likewise.
    pub new: PathBuf,
    /// A program that uses OLD or NEW, which are two versions of a library: does it notice the difference?
    ///
    /// Files or folders. All its procedures that reach something that changed are answered; the others are listed.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub client: Vec<PathBuf>,
    /// Compare only the procedures with this name: `mid`, `Mid.mid`, `Mid.mid(int,int)` or `pkg.Mid.mid`.
    ///
    /// The name of a class means its constructors.
    #[arg(long, short, value_name = "NAME")]
    pub function: Option<String>,
    /// Compare the procedures of two large folders of Java that did not change, too.
    ///
    /// Otherwise, if there are more than 300 methods, those that did not change and call nothing that did are only counted;
    /// so are callers of what changed, if there are more than 500: they are the same if what is compared is.
    #[arg(long)]
    pub all: bool,
    /// Compare only inputs that meet a condition, written as it could stand in the first line of the procedure.
    ///
    /// `n > 0 && a.length == n` for every procedure that is compared, `f: n > 0` for those called `f`, or `@FILE` with one
    /// of these on each line. An input on which the condition itself fails does not meet it. Where a procedure calls
    /// itself, the calls are the same function of both versions only for arguments that meet the condition.
    #[arg(long, value_name = "CONDITION")]
    pub under: Vec<String>,
    /// Whether contracts in the sources count: `requires`, `ensures` and `modifies` in comments that start with `//@` or
    /// `/*@`, and annotations such as `@NonNull`.
    ///
    /// What a procedure requires restricts the inputs that are compared, and is listed. What it ensures is proved of each
    /// version, and used at calls if that worked. What was not proved, or not understood, is listed and not used.
    #[arg(long, value_enum, default_value_t = ContractsArgument::On)]
    pub contracts: ContractsArgument,
    /// Numbers as the machine has them, or unbounded integers and exact reals.
    #[arg(long, value_enum, default_value_t = NumbersArgument::Machine)]
    pub numbers: NumbersArgument,
    /// Demand that one version ends exactly when the other does.
    ///
    /// Without it *equivalent* speaks of the inputs on which both end, and an input on which only one is seen to end
    /// is a note. With it such an input makes the versions different, and what was proved only where both end is
    /// unknown. What is done before a run goes on forever is not compared.
    #[arg(long)]
    pub total: bool,
    /// What counts of an exception that leaves a method of Java.
    ///
    /// type: its class, and the fields that classes of the program give it.
    /// message: also its message; where the language or the library makes that, the pair may be unknown.
    #[arg(long, value_enum, default_value_t = ExceptionsArgument::Type, verbatim_doc_comment)]
    pub exceptions: ExceptionsArgument,
    /// Let the new version do anything where the old one is undefined.
    ///
    /// C leaves some runs undefined: a null pointer that is used, an index out of bounds. Without this the versions are
    /// different where only one of them is. With it only inputs on which the old version is defined are compared.
    #[arg(long)]
    pub refine: bool,
    /// Do not assume that only the classes at hand exist.
    ///
    /// Without this a proof may rest on what the given classes do where a method is called, a cast is made or a class is
    /// tested; the assumption is then listed. With it such a pair is unknown.
    #[arg(long)]
    pub open_world: bool,
    /// How pairs are decided.
    ///
    /// auto: all of ours, from cheap to dear.
    /// identical: the same code.
    /// testing: runs on chosen inputs.
    /// boundary: unchanged code around changed callees, where their differences die.
    /// refine: common loops hidden behind symbols.
    /// same-symbol: recursive calls hidden behind symbols, by induction.
    /// coupling: loops side by side, with relations between their states.
    /// horn: the same with relations from the solver's Horn engine, proved again.
    /// naive: everything followed up to the bound.
    /// bounded: the same, further and further, until no input needs more.
    /// For comparison, as published: clever (client and library path by path, until every input takes one of them;
    /// stops at the first difference), reve (the whole pair as Horn clauses, without boundaries or anything else first),
    /// dse (all common code hidden), imp-s (only what the changes influence),
    /// ardiff (hidden code opened step by step; ardiff-h3 and ardiff-r choose the steps in simpler ways).
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = strategy)]
    pub strategy: Strategy,
    /// How many iterations of a loop, and how deep a recursion, a proof follows [default: 5, then up to 70 while
    /// only that stands in the way].
    #[arg(long, value_name = "K")]
    pub bound: Option<u32>,
    /// How much work each pair may take: quick, normal, thorough, or a number of million steps.
    ///
    /// Steps are counted by solver and interpreter, so that the same effort gives the same verdict on every machine.
    /// normal is 60 million, about half a minute on a quiet core; quick is a tenth of that, and thorough ten times as much
    /// [default: normal, or as much as fits `--timeout`].
    #[arg(long, value_name = "EFFORT", value_parser = clap::value_parser!(Effort))]
    pub effort: Option<Effort>,
    /// After how many seconds a pair is killed, whatever is left of its effort [default: four times what the effort
    /// takes on a quiet core; 120 for normal].
    ///
    /// A pair that is killed is unknown. This is all that depends on the machine.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,
    /// How many pairs are checked at the same time [default: the number of cores]. Cores that are left over look for
    /// boundaries in a client together.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// For people, or for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Whether to say on which inputs different versions are the same, where that is found at once; `selfsame when` looks
    /// further.
    #[arg(long, value_enum, value_name = "ON|OFF", default_value_t = OnOff::On)]
    pub conditions: OnOff,
    /// Run every difference on the real thing as well: `javac` and `java`, or `cc`.
    #[arg(long)]
    pub replay: bool,
    /// Show what a stage works with, instead of the report.
    #[arg(long, value_enum, value_name = "STAGE")]
    pub dump: Option<Dump>,
    /// Write what the stages did to FILE, a line of JSON for each thing: attempts, alignments, candidates, questions.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write what each *equivalent* rests on to FILE, a manifest, and to SMT-LIB scripts in the folder FILE.obligations.
    ///
    /// Every script has to be *unsat*. What is proved by the same code or by simplification alone has none.
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Have a second solver (cvc5, Bitwuzla, another Z3) refute everything that an *equivalent* rests on.
    ///
    /// A proof that it cannot confirm is unknown; one that it contradicts is an internal error.
    #[arg(long, value_name = "SOLVER")]
    pub cross_check: Option<PathBuf>,
    /// The solver program [default: $SELFSAME_SOLVER, then the one of `cargo xtask setup`, then z3].
    #[arg(long, value_name = "PATH")]
    pub solver: Option<PathBuf>,
    /// What C makes of signed overflow: the usual wrapping, or an error outcome.
    #[arg(long, value_enum, default_value_t = Overflow::Wraps)]
    pub overflow: Overflow,
    /// What C's memory is made of in proofs: a cell for each scalar, bytes, or bytes only where cells do not do. Mathematical numbers have no bytes: with them it is always cells.
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = CMemory::Auto)]
    pub c_memory: CMemory,
    /// A folder with headers of C files, looked for in each version, and then from here.
    ///
    /// The version of a file is what its path does not share with that of the other one: in `old/src/a.c` and
    /// `new/src/a.c`, `-I include` means `old/include` and `new/include`.
    #[arg(short = 'I', long, value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// A macro of C files: `NAME` or `NAME=VALUE`.
    #[arg(short = 'D', long, value_name = "MACRO")]
    pub define: Vec<String>,
    /// Other options of the C compiler, after `--`: `-isystem`, `-include`, `-U`, `-std=`, `-m`, `-f` and their like. Those
    /// that change no text are left out.
    #[arg(last = true, value_name = "OPTION")]
    pub compiler_options: Vec<String>,
    /// How many megabytes a pair may use, and its solver as much again.
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(64..))]
    pub memory: u64,
    /// Where the random choices of testing start.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl CheckArguments {
    /// What a worker needs to know of them.
    pub(crate) fn options(&self, solver: Option<PathBuf>) -> Options {
        let (effort, seconds) = Effort::and_seconds(self.effort, self.timeout);
        Options {
            function: self.function.clone(),
            under: Vec::new(),
            contracts: self.contracts == ContractsArgument::On,
            conditions: Conditions::Off,
            all: self.all,
            explain: false,
            clients: Vec::new(),
            math: self.numbers == NumbersArgument::Math,
            total: self.total,
            messages: self.exceptions == ExceptionsArgument::Message,
            refine: self.refine,
            open_world: self.open_world,
            strategy: self.strategy.name().to_owned(),
            bound: self.bound,
            seconds,
            effort: effort.steps().get(),
            solver,
            memory_mb: self.memory,
            overflow_undefined: self.overflow == Overflow::Undefined,
            c_memory: self.c_memory,
            seed: self.seed,
            dump: self.dump,
            replay: self.replay,
            trace: self.trace.is_some(),
            obligations: self.proof.is_some(),
            cross_check: self.cross_check.clone(),
            assertions: None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OnOff {
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ContractsArgument {
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum NumbersArgument {
    Machine,
    Math,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExceptionsArgument {
    Type,
    Message,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Text,
    Json,
    /// One page; only `selfsame explain` has it.
    Html,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Overflow {
    Wraps,
    Undefined,
}

const EXAMPLES: &str = "\
Examples:
  selfsame check old/Mid.java new/Mid.java
          compares every method that both files have
  selfsame check old/Mid.java new/Mid.java --function mid --replay
          compares one method, and runs what it finds with java as well
  selfsame check before/ after/ --jobs 4 --timeout 10
          compares two folders; a broken file costs only itself
  selfsame check a.c b.c --numbers math
          reads `int` and `double` as integers and reals: is a difference more than overflow or rounding?
  selfsame check old/src/a.c new/src/a.c -I include -D NDEBUG -- -std=c99
          reads C with the headers of each version and options of the compiler
  selfsame check lib-1.0/ lib-1.1/ --client src/
          tells which procedures of a program notice the change of a library that it uses
  selfsame check a.c b.c --format json | jq '.summary'

Exit codes:
  0    all pairs were proved equivalent
  1    some pair is different
  2    bad usage or input
  3    some pair is unknown, and none is different
  101  a bug of selfsame";

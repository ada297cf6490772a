//! The options of a check, as data that a worker gets from its parent.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use budget::{Budget, Kill, Steps};
use check::{CheckConfig, Exceptions, StopFlag, Strategy, Threads, Undefined};
use clap::ValueEnum;
use ir::Numbers;
use serde::{Deserialize, Serialize};

use crate::effort::Effort;
use crate::known_input::KnownInput;
use crate::units::Unit;

/// The rules by which outcomes that are kept were found. The number is raised when they gave a wrong one, so that it is
/// asked for again.
pub(crate) const RULES: &str = concat!("selfsame ", env!("CARGO_PKG_VERSION"), ", rules 3");

/// How far loops and recursion are followed when nothing is said.
const USUAL_BOUND: u32 = 5;
/// How far, in steps, while only the bound stands in the way of a proof.
const DEEPER_BOUND: u32 = 70;

/// The options of `check` that matter to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    pub function: Option<String>,
    /// Conditions on the inputs.
    pub under: Vec<Under>,
    /// Whether contracts in the sources are read.
    pub contracts: bool,
    /// Whether conditions are inferred for pairs that differ.
    pub conditions: Conditions,
    /// Whether differences are explained.
    #[serde(default)]
    pub explain: bool,
    /// Whether procedures of folders that did not change are compared, too.
    #[serde(default)]
    pub all: bool,
    /// The files of the program that uses both versions, if there is one: only its procedures are compared.
    pub clients: Vec<String>,
    pub math: bool,
    /// Whether one version must end exactly when the other does.
    pub total: bool,
    /// Whether the messages of exceptions count.
    pub messages: bool,
    /// Whether the new version may do anything where the old one is undefined.
    pub refine: bool,
    /// Whether there may be classes that are not at hand.
    pub open_world: bool,
    /// By its name.
    pub strategy: String,
    /// What the user demands; otherwise `USUAL_BOUND` and then `DEEPER_BOUND`.
    pub bound: Option<u32>,
    /// When the clock kills a pair.
    pub seconds: f64,
    /// The work that a pair may take, in steps.
    pub effort: u64,
    pub solver: Option<PathBuf>,
    pub memory_mb: u64,
    pub overflow_undefined: bool,
    pub c_memory: CMemory,
    pub seed: u64,
    pub dump: Option<Dump>,
    pub replay: bool,
    /// Whether to record what the stages did.
    pub trace: bool,
    /// Whether to keep what proofs rest on.
    pub obligations: bool,
    /// The second solver that has to confirm proofs.
    pub cross_check: Option<PathBuf>,
    /// What is asked about assertions, if the pairs are not two versions but one whose assertions are checked.
    #[serde(default)]
    pub assertions: Option<Assertions>,
}

/// What is asked about the assertions of a version.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Assertions {
    /// Whether errors are assertions that they do not happen.
    pub errors: bool,
    /// Whether calls like `Objects.requireNonNull` are assertions.
    #[serde(default)]
    pub checks: bool,
    /// Whether assertions of callees are checked as seen from the procedures that are asked about.
    pub callees: bool,
    /// Inputs that violated assertions before, which are tried first.
    pub known: Vec<RunWanted>,
    /// If there are any, nothing is checked, and these runs are shown.
    pub runs: Vec<RunWanted>,
    /// If this is given, only procedures whose names begin so are asked about.
    pub prefix: Option<String>,
    /// Whether nothing is checked, and likely assertions are guessed from runs.
    pub guess: bool,
    /// Whether what procedures ensure was guessed, so that callers do not rely on it.
    pub guesses: bool,
    pub strategy: PathStrategy,
    /// The version before, for directed execution.
    pub before: Vec<Unit>,
    /// The assertions whose clauses held in the version before.
    pub held: Vec<Held>,
    /// If there are any, nothing else is checked, and this is asked of the versions.
    #[serde(default)]
    pub same: Vec<SameWanted>,
}

/// The question whether a procedure does the same in both versions, up to the assertions that held in the old one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SameWanted {
    pub entry: String,
    /// The assertions by what they rest on while the others do nothing: the programs that are compared must be those that
    /// were asked about.
    pub old: Vec<String>,
    pub new: Vec<String>,
}

/// An assertion whose clause held in the version before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Held {
    /// Its place in the listing.
    pub at: usize,
    /// Where it stood before: the procedure, the line, and which one of the line it was.
    pub entry: String,
    pub line: u32,
    pub number: usize,
}

/// How assertions are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
pub enum PathStrategy {
    /// By summaries of all paths, invariants and induction.
    Summary,
    /// By symbolic execution of all paths up to the bound.
    Full,
    /// The same for the paths that the change has an impact on.
    Dise,
}

impl Assertions {
    /// Those of the source, of each procedure by itself.
    pub fn plain() -> Assertions {
        Assertions {
            errors: false,
            checks: false,
            callees: false,
            known: Vec::new(),
            runs: Vec::new(),
            prefix: None,
            guess: false,
            guesses: false,
            strategy: PathStrategy::Summary,
            before: Vec::new(),
            held: Vec::new(),
            same: Vec::new(),
        }
    }
}

/// A run of a procedure on an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunWanted {
    pub procedure: String,
    pub input: KnownInput,
}

/// How much work goes into conditions for pairs that differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Conditions {
    Off,
    /// Only what is found with a handful of questions.
    Quick,
    /// As much again as the pair may take.
    Thorough,
}

/// A condition on the inputs, in the words of the program: for one procedure, or for all that are compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Under {
    pub procedure: Option<String>,
    pub text: String,
    /// The file and the line that it comes from, if it was read from a file: `@conditions:3`.
    #[serde(default)]
    pub place: Option<String>,
}

impl Under {
    /// A condition for all procedures.
    pub fn of_all(text: &str) -> Under {
        Under { procedure: None, text: text.to_owned(), place: None }
    }

    /// A complaint with the place of this condition, if it is about it.
    pub(crate) fn placed(&self, message: String) -> String {
        let Some(place) = &self.place else { return message };
        let named = self.procedure.as_ref().map(|name| format!("'{name}: {}'", self.text));
        let quoted = named.into_iter().chain([format!("'{}'", self.text)]);
        let mut starts = quoted.map(|text| format!("--under {text}"));
        match starts.any(|start| message.starts_with(&start)) {
            true => message.replacen("--under ", &format!("--under {place}: "), 1),
            false => message,
        }
    }
}

impl FromStr for Under {
    type Err = Infallible;

    /// `n > 0`, or `f: n > 0` with what `--function` takes before the colon.
    fn from_str(text: &str) -> Result<Under, Infallible> {
        let is_name = |name: &str| {
            let name = name.trim();
            let starts = |letter: char| letter.is_alphabetic() || letter == '_' || letter == '$';
            name.starts_with(starts)
                && name.chars().all(|it| it.is_alphanumeric() || " _$.,()[]<>".contains(it))
        };
        Ok(match text.split_once(':') {
            Some((name, rest)) if is_name(name) && !rest.starts_with(':') => {
                Under { procedure: Some(name.trim().to_owned()), ..Under::of_all(rest.trim()) }
            }
            _ => Under::of_all(text.trim()),
        })
    }
}

impl Options {
    /// What the command line has when nothing is said.
    pub fn usual() -> Options {
        Options {
            function: None,
            under: Vec::new(),
            contracts: true,
            conditions: Conditions::Off,
            all: false,
            explain: false,
            clients: Vec::new(),
            math: false,
            total: false,
            messages: false,
            refine: false,
            open_world: false,
            strategy: Strategy::Auto.name().to_owned(),
            bound: None,
            seconds: 120.0,
            effort: Effort::NORMAL.steps().get(),
            solver: None,
            memory_mb: 2048,
            overflow_undefined: false,
            c_memory: CMemory::Auto,
            seed: 0,
            dump: None,
            trace: false,
            obligations: false,
            cross_check: None,
            replay: false,
            assertions: None,
        }
    }

    pub(crate) fn numbers(&self) -> Numbers {
        if self.math { Numbers::Math } else { Numbers::Machine }
    }

    /// Whether calls that check something are assertions.
    pub(crate) fn takes_checks(&self) -> bool {
        self.assertions.as_ref().is_some_and(|it| it.checks)
    }

    /// How C is read.
    pub(crate) fn c_options(&self) -> frontend_c::Options {
        let memory = match self.c_memory {
            CMemory::Bytes if !self.math => frontend_c::MemoryModel::Bytes,
            // Mathematical numbers have no bytes.
            CMemory::Auto | CMemory::Cells | CMemory::Bytes => frontend_c::MemoryModel::Cells,
        };
        frontend_c::Options { overflow_undefined: self.overflow_undefined, memory, mathematical: self.math }
    }

    /// The configuration of a check that the clock may kill, on one thread.
    pub fn config(&self, kill: Kill) -> CheckConfig {
        CheckConfig {
            numbers: self.numbers(),
            // Names come from the command line's own parser; a job from elsewhere gets the usual way.
            strategy: self.strategy.parse().unwrap_or(Strategy::Auto),
            any_inputs: false,
            total: self.total,
            open_world: self.open_world,
            exceptions: if self.messages { Exceptions::Message } else { Exceptions::Type },
            undefined: if self.refine { Undefined::Refined } else { Undefined::Compared },
            bound: self.bound.unwrap_or(USUAL_BOUND),
            deeper_bound: self.bound.is_none().then_some(DEEPER_BOUND),
            budget: Budget::new(Steps::new(self.effort), kill),
            stop: StopFlag::default(),
            threads: Threads::ONE,
            solver: self.solver.clone(),
            solver_memory_mb: self.memory_mb,
            keep_obligations: self.obligations || self.cross_check.is_some(),
            seed: self.seed,
        }
    }
}

/// What C's memory is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
pub enum CMemory {
    /// Cells first; bytes if memory is used with two types.
    Auto,
    /// A cell for each scalar, whatever its size.
    Cells,
    /// A cell for each byte.
    Bytes,
}

/// The stage that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
pub enum Dump {
    /// Both versions in the common language, callees included.
    Ir,
    /// The source lines side by side: `=` common, `|` changed, `<` deleted, `>` inserted, `~` moved.
    Alignment,
    /// What each version computes, as terms.
    Terms,
    /// Every question to the solver, in SMT-LIB.
    Smt,
    /// The steps of the schedule: what each might spend, what it did, and why it stopped.
    Plan,
    /// Which loops of the versions go together, and how often they ran.
    Loops,
    /// The coupling invariants that were tried for loops: which were dropped, and by which question.
    Invariants,
}

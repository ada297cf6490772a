//! What the caller decides about a check.

use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use budget::Budget;
use ir::Numbers;
use smt::StopFlag;

/// Iterations that are followed as long as no input decides whether there is another one.
const CONCRETE_ITERATIONS: u32 = 2_000;
/// Terms of both summaries together.
const MOST_TERMS: usize = 3_000_000;

/// How a pair is decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strategy {
    /// From cheap to dear: `identical`, `testing`, what hides and couples loops, `bounded`.
    Auto,
    /// The same code, callees included.
    Identical,
    /// Both versions run on chosen inputs; only ever finds differences.
    Testing,
    /// Full summaries of both versions, loops unrolled to the bound.
    Naive,
    /// Full summaries, loops unrolled further and further, until no input needs more.
    Bounded,
    /// Common loops hidden behind symbols, and opened where a proof needs it.
    Refine,
    /// Recursive calls hidden behind symbols, by induction.
    SameSymbol,
    /// Loops in lockstep, with relations between their states.
    Coupling,
    /// Loops as Horn clauses: relations between their states from the solver, proved again.
    Horn,
    /// Unchanged code around changed callees: where their differences die.
    Boundary,
    /// Paths of both versions, one pair at a time, until every input takes one of them; stops at the first difference.
    Clever,
    /// The whole pair as Horn clauses, and nothing else before it.
    Reve,
    /// All common code hidden behind symbols (differential symbolic execution).
    Dse,
    /// Only what the changes can influence, loops unrolled to the bound (impact summaries).
    ImpS,
    /// As `dse`, then opening a random statement at a time.
    ArdiffR,
    /// As `dse`, then opening the simplest statement at a time.
    ArdiffH3,
    /// As `dse`, then opening one statement at a time, chosen by all three heuristics.
    Ardiff,
}

impl Strategy {
    pub const ALL: [Strategy; 17] = [
        Strategy::Auto,
        Strategy::Identical,
        Strategy::Testing,
        Strategy::Naive,
        Strategy::Bounded,
        Strategy::Refine,
        Strategy::SameSymbol,
        Strategy::Coupling,
        Strategy::Horn,
        Strategy::Boundary,
        Strategy::Clever,
        Strategy::Reve,
        Strategy::Dse,
        Strategy::ImpS,
        Strategy::ArdiffR,
        Strategy::ArdiffH3,
        Strategy::Ardiff,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::Auto => "auto",
            Strategy::Identical => "identical",
            Strategy::Testing => "testing",
            Strategy::Naive => "naive",
            Strategy::Bounded => "bounded",
            Strategy::Refine => "refine",
            Strategy::SameSymbol => "same-symbol",
            Strategy::Coupling => "coupling",
            Strategy::Horn => "horn",
            Strategy::Boundary => "boundary",
            Strategy::Clever => "clever",
            Strategy::Reve => "reve",
            Strategy::Dse => "dse",
            Strategy::ImpS => "imp-s",
            Strategy::ArdiffR => "ardiff-r",
            Strategy::ArdiffH3 => "ardiff-h3",
            Strategy::Ardiff => "ardiff",
        }
    }
}

/// The name of a strategy that does not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownStrategy(pub String);

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Strategy::ALL.iter().map(|strategy| strategy.name()).collect();
        write!(f, "no strategy is called `{}`; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownStrategy {}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Strategy, UnknownStrategy> {
        Strategy::ALL
            .into_iter()
            .find(|strategy| strategy.name() == name)
            .ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

/// What counts of an exception that ends a run: its class and the fields that classes of the program give it, or also
/// its message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Exceptions {
    #[default]
    Type,
    Message,
}

impl Exceptions {
    pub fn name(self) -> &'static str {
        match self {
            Exceptions::Type => "type",
            Exceptions::Message => "message",
        }
    }

    pub(crate) fn compared(self) -> interp::Errors {
        match self {
            Exceptions::Type => interp::Errors::Fields,
            Exceptions::Message => interp::Errors::Messages,
        }
    }
}

/// What counts on inputs on which a version is undefined. Where both are, nothing ever does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// That only one version is undefined is a difference.
    Compared,
    /// The new version may do anything where the old one is undefined.
    Refined,
    /// Only inputs on which both versions are defined count.
    Excused,
}

/// Threads that work on one pair. How many there are changes the time that is needed, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    pub count: NonZero<usize>,
    /// The stack of each but the first, which is the caller's own: as large as that one.
    pub stack_bytes: usize,
    /// How long the caller's thread works alone.
    pub head_start: Duration,
}

impl Threads {
    /// The caller's own thread.
    pub const ONE: Threads =
        Threads { count: NonZero::<usize>::MIN, stack_bytes: 0, head_start: Threads::HEAD_START };

    /// Most parts are decided by then, and another thread needs a solver of its own, whose start costs as much as many
    /// a part.
    pub const HEAD_START: Duration = Duration::from_millis(150);
}

/// Everything that a check depends on besides the pair.
#[derive(Clone, Debug)]
pub struct CheckConfig {
    pub numbers: Numbers,
    pub strategy: Strategy,
    /// Whether the inputs are all that a call could give, not only what a program starts with: for the parts of a
    /// pair.
    pub any_inputs: bool,
    /// Whether *equivalent* must also mean that one version ends exactly when the other does.
    pub total: bool,
    /// Whether there may be classes that are not at hand, so that no proof may rest on the others.
    pub open_world: bool,
    /// What counts of an exception that ends a run.
    pub exceptions: Exceptions,
    /// What counts where a version is undefined.
    pub undefined: Undefined,
    /// Loop iterations and recursion depth that summaries follow.
    pub bound: u32,
    /// The bound up to which `bounded` goes on when nothing but `bound` stands in the way of a proof.
    pub deeper_bound: Option<u32>,
    /// The work that this pair may take, and when it is killed.
    pub budget: Budget,
    /// Ends the check as if its budget were used up.
    pub stop: StopFlag,
    /// How many parts of this pair may be compared at the same time.
    pub threads: Threads,
    /// The solver program, if one was found; without it only what needs no solver is decided.
    pub solver: Option<PathBuf>,
    pub solver_memory_mb: u64,
    /// Whether a proof keeps what the solver refuted, so that others can judge it.
    pub keep_obligations: bool,
    /// Where the random choices of `testing` start.
    pub seed: u64,
}

impl CheckConfig {
    /// What questions are put to.
    pub(crate) fn client(&self) -> query::Config {
        query::Config {
            solver: self.solver.clone(),
            memory_mb: self.solver_memory_mb,
            budget: self.budget.clone(),
            stop: self.stop.clone(),
            keep_obligations: self.keep_obligations,
        }
    }

    /// The options for summaries that a check asks for.
    pub(crate) fn summaries(&self) -> symbolic::Config {
        symbolic::Config {
            numbers: self.numbers,
            bound: self.bound,
            concrete_limit: CONCRETE_ITERATIONS,
            total: self.total,
            sqrt_axioms: false,
            any_inputs: self.any_inputs,
            errors: symbolic::Errors { messages: self.exceptions == Exceptions::Message, everything: false },
            max_terms: MOST_TERMS,
            budget: self.budget.clone(),
            stop: self.stop.clone(),
        }
    }

    /// The same check with a part of its budget.
    pub(crate) fn within(&self, budget: Budget) -> CheckConfig {
        CheckConfig { budget, ..self.clone() }
    }

    /// Whether the check was killed or stopped, whatever is left of the budget.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_raised() || self.budget.is_killed()
    }

    /// Whether the budget is used up, or the check was killed or stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_raised() || self.budget.is_over()
    }
}

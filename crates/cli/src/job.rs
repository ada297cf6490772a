//! What there is to do, as data that a worker gets from its parent.

use std::path::PathBuf;

use budget::{Budget, Kill, Steps};

use check::{CheckConfig, Exceptions, StopFlag, Strategy, Threads, Undefined};
use ir::Language;
use ir::Numbers;
use serde::{Deserialize, Serialize};

use crate::args::{CMemory, Dump};
use crate::effort::Effort;

/// Two versions of a program, or of several in different languages, and what to find out about them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub units: Vec<Unit>,
    pub options: Options,
}

/// The files of one language; those of one version belong together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit {
    #[serde(with = "language")]
    pub language: Language,
    pub old: Sources,
    pub new: Sources,
}

/// The files of one version.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sources {
    pub files: Vec<Source>,
    /// A file with errors is left out, because it came from a folder and was not asked for by name.
    pub tolerant: bool,
}

/// A file, ready to be parsed: C has gone through the preprocessor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Source {
    pub name: String,
    pub text: String,
    /// What of the text comes from macros that say where and when it is compiled, in its order.
    #[serde(default)]
    pub macros: Vec<MacroUse>,
}

impl Source {
    /// A text without such macros.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), macros: Vec::new() }
    }
}

/// A token that comes from `__FILE__`, `__LINE__`, `__DATE__` or their like.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MacroUse {
    pub(crate) what: Macro,
    /// Where it starts in the text.
    pub(crate) start: usize,
    /// The token as it stands there.
    pub(crate) here: String,
    /// The token as it could be if the file were compiled elsewhere.
    pub(crate) elsewhere: String,
    /// Whether anybody can see its value.
    pub(crate) is_listed: bool,
}

impl MacroUse {
    pub(crate) fn of(
        what: Macro,
        start: usize,
        here: String,
        elsewhere: String,
        is_listed: bool,
    ) -> MacroUse {
        MacroUse { what, start, here, elsewhere, is_listed }
    }
}

/// What a macro tells of the compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Macro {
    Line,
    File,
    Time,
    /// It is not known what of the file depends on which macro.
    Any,
}

/// Languages go by their names.
mod language {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Language;

    pub(super) fn serialize<S: Serializer>(language: &Language, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(language.name())
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Language, D::Error> {
        let name = String::deserialize(deserializer)?;
        Language::named(&name).ok_or_else(|| D::Error::custom(format!("there is no language `{name}`")))
    }
}

/// How far loops and recursion are followed when nothing is said.
const USUAL_BOUND: u32 = 5;
/// How far, in steps, while only the bound stands in the way of a proof.
const DEEPER_BOUND: u32 = 70;

/// The options of `check` that matter to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    pub function: Option<String>,
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
}

impl Options {
    /// What the command line has when nothing is said.
    pub fn usual() -> Options {
        Options {
            function: None,
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
        }
    }

    pub(crate) fn numbers(&self) -> Numbers {
        if self.math { Numbers::Math } else { Numbers::Machine }
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

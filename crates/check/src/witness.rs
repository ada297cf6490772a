//! Inputs that separate the versions. The only way to a witness is to run both.

mod arguments;
mod evidence;
mod machines;
mod own_state;
mod parting_call;

use inputs::odd_arguments;
use interp::{Difference, Ending, Input, Run, What};
use ir::{Numbers, Pair, Subject};

pub(crate) use evidence::Evidence;
pub(crate) use machines::{Machines, OneEnds, Trial, cost};
use parting_call::parting_call;
pub use parting_call::{MadeCall, PartingCall};

/// An input on which both versions were run, and ended differently.
#[derive(Clone, Debug)]
pub struct Witness {
    input: Input,
    runs: Pair<Run>,
    difference: Difference,
    parting_call: Option<Box<PartingCall>>,
    /// Whether the versions were proved to do the same wherever both are defined.
    is_all: bool,
}

/// What a witness shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Result,
    Output,
    /// Globals, or objects that the caller can reach.
    Memory,
    /// One version fails and the other does not, or both do with different errors.
    Error,
    /// What is called of unknown code.
    Calls,
    /// Only one version ends.
    Termination,
    /// Only the old version is undefined.
    UndefinedOld,
    /// Only the new version is undefined.
    UndefinedNew,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Result => "result",
            Kind::Output => "output",
            Kind::Memory => "memory",
            Kind::Error => "error",
            Kind::Calls => "calls",
            Kind::Termination => "termination",
            Kind::UndefinedOld => "undefined_old",
            Kind::UndefinedNew => "undefined_new",
        }
    }

    /// Whether it is only that one version is undefined.
    pub fn is_undefined(self) -> bool {
        matches!(self, Kind::UndefinedOld | Kind::UndefinedNew)
    }

    fn of(runs: Pair<&Run>, what: &What) -> Kind {
        match (is_undefined(runs.old), is_undefined(runs.new), what) {
            (true, false, _) => Kind::UndefinedOld,
            (false, true, _) => Kind::UndefinedNew,
            (_, _, What::Result) => Kind::Result,
            (_, _, What::Heap(path)) if path.starts_with(interp::THE_EXCEPTION) => Kind::Error,
            (_, _, What::Heap(path)) if path.starts_with("the result") => Kind::Result,
            (_, _, What::Written(_)) => Kind::Output,
            (_, _, What::Global(_) | What::Heap(_)) => Kind::Memory,
            (_, _, What::Error | What::Message) => Kind::Error,
            (_, _, What::ExternalCalls | What::ExternalMemory(_)) => Kind::Calls,
            (_, _, What::Ends) => Kind::Termination,
        }
    }
}

fn is_undefined(run: &Run) -> bool {
    matches!(&run.ending, Ending::Failed { error } if ir::is_undefined(error))
}

/// Runs both versions on an input that somebody knows: a witness if they end differently.
pub fn witness_of(
    pair: Pair<Subject<'_>>,
    input: &Input,
    config: &crate::CheckConfig,
) -> Option<Box<Witness>> {
    let machines = Machines::of(pair, Pair::default(), config);
    match machines.try_input(input, &interp::Limits::USUAL) {
        Trial::Separated(witness) => Some(witness),
        Trial::NotSeparated(_) => None,
    }
}

impl Witness {
    pub fn input(&self) -> &Input {
        &self.input
    }

    pub fn runs(&self) -> &Pair<Run> {
        &self.runs
    }

    pub fn difference(&self) -> &Difference {
        &self.difference
    }

    pub fn kind(&self) -> Kind {
        Kind::of(self.runs.as_ref(), &self.difference.what)
    }

    /// Whether the versions were proved to do the same wherever both are defined: then this is all.
    pub fn is_all(&self) -> bool {
        self.is_all
    }

    /// The witness of a difference that is all there is. `Proof::leaves_only` calls this, with the proof of the rest.
    pub(crate) fn that_is_all(self) -> Witness {
        Witness { is_all: true, ..self }
    }

    /// How far it is from what a reviewer would have chosen: defined behaviour first, then sensible arguments.
    pub(crate) fn rank(&self) -> (bool, usize) {
        (self.kind().is_undefined(), odd_arguments(&self.input))
    }

    /// The call of something changed at which the runs part, if that was looked for and found.
    pub fn parting_call(&self) -> Option<&PartingCall> {
        self.parting_call.as_deref()
    }

    /// The witness with the call of something changed at which its runs part.
    pub(crate) fn with_parting_call(self, pair: Pair<Subject<'_>>, numbers: Numbers) -> Witness {
        let parting_call = parting_call(pair, &self, numbers);
        Witness { parting_call, ..self }
    }

    fn new(input: &Input, runs: Pair<Run>, difference: Difference) -> Witness {
        Witness { input: input.clone(), runs, difference, parting_call: None, is_all: false }
    }
}

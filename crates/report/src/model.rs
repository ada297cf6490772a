//! The answers of a run as plain data: what every format shows, and what workers send to their parent.

use serde::{Deserialize, Serialize};

/// Everything that a run found out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunReport {
    /// One for each pair, in the order of the pairs, whatever order they were finished in.
    pub results: Vec<PairReport>,
    /// Procedures that only the new version has.
    pub added: Vec<String>,
    /// Procedures that only the old version has.
    pub removed: Vec<String>,
    /// Procedures of a client that reach nothing that changed.
    pub unaffected: Vec<String>,
    /// Procedures of a folder that are written as before and reach nothing that changed: they were not looked into.
    pub unchanged: Vec<String>,
    /// Procedures of a folder that are written as before, and are the same if the pairs are, which they call.
    pub callers: Vec<String>,
    /// Files that could not be read or understood; the others were compared without them.
    pub errors: Vec<String>,
    /// One of these files could not be understood because of a bug of ours.
    pub is_broken: bool,
    /// Remarks about the run as a whole, such as a missing solver.
    pub notes: Vec<String>,
}

/// The answer for one pair.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairReport {
    pub function: String,
    /// What the old version calls it, if it was renamed.
    pub renamed_from: Option<String>,
    pub language: String,
    pub verdict: VerdictWord,
    /// How an *equivalent* was proved, as a fragment: `the same code, callees included`.
    pub proof: Option<String>,
    /// What an *equivalent* rests on beyond that, a sentence each.
    pub evidence: Vec<String>,
    /// What an *equivalent* says of runs that do not end: `partial` for nothing, `total` for that one version ends
    /// exactly when the other does.
    pub termination: Option<String>,
    /// Why an *unknown* is one.
    pub reasons: Vec<ReasonReport>,
    /// Set for an *unknown* without a difference among all runs within this bound.
    pub bound: Option<u32>,
    /// The condition on the inputs that are compared, if not all are.
    #[serde(default)]
    pub under: Option<String>,
    /// What became of the contracts in the sources.
    #[serde(default)]
    pub contracts: Vec<ContractReport>,
    /// Where these hold the versions were proved to do the same, and to differ.
    #[serde(default)]
    pub same_when: Option<String>,
    #[serde(default)]
    pub different_when: Option<String>,
    /// Whether one of them is the negation of the other, if conditions were looked for.
    #[serde(default)]
    pub exact: Option<bool>,
    /// Whether versions that differ were proved to do the same with mathematical numbers.
    #[serde(default)]
    pub same_in_math: bool,
    pub assumptions: Vec<String>,
    pub numbers: String,
    /// What counts of exceptions: `type` or `message`.
    pub exceptions: String,
    /// The strategy that decided.
    pub strategy: String,
    pub witness: Option<WitnessReport>,
    /// An input on which one version ends and the other never does, where that is not compared.
    pub one_ends: Option<WitnessReport>,
    pub statistics: StatisticsReport,
    /// Where the two procedures stand.
    pub places: Versions<Option<Place>>,
}

/// What became of one clause of a contract.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContractReport {
    /// `old`, `new`, or `both`.
    pub side: String,
    /// The procedure whose contract it is.
    pub function: String,
    pub file: String,
    /// Where it stands, or where the call is that has to meet it.
    pub line: u32,
    /// `requires`, `ensures`, `modifies`, `other`; `call` for what a call has to meet.
    pub kind: String,
    pub clause: String,
    pub outcome: ContractOutcome,
    /// More about the outcome, as a fragment.
    pub detail: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContractOutcome {
    /// Only inputs that meet it are compared.
    Assumed,
    Proved,
    NotProved,
    /// An input was found on which it does not hold.
    Refuted,
    NotUnderstood,
    /// The other version says something else.
    Differs,
}

impl ContractOutcome {
    pub fn in_words(self) -> &'static str {
        match self {
            ContractOutcome::Assumed => "assumed",
            ContractOutcome::Proved => "proved",
            ContractOutcome::NotProved => "not proved, and not used",
            ContractOutcome::Refuted => "does not hold",
            ContractOutcome::NotUnderstood => "not understood, and not used",
            ContractOutcome::Differs => "differs",
        }
    }
}

/// How a proof says that there was nothing to compare.
pub(crate) const SAME_CODE: &str = "the same code, callees included";

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictWord {
    Equivalent,
    Different,
    Unknown,
}

impl VerdictWord {
    pub fn name(self) -> &'static str {
        match self {
            VerdictWord::Equivalent => "equivalent",
            VerdictWord::Different => "different",
            VerdictWord::Unknown => "unknown",
        }
    }
}

/// One reason of an *unknown*, with the line it is about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReasonReport {
    /// A lower-case fragment that is complete without the place.
    pub text: String,
    /// The remark to put at the place; empty when the text says it all.
    pub label: String,
    pub place: Option<Place>,
    /// Whether solver and interpreter contradict each other: a bug of ours.
    #[serde(default)]
    pub is_contradiction: bool,
    /// Why nothing at all was found out, if it is not a limit of the method or of the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
}

/// What ended a check before its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Breakdown {
    /// A bug of ours.
    Bug,
    /// Somebody outside ended the process.
    Killed,
    /// Nothing was started, because it was clear that there is nothing to check.
    NotRun,
}

/// Inputs that make the versions differ, and how both end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WitnessReport {
    /// The call in the notation of the language: `mid(2147483647, 1)`.
    pub call: String,
    /// The parameters with their values, in full.
    pub parameters: Vec<Binding>,
    /// The globals and static objects that differ from what they hold when the program starts.
    pub globals: Vec<Binding>,
    pub outcomes: Versions<Outcome>,
    /// What differs, as a fragment: `the results differ`.
    pub difference: String,
    /// What kind of difference it is: `result`, `output`, `memory`, `error`, `calls`, `termination`, `undefined_old`,
    /// `undefined_new`.
    pub kind: String,
    /// Whether the versions were proved to do the same wherever both are defined.
    pub only_undefined: bool,
    /// The call of something changed, on the way, at which the versions part.
    pub on_the_way: Option<PartingCallReport>,
    /// What ran both versions and saw the same: `interpreter`, `java`, `cc`.
    pub replayed: Vec<String>,
    /// Why the real runtime was not asked although it should have been.
    pub not_replayed: Option<String>,
    /// The real runtime disagrees with the interpreter: a bug of ours.
    pub replay_disagreement: Option<String>,
}

/// Calls that the versions make on their way, and that are the first to differ.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PartingCallReport {
    /// Whether it is the same call in both versions, which ends differently.
    pub same_arguments: bool,
    /// What differs, as a fragment: `the results differ`, `the arguments already differ`.
    pub difference: String,
    /// The call that each version makes; absent if only the other one makes it.
    pub calls: Versions<Option<CallReport>>,
}

/// A call that was made in the midst of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallReport {
    pub function: String,
    /// `size(6)`.
    pub call: String,
    pub arguments: Vec<Binding>,
    /// The globals that it may use and that differ from what they hold when the program starts.
    pub globals: Vec<Binding>,
    pub outcome: Outcome,
}

/// A name and its value in the notation of the language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Binding {
    pub name: String,
    pub value: String,
}

/// How one version ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The returned value; absent for `void` and for failures.
    pub result: Option<String>,
    /// Whether the run never ends; then there is neither a result nor an error.
    pub endless: bool,
    /// The name of the error that ended the run.
    pub error: Option<String>,
    /// `throws` in Java, `fails with` elsewhere.
    pub failure_verb: String,
    /// Everything that was written to the standard output.
    pub output: String,
    /// Everything that was written to the standard error output.
    pub error_output: String,
    /// What the run left behind in globals and in objects of the inputs, where the versions disagree.
    pub effects: Vec<Binding>,
}

/// What a check cost.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StatisticsReport {
    pub seconds: f64,
    pub solver_calls: u32,
    pub solver_seconds: f64,
    pub refinements: u32,
    pub inputs_tried: u64,
    pub steps: u64,
    pub terms: u64,
}

/// A range of a source file; lines and columns count from 1, columns in characters, the end is exclusive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// The old and the new version of a thing: `ir::Pair` in a form that can be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Versions<T> {
    pub old: T,
    pub new: T,
}

impl<T> From<ir::Pair<T>> for Versions<T> {
    fn from(pair: ir::Pair<T>) -> Versions<T> {
        Versions { old: pair.old, new: pair.new }
    }
}

/// How many pairs got which verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub equivalent: usize,
    pub different: usize,
    pub unknown: usize,
}

impl RunReport {
    pub fn counts(&self) -> Counts {
        let count = |word| self.results.iter().filter(|result| result.verdict == word).count();
        Counts {
            equivalent: count(VerdictWord::Equivalent),
            different: count(VerdictWord::Different),
            unknown: count(VerdictWord::Unknown),
        }
    }

    /// Whether a real runtime contradicted the interpreter.
    pub fn has_replay_disagreement(&self) -> bool {
        self.results
            .iter()
            .filter_map(|result| result.witness.as_ref())
            .any(|witness| witness.replay_disagreement.is_some())
    }

    /// Whether solver and interpreter contradicted each other.
    pub fn has_contradiction(&self) -> bool {
        self.results.iter().flat_map(|result| &result.reasons).any(|reason| reason.is_contradiction)
    }

    /// Whether a stage of ours panicked or died, on the way to a verdict or before.
    pub fn has_breakdown(&self) -> bool {
        let mut reasons = self.results.iter().flat_map(|result| &result.reasons);
        self.is_broken || reasons.any(|reason| reason.breakdown == Some(Breakdown::Bug))
    }
}

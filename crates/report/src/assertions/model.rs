//! Outcomes of assertions as plain data.

use serde::{Deserialize, Serialize};

use crate::explain::Step;
use crate::model::{Binding, ReasonReport, StatisticsReport};

/// What a run of `assert` found out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AssertionRun {
    pub results: Vec<AssertionReport>,
    /// Files that could not be read or understood.
    pub errors: Vec<String>,
    /// One of these files could not be understood because of a bug of ours.
    pub is_broken: bool,
    pub notes: Vec<String>,
    /// Whether there is an old version that the outcomes are compared with.
    pub is_differential: bool,
}

/// The outcome of one clause of an assertion.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AssertionReport {
    /// The procedure in which it stands.
    pub function: String,
    /// The procedure whose inputs are considered.
    pub entry: String,
    pub language: String,
    pub file: String,
    pub line: u32,
    /// The clause as it is written.
    pub assertion: String,
    /// `assert`, `annotation`, `loop_invariant`, `invariant` of a class, `ensures`, `error`.
    pub kind: String,
    pub outcome: OutcomeWord,
    /// What caused a failure, if there is an old version that passes.
    pub cause: Option<Cause>,
    /// Whether the outcome is that of code checked before, on which it rests as well.
    pub inherited: bool,
    /// Whether an input gets there at all, as far as that is known.
    pub is_reached: Option<bool>,
    pub reasons: Vec<ReasonReport>,
    /// Of an *unknown*: no violation within this many iterations.
    pub bound: Option<u32>,
    pub assumptions: Vec<String>,
    pub witness: Option<AssertionWitness>,
    /// The changed lines of the new version that a failure depends on.
    pub changed_lines: Vec<u32>,
    pub statistics: StatisticsReport,
    /// Branch decisions that were explored, where paths are.
    pub states: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeWord {
    Holds,
    Fails,
    Unknown,
}

impl OutcomeWord {
    pub fn name(self) -> &'static str {
        match self {
            OutcomeWord::Holds => "holds",
            OutcomeWord::Fails => "fails",
            OutcomeWord::Unknown => "unknown",
        }
    }
}

/// What made an assertion fail that did not fail before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// Changed code does not meet a new clause.
    Feature,
    /// Changed code violates an assertion that held before.
    Regression,
    /// A new clause does not hold of code that did not change.
    Property,
}

impl Cause {
    pub fn name(self) -> &'static str {
        match self {
            Cause::Feature => "feature",
            Cause::Regression => "regression",
            Cause::Property => "property",
        }
    }

    pub fn in_words(self) -> &'static str {
        match self {
            Cause::Feature => "the changed code does not meet the new clause",
            Cause::Regression => "the changed code breaks an assertion that held before",
            Cause::Property => "the clause is new, and the code on this path did not change",
        }
    }
}

/// Inputs that violate an assertion.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AssertionWitness {
    pub call: String,
    pub parameters: Vec<Binding>,
    pub globals: Vec<Binding>,
    /// The way of the run up to the assertion.
    pub path: Vec<Step>,
    /// How the run ends with assertions on: `AssertionError`.
    pub ending: Option<String>,
    /// How the old version ends on these inputs.
    pub old: Option<OldRun>,
    pub replayed: Vec<String>,
    pub not_replayed: Option<String>,
    pub replay_disagreement: Option<String>,
}

/// What the old version does on the inputs of a failure.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OldRun {
    /// Whether it passes its assertions there.
    pub passes: bool,
    pub outcome: String,
    pub path: Vec<Step>,
}

impl AssertionRun {
    pub fn count(&self, word: OutcomeWord) -> usize {
        self.results.iter().filter(|result| result.outcome == word).count()
    }
}

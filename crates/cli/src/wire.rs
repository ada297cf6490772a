//! What parent and worker say to each other, each a line of JSON: requests, messages, and what is in them.

mod replay_plan;

pub use replay_plan::{CEnding, CPlan, Expected, JavaPlan, Plan};

use std::num::NonZero;

use ir::Diagnostic;
use report::explain::Explanation;
use report::{PairHeader, PairReport, Versions};
use serde::{Deserialize, Serialize};

use crate::known_input::KnownInput;

/// What the parent asks for after the job.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) pair: usize,
    pub(crate) seconds: f64,
    /// How many threads may work on it, if there is memory for them.
    pub(crate) threads: NonZero<usize>,
}

/// What the worker says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    /// The sources are read; these are the pairs.
    Listed(Listing),
    /// The sources have errors.
    BadInput(Vec<String>),
    Answered(Box<Answer>),
    /// Something of ours went wrong before there were pairs.
    Broken(String),
}

/// What there is to check.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Listing {
    pub(crate) pairs: Vec<PairHeader>,
    pub(crate) added: Vec<Unmatched>,
    pub(crate) removed: Vec<Unmatched>,
    /// Procedures of the client that reach nothing that changed.
    pub(crate) unaffected: Vec<String>,
    /// Procedures that are written as before and reach nothing that changed.
    pub(crate) unchanged: Vec<String>,
    /// Procedures that are written as before, and are the same if the pairs are.
    pub(crate) callers: Vec<String>,
    /// Of files that were left out.
    pub(crate) errors: Vec<BadFile>,
    /// Remarks about the sources.
    pub(crate) notes: Vec<String>,
    /// The assertions, in the order of `pairs`, if these are what is asked about.
    #[serde(default)]
    pub(crate) assertions: Vec<AssertionHeader>,
}

/// What is known of an assertion before it is checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AssertionHeader {
    /// The procedure in which it stands.
    pub(crate) function: String,
    /// The procedure whose inputs are considered.
    pub(crate) entry: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// Which of the assertions of its line it is.
    pub(crate) number: usize,
    /// Where it stands among the statements that belong to no assertion.
    pub(crate) place: String,
    pub(crate) kind: AssertionKind,
    /// The clause, if the worker knows it.
    pub(crate) clause: Option<String>,
    /// The variables of the procedure with their types, as the language writes these; empty where it has no word.
    pub(crate) variables: Vec<(String, String)>,
    /// Where the procedure ends: its last line and the column after it.
    pub(crate) end: (u32, u32),
    /// Whether it belongs to an object or a class: `true` for an object.
    pub(crate) has_receiver: bool,
    /// What the outcome rests on, by content.
    pub(crate) keys: AssertionKeys,
    /// The same as text, in normal form.
    pub(crate) code: String,
    /// Whether the procedure surely ends: nothing in it repeats, and all of it is there.
    pub(crate) ends: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AssertionKind {
    Assertion,
    /// That this error does not happen.
    NoError(String),
    Ensures,
}

/// Numbers made of code and options: the same numbers, the same outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AssertionKeys {
    /// Of what the outcome rests on while other assertions do nothing.
    pub(crate) alone: String,
    /// Of what it rests on as the program is.
    pub(crate) exact: String,
    /// Of the code without any assertion.
    pub(crate) code: String,
    /// Of the same with the names of its variables.
    #[serde(default)]
    pub(crate) names: String,
}

/// A procedure without a counterpart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Unmatched {
    pub(crate) name: String,
    pub(crate) file: String,
}

/// An error of a file that was left out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BadFile {
    pub(crate) file: String,
    /// Complete, with the file and the line.
    pub(crate) message: String,
    /// We are to blame for it.
    pub(crate) is_bug: bool,
}

impl From<&Diagnostic> for BadFile {
    fn from(error: &Diagnostic) -> BadFile {
        BadFile { file: error.file.clone(), message: error.to_string(), is_bug: error.is_bug() }
    }
}

/// What came of one pair.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) report: PairReport,
    /// How to run the witness on the real thing, when that was asked for.
    pub(crate) replay: Option<Plan>,
    /// What `--dump` shows.
    pub(crate) dump: Option<Shown>,
    /// Why the versions differ, when that was asked for.
    pub(crate) explanation: Option<Explanation>,
    /// What the stages did, a line of JSON each.
    pub(crate) trace: Vec<String>,
    /// What an *equivalent* rests on.
    pub(crate) obligations: Vec<Obligation>,
    /// What was found out about an assertion, if that was asked.
    #[serde(default)]
    pub(crate) assertion: Option<AssertionAnswer>,
}

/// What was found out about an assertion besides what the report says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AssertionAnswer {
    /// Whether an input gets to it, as far as that is known.
    pub(crate) is_reached: Option<bool>,
    /// The way of a run that violates it, up to there.
    pub(crate) path: Vec<report::explain::Step>,
    /// Whether the outcome does not depend on other assertions.
    pub(crate) is_alone: bool,
    /// How the run ends in the language: the name of an error.
    pub(crate) ending: Option<String>,
    /// The inputs of a violation.
    pub(crate) input: Option<KnownInput>,
    /// Whether they were known before.
    #[serde(default)]
    pub(crate) was_known: bool,
    /// Branch decisions that were explored.
    #[serde(default)]
    pub(crate) states: u64,
    /// What held in all runs of a procedure, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) likely: Option<LikelyClauses>,
}

/// Clauses that held in all runs of a procedure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LikelyClauses {
    pub(crate) function: String,
    pub(crate) file: String,
    /// Where the procedure starts, and where it ends: line and column.
    pub(crate) start: (u32, u32),
    pub(crate) end: (u32, u32),
    /// Its variables and its result, with their types as the language writes these; empty where it has no word.
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) result: String,
    pub(crate) has_receiver: bool,
    pub(crate) is_recursive: bool,
    pub(crate) clauses: Vec<LikelyClause>,
}

/// A clause, with the line of the loop that it is about; none for the end of the procedure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LikelyClause {
    /// The less, the more it tells.
    pub(crate) weight: u32,
    pub(crate) line: Option<u32>,
    pub(crate) clause: String,
}

impl Answer {
    /// A report, and nothing else.
    pub(crate) fn only(report: PairReport) -> Answer {
        Answer {
            report,
            replay: None,
            dump: None,
            explanation: None,
            trace: Vec::new(),
            obligations: Vec::new(),
            assertion: None,
        }
    }
}

/// A question that was refuted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Obligation {
    pub(crate) question: String,
    pub(crate) script: String,
}

impl From<&check::Obligation> for Obligation {
    fn from(obligation: &check::Obligation) -> Obligation {
        Obligation { question: obligation.question.to_owned(), script: obligation.script.clone() }
    }
}

/// What is shown of a pair: a text, or what becomes one together with the sources.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Shown {
    Text(String),
    Alignment(Box<AlignedPair>),
}

/// Which lines of a pair go together, in a form that can be sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AlignedPair {
    pub(crate) names: Versions<String>,
    pub(crate) header: PairHeader,
    /// The line of the old version, that of the new one, and whether they are common.
    pub(crate) matches: Vec<(u32, u32, bool)>,
    pub(crate) moved: Versions<Vec<u32>>,
}

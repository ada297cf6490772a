//! What parent and worker say to each other, each a line of JSON: requests, messages, and what is in them.

mod replay_plan;

pub use replay_plan::{CEnding, CPlan, Expected, JavaPlan, Plan};

use std::num::NonZero;

use ir::Diagnostic;
use report::explain::Explanation;
use report::{PairHeader, PairReport, Versions};
use serde::{Deserialize, Serialize};

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
    /// Of files that were left out.
    pub(crate) errors: Vec<BadFile>,
    /// Remarks about the sources.
    pub(crate) notes: Vec<String>,
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

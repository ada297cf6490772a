//! Verdicts as reports: plain data that can be sent between processes, and one file for each format.
//!
//! The types here are made from those of `check`, so that the inner types may change freely.
//! This crate prints nothing and reads nothing: it turns values into text.

pub mod assertions;
pub mod bench;
mod changed_lines;
mod convert;
pub mod explain;
mod json;
mod model;
mod notation;
mod outcome;
mod paint;
#[cfg(test)]
mod samples;
mod snippet;
mod text;

pub use convert::{PairHeader, ReportedConfig, pair_report, reason_text, witness_report};
pub use json::{is_quantified, render as render_json};
pub use model::{
    Binding, Breakdown, CallReport, ContractOutcome, ContractReport, Counts, Outcome, PairReport,
    PartingCallReport, Place, ReasonReport, RunReport, StatisticsReport, VerdictWord, Versions,
    WitnessReport,
};
pub use notation::Notation;
pub use outcome::outcome_texts;
pub use paint::Style;
pub use text::render as render_text;

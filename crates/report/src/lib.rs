//! Verdicts as reports: plain data that can be sent between processes, and one file for each format.
//!
//! The types here are made from those of `check`, so that the inner types may change freely.
//! This crate prints nothing and reads nothing: it turns values into text.

pub mod bench;
mod changed_lines;
mod convert;
mod evidence;
mod json;
mod model;
mod notation;
mod paint;
mod parting;
mod reason;
#[cfg(test)]
mod samples;
mod snippet;
mod text;
mod witness;

pub use convert::{PairHeader, ReportedConfig, pair_report};
pub use json::render as render_json;
pub use model::{
    Binding, Breakdown, CallReport, Counts, Outcome, PairReport, PartingCallReport, Place, ReasonReport,
    RunReport, StatisticsReport, VerdictWord, Versions, WitnessReport,
};
pub use notation::Notation;
pub use paint::Style;
pub use reason::reason_text;
pub use text::render as render_text;

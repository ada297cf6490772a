//! Outcomes of assertions as reports.

pub mod figures;
mod json;
mod model;
pub mod proposals;
mod text;

pub use json::render as render_json;
pub use model::{AssertionReport, AssertionRun, AssertionWitness, Cause, OldRun, OutcomeWord};
pub use text::render as render_text;

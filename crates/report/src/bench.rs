//! Benchmark runs as reports: verdicts against labels, and the tables and plots that compare strategies.
//!
//! `model` is the data, `tally` counts it, `tables` arranges the counts, and each format has a file of its own.

mod calls_plot;
mod compare;
mod csv;
mod html;
mod html_style;
mod json;
mod markdown;
mod model;
mod plot;
#[cfg(test)]
mod samples;
mod spread;
mod tables;
mod tally;
mod text;

pub use csv::render as render_csv;
pub use html::render as render_html;
pub use json::render as render_json;
pub use markdown::render as render_markdown;
pub use model::{BenchReport, CaseReport, Label, RunRecord, Score};
pub use text::render as render_text;

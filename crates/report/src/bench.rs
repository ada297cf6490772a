//! Benchmark runs as reports: verdicts against labels, and the tables and plots that compare strategies.
//!
//! `model` is the data, `tally` counts it, `tables` and `paper` arrange the counts, `plot` draws them, and each format
//! has a file of its own.

mod compare;
mod csv;
mod export;
mod html;
mod html_style;
mod json;
mod latex;
mod markdown;
mod model;
mod others;
mod paper;
mod plot;
mod repeat;
#[cfg(test)]
mod samples;
mod spread;
mod svg;
mod tables;
mod tally;
mod text;

pub use csv::render as render_csv;
pub use export::{ExportFile, export};
pub(crate) use html::escaped;
pub use html::render as render_html;
pub use json::render as render_json;
pub use markdown::render as render_markdown;
pub use model::{BenchReport, CaseReport, Correction, Label, LeftOut, RunRecord, Score};
pub use others::{OtherFigure, OtherResult, OtherTool};
pub use text::render as render_text;

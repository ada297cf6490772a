//! Explanations of differences: plain data, and one file for each format.

mod columns;
mod html;
mod html_style;
mod json;
mod model;
mod text;

pub use html::render as render_html;
pub use json::render as render_json;
pub use model::{EffectRow, Explanation, PathPair, PathRow, Seen, SeenKind, Step, StepRow};
pub use text::render as render_text;

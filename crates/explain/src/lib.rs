//! Explains why two versions of a procedure differ: what each does under which condition, and the ways of both through
//! their sources with the values along them.
//!
//! Values in, values out: this crate reads no files and prints nothing. Verdicts and witnesses come from `check`.

mod alignment;
mod cubes;
mod effects;
mod events;
mod outputs;
mod paths;
mod side_by_side;

pub use effects::{Row, effect_rows};
pub use paths::{path, path_pair};

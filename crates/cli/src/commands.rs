//! The commands of the program, one module each.

mod check;

pub use check::check;
pub(crate) use check::{options, style};

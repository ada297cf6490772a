//! Says which procedure of the old version goes with which one of the new version.
//!
//! `ir` knows one program at a time and `check` one pair at a time; this stage stands between.
//! A match is a guess about what the programmer meant, never a claim about behaviour, so a wrong one can cost a useful
//! comparison but not make a verdict wrong.

mod classes;
mod find;
mod procedures;

pub use find::find_procedures;
pub use procedures::{Matching, match_procedures};

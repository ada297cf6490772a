//! Property differencing: the assertions of a program, the questions that settle them, and what a change asks for.
//!
//! | module | what it gives |
//! |---|---|
//! | [`spell_out`] | source text with one clause for each `assert`, and annotations as `assert` |
//! | [`sites`] | the places where a procedure asserts something |
//! | [`question`] | two programs that do the same exactly if an assertion holds |
//! | [`relevant`] | the code that the outcome of an assertion rests on, in normal form |
//!
//! Functions from values to values: this crate reads no files and starts no processes.

mod question;
mod relevant;
mod site;
mod written;

pub use question::{HOLDS, Others, REACHED, VIOLATED, by_induction, question, reached};
pub use relevant::{place, relevant, stripped, without_assertions};
pub use site::{Site, SiteKind, sites};
pub use written::{Spelled, Written, WrittenKind, spell_out};

//! Property differencing: the assertions of a program, the questions that settle them, and what a change asks for.
//!
//! | module | what it gives |
//! |---|---|
//! | [`spell_out`] | source text with one clause for each `assert`, and annotations as `assert` |
//! | [`sites`] | the places where a procedure asserts something |
//! | [`question`] | two programs that do the same exactly if an assertion holds |
//! | [`known_after_calls`] | the same with what callees assert |
//! | [`ending_at_any`] | a version that ends where it violates any of some assertions |
//! | [`relevant`] | the code that the outcome of an assertion rests on, in normal form |
//! | [`domain`] | what the code of an assertion may be given |
//! | [`impact`] | the statements that a change has an impact on |
//! | [`explore`] | symbolic execution path by path, full or directed |
//! | [`likely()`] | clauses that held in all runs on many inputs |
//! | [`Placing`] | where clauses can be written into a source |
//!
//! Functions from values to values: this crate reads no files, and the only process it causes is the solver's.

mod callees;
mod ending;
mod explore;
mod impact;
mod likely;
mod placing;
mod question;
mod relevant;
mod site;
mod surroundings;
mod written;

pub use callees::{known_after_calls, last_assertions};
pub use ending::VIOLATED;
pub use explore::{Direction, ExploreConfig, Explored, explore};
pub use impact::{Impact, impact};
pub use likely::{Likely, Moment, likely};
pub use placing::{Form, Placing, Wish};
pub use question::{
    Below, HOLDS, Others, REACHED, by_induction, ending_at_any, ending_there, question, reached,
};
pub use relevant::{CodePlace, place, relevant, stripped, without_assertions};
pub use site::{Site, SiteKind, sites};
pub use surroundings::domain;
pub use written::{Spelled, Written, WrittenKind, spell_out};

//! Infers under which inputs two versions of a procedure do the same.
mod atom;
mod bits;
mod formula;
mod learn;

pub use atom::{Atom, Holds};
pub use formula::{Cube, Formula, Literal};
pub use learn::{Learnt, Sample, learn};

//! Infers under which inputs two versions of a procedure do the same, and under which they differ.
//!
//! Conditions are boolean combinations of *atoms*, predicates in the words of the source, which a front end has lowered
//! to procedures. Runs on many inputs give samples; the simplest condition that fits them is proved, or refuted by an
//! input that is the next sample (counterexample-guided inductive synthesis). So a condition can be proved by everything
//! that `check` has, and no formula of the solver needs to be read back.

mod access;
mod atom;
mod bits;
mod coverage;
mod element_atoms;
mod formula;
mod index_ranges;
mod inference;
mod learn;
mod loop_bounds;
mod members;
mod proposal;
mod samples;
mod source_atoms;
mod templates;
mod term_atoms;
mod term_text;
mod thresholds;
mod words;

pub use access::{names_member, private_elsewhere};
pub use atom::{Atom, Atoms, Holds};
pub use coverage::{Coverage, coverage, has_same_input};
pub use element_atoms::element_atoms;
pub use formula::{Cube, Formula, Literal};
pub use inference::{Inferred, infer, is_recursive};
pub use learn::{Learnt, Refused, Sample, learn};
pub use loop_bounds::loop_bounds;
pub use members::CellNames;
pub use proposal::Learner;
pub use source_atoms::{SourceProcedure, negation, source_atoms};
pub use templates::templates;
pub use term_atoms::term_atoms;
pub use term_text::Words;
pub use thresholds::thresholds;

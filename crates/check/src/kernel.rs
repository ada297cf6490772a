//! The kernel: what is claimed, what is asked about it, and what makes a proof. No other module makes one.
//!
//! A [`Claim`] says of two summaries that they do the same. It alone forms the questions whether some input makes
//! them differ and whether some run leaves what was followed; a proof needs both refuted, for the same claim, and
//! runs that show what it speaks of.

mod claim;
mod covering;
mod everywhere;
mod exercised;
mod inputs_exist;
mod proof;
mod residual;
mod same_code;
mod termination;

pub(crate) use claim::{Claim, Difference, Hypothetical, Unfinished};
pub(crate) use covering::{Covered, Covering, Uncovered};
pub use everywhere::DifferEverywhere;
pub(crate) use exercised::Exercised;
pub(crate) use inputs_exist::InputsExist;
pub(crate) use proof::Basis;
pub use proof::{Boundary, CommonCodeUse, Proof, ProofMethod};
pub(crate) use residual::ResidualCondition;
pub(crate) use same_code::{SameCode, identical, same_text};
pub(crate) use termination::EndsAlike;
pub use termination::Termination;

//! The kernel: what is claimed, what is asked about it, and what makes a proof. No other module makes one.
//!
//! A [`Claim`] says of two summaries that they do the same. It alone forms the questions whether some input makes
//! them differ and whether some run leaves what was followed; a proof needs both refuted, for the same claim, and
//! runs that show what it speaks of.

mod claim;
mod inputs_exist;
mod proof;
mod same_code;
mod settled;
mod termination;

pub(crate) use claim::{Claim, Difference, Hypothetical, Unfinished};
pub(crate) use inputs_exist::InputsExist;
pub(crate) use proof::Basis;
pub use proof::{CommonCodeUse, Proof, ProofMethod};
pub(crate) use same_code::{SameCode, identical};
pub(crate) use settled::Settled;
pub(crate) use termination::EndsAlike;
pub use termination::Termination;

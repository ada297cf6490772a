//! Verdicts, with the evidence that each of them needs to exist.
//!
//! | verdict | exists only with |
//! |---|---|
//! | equivalent | a `Proof`, made from a refuted difference *and* refuted cuts, and runs that show what it speaks of; or from identical code |
//! | different | a `Witness`, made by running both versions |
//! | unknown | at least one reason |
//!
//! Verdicts of many pairs combine to one exit: any *different* wins, then any *unknown*, then *equivalent*.

use crate::kernel::Proof;
use crate::unknown::Unknown;
use crate::witness::Witness;

/// The answer for one pair.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The same observable behaviour on every input, under the assumptions listed in the proof.
    Equivalent(Proof),
    /// These inputs make the versions differ; the interpreter ran both.
    Different(Box<Witness>),
    /// We do not know, and say why.
    Unknown(Unknown),
}

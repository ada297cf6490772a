//! Residual conditions: the inputs that a bounded check leaves to the next engine (conditional model checking).
//!
//! A `ResidualCondition` exists only if no input beyond it makes the versions differ; a proof about the inputs that meet
//! it is then one about all inputs.
//! Exact: it says where runs leave what was followed, as a formula over the inputs.

use query::Refuted;
use smt::Term;

use super::claim::{Claim, Difference};

/// The inputs that are left once all runs within a bound are known to do the same.
pub(crate) struct ResidualCondition {
    term: Term,
    bound: u32,
    assumptions: Vec<String>,
}

impl ResidualCondition {
    /// From a claim of which no difference is left within a bound. `None` if the token is of another claim.
    pub(crate) fn of(
        claim: &Claim,
        refuted: &Refuted<Difference>,
        bound: u32,
        assumptions: Vec<String>,
    ) -> Option<ResidualCondition> {
        let term = claim.question().unfinished;
        claim.is_about(refuted).then_some(ResidualCondition { term, bound, assumptions })
    }

    pub(crate) fn term(&self) -> Term {
        self.term
    }

    /// How far runs were followed.
    pub(super) fn bound(&self) -> u32 {
        self.bound
    }

    /// What the bounded check takes for granted.
    pub(super) fn assumptions(&self) -> &[String] {
        &self.assumptions
    }
}

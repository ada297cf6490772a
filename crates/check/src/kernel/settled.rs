//! Inputs that one engine has settled, so that the next one need not look at them (conditional model checking).
//!
//! A `Settled` exists only if no input but the open ones makes the versions differ; a proof about the open inputs
//! together with it is a proof about all inputs.
//! Exact: what is open is where runs leave what was followed, as a formula over the inputs.

use query::Refuted;
use smt::Term;

use super::claim::{Claim, Difference};

/// All inputs but the open ones.
pub(crate) struct Settled {
    open: Term,
    bound: u32,
    assumptions: Vec<String>,
}

impl Settled {
    /// The inputs on which runs end within a bound, from a claim of which no difference is left within it. `None` if
    /// the token is of another claim.
    pub(crate) fn of(
        claim: &Claim,
        refuted: &Refuted<Difference>,
        bound: u32,
        assumptions: Vec<String>,
    ) -> Option<Settled> {
        let open = claim.question().unfinished;
        claim.is_about(refuted).then_some(Settled { open, bound, assumptions })
    }

    /// The inputs that are left.
    pub(crate) fn open(&self) -> Term {
        self.open
    }

    /// How far runs were followed.
    pub(crate) fn bound(&self) -> u32 {
        self.bound
    }

    /// What it takes for granted.
    pub(crate) fn assumptions(&self) -> &[String] {
        &self.assumptions
    }
}

//! The proof that two versions differ on every input: for the other side of a condition.

use query::Refuted;

use super::claim::{Agreement, Claim, Unfinished};

/// Says that the versions differ on every input that a claim is about, on which both end and one is defined.
#[derive(Debug)]
pub struct DifferEverywhere {
    assumptions: Vec<String>,
}

impl DifferEverywhere {
    /// No input makes the versions do the same, and none leaves what was followed.
    pub(crate) fn refuted(
        claim: &Claim,
        agreement: &Refuted<Agreement>,
        unfinished: &Refuted<Unfinished>,
        assumptions: Vec<String>,
    ) -> DifferEverywhere {
        let is_one = claim.is_about_agreement(agreement) && claim.is_finished(unfinished);
        assert!(is_one, "tokens should be of one claim");
        DifferEverywhere { assumptions }
    }

    /// What the proof takes for granted, in words.
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }
}

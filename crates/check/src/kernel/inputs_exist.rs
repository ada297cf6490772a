//! Whether there is anything to compare: everything follows from contradictory assumptions.

use budget::Budget;
use query::{Client, Consistency};
use smt::{Floats, Terms};

use super::claim::Claim;
use super::exercised::Exercised;
use crate::unknown::Reason;

/// Says that the assumptions of a proof hold for some input.
pub(crate) struct InputsExist(());

impl InputsExist {
    /// Both versions ended on some input: what they assume of inputs held on the way.
    pub(crate) fn were_run(_exercised: &Exercised) -> InputsExist {
        InputsExist(())
    }

    /// Inputs were run; what a claim has added to its premises must not exclude them all.
    pub(crate) fn under(
        claim: &Claim,
        exercised: &Exercised,
        terms: &mut Terms,
        client: &mut Client,
        floats: Floats,
        budget: &Budget,
    ) -> Result<InputsExist, Reason> {
        let conditions = claim.compared(terms);
        match client.consistency(terms, &conditions, floats, budget) {
            Consistency::Contradictory => Err(Reason::Vacuous),
            Consistency::Consistent => Ok(InputsExist::were_run(exercised)),
            Consistency::GaveUp(reason) => Err(reason.into()),
        }
    }
}

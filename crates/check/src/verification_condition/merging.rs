//! Parts of a hard question are made the same where they are equal, and how much work goes into the whole before that.
//!
//! Exact: what is replaced was refuted to differ wherever the question is asked.

use budget::{Budget, Steps};
use smt::{Floats, Terms};
use symbolic::input_variables;

use super::VerificationCondition;
use super::depth::Merge;
use crate::CheckConfig;
use query::Client;

/// The work for a question that can be asked in parts.
const LEAST_AS_A_WHOLE: Steps = Steps::of_milliseconds(300);
const MOST_AS_A_WHOLE: Steps = Steps::of_milliseconds(900);
/// The least that a question gets.
const LEAST: Steps = Steps::of_milliseconds(50);

/// What a question gets as a whole that can be asked in parts.
pub(super) fn as_a_whole(budget: &Budget) -> Budget {
    budget.at_most((budget.left() / 8).clamp(LEAST_AS_A_WHOLE, MOST_AS_A_WHOLE))
}

impl VerificationCondition<'_> {
    /// Replaces parts of the question by equal ones, so that the rest of it gets easier.
    pub(super) fn merge_equal_parts(
        &mut self,
        terms: &mut Terms,
        way: Merge,
        config: &CheckConfig,
        client: &mut Client,
    ) {
        self.merges += 1;
        let left = config.budget.left();
        let budget = config.budget.at_most(if self.are_parts_merged() { left / 2 } else { left / 3 });
        match way {
            Merge::InPlace => {
                let inputs = input_variables(terms, &self.inputs);
                self.claim.decompose(terms, inputs, client, &budget);
            }
            Merge::Alike => self.claim.sweep(terms, client, &budget),
        }
    }

    /// Whether parts were merged in all ways that there are.
    pub(super) fn are_parts_merged(&self) -> bool {
        self.merges == self.depth.merges.len()
    }

    /// Where parts can be merged, the whole question is first asked with a part of the work: what is hard as a whole may
    /// be easy in parts. Floats as symbols are quick or hopeless: their IEEE meaning gets most of it.
    pub(super) fn share(&self, config: &CheckConfig, floats: Floats) -> Budget {
        let left = config.budget.left();
        let share = match floats {
            Floats::Symbols if self.depth.merges == [Merge::InPlace] && self.merges == 0 => {
                return as_a_whole(&config.budget);
            }
            Floats::Symbols if !self.are_parts_merged() => left / 5,
            Floats::Symbols if self.has_floats && self.depth.ieee => left / 3,
            Floats::Symbols | Floats::Ieee => left,
        };
        config.budget.at_most(share.max(LEAST))
    }
}

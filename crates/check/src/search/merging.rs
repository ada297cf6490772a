//! Parts of a hard question are made the same where they are equal, and how long the whole is tried before that.
//!
//! Exact: what is replaced was refuted to differ wherever the question is asked.

use std::time::{Duration, Instant};

use smt::{Floats, Terms};
use symbolic::Question;

use super::Search;
use super::by_parts::Parts;
use super::depth::Merge;
use crate::CheckConfig;
use crate::question::Asker;
use crate::relevance::input_variables;
use crate::sweep::sweep;

/// The time for a question that can be asked in parts.
pub(super) const LEAST_AS_A_WHOLE: Duration = Duration::from_millis(100);
pub(super) const MOST_AS_A_WHOLE: Duration = Duration::from_millis(300);

impl Search<'_> {
    /// Replaces parts of the question by equal ones, so that the rest of it gets easier.
    pub(super) fn merge_equal_parts(
        &mut self,
        terms: &mut Terms,
        way: Merge,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) {
        self.merges += 1;
        let (now, left) = (Instant::now(), config.time_left());
        let deadline = now + if self.are_parts_merged() { left / 2 } else { left / 3 };
        let Question { differ, unfinished, .. } = self.question;
        match way {
            Merge::InPlace => {
                let inputs = input_variables(terms, &self.inputs);
                let mut known = self.assumptions.clone();
                known.push(terms.not(unfinished));
                let parts = Parts::new(terms, asker, inputs, &known, deadline);
                self.question.differ = parts.simplified(differ);
            }
            Merge::Alike => {
                let roots = [differ, unfinished];
                let swept = sweep(terms, asker, &self.assumptions, &roots, Floats::Symbols, deadline);
                (self.question.differ, self.question.unfinished) = (swept[0], swept[1]);
            }
        }
    }

    /// Whether parts were merged in all ways that there are.
    pub(super) fn are_parts_merged(&self) -> bool {
        self.merges == self.depth.merges.len()
    }

    /// Where parts can be merged, the whole question is first asked with a part of the time: what is hard as a whole may
    /// be easy in parts. Floats as symbols are quick or hopeless: their IEEE meaning gets most of the time.
    pub(super) fn share_of_time(&self, config: &CheckConfig, floats: Floats) -> Instant {
        let left = config.time_left();
        let share = match floats {
            Floats::Symbols if self.depth.merges == [Merge::InPlace] && self.merges == 0 => {
                (left / 8).clamp(LEAST_AS_A_WHOLE, MOST_AS_A_WHOLE)
            }
            Floats::Symbols if !self.are_parts_merged() => left / 5,
            Floats::Symbols if self.has_floats && self.depth.ieee => left / 3,
            Floats::Symbols | Floats::Ieee => left,
        };
        Instant::now() + share.max(Duration::from_millis(50)).min(left)
    }
}

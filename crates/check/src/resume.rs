//! The resume state of a pair: what engines have said with less work. They need not be asked for it again.
//!
//! A heuristic: an engine that left much of its share is taken to have done all that it can.

use std::collections::BTreeSet;

use budget::{Budget, Steps};

use crate::Strategy;
use crate::strategies::Portfolio;
use crate::unknown::{Reason, Unknown};
use crate::verdict::Verdict;

/// How much of its share a strategy that was stopped has used at the least.
const USED_UP: f64 = 0.8;

/// What became of a pair so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct ResumeState {
    /// Strategies that gave up before their share was used up: a larger one does not help them.
    exhausted: BTreeSet<Strategy>,
    /// That there is no difference up to a bound.
    bounded: Option<Unknown>,
    /// What stood in the way of engines that did not decide.
    reasons: Vec<Reason>,
    /// Which alignments are left.
    pub(crate) portfolio: Option<Portfolio>,
}

impl ResumeState {
    pub(crate) fn is_exhausted(&self, strategy: Strategy) -> bool {
        self.exhausted.contains(&strategy)
    }

    /// Notes that a strategy is done: a larger share would not help it.
    pub(crate) fn note_exhausted(&mut self, strategy: Strategy) {
        self.exhausted.insert(strategy);
    }

    /// Notes that a strategy gave up: for good, unless its share was used up.
    pub(crate) fn note_gave_up(&mut self, strategy: Strategy, share: Steps, budget: &Budget) {
        if budget.left() > share.mul_f64(1.0 - USED_UP) {
            self.exhausted.insert(strategy);
        }
    }

    /// Notes why an engine did not decide. Its bound is no reason: other engines go further.
    pub(crate) fn note_reasons(&mut self, unknown: &Unknown) {
        let reasons = unknown.reasons().filter(|reason| !matches!(reason, Reason::Bound { .. }));
        for reason in reasons {
            if !self.reasons.contains(reason) {
                self.reasons.push(reason.clone());
            }
        }
    }

    /// What stood in the way of the engines so far.
    pub(crate) fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// How far everything was followed without a difference.
    pub(crate) fn bounded(&self) -> Option<&Unknown> {
        self.bounded.as_ref()
    }

    /// Notes how far everything was followed.
    pub(crate) fn note_bound(&mut self, verdict: &Verdict) {
        if let Verdict::Unknown(unknown) = verdict
            && unknown.no_difference_up_to().is_some()
        {
            self.bounded = Some(unknown.clone());
        }
    }
}

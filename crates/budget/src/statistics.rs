//! What a check cost, for reports.

use std::ops::AddAssign;
use std::time::Duration;

use crate::Steps;

/// What a check cost.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    pub elapsed: Duration,
    pub solver_calls: u32,
    pub solver_time: Duration,
    pub inputs_tried: u64,
    pub steps: u64,
    /// All work, in the steps that budgets are counted in.
    pub effort: Steps,
    pub terms: u64,
    /// How often an abstraction was refined.
    pub refinements: u32,
}

impl AddAssign for Statistics {
    /// Adds what a part of a check cost. The terms of parts are not kept together: the most at a time counts.
    fn add_assign(&mut self, part: Statistics) {
        let Statistics {
            elapsed,
            solver_calls,
            solver_time,
            inputs_tried,
            steps,
            effort,
            terms,
            refinements,
        } = part;
        self.elapsed += elapsed;
        self.solver_calls += solver_calls;
        self.solver_time += solver_time;
        self.inputs_tried += inputs_tried;
        self.steps += steps;
        self.effort += effort;
        self.terms = self.terms.max(terms);
        self.refinements += refinements;
    }
}

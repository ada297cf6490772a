//! The vocabulary of coupling invariants: what stays the same while two loops run.
//!
//! These are the inputs, the states of the loops themselves and of the loops around them, and what loops that ended
//! before have left behind. What loops inside leave behind has one name for all iterations, so that a relation that
//! spoke of it would speak of another iteration each time: nothing may rest on such a relation.

use std::collections::BTreeSet;

use smt::Term;
use symbolic::LoopUse;

use crate::LoopProduct;

impl LoopProduct<'_> {
    /// The variables that relations of a loop may speak of.
    pub(crate) fn scope(&self, place: usize) -> BTreeSet<Term> {
        let mut scope = self.inputs.clone();
        let mut around = Some(place);
        while let Some(inner) = around {
            let coupled = &self.loops[inner];
            for iteration in [&coupled.iterations.old, &coupled.iterations.new] {
                scope.extend(iteration.before.iter().filter(|term| self.is_state(**term)));
            }
            for ended in self.loops[..inner].iter().filter(|it| it.parent == coupled.parent) {
                scope.extend(left_behind(&ended.uses.old));
                scope.extend(left_behind(&ended.uses.new));
            }
            around = coupled.parent;
        }
        scope
    }

    /// Whether a relation speaks only of what stays the same while a loop runs.
    pub(crate) fn is_in_scope(&self, relation: Term, scope: &BTreeSet<Term>) -> bool {
        self.terms.variables(relation).is_subset(scope)
    }
}

/// The symbols of what a loop leaves behind.
fn left_behind(loop_use: &LoopUse) -> Vec<Term> {
    let exits = loop_use.exit.iter().chain(&loop_use.result);
    exits.chain([&loop_use.ended]).chain(&loop_use.written).copied().collect()
}

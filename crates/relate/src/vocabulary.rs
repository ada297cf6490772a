//! The vocabulary of coupling invariants: what stays the same while two loops run.
//!
//! These are the inputs, the states of the loops and of the loops around them, and what loops before them left behind.
//! What inner loops leave behind is not: it has one name for all iterations, and so means something else in each.

use std::collections::BTreeSet;

use smt::Term;
use symbolic::LoopUse;

use crate::LoopProduct;

impl LoopProduct<'_> {
    /// The variables that invariants of a loop may speak of.
    pub(crate) fn vocabulary(&self, place: usize) -> BTreeSet<Term> {
        let mut vocabulary = self.inputs.clone();
        let mut around = Some(place);
        while let Some(inner) = around {
            let coupled = &self.loops[inner];
            for iteration in [&coupled.iterations.old, &coupled.iterations.new] {
                vocabulary.extend(iteration.before.iter().filter(|term| self.is_state(**term)));
            }
            for ended in self.loops[..inner].iter().filter(|it| it.parent == coupled.parent) {
                vocabulary.extend(left_behind(&ended.uses.old));
                vocabulary.extend(left_behind(&ended.uses.new));
            }
            around = coupled.parent;
        }
        vocabulary
    }

    /// Whether an invariant speaks only of what stays the same while a loop runs.
    pub(crate) fn is_in_vocabulary(&self, relation: Term, vocabulary: &BTreeSet<Term>) -> bool {
        self.terms.variables(relation).is_subset(vocabulary)
    }
}

/// The symbols of what a loop leaves behind.
fn left_behind(loop_use: &LoopUse) -> Vec<Term> {
    let exits = loop_use.exit.iter().chain(&loop_use.result);
    exits.chain([&loop_use.ended]).chain(&loop_use.written).copied().collect()
}

//! Loops with a small proved bound are unrolled, and the others are run in lockstep.

use ir::Side;
use query::Client;
use relate::{Proved, fully_unrolled};
use smt::Terms;
use symbolic::input_variables;

use super::product::Product;
use crate::verdict::Verdict;
use crate::witness::Machines;

impl Product<'_, '_> {
    /// The verdict with such loops unrolled and the others in lockstep; `None` if there are none of them.
    pub(super) fn decide_fully_unrolled(&self, machines: &Machines, client: &mut Client) -> Option<Verdict> {
        let mut terms = Terms::new();
        let mut vc = self.summarize(&mut terms, client)?;
        let inputs = input_variables(&terms, vc.inputs());
        let mut assumptions = Vec::new();
        let mut count = 0;
        for side in [Side::Old, Side::New] {
            for loop_use in vc.summaries().get(side).loops.clone() {
                let iteration = self.construction(&vc).iterate(&mut terms, &loop_use, side, count);
                let proved = iteration.and_then(|iteration| {
                    let known = (vc.premises(), &inputs);
                    fully_unrolled(&mut terms, &iteration, &loop_use, known, &self.config.budget, client)
                });
                let Some(proved) = proved else { continue };
                vc.replace_loop(side, &loop_use, &proved);
                assumptions.extend(proved.assumptions);
                count += 1;
            }
        }
        if count == 0 {
            return None;
        }
        let all = terms.bool(true);
        let proved = self.prove(&mut terms, &vc, all, machines, client);
        let proved = proved.map(|proved| proved.and(Proved { assumptions, ..Proved::default() }));
        self.follow(&mut terms, vc, proved, machines, client)
    }
}

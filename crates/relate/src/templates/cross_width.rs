//! Relations between numbers of different widths: an `int` that counts what a pointer walks over.
//!
//! A guess, like all candidates.

use smt::{BvOp, Sort, Term};

use crate::LoopProduct;
use crate::simulation::Trace;

/// Relations of this kind, at the most.
const MOST_RELATIONS: usize = 60;

impl LoopProduct<'_> {
    /// Narrow numbers that are as far from where they started as wide ones.
    pub(crate) fn across_widths(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let coupled = &self.loops[place];
        let mut values: Vec<(Term, Term)> = Vec::new();
        for (iteration, loop_use) in
            [(&coupled.iterations.old, &coupled.uses.old), (&coupled.iterations.new, &coupled.uses.new)]
        {
            values.extend(iteration.before.iter().copied().zip(loop_use.entry.iter().copied()));
        }
        values.retain(|(variable, _)| self.is_state_of(place, *variable));
        let width = |product: &LoopProduct<'_>, term: Term| match product.terms.sort_of(term) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        };
        let mut found = Vec::new();
        for &(narrow, narrow_entry) in &values {
            for &(wide, wide_entry) in &values {
                let (Some(a), Some(b)) = (width(self, narrow), width(self, wide)) else { continue };
                if a >= b || found.len() >= MOST_RELATIONS {
                    continue;
                }
                for signed in [true, false] {
                    let terms = &mut *self.terms;
                    let mut widened = |term: Term| match signed {
                        true => terms.sign_extend(b, term),
                        false => terms.zero_extend(b, term),
                    };
                    let (now, then) = (widened(narrow), widened(narrow_entry));
                    let far = self.terms.bv_op(BvOp::Sub, now, then);
                    let also = self.terms.bv_op(BvOp::Sub, wide, wide_entry);
                    found.push(self.terms.eq(far, also));
                }
            }
        }
        trace.not_refuted(self.terms, found)
    }
}

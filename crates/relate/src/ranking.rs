//! Proofs that a loop which stands alone ends: every iteration comes to an end, and one that goes on makes a measure
//! smaller.
//!
//! Under-approximating: a loop may end without one of these measures. In machine numbers there are finitely many
//! values, so that any measure will do which gets strictly smaller in one of their two orders; integers without a
//! limit need a lower bound as well.

use smt::{BvCmp, BvOp, Floats, Sort, Term};
use symbolic::Iteration;

use crate::LoopProduct;
use query::{Asked, Client, Violation};

/// Measures that are tried, at the most.
const MOST_MEASURES: usize = 24;
/// What measures must stay above where numbers have no limits: any bound will do.
const LEAST: i64 = -1_000_000;

impl LoopProduct<'_> {
    /// Notes which loops that stand alone end, those inside others first.
    pub(crate) fn prove_that_loops_alone_end(&mut self, client: &mut Client) {
        // Inner loops come after those around them.
        for place in (0..self.loops.len()).rev() {
            let coupled = &self.loops[place];
            let tells_apart = coupled.uses.old.diverges.is_some() && coupled.uses.new.diverges.is_some();
            if let ([side], true) = (coupled.sides.as_slice(), tells_apart) {
                let iteration = coupled.iterations.get(*side).clone();
                // An iteration ends only if what is inside it does.
                let mut inside = self.loops.iter().filter(|inner| inner.parent == Some(place));
                let ends = inside.all(|inner| inner.ends) && self.surely_ends(place, &iteration, client);
                self.loops[place].ends = ends;
            }
        }
    }

    fn surely_ends(&mut self, place: usize, iteration: &Iteration, client: &mut Client) -> bool {
        let mut known = self.context(place);
        known.extend(self.postconditions(Some(place)));
        // An iteration may itself go on forever, in a loop inside it.
        let over = self.terms.or(&[iteration.goes_on, iteration.leaves]);
        if !self.follows(&known, over, client) {
            return false;
        }
        known.push(iteration.goes_on);
        let steps = self.steps(iteration);
        steps.into_iter().take(MOST_MEASURES).any(|step| self.follows(&known, step, client))
    }

    fn follows(&mut self, known: &[Term], wanted: Term, client: &mut Client) -> bool {
        let mut conditions = known.to_vec();
        conditions.push(self.terms.not(wanted));
        let budget = self.soon();
        let asked = client.ask(self.terms, Violation::of(conditions), &[], Floats::Symbols, &budget);
        matches!(asked, Asked::Refuted(_))
    }

    /// What an iteration would have to do to measures of the state, each of which proves that the loop ends.
    fn steps(&mut self, iteration: &Iteration) -> Vec<Term> {
        let mut steps = Vec::new();
        let no = self.terms.bool(false);
        for (before, after) in self.measures(iteration) {
            match self.terms.sort_of(before).clone() {
                Sort::BitVec(_) => {
                    for order in [BvCmp::Slt, BvCmp::Ult] {
                        steps.push(self.terms.bv_cmp(order, after, before));
                        steps.push(self.terms.bv_cmp(order, before, after));
                    }
                }
                Sort::Int => {
                    let least = self.terms.int(LEAST);
                    for (before, after) in [(before, after), (self.terms.neg(before), self.terms.neg(after))]
                    {
                        let (above, less) = (self.terms.le(least, before), self.terms.lt(after, before));
                        steps.push(self.terms.and(&[above, less]));
                    }
                }
                _ => {}
            }
        }
        steps.retain(|step| *step != no);
        steps
    }

    /// Values of the state, and their distances and sums, before and after an iteration.
    fn measures(&mut self, iteration: &Iteration) -> Vec<(Term, Term)> {
        let pairs = iteration.before.iter().copied().zip(iteration.after.iter().copied());
        let is_number =
            |term: Term, product: &Self| matches!(product.terms.sort_of(term), Sort::Int | Sort::BitVec(_));
        let numbers: Vec<(Term, Term)> = pairs.filter(|(before, _)| is_number(*before, self)).collect();
        let changing: Vec<(Term, Term)> =
            numbers.iter().copied().filter(|(before, after)| before != after).collect();
        let mut measures = changing.clone();
        for &(a, a_after) in &changing {
            for &(b, b_after) in numbers.iter().filter(|(b, _)| *b != a) {
                match (self.terms.sort_of(a), self.terms.sort_of(b)) {
                    (Sort::Int, Sort::Int) => {
                        let before = (self.terms.sub(a, b), self.terms.add(&[a, b]));
                        let after = (self.terms.sub(a_after, b_after), self.terms.add(&[a_after, b_after]));
                        measures.extend([(before.0, after.0), (before.1, after.1)]);
                    }
                    // A sum may wrap: it still has to get smaller.
                    (a_sort, b_sort) if a_sort == b_sort => {
                        let before = self.terms.bv_op(BvOp::Add, a, b);
                        measures.push((before, self.terms.bv_op(BvOp::Add, a_after, b_after)));
                    }
                    _ => {}
                }
            }
        }
        measures
    }
}

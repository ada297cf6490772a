//! Stuttering: of two loops, the one that has come to its end stays there until the other one does.
//!
//! ```text
//! old:  a b c d end               a b c d end
//! new:  a' b' end                 a' b' end end end
//! ```
//!
//! A version that does not reach its loop waits from the start, so that the other one runs alone.
//! Exact for runs on which both loops end: the last state of the pair is the last state of each. Invariants of stuttering
//! loops do not show that both end, or that they run equally often.

use ir::Pair;
use smt::{Term, Terms};
use symbolic::{Iteration, LoopUse};

use crate::{LoopProduct, ProductLoop};

impl LoopProduct<'_> {
    /// Lets all loops stutter that can; false if there are none.
    pub fn stutter(&mut self) -> bool {
        let stuttering = self.loops.iter_mut().filter_map(|it| it.stutter(self.terms).then_some(()));
        stuttering.count() > 0
    }
}

impl ProductLoop {
    /// Lets both loops stutter; false if they cannot: one stands alone, they print, or there are loops inside.
    fn stutter(&mut self, terms: &mut Terms) -> bool {
        let nothing = terms.text(&[]);
        let sides =
            [(&self.iterations.old, self.uses.old.written), (&self.iterations.new, self.uses.new.written)];
        let is_simple = |(iteration, written): (&Iteration, [Term; 2])| {
            iteration.inner.is_empty() && iteration.written == [nothing; 2] && written == [nothing; 2]
        };
        if self.sides.len() < 2 || !sides.into_iter().all(is_simple) {
            return false;
        }
        let progress = Pair {
            old: Progress::of(terms, &self.iterations.old, &self.uses.old),
            new: Progress::of(terms, &self.iterations.new, &self.uses.new),
        };
        self.stutters = true;
        self.done = vec![progress.old.is_done, progress.new.is_done];
        let old = stuttering(terms, &self.iterations.old, &self.uses.old, &progress);
        let new = stuttering(terms, &self.iterations.new, &self.uses.new, &progress.swapped());
        self.iterations = Pair { old, new };
        let reached = terms.or(&[self.uses.old.reached, self.uses.new.reached]);
        self.uses.old.reached = reached;
        self.uses.new.reached = reached;
        true
    }
}

/// How far a version is with its loop.
#[derive(Clone, Copy)]
struct Progress {
    /// It is in its loop and has another iteration to do.
    goes_on: Term,
    /// It is at the end of its loop, or never gets to it.
    is_done: Term,
}

impl Progress {
    fn of(terms: &mut Terms, iteration: &Iteration, loop_use: &LoopUse) -> Progress {
        let goes_on = terms.and(&[loop_use.reached, iteration.goes_on]);
        let is_absent = terms.not(loop_use.reached);
        Progress { goes_on, is_done: terms.or(&[is_absent, iteration.leaves]) }
    }
}

/// The iteration of a loop that does nothing where it is done and the other one (`progress.new`) goes on.
fn stuttering(
    terms: &mut Terms,
    iteration: &Iteration,
    loop_use: &LoopUse,
    progress: &Pair<Progress>,
) -> Iteration {
    let Pair { old: mine, new: other } = *progress;
    let waits = terms.and(&[mine.is_done, other.goes_on]);
    let goes_on = terms.or(&[mine.goes_on, waits]);
    let leaves = terms.and(&[mine.is_done, other.is_done]);
    let states = iteration.before.iter().zip(&iteration.after);
    let after = states.map(|(before, after)| terms.ite(waits, *before, *after)).collect();
    // Nothing is known of what a loop leaves behind to which the version does not get.
    let reached = loop_use.reached;
    let mut if_reached = |ends: &[Term], exits: &[Term]| -> Vec<Term> {
        ends.iter().zip(exits).map(|(end, exit)| terms.ite(reached, *end, *exit)).collect()
    };
    let at_end = if_reached(&iteration.at_end, &loop_use.exit);
    let result = if_reached(&iteration.result, &loop_use.result);
    let ended = if_reached(&[iteration.ended], &[loop_use.ended])[0];
    let unfinished = terms.and(&[reached, iteration.unfinished]);
    let assumptions = iteration.assumptions.iter().map(|it| terms.implies(reached, *it)).collect();
    Iteration { goes_on, leaves, after, at_end, result, ended, unfinished, assumptions, ..iteration.clone() }
}

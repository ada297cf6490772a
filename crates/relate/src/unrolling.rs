//! k-to-l alignment: several iterations unrolled into one, and loops that stop where the other one does.
//!
//! ```text
//! old:  a b c d e end        ab cd e-end
//! new:  ab' cd'  end         ab' cd' end     (and e after the loop)
//! ```
//!
//! Exact: unrolled iterations do what the iterations do one after the other.

use std::collections::BTreeMap;

use smt::{Term, Terms};
use symbolic::{Iteration, LoopUse};

/// So many iterations as one. It goes on if all of them do, and leaves where the first of them leaves. `None` if they
/// print or have loops inside.
pub(crate) fn unroll(terms: &mut Terms, iteration: &Iteration, count: u32) -> Option<Iteration> {
    if count <= 1 {
        return Some(iteration.clone());
    }
    if !is_quiet(terms, iteration) {
        return None;
    }
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let mut all = Iteration {
        goes_on: yes,
        after: iteration.before.clone(),
        leaves: no,
        unfinished: no,
        assumptions: Vec::new(),
        ..iteration.clone()
    };
    for number in 0..count {
        let step = from_state(terms, iteration, &all.after);
        let leaves_now = terms.and(&[all.goes_on, step.leaves]);
        if number == 0 {
            (all.at_end, all.result, all.ended) = (step.at_end, step.result, step.ended);
        } else {
            let mut choose = |now: &[Term], before: &[Term]| -> Vec<Term> {
                now.iter().zip(before).map(|(now, before)| terms.ite(leaves_now, *now, *before)).collect()
            };
            all.at_end = choose(&step.at_end, &all.at_end);
            all.result = choose(&step.result, &all.result);
            all.ended = choose(&[step.ended], &[all.ended])[0];
        }
        let stuck = terms.and(&[all.goes_on, step.unfinished]);
        all.unfinished = terms.or(&[all.unfinished, stuck]);
        let assumed = step.assumptions.iter().map(|it| terms.implies(all.goes_on, *it));
        all.assumptions.extend(assumed);
        all.leaves = terms.or(&[all.leaves, leaves_now]);
        all.goes_on = terms.and(&[all.goes_on, step.goes_on]);
        all.after = step.after;
    }
    Some(all)
}

/// The iteration from another state, of loops that print nothing and have no loops inside.
pub(crate) fn from_state(terms: &mut Terms, iteration: &Iteration, state: &[Term]) -> Iteration {
    let states = iteration.before.iter().copied().zip(state.iter().copied());
    let map: BTreeMap<Term, Term> =
        states.filter(|(variable, _)| iteration.variables.contains(variable)).collect();
    Iteration { before: iteration.before.clone(), ..iteration.substituted(terms, &map) }
}

/// The iteration of a loop that stops before an iteration where the other version's loop leaves.
pub(crate) fn truncate(
    terms: &mut Terms,
    mine: &Iteration,
    loop_use: &LoopUse,
    other: &Iteration,
) -> Iteration {
    let goes_on = terms.and(&[mine.goes_on, other.goes_on]);
    let unfinished = terms.and(&[mine.unfinished, other.goes_on]);
    let assumptions = mine.assumptions.iter().map(|it| terms.implies(other.goes_on, *it)).collect();
    Iteration {
        goes_on,
        leaves: other.leaves,
        at_end: mine.before.clone(),
        ended: loop_use.ended,
        result: loop_use.result.clone(),
        unfinished,
        assumptions,
        ..mine.clone()
    }
}

/// Whether an iteration prints nothing and has no loops inside.
pub(crate) fn is_quiet(terms: &mut Terms, iteration: &Iteration) -> bool {
    let nothing = terms.text(&[]);
    iteration.inner.is_empty() && iteration.written == [nothing; 2]
}

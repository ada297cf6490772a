//! Full unrolling of loops with a small proved bound, so that only the others need invariants.
//!
//! ```text
//! if (0 <= x && x < 4)  for (i = 0; i < x; i++) ...      at most three iterations: no invariant is needed
//! for (i = 0; i < y; i++) ...                            as many as there are: invariants are needed
//! ```
//!
//! Exact: that no input needs more iterations is proved, and what they do is put together.

use std::collections::BTreeSet;

use budget::{Budget, Steps};
use query::{Asked, Client, Reach, Violation, conjuncts, relevant};
use smt::{Floats, Term, Terms};
use symbolic::{Iteration, LoopUse};

use crate::postcondition::same_texts;
use crate::proved::{Fact, Proved};
use crate::unrolling::{from_state, unroll};

/// Bounds that are tried, the smallest first. Loops that halve a machine number end within 33.
const BOUNDS: [u32; 4] = [2, 5, 12, 36];
/// The largest terms that iterations may have together.
const LARGEST: usize = 20_000;
/// The work for the question whether an input needs more.
const MOST: Steps = Steps::of_milliseconds(900);

/// What a loop leaves behind, if it takes only a few iterations on all inputs that meet the assumptions.
pub fn fully_unrolled(
    terms: &mut Terms,
    iteration: &Iteration,
    loop_use: &LoopUse,
    (assumptions, inputs): (&[Term], &BTreeSet<Term>),
    budget: &Budget,
    client: &mut Client,
) -> Option<Proved> {
    for bound in BOUNDS {
        let all = unroll(terms, iteration, bound)?;
        let all = from_state(terms, &all, &loop_use.entry);
        if terms.reachable(&[all.leaves, all.unfinished]).len() > LARGEST {
            return None;
        }
        let stays = terms.not(all.leaves);
        let more = terms.or(&[stays, all.unfinished]);
        let about = [loop_use.reached, more];
        let known: Vec<Term> = assumptions.iter().flat_map(|it| conjuncts(terms, *it)).collect();
        let mut conditions = relevant(terms, inputs, &known, &about, Reach::All);
        conditions.extend(about);
        let budget = budget.at_most(MOST);
        match client.ask(terms, Violation::of(conditions), &[], Floats::Symbols, &budget) {
            Asked::Refuted(_) => return Some(left_behind(terms, &all, loop_use)),
            Asked::Counterexample(_) => {}
            Asked::GaveUp(_) => return None,
        }
    }
    None
}

/// The loop ends as these iterations do.
fn left_behind(terms: &mut Terms, all: &Iteration, loop_use: &LoopUse) -> Proved {
    let mut known = vec![terms.eq(loop_use.ended, all.ended)];
    known.extend(same_texts(terms, loop_use.written, all.written));
    let ends = loop_use.exit.iter().zip(&all.at_end).chain(loop_use.result.iter().zip(&all.result));
    known.extend(ends.map(|(symbol, end)| terms.eq(*symbol, *end)));
    known.extend(&all.assumptions);
    known.extend(loop_use.diverges.map(|diverges| terms.not(diverges)));
    let facts = known.into_iter().map(|fact| Fact::proved(terms.implies(loop_use.reached, fact))).collect();
    Proved { facts, assumptions: all.assumption_texts.clone(), ..Proved::default() }
}

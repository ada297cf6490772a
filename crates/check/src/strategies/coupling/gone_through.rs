//! Loops that take only a few iterations wherever they are used are gone through, so that only the others need relations.
//!
//! ```text
//! if (0 <= x && x < 4)  for (i = 0; i < x; i++) ...      at most three iterations: no relation is needed
//! for (i = 0; i < y; i++) ...                            as many as there are: relations are needed
//! ```
//!
//! Exact: that no input needs more iterations is proved, and what they do is put together.

use budget::Steps;
use ir::Side;
use smt::{Floats, Term, Terms};
use symbolic::{Iteration, LoopUse};

use super::in_step::InStep;
use crate::coupling::{from_state, same_texts, several};
use crate::question::{Asked, Asker, Unfinished};
use crate::relevance::{Reach, conjuncts, input_variables, relevant};
use crate::search::Search;
use crate::verdict::Verdict;
use crate::witness::Machines;

/// How many iterations are a few, the fewest first. Loops that halve a machine number end within 33.
const A_FEW: [u32; 4] = [2, 5, 12, 36];
/// The largest terms that iterations may have together.
const LARGEST: usize = 20_000;
/// The work for the question whether an input needs more.
const MOST: Steps = Steps::of_milliseconds(900);

/// What is known of a loop that was gone through.
struct GoneThrough {
    facts: Vec<Term>,
    assumptions: Vec<String>,
}

impl InStep<'_, '_> {
    /// The verdict with such loops gone through and the others in lockstep; `None` if there are none of them.
    pub(super) fn decide_gone_through(&self, machines: &Machines, asker: &mut Asker<'_>) -> Option<Verdict> {
        let mut terms = Terms::new();
        let mut search = self.summarize(&mut terms, asker)?;
        let mut assumptions = Vec::new();
        let mut count = 0;
        for side in [Side::Old, Side::New] {
            for loop_use in search.summaries().get(side).loops.clone() {
                let Some(gone) = self.go_through(&mut terms, &search, side, &loop_use, count, asker) else {
                    continue;
                };
                search.replace_loop(side, &loop_use, &gone.facts);
                assumptions.extend(gone.assumptions);
                count += 1;
            }
        }
        if count == 0 {
            return None;
        }
        let all = terms.bool(true);
        let proved = self.prove(&mut terms, &search, all, machines, asker).map(|mut proved| {
            proved.assumptions.extend(assumptions);
            proved
        });
        self.follow(&mut terms, search, proved, machines, asker)
    }

    /// What a loop leaves behind after the iterations that it takes, if these are a few on all inputs.
    fn go_through(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        side: Side,
        loop_use: &LoopUse,
        number: usize,
        asker: &mut Asker<'_>,
    ) -> Option<GoneThrough> {
        let iteration = self.iterate(terms, search, loop_use, side, number)?;
        for count in A_FEW {
            let all = several(terms, &iteration, count)?;
            let all = from_state(terms, &all, &loop_use.entry);
            if terms.reachable(&[all.leaves, all.unfinished]).len() > LARGEST {
                return None;
            }
            let stays = terms.not(all.leaves);
            let more = terms.or(&[stays, all.unfinished]);
            match self.may_need_more(terms, search, loop_use.reached, more, asker)? {
                true => {}
                false => return Some(what_is_left(terms, &all, loop_use)),
            }
        }
        None
    }

    /// Whether some input gets to a loop and needs more iterations; `None` if that is too hard to tell.
    fn may_need_more(
        &self,
        terms: &mut Terms,
        search: &Search<'_>,
        reached: Term,
        more: Term,
        asker: &mut Asker<'_>,
    ) -> Option<bool> {
        let about = [reached, more];
        let known: Vec<Term> = search.assumptions().iter().flat_map(|it| conjuncts(terms, *it)).collect();
        let inputs = input_variables(terms, search.inputs());
        let mut conditions = relevant(terms, &inputs, &known, &about, Reach::All);
        conditions.extend(about);
        let budget = self.config.budget.at_most(MOST);
        match asker.ask::<Unfinished>(terms, &conditions, &[], Floats::Symbols, &budget) {
            Asked::Refuted(_) => Some(false),
            Asked::Candidate(_) => Some(true),
            Asked::GaveUp(_) => None,
        }
    }
}

/// The loop ends as these iterations do.
fn what_is_left(terms: &mut Terms, all: &Iteration, loop_use: &LoopUse) -> GoneThrough {
    let mut known = vec![terms.eq(loop_use.ended, all.ended)];
    known.extend(same_texts(terms, loop_use.written, all.written));
    let ends = loop_use.exit.iter().zip(&all.at_end).chain(loop_use.result.iter().zip(&all.result));
    known.extend(ends.map(|(symbol, end)| terms.eq(*symbol, *end)));
    known.extend(&all.assumptions);
    known.extend(loop_use.diverges.map(|diverges| terms.not(diverges)));
    let facts = known.into_iter().map(|fact| terms.implies(loop_use.reached, fact)).collect();
    GoneThrough { facts, assumptions: all.assumption_texts.clone() }
}

//! Loops that go together are run in lockstep, and the relations between their states are proved by induction.

use std::collections::BTreeMap;

use ir::{Pair, Side};
use smt::{Term, Terms};
use symbolic::{Hidden, Iteration, LoopShape, LoopUse};

use crate::common_code::CommonCode;
use crate::coupling::{CoupledLoop, Coupling, STATE, rotated};
use crate::question::Asker;
use crate::search::{Depth, Search, summary_config};
use crate::verdict::Verdict;
use crate::witness::Machines;
use crate::{CheckConfig, Subject};

/// How many iterations of each version run before the loops are in step.
const PEELED: [Pair<u32>; 3] = [Pair { old: 0, new: 0 }, Pair { old: 1, new: 0 }, Pair { old: 0, new: 1 }];

/// Decides a pair by coupling its loops; `None` if it has none that go together.
pub(crate) fn coupling(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    if let Some(verdict) = as_they_are(pair, machines, config, asker) {
        return Some(verdict);
    }
    // Loops that test at their end are turned, so that all test at their start.
    let turned = pair.map(|subject| rotated(subject.program));
    if turned.old.is_none() && turned.new.is_none() {
        return None;
    }
    let program = |turned: &'_ Option<ir::Program>, subject: Subject<'_>| {
        turned.clone().unwrap_or_else(|| subject.program.clone())
    };
    let programs = Pair { old: program(&turned.old, pair.old), new: program(&turned.new, pair.new) };
    let pair = Pair {
        old: Subject::new(&programs.old, pair.old.procedure),
        new: Subject::new(&programs.new, pair.new.procedure),
    };
    as_they_are(pair, machines, config, asker)
}

/// Couples the loops in all ways to bring them into step.
fn as_they_are(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    let shapes = CommonCode::of(pair).loop_pairs(pair);
    if shapes.is_empty() {
        return None;
    }
    for peeled in PEELED {
        let verdict = in_step(pair, &shapes, peeled, machines, config, asker);
        if let Some(verdict @ (Verdict::Equivalent(_) | Verdict::Different(_))) = verdict {
            return Some(verdict);
        }
    }
    None
}

fn in_step(
    pair: Pair<Subject<'_>>,
    shapes: &[Pair<LoopShape<'_>>],
    peeled: Pair<u32>,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    let mut terms = Terms::new();
    let mut hidden = Pair { old: Hidden::nothing(), new: Hidden::nothing() };
    for (number, shape) in shapes.iter().enumerate() {
        hidden.old.step_over(&shape.old, number, &format!("loop{number}.old"), peeled.old);
        hidden.new.step_over(&shape.new, number, &format!("loop{number}.new"), peeled.new);
    }
    let mut search =
        Search::prepare(&mut terms, pair, hidden.as_ref(), Depth::SHALLOW, config, asker).ok()?;
    let loops = couple(&mut terms, shapes, &hidden, &search, config)?;
    let assumptions = search.assumptions().to_vec();
    let coupling = Coupling { terms: &mut terms, loops, assumptions, deadline: config.deadline };
    let proved = coupling.prove(shapes, asker)?;
    search.assume(&proved.facts);
    Some(match search.decide(&mut terms, machines, config, asker) {
        Verdict::Equivalent(proof) => Verdict::Equivalent(proof.with_relations(proved.relations)),
        other => other,
    })
}

/// The iterations of all loops that are used, each with the place of its use.
fn couple(
    terms: &mut Terms,
    shapes: &[Pair<LoopShape<'_>>],
    hidden: &Pair<Hidden>,
    search: &Search<'_>,
    config: &CheckConfig,
) -> Option<Vec<CoupledLoop>> {
    let summary_config = summary_config(config);
    let mut found: Vec<CoupledLoop> = Vec::new();
    let at_top = search.summaries().as_ref().map(|summary| summary.loops.clone());
    let mut open: Vec<(Option<usize>, Pair<Vec<LoopUse>>)> = vec![(None, at_top)];
    while let Some((parent, uses)) = open.pop() {
        if uses.old.len() != uses.new.len() {
            return None;
        }
        for (old, new) in uses.old.into_iter().zip(uses.new) {
            let is_used_twice = found.iter().any(|other| other.uses.old.number == old.number);
            if old.number != new.number || is_used_twice {
                return None;
            }
            let shape = &shapes[old.number];
            let one = |terms: &mut Terms, shape: &LoopShape<'_>, side: Side| {
                let prefix = format!("{STATE}{}.{}", old.number, side.name());
                let hidden = hidden.get(side);
                symbolic::iteration(terms, shape, &prefix, search.inputs(), &summary_config, hidden).ok()
            };
            let iterations =
                Pair { old: one(terms, &shape.old, Side::Old)?, new: one(terms, &shape.new, Side::New)? };
            let iterations = Pair {
                old: without_unmodified(terms, iterations.old, &old),
                new: without_unmodified(terms, iterations.new, &new),
            };
            let inner = iterations.as_ref().map(|iteration| iteration.inner.clone());
            let place = found.len();
            found.push(CoupledLoop { iterations, parent, uses: Pair { old, new }, relations: Vec::new() });
            open.push((Some(place), inner));
        }
    }
    Some(found)
}

/// What an iteration never changes is what it was at the start of the loop.
fn without_unmodified(terms: &mut Terms, iteration: Iteration, loop_use: &LoopUse) -> Iteration {
    let is_unmodified = |at: &usize| iteration.after[*at] == iteration.before[*at];
    let map: BTreeMap<Term, Term> = (0..iteration.before.len())
        .filter(is_unmodified)
        .map(|at| (iteration.before[at], loop_use.entry[at]))
        .collect();
    if map.is_empty() {
        return iteration;
    }
    let all = |terms: &mut Terms, list: &[Term]| terms.substitute_all(list, &map);
    let one = |terms: &mut Terms, term: Term| terms.substitute(term, &map);
    Iteration {
        elements: iteration.elements.clone(),
        before: all(terms, &iteration.before),
        goes_on: one(terms, iteration.goes_on),
        after: all(terms, &iteration.after),
        leaves: one(terms, iteration.leaves),
        ended: one(terms, iteration.ended),
        at_end: all(terms, &iteration.at_end),
        result: all(terms, &iteration.result),
        printed: one(terms, iteration.printed),
        unfinished: one(terms, iteration.unfinished),
        assumptions: all(terms, &iteration.assumptions),
        inner: iteration
            .inner
            .iter()
            .map(|inner| LoopUse {
                number: inner.number,
                reached: one(terms, inner.reached),
                entry: all(terms, &inner.entry),
                exit: all(terms, &inner.exit),
                ended: one(terms, inner.ended),
                result: all(terms, &inner.result),
                printed: one(terms, inner.printed),
            })
            .collect(),
    }
}

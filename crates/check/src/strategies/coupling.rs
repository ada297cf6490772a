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
    if shapes.iter().all(|shape| shape.old.is_none() || shape.new.is_none()) {
        return None;
    }
    // What each loop computes may be known without the other one.
    let alone: Vec<Pair<Option<LoopShape<'_>>>> = shapes.into_iter().flat_map(apart).collect();
    in_step(pair, &alone, PEELED[0], machines, config, asker)
}

/// Two loops that go together, each for itself.
fn apart(shapes: Pair<Option<LoopShape<'_>>>) -> impl Iterator<Item = Pair<Option<LoopShape<'_>>>> {
    let old = shapes.old.map(|shape| Pair { old: Some(shape), new: None });
    let new = shapes.new.map(|shape| Pair { old: None, new: Some(shape) });
    old.into_iter().chain(new)
}

fn in_step(
    pair: Pair<Subject<'_>>,
    shapes: &[Pair<Option<LoopShape<'_>>>],
    peeled: Pair<u32>,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    let mut terms = Terms::new();
    let mut hidden = Pair { old: Hidden::nothing(), new: Hidden::nothing() };
    for (number, shape) in shapes.iter().enumerate() {
        if let Some(shape) = &shape.old {
            hidden.old.step_over(shape, number, &format!("loop{number}.old"), peeled.old);
        }
        if let Some(shape) = &shape.new {
            hidden.new.step_over(shape, number, &format!("loop{number}.new"), peeled.new);
        }
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
    shapes: &[Pair<Option<LoopShape<'_>>>],
    hidden: &Pair<Hidden>,
    search: &Search<'_>,
    config: &CheckConfig,
) -> Option<Vec<CoupledLoop>> {
    let summary_config = summary_config(config);
    let mut found: Vec<CoupledLoop> = Vec::new();
    let at_top = search.summaries().as_ref().map(|summary| summary.loops.clone());
    let mut open: Vec<(Option<usize>, Pair<Vec<LoopUse>>)> = vec![(None, at_top)];
    while let Some((parent, uses)) = open.pop() {
        for uses in in_order(uses, shapes) {
            if found.len() >= MOST_LOOPS {
                return None;
            }
            let place = found.len();
            let one = |terms: &mut Terms, side: Side| -> Option<Option<Iteration>> {
                let Some(loop_use) = uses.get(side) else { return Some(None) };
                let shape = shapes[loop_use.number].get(side).as_ref()?;
                let prefix = format!("{STATE}{place}.{}", side.name());
                let hidden = hidden.get(side);
                let done =
                    symbolic::iteration(terms, shape, &prefix, search.inputs(), &summary_config, hidden);
                Some(Some(without_unmodified(terms, done.ok()?, loop_use)))
            };
            let (old, new) = (one(terms, Side::Old)?, one(terms, Side::New)?);
            let inner = Pair { old: inner_uses(&old), new: inner_uses(&new) };
            found.push(CoupledLoop::new(terms, parent, Pair { old, new }, uses)?);
            open.push((Some(place), inner));
        }
    }
    Some(found)
}

/// Uses of loops beyond this are too many.
const MOST_LOOPS: usize = 40;

fn inner_uses(iteration: &Option<Iteration>) -> Vec<LoopUse> {
    iteration.iter().flat_map(|iteration| iteration.inner.clone()).collect()
}

/// The uses in an order in which each comes after all that it can depend on: in pairs where both versions use a loop
/// equally often, alone otherwise.
fn in_order(uses: Pair<Vec<LoopUse>>, shapes: &[Pair<Option<LoopShape<'_>>>]) -> Vec<Pair<Option<LoopUse>>> {
    let count = |uses: &[LoopUse], number: usize| uses.iter().filter(|it| it.number == number).count();
    let is_paired = |number: usize| {
        let shape = &shapes[number];
        shape.old.is_some() && shape.new.is_some() && count(&uses.old, number) == count(&uses.new, number)
    };
    let paired: Vec<bool> = (0..shapes.len()).map(is_paired).collect();
    let in_step = |uses: &[LoopUse]| -> Vec<usize> {
        uses.iter().map(|it| it.number).filter(|number| paired[*number]).collect()
    };
    // Where the versions use them in another order they are taken alone.
    let same_order = in_step(&uses.old) == in_step(&uses.new);
    let mut ordered = Vec::new();
    let mut new = uses.new.into_iter().peekable();
    for old in uses.old {
        if !(same_order && paired[old.number]) {
            ordered.push(Pair { old: Some(old), new: None });
            continue;
        }
        for alone in std::iter::from_fn(|| new.next_if(|it| !paired[it.number])) {
            ordered.push(Pair { old: None, new: Some(alone) });
        }
        ordered.push(Pair { old: Some(old), new: new.next() });
    }
    ordered.extend(new.map(|alone| Pair { old: None, new: Some(alone) }));
    ordered
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

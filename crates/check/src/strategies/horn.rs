//! Loops as Horn clauses: a solver looks for the relations between them, and we prove again what it finds.
//!
//! As `coupling`, with relations from the solver instead of from runs and patterns. Its word counts for nothing by
//! itself: a relation that is found must hold at the start, be kept and keep the loops together, by questions of our
//! own; that no relation exists says only that this way of running the loops side by side proves nothing.

use budget::{Budget, Steps};
use ir::Pair;
use smt::{Definition, HornAnswer, HornQuery, Terms};
use symbolic::LoopShape;

use super::coupling::{InStep, apart, with_turned};
use crate::common_code::CommonCode;
use crate::coupling::Traces;
use crate::question::Asker;
use crate::verdict::Verdict;
use crate::witness::Machines;
use crate::{CheckConfig, Subject};

/// One way to run the loops of both versions side by side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// In lockstep, after some iterations of each.
    InStep(Pair<u32>),
    /// Loops that are done wait for the other version's.
    Waiting,
    /// First all of the old version, then all of the new one.
    OneByOne,
}

/// A way with less than this is not tried.
const LEAST: Steps = Steps::of_milliseconds(50);

const FROM_THE_START: Pair<u32> = Pair { old: 0, new: 0 };
const WAYS: [Way; 5] = [
    Way::InStep(FROM_THE_START),
    Way::Waiting,
    Way::OneByOne,
    Way::InStep(Pair { old: 1, new: 0 }),
    Way::InStep(Pair { old: 0, new: 1 }),
];

/// Decides a pair by Horn clauses; `None` if it has no loops or no relations were found.
pub(crate) fn horn(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    if let Some(verdict) = as_they_are(pair, machines, config, asker) {
        return Some(verdict);
    }
    // Loops that test at their end are turned, so that all test at their start.
    let turned = pair.map(|subject| rewrite::unrotate_loops(subject.program));
    if turned.old.is_none() && turned.new.is_none() {
        return None;
    }
    with_turned(pair, turned, |pair| as_they_are(pair, machines, config, asker))
}

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
    let alone: Vec<Pair<Option<LoopShape<'_>>>> = shapes.iter().cloned().flat_map(apart).collect();
    let traces = Traces::of(pair, &shapes, config.numbers);
    for (number, way) in WAYS.into_iter().enumerate() {
        let (shapes, peeled) = match way {
            Way::InStep(peeled) if !traces.are_in_step(peeled) => continue,
            Way::InStep(peeled) => (&shapes, peeled),
            Way::Waiting => (&shapes, FROM_THE_START),
            Way::OneByOne => (&alone, FROM_THE_START),
        };
        if config.is_over() || config.budget.left() < LEAST {
            return None;
        }
        // What a way does not use is left for those after it.
        let share = if number + 1 < WAYS.len() { 0.5 } else { 1.0 };
        let config = config.within(config.budget.share(share));
        let step = InStep::new(pair, shapes, peeled, &traces, &config);
        let verdict = by_clauses(&step, shapes, way == Way::Waiting, machines, &config, asker);
        if let Some(verdict @ (Verdict::Equivalent(_) | Verdict::Different(_))) = verdict {
            return Some(verdict);
        }
    }
    None
}

fn by_clauses(
    step: &InStep<'_, '_>,
    shapes: &[Pair<Option<LoopShape<'_>>>],
    waiting: bool,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    let mut terms = Terms::new();
    let search = step.summarize(&mut terms, asker)?;
    let wrong = {
        let question = search.question();
        let finished = terms.not(question.unfinished);
        [terms.and(&[question.differ, finished]), question.unfinished]
    };
    let always = terms.bool(true);
    let mut coupling = step.coupling(&mut terms, &search, always)?;
    if waiting && !coupling.wait_for_each_other() {
        return None;
    }
    let clauses = coupling.clauses(&wrong);
    // The rest is for the proof.
    let definitions = solve(coupling.terms, &clauses.query, &config.budget.share(0.8), asker)?;
    coupling.take_relations(&clauses, &definitions);
    let proved = coupling.prove_relations(shapes, asker)?;
    Some(step.conclude(&mut terms, search, proved, machines, asker))
}

/// Predicates that meet the clauses, as far as the solver says. Those over bit-vectors are looked for among integers:
/// it finds next to nothing otherwise.
fn solve(
    terms: &mut Terms,
    query: &HornQuery,
    budget: &Budget,
    asker: &mut Asker<'_>,
) -> Option<Vec<Definition>> {
    let has_bits = query.has_bits();
    let asked = if has_bits { query.over_integers(terms) } else { query.clone() };
    let HornAnswer::Solved(definitions) = asker.solve_horn(terms, &asked, budget).ok()? else {
        return None;
    };
    if !has_bits {
        return Some(definitions);
    }
    let found = definitions.iter().zip(&query.predicates);
    found.map(|(definition, sorts)| definition.over_bits(terms, sorts)).collect()
}

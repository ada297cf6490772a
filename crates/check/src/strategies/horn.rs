//! Loops as Horn clauses: a solver looks for the relations between them, and we prove again what it finds.
//!
//! As `lockstep`, with relations from the solver instead of from runs and patterns. Its word counts for nothing by
//! itself: a relation that is found must hold at the start, be kept and keep the loops together, by questions of our
//! own; that no relation exists says only that this way of running the loops side by side proves nothing.

use budget::{Budget, Steps};
use ir::Pair;
use smt::{Definition, HornAnswer, HornQuery, Terms};
use symbolic::LoopShape;

use super::lockstep::Product;
use crate::CheckConfig;
use crate::analysis::{Analysis, PairAnalysis};
use crate::verdict::Verdict;
use crate::witness::Machines;
use query::Client;

/// One way to run the loops of both versions side by side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// In lockstep, after some iterations of each.
    Lockstep(Pair<u32>),
    /// Loops that are done wait for the other version's.
    Stuttering,
    /// First all of the old version, then all of the new one.
    OneAfterTheOther,
}

/// A way with less than this is not tried.
const LEAST: Steps = Steps::of_milliseconds(50);

const FROM_THE_START: Pair<u32> = Pair { old: 0, new: 0 };
const WAYS: [Way; 5] = [
    Way::Lockstep(FROM_THE_START),
    Way::Stuttering,
    Way::OneAfterTheOther,
    Way::Lockstep(Pair { old: 1, new: 0 }),
    Way::Lockstep(Pair { old: 0, new: 1 }),
];

/// Decides a pair by Horn clauses; `None` if it has no loops or no relations were found.
pub(crate) fn horn(
    analysis: &PairAnalysis<'_>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    if let Some(verdict) = in_every_way(analysis.versions(), machines, config, client) {
        return Some(verdict);
    }
    in_every_way(analysis.unrotated()?, machines, config, client)
}

/// Tries all alignments of two versions, one after the other.
fn in_every_way(
    versions: &Analysis<'_>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let loops = versions.loops()?;
    for (number, way) in WAYS.into_iter().enumerate() {
        let (shapes, peeled) = match way {
            Way::Lockstep(peeled) if !loops.traces.are_in_lockstep(peeled) => continue,
            Way::Lockstep(peeled) => (&loops.shapes, peeled),
            Way::Stuttering => (&loops.shapes, FROM_THE_START),
            Way::OneAfterTheOther => (&loops.alone, FROM_THE_START),
        };
        if config.is_over() || config.budget.left() < LEAST {
            return None;
        }
        // What a way does not use is left for those after it.
        let share = if number + 1 < WAYS.len() { 0.5 } else { 1.0 };
        let config = config.within(config.budget.share(share));
        let product = Product::new(loops, shapes, peeled, &config);
        let verdict = by_clauses(&product, shapes, way == Way::Stuttering, machines, &config, client);
        if let Some(verdict @ (Verdict::Equivalent(_) | Verdict::Different(_))) = verdict {
            return Some(verdict);
        }
    }
    None
}

fn by_clauses(
    product: &Product<'_, '_>,
    shapes: &[Pair<Option<LoopShape<'_>>>],
    stuttering: bool,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let mut terms = Terms::new();
    let vc = product.summarize(&mut terms, client)?;
    let wrong = {
        let question = vc.question();
        let finished = terms.not(question.unfinished);
        [terms.and(&[question.differ, finished]), question.unfinished]
    };
    let always = terms.bool(true);
    let mut loops = product.loop_product(&mut terms, &vc, always)?;
    if stuttering && !loops.stutter() {
        return None;
    }
    let clauses = loops.clauses(&wrong);
    // The rest is for the proof.
    let definitions = solve(loops.terms, &clauses.query, &config.budget.share(0.8), client)?;
    loops.take_relations(&clauses, &definitions);
    let proved = loops.prove(shapes, client).ok()?;
    Some(product.conclude(&mut terms, vc, proved, machines, client))
}

/// Predicates that meet the clauses, as far as the solver says. Those over bit-vectors are looked for among integers:
/// it finds next to nothing otherwise.
fn solve(
    terms: &mut Terms,
    query: &HornQuery,
    budget: &Budget,
    client: &mut Client,
) -> Option<Vec<Definition>> {
    let has_bits = query.has_bits();
    let asked = if has_bits { query.over_integers(terms) } else { query.clone() };
    let HornAnswer::Solved(definitions) = client.solve_horn(terms, &asked, budget).ok()? else {
        return None;
    };
    if !has_bits {
        return Some(definitions);
    }
    let found = definitions.iter().zip(&query.predicates);
    found.map(|(definition, sorts)| definition.over_bits(terms, sorts)).collect()
}

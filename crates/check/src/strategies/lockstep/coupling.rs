//! One attempt to couple the loops of a pair that go together.

use ir::{Pair, Side};
use query::{Client, Reach};
use relate::{are_all_alone, is_shown};

use super::portfolio::{Attempt, Way};
use super::product::{Cases, Product};
use crate::CheckConfig;
use crate::analysis::LoopPairs;
use crate::verdict::Verdict;
use crate::witness::Machines;

/// Nothing is peeled off either version.
const NONE: Pair<u32> = Pair { old: 0, new: 0 };

/// Couples the loops in one way; `None` if runs show that it is none, or it proves nothing.
pub(super) fn couple(
    loops: &LoopPairs<'_>,
    attempt: Attempt,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let peeled = peeled(loops, attempt.way)?;
    let shapes = if attempt.way == Way::Alone { &loops.alone } else { &loops.shapes };
    let product = |reach: Reach| {
        let product = Product::new(loops, shapes, peeled, config);
        let product = product.with_arithmetic(attempt.arithmetic).with_reach(reach);
        if let Way::Grouped(grouping) = attempt.way { product.grouped(grouping) } else { product }
    };
    let near = product(Reach::Near);
    let verdict = decide(attempt.way, &near, machines, client).filter(is_decided);
    match verdict {
        None if near.has_left_out() => {
            decide(attempt.way, &product(Reach::All), machines, client).filter(is_decided)
        }
        verdict => verdict,
    }
}

/// How many iterations are peeled off before the loops are in lockstep; `None` if they never are this way.
fn peeled(loops: &LoopPairs<'_>, way: Way) -> Option<Pair<u32>> {
    let LoopPairs { shapes, traces, .. } = loops;
    let is_possible = |peeled: &Pair<u32>| can_peel(loops, *peeled);
    match way {
        Way::Peeled => traces.peeling().filter(is_possible),
        Way::Lockstep(peeled) if traces.are_in_lockstep(peeled) => Some(peeled).filter(is_possible),
        Way::Lockstep(_) => None,
        Way::Alone | Way::Stuttering | Way::Reversed if are_all_alone(shapes) => None,
        Way::Grouped(grouping) if !is_shown(grouping, shapes, traces) => None,
        Way::Reversed if !traces.are_in_lockstep(NONE) => None,
        Way::ByCases | Way::FirstTests | Way::FullUnrolling | Way::Residual | Way::Stuttering => Some(NONE),
        Way::Alone | Way::Grouped(_) | Way::Reversed => Some(NONE),
    }
}

/// Whether the versions that are peeled have loops.
fn can_peel(loops: &LoopPairs<'_>, peeled: Pair<u32>) -> bool {
    let has_loops = |side: Side| loops.shapes.iter().any(|shape| shape.get(side).is_some());
    [Side::Old, Side::New].into_iter().all(|side| *peeled.get(side) == 0 || has_loops(side))
}

fn is_decided(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Unknown(_))
}

/// Decides by the product in one way.
fn decide(way: Way, product: &Product<'_, '_>, machines: &Machines, client: &mut Client) -> Option<Verdict> {
    match way {
        Way::Peeled | Way::Lockstep(_) | Way::Alone => product.decide(Cases::One, machines, client),
        Way::Grouped(_) => {
            let verdict = product.decide(Cases::One, machines, client).filter(is_decided);
            verdict.or_else(|| product.decide(Cases::FirstTests, machines, client))
        }
        Way::ByCases => product.decide(Cases::Reached, machines, client),
        Way::FirstTests => product.decide(Cases::FirstTests, machines, client),
        Way::FullUnrolling => product.decide_fully_unrolled(machines, client),
        Way::Residual => product.decide_residual(machines, client),
        Way::Stuttering => product.decide_stuttering(machines, client),
        Way::Reversed => {
            let reverse = |side| product.decide_reversed(side, machines, client).filter(is_decided);
            [Side::New, Side::Old].into_iter().find_map(reverse)
        }
    }
}

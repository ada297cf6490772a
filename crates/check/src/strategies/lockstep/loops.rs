//! The loops of a pair that go together, and one attempt to couple them.

use ir::{Pair, Side, Subject};
use symbolic::LoopShape;

use super::apart;
use super::portfolio::{Attempt, Way};
use super::product::{Cases, Product};
use crate::CheckConfig;
use crate::common_code::CommonCode;
use crate::verdict::Verdict;
use crate::witness::Machines;
use ir::Numbers;
use query::Client;
use query::Reach;
use relate::{Traces, are_apart, is_shown};

/// How many iterations of each version run before the loops are in step, where none do.
const NONE: Pair<u32> = Pair { old: 0, new: 0 };

/// What is known of the loops of a pair before anything is proved.
pub(super) struct Loops<'a> {
    pair: Pair<Subject<'a>>,
    shapes: Vec<Pair<Option<LoopShape<'a>>>>,
    alone: Vec<Pair<Option<LoopShape<'a>>>>,
    traces: Traces,
}

impl<'a> Loops<'a> {
    /// `None` if there are none.
    pub(super) fn of(pair: Pair<Subject<'a>>, numbers: Numbers) -> Option<Loops<'a>> {
        let shapes = CommonCode::of(pair).loop_pairs(pair);
        if shapes.is_empty() {
            return None;
        }
        let alone = shapes.iter().cloned().flat_map(apart).collect();
        let traces = Traces::of(pair, &shapes, numbers);
        let loops = Loops { pair, shapes, alone, traces };
        if tracing::enabled!(target: "loops", tracing::Level::DEBUG) {
            loops.trace();
        }
        Some(loops)
    }

    /// Tells which loops go together, and how often they ran.
    fn trace(&self) {
        for (number, shape) in self.shapes.iter().enumerate() {
            let line = |side: Side| shape.get(side).as_ref().map_or(0, |shape| shape.stmt.span.line);
            let runs = self.traces.iterations(number).into_iter().take(8);
            let runs: Vec<String> = runs.map(|count| format!("{}:{}", count.old, count.new)).collect();
            let (old, new) = (line(Side::Old), line(Side::New));
            tracing::debug!(target: "loops", number, old, new, iterations = runs.join(" "));
        }
    }

    /// Couples the loops in one way; `None` if runs show that it is none, or it proves nothing.
    pub(super) fn couple(
        &self,
        attempt: Attempt,
        machines: &Machines,
        config: &CheckConfig,
        client: &mut Client,
    ) -> Option<Verdict> {
        let peeled = self.peeled(attempt.way)?;
        let shapes = if attempt.way == Way::Apart { &self.alone } else { &self.shapes };
        let step = |reach: Reach| {
            let step = Product::new(self.pair, shapes, peeled, &self.traces, config);
            let step = step.with_arithmetic(attempt.arithmetic).with_reach(reach);
            if let Way::Grouped(grouping) = attempt.way { step.grouped(grouping) } else { step }
        };
        let near = step(Reach::Near);
        let verdict = decide(attempt.way, &near, machines, client).filter(is_decided);
        match verdict {
            None if near.has_left_out() => {
                decide(attempt.way, &step(Reach::All), machines, client).filter(is_decided)
            }
            verdict => verdict,
        }
    }

    /// How many iterations run before the loops are in step; `None` if they never are this way.
    fn peeled(&self, way: Way) -> Option<Pair<u32>> {
        let is_possible = |peeled: &Pair<u32>| self.can_peel(*peeled);
        match way {
            Way::Peeled => self.traces.head_start().filter(is_possible),
            Way::Lockstep(peeled) if self.traces.are_in_step(peeled) => Some(peeled).filter(is_possible),
            Way::Lockstep(_) => None,
            Way::Apart | Way::Stuttering | Way::Reversed if are_apart(&self.shapes) => None,
            Way::Grouped(grouping) if !is_shown(grouping, &self.shapes, &self.traces) => None,
            Way::Reversed if !self.traces.are_in_step(NONE) => None,
            Way::ByCases | Way::FirstTests | Way::FullUnrolling | Way::Residual | Way::Stuttering => {
                Some(NONE)
            }
            Way::Apart | Way::Grouped(_) | Way::Reversed => Some(NONE),
        }
    }

    /// Whether the versions that are to do iterations first have loops.
    fn can_peel(&self, peeled: Pair<u32>) -> bool {
        let has_loops = |side: Side| self.shapes.iter().any(|shape| shape.get(side).is_some());
        [Side::Old, Side::New].into_iter().all(|side| *peeled.get(side) == 0 || has_loops(side))
    }
}

fn is_decided(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Unknown(_))
}

/// Brings loops into step in one way.
fn decide(way: Way, step: &Product<'_, '_>, machines: &Machines, client: &mut Client) -> Option<Verdict> {
    match way {
        Way::Peeled | Way::Lockstep(_) | Way::Apart => step.decide(Cases::One, machines, client),
        Way::Grouped(_) => {
            let verdict = step.decide(Cases::One, machines, client).filter(is_decided);
            verdict.or_else(|| step.decide(Cases::FirstTests, machines, client))
        }
        Way::ByCases => step.decide(Cases::Reached, machines, client),
        Way::FirstTests => step.decide(Cases::FirstTests, machines, client),
        Way::FullUnrolling => step.decide_fully_unrolled(machines, client),
        Way::Residual => step.decide_residual(machines, client),
        Way::Stuttering => step.decide_stuttering(machines, client),
        Way::Reversed => {
            let reverse = |side| step.decide_reversed(side, machines, client).filter(is_decided);
            [Side::New, Side::Old].into_iter().find_map(reverse)
        }
    }
}

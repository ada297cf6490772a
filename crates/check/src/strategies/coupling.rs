//! Loops that go together are run in lockstep, and the relations between their states are proved by induction.

mod couple;
mod grouping;
mod in_step;

use std::time::{Duration, Instant};

use ir::{BinaryOp, Expr, Pair, Program, Side};
use symbolic::LoopShape;

use crate::common_code::CommonCode;
use crate::coupling::{Arithmetic, Traces, rotated, tested_at_end};
use crate::question::Asker;
use crate::subject::subjects;
use crate::verdict::Verdict;
use crate::witness::Machines;
use crate::{CheckConfig, Subject};
use grouping::{Grouping, is_shown};
use in_step::{Cases, are_apart};

pub(crate) use in_step::InStep;

/// How many iterations of each version run before the loops are in step.
const PEELED: [Pair<u32>; 4] =
    [Pair { old: 0, new: 0 }, Pair { old: 1, new: 0 }, Pair { old: 0, new: 1 }, Pair { old: 1, new: 1 }];

/// What a way to bring loops into step gets, if there is as much.
const LEAST_TIME: Duration = Duration::from_millis(500);

/// Decides a pair by coupling its loops; `None` if it has none that go together.
pub(crate) fn coupling(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    // Relations that hold whatever products and quotients are, are found first. Relations that speak of products which
    // the versions do not compute are seldom what is missing: they come last, and only for the loops as they are.
    let is_hard = pair.map(has_hard_operations);
    let (passes, last): (&[Arithmetic], Arithmetic) = match is_hard.old || is_hard.new {
        true => (&[Arithmetic::Symbols, Arithmetic::Exact], Arithmetic::ExactProducts),
        false => (&[Arithmetic::Exact], Arithmetic::Symbols),
    };
    let found = passes.iter().find_map(|arithmetic| {
        let now = Instant::now();
        let left = config.deadline.saturating_duration_since(now);
        let share = left.mul_f64(if passes.len() > 1 { 0.6 } else { 0.85 }).max(LEAST_TIME).min(left);
        let config = CheckConfig { deadline: now + share, ..config.clone() };
        in_all_turns(pair, *arithmetic, machines, &config, asker)
    });
    found.or_else(|| as_they_are(pair, last, &WAYS[..WAYS_AS_WRITTEN], machines, config, asker))
}

/// Whether a procedure, or one that it calls, multiplies or divides by what is no constant.
fn has_hard_operations(subject: Subject<'_>) -> bool {
    let mut found = false;
    for id in ir::reachable(subject.program, subject.procedure) {
        let body = subject.program.procedure(id).body.as_deref().unwrap_or_default();
        ir::for_each_expr(body, &mut |expr| {
            if let Expr::Binary { op, lhs, rhs, .. } = expr {
                let has_constant = [lhs, rhs].iter().any(|side| matches!(***side, Expr::Const(_)));
                found |=
                    matches!(op, BinaryOp::Div | BinaryOp::Rem) || (*op == BinaryOp::Mul && !has_constant);
            }
        });
    }
    found
}

/// In lockstep is tried first, with loops as they are and turned: the other ways take longer, and less often help.
fn in_all_turns(
    pair: Pair<Subject<'_>>,
    arithmetic: Arithmetic,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    let turned = turned(pair);
    let (first, rest) = WAYS.split_at(WAYS_IN_STEP);
    let (first_turned, rest_turned) = WAYS_TURNED.split_at(WAYS_IN_STEP);
    let rounds = [(first, first_turned), (rest, rest_turned)];
    rounds.into_iter().find_map(|(ways, ways_turned)| {
        as_they_are(pair, arithmetic, ways, machines, config, asker).or_else(|| {
            turned.iter().find_map(|turned| {
                with_turned(pair, turned.clone(), |pair| {
                    as_they_are(pair, arithmetic, ways_turned, machines, config, asker)
                })
            })
        })
    })
}

/// The versions with their loops turned, so that all test at their start, or all at their end.
fn turned(pair: Pair<Subject<'_>>) -> Vec<Pair<Option<Program>>> {
    let turns: [fn(&Program) -> Option<Program>; 2] = [rotated, tested_at_end];
    let of_turn = |turn: fn(&Program) -> Option<Program>| {
        let turned = pair.map(|subject| turn(subject.program));
        let Pair { old, new } = turned.clone();
        match (&turned.old, &turned.new) {
            (None, None) => Vec::new(),
            (Some(_), Some(_)) => vec![turned, Pair { old, new: None }, Pair { old: None, new }],
            (Some(_), None) | (None, Some(_)) => vec![turned],
        }
    };
    turns.into_iter().flat_map(of_turn).collect()
}

/// Does something with versions in which loops were turned.
pub(super) fn with_turned<T>(
    pair: Pair<Subject<'_>>,
    turned: Pair<Option<Program>>,
    then: impl FnOnce(Pair<Subject<'_>>) -> T,
) -> T {
    let programs =
        pair.zip(turned).map(|(subject, turned)| turned.unwrap_or_else(|| subject.program.clone()));
    then(subjects(&programs, pair.map(|subject| subject.procedure)))
}

/// Couples the loops in several ways to bring them into step.
fn as_they_are(
    pair: Pair<Subject<'_>>,
    arithmetic: Arithmetic,
    ways: &[Way],
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
    ways.iter().find_map(|way| {
        let (shapes, peeled) = match *way {
            Way::HeadStart => match traces.head_start() {
                Some(peeled) if can_peel(&shapes, peeled) => (&shapes, peeled),
                _ => return None,
            },
            Way::InStep(peeled) if !traces.are_in_step(peeled) => return None,
            Way::InStep(peeled) if !can_peel(&shapes, peeled) => return None,
            Way::InStep(peeled) => (&shapes, peeled),
            Way::Apart | Way::Waiting | Way::Reversed if are_apart(&shapes) => return None,
            // Once is enough: what is settled does not depend on how products are read.
            Way::Beyond if arithmetic == Arithmetic::Symbols => return None,
            Way::Grouped(grouping) if !is_shown(grouping, &shapes, &traces) => return None,
            Way::Reversed if !traces.are_in_step(PEELED[0]) => return None,
            Way::ByCases | Way::FirstTests | Way::Beyond | Way::Waiting => (&shapes, PEELED[0]),
            Way::Grouped(_) | Way::Reversed => (&shapes, PEELED[0]),
            Way::Apart => (&alone, PEELED[0]),
        };
        // What a way does not use is left for those after it.
        let now = Instant::now();
        let left = config.deadline.saturating_duration_since(now);
        let share = (left / 2).max(LEAST_TIME).min(left);
        let config = CheckConfig { deadline: now + share, ..config.clone() };
        let step = InStep::new(pair, shapes, peeled, &traces, &config).with_arithmetic(arithmetic);
        let verdict = match *way {
            Way::HeadStart | Way::InStep(_) | Way::Apart => step.decide(Cases::One, machines, asker),
            Way::Grouped(grouping) => {
                let step = step.grouped(grouping);
                let verdict = step.decide(Cases::One, machines, asker).filter(is_settled);
                verdict.or_else(|| step.decide(Cases::FirstTests, machines, asker))
            }
            Way::ByCases => step.decide(Cases::Reached, machines, asker),
            Way::FirstTests => step.decide(Cases::FirstTests, machines, asker),
            Way::Beyond => step.decide_beyond(machines, asker),
            Way::Waiting => step.decide_waiting(machines, asker),
            Way::Reversed => {
                let reverse = |side| step.decide_reversed(side, machines, asker).filter(is_settled);
                [Side::New, Side::Old].into_iter().find_map(reverse)
            }
        };
        verdict.filter(is_settled)
    })
}

/// Whether the versions that are to do iterations first have loops.
fn can_peel(shapes: &[Pair<Option<LoopShape<'_>>>], peeled: Pair<u32>) -> bool {
    let has_loops = |side: Side| shapes.iter().any(|shape| shape.get(side).is_some());
    [Side::Old, Side::New].into_iter().all(|side| *peeled.get(side) == 0 || has_loops(side))
}

fn is_settled(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Unknown(_))
}

/// One way to run the loops of both versions side by side.
#[derive(Clone, Copy)]
enum Way {
    /// In lockstep, after as many iterations of each as runs show.
    HeadStart,
    /// In lockstep, after some iterations of each.
    InStep(Pair<u32>),
    /// At another pace, or one with several.
    Grouped(Grouping),
    /// Each for itself: what a loop computes may be known without the other one.
    Apart,
    /// In lockstep, by cases of the inputs on which it depends whether loops are reached.
    ByCases,
    /// In lockstep, by cases of the inputs on which it depends whether loops have iterations.
    FirstTests,
    /// In lockstep, on the inputs that need more than a few iterations; the others were followed to their end.
    Beyond,
    /// Loops that are done wait for the other version's.
    Waiting,
    /// In lockstep, where one counts up and the other one down.
    Reversed,
}

const WAYS: [Way; 13] = [
    Way::HeadStart,
    Way::InStep(PEELED[0]),
    Way::Reversed,
    Way::Grouped(Grouping::Paced),
    Way::Grouped(Grouping::OneWithSeveral),
    Way::Apart,
    Way::ByCases,
    Way::FirstTests,
    Way::InStep(PEELED[1]),
    Way::InStep(PEELED[2]),
    Way::Waiting,
    Way::InStep(PEELED[3]),
    Way::Beyond,
];
/// The first of these are lockstep.
const WAYS_IN_STEP: usize = 2;
/// The first of these leave the loops as they are written.
const WAYS_AS_WRITTEN: usize = 8;
/// Where loops were turned, less is left to be tried.
const WAYS_TURNED: [Way; 10] =
    [WAYS[0], WAYS[1], WAYS[3], WAYS[4], WAYS[5], WAYS[6], WAYS[8], WAYS[9], WAYS[10], WAYS[11]];

/// Two loops that go together, each for itself.
pub(crate) fn apart(
    shapes: Pair<Option<LoopShape<'_>>>,
) -> impl Iterator<Item = Pair<Option<LoopShape<'_>>>> {
    let old = shapes.old.map(|shape| Pair { old: Some(shape), new: None });
    let new = shapes.new.map(|shape| Pair { old: None, new: Some(shape) });
    old.into_iter().chain(new)
}

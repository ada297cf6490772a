//! Lockstep: product programs of loops, in all alignments of a portfolio, with coupling invariants proved by induction.

mod full_unrolling;
mod loops;
mod portfolio;
mod product;

use budget::Steps;
use ir::{BinaryOp, Expr, Pair, Program, Subject};
use symbolic::LoopShape;

use crate::CheckConfig;
use crate::verdict::Verdict;
use crate::witness::Machines;
use ir::subjects;
use loops::Loops;
use query::Client;

pub(crate) use portfolio::Portfolio;
pub(crate) use product::Product;

/// An attempt with less than this is none.
const LEAST: Steps = Steps::of_milliseconds(20);

/// Decides a pair by coupling its loops; `None` if it has none that go together. The portfolio that were made stay known.
pub(crate) fn lockstep(
    pair: Pair<Subject<'_>>,
    portfolio: &mut Option<Portfolio>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let turned = turned(pair);
    let root = pair.map(|subject| subject.procedure);
    let pairs: Vec<Pair<Subject<'_>>> =
        std::iter::once(pair).chain(turned.iter().map(|programs| subjects(programs, root))).collect();
    let is_hard = pair.map(has_hard_operations);
    let portfolio = portfolio.get_or_insert_with(|| Portfolio::new(pairs.len(), is_hard.old || is_hard.new));
    let mut loops: Vec<Option<Option<Loops<'_>>>> = pairs.iter().map(|_| None).collect();
    loop {
        let left = config.budget.left();
        if left < LEAST || config.is_over() || machines.evidence().failure().is_some() {
            return None;
        }
        let (attempt, share) = portfolio.next(left)?;
        // The versions may have got another look since the portfolio were listed.
        let turned = pairs.get(attempt.turn).zip(loops.get_mut(attempt.turn));
        let loops = turned.map(|(pair, loops)| loops.get_or_insert_with(|| Loops::of(*pair, config.numbers)));
        let Some(Some(loops)) = loops else {
            portfolio.has_failed();
            continue;
        };
        let given_up = client.given_up();
        let config = config.within(config.budget.at_most(share));
        let span = tracing::debug_span!(target: "attempt", "attempt", way = ?attempt.way, arithmetic = ?attempt.arithmetic, turn = attempt.turn);
        let mark = client.mark();
        if let Some(verdict) = span.in_scope(|| loops.couple(attempt, machines, &config, client)) {
            return Some(verdict);
        }
        client.strike_out_since(mark);
        match client.given_up() == given_up && !config.is_over() {
            true => portfolio.has_failed(),
            false if share <= left => portfolio.again_later(share),
            false => {
                portfolio.was_cut_short(left);
                return None;
            }
        }
    }
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

/// The versions with their loops turned, so that all test at their start, or all at their end.
fn turned(pair: Pair<Subject<'_>>) -> Vec<Pair<Program>> {
    let turns: [fn(&Program) -> Option<Program>; 2] = [rewrite::unrotate_loops, rewrite::rotate_loops];
    let of_turn = |turn: fn(&Program) -> Option<Program>| {
        let turned = pair.map(|subject| turn(subject.program));
        let Pair { old, new } = turned.clone();
        match (&turned.old, &turned.new) {
            (None, None) => Vec::new(),
            (Some(_), Some(_)) => vec![turned, Pair { old, new: None }, Pair { old: None, new }],
            (Some(_), None) | (None, Some(_)) => vec![turned],
        }
    };
    let or_as_it_is =
        |(subject, turned): (Subject<'_>, Option<Program>)| turned.unwrap_or_else(|| subject.program.clone());
    let all = turns.into_iter().flat_map(of_turn);
    all.map(|turned| pair.zip(turned).map(or_as_it_is)).collect()
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

/// Two loops that go together, each for itself.
pub(crate) fn apart(
    shapes: Pair<Option<LoopShape<'_>>>,
) -> impl Iterator<Item = Pair<Option<LoopShape<'_>>>> {
    let old = shapes.old.map(|shape| Pair { old: Some(shape), new: None });
    let new = shapes.new.map(|shape| Pair { old: None, new: Some(shape) });
    old.into_iter().chain(new)
}

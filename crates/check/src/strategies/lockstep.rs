//! Lockstep: product programs of loops, in all alignments of a portfolio, with coupling invariants proved by induction.

mod coupling;
mod full_unrolling;
mod portfolio;
mod product;

use budget::Steps;
use ir::{BinaryOp, Expr, Subject};
use query::Client;

use crate::CheckConfig;
use crate::analysis::{Analysis, PairAnalysis};
use crate::verdict::Verdict;
use crate::witness::Machines;
use coupling::couple;

pub(crate) use portfolio::Portfolio;
pub(crate) use product::Product;

/// An attempt with less than this is none.
const LEAST: Steps = Steps::of_milliseconds(20);

/// Decides a pair by coupling its loops; `None` if it has none that go together. What is left of the portfolio is kept.
pub(crate) fn lockstep(
    analysis: &PairAnalysis<'_>,
    portfolio: &mut Option<Portfolio>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let rotated = analysis.rotated();
    let is_hard = analysis.pair().map(has_hard_operations);
    let portfolio =
        portfolio.get_or_insert_with(|| Portfolio::new(1 + rotated.len(), is_hard.old || is_hard.new));
    loop {
        let left = config.budget.left();
        if left < LEAST || config.is_over() || machines.evidence().failure().is_some() {
            return None;
        }
        let (attempt, share) = portfolio.next(left)?;
        let versions = match attempt.rotation.checked_sub(1) {
            None => Some(analysis.versions()),
            // The portfolio may be older than this analysis.
            Some(place) => rotated.get(place),
        };
        let Some(loops) = versions.and_then(Analysis::loops) else {
            portfolio.has_failed();
            continue;
        };
        let given_up = client.given_up();
        let config = config.within(config.budget.at_most(share));
        let span = tracing::debug_span!(target: "attempt", "attempt", way = ?attempt.way, arithmetic = ?attempt.arithmetic, turn = attempt.rotation);
        let mark = client.mark();
        if let Some(verdict) = span.in_scope(|| couple(loops, attempt, machines, &config, client)) {
            return Some(verdict);
        }
        client.strike_out_since(mark);
        match client.given_up() == given_up && !config.is_over() {
            true => portfolio.has_failed(),
            false if share <= left => portfolio.again_later(share),
            false => {
                portfolio.was_short_of_budget(left);
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

//! Which hidden statement to open next: the heuristics H1, H2 and H3 of ARDiff.

use budget::Steps;
use ir::{BinaryOp, Const, Expr, Intrinsic, Program, Stmt, StmtKind};
use smt::{Term, Terms};
use std::collections::BTreeSet;

use super::Refinement;
use super::occurrences::{belongs_to, counts};
use crate::CheckConfig;
use crate::common_code::{Block, CommonCode, StatementId};
use crate::verification_condition::VerificationCondition;
use query::Client;

/// What the quantified questions of H1 may cost, each; and how many may fail before no more are asked.
const STEPS_FOR_H1: Steps = Steps::new(100_000);
const MOST_FAILURES_FOR_H1: u32 = 20;
/// Symbols beyond this are not asked about.
const MOST_SYMBOLS_FOR_H1: usize = 24;

/// Chooses one statement after the other, the same ones for the same pair.
pub(super) struct Chooser {
    refinement: Refinement,
    random: fastrand::Rng,
    /// How many quantified questions had no answer of use.
    failures: u32,
}

impl Chooser {
    pub(super) fn new(refinement: Refinement, seed: u64) -> Chooser {
        Chooser { refinement, random: fastrand::Rng::with_seed(seed), failures: 0 }
    }

    /// The statement to open; `involved` are the hidden blocks that occur in the question.
    pub(super) fn choose(
        &mut self,
        terms: &mut Terms,
        vc: &VerificationCondition<'_>,
        common: &CommonCode<'_>,
        involved: &[&Block<'_>],
        client: &mut Client,
        config: &CheckConfig,
    ) -> StatementId {
        let statements = |blocks: &[&Block<'_>]| -> Vec<StatementId> {
            let members = blocks.iter().flat_map(|block| &block.members);
            members
                .flat_map(|id| common.within(*id))
                .filter(|id| does_something(common.statement(*id)))
                .collect()
        };
        match self.refinement {
            Refinement::Random => {
                let all = statements(involved);
                all[self.random.usize(..all.len())]
            }
            Refinement::Never | Refinement::Simplest => simplest(common, &statements(involved)),
            Refinement::Heuristic => {
                let chosen = candidates(terms, vc, involved, client, config, &mut self.failures);
                let chosen = if chosen.is_empty() { involved.to_vec() } else { chosen };
                simplest(common, &statements(&chosen))
            }
        }
    }
}

/// Whether opening a statement shows anything: jumps and frames of blocks do not.
fn does_something(stmt: &Stmt) -> bool {
    !matches!(
        stmt.kind,
        StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Scope { .. }
            | StmtKind::Try { .. }
            | StmtKind::Loop { .. }
    )
}

/// H1 and H2: the blocks with a symbol that can matter.
fn candidates<'b, 'a>(
    terms: &mut Terms,
    vc: &VerificationCondition<'_>,
    involved: &[&'b Block<'a>],
    client: &mut Client,
    config: &CheckConfig,
    failures: &mut u32,
) -> Vec<&'b Block<'a>> {
    let summaries = vc.summaries();
    let (old, new) = (counts(terms, &summaries.old), counts(terms, &summaries.new));
    let unequal: BTreeSet<&String> =
        old.keys().chain(new.keys()).filter(|name| old.get(*name) != new.get(*name)).collect();
    let roots = [vc.question().differ, vc.question().unfinished];
    let inside = terms.reachable(&roots);
    let symbols: Vec<Vec<Term>> = involved
        .iter()
        .map(|block| inside.iter().copied().filter(|term| belongs_to(terms, *term, block)).collect())
        .collect();
    let mut chosen = Vec::new();
    for (place, block) in involved.iter().enumerate() {
        let by_h2 = symbols[place].iter().any(|term| {
            let (smt::Op::Var(name) | smt::Op::Apply(name)) = terms.op(*term) else { return false };
            unequal.contains(&name.to_string())
        });
        let all: usize = symbols.iter().map(Vec::len).sum();
        let may_ask = all <= MOST_SYMBOLS_FOR_H1 && *failures < MOST_FAILURES_FOR_H1;
        let by_h1 = !by_h2 && may_ask && {
            let holds = by_h1(terms, vc, &symbols, place, client, config);
            *failures += u32::from(!holds);
            holds
        };
        if by_h2 || by_h1 {
            chosen.push(*block);
        }
    }
    chosen
}

/// Whether some values of the symbols of one block make the versions the same, whatever all other symbols are.
fn by_h1(
    terms: &mut Terms,
    vc: &VerificationCondition<'_>,
    symbols: &[Vec<Term>],
    place: usize,
    client: &mut Client,
    config: &CheckConfig,
) -> bool {
    let same = terms.not(vc.question().differ);
    let chosen = &symbols[place];
    let others: Vec<Term> = symbols
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != place)
        .flat_map(|(_, terms)| terms)
        .copied()
        .collect();
    client.holds_for_some(terms, same, chosen, &others, STEPS_FOR_H1, &config.budget)
}

/// H3: the statement with the fewest loops around it and the fewest non-linear operators in it; the first of these.
fn simplest(common: &CommonCode<'_>, statements: &[StatementId]) -> StatementId {
    let rank = |id: &&StatementId| {
        let stmt = common.statement(**id);
        (common.loop_depth(**id) + nonlinear_in(common.old_program(), stmt), **id)
    };
    *statements.iter().min_by_key(rank).expect("a hidden block should have a statement")
}

/// The non-linear operators of a statement itself, and the operators and loops of all that it calls.
fn nonlinear_in(program: &Program, stmt: &Stmt) -> u32 {
    let mut count = 0;
    ir::for_each_part(&stmt.kind, &mut |part| {
        ir::for_each_subexpr(part, &mut |expr| count += u32::from(is_nonlinear(expr)));
    });
    if let StmtKind::Call { callee, .. } = stmt.kind {
        for id in ir::reachable(program, callee) {
            let body = program.procedure(id).body.as_deref().unwrap_or_default();
            ir::for_each_expr(body, &mut |expr| count += u32::from(is_nonlinear(expr)));
            count += u32::from(ir::has_loop(body));
        }
    }
    count
}

/// Products and quotients of values that are not literals, remainders, and functions such as `sqrt`.
fn is_nonlinear(expr: &Expr) -> bool {
    match expr {
        Expr::Binary { op: BinaryOp::Mul, lhs, rhs, .. } => !is_literal(lhs) && !is_literal(rhs),
        Expr::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. } => !is_literal(rhs),
        Expr::Intrinsic { function, .. } => !matches!(function, Intrinsic::Abs(_)),
        _ => false,
    }
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Const(Const::Int(..) | Const::F32(_) | Const::F64(_)) => true,
        Expr::Convert { arg, .. } => is_literal(arg),
        _ => false,
    }
}

//! The inverse of loop rotation: the first exit test of a loop comes first, so that `do` loops become `while` loops.
//!
//! ```text
//! loop { A; if c { break } B }      A; loop { if c { break } B; A }
//! ```
//!
//! Exact.

use ir::{LabelId, Program, Stmt, StmtKind, blocks, blocks_mut};

use crate::validated;

/// The program with its loops unrotated; `None` if there is nothing to do.
pub fn unrotate_loops(program: &Program) -> Option<Program> {
    let mut unrotated = program.clone();
    let mut changed = false;
    for procedure in &mut unrotated.procedures {
        if let Some(body) = &mut procedure.body {
            changed |= unrotate_all(body);
        }
    }
    changed.then(|| validated(unrotated, "the inverse of loop rotation"))
}

fn unrotate_all(block: &mut Vec<Stmt>) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < block.len() {
        for inner in blocks_mut(&mut block[at].kind) {
            changed |= unrotate_all(inner);
        }
        if let StmtKind::Loop { label, body } = &mut block[at].kind
            && let Some(length) = before_first_test(body, *label)
        {
            let first: Vec<Stmt> = body.drain(..length).collect();
            body.extend(first.iter().cloned());
            let count = first.len();
            block.splice(at..at, first);
            at += count;
            changed = true;
        }
        at += 1;
    }
    changed
}

/// How many statements stand before the first one that can leave the loop, if these can be taken out.
fn before_first_test(body: &[Stmt], label: LabelId) -> Option<usize> {
    let length = body.iter().position(|stmt| jumps_to(stmt, label))?;
    let rest_continues = body[length..].iter().any(|stmt| continues(stmt, label));
    (length > 0 && body[..length].iter().all(is_simple) && !rest_continues).then_some(length)
}

/// Whether a statement can be written twice: it has no labels of its own.
pub(super) fn is_simple(stmt: &Stmt) -> bool {
    let mut simple = true;
    ir::for_each_stmt(std::slice::from_ref(stmt), &mut |stmt| {
        simple &= !matches!(stmt.kind, StmtKind::Loop { .. } | StmtKind::Scope { .. } | StmtKind::Try { .. });
    });
    simple
}

pub(super) fn jumps_to(stmt: &Stmt, label: LabelId) -> bool {
    let jumps = matches!(stmt.kind, StmtKind::Break(to) | StmtKind::Continue(to) if to == label);
    jumps || blocks(&stmt.kind).into_iter().any(|block| block.iter().any(|inner| jumps_to(inner, label)))
}

pub(super) fn continues(stmt: &Stmt, label: LabelId) -> bool {
    let jumps = matches!(stmt.kind, StmtKind::Continue(to) if to == label);
    jumps || blocks(&stmt.kind).into_iter().any(|block| block.iter().any(|inner| continues(inner, label)))
}

//! Loop rotation: the test at the start of a loop moves to its end, so that `while` loops become guarded `do` loops.
//!
//! ```text
//! loop { T; A }      scope { T; loop { A; T } }
//! ```
//!
//! where `T` ends with the test that leaves. Exact.

use ir::{LabelId, Program, Stmt, StmtKind, blocks_mut, for_each_stmt_mut};

use crate::unrotate::{continues, is_simple, jumps_to};
use crate::validated;

/// Statements of a test, at the most: they are written twice.
const LONGEST_TEST: usize = 12;

/// The program with its loops rotated; `None` if there is nothing to rotate.
pub fn rotate_loops(program: &Program) -> Option<Program> {
    let mut rotated = program.clone();
    let mut changed = false;
    for procedure in &mut rotated.procedures {
        if let Some(body) = &mut procedure.body {
            let mut next = ir::first_free_label(body);
            changed |= rotate_all(body, &mut next);
        }
    }
    changed.then(|| validated(rotated, "loop rotation"))
}

fn rotate_all(block: &mut [Stmt], next: &mut usize) -> bool {
    let mut changed = false;
    for stmt in block {
        for inner in blocks_mut(&mut stmt.kind) {
            changed |= rotate_all(inner, next);
        }
        if let StmtKind::Loop { label, body } = &mut stmt.kind
            && let Some(length) = test_length(body, *label)
        {
            let (label, mut rest) = (*label, std::mem::take(body));
            let test: Vec<Stmt> = rest.drain(..length).collect();
            rest.extend(test.iter().cloned());
            let outer = LabelId::from_index(*next);
            *next += 1;
            let mut around = test;
            for_each_stmt_mut(&mut around, &mut |stmt| {
                if stmt.kind == StmtKind::Break(label) {
                    stmt.kind = StmtKind::Break(outer);
                }
            });
            around.push(Stmt { kind: StmtKind::Loop { label, body: rest }, span: stmt.span });
            stmt.kind = StmtKind::Scope { label: outer, body: around };
            changed = true;
        }
    }
    changed
}

/// How many statements the test at the start of a loop takes, if it can be moved.
fn test_length(body: &[Stmt], label: LabelId) -> Option<usize> {
    let length = 1 + body.iter().position(|stmt| jumps_to(stmt, label))?;
    let can_move = length < body.len()
        && length <= LONGEST_TEST
        && body[..length].iter().all(is_simple)
        && !body.iter().any(|stmt| continues(stmt, label));
    can_move.then_some(length)
}

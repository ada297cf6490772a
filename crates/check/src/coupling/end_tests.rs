//! Loops turned so that the test at their start comes at their end: `while` loops become what `do` loops are.
//!
//! ```text
//! loop { T; A }      scope { T; loop { A; T } }
//! ```
//!
//! where `T` ends with the test that leaves. Exact: the turned program does what the program does.

use ir::{LabelId, Program, Stmt, StmtKind, blocks_mut, for_each_stmt_mut};

use super::rotation::{continues, is_simple, jumps_to};

/// Statements of a test, at the most: they are written twice.
const LONGEST_TEST: usize = 12;

/// The program with the tests of its loops at their ends; `None` if none has to be moved.
pub(crate) fn tested_at_end(program: &Program) -> Option<Program> {
    let mut turned = program.clone();
    let mut changed = false;
    for procedure in &mut turned.procedures {
        if let Some(body) = &mut procedure.body {
            let mut next = ir::first_free_label(body);
            changed |= turn_all(body, &mut next);
        }
    }
    changed.then_some(turned)
}

fn turn_all(block: &mut [Stmt], next: &mut usize) -> bool {
    let mut changed = false;
    for stmt in block {
        for inner in blocks_mut(&mut stmt.kind) {
            changed |= turn_all(inner, next);
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

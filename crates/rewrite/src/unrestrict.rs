//! A restricted procedure as it was for all inputs: what `restrict` put before the body lets every input pass.
//!
//! For runs that show what a condition keeps away, and for nothing else. Statements keep their numbers.

use ir::{Block, CatchKind, Const, Expr, Local, LocalId, ProcId, Procedure, Program, Stmt, StmtKind};

use crate::instances::INSTANCE;

/// How `restrict` calls the local that says whether an input meets the condition.
const MET: &str = "$met";

/// The program with a procedure that `restrict` made, for all inputs; `None` if it is restricted to none.
///
/// The first call passes whatever its arguments are; calls inside are told apart as before.
pub fn unrestrict(program: &Program, id: ProcId) -> Option<Program> {
    let mut program = program.clone();
    let is_restricted = open(&mut program.procedures[id.index()]);
    let guarded = format!("{}.same", program.procedure(id).name);
    if let Some(same) = program.procedure_named(&guarded).filter(|_| is_restricted) {
        open(&mut program.procedures[same.index()]);
    }
    is_restricted.then_some(program)
}

/// Whether `restrict` made a procedure.
pub fn is_restricted(program: &Program, id: ProcId) -> bool {
    open(&mut program.procedure(id).clone())
}

/// Lets all inputs pass the tests of conditions at the start of a body; whether there is one.
fn open(procedure: &mut Procedure) -> bool {
    let Procedure { locals, body, .. } = procedure;
    let is_met = |local: LocalId| locals[local.index()].name.starts_with(MET);
    let Some(body) = body else { return false };
    open_loops(locals, body);
    let mut found = false;
    let mut at = 0;
    while at + 1 < body.len() {
        let Some(met) = evaluated(&body[at]).filter(|met| is_met(*met)) else { break };
        let condition = match &mut body[at + 1].kind {
            StmtKind::Assume { condition } => condition,
            // Not the choice between calls that meet the condition and others.
            StmtKind::If { condition, then, .. } if then.is_empty() => condition,
            _ => break,
        };
        if !tests(condition, met) {
            break;
        }
        *condition = Expr::Const(Const::Bool(true));
        found = true;
        at += 2;
    }
    found
}

/// Lets loops go on whatever their indices are.
fn open_loops(locals: &[Local], body: &mut Block) {
    ir::for_each_stmt_mut(body, &mut |stmt| {
        let StmtKind::If { condition, .. } = &mut stmt.kind else { return };
        let said_by = match condition {
            Expr::Local(local) => Some(*local),
            Expr::Binary { lhs, .. } => match **lhs {
                Expr::Local(local) => Some(local),
                _ => None,
            },
            _ => None,
        };
        if said_by.is_some_and(|local| locals[local.index()].name.starts_with(INSTANCE)) {
            *condition = Expr::Const(Const::Bool(true));
        }
    });
}

/// Whether an expression is the test whether the condition is met.
fn tests(condition: &Expr, met: LocalId) -> bool {
    match condition {
        Expr::Local(local) => *local == met,
        Expr::Binary { lhs, .. } => **lhs == Expr::Local(met),
        _ => false,
    }
}

/// The local that is set to what a condition gives, if that is what a statement does.
fn evaluated(stmt: &Stmt) -> Option<LocalId> {
    match &stmt.kind {
        // One that cannot fail.
        StmtKind::Call { local, .. } => *local,
        StmtKind::Try { body, catches } => match (body.as_slice(), catches.as_slice()) {
            ([Stmt { kind: StmtKind::Call { local: Some(met), .. }, .. }], [catch])
                if catch.kind == CatchKind::Any =>
            {
                Some(*met)
            }
            _ => None,
        },
        _ => None,
    }
}

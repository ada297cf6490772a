//! Whether statements can change what an expression evaluates to.
//! Over-approximating: every write to the heap counts for every load.

use ir::{Expr, LocalId, Stmt, StmtKind, Written};

/// Whether the value of the expression may be another one after the statements than before.
pub(crate) fn may_change(stmts: &[Stmt], expr: &Expr) -> bool {
    let reads = Reads::of(expr);
    writes(stmts, &reads)
}

/// What an expression depends on.
#[derive(Default)]
struct Reads {
    locals: Vec<LocalId>,
    globals: bool,
    heap: bool,
}

impl Reads {
    fn of(expr: &Expr) -> Reads {
        let mut reads = Reads::default();
        reads.add(expr);
        reads
    }

    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Local(local) => self.locals.push(*local),
            Expr::Global(_) => self.globals = true,
            Expr::Load { .. } | Expr::Length { .. } => self.heap = true,
            _ => {}
        }
        ir::children(expr).into_iter().for_each(|child| self.add(child));
    }
}

fn writes(stmts: &[Stmt], reads: &Reads) -> bool {
    any_stmt(stmts, |kind| {
        let is_read = match ir::written(kind) {
            Some(Written::Global(_)) => reads.globals,
            Some(Written::Cells(_) | Written::Length) => reads.heap,
            Some(Written::Callee(_)) => reads.heap || reads.globals,
            None => false,
        };
        is_read || ir::assigned_locals(kind).iter().any(|local| reads.locals.contains(local))
    })
}

/// Whether one of the statements, or of those inside of them, is such a one.
fn any_stmt(stmts: &[Stmt], is_one: impl Fn(&StmtKind) -> bool) -> bool {
    let mut found = false;
    ir::for_each_stmt(stmts, &mut |stmt| found |= is_one(&stmt.kind));
    found
}

/// Whether control can go on after the block.
pub(crate) fn falls_through(block: &[Stmt]) -> bool {
    block.iter().all(|stmt| match &stmt.kind {
        StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Throw { .. }
        | StmtKind::Unsupported { .. } => false,
        StmtKind::If { then, otherwise, .. } => falls_through(then) || falls_through(otherwise),
        StmtKind::Loop { label, body } => breaks_to(body, *label),
        StmtKind::Scope { label, body } => falls_through(body) || breaks_to(body, *label),
        _ => true,
    })
}

/// Whether the block has a jump out of the loop or scope with this label.
pub(crate) fn breaks_to(block: &[Stmt], target: ir::LabelId) -> bool {
    any_stmt(block, |kind| *kind == StmtKind::Break(target))
}

/// Whether the block starts the next round of the loop with this label by a jump.
pub(crate) fn continues_to(block: &[Stmt], target: ir::LabelId) -> bool {
    any_stmt(block, |kind| *kind == StmtKind::Continue(target))
}

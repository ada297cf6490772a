//! Whether statements change what an expression reads: decides when an operand must be saved before the next one
//! is evaluated. Over-approximating: calls change all of the heap and all globals.

use std::collections::BTreeSet;

use ir::{Block, Expr, GlobalId, LocalId, RegionId, Stmt, StmtKind};

/// Whether running the statements may change the value of the expression.
pub(super) fn may_change(stmts: &[Stmt], expr: &Expr) -> bool {
    if stmts.is_empty() {
        return false;
    }
    let mut reads = Reads::default();
    reads.expr(expr);
    !reads.is_empty() && stmts.iter().any(|stmt| writes_any(stmt, &reads))
}

/// How many nodes an expression has, counted up to a limit.
pub(super) fn size(expr: &Expr, limit: usize) -> usize {
    let mut total = 1;
    for child in ir::children(expr) {
        if total < limit {
            total += size(child, limit - total);
        }
    }
    total
}

#[derive(Default)]
struct Reads {
    locals: BTreeSet<LocalId>,
    globals: BTreeSet<GlobalId>,
    regions: BTreeSet<RegionId>,
}

impl Reads {
    fn is_empty(&self) -> bool {
        self.locals.is_empty() && self.globals.is_empty() && self.regions.is_empty()
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Local(local) => {
                self.locals.insert(*local);
            }
            Expr::Global(global) => {
                self.globals.insert(*global);
            }
            Expr::Load { region, .. } => {
                self.regions.insert(*region);
            }
            _ => {}
        }
        ir::children(expr).into_iter().for_each(|child| self.expr(child));
    }
}

fn writes_any(stmt: &Stmt, reads: &Reads) -> bool {
    let any = |block: &Block| block.iter().any(|stmt| writes_any(stmt, reads));
    match &stmt.kind {
        StmtKind::Assign { local, .. } | StmtKind::New { local, .. } => reads.locals.contains(local),
        StmtKind::AssignGlobal { global, .. } => reads.globals.contains(global),
        StmtKind::Store { region, .. } => reads.regions.contains(region),
        StmtKind::Call { local, .. } => {
            local.is_some_and(|local| reads.locals.contains(&local))
                || !reads.globals.is_empty()
                || !reads.regions.is_empty()
        }
        StmtKind::If { then, otherwise, .. } => any(then) || any(otherwise),
        StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => any(body),
        StmtKind::Try { body, catches } => {
            any(body)
                || catches.iter().any(|catch| {
                    catch.message.is_some_and(|local| reads.locals.contains(&local)) || any(&catch.body)
                })
        }
        StmtKind::Free { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Throw { .. }
        | StmtKind::Check { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Print { .. }
        | StmtKind::Unsupported { .. } => false,
    }
}

//! Whether statements change what an expression reads: decides when an operand must be saved before the next one
//! is evaluated. Over-approximating: calls change all of the heap and all globals.

use std::collections::BTreeSet;

use ir::{Expr, GlobalId, LocalId, RegionId, Stmt, Written};

/// Whether running the statements may change the value of the expression.
pub(super) fn may_change(stmts: &[Stmt], expr: &Expr) -> bool {
    if stmts.is_empty() {
        return false;
    }
    let mut reads = Reads::default();
    reads.expr(expr);
    !reads.is_empty() && writes_any(stmts, &reads)
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

fn writes_any(stmts: &[Stmt], reads: &Reads) -> bool {
    let mut found = false;
    ir::for_each_stmt(stmts, &mut |stmt| {
        let is_read = match ir::written(&stmt.kind) {
            Some(Written::Global(global)) => reads.globals.contains(&global),
            Some(Written::Cells(region)) => reads.regions.contains(&region),
            Some(Written::Callee(_)) => !reads.globals.is_empty() || !reads.regions.is_empty(),
            Some(Written::Length) | None => false,
        };
        found |= is_read || ir::assigned_locals(&stmt.kind).iter().any(|local| reads.locals.contains(local));
    });
    found
}

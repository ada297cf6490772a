//! Walks over statements and expressions, in the order in which they stand.

use std::cell::Cell;

use crate::slots::{
    Slot, SlotMut, for_each_slot, for_each_slot_mut, for_each_slot_of_expr, for_each_slot_of_expr_mut,
};
use crate::{Block, Expr, GlobalId, LabelId, LocalId, ProcId, RegionId, Stmt, StmtKind};

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// How many statements this thread has walked over, and procedures it has copied, since it started: a measure of work
/// that is the same on every machine. Nothing but tests may depend on it.
pub fn steps_walked() -> u64 {
    STEPS.get()
}

pub(crate) fn count_steps(steps: usize) {
    STEPS.set(STEPS.get().wrapping_add(steps as u64));
}

/// Every statement of a block, the outer ones first.
pub fn for_each_stmt<'a>(block: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    count_steps(block.len());
    for stmt in block {
        visit(stmt);
        for_each_slot(&stmt.kind, &mut |slot| {
            if let Slot::Block(inner) = slot {
                for_each_stmt(inner, visit);
            }
        });
    }
}

/// Whether a statement, or one inside of it, is a loop.
pub fn has_loop(statements: &[Stmt]) -> bool {
    let mut found = false;
    for_each_stmt(statements, &mut |stmt| found |= matches!(stmt.kind, StmtKind::Loop { .. }));
    found
}

/// How many loops are inside of each other in a block, at the most.
pub fn loop_nesting(block: &[Stmt]) -> usize {
    let of_stmt = |stmt: &Stmt| {
        let inner = blocks(&stmt.kind).into_iter().map(|inner| loop_nesting(inner)).max().unwrap_or(0);
        inner + usize::from(matches!(stmt.kind, StmtKind::Loop { .. }))
    };
    block.iter().map(of_stmt).max().unwrap_or(0)
}

/// Every expression of a block, also those inside of others; the outer ones first.
pub fn for_each_expr<'a>(block: &'a [Stmt], visit: &mut dyn FnMut(&'a Expr)) {
    for_each_stmt(block, &mut |stmt| {
        for_each_part(&stmt.kind, &mut |expr| for_each_subexpr(expr, visit));
    });
}

/// An expression and all inside of it, the outer ones first.
pub fn for_each_subexpr<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    for_each_slot_of_expr(expr, &mut |slot| {
        if let Slot::Expr(child) = slot {
            for_each_subexpr(child, visit);
        }
    });
}

/// The expressions that a statement itself evaluates, in order; not those of the statements in it.
pub fn for_each_part<'a>(kind: &'a StmtKind, visit: &mut dyn FnMut(&'a Expr)) {
    for_each_slot(kind, &mut |slot| {
        if let Slot::Expr(expr) = slot {
            visit(expr);
        }
    });
}

/// The locals that a statement itself assigns; for `try`, those that get the message of an error.
pub fn assigned_locals(kind: &StmtKind) -> Vec<LocalId> {
    let mut locals = Vec::new();
    for_each_slot(kind, &mut |slot| {
        if let Slot::Local(local) = slot {
            locals.push(*local);
        }
    });
    locals
}

/// What a statement may write besides locals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    Global(GlobalId),
    Cells(RegionId),
    /// The length of an object, which ends its life.
    Length,
    /// Whatever the callee writes.
    Callee(ProcId),
}

/// What a statement itself writes of what was there before it, besides the locals that it assigns; not what the
/// statements in it write.
pub fn written(kind: &StmtKind) -> Option<Written> {
    let mut written = None;
    for_each_slot(kind, &mut |slot| match slot {
        Slot::Global(global) => written = Some(Written::Global(*global)),
        Slot::Region(region) => written = Some(Written::Cells(*region)),
        Slot::Length => written = Some(Written::Length),
        Slot::Callee(callee) => written = Some(Written::Callee(*callee)),
        Slot::Expr(_) | Slot::Const(_) | Slot::Local(_) | Slot::Shape(_) | Slot::Shapes(_) => {}
        Slot::Label(_) | Slot::Error(_) | Slot::Catch(_) | Slot::Stream(_) | Slot::Block(_) => {}
    });
    written
}

/// The blocks directly inside of a statement, in order.
pub fn blocks(kind: &StmtKind) -> Vec<&Block> {
    let mut blocks = Vec::new();
    for_each_slot(kind, &mut |slot| {
        if let Slot::Block(block) = slot {
            blocks.push(block);
        }
    });
    blocks
}

/// The operands of an expression, in order.
pub fn children(expr: &Expr) -> Vec<&Expr> {
    let mut children = Vec::new();
    for_each_slot_of_expr(expr, &mut |slot| {
        if let Slot::Expr(child) = slot {
            children.push(child);
        }
    });
    children
}

/// Every statement of a block, to change it; the inner ones after their outer ones were changed.
pub fn for_each_stmt_mut(block: &mut [Stmt], visit: &mut dyn FnMut(&mut Stmt)) {
    for stmt in block {
        visit(stmt);
        for inner in blocks_mut(&mut stmt.kind) {
            for_each_stmt_mut(inner, visit);
        }
    }
}

/// Every expression of a block, to change it; the inner ones after their outer ones were changed.
pub fn for_each_expr_mut(block: &mut Block, visit: &mut dyn FnMut(&mut Expr)) {
    for_each_stmt_mut(block, &mut |stmt| {
        for part in parts_mut(&mut stmt.kind) {
            for_each_subexpr_mut(part, visit);
        }
    });
}

/// An expression and all inside of it, to change them, the outer ones first.
pub fn for_each_subexpr_mut(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    for child in children_mut(expr) {
        for_each_subexpr_mut(child, visit);
    }
}

/// The expressions that a statement itself evaluates, in order, to change them.
pub fn parts_mut(kind: &mut StmtKind) -> Vec<&mut Expr> {
    let mut parts = Vec::new();
    for_each_slot_mut(kind, &mut |slot| {
        if let SlotMut::Expr(expr) = slot {
            parts.push(expr);
        }
    });
    parts
}

/// The blocks directly inside of a statement, in order, to change them.
pub fn blocks_mut(kind: &mut StmtKind) -> Vec<&mut Block> {
    let mut blocks = Vec::new();
    for_each_slot_mut(kind, &mut |slot| {
        if let SlotMut::Block(block) = slot {
            blocks.push(block);
        }
    });
    blocks
}

/// The operands of an expression, in order, to change them.
pub fn children_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    let mut children = Vec::new();
    for_each_slot_of_expr_mut(expr, &mut |slot| {
        if let SlotMut::Expr(child) = slot {
            children.push(child);
        }
    });
    children
}

/// Every local that a block reads or assigns, to change it; those that a statement reads before those it assigns.
pub fn for_each_local_mut(block: &mut [Stmt], visit: &mut dyn FnMut(&mut LocalId)) {
    for_each_stmt_mut(block, &mut |stmt| {
        for_each_slot_mut(&mut stmt.kind, &mut |slot| match slot {
            SlotMut::Expr(expr) => for_each_subexpr_mut(expr, &mut |expr| {
                if let Expr::Local(local) = expr {
                    visit(local);
                }
            }),
            SlotMut::Local(local) => visit(local),
            _ => {}
        });
    });
}

/// Every label of a loop, scope or jump of a block, to change it.
pub fn for_each_label_mut(block: &mut [Stmt], visit: &mut dyn FnMut(&mut LabelId)) {
    for_each_stmt_mut(block, &mut |stmt| {
        for_each_slot_mut(&mut stmt.kind, &mut |slot| {
            if let SlotMut::Label(label) = slot {
                visit(label);
            }
        });
    });
}

/// The first number that no loop or scope has as its label.
pub fn first_free_label(body: &[Stmt]) -> usize {
    let mut next = 0;
    for_each_stmt(body, &mut |stmt| {
        if let StmtKind::Loop { label, .. } | StmtKind::Scope { label, .. } = &stmt.kind {
            next = next.max(label.index() + 1);
        }
    });
    next
}

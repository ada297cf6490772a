//! Walks over statements and expressions, in the order in which they stand.

use std::cell::Cell;

use crate::{Block, Expr, GlobalId, LocalId, ProcId, RegionId, Stmt, StmtKind};

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
        for inner in blocks(&stmt.kind) {
            for_each_stmt(inner, visit);
        }
    }
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
    for child in children(expr) {
        for_each_subexpr(child, visit);
    }
}

/// The expressions that a statement itself evaluates, in order; not those of the statements in it.
pub fn for_each_part<'a>(kind: &'a StmtKind, visit: &mut dyn FnMut(&'a Expr)) {
    match kind {
        StmtKind::Assign { value, .. } | StmtKind::AssignGlobal { value, .. } => visit(value),
        StmtKind::Store { object, index, value, .. } => {
            visit(object);
            index.iter().for_each(&mut *visit);
            visit(value);
        }
        StmtKind::New { length, .. } => length.iter().for_each(visit),
        StmtKind::Free { object } => visit(object),
        StmtKind::If { condition, .. }
        | StmtKind::Check { condition, .. }
        | StmtKind::Assert { condition, .. }
        | StmtKind::Assume { condition } => visit(condition),
        StmtKind::Return(value) => value.iter().for_each(visit),
        StmtKind::Call { args, .. } => args.iter().for_each(visit),
        StmtKind::Throw { message, .. } => message.iter().for_each(visit),
        StmtKind::Print { text, .. } => visit(text),
        StmtKind::Loop { .. }
        | StmtKind::Scope { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Try { .. }
        | StmtKind::Unsupported { .. } => {}
    }
}

/// The locals that a statement itself assigns; for `try`, those that get the message of an error.
pub fn assigned_locals(kind: &StmtKind) -> Vec<LocalId> {
    match kind {
        StmtKind::Assign { local, .. } | StmtKind::New { local, .. } => vec![*local],
        StmtKind::Call { local, .. } => local.iter().copied().collect(),
        StmtKind::Try { catches, .. } => catches.iter().filter_map(|catch| catch.message).collect(),
        StmtKind::AssignGlobal { .. }
        | StmtKind::Store { .. }
        | StmtKind::Free { .. }
        | StmtKind::If { .. }
        | StmtKind::Loop { .. }
        | StmtKind::Scope { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Throw { .. }
        | StmtKind::Check { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Print { .. }
        | StmtKind::Unsupported { .. } => Vec::new(),
    }
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

/// What a statement itself writes besides the locals that it assigns; not what the statements in it write.
pub fn written(kind: &StmtKind) -> Option<Written> {
    match kind {
        StmtKind::AssignGlobal { global, .. } => Some(Written::Global(*global)),
        StmtKind::Store { region, .. } => Some(Written::Cells(*region)),
        StmtKind::Free { .. } => Some(Written::Length),
        StmtKind::Call { callee, .. } => Some(Written::Callee(*callee)),
        StmtKind::Assign { .. }
        | StmtKind::New { .. }
        | StmtKind::If { .. }
        | StmtKind::Loop { .. }
        | StmtKind::Scope { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Throw { .. }
        | StmtKind::Try { .. }
        | StmtKind::Check { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Print { .. }
        | StmtKind::Unsupported { .. } => None,
    }
}

/// The blocks directly inside of a statement, in order.
pub fn blocks(kind: &StmtKind) -> Vec<&Block> {
    match kind {
        StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
        StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => vec![body],
        StmtKind::Try { body, catches } => {
            std::iter::once(body).chain(catches.iter().map(|catch| &catch.body)).collect()
        }
        StmtKind::Assign { .. }
        | StmtKind::AssignGlobal { .. }
        | StmtKind::Store { .. }
        | StmtKind::New { .. }
        | StmtKind::Free { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Call { .. }
        | StmtKind::Throw { .. }
        | StmtKind::Check { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Print { .. }
        | StmtKind::Unsupported { .. } => Vec::new(),
    }
}

/// The operands of an expression, in order.
pub fn children(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Const(_) | Expr::Local(_) | Expr::Global(_) => Vec::new(),
        Expr::Unary { arg, .. } | Expr::Convert { arg, .. } | Expr::Fits { arg, .. } => vec![arg],
        Expr::Binary { lhs, rhs, .. }
        | Expr::SameRef { lhs, rhs }
        | Expr::SameText { lhs, rhs }
        | Expr::SameMap { lhs, rhs }
        | Expr::Overflows { lhs, rhs, .. } => vec![lhs, rhs],
        Expr::If { condition, then, otherwise } => vec![condition, then, otherwise],
        Expr::Load { object, index, .. } => std::iter::once(object).chain(index).map(|it| &**it).collect(),
        Expr::Length { object, .. } | Expr::HasShape { object, .. } => vec![object],
        Expr::Record(fields) => fields.iter().collect(),
        Expr::Get { record, .. } => vec![record],
        Expr::Select { map, key } => vec![map, key],
        Expr::Update { map, key, value } => vec![map, key, value],
        Expr::Intrinsic { args, .. } => args.iter().collect(),
    }
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
    match kind {
        StmtKind::Assign { value, .. } | StmtKind::AssignGlobal { value, .. } => vec![value],
        StmtKind::Store { object, index, value, .. } => {
            std::iter::once(object).chain(index).chain([value]).collect()
        }
        StmtKind::New { length, .. } => length.iter_mut().collect(),
        StmtKind::Free { object } => vec![object],
        StmtKind::If { condition, .. }
        | StmtKind::Check { condition, .. }
        | StmtKind::Assert { condition, .. }
        | StmtKind::Assume { condition } => vec![condition],
        StmtKind::Return(value) => value.iter_mut().collect(),
        StmtKind::Call { args, .. } => args.iter_mut().collect(),
        StmtKind::Throw { message, .. } => message.iter_mut().collect(),
        StmtKind::Print { text, .. } => vec![text],
        StmtKind::Loop { .. }
        | StmtKind::Scope { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Try { .. }
        | StmtKind::Unsupported { .. } => Vec::new(),
    }
}

/// The blocks directly inside of a statement, in order, to change them.
pub fn blocks_mut(kind: &mut StmtKind) -> Vec<&mut Block> {
    match kind {
        StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
        StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => vec![body],
        StmtKind::Try { body, catches } => {
            std::iter::once(body).chain(catches.iter_mut().map(|catch| &mut catch.body)).collect()
        }
        StmtKind::Assign { .. }
        | StmtKind::AssignGlobal { .. }
        | StmtKind::Store { .. }
        | StmtKind::New { .. }
        | StmtKind::Free { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Call { .. }
        | StmtKind::Throw { .. }
        | StmtKind::Check { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Print { .. }
        | StmtKind::Unsupported { .. } => Vec::new(),
    }
}

/// The operands of an expression, in order, to change them.
pub fn children_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Const(_) | Expr::Local(_) | Expr::Global(_) => Vec::new(),
        Expr::Unary { arg, .. } | Expr::Convert { arg, .. } | Expr::Fits { arg, .. } => vec![arg],
        Expr::Binary { lhs, rhs, .. }
        | Expr::SameRef { lhs, rhs }
        | Expr::SameText { lhs, rhs }
        | Expr::SameMap { lhs, rhs }
        | Expr::Overflows { lhs, rhs, .. } => vec![lhs, rhs],
        Expr::If { condition, then, otherwise } => vec![condition, then, otherwise],
        Expr::Load { object, index, .. } => {
            std::iter::once(object).chain(index).map(|it| &mut **it).collect()
        }
        Expr::Length { object, .. } | Expr::HasShape { object, .. } => vec![object],
        Expr::Record(fields) => fields.iter_mut().collect(),
        Expr::Get { record, .. } => vec![record],
        Expr::Select { map, key } => vec![map, key],
        Expr::Update { map, key, value } => vec![map, key, value],
        Expr::Intrinsic { args, .. } => args.iter_mut().collect(),
    }
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

//! Walks over statements and expressions, in the order in which they stand.

use crate::{Block, Expr, Stmt, StmtKind};

/// Every statement of a block, the outer ones first.
pub fn for_each_stmt<'a>(block: &'a Block, visit: &mut dyn FnMut(&'a Stmt)) {
    for stmt in block {
        visit(stmt);
        for inner in blocks(&stmt.kind) {
            for_each_stmt(inner, visit);
        }
    }
}

/// Every expression of a block, also those inside of others; the outer ones first.
pub fn for_each_expr<'a>(block: &'a Block, visit: &mut dyn FnMut(&'a Expr)) {
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
        StmtKind::Print { text } => visit(text),
        StmtKind::Loop { .. }
        | StmtKind::Scope { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Try { .. }
        | StmtKind::Unsupported { .. } => {}
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

//! How deep things nest. Looked at first, so that all other checks may recurse.

use crate::{Block, Const, Expr, MAX_DEPTH, Stmt, Type, blocks, children, for_each_part};

/// Whether a block is nested too deep, when it stands at a depth.
pub(super) fn block_too_deep(block: &Block, depth: usize) -> bool {
    block.iter().any(|stmt| stmt_too_deep(stmt, depth + 1))
}

fn stmt_too_deep(stmt: &Stmt, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return true;
    }
    let mut found = false;
    for_each_part(&stmt.kind, &mut |expr| found = found || expr_too_deep(expr, depth + 1));
    found || blocks(&stmt.kind).into_iter().any(|block| block_too_deep(block, depth))
}

fn expr_too_deep(expr: &Expr, depth: usize) -> bool {
    match expr {
        _ if depth > MAX_DEPTH => true,
        Expr::Const(value) => const_too_deep(value, depth + 1),
        _ => children(expr).into_iter().any(|child| expr_too_deep(child, depth + 1)),
    }
}

pub(super) fn const_too_deep(value: &Const, depth: usize) -> bool {
    match value {
        _ if depth > MAX_DEPTH => true,
        Const::Record(fields) => fields.iter().any(|field| const_too_deep(field, depth + 1)),
        Const::Map(key, value) => type_too_deep(key, depth + 1) || const_too_deep(value, depth + 1),
        _ => false,
    }
}

pub(super) fn type_too_deep(ty: &Type, depth: usize) -> bool {
    match ty {
        _ if depth > MAX_DEPTH => true,
        Type::Record(fields) => fields.iter().any(|field| type_too_deep(field, depth + 1)),
        Type::Map(key, value) => type_too_deep(key, depth + 1) || type_too_deep(value, depth + 1),
        _ => false,
    }
}

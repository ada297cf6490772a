//! What is read of a call's result, computed right after the call.
//!
//! ```text
//! t = call f(x)                t = call f(x)
//! ...                          u = eq(t, 0)
//! return add(eq(t, 0), n)      ...
//!                              return add(u, n)
//! ```
//!
//! Exact: expressions are total and have no effects, and the result is assigned nowhere else. After it one sees what of
//! a result is used at all.

use std::collections::BTreeMap;

use ir::{
    BinaryOp, Const, Expr, Local, LocalId, Procedure, Program, Scalar, Stmt, StmtKind, Type, assigned_locals,
    blocks_mut, children, children_mut, for_each_stmt, for_each_stmt_mut, parts_mut, type_of,
};

use crate::validated;

/// The program with the uses of call results moved to the calls.
pub fn hoist_uses(program: &Program) -> Program {
    let mut hoisted = program.clone();
    for index in 0..hoisted.procedures.len() {
        let Some(body) = &hoisted.procedures[index].body else { continue };
        for result in single_results(body, hoisted.procedures[index].params) {
            hoist(&mut hoisted, index, result);
        }
    }
    validated(hoisted, "hoisting")
}

/// The locals that one call assigns, and nothing else.
fn single_results(body: &[Stmt], params: usize) -> Vec<LocalId> {
    let mut assigned: BTreeMap<LocalId, (usize, bool)> = BTreeMap::new();
    for_each_stmt(body, &mut |stmt| {
        for local in assigned_locals(&stmt.kind) {
            let entry = assigned.entry(local).or_insert((0, false));
            entry.0 += 1;
            entry.1 |= matches!(stmt.kind, StmtKind::Call { .. });
        }
    });
    let single = assigned
        .into_iter()
        .filter(|(local, (count, by_call))| *count == 1 && *by_call && local.index() >= params);
    single.map(|(local, _)| local).collect()
}

fn hoist(program: &mut Program, index: usize, result: LocalId) {
    let Some(mut body) = program.procedures[index].body.take() else { return };
    let mut uses: Vec<Expr> = Vec::new();
    let mut is_used_bare = false;
    for_each_stmt(&body, &mut |stmt| {
        ir::for_each_part(&stmt.kind, &mut |part| collect(part, result, &mut uses, &mut is_used_bare));
    });
    if !is_used_bare && !uses.is_empty() {
        let names: Vec<LocalId> = uses
            .iter()
            .map(|used| {
                let ty = type_of(used, &program.procedures[index], program);
                add_local(&mut program.procedures[index], ty)
            })
            .collect();
        for_each_stmt_mut(&mut body, &mut |stmt| {
            for part in parts_mut(&mut stmt.kind) {
                replace(part, &uses, &names);
            }
        });
        let after: Vec<(LocalId, Expr)> = names.into_iter().zip(uses).collect();
        put_after(&mut body, result, &after);
    }
    program.procedures[index].body = Some(body);
}

/// The largest expressions of the result and constants alone.
fn collect(expr: &Expr, result: LocalId, uses: &mut Vec<Expr>, is_used_bare: &mut bool) {
    match expr {
        Expr::Local(local) if *local == result => *is_used_bare = true,
        _ if is_use(expr, result) => {
            if !uses.contains(expr) {
                uses.push(expr.clone());
            }
        }
        _ => children(expr).into_iter().for_each(|child| collect(child, result, uses, is_used_bare)),
    }
}

/// Whether an expression computes a scalar from the result and constants.
fn is_use(expr: &Expr, result: LocalId) -> bool {
    fn mentions(expr: &Expr, result: LocalId) -> bool {
        matches!(expr, Expr::Local(local) if *local == result)
            || children(expr).into_iter().any(|child| mentions(child, result))
    }
    fn is_closed(expr: &Expr, result: LocalId) -> bool {
        match expr {
            Expr::Local(local) => *local == result,
            Expr::Const(value) => !matches!(value, Const::Static(_) | Const::Map(..) | Const::Record(_)),
            Expr::Unary { .. } | Expr::If { .. } => {
                children(expr).into_iter().all(|child| is_closed(child, result))
            }
            Expr::Binary { op, ty, rhs, .. } => {
                has_meaning(*op, *ty, rhs) && children(expr).into_iter().all(|child| is_closed(child, result))
            }
            Expr::Convert { from: Scalar::Int(_) | Scalar::Bool, to: Scalar::Int(_), arg } => {
                is_closed(arg, result)
            }
            _ => false,
        }
    }
    is_closed(expr, result) && mentions(expr, result)
}

/// Whether an operation means something for all operands, checks before it or not.
fn has_meaning(op: BinaryOp, ty: Scalar, rhs: &Expr) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => true,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => true,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => ty == Scalar::Bool,
        BinaryOp::Div | BinaryOp::Rem => matches!(rhs, Expr::Const(Const::Int(_, divisor)) if *divisor != 0),
        BinaryOp::Shl | BinaryOp::Shr => false,
    }
}

fn replace(expr: &mut Expr, uses: &[Expr], names: &[LocalId]) {
    match uses.iter().position(|used| used == expr) {
        Some(place) => *expr = Expr::Local(names[place]),
        None => children_mut(expr).into_iter().for_each(|child| replace(child, uses, names)),
    }
}

fn put_after(block: &mut Vec<Stmt>, result: LocalId, after: &[(LocalId, Expr)]) {
    for stmt in block.iter_mut() {
        for inner in blocks_mut(&mut stmt.kind) {
            put_after(inner, result, after);
        }
    }
    let is_call =
        |stmt: &Stmt| matches!(stmt.kind, StmtKind::Call { local: Some(local), .. } if local == result);
    if let Some(place) = block.iter().position(is_call) {
        let span = block[place].span;
        let assignments = after.iter().map(|(local, value)| Stmt {
            kind: StmtKind::Assign { local: *local, value: value.clone() },
            span,
        });
        block.splice(place + 1..place + 1, assignments.collect::<Vec<Stmt>>());
    }
}

fn add_local(procedure: &mut Procedure, ty: Type) -> LocalId {
    let id = LocalId::from_index(procedure.locals.len());
    procedure.locals.push(Local { name: format!("$use{}", procedure.locals.len()), ty });
    id
}

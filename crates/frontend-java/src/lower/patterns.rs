//! Where the variables of patterns are in scope (JLS 6.3.1, 6.3.2): where the test that binds them has succeeded.
//! Elsewhere their names mean what they mean outside.

use super::body::{Binding, Body};
use crate::syntax::{BinaryOp, Expr, ExprKind, Stmt, UnaryOp};
use crate::types::Ty;

impl<'a> Body<'_, 'a> {
    /// Lowers something where a condition is known to hold, or not to.
    pub(super) fn where_known<T>(
        &mut self,
        condition: &Expr,
        holds: bool,
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.in_scope(|body| {
            body.introduce(condition, holds, Some(true));
            lower(body)
        })
    }

    /// Brings the variables into scope that a condition binds where it holds, or where it does not; if the source
    /// may not mean them, their names mean nothing.
    pub(super) fn introduce(&mut self, condition: &Expr, holds: bool, is_in_scope: Option<bool>) {
        if is_in_scope == Some(false) {
            return;
        }
        let mut bound = Vec::new();
        collect(condition, holds, &mut bound);
        for (test, name) in bound {
            match self.patterns.get(&place_of(test)).filter(|_| is_in_scope.is_some()) {
                Some((local, ty)) => {
                    let binding = Binding::Local(*local, ty.clone());
                    self.bind(name, binding);
                }
                // A test that is never made, or a scope that is not known.
                None => {
                    self.declare(
                        name,
                        &Ty::Unknown("a pattern variable whose scope is not known".to_owned()),
                    );
                }
            }
        }
    }

    /// Brings the variables into scope that an `if` leaves behind: one of its branches does not complete.
    pub(super) fn introduce_after_if(&mut self, condition: &Expr, then: &Stmt, otherwise: Option<&Stmt>) {
        if !binds(condition) {
            return;
        }
        let after_then = then.can_complete();
        let after_else = otherwise.map_or(Some(true), Stmt::can_complete);
        let only = |ends: Option<bool>, other: Option<bool>| match (ends, other) {
            (Some(false), Some(true)) => Some(true),
            (Some(true), _) | (_, Some(false)) => Some(false),
            _ => None,
        };
        self.introduce(condition, false, only(after_then, after_else));
        self.introduce(condition, true, only(after_else, after_then));
    }

    /// Brings the variables into scope that a loop leaves behind: only its condition ends it.
    pub(super) fn introduce_after_loop(&mut self, condition: &Expr, body: &Stmt, names: &[String]) {
        if binds(condition) {
            self.introduce(condition, false, body.is_left_by_break(names).map(|breaks| !breaks));
        }
    }
}

/// By which a test is known.
pub(super) fn place_of(test: &Expr) -> usize {
    std::ptr::from_ref(test).addr()
}

fn binds(condition: &Expr) -> bool {
    let mut bound = Vec::new();
    collect(condition, true, &mut bound);
    collect(condition, false, &mut bound);
    !bound.is_empty()
}

/// The tests whose variables a condition binds where it holds, or where it does not.
fn collect<'e>(condition: &'e Expr, holds: bool, bound: &mut Vec<(&'e Expr, &'e str)>) {
    match &condition.kind {
        ExprKind::InstanceOf { name: Some(name), .. } if holds => bound.push((condition, name)),
        ExprKind::Unary { op: UnaryOp::Not, arg } => collect(arg, !holds, bound),
        ExprKind::Binary { op: BinaryOp::AndAlso, lhs, rhs } if holds => {
            collect(lhs, true, bound);
            collect(rhs, true, bound);
        }
        ExprKind::Binary { op: BinaryOp::OrElse, lhs, rhs } if !holds => {
            collect(lhs, false, bound);
            collect(rhs, false, bound);
        }
        _ => {}
    }
}

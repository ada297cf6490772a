//! Boxed numbers: values that may be null. Boxing, unboxing, and `==` on references to them (JLS 5.1.7, 5.1.8, 15.21.3).
//!
//! A box is a record of whether there is a number, and the number, which is zero where there is none. Which object a box
//! is, is not part of it: `==` is answered where the numbers or the cache of small numbers decide, else unsupported.

use ir::{BinaryOp as Ir, Const, Expr, StmtKind};

use super::body::{Body, Value, and, binary, is_null, not, or};
use super::operator::fold;
use crate::syntax::{BinaryOp, Primitive};
use crate::types::Ty;

/// A box with a number.
pub(super) fn boxed(number: Expr) -> Expr {
    match number {
        Expr::Const(number) => Expr::Const(Const::Record(vec![Const::Bool(true), number])),
        number => Expr::Record(vec![Expr::Const(Const::Bool(true)), number]),
    }
}

/// Whether a box has a number.
pub(super) fn is_there(record: &Expr) -> Expr {
    part(record.clone(), 0)
}

/// The number in a box.
pub(super) fn number(record: Expr) -> Expr {
    part(record, 1)
}

fn part(record: Expr, index: u32) -> Expr {
    match record {
        Expr::Record(mut parts) => parts.swap_remove(index as usize),
        Expr::Const(Const::Record(mut parts)) => Expr::Const(parts.swap_remove(index as usize)),
        record => Expr::Get { record: Box::new(record), index },
    }
}

impl Body<'_, '_> {
    /// The number of a box; fails if there is none. Other values stay as they are.
    pub(super) fn unbox(&mut self, value: Value) -> Value {
        let Ty::Boxed(primitive) = value.ty else { return value };
        if value.is_late && !self.is_never_null(&value) {
            self.unsupported("a boxed argument that may be null before others that do something");
        }
        let value = self.small(value);
        self.check_not_null(&value);
        Value::new(number(value.expr), Ty::Primitive(primitive))
    }

    /// Unboxes the left operand before what was emitted since `start` for the right one, if the operator unboxes.
    /// Returns where that code starts now.
    pub(super) fn unbox_early(&mut self, op: BinaryOp, left: &mut Value, right: &Ty, start: usize) -> usize {
        let unboxes = match op {
            BinaryOp::Eq | BinaryOp::Ne => matches!(right, Ty::Primitive(_)),
            BinaryOp::Add => *right != Ty::Text,
            _ => true,
        };
        if !unboxes || !matches!(left.ty, Ty::Boxed(_)) {
            return start;
        }
        let (value, before) = self.in_block(|body| body.unbox(left.clone()));
        *left = value;
        let count = before.len();
        self.block.splice(start..start, before);
        start + count
    }

    /// `==` and `!=` on two boxes: whether they are the same object.
    pub(super) fn same_box(&mut self, op: BinaryOp, primitive: Primitive, lhs: Value, rhs: Value) -> Value {
        let (lhs, rhs) = (self.small(lhs), self.small(rhs));
        let both_null = and(is_null(&lhs), is_null(&rhs));
        let both_there = and(is_there(&lhs.expr), is_there(&rhs.expr));
        let scalar = primitive.scalar();
        let (left, right) = (number(lhs.expr), number(rhs.expr));
        let equal = and(both_there, fold(Ir::Eq, scalar, left.clone(), right));
        self.assume_in_words("small boxed numbers are those of the cache, not made by `new`");
        let cached = cached(primitive, left).filter(|_| !self.cx.uses.makes_boxes);
        match cached {
            Some(Expr::Const(Const::Bool(true))) => {}
            cached => {
                let (_, lost) = self.in_block(|body| {
                    body.unsupported("`==` on boxed numbers that are equal");
                });
                let condition = match cached {
                    Some(cached) => and(equal.clone(), not(cached)),
                    None => equal.clone(),
                };
                self.emit(StmtKind::If { condition, then: lost, otherwise: Vec::new() });
            }
        }
        let same = or(both_null, equal);
        let expr = if op == BinaryOp::Ne { not(same) } else { same };
        Value::new(expr, Ty::BOOLEAN)
    }
}

/// Whether boxing a number gives the same object each time; nothing for types without such numbers.
fn cached(primitive: Primitive, number: Expr) -> Option<Expr> {
    match primitive {
        Primitive::Boolean | Primitive::Byte => Some(Expr::Const(Const::Bool(true))),
        Primitive::Float | Primitive::Double => None,
        Primitive::Char | Primitive::Short | Primitive::Int | Primitive::Long => {
            let ty = primitive.int_type()?;
            let constant = |value| Expr::Const(Const::Int(ty, value));
            let low = if primitive == Primitive::Char { 0 } else { -128 };
            let from = binary(Ir::Le, primitive.scalar(), constant(low), number.clone());
            let to = binary(Ir::Le, primitive.scalar(), number, constant(127));
            Some(and(from, to))
        }
    }
}

//! Operators: promotion, division checks, shifts, comparisons, and folding of integer constants (JLS 15.15-15.24).
//!
//! Integers, booleans and strings are folded as Java does; floating-point operations never are, because they mean
//! something else under mathematical numbers.

use ir::{BinaryOp as Ir, Const, Expr, IntType, Scalar, UnaryOp as IrUnary};

use super::body::{Body, Value, binary, not};
use super::convert::{convert_primitive, reinterpret};
use crate::syntax::{BinaryOp, Primitive, UnaryOp};
use crate::types::Ty;

impl Body<'_, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, value: Value) -> Value {
        if value.ty.is_unknown() {
            return value;
        }
        let value = self.unbox(value);
        if op == UnaryOp::Not {
            return match value.ty.unboxed() {
                Some(Primitive::Boolean) => Value::new(not(value.expr), Ty::BOOLEAN),
                _ => self.unsupported("`!` of something that is not a boolean"),
            };
        }
        let Some(from) = value.ty.numeric() else {
            return self.unsupported("an arithmetic operator on something that is not a number");
        };
        let ty = from.promoted();
        let arg = convert_primitive(value.expr, from, ty);
        let expr = match op {
            UnaryOp::Plus | UnaryOp::Not => arg,
            UnaryOp::Neg => negate(arg, ty.scalar()),
            UnaryOp::BitNot => match (&arg, ty.int_type()) {
                (Expr::Const(Const::Int(ty, value)), _) => Expr::Const(Const::Int(*ty, ty.wrap(!*value))),
                (_, Some(_)) => Expr::Unary { op: IrUnary::BitNot, ty: ty.scalar(), arg: Box::new(arg) },
                (_, None) => return self.unsupported("`~` of a floating-point number"),
            },
        };
        Value::new(expr, Ty::Primitive(ty))
    }

    /// A binary operator that evaluates both sides. Emits the check that a division needs.
    pub(super) fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        if op == BinaryOp::Add && (lhs.ty == Ty::Text || rhs.ty == Ty::Text) {
            return self.concat(lhs, rhs);
        }
        if lhs.ty.is_unknown() || rhs.ty.is_unknown() {
            let is_test = matches!(
                op,
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
            );
            return if is_test {
                Value::constant(Const::Bool(false), Ty::BOOLEAN)
            } else {
                Value::constant(Const::Null, Ty::Unknown("?".to_owned()))
            };
        }
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let (lhs, rhs) = (self.unbox(lhs), self.unbox(rhs));
            return match op {
                BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UnsignedShr => self.shift(op, lhs, rhs),
                _ => self.arithmetic(op, lhs, rhs),
            };
        }
        self.equality(op, lhs, rhs)
    }

    fn arithmetic(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let (Some(left), Some(right)) = (lhs.ty.unboxed(), rhs.ty.unboxed()) else {
            return self.unsupported("an operator on something that is not a number");
        };
        let ty = match (left, right) {
            (Primitive::Boolean, Primitive::Boolean) => Primitive::Boolean,
            (Primitive::Boolean, _) | (_, Primitive::Boolean) => {
                return self.unsupported("an operator on a boolean and a number");
            }
            _ => left.common(right),
        };
        let lhs = convert_primitive(lhs.expr, left, ty);
        let rhs = convert_primitive(rhs.expr, right, ty);
        let scalar = ty.scalar();
        let (ir, lhs, rhs) = match op {
            BinaryOp::Add => (Ir::Add, lhs, rhs),
            BinaryOp::Sub => (Ir::Sub, lhs, rhs),
            BinaryOp::Mul => (Ir::Mul, lhs, rhs),
            BinaryOp::Div => (Ir::Div, lhs, rhs),
            BinaryOp::Rem => (Ir::Rem, lhs, rhs),
            BinaryOp::And | BinaryOp::AndAlso => (Ir::And, lhs, rhs),
            BinaryOp::Or | BinaryOp::OrElse => (Ir::Or, lhs, rhs),
            BinaryOp::Xor => (Ir::Xor, lhs, rhs),
            BinaryOp::Lt => (Ir::Lt, lhs, rhs),
            BinaryOp::Le => (Ir::Le, lhs, rhs),
            BinaryOp::Gt => (Ir::Lt, rhs, lhs),
            BinaryOp::Ge => (Ir::Le, rhs, lhs),
            BinaryOp::Eq => (Ir::Eq, lhs, rhs),
            BinaryOp::Ne => (Ir::Ne, lhs, rhs),
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UnsignedShr => {
                return self.unsupported("a shift as arithmetic");
            }
        };
        if ty.is_float() && matches!(ir, Ir::And | Ir::Or | Ir::Xor) {
            return self.unsupported("a bit operator on floating-point numbers");
        }
        if ty == Primitive::Boolean && !matches!(ir, Ir::And | Ir::Or | Ir::Xor | Ir::Eq | Ir::Ne) {
            return self.unsupported("an arithmetic operator on booleans");
        }
        let result = if ir.is_comparison() { Ty::BOOLEAN } else { Ty::Primitive(ty) };
        let rhs = self.checked_divisor(ir, ty, rhs);
        Value::new(fold(ir, scalar, lhs, rhs), result)
    }

    /// Integer division fails when the divisor is zero.
    fn checked_divisor(&mut self, op: Ir, ty: Primitive, rhs: Expr) -> Expr {
        let (Ir::Div | Ir::Rem, Some(int)) = (op, ty.int_type()) else { return rhs };
        if matches!(rhs, Expr::Const(Const::Int(_, value)) if value != 0) {
            return rhs;
        }
        let rhs = self.small(Value::new(rhs, Ty::Primitive(ty))).expr;
        let error = self.cx.library_error("ArithmeticException");
        let zero = Expr::Const(Const::Int(int, 0));
        self.check(binary(Ir::Ne, ty.scalar(), rhs.clone(), zero), error);
        rhs
    }

    /// Shifts promote each side on its own; the count is used modulo the width, as the IR does.
    fn shift(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let (Some(left), Some(right)) = (lhs.ty.numeric(), rhs.ty.numeric()) else {
            return self.unsupported("a shift of something that is not a number");
        };
        let ty = left.promoted();
        let (Some(int), Some(_)) = (ty.int_type(), right.int_type()) else {
            return self.unsupported("a shift of floating-point numbers");
        };
        let value = convert_primitive(lhs.expr, left, ty);
        let count = convert_primitive(rhs.expr, right, ty);
        let count = match count {
            Expr::Const(Const::Int(ty, value)) => {
                Expr::Const(Const::Int(ty, value & i128::from(int.width - 1)))
            }
            count => count,
        };
        let expr = match op {
            BinaryOp::UnsignedShr => {
                let unsigned = int.to_unsigned();
                let value = reinterpret(value, int, unsigned);
                let count = reinterpret(count, int, unsigned);
                reinterpret(fold(Ir::Shr, Scalar::Int(unsigned), value, count), unsigned, int)
            }
            BinaryOp::Shl => fold(Ir::Shl, ty.scalar(), value, count),
            _ => fold(Ir::Shr, ty.scalar(), value, count),
        };
        Value::new(expr, Ty::Primitive(ty))
    }

    /// `==` and `!=` on numbers, booleans and references.
    pub(super) fn equality(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        if let (Ty::Boxed(left), Ty::Boxed(right)) = (&lhs.ty, &rhs.ty) {
            return match left == right {
                true => self.same_box(op, *left, lhs, rhs),
                false => self.unsupported("`==` between these types"),
            };
        }
        if lhs.ty.unboxed().is_some() && rhs.ty.unboxed().is_some() {
            let (lhs, rhs) = (self.unbox(lhs), self.unbox(rhs));
            return self.arithmetic(op, lhs, rhs);
        }
        let same = match (&lhs.ty, &rhs.ty) {
            (Ty::Null, Ty::Null) => Expr::Const(Const::Bool(true)),
            (Ty::Text, Ty::Null) => super::body::is_null(&lhs),
            (Ty::Null, Ty::Text) => super::body::is_null(&rhs),
            (Ty::Text, Ty::Text) => return self.unsupported("`==` on strings"),
            (Ty::Boxed(_), Ty::Null) => super::body::is_null(&lhs),
            (Ty::Null, Ty::Boxed(_)) => super::body::is_null(&rhs),
            // Both may be numbers.
            (Ty::Foreign(left), Ty::Foreign(right)) if left == "?" && right == "?" => {
                return self.unsupported("`==` between values of types that are not known");
            }
            (
                Ty::Class(_) | Ty::Array(_) | Ty::Null | Ty::Foreign(_),
                Ty::Class(_) | Ty::Array(_) | Ty::Null | Ty::Foreign(_),
            ) => Expr::SameRef { lhs: Box::new(lhs.expr), rhs: Box::new(rhs.expr) },
            _ => return self.unsupported("`==` between these types"),
        };
        let expr = if op == BinaryOp::Ne { not(same) } else { same };
        Value::new(expr, Ty::BOOLEAN)
    }
}

fn negate(arg: Expr, ty: Scalar) -> Expr {
    match arg {
        Expr::Const(Const::Int(ty, value)) => Expr::Const(Const::Int(ty, ty.wrap(-value))),
        // The sign of a literal is no operation: it is exact in both number models.
        Expr::Const(Const::F64(bits)) => Expr::Const(Const::f64(-f64::from_bits(bits))),
        Expr::Const(Const::F32(bits)) => Expr::Const(Const::f32(-f32::from_bits(bits))),
        arg => Expr::Unary { op: IrUnary::Neg, ty, arg: Box::new(arg) },
    }
}

/// The operator on two expressions, computed if both are integer or boolean constants.
pub(super) fn fold(op: Ir, ty: Scalar, lhs: Expr, rhs: Expr) -> Expr {
    let folded = match (&lhs, &rhs) {
        (Expr::Const(Const::Int(int, a)), Expr::Const(Const::Int(_, b))) => fold_integers(op, *int, *a, *b),
        (Expr::Const(Const::Bool(a)), Expr::Const(Const::Bool(b))) => match op {
            Ir::And => Some(Const::Bool(*a && *b)),
            Ir::Or => Some(Const::Bool(*a || *b)),
            Ir::Xor | Ir::Ne => Some(Const::Bool(a != b)),
            Ir::Eq => Some(Const::Bool(a == b)),
            _ => None,
        },
        _ => None,
    };
    match folded {
        Some(value) => Expr::Const(value),
        None => binary(op, ty, lhs, rhs),
    }
}

fn fold_integers(op: Ir, ty: IntType, a: i128, b: i128) -> Option<Const> {
    let count = b & i128::from(ty.width - 1);
    let value = match op {
        Ir::Add => a + b,
        Ir::Sub => a - b,
        Ir::Mul => a * b,
        Ir::Div if b != 0 => a / b,
        Ir::Rem if b != 0 => a % b,
        Ir::Div | Ir::Rem => return None,
        Ir::And => a & b,
        Ir::Or => a | b,
        Ir::Xor => a ^ b,
        Ir::Shl => a << count,
        Ir::Shr => a >> count,
        Ir::Eq => return Some(Const::Bool(a == b)),
        Ir::Ne => return Some(Const::Bool(a != b)),
        Ir::Lt => return Some(Const::Bool(a < b)),
        Ir::Le => return Some(Const::Bool(a <= b)),
    };
    Some(Const::Int(ty, ty.wrap(value)))
}

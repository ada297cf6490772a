//! Conversions between types, as casts and assignments make them. Exact.

use ir::{BinaryOp, Expr, FloatType, IntType, Scalar, StmtKind};
use lang_c::ast;
use lang_c::span::Node;

use super::tables::{held, scalar};
use super::{Lowered, Lowerer, Value};
use crate::types::CType;
use crate::{build, effects};

impl<'a> Lowerer<'a> {
    /// A value as one of another type.
    pub(crate) fn convert(&mut self, value: Value, to: &CType) -> Lowered<Value> {
        let to = to.without_volatile();
        if value.ty == *to {
            return Ok(value);
        }
        match (&value.ty, to) {
            (_, CType::Void) => Ok(Value { expr: value.expr, ty: CType::Void }),
            (CType::LongDouble, _) | (_, CType::LongDouble) => self.gap_here("`long double`"),
            (CType::Other(what), _) | (_, CType::Other(what)) => self.gap_here(format!("the type `{what}`")),
            (CType::Pointer(_), CType::Pointer(_)) => Ok(self.cast_pointer(value, to)),
            (_, CType::Bool) => Ok(Value { expr: self.as_condition(value)?, ty: CType::Bool }),
            // The same struct, declared in two units.
            (CType::Record(from), CType::Record(into))
                if self.records.get(*from).name == self.records.get(*into).name =>
            {
                Ok(Value { expr: value.expr, ty: to.clone() })
            }
            (CType::Pointer(_), CType::Int(_)) => {
                let address = self.address_as_integer(value)?;
                self.convert(address, to)
            }
            (CType::Int(_) | CType::Bool, CType::Pointer(_)) => self.integer_as_pointer(value, to),
            (_, CType::Bits(bits)) => {
                let whole = self.convert(value, &CType::Int(held(*bits)))?;
                Ok(self.cut_to_bits(whole, bits.width))
                    .map(|value| Value { expr: value.expr, ty: to.clone() })
            }
            _ => match (scalar(&value.ty), scalar(to)) {
                (Some(from), Some(target)) => {
                    let expr = self.convert_number(value.expr, from, target);
                    Ok(Value { expr, ty: to.clone() })
                }
                _ => self.gap_here("a conversion between types that do not convert"),
            },
        }
    }

    fn convert_number(&mut self, expr: Expr, from: Scalar, to: Scalar) -> Expr {
        match (from, to) {
            (Scalar::Bool, Scalar::Float(_)) => {
                let int = build::convert(from, Scalar::Int(IntType::I32), expr, self.constant);
                build::convert(Scalar::Int(IntType::I32), to, int, self.constant)
            }
            (Scalar::Float(float), Scalar::Int(int)) => self.float_to_int(expr, float, int),
            _ => build::convert(from, to, expr, self.constant),
        }
    }

    /// The conversion of a float out of the integer's range is undefined: an error outcome.
    fn float_to_int(&mut self, expr: Expr, from: FloatType, to: IntType) -> Expr {
        let converted = build::convert(Scalar::Float(from), Scalar::Int(to), expr.clone(), self.constant);
        if let Expr::Const(_) = converted {
            return converted;
        }
        let expr = self.once_expr(expr, &CType::Float(from));
        self.check(Expr::Fits { arg: Box::new(expr.clone()), from, to }, "undefined conversion");
        build::convert(Scalar::Float(from), Scalar::Int(to), expr, self.constant)
    }

    /// An expression lowered and converted, as if by assignment. Memory that is allocated right here gets the
    /// shape that the target type asks for.
    pub(crate) fn lower_converted(&mut self, node: &'a Node<ast::Expression>, to: &CType) -> Lowered<Value> {
        if let CType::Pointer(pointee) = to
            && let Some(value) = self.lower_allocation(node, pointee)?
        {
            return Ok(Value { expr: value.expr, ty: to.clone() });
        }
        let value = self.lower_expr(node)?;
        self.convert(value, to)
    }

    /// The integer that C wants to be constant here.
    pub(crate) fn constant_int(&mut self, node: &'a Node<ast::Expression>) -> Lowered<i128> {
        let outer = std::mem::replace(&mut self.constant, true);
        let (statements, value) = self.block(|this| this.lower_expr(node));
        self.constant = outer;
        let value = value?;
        match build::constant_int(&value.expr) {
            Some(value) if statements.is_empty() => Ok(value),
            _ => self.gap("an expression that should be constant", node.span),
        }
    }

    /// The low bits of a value, extended by the signedness of its type.
    pub(crate) fn cut_to_bits(&self, value: Value, width: u8) -> Value {
        let CType::Int(ty) = value.ty else { return value };
        if width == 0 || width >= ty.width {
            return value;
        }
        let shift = |expr| {
            let count = build::int(ty, i128::from(ty.width - width));
            let up = build::binary(BinaryOp::Shl, Scalar::Int(ty), expr, count.clone(), true);
            build::binary(BinaryOp::Shr, Scalar::Int(ty), up, count, true)
        };
        let expr = if ty.signed {
            shift(value.expr)
        } else {
            let mask = build::int(ty, (1_i128 << width) - 1);
            build::binary(BinaryOp::And, Scalar::Int(ty), value.expr, mask, true)
        };
        Value { expr, ty: value.ty }
    }

    /// The value of a bit-field, of the type that it is used as.
    pub(crate) fn promote_bits(&self, value: Value, width: u8) -> Value {
        let used = value.ty.of_bit_field(width);
        let expr = match (scalar(&value.ty), scalar(&used)) {
            (Some(from), Some(to)) => build::convert(from, to, value.expr, self.constant),
            _ => value.expr,
        };
        Value { expr, ty: used }
    }

    /// The result of an operator on values of a type: that of a wide bit-field keeps only its bits.
    pub(crate) fn operation_result(&self, expr: Expr, ty: CType) -> Value {
        match &ty {
            CType::Bits(bits) => {
                let whole = Value { expr, ty: CType::Int(held(*bits)) };
                Value { expr: self.cut_to_bits(whole, bits.width).expr, ty }
            }
            _ => Value { expr, ty },
        }
    }

    /// The value in a form that may be used several times.
    pub(crate) fn once(&mut self, value: Value) -> Value {
        let expr = self.once_expr(value.expr, &value.ty);
        Value { expr, ty: value.ty }
    }

    pub(crate) fn once_expr(&mut self, expr: Expr, ty: &CType) -> Expr {
        let cheap = match &expr {
            Expr::Convert { arg, .. } => build::is_simple(arg),
            // A pointer that was moved by a constant or by one variable.
            Expr::Record(parts) => parts.iter().all(|part| build::is_simple(part) || is_sum(part)),
            _ => build::is_simple(&expr),
        };
        if cheap { expr } else { self.save(expr, ty) }
    }

    /// The value in a variable of its own, as it is now.
    pub(crate) fn save(&mut self, expr: Expr, ty: &CType) -> Expr {
        if let Expr::Const(_) = expr {
            return expr;
        }
        let ir_type = self.value_type(ty);
        let temp = self.temp(ir_type);
        self.emit(StmtKind::Assign { local: temp, value: expr });
        Expr::Local(temp)
    }

    /// A value lowered before the statements from `start` on, which may change what it reads: then it is saved
    /// before them.
    pub(crate) fn keep(&mut self, value: Value, start: usize) -> Value {
        let expr = self.keep_expr(value.expr, &value.ty, start);
        Value { expr, ty: value.ty }
    }

    pub(crate) fn keep_expr(&mut self, expr: Expr, ty: &CType, start: usize) -> Expr {
        if !effects::may_change(&self.body.out[start..], &expr) {
            return expr;
        }
        let later = self.body.out.split_off(start);
        let saved = self.save(expr, ty);
        self.body.out.extend(later);
        saved
    }
}

fn is_sum(expr: &Expr) -> bool {
    let cheap = |expr: &Expr| match expr {
        Expr::Convert { arg, .. } => build::is_simple(arg),
        _ => build::is_simple(expr),
    };
    matches!(expr, Expr::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs, .. } if cheap(lhs) && cheap(rhs))
}

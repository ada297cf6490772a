//! Expressions of which only a part is evaluated: `&&`, `||` and `? :` (JLS 15.23 to 15.25).

use ir::{Const, Expr as IrExpr, StmtKind};

use super::body::{Body, Value, and, not, or};
use super::foreign::Wanted;
use crate::syntax::{Expr, Primitive};
use crate::types::{ClassId, Ty};

impl<'a> Body<'_, 'a> {
    /// A condition, as an expression of the IR.
    pub(super) fn condition(&mut self, expr: &'a Expr) -> IrExpr {
        self.expr_of_type(expr, &Ty::BOOLEAN).expr
    }

    /// `&&` and `||`: an expression if the right side needs no statements, else a branch.
    pub(super) fn short_circuit(&mut self, lhs: &'a Expr, rhs: &'a Expr, is_and: bool) -> Value {
        let left = self.condition(lhs);
        if let IrExpr::Const(Const::Bool(value)) = left {
            return if value == is_and {
                let right = self.where_known(lhs, is_and, |body| body.condition(rhs));
                Value::new(right, Ty::BOOLEAN)
            } else {
                Value::constant(Const::Bool(value), Ty::BOOLEAN)
            };
        }
        let (right, block) = self.in_block(|body| body.where_known(lhs, is_and, |body| body.condition(rhs)));
        if block.is_empty() && !self.needs_guard(&right) {
            let expr = if is_and { and(left, right) } else { or(left, right) };
            return Value::new(expr, Ty::BOOLEAN);
        }
        let local = self.temp_for(&Ty::BOOLEAN);
        self.emit(StmtKind::Assign { local, value: left });
        let (_, branch) = self.in_block(|body| {
            body.block = block;
            body.emit(StmtKind::Assign { local, value: right });
        });
        let condition = if is_and { IrExpr::Local(local) } else { not(IrExpr::Local(local)) };
        self.emit(StmtKind::If { condition, then: branch, otherwise: Vec::new() });
        Value::new(IrExpr::Local(local), Ty::BOOLEAN)
    }

    /// Whether an expression only has a meaning where a condition holds, so that a branch must stand before it.
    /// The checks of the source are statements; only the library model has such conditions without a check.
    fn needs_guard(&self, expr: &IrExpr) -> bool {
        use ir::Intrinsic as I;
        let partial = match expr {
            IrExpr::Intrinsic { function: I::TextLength, args } => !args.iter().all(|text| {
                let text = Value::new(text.clone(), Ty::Text);
                self.is_never_null(&text)
            }),
            IrExpr::Intrinsic { function, .. } => matches!(
                function,
                I::TextAt
                    | I::TextSlice
                    | I::ParseInt(_)
                    | I::ParseFloat(_)
                    | I::ParsesAsInt(_)
                    | I::ParsesAsFloat(_)
            ),
            _ => false,
        };
        partial || ir::children(expr).into_iter().any(|child| self.needs_guard(child))
    }

    /// An operand of a conditional or a result of a switch, whose type may be adapted if it is a constant.
    pub(super) fn operand(&mut self, expr: &'a Expr, wanted: &Wanted) -> Value {
        let mut value = self.expr_wanting(expr, wanted);
        value.is_constant = value.ty == Ty::INT && self.is_constant_here(expr, 0);
        value
    }

    pub(super) fn conditional(
        &mut self,
        condition: &'a Expr,
        then: &'a Expr,
        otherwise: &'a Expr,
        wanted: &Wanted,
    ) -> Value {
        // Numbers are promoted to a common type before they get to their place.
        let wanted = match wanted {
            Wanted::Type(ty) | Wanted::Cast(ty) if ty.numeric().is_some() || self.may_hold_number(ty) => {
                &Wanted::Value
            }
            Wanted::Nothing => &Wanted::Value,
            wanted => wanted,
        };
        let test = condition;
        let condition = self.condition(test);
        let (first, mut then_block) =
            self.in_block(|body| body.where_known(test, true, |body| body.operand(then, wanted)));
        let (second, mut else_block) =
            self.in_block(|body| body.where_known(test, false, |body| body.operand(otherwise, wanted)));
        let may_be_number = |value: &Value| value.ty == Ty::of_result() || value.ty.numeric().is_some();
        if [&first, &second].into_iter().all(may_be_number)
            && (first.ty == Ty::of_result() || second.ty == Ty::of_result())
        {
            return self.unsupported("a conditional expression whose operands may be numbers of two types");
        }
        if may_adapt(&first, &second) || may_adapt(&second, &first) {
            return self.unsupported(
                "a conditional expression with a constant that is a variable of the other version",
            );
        }
        let ty = self.common_type(&first, &second);
        let is_rounded = ty == Ty::Primitive(Primitive::Float) && rounds(&[first.clone(), second.clone()]);
        let (first, extra) = self.in_block(|body| body.convert(first, &ty));
        then_block.extend(extra);
        let (second, extra) = self.in_block(|body| body.convert(second, &ty));
        else_block.extend(extra);
        let guarded = self.needs_guard(&first.expr) || self.needs_guard(&second.expr);
        if then_block.is_empty() && else_block.is_empty() && !guarded {
            let constants = matches!((&first.expr, &second.expr), (IrExpr::Const(_), IrExpr::Const(_)));
            let expr = match condition {
                IrExpr::Const(Const::Bool(true)) if constants => first.expr,
                IrExpr::Const(Const::Bool(false)) if constants => second.expr,
                condition => IrExpr::If {
                    condition: Box::new(condition),
                    then: Box::new(first.expr),
                    otherwise: Box::new(second.expr),
                },
            };
            return Value { is_rounded, ..Value::new(expr, ty) };
        }
        if ty == Ty::Void || ty.is_unknown() {
            self.emit(StmtKind::If { condition, then: then_block, otherwise: else_block });
            return Value::constant(Const::Null, ty);
        }
        let local = self.temp_for(&ty);
        for (block, value) in [(&mut then_block, first), (&mut else_block, second)] {
            let (_, assign) = self.in_block(|body| {
                body.emit(StmtKind::Assign { local, value: value.expr });
            });
            block.extend(assign);
        }
        self.emit(StmtKind::If { condition, then: then_block, otherwise: else_block });
        Value { is_rounded, ..Value::new(IrExpr::Local(local), ty) }
    }

    /// Whether a variable of a type of objects may hold a boxed number.
    fn may_hold_number(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Class(class) => *class == self.cx.table.object,
            Ty::Foreign(name) => matches!(
                crate::foreign_names::simple_name(name),
                "Number" | "Comparable" | "Serializable" | "Constable" | "ConstantDesc"
            ),
            _ => false,
        }
    }

    /// The type of `c ? a : b` and of a switch expression with such results (JLS 15.25).
    pub(super) fn common_type(&mut self, first: &Value, second: &Value) -> Ty {
        if first.ty == second.ty {
            return first.ty.clone();
        }
        if first.ty.is_unknown() {
            return second.ty.clone();
        }
        if second.ty.is_unknown() {
            return first.ty.clone();
        }
        match (&first.ty, &second.ty) {
            (a, b) if a.unboxed().is_some() && b.unboxed().is_some() => {
                let (Some(a), Some(b)) = (a.unboxed(), b.unboxed()) else { return first.ty.clone() };
                Ty::Primitive(common_primitive(a, first, b, second))
            }
            (Ty::Null, other) | (other, Ty::Null) => match other {
                Ty::Primitive(primitive) => Ty::Boxed(*primitive),
                other => other.clone(),
            },
            (Ty::Foreign(_), Ty::Foreign(_)) => Ty::of_objects(),
            (Ty::Foreign(_), Ty::Class(_)) => first.ty.clone(),
            (Ty::Class(_), Ty::Foreign(_)) => second.ty.clone(),
            (Ty::Class(a), Ty::Class(b)) => {
                let (a, b) = (*a, *b);
                if self.cx.table.is_subclass(a, b) {
                    return Ty::Class(b);
                }
                let above = std::iter::once(a).chain(self.cx.table.ancestors(a));
                let common: Vec<ClassId> =
                    above.filter(|class| self.cx.table.is_subclass(b, *class)).collect();
                Ty::Class(common.first().copied().unwrap_or(self.cx.table.object))
            }
            _ => Ty::Class(self.cx.table.object),
        }
    }
}

/// Whether a value may be a constant that takes the type of another operand, but has no value that is known here.
fn may_adapt(value: &Value, other: &Value) -> bool {
    let is_narrow = matches!(other.ty.unboxed(), Some(Primitive::Byte | Primitive::Short | Primitive::Char));
    value.is_constant && is_narrow && !matches!(value.expr, IrExpr::Const(_))
}

/// Whether one of several operands is an `int` or `long` that may lose digits as a `float`. Where a `double` is wanted,
/// javac makes one of each operand at once, unless there are parentheses; the language says that it is a `float` first.
pub(super) fn rounds(operands: &[Value]) -> bool {
    let is_exact =
        |expr: &IrExpr| matches!(expr, IrExpr::Const(Const::Int(_, value)) if value.abs() <= 1 << 24);
    operands.iter().any(|value| {
        let is_wide = matches!(value.ty.unboxed(), Some(Primitive::Int | Primitive::Long));
        value.is_rounded || (is_wide && !is_exact(&value.expr))
    })
}

/// The type of a conditional between two primitives: constants of type int adapt to a narrower other side.
fn common_primitive(a: Primitive, left: &Value, b: Primitive, right: &Value) -> Primitive {
    if a == b {
        return a;
    }
    let adapts = |from: Primitive, value: &Value, to: Primitive| {
        from == Primitive::Int
            && value.is_constant
            && matches!(to, Primitive::Byte | Primitive::Short | Primitive::Char)
            && matches!((&value.expr, to.int_type()), (IrExpr::Const(Const::Int(_, value)), Some(ty)) if ty.contains(*value))
    };
    if adapts(a, left, b) {
        return b;
    }
    if adapts(b, right, a) {
        return a;
    }
    match (a, b) {
        (Primitive::Byte, Primitive::Short) | (Primitive::Short, Primitive::Byte) => Primitive::Short,
        (Primitive::Boolean, _) | (_, Primitive::Boolean) => a,
        _ => a.common(b),
    }
}

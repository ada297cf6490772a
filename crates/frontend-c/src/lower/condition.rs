//! Conditions: expressions of which only "zero or not" matters, as booleans of the IR.

use ir::{BinaryOp, Const, Expr, FloatType, IntType, LabelId, Scalar, StmtKind, Type};
use lang_c::ast;
use lang_c::span::{Node, Span};

use super::tables::{held, scalar};
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::types::{CType, common_type};

impl<'a> Lowerer<'a> {
    pub(crate) fn lower_condition(&mut self, node: &'a Node<ast::Expression>) -> Lowered<Expr> {
        use ast::BinaryOperator as Op;
        match &node.node {
            ast::Expression::UnaryOperator(unary)
                if unary.node.operator.node == ast::UnaryOperator::Negate =>
            {
                Ok(build::not(self.lower_condition(&unary.node.operand)?))
            }
            ast::Expression::BinaryOperator(binary) => match &binary.node.operator.node {
                op @ (Op::LogicalAnd | Op::LogicalOr) => {
                    self.short_circuit(*op == Op::LogicalAnd, &binary.node.lhs, &binary.node.rhs)
                }
                op @ (Op::Less
                | Op::Greater
                | Op::LessOrEqual
                | Op::GreaterOrEqual
                | Op::Equals
                | Op::NotEquals) => {
                    let (lhs, rhs) = self.operands(&binary.node.lhs, &binary.node.rhs)?;
                    self.compare(op, lhs, rhs, node.span)
                }
                _ => {
                    let value = self.lower_expr(node)?;
                    self.as_condition(value)
                }
            },
            _ => {
                let value = self.lower_expr(node)?;
                self.as_condition(value)
            }
        }
    }

    /// Whether a value is not zero, not null.
    pub(crate) fn as_condition(&mut self, value: Value) -> Lowered<Expr> {
        // The comparison behind C's 0 or 1.
        if let Expr::Convert { from: Scalar::Bool, arg, .. } = value.expr {
            return Ok(*arg);
        }
        match &value.ty {
            CType::Bool => Ok(value.expr),
            CType::Int(ty) => Ok(build::not(build::eq(Scalar::Int(*ty), value.expr, build::int(*ty, 0)))),
            CType::Bits(ty) => {
                let of = held(*ty);
                Ok(build::not(build::eq(Scalar::Int(of), value.expr, build::int(of, 0))))
            }
            CType::Float(ty) => {
                let zero = match ty {
                    FloatType::F32 => Const::f32(0.0),
                    FloatType::F64 => Const::f64(0.0),
                };
                let of = Scalar::Float(*ty);
                Ok(build::binary(BinaryOp::Ne, of, value.expr, Expr::Const(zero), self.constant))
            }
            CType::Pointer(_) => {
                let (object, _) = build::parts(value.expr);
                Ok(build::not(build::is_null(object)))
            }
            _ => self.gap_here("a condition of a type that has none"),
        }
    }

    fn compare(
        &mut self,
        op: &ast::BinaryOperator,
        lhs: Value,
        rhs: Value,
        span: lang_c::span::Span,
    ) -> Lowered<Expr> {
        use ast::BinaryOperator as Op;
        let (op, lhs, rhs) = match op {
            Op::Greater => (BinaryOp::Lt, rhs, lhs),
            Op::GreaterOrEqual => (BinaryOp::Le, rhs, lhs),
            Op::Less => (BinaryOp::Lt, lhs, rhs),
            Op::LessOrEqual => (BinaryOp::Le, lhs, rhs),
            Op::Equals => (BinaryOp::Eq, lhs, rhs),
            _ => (BinaryOp::Ne, lhs, rhs),
        };
        if lhs.ty.is_pointer() || rhs.ty.is_pointer() {
            return self.compare_pointers(op, lhs, rhs, span);
        }
        if !lhs.ty.is_arithmetic() || !rhs.ty.is_arithmetic() {
            return self.gap("a comparison of types that do not compare", span);
        }
        let ty = common_type(&lhs.ty, &rhs.ty);
        let lhs = self.convert(lhs, &ty)?;
        let rhs = self.convert(rhs, &ty)?;
        match scalar(&ty) {
            Some(of) => {
                let condition = build::binary(op, of, lhs.expr, rhs.expr, self.constant);
                Ok(self.shallow(condition, &CType::Bool))
            }
            None => self.gap("`long double`", span),
        }
    }

    fn compare_pointers(&mut self, op: BinaryOp, lhs: Value, rhs: Value, span: Span) -> Lowered<Expr> {
        let as_pointer = |this: &mut Self, value: Value| {
            if value.ty.is_pointer() {
                Ok(value)
            } else {
                this.integer_as_pointer(value, &CType::pointer_to(CType::Void))
            }
        };
        let lhs = as_pointer(self, lhs)?;
        let rhs = as_pointer(self, rhs)?;
        self.note_comparison(&lhs, &rhs);
        self.keep_neighbours_apart(&lhs, &rhs, span)?;
        Ok(match op {
            BinaryOp::Eq => self.pointers_equal(lhs, rhs),
            BinaryOp::Ne => build::not(self.pointers_equal(lhs, rhs)),
            _ => self.pointer_order(op, lhs, rhs),
        })
    }

    /// `a && b`, `a || b`: the right side runs only if the left one has not decided.
    fn short_circuit(
        &mut self,
        and: bool,
        lhs: &'a Node<ast::Expression>,
        rhs: &'a Node<ast::Expression>,
    ) -> Lowered<Expr> {
        let left = self.lower_condition(lhs)?;
        if let Expr::Const(Const::Bool(known)) = left
            && known != and
        {
            return Ok(left);
        }
        let (mut block, right) = self.block(|this| this.lower_condition(rhs));
        let right = match right {
            Ok(right) => right,
            Err(gap) => {
                block = vec![self.lost(gap, rhs.span)];
                build::boolean(false)
            }
        };
        if block.is_empty() {
            let both = if and { build::and(left, right) } else { build::or(left, right) };
            return Ok(self.shallow(both, &CType::Bool));
        }
        let temp = self.temp(Type::Bool);
        self.emit(StmtKind::Assign { local: temp, value: left });
        let (then, ()) = self.block(|this| {
            this.body.out = block;
            this.emit(StmtKind::Assign { local: temp, value: right });
        });
        let condition = if and { Expr::Local(temp) } else { build::not(Expr::Local(temp)) };
        self.emit(StmtKind::If { condition, then, otherwise: Vec::new() });
        Ok(Expr::Local(temp))
    }

    /// Leaves a loop or scope unless the condition holds. `a && b` leaves it in two steps, so that the checks of
    /// `b` stand between them.
    pub(crate) fn leave_unless(&mut self, node: &'a Node<ast::Expression>, label: LabelId) -> Lowered<()> {
        if let ast::Expression::BinaryOperator(binary) = &node.node
            && binary.node.operator.node == ast::BinaryOperator::LogicalAnd
        {
            self.leave_unless(&binary.node.lhs, label)?;
            return self.leave_unless(&binary.node.rhs, label);
        }
        let condition = self.lower_condition(node)?;
        if condition == build::boolean(true) {
            return Ok(());
        }
        let (then, ()) = self.block(|this| this.emit(StmtKind::Break(label)));
        self.emit(StmtKind::If { condition: build::not(condition), then, otherwise: Vec::new() });
        Ok(())
    }

    /// Whether a size counts whole elements, for models that copy element by element.
    pub(crate) fn divides(&self, size: &Expr, by: u64) -> Expr {
        let ty = IntType::U64;
        let rest = build::binary(
            BinaryOp::Rem,
            Scalar::Int(ty),
            size.clone(),
            build::int(ty, i128::from(by)),
            false,
        );
        build::eq(Scalar::Int(ty), rest, build::int(ty, 0))
    }
}

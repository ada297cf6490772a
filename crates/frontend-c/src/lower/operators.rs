//! Operators with two operands: conversions, arithmetic, the checks before it.

use ir::{BinaryOp, Expr, IntType, Scalar};
use lang_c::ast;
use lang_c::span::{Node, Span};

use super::tables::scalar;
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::types::{CType, common_type};

/// Expressions that nest deeper are computed in steps.
const MAX_DEPTH: usize = 40;

impl<'a> Lowerer<'a> {
    pub(crate) fn lower_binary(
        &mut self,
        binary: &'a Node<ast::BinaryOperatorExpression>,
        node: &'a Node<ast::Expression>,
    ) -> Lowered<Value> {
        use ast::BinaryOperator as Op;
        let op = &binary.node.operator.node;
        match op {
            Op::Index => {
                let place = self.place(node)?;
                self.load(place)
            }
            Op::LogicalAnd
            | Op::LogicalOr
            | Op::Less
            | Op::Greater
            | Op::LessOrEqual
            | Op::GreaterOrEqual
            | Op::Equals
            | Op::NotEquals => {
                let condition = self.lower_condition(node)?;
                Ok(self.int_of_condition(condition))
            }
            op if super::expr::is_assignment(op) => match self.lower_assignment(binary, true)? {
                Some(value) => Ok(value),
                None => self.gap("an assignment without a value", node.span),
            },
            op => {
                let (lhs, rhs) = self.operands(&binary.node.lhs, &binary.node.rhs)?;
                self.apply(arithmetic(op), lhs, rhs, node.span)
            }
        }
    }

    /// Two operands, evaluated from left to right.
    pub(crate) fn operands(
        &mut self,
        lhs: &'a Node<ast::Expression>,
        rhs: &'a Node<ast::Expression>,
    ) -> Lowered<(Value, Value)> {
        let begin = self.body.out.len();
        let lhs = self.lower_expr(lhs)?;
        let start = self.body.out.len();
        let rhs = self.lower_expr(rhs)?;
        self.note_unsequenced(begin, start, [&[&lhs.expr], &[&rhs.expr]]);
        Ok((self.keep(lhs, start), rhs))
    }

    /// An arithmetic operator on two values.
    pub(crate) fn apply(&mut self, op: BinaryOp, lhs: Value, rhs: Value, span: Span) -> Lowered<Value> {
        match (op, lhs.ty.is_pointer(), rhs.ty.is_pointer()) {
            (BinaryOp::Add | BinaryOp::Sub, true, false) => return self.move_pointer(lhs, rhs, op, span),
            (BinaryOp::Add, false, true) => return self.move_pointer(rhs, lhs, op, span),
            (BinaryOp::Sub, true, true) => return self.pointer_difference(lhs, rhs, span),
            _ => {}
        }
        if !lhs.ty.is_arithmetic() || !rhs.ty.is_arithmetic() {
            return self.gap("an operator on types that do not have it", span);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return self.shift(op, lhs, rhs, span);
        }
        let ty = common_type(&lhs.ty, &rhs.ty);
        if let CType::Bits(IntType { signed: true, .. }) = ty
            && self.options.overflow_undefined
        {
            return self.gap("overflow of a bit-field", span);
        }
        let lhs = self.convert(lhs, &ty)?;
        let rhs = self.convert(rhs, &ty)?;
        let Some(of) = scalar(&ty) else { return self.gap("`long double`", span) };
        let expr = match of {
            Scalar::Int(int) => self.integer_operation(op, int, lhs.expr, rhs.expr),
            Scalar::Float(_)
                if matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div) =>
            {
                build::binary(op, of, lhs.expr, rhs.expr, self.constant)
            }
            _ => return self.gap("an operator on types that do not have it", span),
        };
        let result = self.operation_result(expr, ty);
        Ok(Value { expr: self.shallow(result.expr, &result.ty), ty: result.ty })
    }

    fn integer_operation(&mut self, op: BinaryOp, ty: IntType, lhs: Expr, rhs: Expr) -> Expr {
        let (mut lhs, mut rhs) = (lhs, rhs);
        match op {
            BinaryOp::Div | BinaryOp::Rem => {
                let divisor = build::constant_int(&rhs);
                if divisor.is_none() {
                    lhs = self.once_expr(lhs, &CType::Int(ty));
                    rhs = self.once_expr(rhs, &CType::Int(ty));
                }
                let zero = build::int(ty, 0);
                self.check(build::not(build::eq(Scalar::Int(ty), rhs.clone(), zero)), "division by zero");
                // The processor traps on the quotient that does not fit, also for the remainder.
                if ty.signed && divisor.is_none_or(|divisor| divisor == -1) {
                    self.check_overflow(BinaryOp::Div, ty, &lhs, &rhs);
                }
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if self.options.overflow_undefined && ty.signed => {
                lhs = self.once_expr(lhs, &CType::Int(ty));
                rhs = self.once_expr(rhs, &CType::Int(ty));
                self.check_overflow(op, ty, &lhs, &rhs);
            }
            _ => {}
        }
        build::binary(op, Scalar::Int(ty), lhs, rhs, self.constant)
    }

    pub(crate) fn check_overflow(&mut self, op: BinaryOp, ty: IntType, lhs: &Expr, rhs: &Expr) {
        if let (Expr::Const(_), Expr::Const(_)) = (lhs, rhs)
            && let Expr::Const(_) = build::binary(op, Scalar::Int(ty), lhs.clone(), rhs.clone(), false)
        {
            return;
        }
        let overflows = Expr::Overflows { op, ty, lhs: Box::new(lhs.clone()), rhs: Box::new(rhs.clone()) };
        self.check(build::not(overflows), "signed overflow");
    }

    /// The result of a shift has the promoted type of its left operand; the count must be less than its width.
    fn shift(&mut self, op: BinaryOp, lhs: Value, rhs: Value, span: Span) -> Lowered<Value> {
        let (ty, count_type) = (lhs.ty.promoted(), rhs.ty.promoted());
        let (Some(Scalar::Int(int)), Some(Scalar::Int(count_int))) = (scalar(&ty), scalar(&count_type))
        else {
            return self.gap("a shift of something that is no integer", span);
        };
        let bits = match &ty {
            CType::Bits(bits) => bits.width,
            _ => int.width,
        };
        let lhs = self.convert(lhs, &ty)?;
        let count = self.convert(rhs, &count_type)?;
        let count = self.once(count);
        let width = build::int(count_int, i128::from(bits));
        let mut in_range = build::lt(count_int, count.expr.clone(), width);
        if count_int.signed {
            in_range =
                build::and(build::le(count_int, build::int(count_int, 0), count.expr.clone()), in_range);
        }
        self.check(in_range, "undefined shift");
        let mut value = lhs.expr;
        let count = build::convert(Scalar::Int(count_int), Scalar::Int(int), count.expr, self.constant);
        if op == BinaryOp::Shl && int.signed && self.options.overflow_undefined {
            value = self.once_expr(value, &ty);
            self.check_overflow(BinaryOp::Shl, int, &value, &count);
        }
        let expr = build::binary(op, Scalar::Int(int), value, count, self.constant);
        let result = self.operation_result(expr, ty);
        Ok(Value { expr: self.shallow(result.expr, &result.ty), ty: result.ty })
    }

    /// Keeps expressions from nesting without bound: a deep one is saved in a variable.
    pub(crate) fn shallow(&mut self, expr: Expr, ty: &CType) -> Expr {
        if depth(&expr, MAX_DEPTH) < MAX_DEPTH { expr } else { self.save(expr, ty) }
    }

    /// A condition as C's `int`.
    pub(crate) fn int_of_condition(&self, condition: Expr) -> Value {
        let int = Scalar::Int(IntType::I32);
        Value { expr: build::convert(Scalar::Bool, int, condition, self.constant), ty: CType::INT }
    }
}

/// The depth of an expression, counted up to a limit.
fn depth(expr: &Expr, limit: usize) -> usize {
    if limit == 0 {
        return 0;
    }
    let mut deepest = 0;
    for child in ir::children(expr) {
        if deepest < limit {
            deepest = deepest.max(1 + depth(child, limit - 1));
        }
    }
    deepest
}

/// The operator of the IR for one of C's, compound assignments included.
pub(crate) fn arithmetic(op: &ast::BinaryOperator) -> BinaryOp {
    use ast::BinaryOperator as Op;
    match op {
        Op::Multiply | Op::AssignMultiply => BinaryOp::Mul,
        Op::Divide | Op::AssignDivide => BinaryOp::Div,
        Op::Modulo | Op::AssignModulo => BinaryOp::Rem,
        Op::Minus | Op::AssignMinus => BinaryOp::Sub,
        Op::ShiftLeft | Op::AssignShiftLeft => BinaryOp::Shl,
        Op::ShiftRight | Op::AssignShiftRight => BinaryOp::Shr,
        Op::BitwiseAnd | Op::AssignBitwiseAnd => BinaryOp::And,
        Op::BitwiseXor | Op::AssignBitwiseXor => BinaryOp::Xor,
        Op::BitwiseOr | Op::AssignBitwiseOr => BinaryOp::Or,
        Op::Plus
        | Op::AssignPlus
        | Op::Index
        | Op::Less
        | Op::Greater
        | Op::LessOrEqual
        | Op::GreaterOrEqual
        | Op::Equals
        | Op::NotEquals
        | Op::LogicalAnd
        | Op::LogicalOr
        | Op::Assign => BinaryOp::Add,
    }
}

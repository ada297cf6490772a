//! Initial values that later ones of the same list override: C leaves open whether they are evaluated.

use std::collections::BTreeMap;

use lang_c::ast;
use lang_c::span::{Node, Span};

use super::Lowerer;
use super::initialize::{Part, PartValue};
use crate::types::CType;

impl Lowerer<'_> {
    /// An initial value that is overridden and does more than give a value; or a struct of which only a part is
    /// overridden: GCC drops all of it, others keep the rest. Under-approximating where members of a union overlap.
    pub(crate) fn open_override(&self, parts: &[Part<'_>]) -> Option<Span> {
        let cells = |part: &Part<'_>| part.cell..part.cell + self.records.cells(&part.ty).unwrap_or(1);
        let shift = |part: &Part<'_>| part.bits.map(|field| field.shift);
        let mut last: BTreeMap<_, usize> = BTreeMap::new();
        for (number, part) in parts.iter().enumerate() {
            last.extend(cells(part).map(|cell| ((cell, shift(part)), number)));
        }
        parts.iter().enumerate().find_map(|(number, part)| {
            let PartValue::Expr(expr) = &part.value else { return None };
            let is_overridden = cells(part).any(|cell| last[&(cell, shift(part))] != number);
            let is_open = matches!(part.ty, CType::Record(_)) || !is_plain(expr);
            (is_overridden && is_open).then_some(expr.span)
        })
    }
}

/// Whether evaluating an expression only gives a value. Under-approximating.
fn is_plain(expr: &Node<ast::Expression>) -> bool {
    use ast::UnaryOperator::{Complement, Minus, Negate, Plus};
    match &expr.node {
        ast::Expression::Identifier(_)
        | ast::Expression::Constant(_)
        | ast::Expression::StringLiteral(_)
        | ast::Expression::SizeOfTy(_)
        | ast::Expression::AlignOf(_) => true,
        ast::Expression::Cast(cast) => is_plain(&cast.node.expression),
        ast::Expression::UnaryOperator(unary) => {
            matches!(unary.node.operator.node, Complement | Minus | Negate | Plus)
                && is_plain(&unary.node.operand)
        }
        ast::Expression::BinaryOperator(binary) => {
            use ast::BinaryOperator as Op;
            let computes = matches!(
                binary.node.operator.node,
                Op::Plus | Op::Minus | Op::Multiply | Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor
            );
            computes && is_plain(&binary.node.lhs) && is_plain(&binary.node.rhs)
        }
        _ => false,
    }
}

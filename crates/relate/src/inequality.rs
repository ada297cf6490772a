//! Inequalities, however they are written.

use smt::{BvCmp, Op, Term, Terms};

/// `low < high`, or `low <= high`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) low: Term,
    pub(crate) high: Term,
    pub(crate) is_strict: bool,
}

/// What a condition says of the order of two numbers, signed ones where they are bit-vectors.
pub(crate) fn order(terms: &Terms, condition: Term) -> Option<Order> {
    let args = terms.args(condition);
    match terms.op(condition) {
        Op::Lt | Op::BvCmp(BvCmp::Slt) => Some(Order { low: args[0], high: args[1], is_strict: true }),
        Op::Le | Op::BvCmp(BvCmp::Sle) => Some(Order { low: args[0], high: args[1], is_strict: false }),
        Op::Not if *terms.op(args[0]) != Op::Not => {
            let Order { low, high, is_strict } = order(terms, args[0])?;
            Some(Order { low: high, high: low, is_strict: !is_strict })
        }
        _ => None,
    }
}

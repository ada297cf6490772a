//! What operations compute on values: the one definition used to fold constants and to evaluate.
//!
//! Exact. `None` where an operation has no single meaning (division by zero over `Int` and `Real`,
//! reading past the end of a text) or where only part of an operand is known.

mod arith;
mod bitvec;
mod float;
mod text;

use crate::op::Op;
use crate::sort::Sort;
use crate::value::Value;
use std::collections::BTreeSet;

/// The value of `op` on `args`; `sort` is the sort of the result.
///
/// `Var` and `Apply` have no value of their own: evaluation looks them up in an assignment.
pub(crate) fn apply(op: &Op, args: &[&Value], sort: &Sort) -> Option<Value> {
    match op {
        Op::Const(value) => Some(value.clone()),
        Op::Var(_) | Op::Apply(_) => None,
        Op::Not => Some(Value::Bool(!args[0].as_bool()?)),
        Op::And => all_bools(args).map(|bools| Value::Bool(bools.iter().all(|&b| b))),
        Op::Or => all_bools(args).map(|bools| Value::Bool(bools.iter().any(|&b| b))),
        Op::Ite => Some(if args[0].as_bool()? { args[1] } else { args[2] }.clone()),
        Op::Eq => equal(args[0], args[1]).map(Value::Bool),
        Op::Bv(_)
        | Op::BvNeg
        | Op::BvNot
        | Op::BvCmp(_)
        | Op::Extract { .. }
        | Op::Concat
        | Op::SignExtend(_)
        | Op::ZeroExtend(_) => bitvec::apply(op, args),
        Op::Add
        | Op::Mul
        | Op::IntDiv
        | Op::IntMod
        | Op::RealDiv
        | Op::Lt
        | Op::Le
        | Op::IntToReal
        | Op::RealFloor => arith::apply(op, args),
        Op::Float(_)
        | Op::FloatCmp(_)
        | Op::FloatIsNan
        | Op::FloatFromBits(_)
        | Op::FloatToBits
        | Op::FloatConvert(_)
        | Op::FloatFromInt { .. }
        | Op::FloatToInt { .. } => float::apply(op, args),
        Op::Select => args[0].element(args[1]).cloned(),
        Op::Store => store(args[0], args[1], args[2]),
        Op::ConstArray => {
            debug_assert!(matches!(sort, Sort::Array(..)), "a constant array should have an array sort");
            Some(Value::array(args[0].clone(), []))
        }
        Op::TextConcat | Op::TextLength | Op::TextAt => text::apply(op, args),
    }
}

fn all_bools(args: &[&Value]) -> Option<Vec<bool>> {
    args.iter().map(|value| value.as_bool()).collect()
}

/// Identity of values. A text known only by its number may or may not be a given text.
fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Text(_), Value::Opaque(_)) | (Value::Opaque(_), Value::Text(_)) => None,
        (Value::Array { default, entries }, Value::Array { default: other_default, entries: others }) => {
            let written: BTreeSet<&Value> = entries.keys().chain(others.keys()).collect();
            let mut same = if is_every_index(&written) { true } else { equal(default, other_default)? };
            for index in written {
                same &= equal(left.element(index)?, right.element(index)?)?;
            }
            Some(same)
        }
        _ => Some(left == right),
    }
}

/// Whether these are all the values of their sort, so that the defaults of arrays written there do not matter.
fn is_every_index(indices: &BTreeSet<&Value>) -> bool {
    match indices.first() {
        Some(Value::Bool(_)) => indices.len() == 2,
        Some(Value::BitVec { width, .. }) => *width < 32 && indices.len() == 1 << width,
        _ => false,
    }
}

fn store(array: &Value, index: &Value, element: &Value) -> Option<Value> {
    let Value::Array { default, entries } = array else { return None };
    let mut entries = entries.clone();
    if *element == **default {
        entries.remove(index);
    } else {
        entries.insert(index.clone(), element.clone());
    }
    Some(Value::Array { default: default.clone(), entries })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_that_differ_only_in_a_default_that_is_nowhere_left_are_equal() {
        let number = |n: i32| Value::Int(n.into());
        let written = [(Value::Bool(false), number(7)), (Value::Bool(true), number(7))];
        let everywhere = Value::array(number(1), written);
        assert_eq!(equal(&everywhere, &Value::array(number(7), [])), Some(true));
        let once = Value::array(number(1), [(Value::Bool(true), number(7))]);
        assert_eq!(equal(&once, &Value::array(number(7), [])), Some(false));
    }
}

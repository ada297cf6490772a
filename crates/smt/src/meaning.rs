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
        _ => Some(left == right),
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

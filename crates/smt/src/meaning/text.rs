//! Text operations on values; those on `null` have no meaning here.

use crate::op::Op;
use crate::value::Value;

pub(super) fn apply(op: &Op, args: &[&Value]) -> Option<Value> {
    let first = units(args[0])?;
    match op {
        Op::TextConcat => {
            let mut joined = first.to_vec();
            for arg in &args[1..] {
                joined.extend_from_slice(units(arg)?);
            }
            Some(Value::text(&joined))
        }
        Op::TextLength => Some(Value::bit_vec(first.len() as u128, 32)),
        Op::TextAt => {
            let index = usize::try_from(args[1].as_unsigned()?).ok()?;
            first.get(index).map(|&unit| Value::bit_vec(u128::from(unit), 16))
        }
        _ => None,
    }
}

fn units(value: &Value) -> Option<&[u16]> {
    match value {
        Value::Text(Some(units)) => Some(units),
        _ => None,
    }
}

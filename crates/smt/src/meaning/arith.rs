//! Integer and real arithmetic on values.

use crate::op::Op;
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

pub(super) fn apply(op: &Op, args: &[&Value]) -> Option<Value> {
    match args[0] {
        Value::Int(_) => {
            let ints: Option<Vec<&BigInt>> = args.iter().map(|arg| as_int(arg)).collect();
            on_ints(op, &ints?)
        }
        Value::Real(_) => {
            let reals: Option<Vec<&BigRational>> = args.iter().map(|arg| as_real(arg)).collect();
            on_reals(op, &reals?)
        }
        _ => None,
    }
}

fn as_int(value: &Value) -> Option<&BigInt> {
    match value {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

fn as_real(value: &Value) -> Option<&BigRational> {
    match value {
        Value::Real(value) => Some(value),
        _ => None,
    }
}

fn on_ints(op: &Op, args: &[&BigInt]) -> Option<Value> {
    let value = match op {
        Op::Add => Value::Int(args.iter().copied().sum()),
        Op::Mul => Value::Int(args.iter().copied().product()),
        Op::IntDiv => Value::Int(euclid(args[0], args[1])?.0),
        Op::IntMod => Value::Int(euclid(args[0], args[1])?.1),
        Op::Lt => Value::Bool(args[0] < args[1]),
        Op::Le => Value::Bool(args[0] <= args[1]),
        Op::IntToReal => Value::Real(BigRational::from_integer(args[0].clone())),
        _ => return None,
    };
    Some(value)
}

fn on_reals(op: &Op, args: &[&BigRational]) -> Option<Value> {
    let value = match op {
        Op::Add => Value::Real(args.iter().copied().sum()),
        Op::Mul => Value::Real(args.iter().copied().product()),
        Op::RealDiv if args[1].is_zero() => return None,
        Op::RealDiv => Value::Real(args[0] / args[1]),
        Op::Lt => Value::Bool(args[0] < args[1]),
        Op::Le => Value::Bool(args[0] <= args[1]),
        Op::RealFloor => Value::Int(args[0].floor().to_integer()),
        _ => return None,
    };
    Some(value)
}

/// Quotient and remainder with `0 <= remainder < |divisor|`.
fn euclid(dividend: &BigInt, divisor: &BigInt) -> Option<(BigInt, BigInt)> {
    if divisor.is_zero() {
        return None;
    }
    let (quotient, remainder) = (dividend / divisor, dividend % divisor);
    Some(match (remainder.is_negative(), divisor.is_negative()) {
        (false, _) => (quotient, remainder),
        (true, false) => (quotient - 1, remainder + divisor),
        (true, true) => (quotient + 1, remainder - divisor),
    })
}

//! Floating-point operations on values; Rust's own arithmetic is IEEE-754 to nearest even.

use crate::op::{FloatCmp, FloatOp, Op, RoundingMode};
use crate::sort::FloatFormat;
use crate::value::{Value, mask, to_signed};

pub(super) fn apply(op: &Op, args: &[&Value]) -> Option<Value> {
    if let Value::BitVec { bits, width } = *args[0] {
        return match op {
            Op::FloatFromBits(format) => Some(Value::float(bits as u64, *format)),
            Op::FloatFromInt { signed, format } => Some(from_int(bits, width, *signed, *format)),
            _ => None,
        };
    }
    let Value::Float { bits, format } = *args[0] else { return None };
    let second = match args.get(1) {
        Some(Value::Float { bits, .. }) => *bits,
        Some(_) => return None,
        None => 0,
    };
    match (op, format) {
        (Op::FloatToBits, _) => Some(Value::bit_vec(u128::from(bits), format.width())),
        (_, FloatFormat::F32) => on_f32(op, f32::from_bits(bits as u32), f32::from_bits(second as u32)),
        (_, FloatFormat::F64) => on_f64(op, f64::from_bits(bits), f64::from_bits(second)),
    }
}

/// The same match for both formats, which share no trait.
macro_rules! on_float {
    ($name:ident, $number:ty, $value:path) => {
        fn $name(op: &Op, a: $number, b: $number) -> Option<Value> {
            let value = match op {
                Op::Float(FloatOp::Add) => $value(a + b),
                Op::Float(FloatOp::Sub) => $value(a - b),
                Op::Float(FloatOp::Mul) => $value(a * b),
                Op::Float(FloatOp::Div) => $value(a / b),
                // Rust's remainder is C's fmod.
                Op::Float(FloatOp::Rem) => $value(a % b),
                Op::Float(FloatOp::Sqrt) => $value(a.sqrt()),
                Op::Float(FloatOp::Neg) => $value(-a),
                Op::Float(FloatOp::Abs) => $value(a.abs()),
                Op::Float(FloatOp::RoundToIntegral(mode)) => $value(match mode {
                    RoundingMode::TowardNegative => a.floor(),
                    RoundingMode::TowardPositive => a.ceil(),
                    RoundingMode::TowardZero => a.trunc(),
                    RoundingMode::NearestEven => a.round_ties_even(),
                }),
                Op::FloatCmp(FloatCmp::Eq) => Value::Bool(a == b),
                Op::FloatCmp(FloatCmp::Lt) => Value::Bool(a < b),
                Op::FloatCmp(FloatCmp::Le) => Value::Bool(a <= b),
                Op::FloatIsNan => Value::Bool(a.is_nan()),
                Op::FloatConvert(FloatFormat::F32) => Value::f32(a as f32),
                Op::FloatConvert(FloatFormat::F64) => Value::f64(a.into()),
                Op::FloatToInt { signed: true, width } => {
                    Value::bit_vec(clamp_signed(a as i128, *width), *width)
                }
                Op::FloatToInt { signed: false, width } => {
                    Value::bit_vec((a as u128).min(mask(*width)), *width)
                }
                _ => return None,
            };
            Some(value)
        }
    };
}

on_float!(on_f32, f32, Value::f32);
on_float!(on_f64, f64, Value::f64);

fn clamp_signed(number: i128, width: u32) -> u128 {
    let most = (mask(width) >> 1) as i128;
    number.clamp(-most - 1, most) as u128
}

fn from_int(bits: u128, width: u32, signed: bool, format: FloatFormat) -> Value {
    let number = to_signed(bits, width);
    match (signed, format) {
        (true, FloatFormat::F32) => Value::f32(number as f32),
        (true, FloatFormat::F64) => Value::f64(number as f64),
        (false, FloatFormat::F32) => Value::f32(bits as f32),
        (false, FloatFormat::F64) => Value::f64(bits as f64),
    }
}

//! Bit-vector operations on values, with SMT-LIB's meaning.

use crate::op::{BvCmp, BvOp, Op};
use crate::value::{Value, mask, to_signed};

pub(super) fn apply(op: &Op, args: &[&Value]) -> Option<Value> {
    let (first, width) = bits(args[0])?;
    let value = match op {
        Op::Bv(op) => {
            let mut result = first;
            for arg in &args[1..] {
                result = binary(*op, result, bits(arg)?.0, width);
            }
            Value::bit_vec(result, width)
        }
        Op::BvNeg => Value::bit_vec(first.wrapping_neg(), width),
        Op::BvNot => Value::bit_vec(!first, width),
        Op::BvCmp(op) => Value::Bool(compare(*op, first, bits(args[1])?.0, width)),
        Op::Extract { high, low } => Value::bit_vec(first >> low, high - low + 1),
        Op::Concat => {
            let (second, second_width) = bits(args[1])?;
            // A shift by 128 bits would need a wider result than there is.
            Value::bit_vec((first << second_width) | second, width + second_width)
        }
        Op::SignExtend(to) => Value::bit_vec(to_signed(first, width) as u128, *to),
        Op::ZeroExtend(to) => Value::bit_vec(first, *to),
        _ => return None,
    };
    Some(value)
}

fn bits(value: &Value) -> Option<(u128, u32)> {
    match value {
        Value::BitVec { bits, width } => Some((*bits, *width)),
        _ => None,
    }
}

/// The result; bits above the width are whatever they come out as.
pub(crate) fn binary(op: BvOp, a: u128, b: u128, width: u32) -> u128 {
    let (signed_a, signed_b) = (to_signed(a, width), to_signed(b, width));
    let in_range = b < u128::from(width);
    match op {
        BvOp::Add => a.wrapping_add(b),
        BvOp::Sub => a.wrapping_sub(b),
        BvOp::Mul => a.wrapping_mul(b),
        BvOp::Sdiv if b == 0 && signed_a < 0 => 1,
        BvOp::Sdiv | BvOp::Udiv if b == 0 => mask(width),
        BvOp::Sdiv => signed_a.wrapping_div(signed_b) as u128,
        BvOp::Udiv => a / b,
        BvOp::Srem | BvOp::Urem if b == 0 => a,
        BvOp::Srem => signed_a.wrapping_rem(signed_b) as u128,
        BvOp::Urem => a % b,
        BvOp::And => a & b,
        BvOp::Or => a | b,
        BvOp::Xor => a ^ b,
        BvOp::Shl if in_range => a << b,
        BvOp::Lshr if in_range => a >> b,
        BvOp::Shl | BvOp::Lshr => 0,
        BvOp::Ashr => (signed_a >> b.min(u128::from(width - 1))) as u128,
    }
}

fn compare(op: BvCmp, a: u128, b: u128, width: u32) -> bool {
    let (signed_a, signed_b) = (to_signed(a, width), to_signed(b, width));
    match op {
        BvCmp::Slt => signed_a < signed_b,
        BvCmp::Sle => signed_a <= signed_b,
        BvCmp::Ult => a < b,
        BvCmp::Ule => a <= b,
    }
}

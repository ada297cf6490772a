//! Operators on integers of any size.

use ir::{BinaryOp, IntType, UnaryOp};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::number::Num;
use crate::halt::Halt;

pub(super) fn unary(op: UnaryOp, arg: &Num) -> Result<Num, Halt> {
    if let Num::Undefined = arg {
        return Ok(Num::Undefined);
    }
    match (op, arg) {
        (UnaryOp::Not, Num::Int(value)) => Ok(Num::Int(1 - value)),
        (UnaryOp::BitNot, Num::Int(value)) => Ok(Num::Int(!value)),
        (UnaryOp::Neg, _) => Num::integer(-arg.to_integer()?),
        (UnaryOp::Not | UnaryOp::BitNot, _) => Num::integer(!arg.to_integer()?),
    }
}

pub(super) fn binary(op: BinaryOp, ty: IntType, lhs: &Num, rhs: &Num) -> Result<Num, Halt> {
    match (lhs, rhs) {
        (Num::Int(lhs), Num::Int(rhs)) => match small(op, ty, *lhs, *rhs) {
            Some(result) => Ok(result),
            None => large(op, ty, (*lhs).into(), (*rhs).into()),
        },
        (Num::Undefined, _) | (_, Num::Undefined) => Ok(Num::Undefined),
        _ => large(op, ty, lhs.to_integer()?, rhs.to_integer()?),
    }
}

/// The result if nothing leaves i64 on the way.
fn small(op: BinaryOp, ty: IntType, lhs: i64, rhs: i64) -> Option<Num> {
    Some(match op {
        BinaryOp::Add => Num::Int(lhs.checked_add(rhs)?),
        BinaryOp::Sub => Num::Int(lhs.checked_sub(rhs)?),
        BinaryOp::Mul => Num::Int(lhs.checked_mul(rhs)?),
        BinaryOp::Div | BinaryOp::Rem if rhs == 0 => Num::Undefined,
        BinaryOp::Div => Num::Int(lhs.checked_div(rhs)?),
        BinaryOp::Rem => Num::Int(lhs.checked_rem(rhs)?),
        BinaryOp::And => Num::Int(lhs & rhs),
        BinaryOp::Or => Num::Int(lhs | rhs),
        BinaryOp::Xor => Num::Int(lhs ^ rhs),
        BinaryOp::Shl => return None,
        BinaryOp::Shr if rhs < 0 || rhs >= ty.width.into() || (!ty.signed && lhs < 0) => Num::Undefined,
        BinaryOp::Shr => Num::Int(lhs >> rhs),
        BinaryOp::Eq => Num::bool(lhs == rhs),
        BinaryOp::Ne => Num::bool(lhs != rhs),
        BinaryOp::Lt => Num::bool(lhs < rhs),
        BinaryOp::Le => Num::bool(lhs <= rhs),
    })
}

fn large(op: BinaryOp, ty: IntType, lhs: BigInt, rhs: BigInt) -> Result<Num, Halt> {
    match op {
        BinaryOp::Add => Num::integer(lhs + rhs),
        BinaryOp::Sub => Num::integer(lhs - rhs),
        BinaryOp::Mul => Num::integer(lhs * rhs),
        BinaryOp::Div | BinaryOp::Rem if rhs.is_zero() => Ok(Num::Undefined),
        // Both truncate, as the language wants.
        BinaryOp::Div => Num::integer(lhs / rhs),
        BinaryOp::Rem => Num::integer(lhs % rhs),
        BinaryOp::And => Num::integer(lhs & rhs),
        BinaryOp::Or => Num::integer(lhs | rhs),
        BinaryOp::Xor => Num::integer(lhs ^ rhs),
        BinaryOp::Shl | BinaryOp::Shr => match rhs.to_u32().filter(|count| *count < ty.width.into()) {
            None => Ok(Num::Undefined),
            Some(count) if op == BinaryOp::Shl => Num::integer(lhs << count),
            Some(_) if !ty.signed && lhs.is_negative() => Ok(Num::Undefined),
            // Rounds down.
            Some(count) => Num::integer(lhs >> count),
        },
        BinaryOp::Eq => Ok(Num::bool(lhs == rhs)),
        BinaryOp::Ne => Ok(Num::bool(lhs != rhs)),
        BinaryOp::Lt => Ok(Num::bool(lhs < rhs)),
        BinaryOp::Le => Ok(Num::bool(lhs <= rhs)),
    }
}

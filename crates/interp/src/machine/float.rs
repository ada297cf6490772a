//! Operators on IEEE-754 floats: round to nearest even, one NaN.

use ir::{BinaryOp, FloatType, IntType};

use super::int;
use crate::halt::{Halt, broken};
use crate::value::{bits_of_f32, bits_of_f64};

#[inline]
pub(crate) fn f64_of_bits(slot: u64) -> f64 {
    f64::from_bits(slot)
}

#[inline]
pub(crate) fn f32_of_bits(slot: u64) -> f32 {
    f32::from_bits(slot as u32)
}

pub(super) fn negate(ty: FloatType, slot: u64) -> u64 {
    match ty {
        FloatType::F32 => bits_of_f32(-f32_of_bits(slot)).into(),
        FloatType::F64 => bits_of_f64(-f64_of_bits(slot)),
    }
}

macro_rules! arithmetic {
    ($op:expr, $lhs:expr, $rhs:expr, $bits:expr) => {
        match $op {
            BinaryOp::Add => $bits($lhs + $rhs).into(),
            BinaryOp::Sub => $bits($lhs - $rhs).into(),
            BinaryOp::Mul => $bits($lhs * $rhs).into(),
            BinaryOp::Div => $bits($lhs / $rhs).into(),
            BinaryOp::Rem => $bits($lhs % $rhs).into(),
            BinaryOp::Eq => ($lhs == $rhs).into(),
            BinaryOp::Ne => ($lhs != $rhs).into(),
            BinaryOp::Lt => ($lhs < $rhs).into(),
            BinaryOp::Le => ($lhs <= $rhs).into(),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
                return Err(broken(format!("{:?} of floats", $op)));
            }
        }
    };
}

pub(super) fn binary(op: BinaryOp, ty: FloatType, lhs: u64, rhs: u64) -> Result<u64, Halt> {
    Ok(match ty {
        FloatType::F32 => {
            let (lhs, rhs) = (f32_of_bits(lhs), f32_of_bits(rhs));
            arithmetic!(op, lhs, rhs, bits_of_f32)
        }
        FloatType::F64 => {
            let (lhs, rhs) = (f64_of_bits(lhs), f64_of_bits(rhs));
            arithmetic!(op, lhs, rhs, bits_of_f64)
        }
    })
}

pub(super) fn of_int(from: IntType, to: FloatType, slot: u64) -> u64 {
    // Each conversion rounds once: going through the other float type would round twice.
    match (from.signed, to) {
        (true, FloatType::F32) => bits_of_f32(slot as i64 as f32).into(),
        (true, FloatType::F64) => bits_of_f64(slot as i64 as f64),
        (false, FloatType::F32) => bits_of_f32(slot as f32).into(),
        (false, FloatType::F64) => bits_of_f64(slot as f64),
    }
}

/// Cuts the fraction off; NaN gives 0, values out of range the nearest end of the range.
pub(super) fn to_int(from: FloatType, to: IntType, slot: u64) -> u64 {
    let value = widen(from, slot);
    let whole = if to.signed { i128::from(value as i64) } else { i128::from(value as u64) };
    int::wrap(to, whole.clamp(to.min(), to.max()) as u64)
}

pub(super) fn to_float(from: FloatType, to: FloatType, slot: u64) -> u64 {
    match (from, to) {
        (FloatType::F32, FloatType::F64) => bits_of_f64(f32_of_bits(slot).into()),
        (FloatType::F64, FloatType::F32) => bits_of_f32(f64_of_bits(slot) as f32).into(),
        (FloatType::F32, FloatType::F32) | (FloatType::F64, FloatType::F64) => slot,
    }
}

/// Whether a float without its fraction lies in the range of an integer type.
pub(super) fn fits(from: FloatType, to: IntType, slot: u64) -> bool {
    let whole = widen(from, slot).trunc();
    // Both ends are powers of two or zero, hence exact; NaN compares false.
    to.min() as f64 <= whole && whole < (to.max() + 1) as f64
}

/// Every f32 is an f64.
pub(super) fn widen(from: FloatType, slot: u64) -> f64 {
    match from {
        FloatType::F32 => f32_of_bits(slot).into(),
        FloatType::F64 => f64_of_bits(slot),
    }
}

//! Operators on integers of fixed width.

use ir::{BinaryOp, IntType};

/// The slot of the value of the type that is congruent to a word.
#[inline]
pub(crate) fn wrap(ty: IntType, word: u64) -> u64 {
    let unused = 64 - u32::from(ty.width);
    if ty.signed { (((word << unused) as i64) >> unused) as u64 } else { (word << unused) >> unused }
}

/// What a slot holds.
#[inline]
pub(super) fn value(ty: IntType, slot: u64) -> i128 {
    if ty.signed { (slot as i64).into() } else { slot.into() }
}

#[inline]
pub(super) fn binary(op: BinaryOp, ty: IntType, lhs: u64, rhs: u64) -> u64 {
    match op {
        BinaryOp::Add => wrap(ty, lhs.wrapping_add(rhs)),
        BinaryOp::Sub => wrap(ty, lhs.wrapping_sub(rhs)),
        BinaryOp::Mul => wrap(ty, lhs.wrapping_mul(rhs)),
        BinaryOp::Div => wrap(ty, divide(ty, lhs, rhs)),
        BinaryOp::Rem => remainder(ty, lhs, rhs),
        BinaryOp::And => lhs & rhs,
        BinaryOp::Or => lhs | rhs,
        BinaryOp::Xor => lhs ^ rhs,
        BinaryOp::Shl => wrap(ty, lhs << shift(ty, rhs)),
        BinaryOp::Shr if ty.signed => ((lhs as i64) >> shift(ty, rhs)) as u64,
        BinaryOp::Shr => lhs >> shift(ty, rhs),
        BinaryOp::Eq => (lhs == rhs).into(),
        BinaryOp::Ne => (lhs != rhs).into(),
        BinaryOp::Lt if ty.signed => ((lhs as i64) < rhs as i64).into(),
        BinaryOp::Lt => (lhs < rhs).into(),
        BinaryOp::Le if ty.signed => (lhs as i64 <= rhs as i64).into(),
        BinaryOp::Le => (lhs <= rhs).into(),
    }
}

/// The count of a shift: modulo the width, also when it is negative.
#[inline]
fn shift(ty: IntType, count: u64) -> u32 {
    (count & (u64::from(ty.width) - 1)) as u32
}

/// Division by zero gives all ones for unsigned types; 1 or -1 for signed ones.
fn divide(ty: IntType, lhs: u64, rhs: u64) -> u64 {
    match (ty.signed, rhs) {
        (true, 0) => {
            if (lhs as i64) < 0 {
                1
            } else {
                u64::MAX
            }
        }
        (false, 0) => u64::MAX,
        (true, _) => (lhs as i64).wrapping_div(rhs as i64) as u64,
        (false, _) => lhs / rhs,
    }
}

fn remainder(ty: IntType, lhs: u64, rhs: u64) -> u64 {
    match (ty.signed, rhs) {
        (_, 0) => lhs,
        (true, _) => (lhs as i64).wrapping_rem(rhs as i64) as u64,
        (false, _) => lhs % rhs,
    }
}

/// Whether the exact result lies outside the type. A shift is a product with a power of two, by its count modulo
/// the width; a quotient by zero does not overflow.
pub(super) fn overflows(op: BinaryOp, ty: IntType, lhs: u64, rhs: u64) -> bool {
    let (left, right) = (value(ty, lhs), value(ty, rhs));
    let exact = match op {
        BinaryOp::Add => Some(left + right),
        BinaryOp::Sub => Some(left - right),
        // The product of two values of u64 may leave i128.
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div if right == 0 => Some(0),
        BinaryOp::Div => Some(left / right),
        BinaryOp::Shl => left.checked_mul(1 << shift(ty, rhs)),
        BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shr => Some(0),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => Some(0),
    };
    exact.is_none_or(|exact| !ty.contains(exact))
}

//! Operators on real numbers. Exact on exact numbers until they have too many digits, over-approximating on enclosures.

use ir::BinaryOp;
use num_rational::BigRational;
use num_traits::Zero;

use super::number::Num;
use crate::enclosure::{Enclosure, order};
use crate::halt::{Halt, broken, undecided};

pub(super) fn negate(arg: &Num) -> Num {
    match arg.real() {
        Some(value) => Num::enclosed(value.negate()),
        None => Num::Undefined,
    }
}

pub(super) fn binary(op: BinaryOp, lhs: &Num, rhs: &Num) -> Result<Num, Halt> {
    if let (Num::Int(lhs), Num::Int(rhs)) = (lhs, rhs)
        && let Some(result) = whole(op, *lhs, *rhs)
    {
        return Ok(result);
    }
    if let (Some(lhs), Some(rhs)) = (lhs.exact_real(), rhs.exact_real()) {
        return exact(op, &lhs, &rhs);
    }
    let (Some(lhs), Some(rhs)) = (lhs.real(), rhs.real()) else { return Ok(Num::Undefined) };
    Ok(match op {
        BinaryOp::Add => Num::enclosed(lhs.add(&rhs)),
        BinaryOp::Sub => Num::enclosed(lhs.add(&rhs.negate())),
        BinaryOp::Mul => Num::enclosed(lhs.multiply(&rhs)),
        BinaryOp::Div => lhs.divide(&rhs).map_or(Num::Undefined, Num::enclosed),
        BinaryOp::Rem => remainder(&lhs, &rhs),
        BinaryOp::Eq => Num::bool(is_equal(&lhs, &rhs)?),
        BinaryOp::Ne => Num::bool(!is_equal(&lhs, &rhs)?),
        BinaryOp::Lt if lhs.is_below(&rhs) => Num::bool(true),
        BinaryOp::Lt if order(lhs.low(), rhs.high()).is_ge() => Num::bool(false),
        BinaryOp::Le if order(lhs.high(), rhs.low()).is_le() => Num::bool(true),
        BinaryOp::Le if rhs.is_below(&lhs) => Num::bool(false),
        BinaryOp::Lt | BinaryOp::Le => return Err(overlap()),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
            return Err(broken(format!("{op:?} of floats")));
        }
    })
}

/// The result on two numbers that are known exactly.
fn exact(op: BinaryOp, lhs: &BigRational, rhs: &BigRational) -> Result<Num, Halt> {
    Ok(match op {
        BinaryOp::Add => Num::rational(lhs + rhs),
        BinaryOp::Sub => Num::rational(lhs - rhs),
        BinaryOp::Mul => Num::rational(lhs * rhs),
        BinaryOp::Div | BinaryOp::Rem if rhs.is_zero() => Num::Undefined,
        BinaryOp::Div => Num::rational(lhs / rhs),
        BinaryOp::Rem => Num::rational(lhs - rhs * (lhs / rhs).trunc()),
        BinaryOp::Eq => Num::bool(order(lhs, rhs).is_eq()),
        BinaryOp::Ne => Num::bool(order(lhs, rhs).is_ne()),
        BinaryOp::Lt => Num::bool(order(lhs, rhs).is_lt()),
        BinaryOp::Le => Num::bool(order(lhs, rhs).is_le()),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
            return Err(broken(format!("{op:?} of floats")));
        }
    })
}

/// The result on small integers, if it is one.
fn whole(op: BinaryOp, lhs: i64, rhs: i64) -> Option<Num> {
    match op {
        BinaryOp::Add => lhs.checked_add(rhs).map(Num::Int),
        BinaryOp::Sub => lhs.checked_sub(rhs).map(Num::Int),
        BinaryOp::Mul => lhs.checked_mul(rhs).map(Num::Int),
        BinaryOp::Div if rhs != 0 && lhs.checked_rem(rhs) == Some(0) => Some(Num::Int(lhs / rhs)),
        BinaryOp::Eq => Some(Num::bool(lhs == rhs)),
        BinaryOp::Ne => Some(Num::bool(lhs != rhs)),
        BinaryOp::Lt => Some(Num::bool(lhs < rhs)),
        BinaryOp::Le => Some(Num::bool(lhs <= rhs)),
        BinaryOp::Div | BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => None,
        BinaryOp::Shl | BinaryOp::Shr => None,
    }
}

fn is_equal(lhs: &Enclosure, rhs: &Enclosure) -> Result<bool, Halt> {
    if lhs.is_exact() && rhs.is_exact() {
        return Ok(order(lhs.low(), rhs.low()).is_eq());
    }
    if lhs.overlaps(rhs) { Err(overlap()) } else { Ok(false) }
}

fn overlap() -> Halt {
    undecided("overlapping enclosures are compared")
}

/// `x - y * trunc(x / y)`, when the whole part of the quotient is known.
fn remainder(lhs: &Enclosure, rhs: &Enclosure) -> Num {
    let Some(quotient) = lhs.divide(rhs) else { return Num::Undefined };
    let whole = quotient.map_rising(BigRational::trunc);
    if !whole.is_exact() {
        return Num::Undefined;
    }
    if whole.low().is_zero() {
        return Num::enclosed(lhs.clone());
    }
    Num::enclosed(lhs.add(&rhs.multiply(&whole).negate()))
}

//! Operators in `machine` numbers: bit-vectors and IEEE floats. Exact.

use crate::value::format_of;
use ir::{BinaryOp, FloatType, IntType, Scalar, UnaryOp};
use smt::{BvCmp, BvOp, FloatCmp, FloatFormat, FloatOp, RoundingMode, Term, Terms};

pub(crate) fn int_constant(terms: &mut Terms, ty: IntType, value: i128) -> Term {
    terms.bv_signed(value, ty.width.into())
}

/// `None` for operators that the type does not have.
pub(crate) fn unary(terms: &mut Terms, op: UnaryOp, ty: Scalar, arg: Term) -> Option<Term> {
    match (op, ty) {
        (UnaryOp::Not, Scalar::Bool) => Some(terms.not(arg)),
        (UnaryOp::Neg, Scalar::Int(_)) => Some(terms.bv_neg(arg)),
        (UnaryOp::Neg, Scalar::Float(_)) => Some(terms.float_op(FloatOp::Neg, &[arg])),
        (UnaryOp::BitNot, Scalar::Int(_)) => Some(terms.bv_not(arg)),
        (UnaryOp::Not, Scalar::Int(_) | Scalar::Float(_))
        | (UnaryOp::Neg, Scalar::Bool)
        | (UnaryOp::BitNot, Scalar::Bool | Scalar::Float(_)) => None,
    }
}

/// `None` for operators that the type does not have.
pub(crate) fn binary(terms: &mut Terms, op: BinaryOp, ty: Scalar, lhs: Term, rhs: Term) -> Option<Term> {
    match ty {
        Scalar::Bool => on_bools(terms, op, lhs, rhs),
        Scalar::Int(ty) => Some(on_ints(terms, op, ty, lhs, rhs)),
        Scalar::Float(_) => on_floats(terms, op, lhs, rhs),
    }
}

/// The operators that booleans have, in both number models.
pub(crate) fn on_bools(terms: &mut Terms, op: BinaryOp, lhs: Term, rhs: Term) -> Option<Term> {
    match op {
        BinaryOp::And => Some(terms.and(&[lhs, rhs])),
        BinaryOp::Or => Some(terms.or(&[lhs, rhs])),
        BinaryOp::Eq => Some(terms.eq(lhs, rhs)),
        BinaryOp::Xor | BinaryOp::Ne => {
            let same = terms.eq(lhs, rhs);
            Some(terms.not(same))
        }
        BinaryOp::Lt => {
            let not_lhs = terms.not(lhs);
            Some(terms.and(&[not_lhs, rhs]))
        }
        BinaryOp::Le => Some(terms.implies(lhs, rhs)),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr => None,
    }
}

fn on_ints(terms: &mut Terms, op: BinaryOp, ty: IntType, lhs: Term, rhs: Term) -> Term {
    let by_sign = |signed, unsigned| if ty.signed { signed } else { unsigned };
    match op {
        BinaryOp::Add => terms.bv_op(BvOp::Add, lhs, rhs),
        BinaryOp::Sub => terms.bv_op(BvOp::Sub, lhs, rhs),
        BinaryOp::Mul => terms.bv_op(BvOp::Mul, lhs, rhs),
        BinaryOp::Div => terms.bv_op(by_sign(BvOp::Sdiv, BvOp::Udiv), lhs, rhs),
        BinaryOp::Rem => terms.bv_op(by_sign(BvOp::Srem, BvOp::Urem), lhs, rhs),
        BinaryOp::And => terms.bv_op(BvOp::And, lhs, rhs),
        BinaryOp::Or => terms.bv_op(BvOp::Or, lhs, rhs),
        BinaryOp::Xor => terms.bv_op(BvOp::Xor, lhs, rhs),
        BinaryOp::Shl => {
            let count = shift_count(terms, ty, rhs);
            terms.bv_op(BvOp::Shl, lhs, count)
        }
        BinaryOp::Shr => {
            let count = shift_count(terms, ty, rhs);
            terms.bv_op(by_sign(BvOp::Ashr, BvOp::Lshr), lhs, count)
        }
        BinaryOp::Eq => terms.eq(lhs, rhs),
        BinaryOp::Ne => {
            let same = terms.eq(lhs, rhs);
            terms.not(same)
        }
        BinaryOp::Lt => terms.bv_cmp(if ty.signed { BvCmp::Slt } else { BvCmp::Ult }, lhs, rhs),
        BinaryOp::Le => terms.bv_cmp(if ty.signed { BvCmp::Sle } else { BvCmp::Ule }, lhs, rhs),
    }
}

/// The count of a shift modulo the width: its low bits, since widths are powers of two.
fn shift_count(terms: &mut Terms, ty: IntType, count: Term) -> Term {
    let mask = terms.bv(u64::from(ty.width) - 1, ty.width.into());
    terms.bv_op(BvOp::And, count, mask)
}

fn on_floats(terms: &mut Terms, op: BinaryOp, lhs: Term, rhs: Term) -> Option<Term> {
    Some(match op {
        BinaryOp::Add => terms.float_op(FloatOp::Add, &[lhs, rhs]),
        BinaryOp::Sub => terms.float_op(FloatOp::Sub, &[lhs, rhs]),
        BinaryOp::Mul => terms.float_op(FloatOp::Mul, &[lhs, rhs]),
        BinaryOp::Div => terms.float_op(FloatOp::Div, &[lhs, rhs]),
        BinaryOp::Rem => terms.float_op(FloatOp::Rem, &[lhs, rhs]),
        BinaryOp::Eq => terms.float_cmp(FloatCmp::Eq, lhs, rhs),
        BinaryOp::Ne => {
            let same = terms.float_cmp(FloatCmp::Eq, lhs, rhs);
            terms.not(same)
        }
        BinaryOp::Lt => terms.float_cmp(FloatCmp::Lt, lhs, rhs),
        BinaryOp::Le => terms.float_cmp(FloatCmp::Le, lhs, rhs),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => return None,
    })
}

pub(crate) fn convert(terms: &mut Terms, from: Scalar, to: Scalar, arg: Term) -> Option<Term> {
    Some(match (from, to) {
        (Scalar::Bool, Scalar::Bool) => arg,
        (Scalar::Bool, Scalar::Int(to)) => {
            let (one, zero) = (terms.bv(1, to.width.into()), terms.bv(0, to.width.into()));
            terms.ite(arg, one, zero)
        }
        (Scalar::Int(from), Scalar::Int(to)) => {
            let width = u32::from(to.width);
            match (to.width > from.width, from.signed) {
                (true, true) => terms.sign_extend(width, arg),
                (true, false) => terms.zero_extend(width, arg),
                (false, _) if to.width == from.width => arg,
                (false, _) => terms.extract(width - 1, 0, arg),
            }
        }
        (Scalar::Int(from), Scalar::Float(to)) => terms.float_from_int(arg, from.signed, format_of(to)),
        (Scalar::Float(_), Scalar::Int(to)) => terms.float_to_int(arg, to.width.into(), to.signed),
        (Scalar::Float(from), Scalar::Float(to)) => {
            if from == to {
                arg
            } else {
                terms.float_convert(arg, format_of(to))
            }
        }
        (Scalar::Bool, Scalar::Float(_)) | (Scalar::Int(_) | Scalar::Float(_), Scalar::Bool) => return None,
    })
}

/// Whether the exact result lies outside the type; `None` for operators that cannot be asked about.
pub(crate) fn overflows(terms: &mut Terms, op: BinaryOp, ty: IntType, lhs: Term, rhs: Term) -> Option<Term> {
    let width = u32::from(ty.width);
    let (exact, wide) = match op {
        BinaryOp::Add => (BvOp::Add, width + 1),
        BinaryOp::Sub => (BvOp::Sub, width + 1),
        BinaryOp::Mul => (BvOp::Mul, width * 2),
        BinaryOp::Shl => (BvOp::Shl, width * 2),
        BinaryOp::Div => return Some(division_overflows(terms, ty, lhs, rhs)),
        BinaryOp::Rem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shr
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le => return None,
    };
    let narrow_result = on_ints(terms, op, ty, lhs, rhs);
    let extend = |terms: &mut Terms, term| match ty.signed {
        true => terms.sign_extend(wide, term),
        false => terms.zero_extend(wide, term),
    };
    let (lhs_wide, narrow_wide) = (extend(terms, lhs), extend(terms, narrow_result));
    let rhs_wide = if exact == BvOp::Shl {
        let count = shift_count(terms, ty, rhs);
        terms.zero_extend(wide, count)
    } else {
        extend(terms, rhs)
    };
    let exact = terms.bv_op(exact, lhs_wide, rhs_wide);
    let fits = terms.eq(exact, narrow_wide);
    Some(terms.not(fits))
}

/// Only the smallest number divided by -1 has no place in its type.
fn division_overflows(terms: &mut Terms, ty: IntType, lhs: Term, rhs: Term) -> Term {
    if !ty.signed {
        return terms.bool(false);
    }
    let (min, minus_one) = (int_constant(terms, ty, ty.min()), int_constant(terms, ty, -1));
    let (is_min, is_minus_one) = (terms.eq(lhs, min), terms.eq(rhs, minus_one));
    terms.and(&[is_min, is_minus_one])
}

/// Whether a float without its fraction lies in the range of the type. The ends are powers of two, so both
/// formats have them exactly; NaN compares false.
pub(crate) fn fits(terms: &mut Terms, from: FloatType, to: IntType, arg: Term) -> Term {
    let whole = terms.float_op(FloatOp::RoundToIntegral(RoundingMode::TowardZero), &[arg]);
    let low = float_constant(terms, from, to.min() as f64);
    let beyond = float_constant(terms, from, (to.max() + 1) as f64);
    let above = terms.float_cmp(FloatCmp::Le, low, whole);
    let below = terms.float_cmp(FloatCmp::Lt, whole, beyond);
    terms.and(&[above, below])
}

/// The literal of a number that the format has exactly.
pub(crate) fn float_constant(terms: &mut Terms, ty: FloatType, number: f64) -> Term {
    match format_of(ty) {
        FloatFormat::F32 => terms.float(u64::from((number as f32).to_bits()), FloatFormat::F32),
        FloatFormat::F64 => terms.float(number.to_bits(), FloatFormat::F64),
    }
}

//! Functions of floats and of bits.
//!
//! Exact: rounding, absolute value, signs, classification, bits, and `sqrt` under `machine`.
//! Over-approximating (one uninterpreted function for each name, noted as an abstraction): `sin`, `exp`, `pow` and
//! their like, and under `math` whatever has no meaning there.

use super::machine::float_constant;
use crate::notes::Notes;
use crate::value::format_of;
use ir::Numbers;
use ir::{FloatType, IntType};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use smt::{BvOp, FloatCmp, FloatOp, RoundingMode, Sort, Term, Terms};

/// How a float becomes a whole number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    Floor,
    Ceil,
    Trunc,
    /// To the nearest, ties to even.
    Rint,
    /// To the nearest, ties away from zero.
    Round,
}

/// Rounding under `machine`.
pub(crate) fn round_float(terms: &mut Terms, rounding: Rounding, ty: FloatType, arg: Term) -> Term {
    let mode = match rounding {
        Rounding::Floor => RoundingMode::TowardNegative,
        Rounding::Ceil => RoundingMode::TowardPositive,
        Rounding::Trunc => RoundingMode::TowardZero,
        Rounding::Rint => RoundingMode::NearestEven,
        Rounding::Round => return round_half_away(terms, ty, arg),
    };
    terms.float_op(FloatOp::RoundToIntegral(mode), &[arg])
}

/// The fraction `x - trunc(x)` is exact, and so is adding one to a whole number that has a fraction's neighbour.
fn round_half_away(terms: &mut Terms, ty: FloatType, arg: Term) -> Term {
    let whole = terms.float_op(FloatOp::RoundToIntegral(RoundingMode::TowardZero), &[arg]);
    let fraction = terms.float_op(FloatOp::Sub, &[arg, whole]);
    let size = terms.float_op(FloatOp::Abs, &[fraction]);
    let half = float_constant(terms, ty, 0.5);
    let rounds_up = terms.float_cmp(FloatCmp::Le, half, size);
    let one = float_constant(terms, ty, 1.0);
    let step = copy_sign_float(terms, ty, one, arg);
    let next = terms.float_op(FloatOp::Add, &[whole, step]);
    terms.ite(rounds_up, next, whole)
}

/// Rounding under `math`.
pub(crate) fn round_real(terms: &mut Terms, rounding: Rounding, arg: Term) -> Term {
    let floor_of = |terms: &mut Terms, term| {
        let floor = terms.real_floor(term);
        terms.int_to_real(floor)
    };
    let half = terms.real(BigRational::new(BigInt::one(), BigInt::from(2)));
    match rounding {
        Rounding::Floor => floor_of(terms, arg),
        Rounding::Ceil => {
            let opposite = terms.neg(arg);
            let floor = floor_of(terms, opposite);
            terms.neg(floor)
        }
        Rounding::Trunc => {
            let whole = terms.real_trunc_to_int(arg);
            terms.int_to_real(whole)
        }
        Rounding::Round => {
            let (zero, opposite) = (terms.real(BigRational::zero()), terms.neg(arg));
            let (up, down) = (terms.add(&[arg, half]), terms.add(&[opposite, half]));
            let (up, down) = (floor_of(terms, up), floor_of(terms, down));
            let (down, not_negative) = (terms.neg(down), terms.le(zero, arg));
            terms.ite(not_negative, up, down)
        }
        Rounding::Rint => {
            let floor = terms.real_floor(arg);
            let (one, two, zero) = (terms.int(1), terms.int(2), terms.int(0));
            let next = terms.add(&[floor, one]);
            let floor_real = terms.int_to_real(floor);
            let fraction = terms.sub(arg, floor_real);
            let (low, high) = (terms.lt(fraction, half), terms.lt(half, fraction));
            let parity = terms.int_mod_euclid(floor, two);
            let is_even = terms.eq(parity, zero);
            let not_high = terms.not(high);
            let tie_down = terms.and(&[not_high, is_even]);
            let goes_down = terms.or(&[low, tie_down]);
            let rounded = terms.ite(goes_down, floor, next);
            terms.int_to_real(rounded)
        }
    }
}

pub(crate) fn abs(terms: &mut Terms, numbers: Numbers, arg: Term) -> Term {
    match numbers {
        Numbers::Machine => terms.float_op(FloatOp::Abs, &[arg]),
        Numbers::Math => {
            let zero = terms.real(BigRational::zero());
            let (not_negative, opposite) = (terms.le(zero, arg), terms.neg(arg));
            terms.ite(not_negative, arg, opposite)
        }
    }
}

/// The size of the first with the sign of the second; a NaN counts as positive.
pub(crate) fn copy_sign_float(terms: &mut Terms, ty: FloatType, size: Term, sign: Term) -> Term {
    let (zero, minus_zero) = (float_constant(terms, ty, 0.0), float_constant(terms, ty, -0.0));
    let below = terms.float_cmp(FloatCmp::Lt, sign, zero);
    let is_minus_zero = terms.eq(sign, minus_zero);
    let is_negative = terms.or(&[below, is_minus_zero]);
    let positive = terms.float_op(FloatOp::Abs, &[size]);
    let negative = terms.float_op(FloatOp::Neg, &[positive]);
    terms.ite(is_negative, negative, positive)
}

/// Under `math` zero has no sign and counts as positive.
pub(crate) fn copy_sign_real(terms: &mut Terms, size: Term, sign: Term) -> Term {
    let zero = terms.real(BigRational::zero());
    let is_negative = terms.lt(sign, zero);
    let positive = abs(terms, Numbers::Math, size);
    let negative = terms.neg(positive);
    terms.ite(is_negative, negative, positive)
}

pub(crate) fn is_infinite(terms: &mut Terms, ty: FloatType, arg: Term) -> Term {
    let size = terms.float_op(FloatOp::Abs, &[arg]);
    let infinity = float_constant(terms, ty, f64::INFINITY);
    terms.eq(size, infinity)
}

/// `sqrt` under `math`: exact for squares of rationals; else a function that `axioms` define for `x >= 0`.
pub(crate) fn sqrt_real(terms: &mut Terms, notes: &mut Notes, axioms: bool, arg: Term) -> Term {
    if let Some(root) = terms.as_real(arg).and_then(exact_root) {
        return terms.real(root);
    }
    let root = notes.unknown(terms, "sqrt.math", &[arg], &Sort::Real);
    if axioms {
        let zero = terms.real(BigRational::zero());
        let (has_root, not_negative) = (terms.le(zero, arg), terms.le(zero, root));
        let square = terms.mul(&[root, root]);
        let defines = terms.eq(square, arg);
        let both = terms.and(&[not_negative, defines]);
        let axiom = terms.implies(has_root, both);
        notes.assume(terms, axiom);
    }
    root
}

fn exact_root(number: &BigRational) -> Option<BigRational> {
    if number.is_negative() {
        return None;
    }
    let root = BigRational::new(number.numer().sqrt(), number.denom().sqrt());
    (&root * &root == *number).then_some(root)
}

/// `pow` under `math`: a product for small whole exponents, else an unknown function.
pub(crate) fn pow_real(terms: &mut Terms, notes: &mut Notes, base: Term, exponent: Term) -> Term {
    let whole = terms.as_real(exponent).filter(|number| number.is_integer());
    match whole.and_then(|number| number.to_integer().to_u32()) {
        Some(0) => terms.real(BigRational::one()),
        Some(count) if count <= 16 => terms.mul(&vec![base; count as usize]),
        _ => notes.unknown(terms, "pow.math", &[base, exponent], &Sort::Real),
    }
}

/// A function of floats of which only the name is known.
pub(crate) fn unknown_function(
    terms: &mut Terms,
    notes: &mut Notes,
    numbers: Numbers,
    name: &str,
    ty: FloatType,
    args: &[Term],
) -> Term {
    match (numbers, ty) {
        (Numbers::Math, _) => notes.unknown(terms, &format!("{name}.math"), args, &Sort::Real),
        (Numbers::Machine, FloatType::F32) => {
            notes.unknown(terms, &format!("{name}.f32"), args, &Sort::Float(format_of(ty)))
        }
        (Numbers::Machine, FloatType::F64) => {
            notes.unknown(terms, &format!("{name}.f64"), args, &Sort::Float(format_of(ty)))
        }
    }
}

/// How many bits are one: sums of neighbouring fields of 1, 2, 4 ... bits.
pub(crate) fn count_ones(terms: &mut Terms, ty: IntType, arg: Term) -> Term {
    let width = u32::from(ty.width);
    let mut sums = arg;
    let mut field = 1;
    while field < width {
        let low_halves: u64 =
            (0..width).filter(|bit| bit % (2 * field) < field).map(|bit| 1_u64 << bit).sum();
        let (mask, shift) = (terms.bv(low_halves, width), terms.bv(field.into(), width));
        let upper = terms.bv_op(BvOp::Lshr, sums, shift);
        let (lower, upper) = (terms.bv_op(BvOp::And, sums, mask), terms.bv_op(BvOp::And, upper, mask));
        sums = terms.bv_op(BvOp::Add, lower, upper);
        field *= 2;
    }
    sums
}

/// The zeros above the highest one are the zeros left after it was smeared to the right.
pub(crate) fn leading_zeros(terms: &mut Terms, ty: IntType, arg: Term) -> Term {
    let width = u32::from(ty.width);
    let mut smeared = arg;
    let mut distance = 1;
    while distance < width {
        let shift = terms.bv(distance.into(), width);
        let moved = terms.bv_op(BvOp::Lshr, smeared, shift);
        smeared = terms.bv_op(BvOp::Or, smeared, moved);
        distance *= 2;
    }
    let zeros = terms.bv_not(smeared);
    count_ones(terms, ty, zeros)
}

/// `(x & -x) - 1` has a one for each zero below the lowest one.
pub(crate) fn trailing_zeros(terms: &mut Terms, ty: IntType, arg: Term) -> Term {
    let opposite = terms.bv_neg(arg);
    let lowest = terms.bv_op(BvOp::And, arg, opposite);
    let one = terms.bv(1, ty.width.into());
    let below = terms.bv_op(BvOp::Sub, lowest, one);
    count_ones(terms, ty, below)
}

//! Operators in `math` numbers: unbounded integers and reals.
//!
//! Exact for arithmetic. What is *undefined* in `docs/ir.md` is an uninterpreted function of the operands, the same
//! in both versions. Bit operations are exact where they are arithmetic (masks of neighbouring bits, shifts by
//! constants) and uninterpreted elsewhere: over-approximating, and noted as an abstraction.

use super::machine::on_bools;
use crate::notes::Notes;
use ir::{BinaryOp, IntType, Scalar, UnaryOp};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use smt::{Sort, Term, Terms};

/// `None` for operators that the type does not have.
pub(crate) fn unary(terms: &mut Terms, op: UnaryOp, ty: Scalar, arg: Term) -> Option<Term> {
    match (op, ty) {
        (UnaryOp::Not, Scalar::Bool) => Some(terms.not(arg)),
        (UnaryOp::Neg, Scalar::Int(_) | Scalar::Float(_)) => Some(terms.neg(arg)),
        (UnaryOp::BitNot, Scalar::Int(_)) => Some(bit_not(terms, arg)),
        (UnaryOp::Not, Scalar::Int(_) | Scalar::Float(_))
        | (UnaryOp::Neg, Scalar::Bool)
        | (UnaryOp::BitNot, Scalar::Bool | Scalar::Float(_)) => None,
    }
}

/// `None` for operators that the type does not have.
pub(crate) fn binary(
    terms: &mut Terms,
    notes: &mut Notes,
    op: BinaryOp,
    ty: Scalar,
    lhs: Term,
    rhs: Term,
) -> Option<Term> {
    match ty {
        Scalar::Bool => on_bools(terms, op, lhs, rhs),
        Scalar::Int(ty) => Some(on_ints(terms, notes, op, ty, lhs, rhs)),
        Scalar::Float(_) => on_reals(terms, notes, op, lhs, rhs),
    }
}

fn on_ints(terms: &mut Terms, notes: &mut Notes, op: BinaryOp, ty: IntType, lhs: Term, rhs: Term) -> Term {
    match op {
        BinaryOp::Add => terms.add(&[lhs, rhs]),
        BinaryOp::Sub => terms.sub(lhs, rhs),
        BinaryOp::Mul => terms.mul(&[lhs, rhs]),
        BinaryOp::Div => unless_zero(terms, notes, rhs, ("div0.math", lhs), |t| t.int_div_trunc(lhs, rhs)),
        BinaryOp::Rem => unless_zero(terms, notes, rhs, ("rem0.math", lhs), |t| t.int_rem_trunc(lhs, rhs)),
        BinaryOp::And => on_bits(terms, notes, BitOp::And, lhs, rhs),
        BinaryOp::Or => on_bits(terms, notes, BitOp::Or, lhs, rhs),
        BinaryOp::Xor => on_bits(terms, notes, BitOp::Xor, lhs, rhs),
        BinaryOp::Shl => shift_left(terms, notes, ty, lhs, rhs),
        BinaryOp::Shr => shift_right(terms, notes, ty, lhs, rhs),
        BinaryOp::Eq => terms.eq(lhs, rhs),
        BinaryOp::Ne => not_equal(terms, lhs, rhs),
        BinaryOp::Lt => terms.lt(lhs, rhs),
        BinaryOp::Le => terms.le(lhs, rhs),
    }
}

fn on_reals(terms: &mut Terms, notes: &mut Notes, op: BinaryOp, lhs: Term, rhs: Term) -> Option<Term> {
    Some(match op {
        BinaryOp::Add => terms.add(&[lhs, rhs]),
        BinaryOp::Sub => terms.sub(lhs, rhs),
        BinaryOp::Mul => terms.mul(&[lhs, rhs]),
        BinaryOp::Div => {
            unless_zero(terms, notes, rhs, ("fdiv0.math", lhs), |t| t.real_div_nonzero(lhs, rhs))
        }
        BinaryOp::Rem => unless_zero(terms, notes, rhs, ("frem0.math", lhs), |t| {
            let quotient = t.real_div_nonzero(lhs, rhs);
            let whole = t.real_trunc_to_int(quotient);
            let whole = t.int_to_real(whole);
            let multiple = t.mul(&[whole, rhs]);
            t.sub(lhs, multiple)
        }),
        BinaryOp::Eq => terms.eq(lhs, rhs),
        BinaryOp::Ne => not_equal(terms, lhs, rhs),
        BinaryOp::Lt => terms.lt(lhs, rhs),
        BinaryOp::Le => terms.le(lhs, rhs),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => return None,
    })
}

fn not_equal(terms: &mut Terms, lhs: Term, rhs: Term) -> Term {
    let same = terms.eq(lhs, rhs);
    terms.not(same)
}

/// The quotient, or where the divisor is 0 an unknown function of the dividend.
fn unless_zero(
    terms: &mut Terms,
    notes: &mut Notes,
    divisor: Term,
    undefined: (&str, Term),
    quotient: impl FnOnce(&mut Terms) -> Term,
) -> Term {
    let sort = terms.sort_of(divisor).clone();
    let zero = if sort == Sort::Int { terms.int(0) } else { terms.real(BigRational::zero()) };
    let is_zero = terms.eq(divisor, zero);
    if terms.as_bool(is_zero) == Some(false) {
        return quotient(terms);
    }
    let unknown = notes.unknown(terms, undefined.0, &[undefined.1], &sort);
    if terms.as_bool(is_zero) == Some(true) {
        return unknown;
    }
    let known = quotient(terms);
    terms.ite(is_zero, unknown, known)
}

/// `-x - 1`.
fn bit_not(terms: &mut Terms, arg: Term) -> Term {
    let (opposite, one) = (terms.neg(arg), terms.int(1));
    terms.sub(opposite, one)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BitOp {
    And,
    Or,
    Xor,
}

/// And, or, exclusive or of infinite two's complement.
fn on_bits(terms: &mut Terms, notes: &mut Notes, op: BitOp, lhs: Term, rhs: Term) -> Term {
    // The constant comes last, and otherwise the smaller term first: the operators commute.
    let (lhs, rhs) = match (terms.as_int(lhs).is_some(), terms.as_int(rhs).is_some()) {
        (true, false) => (rhs, lhs),
        (false, true) => (lhs, rhs),
        (true, true) | (false, false) => (lhs.min(rhs), lhs.max(rhs)),
    };
    if let (Some(a), Some(b)) = (terms.as_int(lhs), terms.as_int(rhs)) {
        let folded = match op {
            BitOp::And => a & b,
            BitOp::Or => a | b,
            BitOp::Xor => a ^ b,
        };
        return terms.int(folded);
    }
    if lhs == rhs {
        return if op == BitOp::Xor { terms.int(0) } else { lhs };
    }
    if let Some(mask) = terms.as_int(rhs).cloned()
        && let Some(exact) = with_constant(terms, op, lhs, &mask)
    {
        return exact;
    }
    let name = match op {
        BitOp::And => "and.math",
        BitOp::Or => "or.math",
        BitOp::Xor => "xor.math",
    };
    notes.unknown(terms, name, &[lhs, rhs], &Sort::Int)
}

/// The operation with a constant where it is arithmetic.
fn with_constant(terms: &mut Terms, op: BitOp, arg: Term, mask: &BigInt) -> Option<Term> {
    let minus_one = -BigInt::one();
    match op {
        BitOp::And => and_constant(terms, arg, mask),
        // x | m = x + (m & ~x), and x ^ m = (x | m) - (x & m).
        BitOp::Or if *mask == minus_one => Some(terms.int(-1)),
        BitOp::Or => {
            let common = and_constant(terms, arg, mask)?;
            let mask = terms.int(mask.clone());
            let sum = terms.add(&[arg, mask]);
            Some(terms.sub(sum, common))
        }
        BitOp::Xor if *mask == minus_one => Some(bit_not(terms, arg)),
        BitOp::Xor => {
            let common = and_constant(terms, arg, mask)?;
            let twice = terms.add(&[common, common]);
            let mask = terms.int(mask.clone());
            let sum = terms.add(&[arg, mask]);
            Some(terms.sub(sum, twice))
        }
    }
}

/// `x & m` where the ones of `m` (or, for a negative one, its zeros) are neighbours.
fn and_constant(terms: &mut Terms, arg: Term, mask: &BigInt) -> Option<Term> {
    if mask.is_zero() {
        return Some(terms.int(0));
    }
    if mask.is_negative() {
        // x & m = x - (x & ~m)
        let cleared: BigInt = -mask - 1;
        let cleared = and_constant(terms, arg, &cleared)?;
        return Some(terms.sub(arg, cleared));
    }
    let low = mask.trailing_zeros()?;
    let ones: BigInt = mask >> low;
    let is_run = (&ones & (&ones + 1u32)).is_zero();
    if !is_run {
        return None;
    }
    let (unit, size) = (BigInt::one() << low, &ones + 1u32);
    let (unit_term, size) = (terms.int(unit.clone()), terms.int(size));
    let shifted = if unit.is_one() { arg } else { terms.int_div_euclid(arg, unit_term) };
    let bits = terms.int_mod_euclid(shifted, size);
    Some(terms.mul(&[bits, unit_term]))
}

/// The power of two of a shift count that is constant and smaller than the width.
fn power_of_count(terms: &Terms, ty: IntType, count: Term) -> Option<BigInt> {
    let count = terms.as_int(count)?.to_u32()?;
    (count < u32::from(ty.width)).then(|| BigInt::one() << count)
}

fn shift_left(terms: &mut Terms, notes: &mut Notes, ty: IntType, lhs: Term, rhs: Term) -> Term {
    let Some(power) = power_of_count(terms, ty, rhs) else {
        return notes.unknown(terms, &format!("shl{}.math", ty.width), &[lhs, rhs], &Sort::Int);
    };
    let power = terms.int(power);
    terms.mul(&[lhs, power])
}

/// Undefined for negative numbers of unsigned types.
fn shift_right(terms: &mut Terms, notes: &mut Notes, ty: IntType, lhs: Term, rhs: Term) -> Term {
    let sign = if ty.signed { "shr" } else { "ushr" };
    let name = format!("{sign}{}.math", ty.width);
    let Some(power) = power_of_count(terms, ty, rhs) else {
        return notes.unknown(terms, &name, &[lhs, rhs], &Sort::Int);
    };
    let power = terms.int(power);
    let floor = terms.int_div_euclid(lhs, power);
    if ty.signed {
        return floor;
    }
    let zero = terms.int(0);
    let not_negative = terms.le(zero, lhs);
    match terms.as_bool(not_negative) {
        Some(true) => floor,
        Some(false) => notes.unknown(terms, &name, &[lhs, rhs], &Sort::Int),
        None => {
            let unknown = notes.unknown(terms, &name, &[lhs, rhs], &Sort::Int);
            terms.ite(not_negative, floor, unknown)
        }
    }
}

pub(crate) fn convert(terms: &mut Terms, from: Scalar, to: Scalar, arg: Term) -> Option<Term> {
    Some(match (from, to) {
        (Scalar::Bool, Scalar::Bool)
        | (Scalar::Int(_), Scalar::Int(_))
        | (Scalar::Float(_), Scalar::Float(_)) => arg,
        (Scalar::Bool, Scalar::Int(_)) => {
            let (one, zero) = (terms.int(1), terms.int(0));
            terms.ite(arg, one, zero)
        }
        (Scalar::Int(_), Scalar::Float(_)) => terms.int_to_real(arg),
        (Scalar::Float(_), Scalar::Int(_)) => terms.real_trunc_to_int(arg),
        (Scalar::Bool, Scalar::Float(_)) | (Scalar::Int(_) | Scalar::Float(_), Scalar::Bool) => return None,
    })
}

/// The number that a float constant stands for: its shortest decimal. `None` for infinities and NaN.
pub(crate) fn decimal_f64(number: f64) -> Option<BigRational> {
    number.is_finite().then(|| parse_decimal(&format!("{number:e}")))
}

/// The same for single precision, whose shortest decimals are shorter.
pub(crate) fn decimal_f32(number: f32) -> Option<BigRational> {
    number.is_finite().then(|| parse_decimal(&format!("{number:e}")))
}

/// Reads `-1.25e-3`, the form in which Rust writes the shortest decimal that reads back.
fn parse_decimal(text: &str) -> BigRational {
    let (mantissa, exponent) = text.split_once('e').expect("a number should have an exponent");
    let exponent: i64 = exponent.parse().expect("an exponent should be a number");
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().expect("a mantissa should be digits");
    let scale = exponent - fraction.len() as i64;
    let power = BigInt::from(10).pow(scale.unsigned_abs() as u32);
    if scale >= 0 { BigRational::from_integer(digits * power) } else { BigRational::new(digits, power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tenth_is_one_tenth() {
        let tenth = BigRational::new(1.into(), 10.into());
        assert_eq!(decimal_f64(0.1), Some(tenth.clone()));
        assert_eq!(decimal_f32(0.1), Some(tenth));
        assert_eq!(decimal_f64(-1.5e3), Some(BigRational::from_integer((-1500).into())));
        assert_eq!(decimal_f64(-0.0), Some(BigRational::zero()));
        assert_eq!(decimal_f64(f64::NAN), None);
    }

    #[test]
    fn masks_of_neighbouring_bits_are_exact() {
        let mut terms = Terms::new();
        let mut notes = Notes::default();
        for number in -70..70_i32 {
            for mask in [0, 1, 3, 4, 6, 0x3f, 0x7c, -1, -2, -8, !0xc] {
                for op in [BitOp::And, BitOp::Or, BitOp::Xor] {
                    let x = terms.var("x", &Sort::Int);
                    let constant = terms.int(mask);
                    let made = on_bits(&mut terms, &mut notes, op, x, constant);
                    let assignment = smt::Assignment {
                        variables: [("x".to_owned(), smt::Value::Int(number.into()))].into(),
                        functions: Default::default(),
                    };
                    let expected = match op {
                        BitOp::And => number & mask,
                        BitOp::Or => number | mask,
                        BitOp::Xor => number ^ mask,
                    };
                    let found = terms.evaluate(made, &assignment);
                    assert_eq!(found, Some(smt::Value::Int(expected.into())), "{number} {op:?} {mask}");
                }
            }
        }
        assert!(notes.abstractions.is_empty());
    }
}

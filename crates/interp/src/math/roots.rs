//! Roots and whole powers: exact where the result is a fraction, tightly enclosed elsewhere.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::Enclosure;

/// The bits that enclosures of roots have behind the point, beside those of the argument.
const ROOT_BITS: u64 = 200;

/// Whole powers with more bits are not computed exactly.
const MAX_POWER_BITS: u64 = 4_000;

/// The square root; `None` if the argument is or may be negative.
pub(super) fn square_root(arg: &Enclosure) -> Option<Enclosure> {
    if arg.low().is_negative() {
        return None;
    }
    Some(Enclosure::between(root(arg.low(), 2).0, root(arg.high(), 2).1))
}

pub(super) fn cube_root(arg: &Enclosure) -> Enclosure {
    let signed = |value: &BigRational| {
        let (low, high) = root(&value.abs(), 3);
        if value.is_negative() { (-high, -low) } else { (low, high) }
    };
    Enclosure::between(signed(arg.low()).0, signed(arg.high()).1)
}

/// Fractions below and above the root of a number that is not negative; equal when it is a fraction itself.
fn root(value: &BigRational, degree: u32) -> (BigRational, BigRational) {
    let exact = |whole: &BigInt| Some(whole.nth_root(degree)).filter(|root| root.pow(degree) == *whole);
    if let (Some(numer), Some(denom)) = (exact(value.numer()), exact(value.denom())) {
        let root = BigRational::new(numer, denom);
        return (root.clone(), root);
    }
    // The root of n / d is that of n * d^(degree - 1), over d. Both are scaled to have enough digits.
    let whole = value.numer() * value.denom().pow(degree - 1);
    let scaled: BigInt = whole << (ROOT_BITS * u64::from(degree));
    let below = scaled.nth_root(degree);
    let unit = value.denom() << ROOT_BITS;
    (BigRational::new_raw(below.clone(), unit.clone()), BigRational::new_raw(below + BigInt::one(), unit))
}

/// A whole power; `None` for zero to a negative one, and where the result would have too many digits.
pub(super) fn whole_power(base: &Enclosure, exponent: i64) -> Option<Enclosure> {
    let zero = BigRational::zero();
    if exponent == 0 {
        return Some(Enclosure::exact(BigRational::one()));
    }
    if exponent < 0 {
        let power = whole_power(base, exponent.checked_neg()?)?;
        return Enclosure::exact(BigRational::one()).divide(&power);
    }
    let longest = [base.low(), base.high()].map(|bound| bound.numer().bits() + bound.denom().bits());
    if longest.iter().any(|bits| bits.saturating_mul(exponent as u64) > MAX_POWER_BITS && *bits > 2) {
        return None;
    }
    let exponent_i32 =
        if exponent > i64::from(i32::MAX) { 2 - (exponent % 2) as i32 } else { exponent as i32 };
    let power = |bound: &BigRational| bound.pow(exponent_i32);
    if exponent % 2 == 1 {
        return Some(base.map_rising(power));
    }
    let size = base.abs();
    let low = if base.contains_zero() { zero } else { power(size.low()) };
    Some(Enclosure::between(low, power(size.high())))
}

//! Rounding outwards: to few digits, to floats, and back. Over-approximating.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::enclosure::{Enclosure, order};

/// The bits that bounds keep.
const KEPT_BITS: i64 = 256;

/// Bounds with more bits are rounded.
const ROUNDED_BITS: u64 = 700;

/// An enclosure with short bounds around the given one.
pub(super) fn outward(enclosure: &Enclosure) -> Enclosure {
    let low = if is_long(enclosure.low()) { down(enclosure.low()) } else { enclosure.low().clone() };
    let high = if is_long(enclosure.high()) { up(enclosure.high()) } else { enclosure.high().clone() };
    Enclosure::between(low, high)
}

fn is_long(value: &BigRational) -> bool {
    value.numer().bits() + value.denom().bits() > ROUNDED_BITS
}

fn up(value: &BigRational) -> BigRational {
    -down(&-value)
}

/// A fraction of a power of two with few bits, not above the value.
fn down(value: &BigRational) -> BigRational {
    if value.is_zero() {
        return value.clone();
    }
    let shift = KEPT_BITS - (value.numer().bits() as i64 - value.denom().bits() as i64);
    if shift >= 0 {
        let whole = (value.numer() << shift as u64).div_floor(value.denom());
        // Without the zeros at the end; more common divisors there are not.
        let zeros = whole.trailing_zeros().unwrap_or(0).min(shift as u64);
        return BigRational::new_raw(whole >> zeros, BigInt::one() << (shift as u64 - zeros));
    }
    let unit = BigInt::one() << (-shift) as u64;
    let whole = value.numer().div_floor(&(value.denom() * &unit));
    BigRational::from_integer(whole * unit)
}

/// The closest floats around a number, or nothing if it is beyond them.
pub(super) fn floats_around(value: &BigRational) -> Option<(f64, f64)> {
    let near = value.to_f64().filter(|near| near.is_finite())?;
    let mut low = near;
    while order(&exactly(low)?, value).is_gt() {
        low = low.next_down();
    }
    let mut high = near;
    while order(&exactly(high)?, value).is_lt() {
        high = high.next_up();
    }
    Some((low, high))
}

/// A finite float as a fraction.
pub(super) fn exactly(value: f64) -> Option<BigRational> {
    BigRational::from_float(value)
}

/// How many floats the results of `libm` may be away from the truth. Its functions promise one or two; the rest is
/// our margin.
const ULPS: usize = 8;

/// A fraction below the true result, when `libm` computed this one.
pub(super) fn below(result: f64) -> Option<BigRational> {
    exactly((0..ULPS).fold(result, |value, _| value.next_down()))
}

/// A fraction above the true result.
pub(super) fn above(result: f64) -> Option<BigRational> {
    exactly((0..ULPS).fold(result, |value, _| value.next_up()))
}

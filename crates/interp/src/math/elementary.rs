//! Functions on reals that are not algebraic. Over-approximating: the result lies in the enclosure.
//!
//! The argument is enclosed by floats, the function is computed there by `libm`, and the result is widened by a margin
//! for the errors of `libm`. Between the two floats the functions rise, fall, or have extrema that are looked for.
//! `None` stands for arguments outside the domain, or that may be outside, and for results beyond what can be enclosed.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::rounding::{above, below, floats_around};
use crate::enclosure::{Enclosure, larger, order, smaller};

/// A function that never falls where it is defined, and the value it takes at one exact point.
pub(super) struct Rising {
    pub(super) compute: fn(f64) -> f64,
    /// A point and the exact value there.
    pub(super) point: (i64, i64),
    /// Bounds of the domain; those with `true` belong to it.
    pub(super) from: Option<(i64, bool)>,
    pub(super) to: Option<(i64, bool)>,
}

impl Rising {
    pub(super) const fn everywhere(compute: fn(f64) -> f64, point: (i64, i64)) -> Rising {
        Rising { compute, point, from: None, to: None }
    }

    pub(super) const fn above(compute: fn(f64) -> f64, point: (i64, i64), from: i64) -> Rising {
        Rising { compute, point, from: Some((from, false)), to: None }
    }

    pub(super) fn apply(&self, arg: &Enclosure) -> Option<Enclosure> {
        let (point, value) = self.point;
        if *arg == Enclosure::exact(integer(point)) {
            return Some(Enclosure::exact(integer(value)));
        }
        let outside_low = |(bound, inside): (i64, bool)| {
            let side = order(arg.low(), &integer(bound));
            side.is_lt() || (!inside && side.is_eq())
        };
        let outside_high = |(bound, inside): (i64, bool)| {
            let side = order(arg.high(), &integer(bound));
            side.is_gt() || (!inside && side.is_eq())
        };
        if self.from.is_some_and(outside_low) || self.to.is_some_and(outside_high) {
            return None;
        }
        let (low, high) = floats(arg)?;
        // Rounding the argument must not leave the domain: its bounds are floats, so that it cannot.
        Some(Enclosure::between(below((self.compute)(low))?, above((self.compute)(high))?))
    }
}

/// The sine of `x + turns * π / 2`: the sine itself for 0, the cosine for 1.
pub(super) fn sine(arg: &Enclosure, turns: i64) -> Option<Enclosure> {
    if arg.is_exact() && arg.low().is_zero() {
        return Some(Enclosure::exact(integer(turns)));
    }
    let (low, high) = floats(arg)?;
    let everything = Enclosure::between(integer(-1), integer(1));
    // Beyond this the float division below no longer tells the extrema apart.
    if low.abs().max(high.abs()) > 1e9 || high - low > 6.0 {
        return Some(everything);
    }
    let compute = if turns == 0 { libm::sin } else { libm::cos };
    let (first, second) = (compute(low), compute(high));
    let mut bottom = larger(below(first.min(second))?, integer(-1));
    let mut top = smaller(above(first.max(second))?, integer(1));
    for extremum in extrema(low, high, if turns == 0 { 0.5 } else { 0.0 }) {
        if extremum.rem_euclid(2) == 0 { top = integer(1) } else { bottom = integer(-1) }
    }
    Some(Enclosure::between(bottom, top))
}

pub(super) fn tangent(arg: &Enclosure) -> Option<Enclosure> {
    if arg.is_exact() && arg.low().is_zero() {
        return Some(arg.clone());
    }
    let (low, high) = floats(arg)?;
    if low.abs().max(high.abs()) > 1e9 || high - low > 3.0 || extrema(low, high, 0.5).next().is_some() {
        return None;
    }
    Some(Enclosure::between(below(libm::tan(low))?, above(libm::tan(high))?))
}

/// The whole numbers `k` for which `(k + offset) * π` may lie between the bounds.
fn extrema(low: f64, high: f64, offset: f64) -> impl Iterator<Item = i64> {
    use std::f64::consts::PI;
    // The relative error of the division is far below this.
    let slack = 1e-12 * (1.0 + low.abs().max(high.abs()));
    let first = (low / PI - offset - slack).ceil() as i64;
    let last = (high / PI - offset + slack).floor() as i64;
    first..=last
}

pub(super) fn hyperbolic_cosine(arg: &Enclosure) -> Option<Enclosure> {
    let (low, high) = floats(&arg.abs())?;
    let bottom = larger(below(libm::cosh(low))?, BigRational::one());
    let top = if high == 0.0 { BigRational::one() } else { above(libm::cosh(high))? };
    Some(Enclosure::between(smaller(bottom, top.clone()), top))
}

pub(super) fn arc_cosine(arg: &Enclosure) -> Option<Enclosure> {
    if *arg == Enclosure::exact(integer(1)) {
        return Some(Enclosure::exact(integer(0)));
    }
    if order(arg.low(), &integer(-1)).is_lt() || order(arg.high(), &integer(1)).is_gt() {
        return None;
    }
    let (low, high) = floats(arg)?;
    let bottom = larger(below(libm::acos(high))?, BigRational::zero());
    Some(Enclosure::between(bottom, above(libm::acos(low))?))
}

/// The angle of a point, if the point may neither be the origin nor lie on both sides of the cut.
pub(super) fn angle(y: &Enclosure, x: &Enclosure) -> Option<Enclosure> {
    let zero = BigRational::zero();
    if y.is_exact() && y.low().is_zero() && x.low().is_positive() {
        return Some(Enclosure::exact(zero));
    }
    // On the cut itself the angle is π; the edges of the box are monotone, so that its corners have the extremes.
    let above_the_cut = !y.low().is_negative() || y.high().is_negative() || x.low().is_positive();
    if !above_the_cut || (x.contains_zero() && y.contains_zero()) {
        return None;
    }
    let ((y_low, y_high), (x_low, x_high)) = (floats(y)?, floats(x)?);
    if y.high().is_negative() && y_high == 0.0 {
        return None;
    }
    let corners = [(y_low, x_low), (y_low, x_high), (y_high, x_low), (y_high, x_high)];
    corners_of(corners.map(|(y, x)| libm::atan2(y + 0.0, x)))
}

/// A power of a base that is positive.
pub(super) fn power(base: &Enclosure, exponent: &Enclosure) -> Option<Enclosure> {
    if !base.low().is_positive() {
        return None;
    }
    let ((base_low, base_high), (low, high)) = (floats(base)?, floats(exponent)?);
    if base_low <= 0.0 {
        return None;
    }
    // Rises or falls in each argument along the edges of the box, so that its corners have the extremes.
    let corners = [(base_low, low), (base_low, high), (base_high, low), (base_high, high)];
    let enclosure = corners_of(corners.map(|(base, exponent)| libm::pow(base, exponent)))?;
    let bottom = larger(enclosure.low().clone(), BigRational::zero());
    Some(Enclosure::between(bottom, enclosure.high().clone()))
}

fn corners_of(corners: [f64; 4]) -> Option<Enclosure> {
    if corners.iter().any(|corner| corner.is_nan()) {
        return None;
    }
    let low = corners.into_iter().fold(f64::INFINITY, f64::min);
    let high = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
    Some(Enclosure::between(below(low)?, above(high)?))
}

/// Floats around an enclosure.
fn floats(arg: &Enclosure) -> Option<(f64, f64)> {
    Some((floats_around(arg.low())?.0, floats_around(arg.high())?.1))
}

fn integer(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

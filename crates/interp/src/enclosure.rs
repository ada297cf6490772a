//! A real number, exactly or between two bounds. Over-approximating: the number lies between the bounds.
//!
//! Bounds are fractions that need not be in lowest terms: finding common divisors would cost more than all the rest.

use std::cmp::Ordering;
use std::fmt;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Enclosure {
    low: BigRational,
    high: BigRational,
}

impl Enclosure {
    /// A number that is known exactly.
    pub fn exact(value: BigRational) -> Enclosure {
        Enclosure { low: value.clone(), high: value }
    }

    /// A number between two bounds, which it may be equal to.
    pub fn between(low: BigRational, high: BigRational) -> Enclosure {
        assert!(order(&low, &high).is_le(), "the bounds of an enclosure should be in order");
        Enclosure { low, high }
    }

    pub fn low(&self) -> &BigRational {
        &self.low
    }

    pub fn high(&self) -> &BigRational {
        &self.high
    }

    pub fn is_exact(&self) -> bool {
        order(&self.low, &self.high).is_eq()
    }

    pub fn contains(&self, value: &BigRational) -> bool {
        order(&self.low, value).is_le() && order(value, &self.high).is_le()
    }

    /// Whether all of this lies below all of the other.
    pub fn is_below(&self, other: &Enclosure) -> bool {
        order(&self.high, &other.low).is_lt()
    }

    /// Whether both may be the same number.
    pub fn overlaps(&self, other: &Enclosure) -> bool {
        !self.is_below(other) && !other.is_below(self)
    }

    pub(crate) fn contains_zero(&self) -> bool {
        !self.low.is_positive() && !self.high.is_negative()
    }

    pub(crate) fn negate(&self) -> Enclosure {
        Enclosure { low: -&self.high, high: -&self.low }
    }

    pub(crate) fn add(&self, other: &Enclosure) -> Enclosure {
        Enclosure { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    pub(crate) fn multiply(&self, other: &Enclosure) -> Enclosure {
        Enclosure::around([
            product(&self.low, &other.low),
            product(&self.low, &other.high),
            product(&self.high, &other.low),
            product(&self.high, &other.high),
        ])
    }

    /// The quotient, unless the divisor may be zero.
    pub(crate) fn divide(&self, other: &Enclosure) -> Option<Enclosure> {
        if other.contains_zero() {
            return None;
        }
        let inverse = Enclosure { low: other.high.recip(), high: other.low.recip() };
        Some(self.multiply(&inverse))
    }

    pub(crate) fn abs(&self) -> Enclosure {
        if !self.low.is_negative() {
            return self.clone();
        }
        let negated = self.negate();
        if !self.high.is_positive() {
            return negated;
        }
        Enclosure { low: BigRational::zero(), high: larger(self.high.clone(), negated.high) }
    }

    /// The image under a function that never falls.
    pub(crate) fn map_rising(&self, function: impl Fn(&BigRational) -> BigRational) -> Enclosure {
        Enclosure { low: function(&self.low), high: function(&self.high) }
    }

    /// The smallest enclosure of some numbers.
    fn around<const N: usize>(values: [BigRational; N]) -> Enclosure {
        let low =
            values.iter().min_by(|a, b| order(a, b)).expect("there should be numbers to enclose").clone();
        let high =
            values.iter().max_by(|a, b| order(a, b)).expect("there should be numbers to enclose").clone();
        Enclosure { low, high }
    }
}

/// Compares fractions by one product each; the library's own comparison divides again and again.
pub(crate) fn order(a: &BigRational, b: &BigRational) -> Ordering {
    if a.numer().sign() != b.numer().sign() {
        return a.numer().sign().cmp(&b.numer().sign());
    }
    if a.denom() == b.denom() {
        return a.numer().cmp(b.numer());
    }
    (a.numer() * b.denom()).cmp(&(b.numer() * a.denom()))
}

pub(crate) fn larger(a: BigRational, b: BigRational) -> BigRational {
    if order(&a, &b).is_ge() { a } else { b }
}

pub(crate) fn smaller(a: BigRational, b: BigRational) -> BigRational {
    if order(&a, &b).is_le() { a } else { b }
}

fn sum(a: &BigRational, b: &BigRational) -> BigRational {
    if a.denom() == b.denom() {
        return BigRational::new_raw(a.numer() + b.numer(), a.denom().clone());
    }
    BigRational::new_raw(a.numer() * b.denom() + b.numer() * a.denom(), a.denom() * b.denom())
}

fn product(a: &BigRational, b: &BigRational) -> BigRational {
    BigRational::new_raw(a.numer() * b.numer(), a.denom() * b.denom())
}

impl fmt::Display for Enclosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() { write!(f, "{}", self.low) } else { write!(f, "[{}, {}]", self.low, self.high) }
    }
}

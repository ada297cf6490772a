//! A real number, exactly or between two bounds. Over-approximating: the number lies between the bounds.

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
        assert!(low <= high, "the bounds of an enclosure should be in order");
        Enclosure { low, high }
    }

    pub fn low(&self) -> &BigRational {
        &self.low
    }

    pub fn high(&self) -> &BigRational {
        &self.high
    }

    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }

    pub fn contains(&self, value: &BigRational) -> bool {
        self.low <= *value && *value <= self.high
    }

    /// Whether both may be the same number.
    pub fn overlaps(&self, other: &Enclosure) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    pub(super) fn negate(&self) -> Enclosure {
        Enclosure { low: -&self.high, high: -&self.low }
    }

    pub(super) fn add(&self, other: &Enclosure) -> Enclosure {
        Enclosure { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    pub(super) fn multiply(&self, other: &Enclosure) -> Enclosure {
        Enclosure::around([
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ])
    }

    /// The quotient, unless the divisor may be zero.
    pub(super) fn divide(&self, other: &Enclosure) -> Option<Enclosure> {
        if other.contains(&BigRational::zero()) {
            return None;
        }
        let inverse = Enclosure { low: other.high.recip(), high: other.low.recip() };
        Some(self.multiply(&inverse))
    }

    pub(super) fn abs(&self) -> Enclosure {
        if !self.low.is_negative() {
            return self.clone();
        }
        if !self.high.is_positive() {
            return self.negate();
        }
        Enclosure { low: BigRational::zero(), high: self.high.clone().max(-&self.low) }
    }

    /// The image under a function that never falls.
    pub(super) fn map_rising(&self, function: impl Fn(&BigRational) -> BigRational) -> Enclosure {
        Enclosure { low: function(&self.low), high: function(&self.high) }
    }

    /// The smallest enclosure of some numbers.
    pub(super) fn around<const N: usize>(values: [BigRational; N]) -> Enclosure {
        let low = values.iter().min().expect("there should be numbers to enclose").clone();
        let high = values.iter().max().expect("there should be numbers to enclose").clone();
        Enclosure { low, high }
    }
}

impl fmt::Display for Enclosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() { write!(f, "{}", self.low) } else { write!(f, "[{}, {}]", self.low, self.high) }
    }
}

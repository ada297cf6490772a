//! A real number, exactly or between two bounds. Over-approximating: the number lies between the bounds.

use std::fmt;

use num_rational::BigRational;

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
}

impl fmt::Display for Enclosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() { write!(f, "{}", self.low) } else { write!(f, "[{}, {}]", self.low, self.high) }
    }
}

//! The numbers of `math` runs, each in one representation, so that exact ones are equal when their slots are.

use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::rounding;
use crate::halt::{Halt, undecided};
use crate::{Enclosure, Ending};

/// A number, or the number of a text, map or object, or 0 or 1 for a boolean.
/// Real numbers that are integers are held as integers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Num {
    Int(i64),
    /// An integer beyond i64.
    Big(Arc<BigInt>),
    /// A fraction that is not an integer.
    Ratio(Arc<BigRational>),
    /// A real number between two bounds: not exact, or with too many digits to go on exactly.
    Between(Arc<Enclosure>),
    /// No meaning, or one that cannot be told; of any type.
    Undefined,
}

/// Integers of more bits end the run: they would make it too slow.
const MAX_INTEGER_BITS: u64 = 16_384;

/// Fractions of more bits become enclosures.
const MAX_RATIO_BITS: u64 = 2_000;

/// Bounds of more bits, even if most are zero, are given up.
const MAX_BOUND_BITS: u64 = 32_768;

impl Num {
    pub(super) fn bool(value: bool) -> Num {
        Num::Int(value.into())
    }

    pub(super) fn integer(value: BigInt) -> Result<Num, Halt> {
        match value.to_i64() {
            Some(small) => Ok(Num::Int(small)),
            None if value.bits() > MAX_INTEGER_BITS => Err(Box::new(Ending::OutOfMemory)),
            None => Ok(Num::Big(Arc::new(value))),
        }
    }

    /// A real number; one with too many digits becomes an enclosure.
    pub(super) fn rational(value: BigRational) -> Num {
        if value.numer().bits() + value.denom().bits() > MAX_RATIO_BITS {
            return Num::rounded(&Enclosure::exact(value));
        }
        if !value.is_integer() {
            return Num::Ratio(Arc::new(value));
        }
        match value.numer().to_i64() {
            Some(small) => Num::Int(small),
            None => Num::Big(Arc::new(value.to_integer())),
        }
    }

    pub(super) fn enclosed(value: Enclosure) -> Num {
        if value.is_exact() {
            // The bounds of an enclosure need not be in lowest terms.
            Num::rational(value.low().reduced())
        } else {
            Num::rounded(&value)
        }
    }

    fn rounded(value: &Enclosure) -> Num {
        let bounds = [value.low(), value.high()];
        let is_too_long =
            |bound: &&BigRational| bound.numer().bits().max(bound.denom().bits()) > MAX_BOUND_BITS;
        if bounds.iter().any(is_too_long) {
            return Num::Undefined;
        }
        Num::Between(Arc::new(rounding::outward(value)))
    }

    /// The real number that this is, unless it is undefined.
    pub(super) fn real(&self) -> Option<Enclosure> {
        match self {
            Num::Between(enclosure) => Some((**enclosure).clone()),
            Num::Int(_) | Num::Big(_) | Num::Ratio(_) => self.exact_real().map(Enclosure::exact),
            Num::Undefined => None,
        }
    }

    /// The real number that this is, if it is known exactly.
    pub(super) fn exact_real(&self) -> Option<BigRational> {
        match self {
            Num::Int(value) => Some(BigRational::from_integer((*value).into())),
            Num::Big(value) => Some(BigRational::from_integer((**value).clone())),
            Num::Ratio(value) => Some((**value).clone()),
            Num::Between(_) | Num::Undefined => None,
        }
    }

    /// How many steps the computation of this number counts beside its own: about its time.
    pub(super) fn extra_steps(&self) -> u64 {
        match self {
            Num::Int(_) | Num::Undefined => 0,
            Num::Big(value) => value.bits() * value.bits() / 40_000,
            Num::Ratio(value) => {
                let bits = value.numer().bits() + value.denom().bits();
                20 + bits * bits / 2_000
            }
            Num::Between(_) => 300,
        }
    }

    /// The integer that this is. Slots of integer types are never enclosures.
    pub(super) fn to_integer(&self) -> Result<BigInt, Halt> {
        match self {
            Num::Int(value) => Ok((*value).into()),
            Num::Big(value) => Ok((**value).clone()),
            Num::Ratio(_) | Num::Between(_) | Num::Undefined => Err(undecided("an integer is not known")),
        }
    }
}

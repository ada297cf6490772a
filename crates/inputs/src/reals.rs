//! Real numbers as inputs: the decimals that floats are written as.

use interp::{Enclosure, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, ToPrimitive};

/// The real number that a finite float is written as: `0.1` is one tenth. Zero for infinities and NaN.
pub(crate) fn real(value: f64) -> Value {
    Value::Real(Enclosure::exact(decimal(value)))
}

/// A float near a real input.
pub(crate) fn approximate(value: &Value) -> Option<f64> {
    match value {
        Value::Real(enclosure) => enclosure.low().to_f64().filter(|float| float.is_finite()),
        _ => None,
    }
}

fn decimal(value: f64) -> BigRational {
    if !value.is_finite() {
        return BigRational::from_integer(BigInt::from(0));
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').expect("this format should have an exponent");
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i64);
    let digits: BigInt = digits.replace('.', "").parse().expect("digits should read as a number");
    let exponent: i64 = exponent.parse().expect("an exponent should read as a number");
    let power = exponent - fraction;
    let scale = Pow::pow(BigInt::from(10), power.unsigned_abs());
    if power >= 0 { BigRational::from_integer(digits * scale) } else { BigRational::new(digits, scale) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_stands_for_its_shortest_decimal() {
        assert_eq!(decimal(0.1), BigRational::new(1.into(), 10.into()));
        assert_eq!(decimal(-2.5e3), BigRational::from_integer((-2500).into()));
        assert_eq!(decimal(0.0), BigRational::from_integer(0.into()));
    }

    #[test]
    fn approximations_lead_back() {
        assert_eq!(approximate(&real(0.3)), Some(0.3));
    }
}

//! Floats and decimal texts as fractions: a float stands for its shortest decimal, so that `0.1` is one tenth.

use ir::FloatType;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Pow;

use crate::text::parse::{FloatText, Magnitude, exponent_value};

/// Decimal exponents beyond this are not worth the digits.
const MAX_EXPONENT: i64 = 5_000;

/// The shortest decimal that reads back as these bits; infinities and NaN have none.
pub(crate) fn of_bits(ty: FloatType, bits: u64) -> Option<BigRational> {
    let text = match ty {
        FloatType::F32 => {
            Some(f32::from_bits(bits as u32)).filter(|value| value.is_finite()).map(|v| format!("{v:e}"))
        }
        FloatType::F64 => {
            Some(f64::from_bits(bits)).filter(|value| value.is_finite()).map(|v| format!("{v:e}"))
        }
    };
    let text = text?;
    match text.strip_prefix('-') {
        Some(magnitude) => of_decimal(magnitude).map(|value| -value),
        None => of_decimal(&text),
    }
}

/// The exact number that a text of a float stands for.
pub(super) fn of_text(text: &FloatText) -> Option<BigRational> {
    let magnitude = match &text.magnitude {
        Magnitude::Nan | Magnitude::Infinity => return None,
        Magnitude::Decimal(decimal) => of_decimal(decimal)?,
        Magnitude::Binary(mantissa, exponent) if exponent.abs() <= MAX_EXPONENT => {
            scaled(BigInt::from(mantissa.clone()), 2, *exponent)
        }
        Magnitude::Binary(..) => return None,
    };
    Some(if text.negative { -magnitude } else { magnitude })
}

/// Digits with an optional point and an optional exponent.
fn of_decimal(text: &str) -> Option<BigRational> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let exponent = exponent_value(exponent)?.checked_sub(fraction.len() as i64)?;
    (exponent.abs() <= MAX_EXPONENT).then(|| scaled(digits, 10, exponent))
}

fn scaled(value: BigInt, base: u32, exponent: i64) -> BigRational {
    let power = BigInt::from(base).pow(exponent.unsigned_abs());
    if exponent < 0 { BigRational::new(value, power) } else { BigRational::from_integer(value * power) }
}

//! Numbers read from texts, as Java's `parseInt` and `parseDouble` demand them.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive, Zero};

/// The integer that a decimal text stands for: a sign, which unsigned types take only as `+`, and digits.
/// Java takes the digits of all scripts.
pub(crate) fn integer(text: &[u16], signed: bool) -> Option<BigInt> {
    let (sign, digits) = match text {
        [first, rest @ ..] if *first == u16::from(b'-') && signed => (Sign::Minus, rest),
        [first, rest @ ..] if *first == u16::from(b'+') => (Sign::Plus, rest),
        _ => (Sign::Plus, text),
    };
    if digits.is_empty() {
        return None;
    }
    let digits: Option<Vec<u8>> = digits.iter().map(|unit| digit(*unit)).collect();
    Some(BigInt::from_biguint(sign, BigUint::from_radix_be(&digits?, 10)?))
}

/// The zeros of the scripts in the basic plane; nine more digits follow each.
const ZEROS: [u16; 37] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50,
    0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

fn digit(unit: u16) -> Option<u8> {
    let zero = ZEROS.iter().rev().find(|zero| **zero <= unit)?;
    u8::try_from(unit - zero).ok().filter(|digit| *digit < 10)
}

/// A float that a text stands for, not yet rounded.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FloatText {
    pub(crate) negative: bool,
    pub(crate) magnitude: Magnitude,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Magnitude {
    Nan,
    Infinity,
    /// Digits with an optional point and an optional exponent, as Rust reads them.
    Decimal(String),
    /// A mantissa and the power of two it is multiplied with.
    Binary(BigUint, i64),
}

/// What Java's `parseDouble` takes: white space around, a sign, `NaN`, `Infinity`, decimal or hexadecimal digits with
/// an exponent, and a suffix.
pub(crate) fn float(text: &[u16]) -> Option<FloatText> {
    let text: String = char::decode_utf16(text.iter().copied()).collect::<Result<_, _>>().ok()?;
    let text = text.trim_matches(|c| c <= ' ');
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match text {
        "NaN" => Magnitude::Nan,
        "Infinity" => Magnitude::Infinity,
        _ => {
            let digits = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
            match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
                Some(hex) => hexadecimal(hex)?,
                None => decimal(digits)?,
            }
        }
    };
    Some(FloatText { negative, magnitude })
}

fn decimal(text: &str) -> Option<Magnitude> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !digits(whole) || !digits(fraction) {
        return None;
    }
    if let Some(exponent) = exponent {
        exponent_value(exponent)?;
    }
    Some(Magnitude::Decimal(text.to_owned()))
}

fn hexadecimal(text: &str) -> Option<Magnitude> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mantissa = BigUint::parse_bytes(digits.as_bytes(), 16)?;
    let exponent = exponent_value(exponent)?.saturating_sub(4 * fraction.len() as i64);
    Some(Magnitude::Binary(mantissa, exponent))
}

/// An exponent with its sign; those beyond i64 stop at its ends.
pub(crate) fn exponent_value(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value = digits.parse().unwrap_or(i64::MAX / 2);
    Some(if negative { -value } else { value })
}

impl FloatText {
    pub(crate) fn to_f64(&self) -> f64 {
        let magnitude = match &self.magnitude {
            Magnitude::Nan => f64::NAN,
            Magnitude::Infinity => f64::INFINITY,
            Magnitude::Decimal(text) => text.parse().unwrap_or(f64::NAN),
            Magnitude::Binary(mantissa, exponent) => {
                let (mantissa, exponent) = rounded(mantissa, *exponent, 53, -1074);
                libm::ldexp(mantissa as f64, exponent)
            }
        };
        if self.negative { -magnitude } else { magnitude }
    }

    pub(crate) fn to_f32(&self) -> f32 {
        let magnitude = match &self.magnitude {
            Magnitude::Nan => f32::NAN,
            Magnitude::Infinity => f32::INFINITY,
            Magnitude::Decimal(text) => text.parse().unwrap_or(f32::NAN),
            Magnitude::Binary(mantissa, exponent) => {
                let (mantissa, exponent) = rounded(mantissa, *exponent, 24, -149);
                libm::ldexpf(mantissa as f32, exponent)
            }
        };
        if self.negative { -magnitude } else { magnitude }
    }
}

/// The mantissa rounded half to even, to a number of bits and not below a smallest exponent.
fn rounded(mantissa: &BigUint, exponent: i64, bits: i64, smallest: i64) -> (u64, i32) {
    let top = exponent.saturating_add(mantissa.bits() as i64);
    if mantissa.is_zero() || top < smallest {
        return (0, 0);
    }
    if top > 2_000 {
        return (1, 2_000);
    }
    let unit = (top - bits).max(smallest);
    let drop = unit - exponent;
    if drop <= 0 {
        return ((mantissa << (-drop) as u64).to_u64().unwrap_or(u64::MAX), unit as i32);
    }
    let kept = mantissa >> drop as u64;
    let rest = mantissa - (&kept << drop as u64);
    let half = BigUint::from(1_u8) << (drop - 1) as u64;
    let up = rest > half || (rest == half && kept.bit(0));
    (kept.to_u64().unwrap_or(u64::MAX) + u64::from(up), unit as i32)
}

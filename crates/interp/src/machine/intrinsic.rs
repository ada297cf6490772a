//! The library functions on machine numbers.
//!
//! Functions that are not algebraic come from `libm`, so that they give the same bits on every machine. Real runtimes
//! may differ from them in the last place.

use ir::{FloatType, IntType, Intrinsic, Language};

use super::float::{f32_of_bits, f64_of_bits, widen};
use super::int;
use crate::halt::{Halt, broken};
use crate::text::{c_float, java_float, parse, slices};
use crate::texts::Texts;
use crate::value::{bits_of_f32, bits_of_f64};

pub(super) fn intrinsic(
    function: Intrinsic,
    args: &[u64],
    texts: &mut Texts,
    language: Language,
) -> Result<u64, Halt> {
    use Intrinsic as I;
    /// Calls the f64 or the f32 function on the arguments.
    macro_rules! floats {
        ($ty:expr, $double:expr, $single:expr, $($index:literal),+) => {
            match $ty {
                FloatType::F64 => bits_of_f64($double($(f64_of_bits(args[$index])),+)),
                FloatType::F32 => bits_of_f32($single($(f32_of_bits(args[$index])),+)).into(),
            }
        };
    }
    Ok(match function {
        // Only known up to the last digits: `rounding` says so.
        I::Strict(strict) => return intrinsic(strict.function(), args, texts, language),
        I::Sqrt(ty) => floats!(ty, f64::sqrt, f32::sqrt, 0),
        I::Cbrt(ty) => floats!(ty, libm::cbrt, libm::cbrtf, 0),
        I::Sin(ty) => floats!(ty, libm::sin, libm::sinf, 0),
        I::Cos(ty) => floats!(ty, libm::cos, libm::cosf, 0),
        I::Tan(ty) => floats!(ty, libm::tan, libm::tanf, 0),
        I::Asin(ty) => floats!(ty, libm::asin, libm::asinf, 0),
        I::Acos(ty) => floats!(ty, libm::acos, libm::acosf, 0),
        I::Atan(ty) => floats!(ty, libm::atan, libm::atanf, 0),
        I::Sinh(ty) => floats!(ty, libm::sinh, libm::sinhf, 0),
        I::Cosh(ty) => floats!(ty, libm::cosh, libm::coshf, 0),
        I::Tanh(ty) => floats!(ty, libm::tanh, libm::tanhf, 0),
        I::Exp(ty) => floats!(ty, libm::exp, libm::expf, 0),
        I::Expm1(ty) => floats!(ty, libm::expm1, libm::expm1f, 0),
        I::Log(ty) => floats!(ty, libm::log, libm::logf, 0),
        I::Log10(ty) => floats!(ty, libm::log10, libm::log10f, 0),
        I::Log1p(ty) => floats!(ty, libm::log1p, libm::log1pf, 0),
        I::Log2(ty) => floats!(ty, libm::log2, libm::log2f, 0),
        I::Floor(ty) => floats!(ty, f64::floor, f32::floor, 0),
        I::Ceil(ty) => floats!(ty, f64::ceil, f32::ceil, 0),
        I::Trunc(ty) => floats!(ty, f64::trunc, f32::trunc, 0),
        I::Rint(ty) => floats!(ty, f64::round_ties_even, f32::round_ties_even, 0),
        I::Round(ty) => floats!(ty, f64::round, f32::round, 0),
        I::Abs(ty) => floats!(ty, f64::abs, f32::abs, 0),
        I::Pow(ty) => match (ty, language) {
            (FloatType::F64, Language::Java) => {
                bits_of_f64(java_pow(f64_of_bits(args[0]), f64_of_bits(args[1])))
            }
            (FloatType::F32 | FloatType::F64, _) => floats!(ty, libm::pow, libm::powf, 0, 1),
        },
        I::Atan2(ty) => floats!(ty, libm::atan2, libm::atan2f, 0, 1),
        I::Hypot(ty) => floats!(ty, libm::hypot, libm::hypotf, 0, 1),
        I::CopySign(ty) => floats!(ty, f64::copysign, f32::copysign, 0, 1),
        I::IsNan(ty) => widen(ty, args[0]).is_nan().into(),
        I::IsInfinite(ty) => widen(ty, args[0]).is_infinite().into(),
        // Slots hold the bits already; as an integer they are sign-extended.
        I::ToBits(FloatType::F32) => int::wrap(IntType::I32, args[0]),
        I::ToBits(FloatType::F64) => args[0],
        I::FromBits(ty) => floats!(ty, std::convert::identity, std::convert::identity, 0),
        I::CountOnes(ty) => int::wrap(ty.to_unsigned(), args[0]).count_ones().into(),
        I::LeadingZeros(ty) => {
            u64::from(int::wrap(ty.to_unsigned(), args[0]).leading_zeros()) - (64 - u64::from(ty.width))
        }
        I::TrailingZeros(ty) => args[0].trailing_zeros().min(ty.width.into()).into(),
        I::TextLength => texts.get(args[0] as u32)?.len() as u64,
        I::TextAt => slices::at(texts, args[0] as u32, args[1] as i64)?.into(),
        I::TextConcat => slices::concat(texts, args[0] as u32, args[1] as u32)?.into(),
        I::TextSlice => slices::slice(texts, args[0] as u32, args[1] as i64, args[2] as i64)?.into(),
        I::TextOfInt(ty) => add(texts, &int::value(ty, args[0]).to_string())?,
        I::TextOfBool => add(texts, if args[0] != 0 { "true" } else { "false" })?,
        I::TextOfChar => texts.add(&[args[0] as u16])?.into(),
        I::TextOfFloat(FloatType::F64) => add(texts, &java_float::double_to_string(f64_of_bits(args[0])))?,
        I::TextOfFloat(FloatType::F32) => add(texts, &java_float::float_to_string(f32_of_bits(args[0])))?,
        I::TextFixed(ty) => formatted(texts, c_float::fixed, ty, args)?,
        I::TextExponent(ty) => formatted(texts, c_float::exponent, ty, args)?,
        I::TextGeneral(ty) => formatted(texts, c_float::general, ty, args)?,
        I::TextHex(ty) => add(texts, &format!("{:x}", int::wrap(ty.to_unsigned(), args[0])))?,
        I::TextOctal(ty) => add(texts, &format!("{:o}", int::wrap(ty.to_unsigned(), args[0])))?,
        I::ParsesAsInt(ty) => parsed_int(texts, args[0], ty)?.is_some().into(),
        I::ParseInt(ty) => {
            let value = parsed_int(texts, args[0], ty)?;
            value.ok_or_else(|| broken("a text that is not an integer is read as one"))? as u64
        }
        I::ParsesAsFloat(_) => (args[0] != 0 && parse::float(texts.get(args[0] as u32)?).is_some()).into(),
        I::Before | I::Given => return Err(broken("the order of objects is asked of numbers")),
        I::AnyOfSign | I::AnyNonzero | I::UnwrittenInt(_) | I::UnwrittenFloat(_) => args[0],
        I::UnwrittenRef | I::UnwrittenOffset => args[0],
        I::ParseFloat(ty) => {
            let literal = parse::float(texts.get(args[0] as u32)?);
            let literal = literal.ok_or_else(|| broken("a text that is not a float is read as one"))?;
            match ty {
                FloatType::F32 => bits_of_f32(literal.to_f32()).into(),
                FloatType::F64 => bits_of_f64(literal.to_f64()),
            }
        }
    })
}

/// Whether a function shows the sign or the digits of a NaN.
pub(super) fn shows_nan(function: Intrinsic, args: &[u64]) -> bool {
    use Intrinsic as I;
    if let I::ToBits(ty) | I::TextFixed(ty) | I::TextExponent(ty) | I::TextGeneral(ty) = function {
        return widen(ty, args[0]).is_nan();
    }
    matches!(function, I::CopySign(ty) if widen(ty, args[1]).is_nan())
}

/// Java says NaN where C and IEEE say 1: whenever the exponent is NaN, and for powers of ±1 with infinite exponents.
fn java_pow(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite()) {
        return f64::NAN;
    }
    libm::pow(base, exponent)
}

fn add(texts: &mut Texts, text: &str) -> Result<u64, Halt> {
    let units: Vec<u16> = text.encode_utf16().collect();
    Ok(texts.add(&units)?.into())
}

/// A float in one of C's forms; a negative precision counts as absent, which is 6.
fn formatted(
    texts: &mut Texts,
    format: fn(f64, usize) -> String,
    ty: FloatType,
    args: &[u64],
) -> Result<u64, Halt> {
    let precision = usize::try_from(args[1] as i64).unwrap_or(6);
    texts.check_room(precision.saturating_add(400))?;
    add(texts, &format(widen(ty, args[0]), precision))
}

/// The integer of the type that a text reads as; the null text reads as none.
fn parsed_int(texts: &Texts, text: u64, ty: IntType) -> Result<Option<i128>, Halt> {
    if text == 0 {
        return Ok(None);
    }
    let value = parse::integer(texts.get(text as u32)?, ty.signed);
    Ok(value.and_then(|value| i128::try_from(value).ok()).filter(|value| ty.contains(*value)))
}

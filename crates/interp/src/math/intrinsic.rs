//! The library functions on `math` numbers. Over-approximating by enclosures; what has no meaning is undefined.

use ir::{IntType, Intrinsic};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use super::elementary::{self, Rising};
use super::number::Num;
use super::{decimal, roots};
use crate::Enclosure;
use crate::domain::Domain;
use crate::halt::{Halt, broken};
use crate::text::{parse, slices};
use crate::texts::Texts;

type Math = super::Math;

pub(super) fn intrinsic(function: Intrinsic, args: &[Num], texts: &mut Texts) -> Result<Num, Halt> {
    use Intrinsic as I;
    let count = function.signature().params.len();
    if args[..count].contains(&Num::Undefined) {
        return Ok(Num::Undefined);
    }
    Ok(match function {
        I::Strict(strict) => return intrinsic(strict.function(), args, texts),
        I::Sqrt(_) => unary(args, roots::square_root),
        I::Cbrt(_) => unary(args, |arg| Some(roots::cube_root(arg))),
        I::Sin(_) => unary(args, |arg| elementary::sine(arg, 0)),
        I::Cos(_) => unary(args, |arg| elementary::sine(arg, 1)),
        I::Tan(_) => unary(args, elementary::tangent),
        I::Asin(_) => unary(args, |arg| ARC_SINE.apply(arg)),
        I::Acos(_) => unary(args, elementary::arc_cosine),
        I::Atan(_) => rising(args, Rising::everywhere(libm::atan, (0, 0))),
        I::Sinh(_) => rising(args, Rising::everywhere(libm::sinh, (0, 0))),
        I::Cosh(_) => unary(args, elementary::hyperbolic_cosine),
        I::Tanh(_) => rising(args, Rising::everywhere(libm::tanh, (0, 0))),
        I::Exp(_) => rising(args, Rising::everywhere(libm::exp, (0, 1))),
        I::Expm1(_) => rising(args, Rising::everywhere(libm::expm1, (0, 0))),
        I::Log(_) => rising(args, Rising::above(libm::log, (1, 0), 0)),
        I::Log1p(_) => rising(args, Rising::above(libm::log1p, (0, 0), -1)),
        I::Log10(_) => logarithm(args, 10, libm::log10),
        I::Log2(_) => logarithm(args, 2, libm::log2),
        I::Floor(_) => rounded(args, BigRational::floor),
        I::Ceil(_) => rounded(args, BigRational::ceil),
        I::Trunc(_) => rounded(args, BigRational::trunc),
        I::Rint(_) => rounded(args, ties_to_even),
        I::Round(_) => rounded(args, BigRational::round),
        I::Abs(_) => unary(args, |arg| Some(arg.abs())),
        I::Pow(_) => power(args),
        I::Atan2(_) => binary(args, elementary::angle),
        I::Hypot(_) => binary(args, |x, y| roots::square_root(&square(x)?.add(&square(y)?))),
        I::CopySign(_) => binary(args, copy_sign),
        // There is neither NaN nor an infinity among the reals.
        I::IsNan(_) | I::IsInfinite(_) => Num::bool(false),
        I::ToBits(_) | I::FromBits(_) => Num::Undefined,
        I::CountOnes(_) | I::LeadingZeros(_) | I::TrailingZeros(_) => Num::Undefined,
        I::TextOfFloat(_) | I::TextFixed(_) | I::TextExponent(_) | I::TextGeneral(_) => Num::Undefined,
        I::TextLength => Num::Int(texts.get(Math::number(&args[0])?)?.len() as i64),
        I::TextAt => Num::Int(slices::at(texts, Math::number(&args[0])?, Math::index(&args[1])?)?.into()),
        I::TextConcat => {
            Math::handle(slices::concat(texts, Math::number(&args[0])?, Math::number(&args[1])?)?)
        }
        I::TextSlice => {
            let (start, end) = (Math::index(&args[1])?, Math::index(&args[2])?);
            Math::handle(slices::slice(texts, Math::number(&args[0])?, start, end)?)
        }
        I::TextOfInt(_) => add(texts, &args[0].to_integer()?.to_string())?,
        I::TextOfBool => add(texts, if args[0] == Num::Int(1) { "true" } else { "false" })?,
        I::TextOfChar => match args[0].to_integer()?.to_u16() {
            Some(unit) => Math::handle(texts.add(&[unit])?),
            None => Num::Undefined,
        },
        I::TextHex(_) => digits(texts, &args[0], 16)?,
        I::TextOctal(_) => digits(texts, &args[0], 8)?,
        I::ParsesAsInt(ty) => match parsed_int(texts, &args[0], ty)? {
            Some(Num::Undefined) => Num::Undefined,
            parsed => Num::bool(parsed.is_some()),
        },
        I::ParseInt(ty) => parsed_int(texts, &args[0], ty)?
            .ok_or_else(|| broken("a text that is not an integer is read as one"))?,
        I::ParsesAsFloat(_) => {
            let text = Math::number(&args[0])?;
            Num::bool(text != 0 && parse::float(texts.get(text)?).is_some())
        }
        I::Before | I::Given => return Err(broken("the order of objects is asked of numbers")),
        I::AnyOfSign | I::AnyNonzero | I::UnwrittenInt(_) | I::UnwrittenFloat(_) => args[0].clone(),
        I::UnwrittenRef | I::UnwrittenOffset => args[0].clone(),
        I::ParseFloat(_) => {
            let literal = parse::float(texts.get(Math::number(&args[0])?)?);
            let literal = literal.ok_or_else(|| broken("a text that is not a float is read as one"))?;
            decimal::of_text(&literal).map_or(Num::Undefined, Num::rational)
        }
    })
}

const ARC_SINE: Rising =
    Rising { compute: libm::asin, point: (0, 0), from: Some((-1, true)), to: Some((1, true)) };

fn unary(args: &[Num], function: impl Fn(&Enclosure) -> Option<Enclosure>) -> Num {
    args[0].real().and_then(|arg| function(&arg)).map_or(Num::Undefined, Num::enclosed)
}

fn rising(args: &[Num], function: Rising) -> Num {
    unary(args, |arg| function.apply(arg))
}

fn rounded(args: &[Num], function: fn(&BigRational) -> BigRational) -> Num {
    unary(args, |arg| Some(arg.map_rising(function)))
}

fn binary(args: &[Num], function: impl Fn(&Enclosure, &Enclosure) -> Option<Enclosure>) -> Num {
    let (Some(first), Some(second)) = (args[0].real(), args[1].real()) else { return Num::Undefined };
    function(&first, &second).map_or(Num::Undefined, Num::enclosed)
}

fn ties_to_even(value: &BigRational) -> BigRational {
    let two = BigRational::from_integer(2.into());
    let half = two.recip();
    let below = value.floor();
    let is_even = (&below / &two).is_integer();
    match (value - &below).cmp(&half) {
        std::cmp::Ordering::Less => below,
        std::cmp::Ordering::Equal if is_even => below,
        std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => below + BigRational::one(),
    }
}

/// Whole powers of the base, also negative ones, have exact logarithms.
fn logarithm(args: &[Num], base: u32, compute: fn(f64) -> f64) -> Num {
    if let Some(value) = args[0].exact_real()
        && value.is_positive()
    {
        let (whole, sign) =
            if value.is_integer() { (value.to_integer(), 1) } else { (value.recip().to_integer(), -1) };
        let is_inverse = sign == 1 || value.recip().is_integer();
        let guess = compute(whole.to_f64().unwrap_or(f64::INFINITY)).round();
        if is_inverse && guess.abs() < 1e4 && BigInt::from(base).pow(guess.abs() as u32) == whole {
            return Num::Int(sign * guess as i64);
        }
    }
    rising(args, Rising::above(compute, (1, 0), 0))
}

fn power(args: &[Num]) -> Num {
    let half = BigRational::new(1.into(), 2.into());
    if let Some(exponent) = args[1].exact_real() {
        if let Some(whole) = exponent.is_integer().then(|| exponent.to_integer().to_i64()).flatten() {
            let exact = unary(args, |base| roots::whole_power(base, whole));
            if exact != Num::Undefined {
                return exact;
            }
        }
        if exponent == half {
            return unary(args, roots::square_root);
        }
        if args[0] == Num::Int(0) && exponent.is_positive() {
            return Num::Int(0);
        }
    }
    binary(args, elementary::power)
}

fn square(value: &Enclosure) -> Option<Enclosure> {
    let size = value.abs();
    Some(size.multiply(&size))
}

fn copy_sign(value: &Enclosure, sign: &Enclosure) -> Option<Enclosure> {
    let size = value.abs();
    if !sign.low().is_negative() {
        Some(size)
    } else if sign.high().is_negative() {
        Some(size.negate())
    } else {
        Some(Enclosure::between(-size.high(), size.high().clone()))
    }
}

fn add(texts: &mut Texts, text: &str) -> Result<Num, Halt> {
    let units: Vec<u16> = text.encode_utf16().collect();
    Ok(Math::handle(texts.add(&units)?))
}

/// Digits in a base; the bits of negative numbers depend on the width, which there is not.
fn digits(texts: &mut Texts, value: &Num, base: u32) -> Result<Num, Halt> {
    let value = value.to_integer()?;
    if value.is_negative() { Ok(Num::Undefined) } else { add(texts, &value.to_str_radix(base)) }
}

/// The integer that a text reads as. Out of the range of the type it is undefined: the language refuses it, the
/// integers have no range.
fn parsed_int(texts: &Texts, text: &Num, ty: IntType) -> Result<Option<Num>, Halt> {
    let text = Math::number(text)?;
    if text == 0 {
        return Ok(None);
    }
    let Some(value) = parse::integer(texts.get(text)?, ty.signed) else { return Ok(None) };
    match i128::try_from(&value).is_ok_and(|value| ty.contains(value)) {
        true => Num::integer(value).map(Some),
        false => Ok(Some(Num::Undefined)),
    }
}

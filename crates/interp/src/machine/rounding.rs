//! Functions whose last digits an implementation may choose, and runs in which they come out otherwise.
//!
//! Java and C leave `sin` and its like an error of an ulp or two, so that what our implementation gives in the last place
//! says nothing about others. A run with a [`Perturbation`] stands for another implementation: each function gives another
//! result that the language allows, always the same one for the same arguments.

use ir::{FloatType, Intrinsic};

use super::float::widen;
use crate::domain::Perturbation;
use crate::value::{bits_of_f32, bits_of_f64};

/// The type of an inexact function.
fn inexact(function: Intrinsic) -> Option<FloatType> {
    use Intrinsic as I;
    match function {
        I::Cbrt(ty) | I::Sin(ty) | I::Cos(ty) | I::Tan(ty) | I::Asin(ty) | I::Acos(ty) | I::Atan(ty) => {
            Some(ty)
        }
        I::Sinh(ty) | I::Cosh(ty) | I::Tanh(ty) | I::Exp(ty) | I::Expm1(ty) => Some(ty),
        I::Log(ty) | I::Log10(ty) | I::Log1p(ty) | I::Log2(ty) => Some(ty),
        I::Pow(ty) | I::Atan2(ty) | I::Hypot(ty) => Some(ty),
        I::Strict(strict) => inexact(strict.function()),
        I::Sqrt(_) | I::Floor(_) | I::Ceil(_) | I::Trunc(_) | I::Rint(_) | I::Round(_) | I::Abs(_) => None,
        I::CopySign(_) | I::IsNan(_) | I::IsInfinite(_) | I::ToBits(_) | I::FromBits(_) => None,
        I::CountOnes(_) | I::LeadingZeros(_) | I::TrailingZeros(_) => None,
        I::TextLength | I::TextAt | I::TextConcat | I::TextSlice | I::TextOfBool | I::TextOfChar => None,
        I::TextOfInt(_) | I::TextOfFloat(_) | I::TextFixed(_) | I::TextExponent(_) | I::TextGeneral(_) => {
            None
        }
        I::TextHex(_) | I::TextOctal(_) | I::ParsesAsInt(_) | I::ParseInt(_) => None,
        I::ParsesAsFloat(_) | I::ParseFloat(_) | I::Before | I::Given | I::AnyOfSign | I::AnyNonzero => None,
        I::UnwrittenInt(_) | I::UnwrittenFloat(_) | I::UnwrittenRef | I::UnwrittenOffset => None,
    }
}

/// The function of `Math` for one of `StrictMath`.
fn loose(function: Intrinsic) -> Intrinsic {
    if let Intrinsic::Strict(strict) = function { strict.function() } else { function }
}

/// How far results of two implementations may be apart, in ulps: each may be one from the exact result, or more.
fn most_ulps(function: Intrinsic) -> i64 {
    let function = loose(function);
    match () {
        () if matches!(function, Intrinsic::Sinh(_) | Intrinsic::Cosh(_) | Intrinsic::Tanh(_)) => 5,
        () if matches!(function, Intrinsic::Atan2(_)) => 4,
        () => 2,
    }
}

/// Whether a result is one that implementations may differ in.
pub(super) fn is_inexact(function: Intrinsic, args: &[u64], result: u64) -> bool {
    let Some(ty) = inexact(function) else { return false };
    let value = widen(ty, result);
    let arg = |place: usize| args.get(place).map_or(0.0, |bits| widen(ty, *bits));
    if value == 0.0 || !value.is_finite() {
        return false;
    }
    let is_whole = |number: f64| number.fract() == 0.0;
    let function = loose(function);
    match () {
        // Documented: powers by 0 and 1, and those of whole numbers that can be represented.
        () if matches!(function, Intrinsic::Pow(_)) => {
            let (base, exponent) = (arg(0), arg(1));
            let is_exact = is_whole(base) && is_whole(exponent) && is_whole(value) && value.abs() < 9e15;
            !(exponent == 0.0 || exponent == 1.0 || base == 1.0 || is_exact)
        }
        () if matches!(function, Intrinsic::Hypot(_) | Intrinsic::Atan2(_)) => arg(0) != 0.0 && arg(1) != 0.0,
        () if matches!(function, Intrinsic::Log10(_) | Intrinsic::Log2(_)) => !is_whole(value),
        () => arg(0) != 0.0,
    }
}

/// The result of an inexact function in another implementation.
pub(super) fn perturbed(function: Intrinsic, args: &[u64], result: u64, perturbation: Perturbation) -> u64 {
    let Some(ty) = inexact(function).filter(|_| is_inexact(function, args, result)) else { return result };
    let most = most_ulps(function);
    let ulps = match perturbation {
        0 => 0,
        1 => 1,
        2 => -1,
        3 => most,
        4 => -most,
        number => {
            let used = function.signature().params.len();
            let hash = mixed(function, &args[..used.min(args.len())], number);
            (hash % (2 * most as u64 + 1)) as i64 - most
        }
    };
    let value = widen(ty, result);
    // Signs and magnitudes have the same order as bits; away from zero is up.
    let moved = match ty {
        FloatType::F64 => f64::from_bits(value.to_bits().wrapping_add_signed(ulps)),
        FloatType::F32 => {
            f64::from(f32::from_bits((value as f32).to_bits().wrapping_add_signed(ulps as i32)))
        }
    };
    let is_bounded = matches!(loose(function), Intrinsic::Sin(_) | Intrinsic::Cos(_) | Intrinsic::Tanh(_));
    let is_in_range = !is_bounded || moved.abs() <= 1.0;
    if !moved.is_finite() || moved.signum() != value.signum() || !is_in_range {
        return result;
    }
    match ty {
        FloatType::F64 => bits_of_f64(moved),
        FloatType::F32 => bits_of_f32(moved as f32).into(),
    }
}

/// The number that another implementation gives where only the sign, or that it is not 0, is promised.
pub(crate) fn other_number(function: Intrinsic, ours: i64, perturbation: Perturbation) -> i64 {
    if ours == 0 || perturbation == 0 {
        return ours;
    }
    let size = match perturbation {
        // Code that waits for just 1 fails with the library of this platform.
        1 if function == Intrinsic::AnyNonzero => 2,
        1 | 2 => 1,
        3 | 4 => i64::from(i32::MAX),
        number => (mixed(function, &[ours as u64], number) % 0x7fff_ffff) as i64 + 1,
    };
    let is_any = function == Intrinsic::AnyNonzero;
    let is_negative = if is_any { perturbation.is_multiple_of(2) } else { ours < 0 };
    if is_negative { -size } else { size }
}

/// A number that depends on all that it is given (FNV-1a, then mixed once more).
fn mixed(function: Intrinsic, args: &[u64], number: u32) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let name = format!("{function:?}");
    let bytes = name.bytes().chain(args.iter().flat_map(|arg| arg.to_le_bytes())).chain(number.to_le_bytes());
    for byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sin(value: f64, perturbation: Perturbation) -> f64 {
        let bits = value.sin().to_bits();
        f64::from_bits(perturbed(Intrinsic::Sin(FloatType::F64), &[value.to_bits()], bits, perturbation))
    }

    #[test]
    fn the_last_place_moves_and_the_same_argument_gives_the_same() {
        assert_eq!(sin(0.5, 0), 0.5_f64.sin());
        assert_eq!(sin(0.5, 1).to_bits(), 0.5_f64.sin().to_bits() + 1);
        assert_eq!(sin(0.5, 9), sin(0.5, 9));
        let moved = (5..40).filter(|number| sin(0.5, *number) != 0.5_f64.sin()).count();
        assert!(moved > 10, "{moved}");
    }

    #[test]
    fn what_is_documented_stays() {
        let pow = Intrinsic::Pow(FloatType::F64);
        let bits = |value: f64| value.to_bits();
        for (base, exponent) in [(3.0, 2.0), (0.1, 1.0), (0.1, 0.0), (1.0, 0.3)] {
            assert!(!is_inexact(pow, &[bits(base), bits(exponent)], bits(base.powf(exponent))));
        }
        assert!(is_inexact(pow, &[bits(0.1), bits(3.0)], bits(0.001)));
        assert!(!is_inexact(Intrinsic::Cos(FloatType::F64), &[bits(0.0)], bits(1.0)));
        assert!(!is_inexact(Intrinsic::Sqrt(FloatType::F64), &[bits(2.0)], bits(2.0_f64.sqrt())));
    }

    #[test]
    fn only_the_sign_of_a_comparison_is_promised() {
        for number in 0..40 {
            assert_eq!(other_number(Intrinsic::AnyOfSign, -3, number).signum(), -1);
            assert_eq!(other_number(Intrinsic::AnyOfSign, 0, number), 0);
            assert!(![0, 1].contains(&other_number(Intrinsic::AnyNonzero, 1024, number)));
        }
        assert_eq!(other_number(Intrinsic::AnyOfSign, -3, 0), -3);
        assert_eq!(other_number(Intrinsic::AnyOfSign, -3, 1), -1);
        assert_eq!(other_number(Intrinsic::AnyNonzero, 1024, 2), -1);
    }

    #[test]
    fn no_sine_is_larger_than_one() {
        assert!((1..40).all(|number| sin(std::f64::consts::FRAC_PI_2, number).abs() <= 1.0));
    }
}

//! The names and types of the intrinsic functions: what the text form, the validator and the generator share.

use crate::{FloatType, IntType, Intrinsic, Scalar, Strict, Target, Type};

/// What an intrinsic takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub params: Vec<Type>,
    pub result: Type,
}

/// The intrinsics that come in one variant for each float type.
const OF_FLOATS: [fn(FloatType) -> Intrinsic; 38] = [
    Intrinsic::Sqrt,
    Intrinsic::Cbrt,
    Intrinsic::Sin,
    Intrinsic::Cos,
    Intrinsic::Tan,
    Intrinsic::Asin,
    Intrinsic::Acos,
    Intrinsic::Atan,
    Intrinsic::Sinh,
    Intrinsic::Cosh,
    Intrinsic::Tanh,
    Intrinsic::Exp,
    Intrinsic::Expm1,
    Intrinsic::Log,
    Intrinsic::Log10,
    Intrinsic::Log1p,
    Intrinsic::Log2,
    Intrinsic::Floor,
    Intrinsic::Ceil,
    Intrinsic::Trunc,
    Intrinsic::Rint,
    Intrinsic::Round,
    Intrinsic::Abs,
    Intrinsic::Pow,
    Intrinsic::Atan2,
    Intrinsic::Hypot,
    Intrinsic::CopySign,
    Intrinsic::IsNan,
    Intrinsic::IsInfinite,
    Intrinsic::ToBits,
    Intrinsic::FromBits,
    Intrinsic::TextOfFloat,
    Intrinsic::TextFixed,
    Intrinsic::TextExponent,
    Intrinsic::TextGeneral,
    Intrinsic::ParsesAsFloat,
    Intrinsic::ParseFloat,
    Intrinsic::UnwrittenFloat,
];

/// The intrinsics that come in one variant for each integer type.
const OF_INTS: [fn(IntType) -> Intrinsic; 9] = [
    Intrinsic::CountOnes,
    Intrinsic::LeadingZeros,
    Intrinsic::TrailingZeros,
    Intrinsic::TextOfInt,
    Intrinsic::TextHex,
    Intrinsic::TextOctal,
    Intrinsic::ParsesAsInt,
    Intrinsic::ParseInt,
    Intrinsic::UnwrittenInt,
];

const OF_NOTHING: [Intrinsic; 12] = [
    Intrinsic::TextLength,
    Intrinsic::TextAt,
    Intrinsic::TextConcat,
    Intrinsic::TextSlice,
    Intrinsic::TextOfBool,
    Intrinsic::TextOfChar,
    Intrinsic::Before,
    Intrinsic::Given,
    Intrinsic::AnyOfSign,
    Intrinsic::AnyNonzero,
    Intrinsic::UnwrittenRef,
    Intrinsic::UnwrittenOffset,
];

impl Intrinsic {
    /// Every intrinsic at every type.
    pub fn all() -> Vec<Intrinsic> {
        let mut all = Vec::new();
        for make in OF_FLOATS {
            all.extend(FloatType::ALL.map(make));
        }
        for make in OF_INTS {
            all.extend(IntType::ALL.map(make));
        }
        all.extend(OF_NOTHING);
        all.extend(Strict::ALL.map(Intrinsic::Strict));
        all
    }

    /// The intrinsic of this name and type parameter.
    pub fn named(name: &str, parameter: Option<Scalar>) -> Option<Intrinsic> {
        let mut candidates: Box<dyn Iterator<Item = Intrinsic>> = match parameter {
            Some(Scalar::Float(ty)) => Box::new(OF_FLOATS.iter().map(move |make| make(ty))),
            Some(Scalar::Int(ty)) => Box::new(OF_INTS.iter().map(move |make| make(ty))),
            Some(Scalar::Bool) => return None,
            None => Box::new(OF_NOTHING.iter().copied().chain(Strict::ALL.map(Intrinsic::Strict))),
        };
        candidates.find(|intrinsic| intrinsic.name() == name)
    }

    /// The type that tells the variants of one function apart.
    pub fn type_parameter(self) -> Option<Scalar> {
        self.name_and_parameter().1
    }

    /// The name without the type parameter.
    pub fn name(self) -> &'static str {
        self.name_and_parameter().0
    }

    fn name_and_parameter(self) -> (&'static str, Option<Scalar>) {
        let float = |name, ty| (name, Some(Scalar::Float(ty)));
        let int = |name, ty| (name, Some(Scalar::Int(ty)));
        match self {
            Intrinsic::Sqrt(ty) => float("sqrt", ty),
            Intrinsic::Cbrt(ty) => float("cbrt", ty),
            Intrinsic::Sin(ty) => float("sin", ty),
            Intrinsic::Cos(ty) => float("cos", ty),
            Intrinsic::Tan(ty) => float("tan", ty),
            Intrinsic::Asin(ty) => float("asin", ty),
            Intrinsic::Acos(ty) => float("acos", ty),
            Intrinsic::Atan(ty) => float("atan", ty),
            Intrinsic::Sinh(ty) => float("sinh", ty),
            Intrinsic::Cosh(ty) => float("cosh", ty),
            Intrinsic::Tanh(ty) => float("tanh", ty),
            Intrinsic::Exp(ty) => float("exp", ty),
            Intrinsic::Expm1(ty) => float("expm1", ty),
            Intrinsic::Log(ty) => float("log", ty),
            Intrinsic::Log10(ty) => float("log10", ty),
            Intrinsic::Log1p(ty) => float("log1p", ty),
            Intrinsic::Log2(ty) => float("log2", ty),
            Intrinsic::Floor(ty) => float("floor", ty),
            Intrinsic::Ceil(ty) => float("ceil", ty),
            Intrinsic::Trunc(ty) => float("trunc", ty),
            Intrinsic::Rint(ty) => float("rint", ty),
            Intrinsic::Round(ty) => float("round", ty),
            Intrinsic::Abs(ty) => float("abs", ty),
            Intrinsic::Pow(ty) => float("pow", ty),
            Intrinsic::Atan2(ty) => float("atan2", ty),
            Intrinsic::Hypot(ty) => float("hypot", ty),
            Intrinsic::CopySign(ty) => float("copy_sign", ty),
            Intrinsic::IsNan(ty) => float("is_nan", ty),
            Intrinsic::IsInfinite(ty) => float("is_infinite", ty),
            Intrinsic::ToBits(ty) => float("to_bits", ty),
            Intrinsic::FromBits(ty) => float("from_bits", ty),
            Intrinsic::CountOnes(ty) => int("count_ones", ty),
            Intrinsic::LeadingZeros(ty) => int("leading_zeros", ty),
            Intrinsic::TrailingZeros(ty) => int("trailing_zeros", ty),
            Intrinsic::TextLength => ("text_length", None),
            Intrinsic::TextAt => ("text_at", None),
            Intrinsic::TextConcat => ("text_concat", None),
            Intrinsic::TextSlice => ("text_slice", None),
            Intrinsic::TextOfInt(ty) => int("text_of_int", ty),
            Intrinsic::TextOfBool => ("text_of_bool", None),
            Intrinsic::TextOfChar => ("text_of_char", None),
            Intrinsic::TextOfFloat(ty) => float("text_of_float", ty),
            Intrinsic::TextFixed(ty) => float("text_fixed", ty),
            Intrinsic::TextExponent(ty) => float("text_exponent", ty),
            Intrinsic::TextGeneral(ty) => float("text_general", ty),
            Intrinsic::TextHex(ty) => int("text_hex", ty),
            Intrinsic::TextOctal(ty) => int("text_octal", ty),
            Intrinsic::ParsesAsInt(ty) => int("parses_as_int", ty),
            Intrinsic::ParseInt(ty) => int("parse_int", ty),
            Intrinsic::ParsesAsFloat(ty) => float("parses_as_float", ty),
            Intrinsic::ParseFloat(ty) => float("parse_float", ty),
            Intrinsic::UnwrittenInt(ty) => int("unwritten", ty),
            Intrinsic::UnwrittenFloat(ty) => float("unwritten", ty),
            Intrinsic::UnwrittenRef => ("unwritten_ref", None),
            Intrinsic::UnwrittenOffset => ("unwritten_offset", None),
            Intrinsic::Before => ("before", None),
            Intrinsic::Given => ("given", None),
            Intrinsic::AnyOfSign => ("any_of_sign", None),
            Intrinsic::AnyNonzero => ("any_nonzero", None),
            Intrinsic::Strict(strict) => (strict.name(), None),
        }
    }

    /// Whether it stands for what nothing was ever assigned to.
    pub fn is_unwritten(self) -> bool {
        matches!(
            self,
            Intrinsic::UnwrittenInt(_)
                | Intrinsic::UnwrittenFloat(_)
                | Intrinsic::UnwrittenRef
                | Intrinsic::UnwrittenOffset
        )
    }

    /// What it takes and gives.
    pub fn signature(self) -> Signature {
        let (params, result) = match self {
            Intrinsic::Sqrt(ty)
            | Intrinsic::Cbrt(ty)
            | Intrinsic::Sin(ty)
            | Intrinsic::Cos(ty)
            | Intrinsic::Tan(ty)
            | Intrinsic::Asin(ty)
            | Intrinsic::Acos(ty)
            | Intrinsic::Atan(ty)
            | Intrinsic::Sinh(ty)
            | Intrinsic::Cosh(ty)
            | Intrinsic::Tanh(ty)
            | Intrinsic::Exp(ty)
            | Intrinsic::Expm1(ty)
            | Intrinsic::Log(ty)
            | Intrinsic::Log10(ty)
            | Intrinsic::Log1p(ty)
            | Intrinsic::Log2(ty)
            | Intrinsic::Floor(ty)
            | Intrinsic::Ceil(ty)
            | Intrinsic::Trunc(ty)
            | Intrinsic::Rint(ty)
            | Intrinsic::Round(ty)
            | Intrinsic::Abs(ty) => (vec![Type::Float(ty)], Type::Float(ty)),
            Intrinsic::Pow(ty) | Intrinsic::Atan2(ty) | Intrinsic::Hypot(ty) | Intrinsic::CopySign(ty) => {
                (vec![Type::Float(ty); 2], Type::Float(ty))
            }
            Intrinsic::IsNan(ty) | Intrinsic::IsInfinite(ty) => (vec![Type::Float(ty)], Type::Bool),
            Intrinsic::ToBits(ty) => (vec![Type::Float(ty)], Type::Int(ty.bits_type())),
            Intrinsic::FromBits(ty) => (vec![Type::Int(ty.bits_type())], Type::Float(ty)),
            Intrinsic::CountOnes(ty) | Intrinsic::LeadingZeros(ty) | Intrinsic::TrailingZeros(ty) => {
                (vec![Type::Int(ty)], Type::Int(ty))
            }
            Intrinsic::TextLength => (vec![Type::Text], Type::I32),
            Intrinsic::TextAt => (vec![Type::Text, Type::I32], Type::Int(IntType::U16)),
            Intrinsic::TextConcat => (vec![Type::Text, Type::Text], Type::Text),
            Intrinsic::TextSlice => (vec![Type::Text, Type::I32, Type::I32], Type::Text),
            Intrinsic::TextOfInt(ty) | Intrinsic::TextHex(ty) | Intrinsic::TextOctal(ty) => {
                (vec![Type::Int(ty)], Type::Text)
            }
            Intrinsic::TextOfBool => (vec![Type::Bool], Type::Text),
            Intrinsic::TextOfChar => (vec![Type::Int(IntType::U16)], Type::Text),
            Intrinsic::TextOfFloat(ty) => (vec![Type::Float(ty)], Type::Text),
            Intrinsic::TextFixed(ty) | Intrinsic::TextExponent(ty) | Intrinsic::TextGeneral(ty) => {
                (vec![Type::Float(ty), Type::I32], Type::Text)
            }
            Intrinsic::ParsesAsInt(_) | Intrinsic::ParsesAsFloat(_) => (vec![Type::Text], Type::Bool),
            Intrinsic::ParseInt(ty) => (vec![Type::Text], Type::Int(ty)),
            Intrinsic::ParseFloat(ty) => (vec![Type::Text], Type::Float(ty)),
            Intrinsic::AnyOfSign | Intrinsic::AnyNonzero => (vec![Type::I32], Type::I32),
            Intrinsic::UnwrittenInt(ty) => (vec![Type::Int(ty)], Type::Int(ty)),
            Intrinsic::UnwrittenFloat(ty) => (vec![Type::Float(ty)], Type::Float(ty)),
            Intrinsic::UnwrittenRef => (vec![Type::Ref(Target::Any), Type::I64], Type::Ref(Target::Any)),
            Intrinsic::UnwrittenOffset => (vec![Type::I64, Type::I64], Type::I64),
            Intrinsic::Before => (vec![Type::Ref(Target::Any); 2], Type::Bool),
            Intrinsic::Given => (vec![Type::Ref(Target::Any)], Type::Bool),
            Intrinsic::Strict(strict) => return strict.function().signature(),
        };
        Signature { params, result }
    }
}

impl Strict {
    pub const ALL: [Strict; 18] = [
        Strict::Cbrt,
        Strict::Sin,
        Strict::Cos,
        Strict::Tan,
        Strict::Asin,
        Strict::Acos,
        Strict::Atan,
        Strict::Sinh,
        Strict::Cosh,
        Strict::Tanh,
        Strict::Exp,
        Strict::Expm1,
        Strict::Log,
        Strict::Log10,
        Strict::Log1p,
        Strict::Pow,
        Strict::Atan2,
        Strict::Hypot,
    ];

    /// The function of `Math` that it is but for the last digits.
    pub fn function(self) -> Intrinsic {
        match self {
            Strict::Cbrt => Intrinsic::Cbrt(FloatType::F64),
            Strict::Sin => Intrinsic::Sin(FloatType::F64),
            Strict::Cos => Intrinsic::Cos(FloatType::F64),
            Strict::Tan => Intrinsic::Tan(FloatType::F64),
            Strict::Asin => Intrinsic::Asin(FloatType::F64),
            Strict::Acos => Intrinsic::Acos(FloatType::F64),
            Strict::Atan => Intrinsic::Atan(FloatType::F64),
            Strict::Sinh => Intrinsic::Sinh(FloatType::F64),
            Strict::Cosh => Intrinsic::Cosh(FloatType::F64),
            Strict::Tanh => Intrinsic::Tanh(FloatType::F64),
            Strict::Exp => Intrinsic::Exp(FloatType::F64),
            Strict::Expm1 => Intrinsic::Expm1(FloatType::F64),
            Strict::Log => Intrinsic::Log(FloatType::F64),
            Strict::Log10 => Intrinsic::Log10(FloatType::F64),
            Strict::Log1p => Intrinsic::Log1p(FloatType::F64),
            Strict::Pow => Intrinsic::Pow(FloatType::F64),
            Strict::Atan2 => Intrinsic::Atan2(FloatType::F64),
            Strict::Hypot => Intrinsic::Hypot(FloatType::F64),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Strict::Cbrt => "strict_cbrt",
            Strict::Sin => "strict_sin",
            Strict::Cos => "strict_cos",
            Strict::Tan => "strict_tan",
            Strict::Asin => "strict_asin",
            Strict::Acos => "strict_acos",
            Strict::Atan => "strict_atan",
            Strict::Sinh => "strict_sinh",
            Strict::Cosh => "strict_cosh",
            Strict::Tanh => "strict_tanh",
            Strict::Exp => "strict_exp",
            Strict::Expm1 => "strict_expm1",
            Strict::Log => "strict_log",
            Strict::Log10 => "strict_log10",
            Strict::Log1p => "strict_log1p",
            Strict::Pow => "strict_pow",
            Strict::Atan2 => "strict_atan2",
            Strict::Hypot => "strict_hypot",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_intrinsic_is_found_by_its_name_and_type() {
        for intrinsic in Intrinsic::all() {
            assert_eq!(Intrinsic::named(intrinsic.name(), intrinsic.type_parameter()), Some(intrinsic));
        }
        assert_eq!(Intrinsic::named("sqrt", Some(Scalar::Int(IntType::I32))), None);
        assert_eq!(Intrinsic::named("sqrt", None), None);
    }
}

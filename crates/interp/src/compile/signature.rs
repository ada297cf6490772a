//! The types that operators and intrinsics take and give.

use ir::{BinaryOp, FloatType, IntType, Intrinsic, Scalar, Type, UnaryOp};

pub(super) fn unary_takes(op: UnaryOp, ty: Scalar) -> bool {
    match op {
        UnaryOp::Not => ty == Scalar::Bool,
        UnaryOp::Neg => ty != Scalar::Bool,
        UnaryOp::BitNot => matches!(ty, Scalar::Int(_)),
    }
}

pub(super) fn binary_takes(op: BinaryOp, ty: Scalar) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => ty != Scalar::Bool,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !matches!(ty, Scalar::Float(_)),
        BinaryOp::Shl | BinaryOp::Shr => matches!(ty, Scalar::Int(_)),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => true,
    }
}

pub(super) fn converts(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        (Scalar::Bool, Scalar::Float(_)) | (Scalar::Int(_) | Scalar::Float(_), Scalar::Bool) => false,
        (Scalar::Bool, Scalar::Bool | Scalar::Int(_)) => true,
        (Scalar::Int(_) | Scalar::Float(_), Scalar::Int(_) | Scalar::Float(_)) => true,
    }
}

/// The types of the arguments, and of the result.
pub(super) fn intrinsic(function: Intrinsic) -> (Vec<Type>, Type) {
    use Intrinsic as I;
    const I32: Type = Type::Int(IntType::I32);
    const U16: Type = Type::Int(IntType::U16);
    match function {
        I::Sqrt(f) | I::Cbrt(f) | I::Sin(f) | I::Cos(f) | I::Tan(f) | I::Asin(f) | I::Acos(f) | I::Atan(f) => unary(f),
        I::Sinh(f) | I::Cosh(f) | I::Tanh(f) | I::Exp(f) | I::Expm1(f) | I::Log(f) | I::Log10(f) => unary(f),
        I::Log1p(f) | I::Log2(f) | I::Floor(f) | I::Ceil(f) | I::Trunc(f) | I::Rint(f) | I::Round(f) => unary(f),
        I::Abs(f) => unary(f),
        I::Pow(f) | I::Atan2(f) | I::Hypot(f) | I::CopySign(f) => (vec![Type::Float(f); 2], Type::Float(f)),
        I::IsNan(f) | I::IsInfinite(f) => (vec![Type::Float(f)], Type::Bool),
        I::ToBits(f) => (vec![Type::Float(f)], bits(f)),
        I::FromBits(f) => (vec![bits(f)], Type::Float(f)),
        I::CountOnes(t) | I::LeadingZeros(t) | I::TrailingZeros(t) => (vec![Type::Int(t)], Type::Int(t)),
        I::TextLength => (vec![Type::Text], I32),
        I::TextAt => (vec![Type::Text, I32], U16),
        I::TextConcat => (vec![Type::Text; 2], Type::Text),
        I::TextSlice => (vec![Type::Text, I32, I32], Type::Text),
        I::TextOfInt(t) | I::TextHex(t) | I::TextOctal(t) => (vec![Type::Int(t)], Type::Text),
        I::TextOfBool => (vec![Type::Bool], Type::Text),
        I::TextOfChar => (vec![U16], Type::Text),
        I::TextOfFloat(f) => (vec![Type::Float(f)], Type::Text),
        I::TextFixed(f) | I::TextExponent(f) | I::TextGeneral(f) => (vec![Type::Float(f), I32], Type::Text),
        I::ParsesAsInt(_) | I::ParsesAsFloat(_) => (vec![Type::Text], Type::Bool),
        I::ParseInt(t) => (vec![Type::Text], Type::Int(t)),
        I::ParseFloat(f) => (vec![Type::Text], Type::Float(f)),
    }
}

fn unary(ty: FloatType) -> (Vec<Type>, Type) {
    (vec![Type::Float(ty)], Type::Float(ty))
}

fn bits(ty: FloatType) -> Type {
    match ty {
        FloatType::F32 => Type::I32,
        FloatType::F64 => Type::I64,
    }
}

//! `machine` numbers: fixed-width wrapping integers and IEEE-754 floats. Exact.
//!
//! A slot is a word. Integers lie in it sign-extended or zero-extended by their type, floats as their bits with NaN
//! in its canonical form, booleans as 0 or 1.

mod float;
mod int;
mod intrinsic;
mod rounding;

use ir::{BinaryOp, Const, FloatType, IntType, Intrinsic, Language, Scalar, UnaryOp};

use crate::Value;
use crate::domain::{Domain, Perturbation};
use crate::halt::{Halt, broken};
use crate::texts::Texts;
use crate::value::{bits_of_f32, bits_of_f64};

pub(crate) use int::wrap;
pub(crate) use rounding::other_number;

pub(crate) struct Machine;

impl Domain for Machine {
    type Slot = u64;

    #[inline]
    fn handle(number: u32) -> u64 {
        number.into()
    }

    #[inline]
    fn number(slot: &u64) -> Result<u32, Halt> {
        Ok(*slot as u32)
    }

    #[inline]
    fn truth(slot: &u64) -> Result<bool, Halt> {
        Ok(*slot != 0)
    }

    #[inline]
    fn index(slot: &u64) -> Result<i64, Halt> {
        Ok(*slot as i64)
    }

    #[inline]
    fn from_index(index: i64) -> u64 {
        index as u64
    }

    fn is_exact(_slot: &u64) -> bool {
        true
    }

    #[inline]
    fn extra_steps(_slot: &u64) -> u64 {
        0
    }

    fn constant(constant: &Const) -> Option<u64> {
        match constant {
            Const::Bool(value) => Some((*value).into()),
            Const::Int(ty, value) => Some(ty.wrap(*value) as u64),
            Const::F32(bits) => Some(bits_of_f32(f32::from_bits(*bits)).into()),
            Const::F64(bits) => Some(bits_of_f64(f64::from_bits(*bits))),
            Const::Text(_) | Const::NullText | Const::Null | Const::Static(_) => None,
            Const::Record(_) | Const::Map(..) => None,
        }
    }

    #[inline]
    fn unary(op: UnaryOp, ty: Scalar, arg: &u64) -> Result<u64, Halt> {
        match (op, ty) {
            (UnaryOp::Not, Scalar::Bool) => Ok(arg ^ 1),
            (UnaryOp::Neg, Scalar::Int(ty)) => Ok(int::wrap(ty, arg.wrapping_neg())),
            (UnaryOp::BitNot, Scalar::Int(ty)) => Ok(int::wrap(ty, !arg)),
            (UnaryOp::Neg, Scalar::Float(ty)) => Ok(float::negate(ty, *arg)),
            (UnaryOp::Not, Scalar::Int(_) | Scalar::Float(_))
            | (UnaryOp::Neg, Scalar::Bool)
            | (UnaryOp::BitNot, Scalar::Bool | Scalar::Float(_)) => Err(broken(format!("{op:?} of {ty:?}"))),
        }
    }

    #[inline]
    fn binary(op: BinaryOp, ty: Scalar, lhs: &u64, rhs: &u64) -> Result<u64, Halt> {
        match ty {
            Scalar::Int(ty) => Ok(int::binary(op, ty, *lhs, *rhs)),
            Scalar::Float(ty) => float::binary(op, ty, *lhs, *rhs),
            Scalar::Bool => boolean(op, *lhs, *rhs),
        }
    }

    #[inline]
    fn convert(from: Scalar, to: Scalar, arg: &u64) -> Result<u64, Halt> {
        match (from, to) {
            (Scalar::Bool, Scalar::Bool | Scalar::Int(_)) => Ok(*arg),
            (Scalar::Int(_), Scalar::Int(to)) => Ok(int::wrap(to, *arg)),
            (Scalar::Int(from), Scalar::Float(to)) => Ok(float::of_int(from, to, *arg)),
            (Scalar::Float(from), Scalar::Int(to)) => Ok(float::to_int(from, to, *arg)),
            (Scalar::Float(from), Scalar::Float(to)) => Ok(float::to_float(from, to, *arg)),
            (Scalar::Bool, Scalar::Float(_)) | (Scalar::Int(_) | Scalar::Float(_), Scalar::Bool) => {
                Err(broken(format!("conversion from {from:?} to {to:?}")))
            }
        }
    }

    fn overflows(op: BinaryOp, ty: IntType, lhs: &u64, rhs: &u64) -> Result<u64, Halt> {
        Ok(int::overflows(op, ty, *lhs, *rhs).into())
    }

    fn fits(from: FloatType, to: IntType, arg: &u64) -> Result<u64, Halt> {
        Ok(float::fits(from, to, *arg).into())
    }

    fn same(lhs: &u64, rhs: &u64) -> u64 {
        (lhs == rhs).into()
    }

    fn intrinsic(
        function: Intrinsic,
        args: &[u64],
        texts: &mut Texts,
        language: Language,
    ) -> Result<u64, Halt> {
        intrinsic::intrinsic(function, args, texts, language)
    }

    fn is_inexact(function: Intrinsic, args: &[u64], result: &u64) -> bool {
        rounding::is_inexact(function, args, *result)
    }

    fn perturbed(function: Intrinsic, args: &[u64], result: u64, perturbation: Perturbation) -> u64 {
        rounding::perturbed(function, args, result, perturbation)
    }

    fn shows_nan(function: Intrinsic, args: &[u64]) -> bool {
        intrinsic::shows_nan(function, args)
    }

    fn scalar_from_value(value: &Value, ty: Scalar) -> Option<u64> {
        match (ty, value) {
            (Scalar::Bool, Value::Bool(value)) => Some((*value).into()),
            (Scalar::Int(ty), Value::Int(value)) if ty.contains(*value) => Some(*value as u64),
            (Scalar::Float(FloatType::F32), Value::F32(bits)) => {
                Some(bits_of_f32(f32::from_bits(*bits)).into())
            }
            (Scalar::Float(FloatType::F64), Value::F64(bits)) => Some(bits_of_f64(f64::from_bits(*bits))),
            (Scalar::Bool | Scalar::Int(_) | Scalar::Float(_), _) => None,
        }
    }

    fn scalar_to_value(slot: &u64, ty: Scalar) -> Value {
        match ty {
            Scalar::Bool => Value::Bool(*slot != 0),
            Scalar::Int(ty) => Value::Int(int::value(ty, *slot)),
            Scalar::Float(FloatType::F32) => Value::F32(*slot as u32),
            Scalar::Float(FloatType::F64) => Value::F64(*slot),
        }
    }

    fn is_undefined(_slot: &u64) -> bool {
        false
    }

    fn keys_of(ty: Scalar) -> Option<u64> {
        match ty {
            Scalar::Bool => Some(2),
            Scalar::Int(ty) if ty.width < 64 => Some(1 << ty.width),
            // Nobody lists that many.
            Scalar::Int(_) | Scalar::Float(_) => None,
        }
    }
}

fn boolean(op: BinaryOp, lhs: u64, rhs: u64) -> Result<u64, Halt> {
    Ok(match op {
        BinaryOp::And => lhs & rhs,
        BinaryOp::Or => lhs | rhs,
        BinaryOp::Xor | BinaryOp::Ne => lhs ^ rhs,
        BinaryOp::Eq => lhs ^ rhs ^ 1,
        BinaryOp::Lt => (lhs < rhs).into(),
        BinaryOp::Le => (lhs <= rhs).into(),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
            return Err(broken(format!("{op:?} of booleans")));
        }
        BinaryOp::Shl | BinaryOp::Shr => return Err(broken(format!("{op:?} of booleans"))),
    })
}

//! `math` numbers: all integers and the reals. Over-approximating: real numbers that are not known exactly are
//! enclosed, and a run that would depend on more than the enclosure says is undecided.

mod decimal;
mod elementary;
mod integer;
mod intrinsic;
mod number;
mod real;
mod roots;
mod rounding;

use ir::{BinaryOp, Const, FloatType, IntType, Intrinsic, Language, Scalar, UnaryOp};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;

use crate::Value;
use crate::domain::Domain;
use crate::halt::{Halt, broken, undecided};
use crate::texts::Texts;

pub(crate) use number::Num;

pub(crate) struct Math;

impl Domain for Math {
    type Slot = Num;

    fn handle(number: u32) -> Num {
        Num::Int(number.into())
    }

    fn number(slot: &Num) -> Result<u32, Halt> {
        match slot {
            Num::Int(number) => u32::try_from(*number).map_err(|_| broken("a number is used as a reference")),
            Num::Big(_) | Num::Ratio(_) | Num::Between(_) => Err(broken("a number is used as a reference")),
            Num::Undefined => Err(undecided("an undefined text, map or reference is used")),
        }
    }

    fn truth(slot: &Num) -> Result<bool, Halt> {
        match slot {
            Num::Int(value) => Ok(*value != 0),
            Num::Big(_) | Num::Ratio(_) | Num::Between(_) => Err(broken("a number is used as a condition")),
            Num::Undefined => Err(undecided("a condition depends on an undefined value")),
        }
    }

    fn index(slot: &Num) -> Result<i64, Halt> {
        match slot {
            Num::Int(value) => Ok(*value),
            Num::Big(value) => Ok(if value.is_negative() { i64::MIN } else { i64::MAX }),
            Num::Ratio(_) | Num::Between(_) => Err(broken("a fraction is used as an index")),
            Num::Undefined => Err(undecided("an index or a length is undefined")),
        }
    }

    fn from_index(index: i64) -> Num {
        Num::Int(index)
    }

    fn is_exact(slot: &Num) -> bool {
        !matches!(slot, Num::Between(_) | Num::Undefined)
    }

    fn extra_steps(slot: &Num) -> u64 {
        slot.extra_steps()
    }

    fn constant(constant: &Const) -> Option<Num> {
        match constant {
            Const::Bool(value) => Some(Num::bool(*value)),
            Const::Int(_, value) => Num::integer((*value).into()).ok(),
            Const::F32(bits) => Some(real_of_bits(FloatType::F32, (*bits).into())),
            Const::F64(bits) => Some(real_of_bits(FloatType::F64, *bits)),
            Const::Text(_) | Const::NullText | Const::Null | Const::Static(_) => None,
            Const::Record(_) | Const::Map(..) => None,
        }
    }

    fn unary(op: UnaryOp, ty: Scalar, arg: &Num) -> Result<Num, Halt> {
        match ty {
            Scalar::Bool | Scalar::Int(_) => integer::unary(op, arg),
            Scalar::Float(_) => Ok(real::negate(arg)),
        }
    }

    fn binary(op: BinaryOp, ty: Scalar, lhs: &Num, rhs: &Num) -> Result<Num, Halt> {
        match ty {
            Scalar::Int(ty) => integer::binary(op, ty, lhs, rhs),
            // On 0 and 1 the operators on bits are those on booleans.
            Scalar::Bool => integer::binary(op, IntType::I32, lhs, rhs),
            Scalar::Float(_) => real::binary(op, lhs, rhs),
        }
    }

    fn convert(from: Scalar, to: Scalar, arg: &Num) -> Result<Num, Halt> {
        if let (Scalar::Float(_), Scalar::Int(_)) = (from, to) {
            let Some(value) = arg.real() else { return Ok(Num::Undefined) };
            let whole = value.map_rising(BigRational::trunc);
            if !whole.is_exact() {
                return Err(undecided("the whole part of an enclosed number is not known"));
            }
            return Num::integer(whole.low().to_integer());
        }
        Ok(arg.clone())
    }

    fn overflows(_op: BinaryOp, _ty: IntType, _lhs: &Num, _rhs: &Num) -> Result<Num, Halt> {
        Ok(Num::bool(false))
    }

    fn fits(_from: FloatType, _to: IntType, _arg: &Num) -> Result<Num, Halt> {
        Ok(Num::bool(true))
    }

    fn same(lhs: &Num, rhs: &Num) -> Num {
        if Self::is_undefined(lhs) || Self::is_undefined(rhs) {
            Num::Undefined
        } else {
            Num::bool(lhs == rhs)
        }
    }

    fn intrinsic(
        function: Intrinsic,
        args: &[Num],
        texts: &mut Texts,
        _language: Language,
    ) -> Result<Num, Halt> {
        intrinsic::intrinsic(function, args, texts)
    }

    fn unknown(_slot: Num) -> Num {
        Num::Undefined
    }

    fn settled(slot: Num, zero: &Num) -> Num {
        if Self::is_undefined(&slot) { zero.clone() } else { slot }
    }

    /// Floats of an input stand for their shortest decimals, as those in the program do.
    fn scalar_from_value(value: &Value, ty: Scalar) -> Option<Num> {
        match (ty, value) {
            (_, Value::Undefined) => Some(Num::Undefined),
            (Scalar::Bool, Value::Bool(value)) => Some(Num::bool(*value)),
            (Scalar::Int(ty), Value::Int(value)) => integer_input(ty, (*value).into()),
            (Scalar::Int(ty), Value::Big(value)) => integer_input(ty, value.clone()),
            (Scalar::Float(FloatType::F32), Value::F32(bits)) => {
                Some(real_of_bits(FloatType::F32, (*bits).into()))
            }
            (Scalar::Float(FloatType::F64), Value::F64(bits)) => Some(real_of_bits(FloatType::F64, *bits)),
            (Scalar::Float(_), Value::Real(enclosure)) => Some(Num::enclosed(enclosure.clone())),
            (Scalar::Bool | Scalar::Int(_) | Scalar::Float(_), _) => None,
        }
    }

    fn scalar_to_value(slot: &Num, ty: Scalar) -> Value {
        match (ty, slot) {
            (_, Num::Undefined) => Value::Undefined,
            (Scalar::Bool, _) => Value::Bool(*slot == Num::Int(1)),
            (Scalar::Float(_), _) => slot.real().map_or(Value::Undefined, Value::Real),
            (Scalar::Int(_), _) => slot.to_integer().map_or(Value::Undefined, Value::integer),
        }
    }

    fn is_undefined(slot: &Num) -> bool {
        *slot == Num::Undefined
    }

    fn keys_of(ty: Scalar) -> Option<u64> {
        match ty {
            Scalar::Bool => Some(2),
            Scalar::Int(_) | Scalar::Float(_) => None,
        }
    }
}

/// Inputs of unsigned types are not negative.
fn integer_input(ty: IntType, value: BigInt) -> Option<Num> {
    if !ty.signed && value.is_negative() { None } else { Num::integer(value).ok() }
}

fn real_of_bits(ty: FloatType, bits: u64) -> Num {
    decimal::of_bits(ty, bits).map_or(Num::Undefined, Num::rational)
}

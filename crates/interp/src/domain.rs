//! What a number model must say for programs to run in it.

use std::fmt::Debug;
use std::hash::Hash;

use ir::{BinaryOp, Const, FloatType, IntType, Intrinsic, Language, Scalar, Type, UnaryOp};

use crate::Value;
use crate::halt::Halt;
use crate::texts::Texts;

/// Another implementation of the inexact functions, by its number; 0 is our own.
pub(crate) type Perturbation = u32;

/// What a run takes for granted of what languages leave open.
#[derive(Clone, Copy, Default)]
pub(crate) struct Implementation {
    pub(crate) perturbation: Perturbation,
    /// Nothing is known of what was never written: what depends on it is undefined.
    pub(crate) doubting: bool,
}

/// A number model. Slots hold scalars, and the numbers of texts, maps and objects.
/// Equality of slots is sameness of what they hold if both are exact.
pub(crate) trait Domain {
    type Slot: Clone + Eq + Ord + Hash + Debug;

    /// A boolean, or the number of a text, map or object.
    fn handle(number: u32) -> Self::Slot;
    /// The number of a text, map or object; an undefined one cannot be followed.
    fn number(slot: &Self::Slot) -> Result<u32, Halt>;
    fn truth(slot: &Self::Slot) -> Result<bool, Halt>;
    /// An index or a length. Values beyond i64 come out as its ends: no object is that large.
    fn index(slot: &Self::Slot) -> Result<i64, Halt>;
    fn from_index(index: i64) -> Self::Slot;
    /// Whether equality of this slot with another one is sameness of the values.
    fn is_exact(slot: &Self::Slot) -> bool;

    /// How many more steps the computation of this value counts.
    fn extra_steps(slot: &Self::Slot) -> u64;

    /// A constant of a scalar type.
    fn constant(constant: &Const) -> Option<Self::Slot>;
    fn unary(op: UnaryOp, ty: Scalar, arg: &Self::Slot) -> Result<Self::Slot, Halt>;
    fn binary(op: BinaryOp, ty: Scalar, lhs: &Self::Slot, rhs: &Self::Slot) -> Result<Self::Slot, Halt>;
    fn convert(from: Scalar, to: Scalar, arg: &Self::Slot) -> Result<Self::Slot, Halt>;
    fn overflows(op: BinaryOp, ty: IntType, lhs: &Self::Slot, rhs: &Self::Slot) -> Result<Self::Slot, Halt>;
    fn fits(from: FloatType, to: IntType, arg: &Self::Slot) -> Result<Self::Slot, Halt>;
    /// Whether two handles are the same.
    fn same(lhs: &Self::Slot, rhs: &Self::Slot) -> Self::Slot;
    fn intrinsic(
        function: Intrinsic,
        args: &[Self::Slot],
        texts: &mut Texts,
        language: Language,
    ) -> Result<Self::Slot, Halt>;

    /// Whether implementations of a function may give other results than this one.
    fn is_inexact(_function: Intrinsic, _args: &[Self::Slot], _result: &Self::Slot) -> bool {
        false
    }

    /// The result in another implementation.
    fn perturbed(
        _function: Intrinsic,
        _args: &[Self::Slot],
        result: Self::Slot,
        _perturbation: Perturbation,
    ) -> Self::Slot {
        result
    }

    /// Whether a function shows the sign or the digits of a NaN, which C leaves open.
    fn shows_nan(_function: Intrinsic, _args: &[Self::Slot]) -> bool {
        false
    }

    /// What a place holds of which nothing is known; the same as before in models that cannot say so.
    fn unknown(slot: Self::Slot) -> Self::Slot {
        slot
    }

    /// What a place holds after somebody wrote there what a run has there.
    fn settled(slot: Self::Slot, _zero: &Self::Slot) -> Self::Slot {
        slot
    }

    /// A scalar of an input.
    fn scalar_from_value(value: &Value, ty: Scalar) -> Option<Self::Slot>;
    fn scalar_to_value(slot: &Self::Slot, ty: Scalar) -> Value;
    /// Whether the slot has no meaning, whatever its type.
    fn is_undefined(slot: &Self::Slot) -> bool;
    /// How many keys a scalar type has, if finitely many.
    fn keys_of(ty: Scalar) -> Option<u64>;
}

/// How many keys maps from a type have, if few enough to be all listed.
pub(crate) fn keys_of<D: Domain>(ty: &Type) -> Option<u64> {
    match ty {
        Type::Bool => D::keys_of(Scalar::Bool),
        Type::Int(ty) => D::keys_of(Scalar::Int(*ty)),
        Type::Float(ty) => D::keys_of(Scalar::Float(*ty)),
        Type::Text | Type::Ref(_) | Type::Map(..) => None,
        Type::Record(fields) => {
            fields.iter().try_fold(1_u64, |keys, field| keys.checked_mul(keys_of::<D>(field)?))
        }
    }
}

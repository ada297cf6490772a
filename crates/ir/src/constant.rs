//! Values that stand in the program text.

use crate::{FloatType, IntType, StaticId, Target, Type};

/// A constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Const {
    Bool(bool),
    /// An integer; the value lies in the range of its type.
    Int(IntType, i128),
    /// The bits of a float, NaN in its canonical form.
    /// Under `math` numbers it stands for the shortest decimal that reads back as these bits.
    F32(u32),
    F64(u64),
    Text(Vec<u16>),
    NullText,
    /// The null reference.
    Null,
    /// The reference to a static object.
    Static(StaticId),
    Record(Vec<Const>),
    /// The map that has the value at every key of the type.
    Map(Type, Box<Const>),
}

impl Const {
    pub fn int(ty: IntType, value: i128) -> Const {
        assert!(ty.contains(value), "an integer constant should be in the range of its type");
        Const::Int(ty, value)
    }

    pub fn i32(value: i32) -> Const {
        Const::Int(IntType::I32, value.into())
    }

    pub fn f64(value: f64) -> Const {
        Const::F64(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() })
    }

    pub fn f32(value: f32) -> Const {
        Const::F32(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
    }

    pub fn text(text: &str) -> Const {
        Const::Text(text.encode_utf16().collect())
    }

    /// The value that fresh cells of a type hold: zero, false, null.
    pub fn zero(ty: &Type) -> Const {
        match ty {
            Type::Bool => Const::Bool(false),
            Type::Int(ty) => Const::Int(*ty, 0),
            Type::Float(FloatType::F32) => Const::F32(0),
            Type::Float(FloatType::F64) => Const::F64(0),
            Type::Text => Const::NullText,
            Type::Ref(_) => Const::Null,
            Type::Record(fields) => Const::Record(fields.iter().map(Const::zero).collect()),
            Type::Map(key, value) => Const::Map((**key).clone(), Box::new(Const::zero(value))),
        }
    }

    /// The constant and all inside of it, the outer ones first.
    pub fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Const)) {
        visit(self);
        match self {
            Const::Record(fields) => fields.iter().for_each(|field| field.for_each(visit)),
            Const::Map(_, value) => value.for_each(visit),
            Const::Bool(_) | Const::Int(..) | Const::F32(_) | Const::F64(_) | Const::Text(_) => {}
            Const::NullText | Const::Null | Const::Static(_) => {}
        }
    }

    /// The constant and all inside of it, to change them, the outer ones first.
    pub fn for_each_mut(&mut self, visit: &mut dyn FnMut(&mut Const)) {
        visit(self);
        match self {
            Const::Record(fields) => fields.iter_mut().for_each(|field| field.for_each_mut(visit)),
            Const::Map(_, value) => value.for_each_mut(visit),
            Const::Bool(_) | Const::Int(..) | Const::F32(_) | Const::F64(_) | Const::Text(_) => {}
            Const::NullText | Const::Null | Const::Static(_) => {}
        }
    }

    pub fn ty(&self) -> Type {
        match self {
            Const::Bool(_) => Type::Bool,
            Const::Int(ty, _) => Type::Int(*ty),
            Const::F32(_) => Type::Float(FloatType::F32),
            Const::F64(_) => Type::Float(FloatType::F64),
            Const::Text(_) | Const::NullText => Type::Text,
            Const::Null | Const::Static(_) => Type::Ref(Target::Any),
            Const::Record(fields) => Type::Record(fields.iter().map(Const::ty).collect()),
            Const::Map(key, value) => Type::Map(Box::new(key.clone()), Box::new(value.ty())),
        }
    }
}

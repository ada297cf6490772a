//! The types of the language.

use crate::ShapeId;

/// A fixed-width integer type. Under `math` numbers it stands for all integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntType {
    /// 8, 16, 32 or 64.
    pub width: u8,
    pub signed: bool,
}

impl IntType {
    pub const I8: IntType = IntType { width: 8, signed: true };
    pub const I16: IntType = IntType { width: 16, signed: true };
    pub const I32: IntType = IntType { width: 32, signed: true };
    pub const I64: IntType = IntType { width: 64, signed: true };
    pub const U8: IntType = IntType { width: 8, signed: false };
    pub const U16: IntType = IntType { width: 16, signed: false };
    pub const U32: IntType = IntType { width: 32, signed: false };
    pub const U64: IntType = IntType { width: 64, signed: false };

    /// All of them, the narrow ones first.
    pub const ALL: [IntType; 8] = [
        IntType::I8,
        IntType::U8,
        IntType::I16,
        IntType::U16,
        IntType::I32,
        IntType::U32,
        IntType::I64,
        IntType::U64,
    ];

    /// `i8` … `u64`.
    pub fn name(self) -> &'static str {
        match (self.signed, self.width) {
            (true, 8) => "i8",
            (true, 16) => "i16",
            (true, 32) => "i32",
            (true, 64) => "i64",
            (false, 8) => "u8",
            (false, 16) => "u16",
            (false, 32) => "u32",
            (false, 64) => "u64",
            _ => "i?",
        }
    }

    /// The smallest value.
    #[inline]
    pub fn min(self) -> i128 {
        if self.signed { -(1 << (self.width - 1)) } else { 0 }
    }

    /// The largest value.
    #[inline]
    pub fn max(self) -> i128 {
        if self.signed { (1 << (self.width - 1)) - 1 } else { (1 << self.width) - 1 }
    }

    /// The value of this type that is congruent to `value` modulo 2^width.
    #[inline]
    pub fn wrap(self, value: i128) -> i128 {
        let bits = value & ((1 << self.width) - 1);
        if self.signed && bits >> (self.width - 1) == 1 { bits - (1 << self.width) } else { bits }
    }

    #[inline]
    pub fn contains(self, value: i128) -> bool {
        self.min() <= value && value <= self.max()
    }

    /// The type of the same width that is unsigned.
    pub fn to_unsigned(self) -> IntType {
        IntType { signed: false, ..self }
    }

    /// The type of the same width that is signed.
    pub fn to_signed(self) -> IntType {
        IntType { signed: true, ..self }
    }
}

/// An IEEE-754 format. Under `math` numbers it stands for the reals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatType {
    F32,
    F64,
}

impl FloatType {
    pub const ALL: [FloatType; 2] = [FloatType::F32, FloatType::F64];

    /// `f32` or `f64`.
    pub fn name(self) -> &'static str {
        match self {
            FloatType::F32 => "f32",
            FloatType::F64 => "f64",
        }
    }

    /// The signed integer type that holds the bits of such a float.
    pub fn bits_type(self) -> IntType {
        match self {
            FloatType::F32 => IntType::I32,
            FloatType::F64 => IntType::I64,
        }
    }
}

/// The types that operators work on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    Bool,
    Int(IntType),
    Float(FloatType),
}

impl Scalar {
    /// `bool`, `i8` … `u64`, `f32`, `f64`.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int(ty) => ty.name(),
            Scalar::Float(ty) => ty.name(),
        }
    }

    /// The scalar type of this name.
    pub fn named(name: &str) -> Option<Scalar> {
        let ints = IntType::ALL.into_iter().map(Scalar::Int);
        let floats = FloatType::ALL.into_iter().map(Scalar::Float);
        std::iter::once(Scalar::Bool).chain(ints).chain(floats).find(|scalar| scalar.name() == name)
    }
}

/// What a reference may point to, as its declaration says.
/// Only a hint for inputs: references of all targets may be assigned to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    Any,
    /// Null, or an object of this shape or of one that has it as an ancestor.
    Shape(ShapeId),
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    Bool,
    Int(IntType),
    Float(FloatType),
    /// A sequence of UTF-16 code units, or the null text.
    Text,
    /// Null or an object of the heap.
    Ref(Target),
    /// Several values in one; a C pointer is the record of an object and a cell offset.
    Record(Vec<Type>),
    /// A total function from keys to values, itself a value.
    Map(Box<Type>, Box<Type>),
}

impl Type {
    pub const I32: Type = Type::Int(IntType::I32);
    pub const I64: Type = Type::Int(IntType::I64);
    pub const F64: Type = Type::Float(FloatType::F64);

    /// The scalar type that this is, if it is one.
    #[inline]
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Bool => Some(Scalar::Bool),
            Type::Int(ty) => Some(Scalar::Int(*ty)),
            Type::Float(ty) => Some(Scalar::Float(*ty)),
            Type::Text | Type::Ref(_) | Type::Record(_) | Type::Map(..) => None,
        }
    }

    /// A number that may be null, such as Java's `Integer`: whether it is there, and the number, which is zero if not.
    pub fn boxed(number: Scalar) -> Type {
        Type::Record(vec![Type::Bool, number.into()])
    }

    /// Whether this is a number that may be null.
    pub fn is_boxed(&self) -> bool {
        matches!(self, Type::Record(fields)
            if matches!(fields.as_slice(), [Type::Bool, number] if number.scalar().is_some()))
    }

    /// The type and all inside of it, the outer ones first.
    pub fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Type)) {
        visit(self);
        match self {
            Type::Record(fields) => fields.iter().for_each(|field| field.for_each(visit)),
            Type::Map(key, value) => [key, value].into_iter().for_each(|ty| ty.for_each(visit)),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Ref(_) => {}
        }
    }

    /// The type and all inside of it, to change them, the outer ones first.
    pub fn for_each_mut(&mut self, visit: &mut dyn FnMut(&mut Type)) {
        visit(self);
        match self {
            Type::Record(fields) => fields.iter_mut().for_each(|field| field.for_each_mut(visit)),
            Type::Map(key, value) => [key, value].into_iter().for_each(|ty| ty.for_each_mut(visit)),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Ref(_) => {}
        }
    }

    /// Whether values of the type are or contain references.
    pub fn has_references(&self) -> bool {
        let mut found = false;
        self.for_each(&mut |ty| found |= matches!(ty, Type::Ref(_)));
        found
    }

    /// Whether a value of the other type may stand where this one is expected:
    /// the same type, but for what references point to.
    pub fn accepts(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Ref(_), Type::Ref(_)) => true,
            (Type::Record(mine), Type::Record(theirs)) => {
                mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(a, b)| a.accepts(b))
            }
            (Type::Map(key, value), Type::Map(other_key, other_value)) => {
                key.accepts(other_key) && value.accepts(other_value)
            }
            _ => self == other,
        }
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        match scalar {
            Scalar::Bool => Type::Bool,
            Scalar::Int(ty) => Type::Int(ty),
            Scalar::Float(ty) => Type::Float(ty),
        }
    }
}

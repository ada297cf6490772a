//! Java's types, and what the numeric promotions make of them (JLS 5). Exact.

use ir::{FloatType, IntType, Scalar};

use crate::syntax::Primitive;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) struct $name(pub(crate) usize);
    )*};
}

ids! {
    /// A class, interface, enum or record, of the program or of the library model.
    ClassId
    /// A field of a class.
    FieldId
    /// A method or constructor.
    MethodId
}

/// The type of an expression or variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Ty {
    Primitive(Primitive),
    /// `Integer` and the like: whether there is a value, and the value.
    Boxed(Primitive),
    Void,
    /// The type of `null`.
    Null,
    Text,
    Class(ClassId),
    Array(Box<Ty>),
    /// A class that is not given, or a type parameter: references of which only the identity is known.
    Foreign(String),
    /// A type of which nothing is known. A value of it exists only after an unsupported statement.
    Unknown(String),
}

impl Ty {
    pub(crate) const BOOLEAN: Ty = Ty::Primitive(Primitive::Boolean);
    pub(crate) const CHAR: Ty = Ty::Primitive(Primitive::Char);
    pub(crate) const INT: Ty = Ty::Primitive(Primitive::Int);
    pub(crate) const LONG: Ty = Ty::Primitive(Primitive::Long);

    pub(crate) fn array_of(element: Ty) -> Ty {
        Ty::Array(Box::new(element))
    }

    /// The primitive type that this is, or that it unboxes to.
    pub(crate) fn unboxed(&self) -> Option<Primitive> {
        match self {
            Ty::Primitive(primitive) | Ty::Boxed(primitive) => Some(*primitive),
            _ => None,
        }
    }

    pub(crate) fn numeric(&self) -> Option<Primitive> {
        self.unboxed().filter(|primitive| *primitive != Primitive::Boolean)
    }

    /// How many indices lead to an element that is no array.
    pub(crate) fn dimensions(&self) -> usize {
        match self {
            Ty::Array(element) => 1 + element.dimensions(),
            _ => 0,
        }
    }

    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Ty::Unknown(_))
    }

    /// Whether values of this type are references of which only the identity is known.
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self, Ty::Foreign(_))
    }

    /// A type parameter.
    pub(crate) fn parameter(name: &str) -> Ty {
        Ty::Foreign(format!("{TYPE_PARAMETER}{name}"))
    }

    /// The type of what unknown code gives where nothing says what that is.
    pub(crate) fn of_result() -> Ty {
        Ty::Foreign("?".to_owned())
    }

    /// The type of what is one of several classes that are not given.
    pub(crate) fn of_objects() -> Ty {
        Ty::parameter("")
    }

    /// Whether values may be objects of all classes, those that are given included.
    pub(crate) fn may_be_any_object(&self) -> bool {
        matches!(self, Ty::Foreign(name) if name == "?" || name.starts_with(TYPE_PARAMETER))
    }

    pub(crate) fn is_reference(&self) -> bool {
        !matches!(self, Ty::Primitive(_) | Ty::Void)
    }
}

/// How the names of type parameters begin.
const TYPE_PARAMETER: &str = "? ";

impl Primitive {
    pub(crate) const ALL: [Primitive; 8] = [
        Primitive::Boolean,
        Primitive::Byte,
        Primitive::Short,
        Primitive::Char,
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Primitive::Boolean => "boolean",
            Primitive::Byte => "byte",
            Primitive::Short => "short",
            Primitive::Char => "char",
            Primitive::Int => "int",
            Primitive::Long => "long",
            Primitive::Float => "float",
            Primitive::Double => "double",
        }
    }

    pub(crate) fn box_name(self) -> &'static str {
        match self {
            Primitive::Boolean => "Boolean",
            Primitive::Byte => "Byte",
            Primitive::Short => "Short",
            Primitive::Char => "Character",
            Primitive::Int => "Integer",
            Primitive::Long => "Long",
            Primitive::Float => "Float",
            Primitive::Double => "Double",
        }
    }

    pub(crate) fn scalar(self) -> Scalar {
        match self {
            Primitive::Boolean => Scalar::Bool,
            Primitive::Byte => Scalar::Int(IntType::I8),
            Primitive::Short => Scalar::Int(IntType::I16),
            Primitive::Char => Scalar::Int(IntType::U16),
            Primitive::Int => Scalar::Int(IntType::I32),
            Primitive::Long => Scalar::Int(IntType::I64),
            Primitive::Float => Scalar::Float(FloatType::F32),
            Primitive::Double => Scalar::Float(FloatType::F64),
        }
    }

    /// The integer type, if it is one.
    pub(crate) fn int_type(self) -> Option<IntType> {
        match self.scalar() {
            Scalar::Int(ty) => Some(ty),
            Scalar::Bool | Scalar::Float(_) => None,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Primitive::Float | Primitive::Double)
    }

    /// Unary numeric promotion (JLS 5.6).
    pub(crate) fn promoted(self) -> Primitive {
        match self {
            Primitive::Byte | Primitive::Short | Primitive::Char => Primitive::Int,
            other => other,
        }
    }

    /// Binary numeric promotion (JLS 5.6).
    pub(crate) fn common(self, other: Primitive) -> Primitive {
        [Primitive::Double, Primitive::Float, Primitive::Long]
            .into_iter()
            .find(|wide| self == *wide || other == *wide)
            .unwrap_or(Primitive::Int)
    }

    /// Whether a value widens to the other type without a cast (JLS 5.1.2), or is of it.
    pub(crate) fn widens_to(self, other: Primitive) -> bool {
        let rank = |primitive| match primitive {
            Primitive::Byte => 1,
            Primitive::Short => 2,
            Primitive::Char => 2,
            Primitive::Int => 3,
            Primitive::Long => 4,
            Primitive::Float => 5,
            Primitive::Double => 6,
            Primitive::Boolean => 0,
        };
        self == other
            || (self != Primitive::Boolean
                && other != Primitive::Boolean
                && other != Primitive::Char
                && rank(self) < rank(other))
    }
}

//! The types that generated Java programs use, and the conversions between them.

use ir::IntType;

use crate::datum::Kind;

/// A primitive type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Prim {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

/// A type of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Prim(Prim),
    Text,
    Array(Prim),
    /// `int[][]`.
    Grid,
    /// The class `Base` of the program, which `Derived` extends.
    Object,
    /// The enum `Color` of the program.
    Color,
}

pub(crate) const NUMERIC: [Prim; 7] =
    [Prim::Byte, Prim::Short, Prim::Char, Prim::Int, Prim::Long, Prim::Float, Prim::Double];
pub(crate) const INTEGRAL: [Prim; 5] = [Prim::Byte, Prim::Short, Prim::Char, Prim::Int, Prim::Long];

impl Prim {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Prim::Boolean => "boolean",
            Prim::Byte => "byte",
            Prim::Short => "short",
            Prim::Char => "char",
            Prim::Int => "int",
            Prim::Long => "long",
            Prim::Float => "float",
            Prim::Double => "double",
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Prim::Boolean => Kind::Bool,
            Prim::Byte => Kind::Int(IntType::I8),
            Prim::Short => Kind::Int(IntType::I16),
            Prim::Char => Kind::Int(IntType::U16),
            Prim::Int => Kind::Int(IntType::I32),
            Prim::Long => Kind::Int(IntType::I64),
            Prim::Float => Kind::F32,
            Prim::Double => Kind::F64,
        }
    }

    pub(crate) fn is_integral(self) -> bool {
        INTEGRAL.contains(&self)
    }

    /// The type after unary numeric promotion.
    pub(crate) fn promoted(self) -> Prim {
        self.max(Prim::Int)
    }

    /// The type after binary numeric promotion.
    pub(crate) fn common(self, other: Prim) -> Prim {
        self.promoted().max(other.promoted())
    }

    /// Whether a value may be assigned to the other type without a cast.
    pub(crate) fn widens_to(self, to: Prim) -> bool {
        match (self, to) {
            _ if self == to => true,
            (Prim::Boolean, _) | (_, Prim::Boolean) | (_, Prim::Char | Prim::Byte) => false,
            (Prim::Char, Prim::Short) => false,
            _ => self < to,
        }
    }
}

impl Ty {
    pub(crate) const INT: Ty = Ty::Prim(Prim::Int);
    pub(crate) const BOOLEAN: Ty = Ty::Prim(Prim::Boolean);

    pub(crate) fn name(self) -> String {
        match self {
            Ty::Prim(prim) => prim.name().to_owned(),
            Ty::Text => "String".to_owned(),
            Ty::Array(prim) => format!("{}[]", prim.name()),
            Ty::Grid => "int[][]".to_owned(),
            Ty::Object => "Base".to_owned(),
            Ty::Color => "Color".to_owned(),
        }
    }

    /// The kind of the values, for types that inputs and results can have.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Ty::Prim(prim) => prim.kind(),
            Ty::Text => Kind::Text,
            Ty::Array(prim) => Kind::Array(Box::new(prim.kind())),
            Ty::Grid | Ty::Object | Ty::Color => unreachable!("inputs and results should be plain values"),
        }
    }
}

//! The types that generated C programs use, and what the language does with them on x86-64 Linux.

use ir::IntType;

use crate::datum::Kind;

/// An arithmetic type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prim {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Float,
    Double,
}

pub(crate) const ALL: [Prim; 14] = [
    Prim::Bool,
    Prim::Char,
    Prim::SignedChar,
    Prim::UnsignedChar,
    Prim::Short,
    Prim::UnsignedShort,
    Prim::Int,
    Prim::Unsigned,
    Prim::Long,
    Prim::UnsignedLong,
    Prim::LongLong,
    Prim::UnsignedLongLong,
    Prim::Float,
    Prim::Double,
];

/// A type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Prim(Prim),
    /// An array, or a pointer to one, of this many elements.
    Array(Prim, usize),
    /// A pointer to an element of an array, with this many elements from there on.
    Pointer(Prim, usize),
    /// A buffer of eight characters that holds a string.
    Buffer,
    /// The struct of the program, and a pointer to one.
    Struct,
    StructPointer,
}

impl Prim {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Prim::Bool => "_Bool",
            Prim::Char => "char",
            Prim::SignedChar => "signed char",
            Prim::UnsignedChar => "unsigned char",
            Prim::Short => "short",
            Prim::UnsignedShort => "unsigned short",
            Prim::Int => "int",
            Prim::Unsigned => "unsigned",
            Prim::Long => "long",
            Prim::UnsignedLong => "unsigned long",
            Prim::LongLong => "long long",
            Prim::UnsignedLongLong => "unsigned long long",
            Prim::Float => "float",
            Prim::Double => "double",
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Prim::Bool => Kind::Bool,
            Prim::Char | Prim::SignedChar => Kind::Int(IntType::I8),
            Prim::UnsignedChar => Kind::Int(IntType::U8),
            Prim::Short => Kind::Int(IntType::I16),
            Prim::UnsignedShort => Kind::Int(IntType::U16),
            Prim::Int => Kind::Int(IntType::I32),
            Prim::Unsigned => Kind::Int(IntType::U32),
            Prim::Long | Prim::LongLong => Kind::Int(IntType::I64),
            Prim::UnsignedLong | Prim::UnsignedLongLong => Kind::Int(IntType::U64),
            Prim::Float => Kind::F32,
            Prim::Double => Kind::F64,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Prim::Float | Prim::Double)
    }

    /// The type after integer promotion.
    pub(crate) fn promoted(self) -> Prim {
        match self {
            Prim::Bool
            | Prim::Char
            | Prim::SignedChar
            | Prim::UnsignedChar
            | Prim::Short
            | Prim::UnsignedShort => Prim::Int,
            _ => self,
        }
    }

    /// The type that the usual arithmetic conversions give: the later one in the order of ranks.
    pub(crate) fn common(self, other: Prim) -> Prim {
        let (a, b) = (self.promoted(), other.promoted());
        let rank = |prim| ALL.iter().position(|p| *p == prim).expect("every type should be in the list");
        match (a, b) {
            // A wider signed type holds all values of the unsigned one, but `unsigned long` beats `long long`.
            (Prim::LongLong, Prim::UnsignedLong) | (Prim::UnsignedLong, Prim::LongLong) => {
                Prim::UnsignedLongLong
            }
            _ if rank(a) >= rank(b) => a,
            _ => b,
        }
    }

    /// The width of a promoted integer type.
    pub(crate) fn width(self) -> usize {
        match self.promoted() {
            Prim::Int | Prim::Unsigned | Prim::Float => 32,
            _ => 64,
        }
    }
}

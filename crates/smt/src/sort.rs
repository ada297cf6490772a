//! The sorts (types) that terms have.

use std::fmt;

/// The sort of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Unbounded integers.
    Int,
    /// Exact real numbers.
    Real,
    /// Bit-vectors of 1 to 128 bits.
    BitVec(u32),
    /// IEEE-754 numbers with a single NaN.
    Float(FloatFormat),
    /// Total maps from the first sort to the second.
    Array(Box<Sort>, Box<Sort>),
    /// Sequences of UTF-16 code units, and the one value `null`.
    Text,
    /// A sort of which nothing is known but its name.
    Uninterpreted(String),
}

impl Sort {
    /// The sort of maps from `index` to `element`.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Box::new(index), Box::new(element))
    }

    /// The width of a bit-vector sort, if it is one.
    pub fn width(&self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// The format of a float sort, if it is one.
    pub fn format(&self) -> Option<FloatFormat> {
        match self {
            Sort::Float(format) => Some(*format),
            _ => None,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(out, "Bool"),
            Sort::Int => write!(out, "Int"),
            Sort::Real => write!(out, "Real"),
            Sort::BitVec(width) => write!(out, "bv{width}"),
            Sort::Float(format) => write!(out, "{format}"),
            Sort::Array(index, element) => write!(out, "[{index}]{element}"),
            Sort::Text => write!(out, "Text"),
            Sort::Uninterpreted(name) => write!(out, "{name}"),
        }
    }
}

/// The two IEEE-754 binary formats that Java and C have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatFormat {
    F32,
    F64,
}

impl FloatFormat {
    /// The number of bits of the format.
    pub fn width(self) -> u32 {
        self.exponent_bits() + self.significand_bits()
    }

    /// The number of exponent bits.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatFormat::F32 => 8,
            FloatFormat::F64 => 11,
        }
    }

    /// The number of significand bits, the hidden one included.
    pub fn significand_bits(self) -> u32 {
        match self {
            FloatFormat::F32 => 24,
            FloatFormat::F64 => 53,
        }
    }

    /// The bits that stand for NaN everywhere in this crate; Java's `doubleToLongBits` agrees.
    pub fn canonical_nan(self) -> u64 {
        match self {
            FloatFormat::F32 => 0x7fc0_0000,
            FloatFormat::F64 => 0x7ff8_0000_0000_0000,
        }
    }
}

impl fmt::Display for FloatFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FloatFormat::F32 => write!(out, "f32"),
            FloatFormat::F64 => write!(out, "f64"),
        }
    }
}

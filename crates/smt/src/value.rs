//! Concrete values: literals in terms, results of evaluation, and what models say.

use crate::sort::{FloatFormat, Sort};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use std::fmt;

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(BigInt),
    Real(BigRational),
    /// Bits above `width` are zero.
    BitVec {
        bits: u128,
        width: u32,
    },
    /// A NaN always has the canonical bits.
    Float {
        bits: u64,
        format: FloatFormat,
    },
    /// Entries that equal the default are left out, so that equal arrays are equal values.
    Array {
        default: Box<Value>,
        entries: BTreeMap<Value, Value>,
    },
    /// UTF-16 code units; `None` is `null`.
    Text(Option<Box<[u16]>>),
    /// An element of an uninterpreted sort, or a text of which only the identity is known.
    Opaque(u64),
}

impl Value {
    /// A bit-vector; bits above the width are dropped.
    pub fn bit_vec(bits: u128, width: u32) -> Value {
        Value::BitVec { bits: bits & mask(width), width }
    }

    /// A float; every NaN becomes the canonical one.
    pub fn float(bits: u64, format: FloatFormat) -> Value {
        let is_nan = match format {
            FloatFormat::F32 => f32::from_bits(bits as u32).is_nan(),
            FloatFormat::F64 => f64::from_bits(bits).is_nan(),
        };
        let bits = match (is_nan, format) {
            (true, _) => format.canonical_nan(),
            (false, FloatFormat::F32) => u64::from(bits as u32),
            (false, FloatFormat::F64) => bits,
        };
        Value::Float { bits, format }
    }

    /// The double-precision value of a Rust number.
    pub fn f64(number: f64) -> Value {
        Value::float(number.to_bits(), FloatFormat::F64)
    }

    /// The single-precision value of a Rust number.
    pub fn f32(number: f32) -> Value {
        Value::float(u64::from(number.to_bits()), FloatFormat::F32)
    }

    /// An array; entries that equal the default are dropped.
    pub fn array(default: Value, entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let entries = entries.into_iter().filter(|(_, value)| *value != default).collect();
        Value::Array { default: Box::new(default), entries }
    }

    /// A text that is not `null`.
    pub fn text(units: &[u16]) -> Value {
        Value::Text(Some(units.into()))
    }

    /// The element of an array at an index; `None` when this is no array.
    pub fn element(&self, index: &Value) -> Option<&Value> {
        match self {
            Value::Array { default, entries } => Some(entries.get(index).unwrap_or(default)),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bits of a bit-vector read as an unsigned number.
    pub fn as_unsigned(&self) -> Option<u128> {
        match self {
            Value::BitVec { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// The bits of a bit-vector read as a two's-complement number.
    pub fn as_signed(&self) -> Option<i128> {
        match self {
            Value::BitVec { bits, width } => Some(to_signed(*bits, *width)),
            _ => None,
        }
    }

    /// Some value of the sort: false, zero, the empty text, everywhere that.
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(BigRational::zero()),
            Sort::BitVec(width) => Value::bit_vec(0, *width),
            Sort::Float(format) => Value::float(0, *format),
            Sort::Array(_, element) => Value::array(Value::default_of(element), []),
            Sort::Text => Value::text(&[]),
            Sort::Uninterpreted(_) => Value::Opaque(0),
        }
    }

    /// Whether this is a value of the sort.
    pub fn has_sort(&self, sort: &Sort) -> bool {
        match (self, sort) {
            (Value::Bool(_), Sort::Bool)
            | (Value::Int(_), Sort::Int)
            | (Value::Real(_), Sort::Real)
            | (Value::Text(_), Sort::Text)
            | (Value::Opaque(_), Sort::Uninterpreted(_) | Sort::Text) => true,
            (Value::BitVec { width, .. }, Sort::BitVec(wanted)) => width == wanted,
            (Value::Float { format, .. }, Sort::Float(wanted)) => format == wanted,
            (Value::Array { default, entries }, Sort::Array(index, element)) => {
                default.has_sort(element)
                    && entries.iter().all(|(at, value)| at.has_sort(index) && value.has_sort(element))
            }
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(out, "{value}"),
            Value::Int(value) => write!(out, "{value}"),
            Value::Real(value) if value.denom().is_one() => write!(out, "{}.0", value.numer()),
            Value::Real(value) => write!(out, "{value}"),
            Value::BitVec { bits, width } => write!(out, "{}:{width}", to_signed(*bits, *width)),
            Value::Float { bits, format: FloatFormat::F32 } => {
                write!(out, "{:?}f", f32::from_bits(*bits as u32))
            }
            Value::Float { bits, format: FloatFormat::F64 } => write!(out, "{:?}", f64::from_bits(*bits)),
            Value::Array { default, entries } => {
                write!(out, "[")?;
                for (index, value) in entries {
                    write!(out, "{index} -> {value}, ")?;
                }
                write!(out, "else {default}]")
            }
            Value::Text(None) => write!(out, "null"),
            Value::Text(Some(units)) => write!(out, "{:?}", String::from_utf16_lossy(units)),
            Value::Opaque(number) => write!(out, "#{number}"),
        }
    }
}

/// The largest bit-vector of a width, as bits.
pub(crate) fn mask(width: u32) -> u128 {
    assert!((1..=128).contains(&width), "bit-vectors should have 1 to 128 bits, not {width}");
    u128::MAX >> (128 - width)
}

/// Two's-complement reading of the low `width` bits.
pub(crate) fn to_signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

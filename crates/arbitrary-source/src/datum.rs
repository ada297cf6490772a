//! Values as both worlds write them: the compiled programs and our interpreter.
//!
//! The text is exact: integers in decimal, floats as the hexadecimal digits of their bits (one NaN), texts by code
//! units. The harnesses `Harness.java` and `harness.c` read and write the same.

use std::fmt;

use ir::IntType;

use crate::choices::Choices;

/// The kinds of values that go into and come out of a generated program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Bool,
    Int(IntType),
    F32,
    F64,
    Text,
    /// An array of any length; `null` may stand for it.
    Array(Box<Kind>),
    /// An array of this length, which is hardly ever `null`.
    Fixed(Box<Kind>, usize),
    /// The characters of a C string, with its zero.
    CString,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Datum {
    Bool(bool),
    Int(i128),
    F32(u32),
    F64(u64),
    Text(Vec<u16>),
    Array(Vec<Datum>),
    Null,
    /// The same array as the argument with this number.
    SameAs(usize),
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Bool(value) => write!(f, "{}", u8::from(*value)),
            Datum::Int(value) => write!(f, "{value}"),
            Datum::F32(bits) if f32::from_bits(*bits).is_nan() => f.write_str("NaN"),
            Datum::F64(bits) if f64::from_bits(*bits).is_nan() => f.write_str("NaN"),
            Datum::F32(bits) => write!(f, "x{bits:08x}"),
            Datum::F64(bits) => write!(f, "x{bits:016x}"),
            Datum::Text(units) => {
                f.write_str("s")?;
                units.iter().try_for_each(|unit| write!(f, "{unit:04x}"))
            }
            Datum::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Datum::Null => f.write_str("null"),
            Datum::SameAs(argument) => write!(f, "@{argument}"),
        }
    }
}

impl Datum {
    /// The same bits, read as values of the kind.
    pub fn of_kind(self, kind: &Kind) -> Datum {
        match (self, kind) {
            (Datum::Int(value), Kind::Int(ty)) => Datum::Int(ty.wrap(value)),
            (Datum::Int(value), Kind::Bool) => Datum::Bool(value != 0),
            (Datum::Array(items), Kind::Array(item) | Kind::Fixed(item, _)) => {
                Datum::Array(items.into_iter().map(|value| value.of_kind(item)).collect())
            }
            (other, _) => other,
        }
    }
}

/// A value of a kind: often one at which operators behave in a special way.
pub fn random(kind: &Kind, choices: &mut Choices) -> Datum {
    match kind {
        Kind::Bool => Datum::Bool(choices.percent(50)),
        Kind::Int(ty) => Datum::Int(random_int(*ty, choices)),
        Kind::F32 => Datum::F32((random_float(choices) as f32).to_bits()),
        Kind::F64 => Datum::F64(random_float(choices).to_bits()),
        Kind::Text => random_text(choices),
        Kind::Array(_) if choices.percent(7) => Datum::Null,
        Kind::Array(item) => {
            let length = choices.weighted(&[(1, 0), (1, 1), (2, 3), (6, 4), (3, 5)]);
            Datum::Array((0..length).map(|_| random(item, choices)).collect())
        }
        Kind::Fixed(..) if choices.percent(3) => Datum::Null,
        Kind::Fixed(item, length) => Datum::Array((0..*length).map(|_| random(item, choices)).collect()),
        Kind::CString => {
            let word = choices.pick(&["", "a", "b", "ab", "abc", "xyz", "12", "A z"]);
            Datum::Array(word.bytes().chain([0]).map(|byte| Datum::Int(byte.into())).collect())
        }
    }
}

fn random_int(ty: IntType, choices: &mut Choices) -> i128 {
    match choices.below(10) {
        0 => ty.min(),
        1 => ty.max(),
        2 => ty.wrap(ty.max() - choices.below(4) as i128),
        3 => ty.wrap(i128::from(choices.bits())),
        4 => ty.wrap(1 << choices.below(usize::from(ty.width))),
        5 => ty.wrap(choices.below(256) as i128),
        _ => ty.wrap(choices.below(21) as i128 - 10),
    }
}

fn random_float(choices: &mut Choices) -> f64 {
    const SPECIAL: [f64; 22] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        0.1,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        2147483647.0,
        2147483648.0,
        -2147483649.0,
        9007199254740993.0,
        9.3e18,
        1e-45,
        3.4e38,
    ];
    match choices.below(10) {
        0..5 => choices.pick(&SPECIAL),
        5 => f64::from_bits(choices.bits()),
        6 => f64::from(f32::from_bits(choices.bits() as u32)),
        7 => choices.below(1 << 20) as f64 / 1024.0,
        _ => choices.below(21) as f64 - 10.0,
    }
}

fn random_text(choices: &mut Choices) -> Datum {
    match choices.below(12) {
        0 => Datum::Null,
        1 => Datum::Text(vec![choices.bits() as u16, choices.bits() as u16]),
        _ => {
            let words = ["", "a", "b", "ab", "abc", "xyz", "-12", "7", "Hello", "a b", "aaa"];
            Datum::Text(choices.pick(&words).encode_utf16().collect())
        }
    }
}

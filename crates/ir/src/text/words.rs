//! How names and texts are written: bare when they look like names, quoted otherwise.

use crate::{FloatType, IntType, Type};

/// Words with a meaning of their own; things of these names are quoted.
pub(super) const RESERVED: [&str; 51] = [
    "abstract",
    "any",
    "as",
    "assert",
    "assume",
    "assuming",
    "break",
    "call",
    "catch",
    "check",
    "closed",
    "const",
    "continue",
    "else",
    "error",
    "extern",
    "false",
    "fields",
    "file",
    "fixed",
    "free",
    "global",
    "if",
    "indexed",
    "inf",
    "load",
    "loop",
    "map",
    "nan",
    "new",
    "new_unwritten",
    "null",
    "null_text",
    "print",
    "print_error",
    "private",
    "proc",
    "program",
    "ref",
    "region",
    "return",
    "scope",
    "shape",
    "static",
    "store",
    "text",
    "throw",
    "true",
    "try",
    "unsupported",
    "var",
];

/// What a procedure without a body may do, as a word; the most that one may do needs none.
pub(super) fn access_word(access: crate::Access) -> &'static str {
    match access {
        crate::Access::Pure => "pure",
        crate::Access::Asks => "asks",
        crate::Access::Reads => "reads",
        crate::Access::World => "world",
        crate::Access::Streams => "streams",
        crate::Access::Shows => "shows",
        crate::Access::Writes => "writes",
    }
}

/// Whether a name may stand without quotes: `Counter.n`, `$t0`, `int[]`.
pub(super) fn is_bare(name: &str) -> bool {
    let stem = name.trim_end_matches("[]");
    stem.starts_with(starts_name)
        && stem.chars().all(continues_name)
        && RESERVED.binary_search(&name).is_err()
}

pub(super) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

pub(super) fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '.'
}

/// A name as it is written.
pub(super) fn write_name(out: &mut String, name: &str) {
    if is_bare(name) {
        out.push_str(name);
        return;
    }
    out.push('`');
    for c in name.chars() {
        match c {
            '`' | '\\' => out.extend(['\\', c]),
            _ if c.is_control() => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| write_unit(out, *unit)),
            _ => out.push(c),
        }
    }
    out.push('`');
}

/// A text as it is written: UTF-16 code units, those outside of printable ASCII as `\uXXXX`.
pub(super) fn write_text(out: &mut String, units: impl IntoIterator<Item = u16>) {
    out.push('"');
    for unit in units {
        match u8::try_from(unit) {
            Ok(byte @ (b'"' | b'\\')) => out.extend(['\\', char::from(byte)]),
            Ok(b'\n') => out.push_str("\\n"),
            Ok(b'\t') => out.push_str("\\t"),
            Ok(b'\r') => out.push_str("\\r"),
            Ok(byte @ b' '..=b'~') => out.push(char::from(byte)),
            _ => write_unit(out, unit),
        }
    }
    out.push('"');
}

fn write_unit(out: &mut String, unit: u16) {
    out.push_str(&format!("\\u{unit:04x}"));
}

/// The type of an integer literal that does not say its own, where a type is expected.
pub(super) fn default_int(expected: Option<&Type>) -> IntType {
    match expected {
        Some(Type::Int(ty)) => *ty,
        _ => IntType::I32,
    }
}

/// The type of a float literal that does not say its own, where a type is expected.
pub(super) fn default_float(expected: Option<&Type>) -> FloatType {
    match expected {
        Some(Type::Float(ty)) => *ty,
        _ => FloatType::F64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted_for_the_search() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn names_are_quoted_when_they_do_not_look_like_names() {
        for name in ["x", "Counter.n", "$str0", "int[]", "int[][]", "_", "Outer$Inner", "return0"] {
            assert!(is_bare(name), "{name}");
        }
        for name in ["", "[]", "0x", "a b", "f(int)", "return", "a[]b", "<init>", "é", ".x", "a]"] {
            assert!(!is_bare(name), "{name}");
        }
    }
}

//! The values of integer, float, character and string literals. Exact for the ASCII execution character set;
//! other characters of the source are the bytes of their UTF-8 form, as gcc has it.

use ir::{Const, Expr, IntType};
use lang_c::ast;

use crate::types::CType;

/// An integer constant has the first of the types that its suffix allows and that can hold it (C11 6.4.4.1).
pub(crate) fn integer(literal: &ast::Integer) -> Result<(Expr, CType), String> {
    if literal.suffix.imaginary {
        return Err("complex numbers".to_owned());
    }
    let base = match literal.base {
        ast::IntegerBase::Decimal => 10,
        ast::IntegerBase::Octal => 8,
        ast::IntegerBase::Hexadecimal => 16,
        ast::IntegerBase::Binary => 2,
    };
    let digits = if literal.number.is_empty() { "0" } else { &*literal.number };
    let value = i128::from_str_radix(digits, base).map_err(|_| format!("the integer `{digits}`"))?;
    let long = literal.suffix.size != ast::IntegerSize::Int;
    let unsigned = literal.suffix.unsigned;
    let decimal = base == 10;
    let candidates = [
        (IntType::I32, !long && !unsigned),
        (IntType::U32, !long && (unsigned || !decimal)),
        (IntType::I64, !unsigned),
        (IntType::U64, unsigned || !decimal),
    ];
    let fitting = candidates.iter().find(|(ty, allowed)| *allowed && ty.contains(value));
    match fitting {
        Some((ty, _)) => Ok((Expr::Const(Const::Int(*ty, value)), CType::Int(*ty))),
        None => Err(format!("the integer `{digits}`, which no integer type holds")),
    }
}

pub(crate) fn float(literal: &ast::Float) -> Result<(Expr, CType), String> {
    if literal.suffix.imaginary {
        return Err("complex numbers".to_owned());
    }
    let is_float = match &literal.suffix.format {
        ast::FloatFormat::Float => true,
        ast::FloatFormat::Double => false,
        ast::FloatFormat::LongDouble => return Err("`long double`".to_owned()),
        ast::FloatFormat::TS18661Format(format) => match format.width {
            32 => true,
            64 => false,
            width => return Err(format!("{width}-bit floats")),
        },
    };
    let number = &*literal.number;
    let bad = || format!("the number `{number}`");
    let constant = match literal.base {
        ast::FloatBase::Hexadecimal => {
            let value = hexadecimal(number).ok_or_else(bad)?;
            if is_float { Const::f32(value as f32) } else { Const::f64(value) }
        }
        // The decimal is rounded once, to the type of the constant.
        ast::FloatBase::Decimal if is_float => Const::f32(number.parse().map_err(|_| bad())?),
        ast::FloatBase::Decimal => Const::f64(number.parse().map_err(|_| bad())?),
    };
    let ty = if is_float { CType::Float(ir::FloatType::F32) } else { CType::DOUBLE };
    Ok((Expr::Const(constant), ty))
}

/// `1.8p3`; absent when there are more digits than a double holds.
fn hexadecimal(number: &str) -> Option<f64> {
    let number = number.trim_start_matches("0x").trim_start_matches("0X");
    let (mantissa, exponent) = number.split_once(['p', 'P']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = u64::from_str_radix(&format!("0{whole}{fraction}"), 16).ok()?;
    if digits >= 1 << 53 {
        return None;
    }
    let exponent: i32 = exponent.parse().ok()?;
    let scale = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    // In two steps, so that neither power leaves the range when the product does not.
    let half = scale / 2;
    let value = digits as f64 * 2_f64.powi(half) * 2_f64.powi(scale - half);
    (value.is_normal() || digits == 0).then_some(value)
}

/// A character constant is an `int`; one of a single byte has the value of that `char`.
pub(crate) fn character(literal: &str) -> Result<i128, String> {
    let Some(body) = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) else {
        return Err(format!("the wide character {literal}"));
    };
    match bytes(body)?.as_slice() {
        [byte] => Ok(IntType::I8.wrap(i128::from(*byte))),
        // gcc's value for several characters.
        many if many.len() <= 4 => {
            let value = many.iter().fold(0, |value, byte| value << 8 | i128::from(*byte));
            Ok(IntType::I32.wrap(value))
        }
        _ => Err(format!("the character constant {literal}")),
    }
}

/// The bytes of adjacent string literals, without the terminating zero.
pub(crate) fn string(literals: &[String]) -> Result<Vec<u8>, String> {
    let mut all = Vec::new();
    for literal in literals {
        let plain = literal.strip_prefix("u8").unwrap_or(literal);
        let Some(body) = plain.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
            return Err(format!("the wide string {literal}"));
        };
        all.extend(bytes(body)?);
    }
    Ok(all)
}

/// Resolves the escapes of a literal.
fn bytes(body: &str) -> Result<Vec<u8>, String> {
    let mut result = Vec::new();
    let mut chars = body.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\\' {
            result.extend(char.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        match chars.next() {
            Some('n') => result.push(b'\n'),
            Some('t') => result.push(b'\t'),
            Some('r') => result.push(b'\r'),
            Some('a') => result.push(7),
            Some('b') => result.push(8),
            Some('f') => result.push(12),
            Some('v') => result.push(11),
            Some('e' | 'E') => result.push(27),
            Some('x') => {
                let mut value = 0_u32;
                while let Some(digit) = chars.peek().and_then(|char| char.to_digit(16)) {
                    value = value << 4 & 0xff | digit;
                    chars.next();
                }
                result.push(value as u8);
            }
            Some(first @ '0'..='7') => {
                let mut value = first as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|char| char.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    chars.next();
                }
                result.push(value as u8);
            }
            Some(kind @ ('u' | 'U')) => {
                let count = if kind == 'u' { 4 } else { 8 };
                let digits: String = chars.by_ref().take(count).collect();
                let char = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                let char = char.ok_or_else(|| format!("the character \\{kind}{digits}"))?;
                result.extend(char.encode_utf8(&mut [0; 4]).bytes());
            }
            Some(other) => result.extend(other.encode_utf8(&mut [0; 4]).bytes()),
            None => return Err("a literal that ends in a backslash".to_owned()),
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_signed_and_escapes_are_resolved() {
        assert_eq!(character("'a'"), Ok(97));
        assert_eq!(character(r"'\xff'"), Ok(-1));
        assert_eq!(character(r"'\0'"), Ok(0));
        assert_eq!(character("'ab'"), Ok(0x6162));
        assert_eq!(string(&[r#""a\101\n""#.to_owned(), "\"b\"".to_owned()]), Ok(b"aA\nb".to_vec()));
    }

    #[test]
    fn hexadecimal_floats_are_exact() {
        assert_eq!(hexadecimal("1.8p1"), Some(3.0));
        assert_eq!(hexadecimal("0x.8p0"), Some(0.5));
    }
}

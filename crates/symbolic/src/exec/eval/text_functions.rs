//! Functions of texts.
//!
//! Exact: concatenation, lengths and code units as far as the parts are known, and everything on constants that is
//! computed here. Over-approximating elsewhere: one uninterpreted function for each name, noted as an abstraction.

use crate::notes::Notes;
use ir::Numbers;
use ir::{IntType, Intrinsic, Type};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use smt::{BvCmp, Op, Sort, Term, Terms, Value};

/// The code units of a constant text that is not null.
fn units(terms: &Terms, text: Term) -> Option<Vec<u16>> {
    match terms.as_const(text) {
        Some(Value::Text(Some(units))) => Some(units.to_vec()),
        _ => None,
    }
}

/// The value of a constant integer of the type.
fn number(terms: &Terms, ty: IntType, term: Term) -> Option<BigInt> {
    match terms.as_const(term)? {
        Value::Int(number) => Some(number.clone()),
        value @ Value::BitVec { .. } => {
            let number = if ty.signed { value.as_signed()? } else { value.as_unsigned()? as i128 };
            Some(BigInt::from(number))
        }
        Value::Bool(_) | Value::Real(_) | Value::Float { .. } => None,
        Value::Array { .. } | Value::Text(_) | Value::Opaque(_) => None,
    }
}

/// The number of code units as i32.
pub(crate) fn length(terms: &mut Terms, notes: &mut Notes, numbers: Numbers, text: Term) -> Term {
    match numbers {
        Numbers::Machine => {
            let length = terms.text_length(text);
            let zero = terms.bv(0, 32);
            let not_negative = terms.bv_cmp(BvCmp::Sle, zero, length);
            if matches!(terms.op(length), Op::TextLength) {
                notes.assume(terms, not_negative);
            }
            length
        }
        Numbers::Math => {
            if let Some(units) = units(terms, text) {
                return terms.int(units.len());
            }
            if matches!(terms.op(text), Op::TextConcat) {
                let parts = terms.args(text).to_vec();
                let lengths: Vec<Term> =
                    parts.into_iter().map(|part| length(terms, notes, numbers, part)).collect();
                return terms.add(&lengths);
            }
            let length = notes.unknown(terms, "text_length.math", &[text], &Sort::Int);
            let zero = terms.int(0);
            let not_negative = terms.le(zero, length);
            notes.assume(terms, not_negative);
            length
        }
    }
}

/// The code unit at an index as u16.
pub(crate) fn at(terms: &mut Terms, notes: &mut Notes, numbers: Numbers, text: Term, index: Term) -> Term {
    match numbers {
        Numbers::Machine => terms.text_at(text, index),
        Numbers::Math => {
            let place = number(terms, IntType::I32, index).and_then(|index| index.to_usize());
            if let (Some(units), Some(place)) = (units(terms, text), place)
                && let Some(unit) = units.get(place)
            {
                return terms.int(*unit);
            }
            let unit = notes.unknown(terms, "text_at.math", &[text, index], &Sort::Int);
            let (zero, most) = (terms.int(0), terms.int(u16::MAX));
            let (above, below) = (terms.le(zero, unit), terms.le(unit, most));
            let in_range = terms.and(&[above, below]);
            notes.assume(terms, in_range);
            unit
        }
    }
}

/// From a start to an end, exclusive.
pub(crate) fn slice(terms: &mut Terms, notes: &mut Notes, args: [Term; 3]) -> Term {
    let [text, start, end] = args;
    let place = |terms: &Terms, term| number(terms, IntType::I32, term).and_then(|number| number.to_usize());
    if let (Some(units), Some(start), Some(end)) =
        (units(terms, text), place(terms, start), place(terms, end))
        && let Some(part) = units.get(start..end)
    {
        return terms.text(part);
    }
    not_null(terms, notes, "text_slice", &args)
}

/// A text that some function makes of its arguments; never null.
pub(crate) fn not_null(terms: &mut Terms, notes: &mut Notes, name: &str, args: &[Term]) -> Term {
    let text = notes.unknown(terms, name, args, &Sort::Text);
    let null = terms.text_null();
    let is_null = terms.eq(text, null);
    let fact = terms.not(is_null);
    notes.assume(terms, fact);
    text
}

/// In decimal. The text depends on the number alone, so that all types but u64 share one function of 64 bits.
pub(crate) fn of_int(terms: &mut Terms, notes: &mut Notes, numbers: Numbers, ty: IntType, arg: Term) -> Term {
    if let Some(number) = number(terms, ty, arg) {
        return terms.text_of(&number.to_string());
    }
    if numbers == Numbers::Math {
        return not_null(terms, notes, "text_of_int", &[arg]);
    }
    match (ty.signed, ty.width) {
        (false, 64) => not_null(terms, notes, "text_of_u64", &[arg]),
        (signed, _) => {
            let wide = if signed { terms.sign_extend(64, arg) } else { terms.zero_extend(64, arg) };
            not_null(terms, notes, "text_of_int", &[wide])
        }
    }
}

pub(crate) fn of_bool(terms: &mut Terms, arg: Term) -> Term {
    let (yes, no) = (terms.text_of("true"), terms.text_of("false"));
    terms.ite(arg, yes, no)
}

pub(crate) fn of_char(terms: &mut Terms, notes: &mut Notes, arg: Term) -> Term {
    match number(terms, IntType::U16, arg).and_then(|unit| unit.to_u16()) {
        Some(unit) => terms.text(&[unit]),
        None => not_null(terms, notes, "text_of_char", &[arg]),
    }
}

/// The bits in base 16 or 8. Under `math` a constant must lie in the type, or it has no bits.
pub(crate) fn of_bits(terms: &mut Terms, notes: &mut Notes, ty: IntType, hex: bool, arg: Term) -> Term {
    let in_range =
        number(terms, ty, arg).and_then(|number| number.to_i128()).filter(|number| ty.contains(*number));
    if let Some(number) = in_range {
        let bits = ty.to_unsigned().wrap(number);
        return terms.text_of(&if hex { format!("{bits:x}") } else { format!("{bits:o}") });
    }
    let base = if hex { "hex" } else { "octal" };
    not_null(terms, notes, &format!("text_{base}.{}", ty.width), &[arg])
}

/// Whether a constant ASCII text reads as a decimal integer of the type, and which; `None` if this is not known here.
fn parsed(terms: &Terms, ty: IntType, text: Term) -> Option<Option<BigInt>> {
    let units = units(terms, text)?;
    let text: String = units
        .iter()
        .map(|unit| u8::try_from(*unit).ok().filter(u8::is_ascii).map(char::from))
        .collect::<Option<_>>()?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    // Java's `parseUnsignedInt` takes no minus, not even before zero.
    if !ty.signed && text.starts_with('-') {
        return Some(None);
    }
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(None);
    }
    let size: BigInt = digits.parse().ok()?;
    let number = if text.starts_with('-') { -size } else { size };
    Some(Some(number).filter(|number| number.to_i128().is_some_and(|number| ty.contains(number))))
}

/// Parsing, and the texts of floats: functions of their arguments of which only constants are known.
pub(crate) fn other(
    terms: &mut Terms,
    notes: &mut Notes,
    numbers: Numbers,
    function: Intrinsic,
    args: &[Term],
    sort: &Sort,
) -> Term {
    if numbers == Numbers::Machine {
        match (function, args) {
            (Intrinsic::ParsesAsInt(ty), [text]) => {
                if let Some(parsed) = parsed(terms, ty, *text) {
                    return terms.bool(parsed.is_some());
                }
            }
            (Intrinsic::ParseInt(ty), [text]) => {
                if let Some(number) = parsed(terms, ty, *text).flatten().and_then(|number| number.to_i128()) {
                    return terms.bv_signed(number, ty.width.into());
                }
            }
            _ => {}
        }
    }
    let name = match function.type_parameter() {
        Some(ty) => format!("{}.{}", function.name(), scalar_name(ty.into())),
        None => function.name().to_owned(),
    };
    match *sort == Sort::Text {
        true => not_null(terms, notes, &name, args),
        false => notes.unknown(terms, &name, args, sort),
    }
}

fn scalar_name(ty: Type) -> String {
    match ty {
        Type::Int(ty) => format!("{}{}", if ty.signed { 'i' } else { 'u' }, ty.width),
        Type::Float(ir::FloatType::F32) => "f32".to_owned(),
        Type::Float(ir::FloatType::F64) => "f64".to_owned(),
        Type::Bool | Type::Text | Type::Ref(_) | Type::Record(_) | Type::Map(..) => "other".to_owned(),
    }
}

//! Values for people, in no particular language: `{1, 2}`, `Point{x: 1, y: -0.0}`, `"a\n"`.

use std::fmt::Write;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::{Enclosure, MapValue, ObjectValue, RefValue, Value};

/// How many objects deep, how many cells of each, and how many characters in all are shown; the rest is `...`.
const MAX_DEPTH: usize = 4;
const MAX_CELLS: usize = 24;
const MAX_LENGTH: usize = 2_000;

/// A value as people read it, with the objects that it refers to.
pub fn show(value: &Value, objects: &[ObjectValue]) -> String {
    let mut shower = Shower { objects, open: Vec::new(), out: String::new() };
    shower.value(value);
    shower.out
}

struct Shower<'a> {
    objects: &'a [ObjectValue],
    /// The objects around the place that is written, to end cycles.
    open: Vec<usize>,
    out: String,
}

impl Shower<'_> {
    fn value(&mut self, value: &Value) {
        if self.out.len() > MAX_LENGTH {
            return self.put("...");
        }
        match value {
            Value::Bool(value) => self.put(&value.to_string()),
            Value::Int(value) => self.put(&value.to_string()),
            Value::Big(value) => self.put(&value.to_string()),
            Value::F32(bits) => self.put(&format!("{:?}", f32::from_bits(*bits))),
            Value::F64(bits) => self.put(&format!("{:?}", f64::from_bits(*bits))),
            Value::Real(enclosure) => self.put(&real(enclosure)),
            Value::Undefined => self.put("undefined"),
            Value::Text(None) => self.put("null"),
            Value::Text(Some(units)) => self.text(units),
            Value::Ref(reference) => self.reference(reference),
            Value::Record(fields) => self.record(fields),
            Value::Map(map) => self.map(map),
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn text(&mut self, units: &[u16]) {
        self.out.push('"');
        for unit in units.iter().take(MAX_LENGTH) {
            match char::from_u32((*unit).into()) {
                Some(c @ ('"' | '\\')) => self.out.extend(['\\', c]),
                Some('\n') => self.put("\\n"),
                Some('\t') => self.put("\\t"),
                Some('\r') => self.put("\\r"),
                Some(c) if !c.is_control() => self.out.push(c),
                Some(_) | None => {
                    write!(self.out, "\\u{unit:04x}").expect("writing to a string should not fail")
                }
            }
        }
        self.put(if units.len() > MAX_LENGTH { "...\"" } else { "\"" });
    }

    fn reference(&mut self, reference: &RefValue) {
        match reference {
            RefValue::Null => self.put("null"),
            RefValue::Static(name) => self.put(&format!("&{name}")),
            RefValue::Object(index) => match self.objects.get(*index) {
                Some(object) => self.object(*index, object),
                None => self.put(&format!("object {index}")),
            },
        }
    }

    fn object(&mut self, index: usize, object: &ObjectValue) {
        let name = if object.length.is_none() { &object.shape[..] } else { "" };
        if object.length == Some(-1) {
            return self.put("freed");
        }
        if self.open.len() >= MAX_DEPTH || self.open.contains(&index) {
            return self.put(&format!("{name}{{...}}"));
        }
        self.open.push(index);
        self.put(&format!("{name}{{"));
        for (position, cell) in object.cells.iter().enumerate().take(MAX_CELLS) {
            if position > 0 {
                self.put(", ");
            }
            if let Some(field) = object.fields.get(position) {
                self.put(&format!("{}: ", field.rsplit('.').next().unwrap_or(field)));
            }
            self.value(cell);
        }
        self.put(if object.cells.len() > MAX_CELLS { ", ...}" } else { "}" });
        self.open.pop();
    }

    /// The record of a reference and an integer is a pointer.
    fn record(&mut self, fields: &[Value]) {
        if let [Value::Ref(reference), Value::Int(offset)] = fields {
            self.reference(reference);
            if *offset != 0 {
                self.put(&format!(" + {offset}"));
            }
            return;
        }
        self.put("(");
        for (position, field) in fields.iter().enumerate() {
            if position > 0 {
                self.put(", ");
            }
            self.value(field);
        }
        self.put(")");
    }

    fn map(&mut self, map: &MapValue) {
        self.put("[");
        for (key, value) in map.entries.iter().take(MAX_CELLS) {
            self.value(key);
            self.put(": ");
            self.value(value);
            self.put(", ");
        }
        self.put(if map.entries.len() > MAX_CELLS { "..., else: " } else { "else: " });
        self.value(&map.default);
        self.put("]");
    }
}

/// A decimal where there is a short one, else a fraction; the middle of what is not exact.
fn real(enclosure: &Enclosure) -> String {
    if !enclosure.is_exact() {
        let two = BigRational::from_integer(2.into());
        let middle = (enclosure.low() + enclosure.high()) / two;
        return match middle.to_f64() {
            Some(middle) => format!("about {middle:?}"),
            None => "an inexact number".to_owned(),
        };
    }
    let value = enclosure.low();
    if value.is_integer() {
        return value.to_integer().to_string();
    }
    if let Some(decimal) = short_decimal(value) {
        return decimal;
    }
    let fraction = value.to_string();
    if fraction.len() <= 40 { fraction } else { format!("about {:?}", value.to_f64().unwrap_or(f64::NAN)) }
}

/// The value with at most 20 digits behind the point, if that is exact.
fn short_decimal(value: &BigRational) -> Option<String> {
    let ten = BigRational::from_integer(10.into());
    let mut scaled = value.clone();
    for digits in 0..=20 {
        if scaled.denom().is_one() {
            let whole = scaled.to_integer();
            let sign = if whole < Zero::zero() { "-" } else { "" };
            let text = format!("{:0>width$}", whole.magnitude().to_string(), width = digits + 1);
            let (front, back) = text.split_at(text.len() - digits);
            return Some(format!("{sign}{front}.{back}"));
        }
        scaled *= &ten;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value) -> String {
        show(value, &[])
    }

    #[test]
    fn scalars_and_texts() {
        assert_eq!(shown(&Value::Int(-5)), "-5");
        assert_eq!(shown(&Value::f64(-0.0)), "-0.0");
        assert_eq!(shown(&Value::f64(0.1)), "0.1");
        assert_eq!(shown(&Value::f32(0.1)), "0.1");
        assert_eq!(shown(&Value::f64(f64::NAN)), "NaN");
        assert_eq!(shown(&Value::text("a\"\n\u{1}é")), "\"a\\\"\\n\\u0001é\"");
        assert_eq!(shown(&Value::Text(None)), "null");
        assert_eq!(shown(&Value::Record(vec![Value::Int(1), Value::Bool(true)])), "(1, true)");
    }

    #[test]
    fn reals_are_decimals_where_they_are_short() {
        let exact = |numer: i64, denom: i64| {
            shown(&Value::Real(Enclosure::exact(BigRational::new(numer.into(), denom.into()))))
        };
        assert_eq!(exact(3, 1), "3");
        assert_eq!(exact(-1, 10), "-0.1");
        assert_eq!(exact(-125, 100), "-1.25");
        assert_eq!(exact(1, 3), "1/3");
        let wide = Enclosure::between(BigRational::zero(), BigRational::one());
        assert_eq!(shown(&Value::Real(wide)), "about 0.5");
    }

    #[test]
    fn objects_are_shown_with_their_cells_and_cycles_end() {
        let node = ObjectValue {
            shape: "Node".to_owned(),
            length: None,
            cells: vec![Value::Int(1), Value::object(0), Value::object(1)],
            fields: vec!["Node.value".to_owned(), "Node.next".to_owned(), "Node.data".to_owned()],
        };
        let array = ObjectValue::indexed("int[]", vec![Value::Int(7), Value::Int(8)]);
        let objects = [node, array];
        assert_eq!(show(&Value::object(0), &objects), "Node{value: 1, next: Node{...}, data: {7, 8}}");
        let pointer = |offset| Value::Record(vec![Value::object(1), Value::Int(offset)]);
        assert_eq!(show(&pointer(0), &objects), "{7, 8}");
        assert_eq!(show(&pointer(1), &objects), "{7, 8} + 1");
        assert_eq!(show(&Value::NULL, &objects), "null");
    }

    #[test]
    fn long_arrays_are_cut() {
        let objects = [ObjectValue::indexed("int[]", vec![Value::Int(0); 1000])];
        let text = show(&Value::object(0), &objects);
        assert!(text.len() < 100 && text.ends_with(", ...}"), "{text}");
    }
}

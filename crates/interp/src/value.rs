//! Values and inputs that are independent of any one program: shapes, regions and globals go by name.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use crate::Enclosure;

/// A value. Equality is structural, so that two enclosures are equal when their bounds are.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Bool(bool),
    Int(i128),
    /// An integer beyond `i128`, of `math` runs only. Build it with [`Value::integer`].
    Big(BigInt),
    /// The bits of a float, NaN in its canonical form.
    F32(u32),
    F64(u64),
    /// A real number of a `math` run: exact, or enclosed by an interval.
    Real(Enclosure),
    /// A value of a `math` run that has no meaning; see `docs/ir.md`.
    Undefined,
    /// The null text, or UTF-16 code units.
    Text(Option<Vec<u16>>),
    Ref(RefValue),
    Record(Vec<Value>),
    Map(MapValue),
}

/// What a reference points to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RefValue {
    Null,
    /// An index into the list of objects that goes with the value.
    Object(usize),
    /// A static object, by its name.
    Static(String),
}

/// A total map: the default at every key but those listed. No entry has the default as its value.
#[derive(Clone, PartialEq, Debug)]
pub struct MapValue {
    pub default: Box<Value>,
    /// Sorted by key, in an order that is the same in every run unless keys refer to allocated objects.
    pub entries: Vec<(Value, Value)>,
}

/// An object of the heap.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ObjectValue {
    pub shape: String,
    /// There exactly when the shape has cells by index; -1 after `free`.
    pub length: Option<i64>,
    /// In the order of the shape's regions, or by index.
    pub cells: Vec<Value>,
    /// For shapes with fields: the region of each cell. Final heaps always have it; in an input it may be empty,
    /// which means the order of the shape's regions in the program that is run.
    pub fields: Vec<String>,
}

impl ObjectValue {
    /// An object with cells by index, one for each unit of its length.
    pub fn indexed(shape: &str, cells: Vec<Value>) -> ObjectValue {
        let length = Some(cells.len() as i64);
        ObjectValue { shape: shape.to_owned(), length, cells, fields: Vec::new() }
    }

    /// An object with one cell for each region of its shape, in the order of the shape.
    pub fn with_fields(shape: &str, cells: Vec<Value>) -> ObjectValue {
        ObjectValue { shape: shape.to_owned(), length: None, cells, fields: Vec::new() }
    }
}

/// What a procedure is run on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Input {
    pub args: Vec<Value>,
    /// Globals that are not listed hold their initial value. Names that the program does not have are ignored.
    pub globals: BTreeMap<String, Value>,
    /// The cells of static objects; those not listed hold their initial cells.
    pub statics: BTreeMap<String, Vec<Value>>,
    /// The objects that `RefValue::Object` counts.
    pub objects: Vec<ObjectValue>,
    /// The state of the outside world: what procedures without a body do is another matter for each number.
    pub world: u64,
}

impl Value {
    pub const NULL: Value = Value::Ref(RefValue::Null);

    /// An integer of any size, in its only representation.
    pub fn integer(value: BigInt) -> Value {
        match i128::try_from(&value) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(value),
        }
    }

    /// A float, NaN made canonical.
    pub fn f64(value: f64) -> Value {
        Value::F64(bits_of_f64(value))
    }

    pub fn f32(value: f32) -> Value {
        Value::F32(bits_of_f32(value))
    }

    pub fn text(text: &str) -> Value {
        Value::Text(Some(text.encode_utf16().collect()))
    }

    pub fn object(index: usize) -> Value {
        Value::Ref(RefValue::Object(index))
    }
}

/// The bits of a float, NaN in its canonical form.
#[inline]
pub(crate) fn bits_of_f64(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}

#[inline]
pub(crate) fn bits_of_f32(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// Where a name stands in a list. Where it likely stands is looked at first, since the lists of two versions are mostly
/// the same.
pub(crate) fn place_of(name: &str, names: &[String], likely: usize) -> Option<usize> {
    match names.get(likely) {
        Some(found) if found == name => Some(likely),
        _ => names.iter().position(|other| other == name),
    }
}

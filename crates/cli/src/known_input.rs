//! Inputs as plain data: what a store keeps of a counterexample, and what a worker is given to try first.

use std::collections::BTreeMap;

use interp::{Input, MapValue, ObjectValue, RefValue, Value};
use serde::{Deserialize, Serialize};

/// An input that can be sent and stored.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct KnownInput {
    args: Vec<KnownValue>,
    globals: BTreeMap<String, KnownValue>,
    statics: BTreeMap<String, Vec<KnownValue>>,
    objects: Vec<KnownObject>,
    world: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KnownValue {
    Bool(bool),
    /// In decimal: numbers of JSON are shorter.
    Int(String),
    F32(u32),
    F64(u64),
    Text(Option<Vec<u16>>),
    Null,
    Object(usize),
    Static(String),
    Record(Vec<KnownValue>),
    Map(Box<KnownValue>, Vec<(KnownValue, KnownValue)>),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct KnownObject {
    shape: String,
    length: Option<i64>,
    cells: Vec<KnownValue>,
    fields: Vec<String>,
}

impl KnownInput {
    /// An input as data; none if it has numbers that only mathematics has.
    pub(crate) fn of(input: &Input) -> Option<KnownInput> {
        let pairs = |map: &BTreeMap<String, Value>| {
            map.iter().map(|(name, value)| Some((name.clone(), known(value)?))).collect::<Option<_>>()
        };
        let statics = input.statics.iter().map(|(name, cells)| Some((name.clone(), all(cells)?)));
        let object = |object: &ObjectValue| {
            Some(KnownObject {
                shape: object.shape.clone(),
                length: object.length,
                cells: all(&object.cells)?,
                fields: object.fields.clone(),
            })
        };
        Some(KnownInput {
            args: all(&input.args)?,
            globals: pairs(&input.globals)?,
            statics: statics.collect::<Option<_>>()?,
            objects: input.objects.iter().map(object).collect::<Option<_>>()?,
            world: input.world,
        })
    }

    /// The input again; none if somebody wrote numbers that are none.
    pub(crate) fn input(&self) -> Option<Input> {
        let object = |object: &KnownObject| {
            Some(ObjectValue {
                shape: object.shape.clone(),
                length: object.length,
                cells: values(&object.cells)?,
                fields: object.fields.clone(),
            })
        };
        let globals = self.globals.iter().map(|(name, it)| Some((name.clone(), value(it)?)));
        let statics = self.statics.iter().map(|(name, cells)| Some((name.clone(), values(cells)?)));
        Some(Input {
            args: values(&self.args)?,
            globals: globals.collect::<Option<_>>()?,
            statics: statics.collect::<Option<_>>()?,
            objects: self.objects.iter().map(object).collect::<Option<_>>()?,
            world: self.world,
        })
    }
}

fn all(list: &[Value]) -> Option<Vec<KnownValue>> {
    list.iter().map(known).collect()
}

fn known(value: &Value) -> Option<KnownValue> {
    Some(match value {
        Value::Bool(value) => KnownValue::Bool(*value),
        Value::Int(number) => KnownValue::Int(number.to_string()),
        Value::F32(bits) => KnownValue::F32(*bits),
        Value::F64(bits) => KnownValue::F64(*bits),
        Value::Text(text) => KnownValue::Text(text.clone()),
        Value::Ref(RefValue::Null) => KnownValue::Null,
        Value::Ref(RefValue::Object(index)) => KnownValue::Object(*index),
        Value::Ref(RefValue::Static(name)) => KnownValue::Static(name.clone()),
        Value::Record(parts) => KnownValue::Record(all(parts)?),
        Value::Map(MapValue { default, entries }) => {
            let entries = entries.iter().map(|(key, value)| Some((known(key)?, known(value)?)));
            KnownValue::Map(Box::new(known(default)?), entries.collect::<Option<_>>()?)
        }
        Value::Big(_) | Value::Real(_) | Value::Undefined => return None,
    })
}

fn values(list: &[KnownValue]) -> Option<Vec<Value>> {
    list.iter().map(value).collect()
}

fn value(known: &KnownValue) -> Option<Value> {
    Some(match known {
        KnownValue::Bool(value) => Value::Bool(*value),
        KnownValue::Int(number) => Value::Int(number.parse().ok()?),
        KnownValue::F32(bits) => Value::F32(*bits),
        KnownValue::F64(bits) => Value::F64(*bits),
        KnownValue::Text(text) => Value::Text(text.clone()),
        KnownValue::Null => Value::Ref(RefValue::Null),
        KnownValue::Object(index) => Value::Ref(RefValue::Object(*index)),
        KnownValue::Static(name) => Value::Ref(RefValue::Static(name.clone())),
        KnownValue::Record(parts) => Value::Record(values(parts)?),
        KnownValue::Map(default, entries) => {
            let entries = entries.iter().map(|(key, it)| Some((value(key)?, value(it)?)));
            let entries = entries.collect::<Option<_>>()?;
            Value::Map(MapValue { default: Box::new(value(default)?), entries })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_comes_back_as_it_was() {
        let object = ObjectValue::indexed("int[]", vec![Value::Int(i128::MAX), Value::Bool(true)]);
        let input = Input {
            args: vec![Value::object(0), Value::text("a\u{1F600}"), Value::F64(7), Value::Text(None)],
            globals: [("g".to_owned(), Value::Record(vec![Value::NULL, Value::Int(-1)]))].into(),
            statics: [("s".to_owned(), vec![Value::Ref(RefValue::Static("s".to_owned()))])].into(),
            objects: vec![object],
            world: 3,
        };
        let text = serde_json::to_string(&KnownInput::of(&input).unwrap()).unwrap();
        let again: KnownInput = serde_json::from_str(&text).unwrap();
        assert_eq!(again.input(), Some(input));
    }
}

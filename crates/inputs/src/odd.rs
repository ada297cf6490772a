//! Arguments that a reviewer would not choose: null, empty, or far from what people write.

use interp::{Input, RefValue, Value};

/// Numbers beyond this are extreme.
const LARGE: u128 = 1_000_000;
const LARGE_FLOAT: f64 = 1e9;

/// How many arguments of an input are null, empty or extreme.
pub fn odd_arguments(input: &Input) -> usize {
    input.args.iter().filter(|arg| is_odd(arg, input)).count()
}

fn is_odd(value: &Value, input: &Input) -> bool {
    match value {
        Value::Bool(_) | Value::Real(_) | Value::Map(_) | Value::Undefined => false,
        Value::Int(value) => value.unsigned_abs() > LARGE,
        Value::Big(_) => true,
        Value::F32(bits) => is_odd_float(f64::from(f32::from_bits(*bits))),
        Value::F64(bits) => is_odd_float(f64::from_bits(*bits)),
        Value::Text(text) => text.as_ref().is_none_or(Vec::is_empty),
        Value::Ref(RefValue::Null) => true,
        Value::Ref(RefValue::Static(_)) => false,
        Value::Ref(RefValue::Object(index)) => {
            input.objects.get(*index).is_some_and(|object| object.length == Some(0))
        }
        Value::Record(fields) if matches!(fields[..], [Value::Bool(false), _]) => true,
        Value::Record(fields) => fields.iter().any(|field| is_odd(field, input)),
    }
}

fn is_odd_float(value: f64) -> bool {
    !value.is_finite() || value.abs() > LARGE_FLOAT || (value != 0.0 && value.abs() < 1.0 / LARGE_FLOAT)
}

//! Changes an input a little, to go on from one that reached new code.

use interp::{Input, Value};
use ir::Type;

use crate::Generator;
use crate::places::places;
use crate::reals::{approximate, real};
use ir::Subject;

/// A neighbour of an input: one or two arguments or cells changed.
pub fn mutate(generator: &mut Generator<'_>, subject: Subject<'_>, input: &Input) -> Input {
    let mut result = input.clone();
    let places = places(input);
    if places.is_empty() {
        return result;
    }
    for _ in 0..=generator.rng().usize(..2) {
        let place = &places[generator.rng().usize(..places.len())];
        if let Some(ty) = place.ty(input, subject) {
            *place.value_mut(&mut result) = changed(generator, place.value(input), ty);
        }
    }
    result
}

/// A value near the given one, or a fresh one of its type.
fn changed(generator: &mut Generator<'_>, value: &Value, ty: &Type) -> Value {
    let dice = generator.rng().u8(..3);
    match (value, ty) {
        (_, Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text) if dice == 0 => {
            generator.random_scalar(ty)
        }
        (Value::Bool(value), _) => Value::Bool(!value),
        (Value::Int(value), Type::Int(int)) => {
            let step = i128::from(generator.rng().i32(-4..=4));
            let moved = if dice == 1 { value + step } else { value.saturating_mul(2) + step };
            Value::Int(if int.contains(moved) { moved } else { *value })
        }
        (Value::F64(bits), _) => Value::f64(changed_float(generator, f64::from_bits(*bits))),
        (Value::F32(bits), _) => {
            Value::f32(changed_float(generator, f64::from(f32::from_bits(*bits))) as f32)
        }
        (Value::Real(_), _) => match approximate(value) {
            Some(approximate) => real(changed_float(generator, approximate)),
            None => value.clone(),
        },
        (other, _) => other.clone(),
    }
}

fn changed_float(generator: &mut Generator<'_>, value: f64) -> f64 {
    match generator.rng().u8(..6) {
        0 => value + 1.0,
        1 => value - 1.0,
        2 => value * 2.0,
        3 => -value,
        4 => value.next_up(),
        _ => value * 0.75,
    }
}

//! The outside world: procedures without a body.
//!
//! They are unknown but the same in both versions: the result and the next state of the world are functions of the
//! name, the arguments and the state before. Here the functions are pseudo-random ones: under-approximating, since a
//! run shows one of the many behaviours that the world might have.

use std::collections::BTreeMap;

use ir::{FloatType, IntType, Type};
use num_bigint::BigInt;

use super::Vm;
use crate::code::{NO_REG, Reg, width};
use crate::domain::{Domain, Halt, undecided};
use crate::{ExternalCall, MapValue, RefValue, Value};

/// The state of the outside world.
#[derive(Default)]
pub(super) struct World {
    state: u64,
    /// The objects that the world has seen, in the order in which it first saw them: the order of allocation is not
    /// observable, so the state must not depend on it.
    seen: BTreeMap<usize, u64>,
}

impl<D: Domain> Vm<'_, D> {
    /// Calls a procedure without a body; the arguments and the result lie in consecutive slots.
    pub(super) fn call_external(
        &mut self,
        callee: usize,
        args: usize,
        dst: usize,
        dst_reg: Reg,
    ) -> Result<(), Halt> {
        let target = &self.code.procedures[callee];
        let mut values = Vec::new();
        let mut next = args;
        for ty in &target.param_types {
            let end = next + width(ty) as usize;
            values.push(self.to_value(&self.slots[next..end], ty)?);
            next = end;
        }
        if !values.iter().all(is_exact) {
            return Err(undecided(format!("the argument of {} is not exact", target.name)));
        }
        // The order of such keys depends on the order of allocation, which the world must not see.
        if values.iter().any(has_object_keys) {
            return Err(undecided(format!(
                "the argument of {} is a map whose keys are objects",
                target.name
            )));
        }
        self.world.call(&target.name, &values);
        let mut random = Random(self.world.state);
        let result = target.result.as_ref().map(|ty| random.value(ty));
        if let (Some(value), Some(ty)) = (&result, &target.result)
            && dst_reg != NO_REG
        {
            let slots = self.read_value(value, ty)?;
            self.slots[dst..dst + slots.len()].clone_from_slice(&slots);
        }
        self.calls.push(ExternalCall { name: target.name.clone(), args: values, result });
        Ok(())
    }
}

fn is_exact(value: &Value) -> bool {
    match value {
        Value::Real(enclosure) => enclosure.is_exact(),
        Value::Undefined => false,
        Value::Record(fields) => fields.iter().all(is_exact),
        Value::Map(map) => {
            is_exact(&map.default) && map.entries.iter().all(|(key, value)| is_exact(key) && is_exact(value))
        }
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) => true,
        Value::Text(_) | Value::Ref(_) => true,
    }
}

/// Whether a map in the value has keys that refer to objects.
fn has_object_keys(value: &Value) -> bool {
    match value {
        Value::Record(fields) => fields.iter().any(has_object_keys),
        Value::Map(map) => {
            has_object_keys(&map.default)
                || map.entries.iter().any(|(key, value)| refers_to_objects(key) || has_object_keys(value))
        }
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) => false,
        Value::Real(_) | Value::Undefined | Value::Text(_) | Value::Ref(_) => false,
    }
}

fn refers_to_objects(key: &Value) -> bool {
    match key {
        Value::Ref(RefValue::Object(_)) => true,
        Value::Record(fields) => fields.iter().any(refers_to_objects),
        Value::Map(_) => true,
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) => false,
        Value::Real(_) | Value::Undefined | Value::Text(_) => false,
        Value::Ref(RefValue::Null | RefValue::Static(_)) => false,
    }
}

impl World {
    fn call(&mut self, name: &str, args: &[Value]) {
        self.bytes(name.as_bytes());
        for arg in args {
            self.value(arg);
        }
    }

    fn word(&mut self, word: u64) {
        self.state = scramble(self.state.rotate_left(5) ^ word);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for byte in bytes {
            self.word((*byte).into());
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Bool(value) => self.word((*value).into()),
            Value::Int(value) => self.bytes(&BigInt::from(*value).to_signed_bytes_le()),
            Value::Big(value) => self.bytes(&value.to_signed_bytes_le()),
            Value::F32(bits) => self.word((*bits).into()),
            Value::F64(bits) => self.word(*bits),
            Value::Real(enclosure) => self.bytes(enclosure.to_string().as_bytes()),
            Value::Undefined => self.word(0),
            Value::Text(None) => self.word(0),
            Value::Text(Some(units)) => {
                self.word(1 + units.len() as u64);
                units.iter().for_each(|unit| self.word((*unit).into()));
            }
            Value::Ref(RefValue::Null) => self.word(0),
            Value::Ref(RefValue::Static(name)) => {
                self.word(1);
                self.bytes(name.as_bytes());
            }
            Value::Ref(RefValue::Object(index)) => {
                let next = self.seen.len() as u64;
                let number = *self.seen.entry(*index).or_insert(next);
                self.word(2 + number);
            }
            Value::Record(fields) => fields.iter().for_each(|field| self.value(field)),
            Value::Map(map) => {
                self.value(&map.default);
                self.word(map.entries.len() as u64);
                for (key, value) in &map.entries {
                    self.value(key);
                    self.value(value);
                }
            }
        }
    }
}

/// What the outside world answers, as a function of its state.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    /// Mostly small, sometimes of any size.
    fn int(&mut self, ty: IntType) -> i128 {
        let word = self.next();
        match word % 8 {
            0 => ty.wrap((word >> 3).into()),
            1 => ty.wrap(i128::from((word >> 3) % 2000) - 1000),
            _ => ty.wrap(i128::from((word >> 3) % 14) - if ty.signed { 3 } else { 0 }),
        }
    }

    fn value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.next() & 1 == 1),
            Type::Int(ty) => Value::Int(self.int(*ty)),
            // Halves are the same number in both models.
            Type::Float(FloatType::F32) => Value::f32(self.int(IntType::I16) as f32 / 2.0),
            Type::Float(FloatType::F64) => Value::f64(self.int(IntType::I32) as f64 / 2.0),
            Type::Text => {
                let length = self.next() % 4;
                Value::Text(Some((0..length).map(|_| (u64::from(b'a') + self.next() % 26) as u16).collect()))
            }
            Type::Ref(_) => Value::NULL,
            Type::Record(fields) => Value::Record(fields.iter().map(|field| self.value(field)).collect()),
            Type::Map(_, value) => {
                Value::Map(MapValue { default: Box::new(self.value(value)), entries: Vec::new() })
            }
        }
    }
}

/// A permutation of the words that mixes their bits well.
fn scramble(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

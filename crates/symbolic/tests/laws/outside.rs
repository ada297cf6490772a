//! The outside world as it showed in a run, as functions: calls count it up, and leave behind what they left.

use crate::agree::to_leaf;
use crate::random_input::{Writer, allocated_index};
use interp::{MemoryState, RefValue, Run, Value};
use num_bigint::BigInt;
use smt::{FunctionTable, Terms};
use std::collections::BTreeMap;
use symbolic::{ConcreteValue, InputType, Inputs};

/// A run with the memory after each external call.
pub(crate) type Seen = (Run, Vec<MemoryState>);

/// The functions of the outside world. Where allocated objects have their numbers in the order of the run, as on one
/// path, memory that leads to them is told too.
pub(crate) fn external_functions(
    terms: &Terms,
    inputs: &Inputs,
    program: &ir::Program,
    (run, states): &Seen,
    one_path: bool,
) -> BTreeMap<String, FunctionTable> {
    let mut tables: BTreeMap<String, FunctionTable> = BTreeMap::new();
    // What the world sees of memory shows in the run itself.
    let memory = FunctionTable { default: Some(smt::Value::Opaque(0)), ..FunctionTable::default() };
    tables.insert("extern.memory".to_owned(), memory);
    let telling = Telling { terms, inputs, program, run, one_path };
    let mut count = 0;
    for (call, after) in run.external_calls.iter().zip(states) {
        let id = program.procedure_named(&call.name).expect("a called procedure should be there");
        let procedure = program.procedure(id);
        let access = procedure.external.access;
        let mut key = Vec::new();
        let mut known = true;
        for (arg, param) in call.args.iter().zip(procedure.parameters()) {
            let mut leaves = Vec::new();
            known &= telling.leaves(arg, &param.ty, "", &mut leaves);
            key.extend(leaves.into_iter().map(|(_, leaf)| leaf));
        }
        key.extend(access.reads_memory().then_some(smt::Value::Opaque(0)));
        key.extend(access.reads_world().then_some(smt::Value::Opaque(count)));
        if !known {
            break;
        }
        let name = format!("extern.{}", call.name);
        if access.changes_world() {
            count += 1;
            let world = tables.entry(format!("{name}.world")).or_default();
            world.entries.insert(key, smt::Value::Opaque(count));
            key = vec![smt::Value::Opaque(count)];
        }
        let mut leaves = Vec::new();
        if let (Some(result), Some(ty)) = (&call.result, &procedure.result) {
            known &= telling.leaves(result, ty, &name, &mut leaves);
        }
        if access.writes_memory() {
            match telling.memory(after, &name) {
                Some(memory) => leaves.extend(memory),
                None => known = false,
            }
        }
        if !known {
            break;
        }
        for (name, leaf) in leaves {
            tables.entry(name).or_default().entries.insert(key.clone(), leaf);
        }
    }
    tables
}

struct Telling<'a> {
    terms: &'a Terms,
    inputs: &'a Inputs,
    program: &'a ir::Program,
    run: &'a Run,
    one_path: bool,
}

impl Telling<'_> {
    /// The leaves of a value with the names that the functions of a result have; false if one is not known.
    fn leaves(
        &self,
        value: &Value,
        ty: &ir::Type,
        name: &str,
        leaves: &mut Vec<(String, smt::Value)>,
    ) -> bool {
        let writer = Writer { inputs: self.inputs };
        let leaf = match (value, ty) {
            (Value::Record(fields), ir::Type::Record(types)) => {
                let mut known = true;
                for (index, (field, ty)) in fields.iter().zip(types).enumerate() {
                    known &= self.leaves(field, ty, &format!("{name}.{index}"), leaves);
                }
                return known;
            }
            (Value::Ref(RefValue::Object(place)), _) => {
                let index = self.object(*place);
                index.map(|index| writer.number(crate::random_input::input_number(index)))
            }
            (Value::Map(map), ir::Type::Map(_, element)) if map.entries.is_empty() => {
                let mut inner = Vec::new();
                let known = self.leaves(&map.default, element, name, &mut inner);
                leaves.extend(inner.into_iter().map(|(name, leaf)| (name, smt::Value::array(leaf, []))));
                return known;
            }
            (_, ir::Type::Int(int)) => to_leaf(&writer, value, &InputType::Int(*int), &BTreeMap::new()),
            _ => to_leaf(&writer, value, &InputType::Bool, &BTreeMap::new()),
        };
        leaves.extend(leaf.clone().map(|leaf| (name.to_owned(), leaf)));
        leaf.is_some()
    }

    /// The place of an object among those that have a known number.
    fn object(&self, place: usize) -> Option<usize> {
        match place.checked_sub(self.run.input_objects) {
            None => Some(place),
            Some(index) => self.one_path.then(|| allocated_index(index)),
        }
    }

    /// The contents of all globals and regions after a call.
    fn memory(&self, after: &MemoryState, name: &str) -> Option<Vec<(String, smt::Value)>> {
        let writer = Writer { inputs: self.inputs };
        let mut found = Vec::new();
        for global in self.program.globals.iter().filter(|global| !global.constant && !global.fixed) {
            let value = self.concrete(&after.globals[&global.name])?;
            let leaves = writer.leaves(&value, &self.inputs.globals[&global.name].ty);
            for (leaf, place) in leaves.into_iter().zip(1..) {
                found.push((format!("{name}.global.{}.{place}", global.name), leaf));
            }
        }
        let mut objects: Vec<(u32, &str, Vec<ConcreteValue>)> = Vec::new();
        for (place, object) in after.objects.iter().enumerate() {
            // What was allocated and cannot be told is private, or makes what leads to it unknown.
            let Some(index) = self.object(place) else { continue };
            let cells = object.cells.iter().map(|cell| self.concrete(cell)).collect::<Option<_>>()?;
            objects.push((crate::random_input::input_number(index), &object.shape, cells));
        }
        for object in self.inputs.statics.values().filter(|object| !object.constant) {
            let cells = after.statics[&object.name].iter().map(|cell| self.concrete(cell));
            objects.push((object.number, &object.shape, cells.collect::<Option<_>>()?));
        }
        for (region_name, region) in &self.inputs.regions {
            let zero = region.cells.leaves().into_iter();
            let zero = zero.map(|leaf| smt::Value::default_of(self.terms.sort_of(leaf)));
            let mut arrays: Vec<smt::Value> = zero.collect();
            for (number, shape, cells) in &objects {
                let info = &self.inputs.shape_table[*shape];
                writer.write_cells(&mut arrays, region_name, region, *number, info, cells);
            }
            for (array, place) in arrays.into_iter().zip(1..) {
                found.push((format!("{name}.heap.{region_name}.{place}"), array));
            }
        }
        Some(found)
    }

    fn concrete(&self, value: &Value) -> Option<ConcreteValue> {
        Some(match value {
            Value::Bool(value) => ConcreteValue::Bool(*value),
            Value::Int(number) => ConcreteValue::Int(BigInt::from(*number)),
            Value::Big(number) => ConcreteValue::Int(number.clone()),
            Value::F32(bits) => match self.inputs.numbers {
                ir::Numbers::Machine => ConcreteValue::F32(*bits),
                ir::Numbers::Math => {
                    ConcreteValue::Real(num_rational::BigRational::from_float(f32::from_bits(*bits))?)
                }
            },
            Value::F64(bits) => match self.inputs.numbers {
                ir::Numbers::Machine => ConcreteValue::F64(*bits),
                ir::Numbers::Math => {
                    ConcreteValue::Real(num_rational::BigRational::from_float(f64::from_bits(*bits))?)
                }
            },
            Value::Real(enclosure) if enclosure.is_exact() => ConcreteValue::Real(enclosure.low().clone()),
            Value::Real(_) | Value::Undefined => return None,
            Value::Text(units) => ConcreteValue::Text(units.clone()),
            Value::Ref(RefValue::Null) => ConcreteValue::Null,
            Value::Ref(RefValue::Object(place)) => ConcreteValue::Object(self.object(*place)?),
            Value::Ref(RefValue::Static(name)) => {
                self.inputs.statics.values().find(|object| object.name == *name)?;
                ConcreteValue::Static(name.clone())
            }
            Value::Record(fields) => {
                ConcreteValue::Record(fields.iter().map(|field| self.concrete(field)).collect::<Option<_>>()?)
            }
            Value::Map(map) => ConcreteValue::Map {
                default: Box::new(self.concrete(&map.default)?),
                entries: map
                    .entries
                    .iter()
                    .map(|(key, value)| Some((self.concrete(key)?, self.concrete(value)?)))
                    .collect::<Option<_>>()?,
            },
        })
    }
}

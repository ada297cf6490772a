//! The outside world: procedures without a body.
//!
//! They are unknown but the same in both versions: the result, the memory that they leave behind and the next state of
//! the world are functions of the name, the arguments and, as their access says, of the memory that they can reach and
//! of the state before. Here the functions are pseudo-random ones: under-approximating, since a run shows one of the
//! many behaviours that the world might have.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ir::{Access, FloatType, IntType, Target, Type};
use num_bigint::BigInt;

use super::Vm;
use crate::code::{NO_REG, Reg, width};
use crate::domain::Domain;
use crate::halt::{Halt, undecided};
use crate::{Ending, ExternalCall, MapValue, RefValue, SeenMemory, Value};

/// Calls of which some of the memory is kept in words, and how many cells of it.
const GLIMPSES: usize = 20;
const GLIMPSED_CELLS: usize = 40;

/// The shape of what pointers to functions of C point to.
const FUNCTION: &str = "function";

/// The state of the outside world.
#[derive(Clone, Default)]
pub(super) struct World {
    state: u64,
    /// The objects that the world has seen, in the order in which it first saw them: the order of allocation is not
    /// observable, so the state must not depend on it.
    seen: BTreeMap<usize, u64>,
    /// The objects that it made, by what made them.
    made: BTreeMap<u64, usize>,
}

/// What a call can reach.
struct Sight {
    /// The objects by their index in the heap, in the order in which they were reached.
    objects: Vec<usize>,
    /// The references among what was seen, by their type.
    references: Vec<(Type, Vec<Value>)>,
    memory: SeenMemory,
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
        let keeps_memory = target.external.access == Access::Writes && target.keeps_memory;
        let access = if keeps_memory { Access::World } else { target.external.access };
        let sees_memory = access.reads_memory() && !target.keeps_memory;
        let observable = access.changes_world();
        let wanted = dst_reg != NO_REG && target.result.is_some();
        if target.external.library && target.keeps_memory {
            self.invented.get_or_insert_with(|| target.name.clone());
        }
        let is_last = target.external.library && !target.keeps_memory && (wanted || access.writes_memory());
        let mut values = Vec::new();
        let mut next = args;
        for ty in &target.param_types {
            let end = next + width(ty) as usize;
            values.push(self.to_value(&self.slots[next..end], ty)?);
            next = end;
        }
        for value in &values {
            self.can_be_told(value, &target.name)?;
        }
        let mut world = if access.reads_world() { self.world.clone() } else { World::default() };
        world.call(&target.name, &values);
        let sight = self.look(&mut world, &target.param_types, &values, sees_memory, &target.name)?;
        world.word(sight.memory.digest);
        if is_last {
            self.calls.push(ExternalCall {
                name: target.name.clone(),
                args: values,
                result: None,
                made: None,
                observable,
                memory: sight.memory,
                // What only computes something may be called by one version alone.
                is_open: access.writes_memory(),
                written: target.external.access.may_print().then(|| self.written.each_ref().map(Vec::len)),
            });
            return Err(undecided(format!("what the library function {} does is not known", target.name)));
        }
        let mut random = Random(world.state);
        let made = match target.result.as_ref().filter(|_| access.reads_world()) {
            Some(ty) if target.keeps_memory => self.make_object(ty, world.state, &mut random)?,
            Some(Type::Record(parts)) => match parts.as_slice() {
                [Type::Ref(Target::Shape(shape)), Type::Int(_)] => {
                    self.make_memory(shape.index(), world.state, &mut random)?
                }
                _ => None,
            },
            _ => None,
        };
        let cause = world.state;
        let result = match made {
            Some(index) => {
                world.number(index);
                let object = Value::Ref(RefValue::Object(index));
                Some(match &target.result {
                    Some(Type::Record(_)) => Value::Record(vec![object, Value::Int(0)]),
                    _ => object,
                })
            }
            None => target.result.as_ref().map(|ty| random.value_or_seen(ty, &sight.references)),
        };
        if let (Some(value), Some(ty), true) = (&result, &target.result, wanted) {
            let slots = self.read_value(value, ty)?;
            self.slots[dst..dst + slots.len()].clone_from_slice(&slots);
        }
        if access.writes_memory() {
            if self.doubting {
                self.settle(&sight);
            }
            self.change(&mut random, &sight)?;
        }
        if observable {
            world.made = std::mem::take(&mut self.world.made);
            self.world = world;
        }
        self.calls.push(ExternalCall {
            name: target.name.clone(),
            args: values,
            result,
            made: made.map(|_| cause),
            observable,
            memory: sight.memory,
            is_open: false,
            written: target.external.access.may_print().then(|| self.written.each_ref().map(Vec::len)),
        });
        if self.outside_states.is_some() {
            let state = self.final_state()?;
            self.outside_states.get_or_insert_default().push(state);
        }
        Ok(())
    }

    /// Often an object of the world's own, if the result can be one: it has more than the program has seen. The same
    /// question in the same state of the world gives the same object.
    fn make_object(&mut self, ty: &Type, cause: u64, random: &mut Random) -> Result<Option<usize>, Halt> {
        let Type::Ref(Target::Shape(shape)) = ty else { return Ok(None) };
        let layout = &self.code.shapes[shape.index()];
        if !layout.can_be_made || random.next().is_multiple_of(3) {
            return Ok(None);
        }
        if let Some(known) = self.world.made.get(&cause) {
            return Ok(Some(*known));
        }
        let length = layout.indexed.then(|| (random.next() % 4) as i64);
        let number = self.heap.allocate(shape.0, length)?;
        let index = number as usize - 1 - self.code.statics.len();
        self.world.made.insert(cause, index);
        Ok(Some(index))
    }

    /// The same for C: often memory of the world's own, with any contents, for a pointer to objects of a shape.
    fn make_memory(&mut self, target: usize, cause: u64, random: &mut Random) -> Result<Option<usize>, Halt> {
        let code = self.code;
        let can_be = |index: &usize| {
            let shape = &code.shapes[*index];
            let is_one = *index == target || shape.ancestors.contains(&(target as u32));
            is_one && shape.can_be_made && shape.indexed && !shape.is_constant() && shape.name != FUNCTION
        };
        let shapes: Vec<usize> = (0..code.shapes.len()).filter(can_be).collect();
        if shapes.is_empty() || random.next().is_multiple_of(4) {
            return Ok(None);
        }
        let shape = shapes[random.next() as usize % shapes.len()];
        if let Some(known) = self.world.made.get(&cause) {
            return Ok(Some(*known));
        }
        let element = code.shapes[shape].regions.len() as i64;
        let elements = if element == 1 { 1 + (random.next() % 4) as i64 } else { 1 };
        let number = self.heap.allocate(shape as u32, Some(element * elements))?;
        let index = number as usize - 1 - code.statics.len();
        self.world.made.insert(cause, index);
        let place = code.statics.len() + index;
        let cells: Vec<_> = self.cells(place).collect();
        let last = cells.len() - 1;
        for (at, (region, slots)) in cells.into_iter().enumerate() {
            let ty = &code.regions[region].ty;
            // Texts end.
            if at == last && *ty == Type::Int(IntType::I8) && element == 1 {
                continue;
            }
            let value = random.value(ty);
            let new = self.read_value(&value, ty)?;
            self.heap.objects[place].cells[slots].clone_from_slice(&new);
        }
        Ok(Some(index))
    }

    /// Refuses what the world could not be told in the same way in both versions.
    fn can_be_told(&self, value: &Value, name: &str) -> Result<(), Halt> {
        if !is_exact(value) {
            return Err(undecided(format!("what {name} is given is not exact")));
        }
        // The order of such keys depends on the order of allocation, which the world must not see.
        if has_object_keys(value) {
            return Err(undecided(format!("{name} is given a map whose keys are objects")));
        }
        Ok(())
    }

    /// Counts a place that a call looks at, and mixes it in if nothing is known of what it holds.
    fn note_unknown(&self, value: &Value, unknown: &mut (u64, u64), name: &str) -> Result<(), Halt> {
        unknown.0 += 1;
        if self.doubting && has_unknown(value) {
            unknown.1 = scramble(unknown.1.rotate_left(5) ^ unknown.0) | 1;
            return Ok(());
        }
        self.can_be_told(value, name)
    }

    /// What a call may have written is what is there.
    fn settle(&mut self, sight: &Sight) {
        let code = self.code;
        for &index in &sight.objects {
            let cells: Vec<_> = self.cells(index).collect();
            for (region, slots) in cells {
                let zeros = code.regions[region].zero.iter();
                for (slot, zero) in self.heap.objects[index].cells[slots].iter_mut().zip(zeros) {
                    *slot = D::settled(slot.clone(), zero);
                }
            }
        }
    }

    /// Walks over all memory that a call can reach: from its arguments, from what the world has seen before, from the
    /// variables that it can name, and from the input.
    fn look(
        &mut self,
        world: &mut World,
        types: &[Type],
        args: &[Value],
        sees_memory: bool,
        name: &str,
    ) -> Result<Sight, Halt> {
        let mut sight = Sight { objects: Vec::new(), references: Vec::new(), memory: SeenMemory::default() };
        for (ty, value) in types.iter().zip(args) {
            sight.note_references(value, ty);
        }
        if !sees_memory {
            return Ok(sight);
        }
        let code = self.code;
        let mut unknown = (0, 0);
        let mut memory = World { seen: std::mem::take(&mut world.seen), ..World::new(0) };
        let mut words = (self.calls.len() < GLIMPSES).then(Vec::new);
        let mut walk = Walk { open: VecDeque::new(), met: BTreeSet::new() };
        args.iter().for_each(|value| walk.add(value, &code.statics));
        let mut seen: Vec<(u64, usize)> = memory.seen.iter().map(|(index, order)| (*order, *index)).collect();
        seen.sort_unstable();
        seen.into_iter().for_each(|(_, index)| walk.push(code.statics.len() + index));
        for global in self.visible_globals() {
            let layout = &code.globals[global];
            let start = layout.slot as usize;
            let slots = &self.globals[start..start + width(&layout.ty) as usize];
            let value = self.to_transient_value(slots, &layout.ty)?;
            self.note_unknown(&value, &mut unknown, name)?;
            memory.bytes(layout.name.as_bytes());
            memory.value(&value);
            sight.note_references(&value, &layout.ty);
            walk.add(&value, &code.statics);
            note(&mut words, || (layout.name.clone(), crate::show(&value, &[])));
        }
        let visible = |index: &usize| !code.statics[*index].constant && !code.statics[*index].private;
        let mut statics: Vec<usize> = (0..code.statics.len()).filter(visible).collect();
        statics.sort_by_key(|index| &code.statics[*index].name);
        statics.into_iter().for_each(|index| walk.push(index));
        (0..self.inputs).for_each(|index| walk.push(code.statics.len() + index));
        while let Some(index) = walk.open.pop_front() {
            sight.objects.push(index);
            self.steps += 1;
            let label = match code.statics.get(index) {
                Some(object) => {
                    memory.bytes(object.name.as_bytes());
                    object.name.clone()
                }
                None => {
                    let number = memory.number(index - code.statics.len());
                    memory.word(number);
                    format!("object {}", number + 1)
                }
            };
            // What never changes tells nothing but its name.
            if code.statics.get(index).is_some_and(|object| object.constant) {
                continue;
            }
            let object = &self.heap.objects[index];
            memory.bytes(code.shapes[object.shape as usize].name.as_bytes());
            memory.word(object.length as u64);
            let shape = &code.shapes[object.shape as usize];
            for (place, (region, slots)) in self.cells(index).enumerate() {
                if shape.is_lonely(place) {
                    continue;
                }
                let layout = &code.regions[region];
                let value = self.to_transient_value(&object.cells[slots], &layout.ty)?;
                self.note_unknown(&value, &mut unknown, name)?;
                memory.value(&value);
                sight.note_references(&value, &layout.ty);
                walk.add(&value, &code.statics);
                note(&mut words, || (format!("{label}[{place}]"), crate::show(&value, &[])));
            }
            self.steps += self.heap.objects[index].cells.len() as u64;
            if self.steps >= self.limits.steps {
                return Err(Box::new(Ending::OutOfSteps));
            }
        }
        sight.memory =
            SeenMemory { digest: memory.state, unknown: unknown.1, glimpse: words.unwrap_or_default() };
        world.seen = memory.seen;
        Ok(sight)
    }

    /// The variables that code that is not there can name, by name.
    fn visible_globals(&self) -> Vec<usize> {
        let globals = &self.code.globals;
        let visible = |index: &usize| !globals[*index].constant && !globals[*index].private;
        let mut found: Vec<usize> = (0..globals.len()).filter(visible).collect();
        found.sort_by_key(|index| &globals[*index].name);
        found
    }

    /// The cells of an object that can be looked at: the region and the slots of each.
    fn cells(&self, index: usize) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + use<'_, D> {
        let object = &self.heap.objects[index];
        let shape = &self.code.shapes[object.shape as usize];
        let count = if shape.indexed { object.length.max(0) as usize } else { shape.regions.len() };
        let mut next = 0;
        (0..count).map(move |position| {
            let (region, _) = shape.regions[position % shape.regions.len()];
            let start = next;
            next += self.code.regions[region as usize].zero.len();
            (region as usize, start..next)
        })
    }

    /// A value that is not kept, so that it costs no memory.
    fn to_transient_value(&self, slots: &[D::Slot], ty: &Type) -> Result<Value, Halt> {
        let left = self.value_memory.get();
        let value = self.to_value(slots, ty);
        self.value_memory.set(left);
        value
    }

    /// Gives new contents to some of what was seen; how much is a function of the state as well.
    fn change(&mut self, random: &mut Random, sight: &Sight) -> Result<(), Halt> {
        let code = self.code;
        let rarely = match random.next() % 4 {
            0 => return Ok(()),
            1 => 2,
            _ => 4,
        };
        for global in self.visible_globals() {
            if random.next().is_multiple_of(rarely) {
                let layout = &code.globals[global];
                let value = random.value_or_seen(&layout.ty, &sight.references);
                let slots = self.read_value(&value, &layout.ty)?;
                let start = layout.slot as usize;
                self.globals[start..start + slots.len()].clone_from_slice(&slots);
            }
        }
        for &index in &sight.objects {
            let shape = &code.shapes[self.heap.objects[index].shape as usize];
            if code.statics.get(index).is_some_and(|object| object.constant) || shape.is_constant() {
                continue;
            }
            let cells: Vec<_> = self.cells(index).collect();
            for (region, slots) in cells {
                if random.next().is_multiple_of(rarely) {
                    let ty = &code.regions[region].ty;
                    let value = random.value_or_seen(ty, &sight.references);
                    let new = self.read_value(&value, ty)?;
                    self.heap.objects[index].cells[slots].clone_from_slice(&new);
                }
            }
        }
        Ok(())
    }
}

/// Objects that are still to be looked at, each once.
struct Walk {
    open: VecDeque<usize>,
    met: BTreeSet<usize>,
}

impl Walk {
    fn push(&mut self, index: usize) {
        if self.met.insert(index) {
            self.open.push_back(index);
        }
    }

    fn add<S>(&mut self, value: &Value, statics: &[crate::code::StaticLayout<S>]) {
        match value {
            Value::Ref(RefValue::Object(index)) => self.push(statics.len() + index),
            Value::Ref(RefValue::Static(name)) => {
                if let Some(index) = statics.iter().position(|object| object.name == *name) {
                    self.push(index);
                }
            }
            Value::Ref(RefValue::Null) => {}
            Value::Record(fields) => fields.iter().for_each(|field| self.add(field, statics)),
            Value::Map(map) => {
                self.add(&map.default, statics);
                map.entries.iter().for_each(|(_, value)| self.add(value, statics));
            }
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) => {}
            Value::Real(_) | Value::Undefined | Value::Text(_) => {}
        }
    }
}

impl Sight {
    /// Keeps a value that has references in it: another place of its type may hold it as well.
    fn note_references(&mut self, value: &Value, ty: &Type) {
        if !ty.has_references() {
            return;
        }
        match self.references.iter_mut().find(|(known, _)| known == ty) {
            Some((_, values)) if values.contains(value) => {}
            Some((_, values)) => values.push(value.clone()),
            None => self.references.push((ty.clone(), vec![value.clone()])),
        }
    }
}

fn note(words: &mut Option<Vec<(String, String)>>, what: impl FnOnce() -> (String, String)) {
    if let Some(words) = words
        && words.len() < GLIMPSED_CELLS
    {
        words.push(what());
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

/// Whether nothing is known of the value, or of a part of it.
fn has_unknown(value: &Value) -> bool {
    match value {
        Value::Undefined => true,
        Value::Record(fields) => fields.iter().any(has_unknown),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) => false,
        Value::Real(_) | Value::Text(_) | Value::Ref(_) | Value::Map(_) => false,
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
    /// Whether it made the object with this index.
    pub(super) fn has_made(&self, index: usize) -> bool {
        self.made.values().any(|made| *made == index)
    }

    pub(super) fn new(state: u64) -> World {
        World { state, seen: BTreeMap::new(), made: BTreeMap::new() }
    }

    fn call(&mut self, name: &str, args: &[Value]) {
        self.bytes(name.as_bytes());
        for arg in args {
            self.value(arg);
        }
    }

    /// The place of an object among those that were seen.
    fn number(&mut self, index: usize) -> u64 {
        let next = self.seen.len() as u64;
        *self.seen.entry(index).or_insert(next)
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
                let number = self.number(*index);
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

    /// A value of a type; references are null or among those that were seen.
    fn value_or_seen(&mut self, ty: &Type, references: &[(Type, Vec<Value>)]) -> Value {
        let found = references.iter().find(|(known, _)| known == ty);
        match found {
            Some((_, values)) if !self.next().is_multiple_of(4) => {
                let place = self.next() % values.len() as u64;
                values[place as usize].clone()
            }
            _ => self.value(ty),
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
            // A pointer of C that is null has no offset.
            Type::Record(fields) if matches!(fields[..], [Type::Ref(_), Type::Int(_)]) => {
                Value::Record(vec![Value::NULL, Value::Int(0)])
            }
            // A number that is not there is zero.
            Type::Record(fields) if ty.is_boxed() => match (self.next() % 4, &fields[1]) {
                (0, Type::Bool) => Value::Record(vec![Value::Bool(false), Value::Bool(false)]),
                (0, Type::Int(_)) => Value::Record(vec![Value::Bool(false), Value::Int(0)]),
                (_, number) => Value::Record(vec![Value::Bool(true), self.value(number)]),
            },
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

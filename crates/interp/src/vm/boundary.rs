//! From inputs to the state of a run, and from its end to what can be observed.

use std::cell::Cell;
use std::cmp::Ordering;

use ir::{ProcId, Type};

use super::heap::Heap;
use super::{Vm, cycle, external, recorder};
use crate::code::{Code, width};
use crate::domain::{Domain, Implementation};
use crate::halt::{Halt, broken, undecided};
use crate::maps::Maps;
use crate::run::{Branches, Executed};
use crate::texts::{NULL_TEXT, Texts};
use crate::value::place_of;
use crate::{
    Ending, Input, Limits, MapValue, MemoryState, ObjectValue, Recorded, RefValue, Run, Value, Wanted,
};

/// Runs a procedure on an input, and writes down the calls that are wanted.
pub(crate) fn run<D: Domain>(
    code: &Code<D::Slot>,
    procedure: ProcId,
    input: &Input,
    limits: &Limits,
    wanted: Option<&Wanted>,
    how: Implementation,
    outside_states: Option<&mut Vec<MemoryState>>,
) -> (Run, Recorded) {
    let mut vm = Vm::<D> {
        code,
        limits: *limits,
        slots: Vec::new(),
        callers: Vec::new(),
        globals: Vec::new(),
        heap: Heap::new(code, limits.memory_cells),
        from_start: 0,
        texts: Texts::new(&code.texts, limits.memory_cells),
        maps: Maps::new(&code.maps, limits.memory_cells),
        written: Default::default(),
        world: external::World::new(input.world),
        calls: Vec::new(),
        inputs: input.objects.len(),
        outside_states: outside_states.is_some().then(Vec::new),
        value_memory: Cell::new(limits.memory_cells.saturating_mul(4).saturating_add(10_000)),
        branches: Branches::new(code.branches as usize),
        executed: Executed::new(code.marks as usize),
        inexact: false,
        doubtful: false,
        filled: 0,
        invented: None,
        perturbation: how.perturbation,
        doubting: how.doubting,
        thrown: None,
        failed_at: None,
        steps: 0,
        watch: cycle::Watch::new(limits.steps),
        recorder: wanted.map(|wanted| Box::new(recorder::Recorder::new(wanted))),
    };
    let ending = match vm.start_and_execute(procedure.index(), input) {
        Ok(ending) => ending,
        Err(halt) => *halt,
    };
    let recorded = vm.take_recorded(&ending);
    if let (Some(wanted), Some(states)) = (outside_states, vm.outside_states.take()) {
        *wanted = states;
    }
    let mut run = vm.finish(ending, input.objects.len());
    keep_what_is_not_here(&mut run, input);
    (run, recorded)
}

/// What the input has and this version does not, or never changes, is at the end what it was at the start.
fn keep_what_is_not_here(run: &mut Run, input: &Input) {
    if !run.ending.is_conclusive() {
        return;
    }
    for (name, value) in &input.globals {
        run.globals.entry(name.clone()).or_insert_with(|| value.clone());
    }
    for (name, cells) in &input.statics {
        run.statics.entry(name.clone()).or_insert_with(|| cells.clone());
    }
}

impl<D: Domain> Vm<'_, D> {
    fn start_and_execute(&mut self, procedure: usize, input: &Input) -> Result<Ending, Halt> {
        let code = self.code;
        let target = code.procedures.get(procedure).ok_or_else(|| broken("there is no such procedure"))?;
        if target.is_external {
            let what = format!("{} has no body", target.name);
            return Ok(Ending::Unsupported { what, span: ir::Span::NOWHERE });
        }
        if target.param_types.len() != input.args.len() {
            return Err(broken(format!("{} arguments for {}", input.args.len(), target.name)));
        }
        self.set_up_objects(input)?;
        self.from_start = self.heap.objects.len() as u32;
        self.set_up_globals(input)?;
        for (ty, value) in target.param_types.iter().zip(&input.args) {
            let slots = self.read_value(value, ty)?;
            self.slots.extend(slots);
        }
        self.slots.extend_from_slice(&target.frame[self.slots.len()..]);
        // The result is left in the first slots, which a small frame may not have.
        let room = self.slots.len().max(target.result_width as usize);
        self.slots.resize(room, D::handle(0));
        self.execute(procedure)?;
        let Some(ty) = &target.result else { return Ok(Ending::Returned(None)) };
        let value = self.to_value(&self.slots[..target.result_width as usize], ty)?;
        Ok(Ending::Returned(Some(value)))
    }

    fn set_up_globals(&mut self, input: &Input) -> Result<(), Halt> {
        for global in &self.code.globals {
            let slots = match input.globals.get(&global.name) {
                Some(value) if !global.constant => self.read_value(value, &global.ty)?,
                Some(_) | None => global.initial.clone(),
            };
            if slots.len() != width(&global.ty) as usize {
                return Err(broken(format!("the initial value of {} is not of its type", global.name)));
            }
            self.globals.extend(slots);
        }
        Ok(())
    }

    /// Whether an object lies before another one: those of the start in the order of the input.
    /// Where new objects lie is not observable, so that it must not depend on the order of allocation.
    pub(super) fn lies_before(&self, a: u32, b: u32) -> Result<bool, Halt> {
        if a != b && a.max(b) > self.from_start && a.min(b) != 0 {
            return Err(undecided("the order of new objects in memory is not known".to_owned()));
        }
        Ok(a < b)
    }

    /// Whether an object is one of the input, or was made by code that is not there.
    pub(super) fn is_given(&self, object: u32) -> bool {
        let statics = self.code.statics.len();
        (object as usize) > statics
            && (object <= self.from_start || self.world.has_made(object as usize - 1 - statics))
    }

    /// Makes all objects first, since they may refer to each other.
    fn set_up_objects(&mut self, input: &Input) -> Result<(), Halt> {
        let code = self.code;
        for object in &code.statics {
            self.heap.allocate(object.shape, object.length)?;
        }
        for object in &input.objects {
            let shape = code.shapes.iter().position(|shape| shape.name == object.shape);
            let shape = shape.ok_or_else(|| broken(format!("the program has no shape {}", object.shape)))?;
            let parts = code.shapes[shape].regions.len().max(1) as i64;
            let is_whole = object.length.is_none_or(|length| length % parts == 0);
            if code.shapes[shape].indexed != object.length.is_some() || !is_whole {
                return Err(broken(format!("an input object of shape {} with a wrong length", object.shape)));
            }
            self.heap.allocate(shape as u32, object.length)?;
        }
        for (index, object) in code.statics.iter().enumerate() {
            match input.statics.get(&object.name) {
                Some(cells) if !object.constant => self.fill(index, cells, &[])?,
                Some(_) | None => {
                    let cells = &mut self.heap.objects[index].cells;
                    if cells.len() != object.cells.len() {
                        return Err(broken(format!(
                            "the static object {} has a wrong number of cells",
                            object.name
                        )));
                    }
                    cells.clone_from_slice(&object.cells);
                }
            }
        }
        for (index, object) in input.objects.iter().enumerate() {
            self.fill(code.statics.len() + index, &object.cells, &object.fields)?;
        }
        Ok(())
    }

    /// Writes the cells of an object: by the names of the fields if there are any, else in order.
    fn fill(&mut self, index: usize, cells: &[Value], fields: &[String]) -> Result<(), Halt> {
        let code = self.code;
        let shape = &code.shapes[self.heap.objects[index].shape as usize];
        let expected =
            if shape.indexed { self.heap.objects[index].length as usize } else { shape.regions.len() };
        let by_name = !shape.indexed && !fields.is_empty();
        if (!by_name && cells.len() != expected) || (by_name && cells.len() != fields.len()) {
            return Err(broken(format!("{} cells for an object of shape {}", cells.len(), shape.name)));
        }
        self.filled += expected as u64;
        let mut next = 0;
        for position in 0..expected {
            let (region, _) = shape.regions[position % shape.regions.len()];
            let region = &code.regions[region as usize];
            let cell = if by_name { place_of(&region.name, fields, position) } else { Some(position) };
            let end = next + region.zero.len();
            // A field that the input does not know stays zero.
            match (cell, region.ty.scalar()) {
                (None, _) => {}
                (Some(cell), Some(scalar)) => {
                    let slot = D::scalar_from_value(&cells[cell], scalar);
                    let slot = slot.ok_or_else(|| misfit(&cells[cell], &region.ty))?;
                    self.heap.objects[index].cells[next] = slot;
                }
                (Some(cell), None) => {
                    let slots = self.read_value(&cells[cell], &region.ty)?;
                    self.heap.objects[index].cells[next..end].clone_from_slice(&slots);
                }
            }
            // In doubt, only the code of its class knows what it may hold.
            if region.is_own && self.doubting {
                for slot in &mut self.heap.objects[index].cells[next..end] {
                    *slot = D::unknown(slot.clone());
                }
            }
            next = end;
        }
        Ok(())
    }

    /// A value as it lies in slots.
    pub(super) fn read_value(&mut self, value: &Value, ty: &Type) -> Result<Vec<D::Slot>, Halt> {
        let misfit = || misfit(value, ty);
        if let Some(scalar) = ty.scalar() {
            return Ok(vec![D::scalar_from_value(value, scalar).ok_or_else(misfit)?]);
        }
        match (ty, value) {
            (Type::Text, Value::Text(None)) => Ok(vec![D::handle(NULL_TEXT)]),
            (Type::Text, Value::Text(Some(units))) => Ok(vec![D::handle(self.texts.add(units)?)]),
            (Type::Ref(_), Value::Ref(reference)) => {
                Ok(vec![D::handle(self.object_number(reference).ok_or_else(misfit)?)])
            }
            (Type::Record(types), Value::Record(fields)) if types.len() == fields.len() => {
                let mut slots = Vec::new();
                for (ty, field) in types.iter().zip(fields) {
                    slots.extend(self.read_value(field, ty)?);
                }
                Ok(slots)
            }
            (Type::Map(key_ty, value_ty), Value::Map(map)) => {
                let default = self.read_value(&map.default, value_ty)?;
                let mut number = self.maps.constant(&default);
                for (key, value) in &map.entries {
                    let (key, value) = (self.read_value(key, key_ty)?, self.read_value(value, value_ty)?);
                    number = self.maps.update(number, &key, &value)?;
                }
                Ok(vec![D::handle(number)])
            }
            _ => Err(misfit()),
        }
    }

    fn object_number(&self, reference: &RefValue) -> Option<u32> {
        let statics = &self.code.statics;
        match reference {
            RefValue::Null => Some(0),
            RefValue::Object(index) => {
                let number = statics.len() + index + 1;
                (number <= self.heap.objects.len()).then_some(number as u32)
            }
            RefValue::Static(name) => {
                let index = statics.iter().position(|object| object.name == *name)?;
                Some(index as u32 + 1)
            }
        }
    }

    /// What lies in slots, as a value.
    pub(super) fn to_value(&self, slots: &[D::Slot], ty: &Type) -> Result<Value, Halt> {
        self.spend(1)?;
        if let Some(scalar) = ty.scalar() {
            return Ok(D::scalar_to_value(&slots[0], scalar));
        }
        if let Type::Record(fields) = ty {
            let mut values = Vec::new();
            let mut next = 0;
            for field in fields {
                let end = next + width(field) as usize;
                values.push(self.to_value(&slots[next..end], field)?);
                next = end;
            }
            return Ok(Value::Record(values));
        }
        if D::is_undefined(&slots[0]) {
            return Ok(Value::Undefined);
        }
        let number = D::number(&slots[0])?;
        Ok(match ty {
            Type::Text if number == NULL_TEXT => Value::Text(None),
            Type::Text => {
                let text = self.texts.get(number)?;
                self.spend(text.len() as u64)?;
                Value::Text(Some(text.to_vec()))
            }
            Type::Ref(_) => Value::Ref(self.reference(number)),
            Type::Map(key_ty, value_ty) => {
                let contents = self.maps.contents(number)?;
                let default = Box::new(self.to_value(contents.default, value_ty)?);
                let mut entries = Vec::new();
                for (key, value) in contents.entries {
                    entries.push((self.to_value(key, key_ty)?, self.to_value(value, value_ty)?));
                }
                entries.sort_by(|(a, _), (b, _)| key_order(a, b));
                Value::Map(MapValue { default, entries })
            }
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Record(_) => {
                unreachable!("scalars and records should have been handled before")
            }
        })
    }

    /// Values do not share their parts as slots do, so that they might need far more memory than the run.
    fn spend(&self, cells: u64) -> Result<(), Halt> {
        let left = self.value_memory.get().checked_sub(cells);
        self.value_memory.set(left.ok_or_else(|| Box::new(Ending::OutOfMemory))?);
        Ok(())
    }

    fn reference(&self, number: u32) -> RefValue {
        let statics = &self.code.statics;
        match (number as usize).checked_sub(1) {
            None => RefValue::Null,
            Some(index) if index < statics.len() => RefValue::Static(statics[index].name.clone()),
            Some(index) => RefValue::Object(index - statics.len()),
        }
    }

    /// All that can be observed. Runs that say nothing have no final state either.
    fn finish(self, ending: Ending, input_objects: usize) -> Run {
        let mut ending = ending;
        let mut state = MemoryState::default();
        if ending.is_conclusive() {
            match self.final_state() {
                Ok(final_state) => state = self.without_lonely(final_state),
                Err(halt) => ending = *halt,
            }
        }
        Run {
            ending,
            globals: state.globals,
            objects: state.objects,
            input_objects,
            statics: state.statics,
            written: self.written,
            external_calls: self.calls,
            steps: self.steps,
            branches: self.branches,
            executed: self.executed,
            inexact: self.inexact,
            doubtful: self.doubtful,
            filled: self.filled,
            invented: self.invented,
            thrown: self.thrown,
            failed_at: self.failed_at,
        }
    }

    /// What members hold that only one version has is no behaviour of both: nobody looks at it.
    fn without_lonely(&self, mut state: MemoryState) -> MemoryState {
        let objects = state.objects.iter_mut().map(|object| (object.shape.clone(), &mut object.cells));
        let shape_of = |name: &String| {
            let layout = self.code.statics.iter().find(|layout| layout.name == *name);
            layout.map_or(String::new(), |layout| self.code.shapes[layout.shape as usize].name.clone())
        };
        let statics = state.statics.iter_mut().map(|(name, cells)| (shape_of(name), cells));
        if self.code.shapes.iter().any(|shape| !shape.lonely.is_empty()) {
            for (shape, cells) in objects.chain(statics) {
                let Some(shape) = self.code.shapes.iter().find(|known| known.name == shape) else { continue };
                let lonely = cells.iter_mut().enumerate().filter(|(cell, _)| shape.is_lonely(*cell));
                lonely.for_each(|(_, value)| *value = Value::Int(0));
            }
        }
        state
    }

    pub(super) fn final_state(&self) -> Result<MemoryState, Halt> {
        let mut state = MemoryState::default();
        for global in self.code.globals.iter().filter(|global| !global.constant) {
            let start = global.slot as usize;
            let value =
                self.to_value(&self.globals[start..start + width(&global.ty) as usize], &global.ty)?;
            state.globals.insert(global.name.clone(), value);
        }
        let statics = self.code.statics.len();
        for (index, layout) in self.code.statics.iter().enumerate().filter(|(_, layout)| !layout.constant) {
            state.statics.insert(layout.name.clone(), self.object(index)?.cells);
        }
        for index in statics..self.heap.objects.len() {
            state.objects.push(self.object(index)?);
        }
        Ok(state)
    }

    pub(super) fn object(&self, index: usize) -> Result<ObjectValue, Halt> {
        let object = &self.heap.objects[index];
        let shape = &self.code.shapes[object.shape as usize];
        // Freed objects keep their cells, but nobody can look at them.
        let count = if shape.indexed { object.length.max(0) as usize } else { shape.regions.len() };
        let mut cells = Vec::with_capacity(count);
        let mut next = 0;
        for position in 0..count {
            let (region, _) = shape.regions[position % shape.regions.len()];
            let region = &self.code.regions[region as usize];
            let end = next + region.zero.len();
            cells.push(self.to_value(&object.cells[next..end], &region.ty)?);
            next = end;
        }
        let names = shape.regions.iter().map(|(region, _)| self.code.regions[*region as usize].name.clone());
        let fields = if shape.indexed { Vec::new() } else { names.collect() };
        let length = shape.indexed.then_some(object.length);
        Ok(ObjectValue { shape: shape.name.clone(), length, cells, fields })
    }
}

/// The order in which entries are listed. It must not depend on the numbers that texts have in a run.
fn key_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        _ => format!("{a:?}").cmp(&format!("{b:?}")),
    }
}

fn misfit(value: &Value, ty: &Type) -> Halt {
    broken(format!("the input {value:?} is not of type {ty:?}"))
}

//! Makes inputs for a procedure: systematic ones first, then random ones, always the same for the same seed.
//!
//! Under-approximating: only ever finds differences, never shows that there are none.

use std::collections::{BTreeMap, BTreeSet};

use interp::{Input, MapValue, ObjectValue, RefValue, Value};
use ir::{Cells, FloatType, IntType, Pair, Program, RegionId, ShapeId, Target, Type};

use crate::Pool;
use crate::plausible::{self, Plausible};
use crate::reals::real;
use ir::Numbers;
use ir::Subject;

/// How many random objects one input may have, so that cyclic types end.
const MOST_OBJECTS: usize = 24;

/// How many inputs have the same value everywhere: tables may have any number of constants.
const MOST_UNIFORM: usize = 300;

/// The shape of what pointers to functions of C lead to.
const FUNCTION: &str = "function";

/// How many of 256 boxed numbers are null.
const NULL_BOXES: u8 = 40;

/// Makes inputs for one pair.
pub struct Generator<'a> {
    program: &'a Program,
    params: Vec<Type>,
    /// The non-constant globals of both versions; those of the new one that the old one lacks come last.
    globals: Vec<(&'a Program, &'a str, &'a Type)>,
    statics: Vec<(&'a Program, &'a ir::StaticObject)>,
    /// Those whose cells are chosen; pointers may lead to the others as well, which hold what they start with.
    chosen: BTreeSet<&'a str>,
    /// The objects of closed shapes that both versions have: the name of the shape and of the object.
    constants: Vec<(&'a str, &'a str)>,
    pool: Pool,
    numbers: Numbers,
    random: fastrand::Rng,
    /// What the versions do may depend on the state of the outside world.
    calls_out: bool,
    /// Choices for inputs that a caller might pass, where the code asks for such.
    plausible: Option<Plausible>,
    is_plausible: bool,
    /// How many inputs were made at random.
    made: u64,
}

impl<'a> Generator<'a> {
    pub fn new(pair: Pair<Subject<'a>>, numbers: Numbers, seed: u64) -> Generator<'a> {
        let mut globals: Vec<(&Program, &str, &Type)> = Vec::new();
        let mut statics: Vec<(&Program, &ir::StaticObject)> = Vec::new();
        let mut chosen = BTreeSet::new();
        let pool = Pool::of(pair);
        let plausible = Plausible::of(pair, &pool);
        for subject in [pair.old, pair.new] {
            let program = subject.program;
            let seen = seen_variables(subject);
            for global in program.globals.iter().filter(|global| !global.constant) {
                // Large files have many variables that do not matter here.
                if plausible.is_some() && !seen.contains(global.name.as_str()) {
                    continue;
                }
                if globals.iter().all(|(_, name, _)| *name != global.name) {
                    globals.push((program, &global.name, &global.ty));
                }
            }
            for object in program.statics.iter().filter(|object| !object.constant && !object.cells.is_empty())
            {
                if plausible.is_none() || seen.contains(object.name.as_str()) {
                    chosen.insert(object.name.as_str());
                }
                if statics.iter().all(|(_, known)| known.name != object.name) {
                    statics.push((program, object));
                }
            }
        }
        Generator {
            program: pair.old.program,
            params: pair.old.procedure().parameters().iter().map(|param| param.ty.clone()).collect(),
            globals,
            statics,
            chosen,
            constants: shared_constants(pair),
            pool,
            numbers,
            random: fastrand::Rng::with_seed(seed),
            calls_out: [pair.old, pair.new]
                .iter()
                .any(|subject| ir::effects(subject.program, subject.procedure).calls_out),
            plausible,
            is_plausible: false,
            made: 0,
        }
    }

    /// Whether there is only one input: no parameters, no globals, no outside world.
    pub fn has_no_inputs(&self) -> bool {
        !self.calls_out && self.params.is_empty() && self.globals.is_empty() && self.statics.is_empty()
    }

    /// The inputs in which every scalar has the value at one position of the pool; `None` past its end.
    pub fn uniform(&mut self, position: usize) -> Option<Input> {
        let longest = self.pool.ints.len().max(self.pool.floats.len()).min(MOST_UNIFORM);
        (position < longest).then(|| self.input(&mut |generator, ty, _| generator.at_position(ty, position)))
    }

    /// The inputs that combine the first `width` values of the pool for the first parameters, in counting order.
    pub fn combination(&mut self, number: u64, width: u64) -> Option<Input> {
        let scalars = self.params.iter().filter(|ty| ty.scalar().is_some()).count() as u32;
        if scalars == 0 || number >= width.checked_pow(scalars)? {
            return None;
        }
        let mut rest = number;
        Some(self.input(&mut |generator, ty, is_param| {
            if !is_param {
                return generator.at_position(ty, 0);
            }
            let position = rest % width;
            rest /= width;
            generator.at_position(ty, position as usize)
        }))
    }

    /// Whether most inputs should be random ones.
    pub fn prefers_random(&self) -> bool {
        self.plausible.is_some()
    }

    /// A random input; of code that uses memory, mostly one that a caller might pass.
    pub fn random(&mut self) -> Input {
        self.made += 1;
        if !self.made.is_multiple_of(4)
            && let Some(plausible) = &mut self.plausible
        {
            plausible.begin(&mut self.random);
            self.is_plausible = true;
            let input = self.input(&mut |generator, ty, _| generator.random_scalar(ty));
            self.is_plausible = false;
            return input;
        }
        let mut input = self.input(&mut |generator, ty, _| generator.random_scalar(ty));
        if self.random.u8(..) < 60 {
            reverse_objects(&mut input);
        }
        self.relate_lengths(&mut input);
        if self.random.u8(..) < 40 {
            self.copy_an_argument(&mut input);
        }
        input
    }

    /// A random value of a scalar type, for mutations.
    pub fn random_scalar(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.random.bool()),
            Type::Int(ty) => Value::Int(self.random_int(*ty)),
            Type::Float(ty) => {
                let value = self.random_float();
                self.float(*ty, value)
            }
            Type::Text => Value::Text(self.random_text()),
            Type::Ref(_) | Type::Record(_) | Type::Map(..) => {
                unreachable!("only scalars and texts should be drawn here")
            }
        }
    }

    pub fn rng(&mut self) -> &mut fastrand::Rng {
        &mut self.random
    }

    fn input(&mut self, scalar: &mut dyn FnMut(&mut Self, &Type, bool) -> Value) -> Input {
        let mut objects = Vec::new();
        let params = self.params.clone();
        let args = params.iter().map(|ty| self.value(self.program, ty, &mut objects, scalar, true)).collect();
        let mut globals = BTreeMap::new();
        for (program, name, ty) in self.globals.clone() {
            globals.insert(name.to_owned(), self.value(program, ty, &mut objects, scalar, false));
        }
        let mut statics = BTreeMap::new();
        for (program, object) in self.statics.clone() {
            if !self.chosen.contains(object.name.as_str()) {
                continue;
            }
            let count = object.cells.len();
            let cells = (0..count)
                .map(|index| {
                    let ty = cell_type(program, object.shape, index).clone();
                    self.value(program, &ty, &mut objects, scalar, false)
                })
                .collect();
            let mut cells: Vec<Value> = cells;
            self.put_numbers(program, object.shape, &mut cells, scalar);
            statics.insert(object.name.clone(), cells);
        }
        Input { args, globals, statics, objects, world: 0 }
    }

    fn value(
        &mut self,
        program: &Program,
        ty: &Type,
        objects: &mut Vec<ObjectValue>,
        scalar: &mut dyn FnMut(&mut Self, &Type, bool) -> Value,
        is_param: bool,
    ) -> Value {
        match ty {
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text => scalar(self, ty, is_param),
            Type::Ref(Target::Any) => Value::Ref(RefValue::Null),
            Type::Ref(Target::Shape(shape)) => Value::Ref(self.reference(program, *shape, objects, scalar)),
            Type::Record(fields) => {
                let is_pointer = matches!(&fields[..], [Type::Ref(_), Type::Int(IntType::I64)]);
                if is_pointer {
                    let object = self.value(program, &fields[0], objects, scalar, false);
                    let target = match fields[0] {
                        Type::Ref(Target::Shape(target)) => Some(target),
                        _ => None,
                    };
                    let offset = self.offset(program, target, &object, objects);
                    return Value::Record(vec![object, Value::Int(offset)]);
                }
                if ty.is_boxed() {
                    return self.boxed(&fields[1], scalar, is_param);
                }
                Value::Record(
                    fields.iter().map(|field| self.value(program, field, objects, scalar, false)).collect(),
                )
            }
            Type::Map(_, value) => {
                let default = Box::new(self.value(program, value, objects, scalar, false));
                Value::Map(MapValue { default, entries: Vec::new() })
            }
        }
    }

    /// A number that may be null.
    fn boxed(
        &mut self,
        number: &Type,
        scalar: &mut dyn FnMut(&mut Self, &Type, bool) -> Value,
        is_param: bool,
    ) -> Value {
        let value = scalar(self, number, is_param);
        if self.random.u8(..) >= NULL_BOXES {
            return Value::Record(vec![Value::Bool(true), value]);
        }
        let zero = match number {
            Type::Bool => Value::Bool(false),
            Type::Int(_) => Value::Int(0),
            Type::Float(float) => self.float(*float, 0.0),
            _ => value,
        };
        Value::Record(vec![Value::Bool(false), zero])
    }

    fn reference(
        &mut self,
        program: &Program,
        target: ShapeId,
        objects: &mut Vec<ObjectValue>,
        scalar: &mut dyn FnMut(&mut Self, &Type, bool) -> Value,
    ) -> RefValue {
        let shapes = concrete_shapes(program, target);
        let known: Vec<usize> = (0..objects.len())
            .filter(|index| shapes.iter().any(|shape| program.shape(*shape).name == objects[*index].shape))
            .collect();
        if self.is_plausible && !shapes.is_empty() {
            return self.plausible_reference(program, &shapes, &known, objects, scalar);
        }
        let dice = self.random.u8(..);
        if shapes.is_empty() || objects.len() >= MOST_OBJECTS || dice < 20 {
            return match known.as_slice() {
                [] => RefValue::Null,
                // Any of them: the first one is where recursion started.
                known if objects.len() >= MOST_OBJECTS => {
                    RefValue::Object(known[usize::from(dice) % known.len()])
                }
                _ => RefValue::Null,
            };
        }
        if dice < 70 && !known.is_empty() {
            return RefValue::Object(known[self.random.usize(..known.len())]);
        }
        if dice < 90
            && let Some(name) =
                self.static_object(&shapes.iter().map(|id| &program.shape(*id).name[..]).collect::<Vec<_>>())
        {
            return RefValue::Static(name);
        }
        let shape = shapes[self.random.usize(..shapes.len())];
        if program.shape(shape).closed {
            let name = program.shape(shape).name.as_str();
            let constants: Vec<&str> = self
                .constants
                .iter()
                .filter(|(shape, _)| *shape == name)
                .map(|(_, object)| *object)
                .collect();
            return match constants.len() {
                0 => RefValue::Null,
                count => RefValue::Static(constants[self.random.usize(..count)].to_owned()),
            };
        }
        self.object(program, shape, objects, scalar)
    }

    /// A reference that a caller might pass.
    fn plausible_reference(
        &mut self,
        program: &Program,
        shapes: &[ShapeId],
        known: &[usize],
        objects: &mut Vec<ObjectValue>,
        scalar: &mut dyn FnMut(&mut Self, &Type, bool) -> Value,
    ) -> RefValue {
        let Some(plausible) = &self.plausible else { return RefValue::Null };
        let shape = shapes[self.random.usize(..shapes.len())];
        let target = match program.shape(shape).name == FUNCTION && self.random.bool() {
            true => plausible::Target::Static,
            false => plausible.target(&mut self.random, !known.is_empty(), objects.len()),
        };
        match target {
            plausible::Target::Null => RefValue::Null,
            plausible::Target::Known => RefValue::Object(known[self.random.usize(..known.len())]),
            plausible::Target::Static => {
                let names: Vec<&str> = shapes.iter().map(|id| &program.shape(*id).name[..]).collect();
                match self.static_object(&names) {
                    Some(name) => RefValue::Static(name),
                    None => self.object(program, shape, objects, scalar),
                }
            }
            plausible::Target::New => self.object(program, shape, objects, scalar),
        }
    }

    /// One of the variables in memory that have one of the shapes, if there are any.
    fn static_object(&mut self, shapes: &[&str]) -> Option<String> {
        let fitting: Vec<&ir::StaticObject> = self
            .statics
            .iter()
            .filter(|(program, object)| shapes.contains(&&program.shape(object.shape).name[..]))
            .map(|(_, object)| *object)
            .collect();
        (!fitting.is_empty()).then(|| fitting[self.random.usize(..fitting.len())].name.clone())
    }

    /// Where in its object a pointer points to: mostly its start, else any element or the end.
    fn offset(
        &mut self,
        program: &Program,
        target: Option<ShapeId>,
        object: &Value,
        objects: &[ObjectValue],
    ) -> i128 {
        let (length, shape) = match object {
            Value::Ref(RefValue::Object(index)) => match objects.get(*index) {
                Some(object) => (object.length, object.shape.as_str()),
                None => return 0,
            },
            Value::Ref(RefValue::Static(name)) => {
                match self.statics.iter().find(|(_, object)| object.name == *name) {
                    Some((program, object)) => (object.length, program.shape(object.shape).name.as_str()),
                    None => return 0,
                }
            }
            _ => return 0,
        };
        let (Some(length), step) = (length, element_cells(program, shape)) else { return 0 };
        let elements = usize::try_from(length / step).unwrap_or(0);
        let (start, is_end) = match self.random.u8(..) {
            // One in eight leads elsewhere.
            dice if self.is_plausible && dice < 224 => (0, false),
            0..160 => (0, false),
            160..180 => (elements, true),
            _ => (self.random.usize(..=elements), false),
        };
        let start = i128::from(step) * start as i128;
        if is_end || start >= i128::from(length) {
            return start;
        }
        start + i128::from(self.place(program, target, shape))
    }

    /// A cell of an element that a pointer may point to.
    fn place(&mut self, program: &Program, target: Option<ShapeId>, shape: &str) -> u32 {
        let shape = program.shapes.iter().position(|known| known.name == shape).map(ShapeId::from_index);
        let (Some(target), Some(shape)) = (target, shape) else { return 0 };
        match program.places(target, shape) {
            Some(places) if places.is_empty() => 0,
            Some(places) => places[self.random.usize(..places.len())],
            None => self.random.u32(..element_cells(program, &program.shape(shape).name) as u32),
        }
    }

    fn object(
        &mut self,
        program: &Program,
        shape: ShapeId,
        objects: &mut Vec<ObjectValue>,
        scalar: &mut dyn FnMut(&mut Self, &Type, bool) -> Value,
    ) -> RefValue {
        let position = objects.len();
        let name = program.shape(shape).name.clone();
        let mut fields = Vec::new();
        let (count, length) = match &program.shape(shape).cells {
            Cells::Fields(regions) => {
                fields = regions.iter().map(|region| program.region(*region).name.clone()).collect();
                (regions.len(), None)
            }
            Cells::Indexed(regions) => {
                let elements = match &self.plausible {
                    Some(plausible) if self.is_plausible => {
                        plausible.elements(regions.len(), is_bytes(program, regions), &mut self.random)
                    }
                    _ => self.random_length().max(least_elements(program)),
                };
                (elements * regions.len(), Some((elements * regions.len()) as i64))
            }
        };
        objects.push(ObjectValue { shape: name, length, cells: Vec::new(), fields });
        self.descend(1);
        let mut cells: Vec<Value> = (0..count)
            .map(|index| {
                let ty = cell_type(program, shape, index).clone();
                self.value(program, &ty, objects, scalar, false)
            })
            .collect();
        self.descend(-1);
        self.note_length(program, shape, length);
        self.end_like_a_string(program, shape, &mut cells);
        self.put_numbers(program, shape, &mut cells, scalar);
        objects[position].cells = cells;
        RefValue::Object(position)
    }

    fn descend(&mut self, by: isize) {
        if let Some(plausible) = &mut self.plausible {
            plausible.depth = plausible.depth.saturating_add_signed(by);
        }
    }

    fn note_length(&mut self, program: &Program, shape: ShapeId, length: Option<i64>) {
        let cells = element_cells(program, &program.shape(shape).name);
        if let Some(plausible) = &mut self.plausible {
            plausible.note_length(length.map(|length| length / cells));
        }
    }

    /// Byte arrays of C are mostly strings: printable characters with a zero at the end.
    fn end_like_a_string(&mut self, program: &Program, shape: ShapeId, cells: &mut [Value]) {
        let Cells::Indexed(regions) = &program.shape(shape).cells else { return };
        let is_bytes = is_bytes(program, regions);
        if let Some(plausible) = self.plausible.as_ref().filter(|_| self.is_plausible) {
            if is_bytes && self.random.u8(..) >= 20 {
                plausible.fill(cells, &mut self.random);
            }
            return;
        }
        if !is_bytes || program.language != ir::Language::C || self.random.u8(..) < 50 {
            return;
        }
        for cell in cells.iter_mut() {
            *cell = Value::Int(i128::from(*self.random.choice(b"abcAB01 xyz-").expect("a letter")));
        }
        if let Some(last) = cells.last_mut() {
            *last = Value::Int(0);
        }
    }

    /// Where several bytes make a number, they are those of one that was chosen as a number.
    fn put_numbers(
        &mut self,
        program: &Program,
        shape: ShapeId,
        cells: &mut [Value],
        scalar: &mut dyn FnMut(&mut Self, &Type, bool) -> Value,
    ) {
        let element = element_cells(program, &program.shape(shape).name) as usize;
        if element < 2 || self.numbers == Numbers::Math {
            return;
        }
        for start in (0..cells.len()).step_by(element) {
            for (cell, ty) in &program.shape(shape).layout.scalars {
                let bytes = interp::bytes_of_number(&scalar(self, &Type::from(*ty), false), *ty);
                let places = cells.iter_mut().skip(start + *cell as usize);
                places.zip(bytes).for_each(|(place, byte)| *place = byte);
            }
        }
    }

    fn at_position(&mut self, ty: &Type, position: usize) -> Value {
        match ty {
            Type::Bool => Value::Bool(position % 2 == 1),
            Type::Int(int) => {
                Value::Int(self.in_range(*int, self.pool.ints[position % self.pool.ints.len()]))
            }
            Type::Float(float) => {
                let value = self.pool.floats[position % self.pool.floats.len()];
                self.float(*float, value)
            }
            Type::Text => Value::Text(Some(self.pool.texts[position % self.pool.texts.len()].clone())),
            Type::Ref(_) | Type::Record(_) | Type::Map(..) => {
                unreachable!("only scalars should be asked for")
            }
        }
    }

    fn random_int(&mut self, ty: IntType) -> i128 {
        if let Some(plausible) = self.plausible.as_ref().filter(|_| self.is_plausible)
            && let Some(value) = plausible.int(ty, &self.pool.int_constants, &mut self.random)
        {
            return value;
        }
        let value = match self.random.u8(..100) {
            0..35 => self.random.i32(-3..=10).into(),
            35..60 if !self.pool.int_constants.is_empty() => {
                self.pool.int_constants[self.random.usize(..self.pool.int_constants.len())]
            }
            60..72 if self.numbers == Numbers::Machine => Pool::boundaries(ty)[self.random.usize(..4)],
            72..88 => self.random.i32(-100..=100).into(),
            88..94 => self.random.i32(..).into(),
            _ => i128::from(self.random.i64(..)) >> self.random.u32(..64),
        };
        self.in_range(ty, value)
    }

    /// The value as one of the type: wrapped, or made non-negative where only that is asked.
    fn in_range(&self, ty: IntType, value: i128) -> i128 {
        match self.numbers {
            Numbers::Machine => ty.wrap(value),
            Numbers::Math if !ty.signed => value.abs(),
            Numbers::Math => value,
        }
    }

    fn random_float(&mut self) -> f64 {
        match self.random.u8(..100) {
            0..25 => f64::from(self.random.i32(-3..=10)),
            25..50 if !self.pool.float_constants.is_empty() => {
                self.pool.float_constants[self.random.usize(..self.pool.float_constants.len())]
            }
            50..62 if self.numbers == Numbers::Machine => {
                let special = Pool::special_floats();
                special[self.random.usize(..special.len())]
            }
            62..80 => f64::from(self.random.i32(-1000..=1000)) / 16.0,
            80..92 => f64::from(self.random.i32(..)) / 1e6,
            _ if self.numbers == Numbers::Math => f64::from(self.random.i32(-1_000_000..=1_000_000)),
            _ => f64::from_bits(self.random.u64(..)),
        }
    }

    fn float(&self, ty: FloatType, value: f64) -> Value {
        match (self.numbers, ty) {
            (Numbers::Math, _) if value.is_finite() => real(value),
            (Numbers::Math, _) => real(0.0),
            (Numbers::Machine, FloatType::F64) => Value::f64(value),
            (Numbers::Machine, FloatType::F32) => Value::f32(value as f32),
        }
    }

    fn random_text(&mut self) -> Option<Vec<u16>> {
        match self.random.u8(..100) {
            0..8 => None,
            8..60 => Some(self.pool.texts[self.random.usize(..self.pool.texts.len())].clone()),
            60..75 => Some(self.random.i32(-200..=200).to_string().encode_utf16().collect()),
            _ => {
                let length = self.random.usize(..8);
                Some((0..length).map(|_| u16::from(self.random.u8(b' '..=b'~'))).collect())
            }
        }
    }

    fn random_length(&mut self) -> usize {
        match self.random.u8(..100) {
            0..8 => 0,
            8..70 => self.random.usize(1..=5),
            70..95 => self.random.usize(1..=12),
            _ => self.random.usize(1..=40),
        }
    }

    /// Integer arguments often say how long an array is.
    fn relate_lengths(&mut self, input: &mut Input) {
        let lengths: Vec<i64> = input.objects.iter().filter_map(|object| object.length).collect();
        if lengths.is_empty() {
            return;
        }
        for index in 0..self.params.len() {
            if let Type::Int(ty) = self.params[index]
                && self.random.u8(..) < 128
            {
                let length = i128::from(lengths[self.random.usize(..lengths.len())]);
                let value = length + i128::from(*self.random.choice(&[0, 0, 0, 0, -1, 1]).expect("a shift"));
                input.args[index] = Value::Int(self.in_range(ty, value));
            }
        }
    }

    /// Equal arguments reach branches that independent ones seldom do.
    fn copy_an_argument(&mut self, input: &mut Input) {
        if self.params.len() < 2 {
            return;
        }
        let from = self.random.usize(..self.params.len());
        let to = self.random.usize(..self.params.len());
        if self.params[from] == self.params[to] {
            input.args[to] = input.args[from].clone();
        }
    }
}

/// The variables that a procedure may get at by their names.
fn seen_variables(subject: Subject<'_>) -> BTreeSet<&str> {
    let program = subject.program;
    let effects = ir::effects(program, subject.procedure);
    let globals = effects.reads_globals.iter().chain(&effects.writes_globals);
    let globals = globals.map(|id| program.global(*id).name.as_str());
    globals.chain(effects.statics.iter().map(|id| program.static_object(*id).name.as_str())).collect()
}

/// Whether the cells of a shape are characters.
fn is_bytes(program: &Program, regions: &[RegionId]) -> bool {
    matches!(regions, [region] if program.region(*region).value == Type::Int(IntType::I8))
}

/// Gives the objects the opposite order, which is that of their places in memory.
fn reverse_objects(input: &mut Input) {
    let count = input.objects.len();
    input.objects.reverse();
    let values = input.args.iter_mut().chain(input.globals.values_mut());
    let values = values.chain(input.statics.values_mut().flatten());
    let values = values.chain(input.objects.iter_mut().flat_map(|object| &mut object.cells));
    values.for_each(|value| renumber(value, count));
}

fn renumber(value: &mut Value, count: usize) {
    match value {
        Value::Ref(RefValue::Object(index)) => *index = count - 1 - *index,
        Value::Record(fields) => fields.iter_mut().for_each(|field| renumber(field, count)),
        Value::Map(map) => {
            renumber(&mut map.default, count);
            for (key, value) in &mut map.entries {
                renumber(key, count);
                renumber(value, count);
            }
        }
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::F32(_) | Value::F64(_) => {}
        Value::Real(_) | Value::Undefined | Value::Text(_) => {}
        Value::Ref(RefValue::Null | RefValue::Static(_)) => {}
    }
}

/// How many cells an element of a shape has: one, or those of a C struct.
pub(crate) fn element_cells(program: &Program, shape: &str) -> i64 {
    match program.shapes.iter().find(|known| known.name == shape).map(|shape| &shape.cells) {
        Some(Cells::Indexed(regions)) => regions.len().max(1) as i64,
        Some(Cells::Fields(_)) | None => 1,
    }
}

/// The objects of closed shapes that both versions have, each after the name of its shape.
fn shared_constants<'a>(pair: Pair<Subject<'a>>) -> Vec<(&'a str, &'a str)> {
    let of_new: std::collections::BTreeSet<&str> =
        pair.new.program.statics.iter().map(|object| object.name.as_str()).collect();
    let program = pair.old.program;
    let closed = program.statics.iter().filter(|object| program.shape(object.shape).closed);
    closed
        .filter(|object| of_new.contains(object.name.as_str()))
        .map(|object| (program.shape(object.shape).name.as_str(), object.name.as_str()))
        .collect()
}

/// The shapes that objects behind a reference to the target can have.
fn concrete_shapes(program: &Program, target: ShapeId) -> Vec<ShapeId> {
    let candidates = (0..program.shapes.len()).map(ShapeId::from_index);
    candidates
        .filter(|id| *id == target || program.shape(*id).ancestors.contains(&target))
        .filter(|id| !program.shape(*id).is_abstract)
        .collect()
}

/// C has no objects without elements; Java has arrays of length zero.
pub(crate) fn least_elements(program: &Program) -> usize {
    match program.language {
        ir::Language::C => 1,
        ir::Language::Java => 0,
    }
}

/// The type of the cell at a position of an object of a shape.
pub(crate) fn cell_type(program: &Program, shape: ShapeId, index: usize) -> &Type {
    let region: RegionId = match &program.shape(shape).cells {
        Cells::Fields(regions) => regions[index],
        Cells::Indexed(regions) => regions[index % regions.len()],
    };
    &program.region(region).value
}

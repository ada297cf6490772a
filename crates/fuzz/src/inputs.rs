//! Random inputs for a pair, made here and not by the engine that is under test.
//!
//! Under-approximating: an input separates two versions, or says nothing.

use std::collections::BTreeMap;

use arbitrary_source::Choices;
use check::Subject;
use interp::{Enclosure, Input, ObjectValue, RefValue, Value};
use ir::{Cells, FloatType, IntType, Language, Pair, Program, ShapeId, Target, Type};
use num_bigint::BigInt;
use num_rational::BigRational;

/// How many objects one input may have, so that lists end.
const MOST_OBJECTS: usize = 8;

/// Makes inputs for the old version; the new one has the same interface.
pub struct Inputs<'a> {
    pub subjects: Pair<Subject<'a>>,
    pub math: bool,
}

impl Inputs<'_> {
    pub fn random(&self, choices: &mut Choices) -> Input {
        let mut maker = Maker { choices, math: self.math, objects: Vec::new() };
        let Pair { old, new } = self.subjects;
        let args = old.procedure().parameters().iter().map(|param| maker.value(old.program, &param.ty));
        let args = args.collect();
        let mut globals = BTreeMap::new();
        let mut statics = BTreeMap::new();
        for program in [old.program, new.program] {
            for global in program.globals.iter().filter(|global| !global.constant) {
                if !globals.contains_key(&global.name) {
                    globals.insert(global.name.clone(), maker.value(program, &global.ty));
                }
            }
            for object in program.statics.iter().filter(|object| !object.constant) {
                if !statics.contains_key(&object.name) {
                    let count = object.cells.len();
                    statics.insert(object.name.clone(), maker.cells(program, object.shape, count));
                }
            }
        }
        Input { args, globals, statics, objects: maker.objects, world: 0 }
    }
}

struct Maker<'a> {
    choices: &'a mut Choices,
    math: bool,
    objects: Vec<ObjectValue>,
}

impl Maker<'_> {
    fn value(&mut self, program: &Program, ty: &Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.choices.percent(50)),
            Type::Int(ty) => Value::Int(self.int(*ty)),
            Type::Float(ty) => self.float(*ty),
            Type::Text => {
                let words = ["", "a", "ab", "abc", "-12", "7"];
                let word = self.choices.pick(&words);
                Value::Text((!self.choices.percent(6)).then(|| word.encode_utf16().collect()))
            }
            Type::Ref(Target::Any) => Value::NULL,
            Type::Ref(Target::Shape(shape)) => Value::Ref(self.reference(program, *shape)),
            Type::Record(fields) => match &fields[..] {
                // Pointers of C point to an element of an object, or to its end.
                [object @ Type::Ref(_), Type::Int(_)] => {
                    let object = self.value(program, object);
                    let offset = self.offset(program, &object);
                    Value::Record(vec![object, Value::Int(offset)])
                }
                _ => Value::Record(fields.iter().map(|field| self.value(program, field)).collect()),
            },
            Type::Map(_, value) => {
                let default = Box::new(self.value(program, value));
                Value::Map(interp::MapValue { default, entries: Vec::new() })
            }
        }
    }

    fn int(&mut self, ty: IntType) -> i128 {
        let value = match self.choices.below(20) {
            0 => ty.min(),
            1 => ty.max(),
            2 => i128::from(self.choices.bits() as i64),
            3 => 99 + self.choices.below(4) as i128,
            4 => 1 << self.choices.below(usize::from(ty.width)),
            5..8 => self.choices.below(41) as i128 - 20,
            _ => self.choices.below(10) as i128 - 2,
        };
        if self.math { if ty.signed { value } else { value.abs() } } else { ty.wrap(value) }
    }

    fn float(&mut self, ty: FloatType) -> Value {
        let quarters = self.choices.below(41) as i64 - 20;
        if self.math {
            let ratio = BigRational::new(BigInt::from(quarters), BigInt::from(4));
            return Value::Real(Enclosure::exact(ratio));
        }
        let value = match self.choices.below(12) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -0.0,
            3 => 0.1,
            4 => 1e300,
            _ => quarters as f64 / 4.0,
        };
        match ty {
            FloatType::F64 => Value::f64(value),
            FloatType::F32 => Value::f32(value as f32),
        }
    }

    fn reference(&mut self, program: &Program, target: ShapeId) -> RefValue {
        let shapes = concrete_shapes(program, target);
        let is_one = |name: &str| shapes.iter().any(|shape| program.shape(*shape).name == name);
        let known: Vec<usize> =
            (0..self.objects.len()).filter(|index| is_one(&self.objects[*index].shape)).collect();
        let is_full = self.objects.len() >= MOST_OBJECTS;
        match self.choices.below(10) {
            0 => RefValue::Null,
            _ if shapes.is_empty() => RefValue::Null,
            1..4 if !known.is_empty() => RefValue::Object(self.choices.pick(&known)),
            _ if is_full => known.first().map_or(RefValue::Null, |index| RefValue::Object(*index)),
            _ => match self.choices.pick(&shapes) {
                shape if program.shape(shape).closed => self.constant(program, shape),
                shape => self.object(program, shape),
            },
        }
    }

    /// One of the objects of a shape that has no others, such as an enum.
    fn constant(&mut self, program: &Program, shape: ShapeId) -> RefValue {
        let objects = program.statics.iter().filter(|object| object.shape == shape);
        let names: Vec<&String> = objects.map(|object| &object.name).collect();
        if names.is_empty() { RefValue::Null } else { RefValue::Static(self.choices.pick(&names).clone()) }
    }

    /// Where in its object a pointer points to, in cells.
    fn offset(&mut self, program: &Program, object: &Value) -> i128 {
        let Value::Ref(RefValue::Object(index)) = object else { return 0 };
        let object = &self.objects[*index];
        let shape = program.shapes.iter().find(|shape| shape.name == object.shape);
        let step = match shape.map(|shape| &shape.cells) {
            Some(Cells::Indexed(regions)) => regions.len().max(1),
            Some(Cells::Fields(_)) | None => return 0,
        };
        let elements = object.length.map_or(0, |length| length as usize / step);
        let chosen = if self.choices.percent(50) { 0 } else { self.choices.below(elements + 1) };
        (chosen * step) as i128
    }

    fn object(&mut self, program: &Program, shape: ShapeId) -> RefValue {
        let position = self.objects.len();
        let (mut fields, mut length) = (Vec::new(), None);
        let count = match &program.shape(shape).cells {
            Cells::Fields(regions) => {
                fields = regions.iter().map(|region| program.region(*region).name.clone()).collect();
                regions.len()
            }
            Cells::Indexed(regions) => {
                let least = usize::from(program.language == Language::C);
                let elements = self.choices.weighted(&[(1, 0), (1, 1), (2, 3), (5, 4), (2, 5)]).max(least);
                length = Some((elements * regions.len()) as i64);
                elements * regions.len()
            }
        };
        let name = program.shape(shape).name.clone();
        self.objects.push(ObjectValue { shape: name, length, cells: Vec::new(), fields });
        self.objects[position].cells = self.cells(program, shape, count);
        RefValue::Object(position)
    }

    fn cells(&mut self, program: &Program, shape: ShapeId, count: usize) -> Vec<Value> {
        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &program.shape(shape).cells;
        let types = regions.iter().map(|region| &program.region(*region).value).cycle().take(count);
        types.map(|ty| self.value(program, ty)).collect()
    }
}

/// The shapes that objects behind a reference can have.
fn concrete_shapes(program: &Program, target: ShapeId) -> Vec<ShapeId> {
    let all = (0..program.shapes.len()).map(ShapeId::from_index);
    all.filter(|id| *id == target || program.shape(*id).ancestors.contains(&target))
        .filter(|id| !program.shape(*id).is_abstract)
        .collect()
}

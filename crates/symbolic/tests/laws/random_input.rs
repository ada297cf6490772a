//! Random well-formed inputs, in the form of the interpreter and in that of terms.

use std::collections::BTreeMap;

use arbitrary_ir::Random;
use interp::{Input, MapValue, ObjectValue, RefValue, Value};
use ir::Numbers;
use ir::{FloatType, IntType, Language};
use num_bigint::BigInt;
use num_rational::BigRational;
use symbolic::{
    ConcreteInput, ConcreteObject, ConcreteValue, InputType, Inputs, ShapeCells, ShapeInfo, SymValue,
};

/// An input of both versions of a pair of programs in the language.
pub(crate) fn random_input(random: &mut Random, inputs: &Inputs, language: Language) -> ConcreteInput {
    let common: Vec<(String, ShapeInfo)> = inputs
        .shape_table
        .iter()
        .filter(|(_, info)| info.common)
        .map(|(name, info)| (name.clone(), info.clone()))
        .collect();
    let count = if common.is_empty() { 0 } else { random.below(5) };
    let mut maker = Maker { random, inputs, language, shapes: Vec::new() };
    for _ in 0..count {
        let (name, info) = maker.random.pick(&common);
        maker.shapes.push((name, info));
    }
    let objects = (0..count).map(|index| maker.object(index)).collect();
    let args = inputs.args.iter().map(|arg| maker.value(&arg.ty)).collect();
    let globals =
        inputs.globals.iter().map(|(name, global)| (name.clone(), maker.value(&global.ty))).collect();
    let statics = inputs
        .statics
        .values()
        .filter(|object| !object.constant)
        .map(|object| {
            let info = &inputs.shape_table[&object.shape];
            (object.name.clone(), maker.cells(info, object.length))
        })
        .collect();
    ConcreteInput { args, globals, statics, objects, complete: true }
}

struct Maker<'a> {
    random: &'a mut Random,
    inputs: &'a Inputs,
    language: Language,
    /// The shapes of the objects.
    shapes: Vec<(String, ShapeInfo)>,
}

impl Maker<'_> {
    fn object(&mut self, index: usize) -> ConcreteObject {
        let (shape, info) = self.shapes[index].clone();
        let (length, fields) = match &info.cells {
            ShapeCells::Fields(regions) => (None, regions.clone()),
            ShapeCells::Indexed { regions, .. } => {
                // Arrays of structs have whole structs, and C has no objects without elements.
                let least = usize::from(self.language == Language::C);
                let elements = least + self.random.below(if regions.len() > 1 { 2 } else { 4 });
                (Some((elements * regions.len()) as i64), Vec::new())
            }
        };
        let cells = self.cells(&info, length);
        ConcreteObject { shape, length, fields, cells }
    }

    fn cells(&mut self, info: &ShapeInfo, length: Option<i64>) -> Vec<ConcreteValue> {
        match &info.cells {
            ShapeCells::Fields(regions) => {
                regions.iter().map(|region| self.value(&self.inputs.regions[region].ty.clone())).collect()
            }
            ShapeCells::Indexed { regions, .. } => (0..length.unwrap_or(0) as usize)
                .map(|place| self.value(&self.inputs.regions[&regions[place % regions.len()]].ty.clone()))
                .collect(),
        }
    }

    fn value(&mut self, ty: &InputType) -> ConcreteValue {
        match ty {
            InputType::Bool => ConcreteValue::Bool(self.random.one_in(2)),
            InputType::Int(ty) => ConcreteValue::Int(self.int(*ty)),
            InputType::Float(ty) => self.float(*ty),
            InputType::Text => match self.random.below(4) {
                0 => ConcreteValue::Text(None),
                _ => {
                    let length = self.random.below(4);
                    let units = (0..length).map(|_| self.random.pick(&[48, 49, 45, 97, 98])).collect();
                    ConcreteValue::Text(Some(units))
                }
            },
            InputType::Ref(references) => self.reference(&references.codes),
            InputType::Record(fields) => {
                let mut values: Vec<ConcreteValue> = fields.iter().map(|field| self.value(field)).collect();
                if matches!(fields.as_slice(), [InputType::Ref(_), InputType::Int(IntType::I64)]) {
                    values[1] = ConcreteValue::Int(BigInt::ZERO);
                }
                ConcreteValue::Record(values)
            }
            InputType::Map(key, element) => {
                let default = Box::new(self.value(element));
                let mut entries: Vec<(ConcreteValue, ConcreteValue)> = Vec::new();
                for _ in 0..self.random.below(3) {
                    let (at, value) = (self.value(key), self.value(element));
                    if value != *default && entries.iter().all(|(known, _)| *known != at) {
                        entries.push((at, value));
                    }
                }
                ConcreteValue::Map { default, entries }
            }
        }
    }

    fn reference(&mut self, codes: &[u32]) -> ConcreteValue {
        let mut choices = vec![ConcreteValue::Null];
        for (index, (_, info)) in self.shapes.iter().enumerate() {
            if codes.contains(&info.code) {
                choices.extend([ConcreteValue::Object(index), ConcreteValue::Object(index)]);
            }
        }
        for object in self.inputs.statics.values().filter(|object| !object.constant) {
            if codes.contains(&self.inputs.shape_table[&object.shape].code) {
                choices.push(ConcreteValue::Static(object.name.clone()));
            }
        }
        self.random.pick(&choices)
    }

    fn int(&mut self, ty: IntType) -> BigInt {
        let any = ty.wrap(i128::from(self.random.bits()));
        let number = match self.random.below(8) {
            0 => any,
            1 => self.random.pick(&[ty.min(), ty.max(), ty.min() + 1, ty.max() - 1]),
            _ => i128::from(self.random.below(12) as u32) - if ty.signed { 4 } else { 0 },
        };
        BigInt::from(number)
    }

    fn float(&mut self, ty: FloatType) -> ConcreteValue {
        let number = match self.random.below(8) {
            0 => f64::from_bits(self.random.bits()),
            1 => self.random.pick(&[
                f64::NAN,
                f64::INFINITY,
                -f64::INFINITY,
                -0.0,
                f64::MAX,
                f64::MIN_POSITIVE,
            ]),
            _ => (self.random.below(40) as f64 - 20.0) / 4.0,
        };
        match (self.inputs.numbers, ty) {
            (Numbers::Math, _) => {
                let number = if number.is_finite() { number } else { 1.5 };
                let tiny = number.abs() > 1e12 || number.abs() < 1e-12;
                let number = if tiny { 0.25 } else { number };
                ConcreteValue::Real(BigRational::from_float(number).expect("the number should be finite"))
            }
            (Numbers::Machine, FloatType::F32) => match number.is_nan() {
                true => ConcreteValue::F32(0x7fc0_0000),
                false => ConcreteValue::F32((number as f32).to_bits()),
            },
            (Numbers::Machine, FloatType::F64) => match number.is_nan() {
                true => ConcreteValue::F64(0x7ff8_0000_0000_0000),
                false => ConcreteValue::F64(number.to_bits()),
            },
        }
    }
}

/// The input as the interpreter takes it.
pub(crate) fn for_interpreter(input: &ConcreteInput) -> Input {
    let all = |values: &[ConcreteValue]| values.iter().map(to_interp).collect();
    Input {
        args: all(&input.args),
        globals: input.globals.iter().map(|(name, value)| (name.clone(), to_interp(value))).collect(),
        statics: input.statics.iter().map(|(name, cells)| (name.clone(), all(cells))).collect(),
        objects: input
            .objects
            .iter()
            .map(|object| ObjectValue {
                shape: object.shape.clone(),
                length: object.length,
                cells: all(&object.cells),
                fields: object.fields.clone(),
            })
            .collect(),
        world: input.args.len() as u64,
    }
}

fn to_interp(value: &ConcreteValue) -> Value {
    match value {
        ConcreteValue::Bool(value) => Value::Bool(*value),
        ConcreteValue::Int(number) => Value::integer(number.clone()),
        ConcreteValue::Real(number) => Value::Real(interp::Enclosure::exact(number.clone())),
        ConcreteValue::F32(bits) => Value::F32(*bits),
        ConcreteValue::F64(bits) => Value::F64(*bits),
        ConcreteValue::Text(units) => Value::Text(units.clone()),
        ConcreteValue::Null => Value::NULL,
        ConcreteValue::Object(index) => Value::object(*index),
        ConcreteValue::Static(name) => Value::Ref(RefValue::Static(name.clone())),
        ConcreteValue::Record(fields) => Value::Record(fields.iter().map(to_interp).collect()),
        ConcreteValue::Map { default, entries } => Value::Map(MapValue {
            default: Box::new(to_interp(default)),
            entries: entries.iter().map(|(key, value)| (to_interp(key), to_interp(value))).collect(),
        }),
    }
}

/// The input as values of the variables in terms.
pub(crate) fn for_terms(
    terms: &smt::Terms,
    inputs: &Inputs,
    input: &ConcreteInput,
) -> BTreeMap<String, smt::Value> {
    let writer = Writer { inputs };
    let mut values = BTreeMap::new();
    let mut put = |variable: &SymValue, leaves: Vec<smt::Value>| {
        for (leaf, value) in variable.leaves().into_iter().zip(leaves) {
            let name = terms.name(leaf).expect("an input should be a variable").to_owned();
            values.insert(name, value);
        }
    };
    for (arg, value) in inputs.args.iter().zip(&input.args) {
        put(&arg.value, writer.leaves(value, &arg.ty));
    }
    for (name, global) in &inputs.globals {
        put(&global.value, writer.leaves(&input.globals[name], &global.ty));
    }
    for (name, region) in &inputs.regions {
        let zero = region.cells.leaves().into_iter().map(|leaf| smt::Value::default_of(terms.sort_of(leaf)));
        let mut arrays: Vec<smt::Value> = zero.collect();
        for (number, info, cells) in writer.objects(input) {
            writer.write_cells(&mut arrays, name, region, number, info, cells);
        }
        put(&region.cells, arrays);
    }
    let codes =
        writer.objects(input).map(|(number, info, _)| (writer.number(number), writer.number(info.code)));
    values.insert("shape".to_owned(), smt::Value::array(writer.number(0), codes));
    for (name, width) in [("length.i32", 32), ("length.i64", 64)] {
        let lengths = writer.objects(input).filter_map(|(number, info, cells)| match &info.cells {
            ShapeCells::Indexed { index, regions } if index.width == width => {
                // The lengths of static objects are known; what the variable says of them is well-formed, no more.
                let is_input = number < 0x4000_0000;
                let length = if is_input { cells.len() } else { regions.len() };
                Some((writer.number(number), writer.index(length, width)))
            }
            ShapeCells::Indexed { .. } | ShapeCells::Fields(_) => None,
        });
        values.insert(name.to_owned(), smt::Value::array(writer.index(1, width), lengths));
    }
    values.insert("world".to_owned(), smt::Value::Opaque(0));
    values
}

/// The reference of the input object at a place.
pub(crate) fn input_number(index: usize) -> u32 {
    // Not the place itself, so that mixing the two up is noticed.
    match index.checked_sub(FIRST_ALLOCATED) {
        Some(index) => 0x4000_0000 + index as u32,
        None => 1000 + 7 * index as u32,
    }
}

/// Places from here on stand for allocated objects.
const FIRST_ALLOCATED: usize = 1_000_000;

/// The place that stands for an allocated object, by the order of allocation.
pub(crate) fn allocated_index(index: usize) -> usize {
    FIRST_ALLOCATED + index
}

pub(crate) struct Writer<'a> {
    pub(crate) inputs: &'a Inputs,
}

impl Writer<'_> {
    fn objects<'i>(
        &'i self,
        input: &'i ConcreteInput,
    ) -> impl Iterator<Item = (u32, &'i ShapeInfo, &'i [ConcreteValue])> {
        let table = &self.inputs.shape_table;
        let objects = input.objects.iter().enumerate();
        let statics = self.inputs.statics.values().filter(|object| !object.constant);
        objects
            .map(|(index, object)| (input_number(index), &table[&object.shape], object.cells.as_slice()))
            .chain(
                statics.map(|object| {
                    (object.number, &table[&object.shape], input.statics[&object.name].as_slice())
                }),
            )
    }

    pub(crate) fn write_cells(
        &self,
        arrays: &mut [smt::Value],
        name: &str,
        region: &symbolic::InputRegion,
        number: u32,
        info: &ShapeInfo,
        cells: &[ConcreteValue],
    ) {
        let (ShapeCells::Fields(regions) | ShapeCells::Indexed { regions, .. }) = &info.cells;
        for (place, cell) in cells.iter().enumerate() {
            if regions[place % regions.len()] != name {
                continue;
            }
            for (array, leaf) in arrays.iter_mut().zip(self.leaves(cell, &region.ty)) {
                match region.index {
                    None => insert(array, self.number(number), leaf),
                    Some(index) => {
                        let mut inner = array.element(&self.number(number)).expect("an array").clone();
                        insert(&mut inner, self.index(place, index.width), leaf);
                        insert(array, self.number(number), inner);
                    }
                }
            }
        }
    }

    pub(crate) fn number(&self, number: u32) -> smt::Value {
        match self.inputs.numbers {
            Numbers::Machine => smt::Value::bit_vec(number.into(), 32),
            Numbers::Math => smt::Value::Int(number.into()),
        }
    }

    pub(crate) fn index(&self, number: usize, width: u8) -> smt::Value {
        match self.inputs.numbers {
            Numbers::Machine => smt::Value::bit_vec(number as u128, width.into()),
            Numbers::Math => smt::Value::Int(number.into()),
        }
    }

    /// The values of the leaves.
    pub(crate) fn leaves(&self, value: &ConcreteValue, ty: &InputType) -> Vec<smt::Value> {
        let leaf = match (value, ty) {
            (ConcreteValue::Bool(value), _) => smt::Value::Bool(*value),
            (ConcreteValue::Int(number), InputType::Int(ty)) => match self.inputs.numbers {
                Numbers::Machine => {
                    let number = i128::try_from(number).expect("machine integers are small");
                    smt::Value::bit_vec(number as u128, ty.width.into())
                }
                Numbers::Math => smt::Value::Int(number.clone()),
            },
            (ConcreteValue::Real(number), _) => smt::Value::Real(number.clone()),
            (ConcreteValue::F32(bits), _) => smt::Value::float((*bits).into(), smt::FloatFormat::F32),
            (ConcreteValue::F64(bits), _) => smt::Value::float(*bits, smt::FloatFormat::F64),
            (ConcreteValue::Text(units), _) => smt::Value::Text(units.clone().map(Into::into)),
            (ConcreteValue::Null, _) => self.number(0),
            (ConcreteValue::Object(index), _) => self.number(input_number(*index)),
            (ConcreteValue::Static(name), _) => {
                let object = self.inputs.statics.values().find(|object| object.name == *name);
                self.number(object.expect("a static object should be known").number)
            }
            (ConcreteValue::Record(values), InputType::Record(types)) => {
                return values.iter().zip(types).flat_map(|(value, ty)| self.leaves(value, ty)).collect();
            }
            (ConcreteValue::Map { default, entries }, InputType::Map(key, element)) => {
                let mut arrays: Vec<smt::Value> = self
                    .leaves(default, element)
                    .into_iter()
                    .map(|leaf| smt::Value::array(leaf, []))
                    .collect();
                for (at, value) in entries {
                    let key = self.leaves(at, key);
                    assert_eq!(key.len(), 1, "keys of inputs should be scalars");
                    for (array, leaf) in arrays.iter_mut().zip(self.leaves(value, element)) {
                        insert(array, key[0].clone(), leaf);
                    }
                }
                return arrays;
            }
            _ => panic!("{value:?} is not of type {ty:?}"),
        };
        vec![leaf]
    }
}

fn insert(array: &mut smt::Value, at: smt::Value, element: smt::Value) {
    let smt::Value::Array { default, entries } = array else { panic!("an array should be an array") };
    if element == **default {
        entries.remove(&at);
    } else {
        entries.insert(at, element);
    }
}

//! Reads a concrete input back from a model of the solver.
//!
//! The scalars are asked for first, then the objects that they point to, and so on. What is read is a candidate: long
//! arrays are cut off, and texts may be known only by their identity. `complete` says whether anything was left out.

mod concrete;

pub use concrete::{ConcreteInput, ConcreteObject, ConcreteValue};

use crate::config::Numbers;
use crate::inputs::objects::{self, FIRST_INPUT, FIRST_STATIC, LAST_INPUT, index_number};
use crate::inputs::shapes::{ShapeCells, ShapeInfo};
use crate::inputs::types::InputType;
use crate::inputs::{InputRegion, Inputs};
use crate::value::{SymValue, ref_number};
use smt::{BvCmp, Term, Terms, Value};
use std::collections::BTreeMap;

/// Answers with the values of terms in a model; `None` where the model does not say.
pub type Ask<'a> = dyn FnMut(&Terms, &[Term]) -> Vec<Option<Value>> + 'a;

/// The terms whose values make up the scalar part of an input: the arguments and globals.
pub fn input_terms(inputs: &Inputs) -> Vec<Term> {
    let values = inputs.args.iter().chain(inputs.globals.values());
    values.flat_map(|input| input.value.leaves()).collect()
}

/// Conditions that make inputs easier to run and to read: short arrays.
pub fn preferences(terms: &mut Terms, inputs: &Inputs) -> Vec<Term> {
    let mut wishes = Vec::new();
    for input in inputs.args.iter().chain(inputs.globals.values()) {
        for (place, (_, width)) in objects::LENGTHS.iter().enumerate() {
            for object in references(&input.value, &input.ty) {
                let length = terms.select(inputs.lengths[place], object);
                let most = index_number(terms, 8, *width, inputs.numbers);
                wishes.push(match inputs.numbers {
                    Numbers::Machine => terms.bv_cmp(BvCmp::Sle, length, most),
                    Numbers::Math => terms.le(length, most),
                });
            }
        }
    }
    wishes
}

fn references(value: &SymValue, ty: &InputType) -> Vec<Term> {
    match (value, ty) {
        (SymValue::Scalar(term), InputType::Ref(_)) => vec![*term],
        (SymValue::Record(values), InputType::Record(types)) => {
            values.iter().zip(types).flat_map(|(value, ty)| references(value, ty)).collect()
        }
        _ => Vec::new(),
    }
}

/// Reads one input.
pub struct ModelReader<'a> {
    terms: &'a mut Terms,
    inputs: &'a Inputs,
    /// How many cells of an object, and how many objects, are read.
    max_cells: usize,
    max_objects: usize,
    /// The numbers of the objects in the model, in the order in which they were found.
    found: Vec<u32>,
    complete: bool,
}

impl<'a> ModelReader<'a> {
    pub fn new(terms: &'a mut Terms, inputs: &'a Inputs) -> ModelReader<'a> {
        ModelReader { terms, inputs, max_cells: 64, max_objects: 256, found: Vec::new(), complete: true }
    }

    /// The input that the model describes.
    pub fn read(mut self, ask: &mut Ask) -> ConcreteInput {
        let inputs = self.inputs;
        let answers = ask(self.terms, &input_terms(inputs));
        let mut answers = answers.into_iter();
        let args = inputs.args.iter().map(|arg| self.value(&arg.value, &arg.ty, &mut answers)).collect();
        let globals: BTreeMap<String, ConcreteValue> = inputs
            .globals
            .iter()
            .map(|(name, global)| (name.clone(), self.value(&global.value, &global.ty, &mut answers)))
            .collect();
        let mut statics = BTreeMap::new();
        for object in inputs.statics.values().filter(|object| !object.constant) {
            if let Some(info) = inputs.shape_table.get(&object.shape) {
                let cells = self.cells(object.number, info, object.length, ask);
                statics.insert(object.name.clone(), cells);
            }
        }
        let mut objects = Vec::new();
        while let Some(number) = self.found.get(objects.len()) {
            objects.push(self.object(*number, ask));
        }
        ConcreteInput { args, globals, statics, objects, complete: self.complete }
    }

    fn object(&mut self, number: u32, ask: &mut Ask) -> ConcreteObject {
        let inputs = self.inputs;
        let object = ref_number(self.terms, number, inputs.numbers);
        let mut asked = vec![self.terms.select(inputs.shapes, object)];
        asked.extend(inputs.lengths.map(|lengths| self.terms.select(lengths, object)));
        let answers: Vec<Option<i64>> =
            ask(self.terms, &asked).into_iter().map(|value| small_number(value.as_ref())).collect();
        let code = answers[0].and_then(|code| u32::try_from(code).ok());
        let shape = inputs.shape_table.iter().find(|(_, info)| info.common && Some(info.code) == code);
        let Some((name, info)) = shape else {
            self.complete = false;
            return ConcreteObject::default();
        };
        let length = match &info.cells {
            ShapeCells::Fields(_) => None,
            ShapeCells::Indexed { index, .. } => {
                let length = answers[1 + objects::length_place(index.width)].unwrap_or(0).max(0);
                self.complete &= length <= self.max_cells as i64;
                Some(length.min(self.max_cells as i64))
            }
        };
        let cells = self.cells(number, info, length, ask);
        let fields = match &info.cells {
            ShapeCells::Fields(regions) => regions.clone(),
            ShapeCells::Indexed { .. } => Vec::new(),
        };
        ConcreteObject { shape: name.clone(), length, fields, cells }
    }

    /// The cells of an object, one for each field or index.
    fn cells(
        &mut self,
        number: u32,
        info: &ShapeInfo,
        length: Option<i64>,
        ask: &mut Ask,
    ) -> Vec<ConcreteValue> {
        let inputs = self.inputs;
        let object = ref_number(self.terms, number, inputs.numbers);
        let mut places: Vec<(&InputRegion, SymValue)> = Vec::new();
        match &info.cells {
            ShapeCells::Fields(names) => {
                for region in names.iter().filter_map(|name| inputs.regions.get(name)) {
                    let terms = &mut *self.terms;
                    places.push((region, region.cells.map(&mut |array| terms.select(array, object))));
                }
            }
            ShapeCells::Indexed { regions, index } => {
                for place in 0..length.unwrap_or(0) {
                    let name = (!regions.is_empty()).then(|| &regions[place as usize % regions.len()]);
                    let Some(region) = name.and_then(|name| inputs.regions.get(name)) else { continue };
                    let terms = &mut *self.terms;
                    let index = index_number(terms, place, index.width, inputs.numbers);
                    let cell = region.cells.map(&mut |array| {
                        let cells = terms.select(array, object);
                        terms.select(cells, index)
                    });
                    places.push((region, cell));
                }
            }
        }
        let asked: Vec<Term> = places.iter().flat_map(|(_, cell)| cell.leaves()).collect();
        let mut answers = ask(self.terms, &asked).into_iter();
        places.iter().map(|(region, cell)| self.value(cell, &region.ty, &mut answers)).collect()
    }

    /// A value of the next answers.
    fn value(
        &mut self,
        value: &SymValue,
        ty: &InputType,
        answers: &mut impl Iterator<Item = Option<Value>>,
    ) -> ConcreteValue {
        match ty {
            InputType::Record(types) => {
                let SymValue::Record(values) = value else {
                    panic!("a value should have the structure of its type")
                };
                let fields =
                    values.iter().zip(types).map(|(value, ty)| self.value(value, ty, answers)).collect();
                ConcreteValue::Record(fields)
            }
            InputType::Map(key, element) => {
                let count = value.leaves().len();
                let arrays: Vec<Option<Value>> = answers.take(count).collect();
                self.map(&arrays, key, element)
            }
            InputType::Bool
            | InputType::Int(_)
            | InputType::Float(_)
            | InputType::Text
            | InputType::Ref(_) => {
                let answer = answers.next().flatten();
                self.scalar(answer.as_ref(), ty)
            }
        }
    }

    fn scalar(&mut self, value: Option<&Value>, ty: &InputType) -> ConcreteValue {
        let Some(value) = value else { return ConcreteValue::zero(ty, self.inputs.numbers) };
        match (ty, value) {
            (InputType::Bool, Value::Bool(value)) => ConcreteValue::Bool(*value),
            (InputType::Int(_), Value::Int(number)) => ConcreteValue::Int(number.clone()),
            (InputType::Int(ty), Value::BitVec { .. }) => {
                let number =
                    if ty.signed { value.as_signed() } else { value.as_unsigned().map(|bits| bits as i128) };
                ConcreteValue::Int(number.unwrap_or(0).into())
            }
            (InputType::Float(_), Value::Real(number)) => ConcreteValue::Real(number.clone()),
            (InputType::Float(ir::FloatType::F32), Value::Float { bits, .. }) => {
                ConcreteValue::F32(*bits as u32)
            }
            (InputType::Float(ir::FloatType::F64), Value::Float { bits, .. }) => ConcreteValue::F64(*bits),
            (InputType::Text, Value::Text(units)) => {
                ConcreteValue::Text(units.as_ref().map(|units| units.to_vec()))
            }
            (InputType::Text, Value::Opaque(number)) => {
                self.complete = false;
                ConcreteValue::Text(Some(format!("text{number}").encode_utf16().collect()))
            }
            (InputType::Ref(_), _) => self.reference(small_number(Some(value))),
            _ => {
                self.complete = false;
                ConcreteValue::zero(ty, self.inputs.numbers)
            }
        }
    }

    fn reference(&mut self, number: Option<i64>) -> ConcreteValue {
        let number = number.and_then(|number| u32::try_from(number).ok());
        match number {
            Some(objects::NULL) => ConcreteValue::Null,
            Some(number @ FIRST_INPUT..=LAST_INPUT) => {
                let known = self.found.iter().position(|found| *found == number);
                if known.is_none() && self.found.len() >= self.max_objects {
                    self.complete = false;
                    return ConcreteValue::Null;
                }
                ConcreteValue::Object(known.unwrap_or_else(|| {
                    self.found.push(number);
                    self.found.len() - 1
                }))
            }
            Some(number) if number >= FIRST_STATIC => {
                match self.inputs.statics.values().find(|object| object.number == number) {
                    Some(object) => ConcreteValue::Static(object.name.clone()),
                    None => self.nothing(),
                }
            }
            Some(_) | None => self.nothing(),
        }
    }

    fn nothing(&mut self) -> ConcreteValue {
        self.complete = false;
        ConcreteValue::Null
    }

    /// A map from scalars; other maps are left at their default.
    fn map(&mut self, arrays: &[Option<Value>], key: &InputType, element: &InputType) -> ConcreteValue {
        let is_scalar = |ty: &InputType| !matches!(ty, InputType::Record(_) | InputType::Map(..));
        let whole = match arrays {
            [Some(Value::Array { default, entries })] if is_scalar(key) && is_scalar(element) => {
                Some((default.clone(), entries.clone()))
            }
            _ => None,
        };
        let Some((default, entries)) = whole else {
            self.complete &= arrays.iter().all(Option::is_none);
            let default = Box::new(ConcreteValue::zero(element, self.inputs.numbers));
            return ConcreteValue::Map { default, entries: Vec::new() };
        };
        let default = Box::new(self.scalar(Some(&default), element));
        let entries = entries
            .iter()
            .map(|(at, value)| (self.scalar(Some(at), key), self.scalar(Some(value), element)))
            .collect();
        ConcreteValue::Map { default, entries }
    }
}

/// An index, length or reference. Those beyond 64 bits are cut off: no object is that large.
fn small_number(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::Int(number) => Some(i64::try_from(number).unwrap_or(i64::MAX)),
        Value::BitVec { bits, width: 32 } if *bits >= u128::from(FIRST_STATIC) => i64::try_from(*bits).ok(),
        value @ Value::BitVec { .. } => value.as_signed().and_then(|number| i64::try_from(number).ok()),
        _ => None,
    }
}

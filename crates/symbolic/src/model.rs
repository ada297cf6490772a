//! Reads a concrete input back from a model of the solver.
//!
//! The scalars are asked for first, then the objects that they point to, and so on. What is read is a candidate: long
//! arrays are cut off, and texts are made up from their length and code units. `complete` says whether everything
//! that the model says about the input is there.

mod concrete;
mod places;

pub use concrete::{ConcreteInput, ConcreteObject, ConcreteValue};

use crate::inputs::objects::{self, FIRST_INPUT, FIRST_STATIC, LAST_INPUT, index_number};
use crate::inputs::shapes::{ShapeCells, ShapeInfo};
use crate::inputs::types::InputType;
use crate::inputs::{InputRegion, Inputs};
use crate::value::{SymValue, ref_number};
use ir::Numbers;
use num_traits::ToPrimitive;
use smt::{BvCmp, Sort, Term, Terms, Value};
use std::collections::BTreeMap;

/// Answers with the values of terms in a model; `None` where the model does not say.
/// All answers must come from one model: values that were given before must be kept to.
pub type Ask<'a> = dyn FnMut(&mut Terms, &[Term]) -> Vec<Option<Value>> + 'a;

/// The terms whose values make up the scalar part of an input: the arguments and globals.
pub fn input_terms(inputs: &Inputs) -> Vec<Term> {
    let values = inputs.args.iter().chain(inputs.globals.values());
    values.flat_map(|input| input.value.leaves()).collect()
}

/// Conditions that make inputs easier to run and to read: short arrays.
pub fn preferences(terms: &mut Terms, inputs: &Inputs) -> Vec<Term> {
    let mut wishes = Vec::new();
    // At least two of the largest structs.
    let most_cells = 8.max(2 * i64::from(inputs.largest_element()));
    for input in inputs.args.iter().chain(inputs.globals.values()) {
        for object in places::references(&input.value, &input.ty) {
            for (place, (_, width)) in objects::LENGTHS.iter().enumerate() {
                let length = terms.select(inputs.lengths[place], object);
                let most = index_number(terms, most_cells, *width, inputs.numbers);
                wishes.push(match inputs.numbers {
                    Numbers::Machine => terms.bv_cmp(BvCmp::Sle, length, most),
                    Numbers::Math => terms.le(length, most),
                });
            }
        }
    }
    wishes
}

/// Reads one input.
pub struct ModelReader<'a> {
    terms: &'a mut Terms,
    inputs: &'a Inputs,
    /// How many cells of an object or code units of a text, and how many objects, are read.
    max_cells: usize,
    max_objects: usize,
    /// The numbers of the objects in the model, in the order in which they were found, each with a term that is
    /// its reference.
    found: Vec<(u32, Term)>,
    complete: bool,
}

impl<'a> ModelReader<'a> {
    pub fn new(terms: &'a mut Terms, inputs: &'a Inputs) -> ModelReader<'a> {
        let max_cells = 64.max(4 * inputs.largest_element() as usize);
        ModelReader { terms, inputs, max_cells, max_objects: 256, found: Vec::new(), complete: true }
    }

    /// The input that the model describes.
    pub fn read(mut self, ask: &mut Ask) -> ConcreteInput {
        let inputs = self.inputs;
        let scalars: Vec<(&SymValue, &InputType)> = inputs
            .args
            .iter()
            .chain(inputs.globals.values())
            .map(|input| (&input.value, &input.ty))
            .collect();
        let mut values = self.values(&scalars, ask);
        let globals = values.split_off(inputs.args.len());
        let mut statics = BTreeMap::new();
        for object in inputs.statics.values().filter(|object| !object.constant) {
            if let Some(info) = inputs.shape_table.get(&object.shape) {
                let reference = ref_number(self.terms, object.number, inputs.numbers);
                let cells = self.cells(reference, info, object.length, ask);
                statics.insert(object.name.clone(), cells);
            }
        }
        let mut objects = Vec::new();
        while let Some((_, object)) = self.found.get(objects.len()) {
            objects.push(self.object(*object, ask));
        }
        let globals = inputs.globals.keys().cloned().zip(globals).collect();
        ConcreteInput { args: values, globals, statics, objects, complete: self.complete }
    }

    fn object(&mut self, object: Term, ask: &mut Ask) -> ConcreteObject {
        let inputs = self.inputs;
        let asked = places::about_object(self.terms, inputs, object);
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
        let cells = self.cells(object, info, length, ask);
        let fields = match &info.cells {
            ShapeCells::Fields(regions) => regions.clone(),
            ShapeCells::Indexed { .. } => Vec::new(),
        };
        ConcreteObject { shape: name.clone(), length, fields, cells }
    }

    /// The cells of an object, one for each field or index.
    fn cells(
        &mut self,
        object: Term,
        info: &ShapeInfo,
        length: Option<i64>,
        ask: &mut Ask,
    ) -> Vec<ConcreteValue> {
        let places = places::cells_of_object(self.terms, self.inputs, object, info, length.unwrap_or(0));
        let places: Vec<(&SymValue, &InputType)> =
            places.iter().map(|(region, cell)| (cell, &region.ty)).collect();
        self.values(&places, ask)
    }

    /// The values of several inputs, asked for together.
    fn values(&mut self, inputs: &[(&SymValue, &InputType)], ask: &mut Ask) -> Vec<ConcreteValue> {
        let asked: Vec<Term> = inputs.iter().flat_map(|(value, _)| value.leaves()).collect();
        let answers = ask(self.terms, &asked);
        let mut leaves = asked.into_iter().zip(answers);
        inputs.iter().map(|(value, ty)| self.value(value, ty, &mut leaves, ask)).collect()
    }

    /// A value of the next answers.
    fn value(
        &mut self,
        value: &SymValue,
        ty: &InputType,
        leaves: &mut dyn Iterator<Item = (Term, Option<Value>)>,
        ask: &mut Ask,
    ) -> ConcreteValue {
        match (ty, value) {
            (InputType::Record(types), SymValue::Record(values)) => {
                let fields =
                    values.iter().zip(types).map(|(value, ty)| self.value(value, ty, leaves, ask)).collect();
                ConcreteValue::Record(fields)
            }
            (InputType::Map(key, element), _) => {
                let count = value.leaves().len();
                let arrays: Vec<Option<Value>> = leaves.take(count).map(|(_, answer)| answer).collect();
                self.map(&arrays, key, element)
            }
            (InputType::Text, _) => match leaves.next() {
                Some((text, Some(Value::Opaque(_)))) => self.text(text, ask),
                leaf => self.scalar(leaf.and_then(|(_, answer)| answer), ty, None),
            },
            (
                InputType::Bool
                | InputType::Int(_)
                | InputType::Float(_)
                | InputType::Ref(_)
                | InputType::Record(_),
                _,
            ) => match leaves.next() {
                Some((term, answer)) => self.scalar(answer, ty, Some(term)),
                None => ConcreteValue::zero(ty, self.inputs.numbers),
            },
        }
    }

    /// A scalar; `term` is what it is the value of, if that is known.
    fn scalar(&mut self, value: Option<Value>, ty: &InputType, term: Option<Term>) -> ConcreteValue {
        let Some(value) = value else { return ConcreteValue::zero(ty, self.inputs.numbers) };
        match (ty, &value) {
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
            (InputType::Ref(_), _) => self.reference(small_number(Some(&value)), term),
            _ => {
                self.complete = false;
                ConcreteValue::zero(ty, self.inputs.numbers)
            }
        }
    }

    fn reference(&mut self, number: Option<i64>, term: Option<Term>) -> ConcreteValue {
        let number = number.and_then(|number| u32::try_from(number).ok());
        match number {
            Some(objects::NULL) => ConcreteValue::Null,
            Some(number @ FIRST_INPUT..=LAST_INPUT) => {
                let known = self.found.iter().position(|(found, _)| *found == number);
                if known.is_none() && self.found.len() >= self.max_objects {
                    return self.nothing();
                }
                ConcreteValue::Object(known.unwrap_or_else(|| {
                    let term = term.unwrap_or_else(|| ref_number(self.terms, number, self.inputs.numbers));
                    self.found.push((number, term));
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

    /// A text of which the model knows the length and the code units at most.
    fn text(&mut self, text: Term, ask: &mut Ask) -> ConcreteValue {
        // Other texts of the same code units may be other texts to the solver.
        self.complete = false;
        let numbers = self.inputs.numbers;
        let length = match numbers {
            Numbers::Machine => self.terms.text_length(text),
            Numbers::Math => self.terms.apply("text_length.math", &[text], &Sort::Int),
        };
        let length = small_number(ask(self.terms, &[length]).pop().flatten().as_ref()).unwrap_or(0);
        let length = length.clamp(0, self.max_cells as i64);
        let units: Vec<Term> = (0..length)
            .map(|place| {
                let index = index_number(self.terms, place, 32, numbers);
                match numbers {
                    Numbers::Machine => self.terms.text_at(text, index),
                    Numbers::Math => self.terms.apply("text_at.math", &[text, index], &Sort::Int),
                }
            })
            .collect();
        let units = ask(self.terms, &units).into_iter().map(|unit| match unit {
            Some(Value::Int(unit)) => unit.to_u16().unwrap_or(0),
            Some(value) => value.as_unsigned().unwrap_or(0) as u16,
            None => 0,
        });
        ConcreteValue::Text(Some(units.collect()))
    }

    /// A map from scalars to scalars; other maps are left at zero.
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
        let default = Box::new(self.scalar(Some(*default), element, None));
        let entries = entries
            .into_iter()
            .map(|(at, value)| (self.scalar(Some(at), key, None), self.scalar(Some(value), element, None)))
            .collect();
        ConcreteValue::Map { default, entries }
    }
}

/// An index, length or reference. Those beyond 64 bits are cut off: no object is that large.
fn small_number(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::Int(number) => Some(number.to_i64().unwrap_or(i64::MAX)),
        Value::BitVec { bits, width: 32 } if *bits >= u128::from(FIRST_STATIC) => i64::try_from(*bits).ok(),
        value @ Value::BitVec { .. } => value.as_signed().and_then(|number| i64::try_from(number).ok()),
        Value::Bool(_) | Value::Real(_) | Value::Float { .. } => None,
        Value::Array { .. } | Value::Text(_) | Value::Opaque(_) => None,
    }
}

/// The place of a cell, as terms.
type Cell<'a> = (&'a InputRegion, SymValue);

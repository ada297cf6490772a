//! Asks a solver for an input, in as few rounds as its objects allow.

use super::{Cell, ConcreteInput, ModelReader, input_terms};
use crate::inputs::Inputs;
use crate::inputs::objects::index_number;
use crate::inputs::shapes::{ShapeCells, ShapeInfo};
use crate::inputs::types::InputType;
use crate::value::SymValue;
use smt::{Answer, Limits, Solver, SolverError, Term, Terms, UnknownReason, Value};
use std::collections::BTreeMap;

/// How many cells of each array are asked for with the first question.
const FIRST_CELLS: i64 = 8;

/// What a solver says about inputs that satisfy some conditions.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// There is one. `exact` is whether the solver was told all that the terms mean.
    Input {
        input: ConcreteInput,
        exact: bool,
    },
    /// There is none.
    None,
    Unknown(UnknownReason),
}

/// An input on which all the assertions hold.
pub fn find_input(
    terms: &mut Terms,
    inputs: &Inputs,
    solver: &mut Solver,
    assertions: &[Term],
    limits: &Limits,
) -> Result<Found, SolverError> {
    let wanted = first_look(terms, inputs);
    let model = match solver.check(terms, assertions, &wanted, limits)? {
        Answer::Sat(model) => model,
        Answer::Unsat => return Ok(Found::None),
        Answer::Unknown(reason) => return Ok(Found::Unknown(reason)),
    };
    let exact = model.is_exact();
    let mut known: BTreeMap<Term, Value> =
        model.values().map(|(term, value)| (term, value.clone())).collect();
    let mut lost = false;
    let mut error = None;
    let mut ask = |terms: &mut Terms, asked: &[Term]| {
        let constant = |terms: &Terms, term: Term| terms.as_const(term).cloned();
        let missing: Vec<Term> = asked
            .iter()
            .copied()
            .filter(|term| {
                !known.contains_key(term) && constant(terms, *term).is_none() && !wanted.contains(term)
            })
            .collect();
        if !missing.is_empty() && !lost {
            // The solver forgets its model: what it has said before is asserted again.
            let mut assertions = assertions.to_vec();
            assertions.extend(known.iter().filter_map(|(term, value)| is_value(terms, *term, value)));
            match solver.check(terms, &assertions, &missing, limits) {
                Ok(Answer::Sat(model)) => {
                    known.extend(model.values().map(|(term, value)| (term, value.clone())))
                }
                Ok(Answer::Unsat | Answer::Unknown(_)) => lost = true,
                Err(failure) => (lost, error) = (true, Some(failure)),
            }
        }
        asked.iter().map(|term| constant(terms, *term).or_else(|| known.get(term).cloned())).collect()
    };
    let mut input = ModelReader::new(terms, inputs).read(&mut ask);
    if let Some(error) = error {
        return Err(error);
    }
    input.complete &= !lost;
    Ok(Found::Input { input, exact })
}

/// That a term has a value; `None` for values that cannot be said again.
fn is_value(terms: &mut Terms, term: Term, value: &Value) -> Option<Term> {
    if contains_opaque(value) {
        return None;
    }
    let sort = terms.sort_of(term).clone();
    let literal = terms.value(value, &sort);
    Some(terms.eq(term, literal))
}

fn contains_opaque(value: &Value) -> bool {
    match value {
        Value::Opaque(_) => true,
        Value::Array { default, entries } => {
            contains_opaque(default)
                || entries.iter().any(|(at, value)| contains_opaque(at) || contains_opaque(value))
        }
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::BitVec { .. }
        | Value::Float { .. }
        | Value::Text(_) => false,
    }
}

/// The scalars, and the objects that they point to directly as far as these are small.
fn first_look(terms: &mut Terms, inputs: &Inputs) -> Vec<Term> {
    let mut wanted = input_terms(inputs);
    for input in inputs.args.iter().chain(inputs.globals.values()) {
        for (object, codes) in references_with_shapes(&input.value, &input.ty) {
            wanted.extend(about_object(terms, inputs, object));
            for info in inputs.shape_table.values().filter(|info| info.common && codes.contains(&info.code)) {
                let cells = cells_of_object(terms, inputs, object, info, FIRST_CELLS);
                wanted.extend(cells.iter().flat_map(|(_, cell)| cell.leaves()));
            }
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

/// The references in a value.
pub(super) fn references(value: &SymValue, ty: &InputType) -> Vec<Term> {
    references_with_shapes(value, ty).into_iter().map(|(term, _)| term).collect()
}

fn references_with_shapes<'a>(value: &SymValue, ty: &'a InputType) -> Vec<(Term, &'a [u32])> {
    match (value, ty) {
        (SymValue::Scalar(term), InputType::Ref(codes)) => vec![(*term, codes)],
        (SymValue::Record(values), InputType::Record(types)) => {
            values.iter().zip(types).flat_map(|(value, ty)| references_with_shapes(value, ty)).collect()
        }
        _ => Vec::new(),
    }
}

/// The shape of an object, and its lengths of both kinds.
pub(super) fn about_object(terms: &mut Terms, inputs: &Inputs, object: Term) -> Vec<Term> {
    let mut asked = vec![terms.select(inputs.shapes, object)];
    asked.extend(inputs.lengths.map(|lengths| terms.select(lengths, object)));
    asked
}

/// The cells of an object of a shape, with their regions.
pub(super) fn cells_of_object<'a>(
    terms: &mut Terms,
    inputs: &'a Inputs,
    object: Term,
    info: &ShapeInfo,
    length: i64,
) -> Vec<Cell<'a>> {
    let mut places = Vec::new();
    match &info.cells {
        ShapeCells::Fields(names) => {
            for region in names.iter().filter_map(|name| inputs.regions.get(name)) {
                places.push((region, region.cells.map(&mut |array| terms.select(array, object))));
            }
        }
        ShapeCells::Indexed { regions, index } => {
            for place in 0..length {
                let name = (!regions.is_empty()).then(|| &regions[place as usize % regions.len()]);
                let Some(region) = name.and_then(|name| inputs.regions.get(name)) else { continue };
                let index = index_number(terms, place, index.width, inputs.numbers);
                let cell = region.cells.map(&mut |array| {
                    let cells = terms.select(array, object);
                    terms.select(cells, index)
                });
                places.push((region, cell));
            }
        }
    }
    places
}

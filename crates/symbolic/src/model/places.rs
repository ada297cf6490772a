//! The places of an input that are asked for: objects by their references, cells by their objects.

use super::Cell;
use crate::inputs::Inputs;
use crate::inputs::objects::index_number;
use crate::inputs::shapes::{ShapeCells, ShapeInfo};
use crate::inputs::types::InputType;
use crate::value::SymValue;
use smt::{Term, Terms};

/// The references in a value.
pub(super) fn references(value: &SymValue, ty: &InputType) -> Vec<Term> {
    match (value, ty) {
        (SymValue::Scalar(term), InputType::Ref(_)) => vec![*term],
        (SymValue::Record(values), InputType::Record(types)) => {
            values.iter().zip(types).flat_map(|(value, ty)| references(value, ty)).collect()
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

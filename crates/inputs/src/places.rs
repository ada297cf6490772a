//! The places of an input that hold a value, and what type each of them has.

use interp::{Input, Value};
use ir::{Program, ShapeId, Type};

use crate::generate::cell_type;
use ir::Subject;

/// Where a value stands in an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Argument(usize),
    Global(String),
    Static(String, usize),
    Cell(usize, usize),
}

/// All places of an input, in a fixed order.
pub(crate) fn places(input: &Input) -> Vec<Place> {
    let mut places: Vec<Place> = (0..input.args.len()).map(Place::Argument).collect();
    places.extend(input.globals.keys().cloned().map(Place::Global));
    for (name, cells) in &input.statics {
        places.extend((0..cells.len()).map(|index| Place::Static(name.clone(), index)));
    }
    for (object, value) in input.objects.iter().enumerate() {
        places.extend((0..value.cells.len()).map(|cell| Place::Cell(object, cell)));
    }
    places
}

impl Place {
    pub(crate) fn value<'a>(&self, input: &'a Input) -> &'a Value {
        match self {
            Place::Argument(index) => &input.args[*index],
            Place::Global(name) => &input.globals[name],
            Place::Static(name, index) => &input.statics[name][*index],
            Place::Cell(object, cell) => &input.objects[*object].cells[*cell],
        }
    }

    pub(crate) fn value_mut<'a>(&self, input: &'a mut Input) -> &'a mut Value {
        const OF_THIS_INPUT: &str = "a place should be of the input it is used with";
        match self {
            Place::Argument(index) => &mut input.args[*index],
            Place::Global(name) => input.globals.get_mut(name).expect(OF_THIS_INPUT),
            Place::Static(name, index) => &mut input.statics.get_mut(name).expect(OF_THIS_INPUT)[*index],
            Place::Cell(object, cell) => &mut input.objects[*object].cells[*cell],
        }
    }

    /// The declared type of the place, if one of the versions knows it.
    pub(crate) fn ty<'a>(&self, input: &Input, subject: Subject<'a>) -> Option<&'a Type> {
        let program = subject.program;
        match self {
            Place::Argument(index) => subject.procedure().parameters().get(*index).map(|param| &param.ty),
            Place::Global(name) => {
                program.globals.iter().find(|global| global.name == *name).map(|global| &global.ty)
            }
            Place::Static(name, index) => {
                let object = program.statics.iter().find(|object| object.name == *name)?;
                Some(cell_type(program, object.shape, *index))
            }
            Place::Cell(object, cell) => {
                let object = &input.objects[*object];
                // An object may have fields of the other version, which stand between those of this one.
                if let Some(field) = object.fields.get(*cell) {
                    return program.regions.iter().find(|region| region.name == *field).map(|it| &it.value);
                }
                Some(cell_type(program, shape_named(program, &object.shape)?, *cell))
            }
        }
    }
}

fn shape_named(program: &Program, name: &str) -> Option<ShapeId> {
    program.shapes.iter().position(|shape| shape.name == name).map(ShapeId::from_index)
}

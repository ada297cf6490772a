//! The input that a model of the solver describes, for the interpreter to run.
//!
//! Only a candidate: nothing follows from it until both versions were run.

use std::collections::BTreeSet;

use crate::generate::{element_cells, least_elements};
use crate::reals::real;
use interp::{Enclosure, Input, MapValue, ObjectValue, RefValue, Value};
use ir::Subject;
use ir::{Program, ShapeId, Target, Type};
use smt::{Assignment, Model, Sort, Term, Terms};
use symbolic::{ConcreteInput, ConcreteObject, ConcreteValue, Inputs, ModelReader};

/// The variables of a question whose values describe an input.
pub fn wanted_of(terms: &Terms, conditions: &[Term]) -> Vec<Term> {
    let variables: BTreeSet<Term> = terms
        .reachable(conditions)
        .into_iter()
        .filter(|term| matches!(terms.op(*term), smt::Op::Var(_)))
        .filter(|term| !matches!(terms.sort_of(*term), Sort::Uninterpreted(_)))
        .collect();
    variables.into_iter().collect()
}

/// The input that gives the variables their values in a model.
pub fn input_of_model(terms: &mut Terms, inputs: &Inputs, model: &Model) -> Input {
    let mut assignment = Assignment::default();
    for (term, value) in model.values() {
        if let Some(name) = terms.name(term) {
            assignment.variables.insert(name.to_owned(), value.clone());
        }
    }
    let reader = ModelReader::new(terms, inputs);
    input(reader.read(&mut |terms, asked| terms.evaluate_all(asked, &assignment)))
}

/// Whether an input is one: its objects have the elements that the language demands of them, and its pointers lead
/// to places of their types or to ends of objects.
pub fn is_well_formed(subject: Subject<'_>, input: &Input) -> bool {
    let program = subject.program;
    let least = least_elements(program) as i64;
    let fits = |ty: Option<&Type>, value: &Value| pointers_fit(program, input, ty, value);
    let params = subject.procedure().parameters().iter().map(|param| Some(&param.ty));
    let global = |name: &String| program.globals.iter().find(|it| it.name == *name).map(|it| &it.ty);
    let cells_fit = |shape: Option<ShapeId>, cells: &[Value]| {
        let ty = |index| shape.and_then(|shape| program.cell_type(shape, index));
        cells.iter().enumerate().all(|(index, cell)| fits(ty(index), cell))
    };
    let static_shape = |name: &String| program.statics.iter().find(|it| it.name == *name).map(|it| it.shape);
    input.objects.iter().all(|object| object.length.is_none_or(|length| length >= least))
        && params.zip(&input.args).all(|(ty, value)| fits(ty, value))
        && input.globals.iter().all(|(name, value)| fits(global(name), value))
        && input.statics.iter().all(|(name, cells)| cells_fit(static_shape(name), cells))
        && input.objects.iter().all(|object| match object.fields.is_empty() {
            true => cells_fit(shape_named(program, &object.shape), &object.cells),
            // There may be fields of the other version between those of this one.
            false => object.fields.iter().zip(&object.cells).all(|(field, cell)| {
                let region = program.regions.iter().find(|region| region.name == *field);
                fits(region.map(|region| &region.value), cell)
            }),
        })
}

fn shape_named(program: &Program, name: &str) -> Option<ShapeId> {
    program.shapes.iter().position(|shape| shape.name == name).map(ShapeId::from_index)
}

fn pointers_fit(program: &Program, input: &Input, ty: Option<&Type>, value: &Value) -> bool {
    let Value::Record(fields) = value else { return true };
    if let [Value::Bool(false), number] = fields.as_slice() {
        // What is null has no number.
        return matches!(number, Value::Bool(false) | Value::Int(0) | Value::F32(0) | Value::F64(0))
            || *number == real(0.0);
    }
    let types: &[Type] = match ty {
        Some(Type::Record(types)) => types,
        _ => &[],
    };
    let [Value::Ref(reference), Value::Int(offset)] = fields.as_slice() else {
        let fit = |(index, field)| pointers_fit(program, input, types.get(index), field);
        return fields.iter().enumerate().all(fit);
    };
    let (length, shape) = match reference {
        RefValue::Null => return *offset == 0,
        RefValue::Object(index) => match input.objects.get(*index) {
            Some(object) => (object.length, shape_named(program, &object.shape)),
            None => return false,
        },
        RefValue::Static(name) => match program.statics.iter().find(|object| object.name == *name) {
            Some(object) => (object.length, Some(object.shape)),
            // The other version knows.
            None => return true,
        },
    };
    let Some(length) = length.map(i128::from) else { return true };
    let places = match (types.first(), shape) {
        (Some(Type::Ref(Target::Shape(target))), Some(shape)) => program.places(*target, shape),
        (_, Some(shape)) => (element_cells(program, &program.shape(shape).name) > 1).then(|| vec![0]),
        (_, None) => None,
    };
    let step = shape.map_or(1, |shape| element_cells(program, &program.shape(shape).name));
    let at_a_place =
        |places: Vec<u32>| places.iter().any(|place| offset % i128::from(step) == i128::from(*place));
    (0..=length).contains(offset) && (*offset == length || places.is_none_or(at_a_place))
}

fn input(concrete: ConcreteInput) -> Input {
    Input {
        args: concrete.args.into_iter().map(value).collect(),
        globals: concrete.globals.into_iter().map(|(name, global)| (name, value(global))).collect(),
        statics: concrete
            .statics
            .into_iter()
            .map(|(name, cells)| (name, cells.into_iter().map(value).collect()))
            .collect(),
        objects: concrete.objects.into_iter().map(object).collect(),
        world: 0,
    }
}

fn object(concrete: ConcreteObject) -> ObjectValue {
    ObjectValue {
        shape: concrete.shape,
        length: concrete.length,
        fields: concrete.fields,
        cells: concrete.cells.into_iter().map(value).collect(),
    }
}

fn value(concrete: ConcreteValue) -> Value {
    match concrete {
        ConcreteValue::Bool(value) => Value::Bool(value),
        ConcreteValue::Int(number) => Value::integer(number),
        ConcreteValue::Real(number) => Value::Real(Enclosure::exact(number)),
        ConcreteValue::F32(bits) => Value::f32(f32::from_bits(bits)),
        ConcreteValue::F64(bits) => Value::f64(f64::from_bits(bits)),
        ConcreteValue::Text(units) => Value::Text(units),
        ConcreteValue::Null => Value::Ref(RefValue::Null),
        ConcreteValue::Object(index) => Value::Ref(RefValue::Object(index)),
        ConcreteValue::Static(name) => Value::Ref(RefValue::Static(name)),
        ConcreteValue::Record(fields) => Value::Record(fields.into_iter().map(value).collect()),
        ConcreteValue::Map { default, entries } => Value::Map(MapValue {
            default: Box::new(value(*default)),
            entries: entries.into_iter().map(|(key, entry)| (value(key), value(entry))).collect(),
        }),
    }
}

//! The input that a model of the solver describes, for the interpreter to run.
//!
//! Only a candidate: nothing follows from it until both versions were run.

use std::collections::BTreeSet;

use super::generate::{element_cells, least_elements};
use crate::Subject;
use interp::{Enclosure, Input, MapValue, ObjectValue, RefValue, Value};
use smt::{Assignment, Model, Sort, Term, Terms};
use symbolic::{ConcreteInput, ConcreteObject, ConcreteValue, Inputs, ModelReader};

/// The variables of a question whose values describe an input.
pub(crate) fn wanted_of(terms: &Terms, conditions: &[Term]) -> Vec<Term> {
    let variables: BTreeSet<Term> = terms
        .reachable(conditions)
        .into_iter()
        .filter(|term| matches!(terms.op(*term), smt::Op::Var(_)))
        .filter(|term| !matches!(terms.sort_of(*term), Sort::Uninterpreted(_)))
        .collect();
    variables.into_iter().collect()
}

/// The input that gives the variables their values in a model.
pub(crate) fn input_of_model(terms: &mut Terms, inputs: &Inputs, model: &Model) -> Input {
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
/// to elements of objects or to their ends.
pub(crate) fn is_well_formed(subject: Subject<'_>, input: &Input) -> bool {
    let least = least_elements(subject.program) as i64;
    let pointers_fit = |value: &Value| pointers_fit(subject, input, value);
    input.objects.iter().all(|object| object.length.is_none_or(|length| length >= least))
        && input.args.iter().all(pointers_fit)
        && input.globals.values().all(pointers_fit)
        && input.statics.values().flatten().all(pointers_fit)
        && input.objects.iter().all(|object| object.cells.iter().all(pointers_fit))
}

fn pointers_fit(subject: Subject<'_>, input: &Input, value: &Value) -> bool {
    let Value::Record(fields) = value else { return true };
    let [Value::Ref(reference), Value::Int(offset)] = fields.as_slice() else {
        return fields.iter().all(|field| pointers_fit(subject, input, field));
    };
    let program = subject.program;
    let (length, shape) = match reference {
        RefValue::Null => return *offset == 0,
        RefValue::Object(index) => match input.objects.get(*index) {
            Some(object) => (object.length, object.shape.as_str()),
            None => return false,
        },
        RefValue::Static(name) => match program.statics.iter().find(|object| object.name == *name) {
            Some(object) => (object.length, program.shape(object.shape).name.as_str()),
            // The other version knows.
            None => return true,
        },
    };
    let step = i128::from(element_cells(program, shape));
    length.is_none_or(|length| (0..=i128::from(length)).contains(offset) && offset % step == 0)
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

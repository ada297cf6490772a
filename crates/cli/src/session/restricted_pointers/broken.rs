//! Whether an input breaks a promise of `restrict` that no restriction of the inputs covers: pointers deep in memory.
//!
//! Over-approximating: an object that a `restrict` pointer in memory and another pointer lead to, and that a run changes,
//! counts, whichever of the pointers the code uses.

use check::Witness;
use interp::{Input, ObjectValue, RefValue, Value};
use ir::{Pair, Program};

use super::cells_of;

/// Whether a witness rests on an object that pointers lead to which both versions promise to keep apart.
pub(crate) fn breaks_a_promise(
    witness: &Witness,
    programs: Pair<&Program>,
    views: Pair<&frontend_c::Views>,
) -> bool {
    let input = witness.input();
    let is_promised = |object: &ObjectValue, cell: usize| {
        let of_version = |program: &Program, views: &frontend_c::Views| {
            let shape = program.shapes.iter().position(|shape| shape.name == object.shape);
            let cells = shape.map(|at| cells_of(program, ir::ShapeId::from_index(at)).len());
            let cell = cell as u64 % cells.unwrap_or(1).max(1) as u64;
            views.is_restricted_cell(&object.shape, cell)
        };
        of_version(programs.old, views.old) && of_version(programs.new, views.new)
    };
    let changes = |target: &RefValue| {
        let runs = witness.runs();
        [&runs.old, &runs.new].into_iter().any(|run| match target {
            RefValue::Object(at) => match (input.objects.get(*at), run.objects.get(*at)) {
                (Some(before), Some(after)) => before.cells != after.cells || before.length != after.length,
                _ => true,
            },
            RefValue::Static(name) => match (input.statics.get(name), run.statics.get(name)) {
                (Some(before), Some(after)) => before != after,
                _ => true,
            },
            RefValue::Null => false,
        })
    };
    let mut cells = input
        .objects
        .iter()
        .flat_map(|object| object.cells.iter().enumerate().map(move |(cell, value)| (object, cell, value)));
    cells.any(|(object, cell, value)| {
        is_promised(object, cell)
            && target(value).is_some_and(|target| pointers_to(input, target) > 1 && changes(target))
    })
}

/// The object that a pointer leads to.
fn target(value: &Value) -> Option<&RefValue> {
    match value {
        Value::Record(parts) => match parts.first() {
            Some(Value::Ref(RefValue::Null)) | None => None,
            Some(Value::Ref(target)) => Some(target),
            Some(_) => None,
        },
        _ => None,
    }
}

/// How many pointers of an input lead to an object.
fn pointers_to(input: &Input, wanted: &RefValue) -> usize {
    let objects = input.objects.iter().flat_map(|object| &object.cells);
    let statics = input.statics.values().flatten();
    let all = input.args.iter().chain(input.globals.values()).chain(statics).chain(objects);
    all.filter(|value| target(value) == Some(wanted)).count()
}

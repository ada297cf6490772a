//! What the versions cannot both be given: constants of an enum that only one of them has, objects of a class that
//! only one of them has, tables that start with other contents.
//!
//! Such inputs are not compared, so that a proof would leave them out: it becomes an *unknown* that names them.
//! Over-approximating: everything that the declared types of the inputs allow counts.

use std::collections::BTreeSet;

use ir::{Cells, Const, Expr, Language, Pair, Program, ShapeId, StaticObject, Target, Type};

use crate::changed_structs::unmatched_structs;
use ir::Subject;

/// Why a proof for the inputs that both versions have says too little, in words.
pub(crate) fn unshared(pair: Pair<Subject<'_>>) -> Vec<String> {
    let shapes = pair.map(input_shapes);
    let mut texts = BTreeSet::new();
    for name in shapes.old.symmetric_difference(&shapes.new) {
        let (has, lacks, version) = match shapes.old.contains(name) {
            true => (pair.old.program, pair.new.program, "old"),
            false => (pair.new.program, pair.old.program, "new"),
        };
        let of_class = |program: &Program| program.shapes.iter().any(|shape| shape.name == *name);
        if of_class(has) && !of_class(lacks) {
            texts.insert(format!(
                "only the {version} version has the class `{name}`, whose objects may be inputs"
            ));
        }
    }
    for name in shapes.old.intersection(&shapes.new) {
        let constants = pair.map(|subject| constants(subject.program, name));
        let names = constants.as_ref().map(|list| list.iter().copied().collect::<BTreeSet<&str>>());
        for constant in names.old.symmetric_difference(&names.new) {
            let version = if names.old.contains(constant) { "old" } else { "new" };
            texts.insert(format!("only the {version} version has the constant `{constant}`"));
        }
        if names.old == names.new && constants.old != constants.new {
            texts.insert(format!("the constants of `{name}` stand in another order in the new version"));
        }
    }
    texts.extend(changed_tables(pair).into_iter().map(|name| {
        format!("the table `{name}`, which may change, starts with other contents in the new version")
    }));
    texts.extend(unmatched_structs(pair));
    texts.into_iter().collect()
}

/// The private variables and fields that only one version has and its code uses, in words: why runs may show no
/// difference.
pub(crate) fn own_state(pair: Pair<Subject<'_>>) -> Vec<String> {
    let mut texts = BTreeSet::new();
    for (version, subject) in [("old", pair.old), ("new", pair.new)] {
        let program = subject.program;
        if program.own.is_empty() {
            continue;
        }
        let effects = ir::effects(program, subject.procedure);
        let globals = effects.reads_globals.iter().chain(&effects.writes_globals);
        let regions = effects.reads_regions.iter().chain(&effects.writes_regions);
        let statics = effects.statics.iter().map(|id| &program.static_object(*id).name);
        let names = globals.map(|id| &program.global(*id).name).chain(statics);
        let names = names.chain(regions.map(|id| &program.region(*id).name));
        for name in names.filter(|name| program.own.contains(*name)) {
            texts.insert(format!(
                "only the {version} version has the private `{name}`: what it holds cannot be compared"
            ));
        }
    }
    texts.into_iter().collect()
}

/// The tables of Java that both versions name, that other code may write to, and that start with other contents.
pub(crate) fn changed_tables(pair: Pair<Subject<'_>>) -> Vec<String> {
    if pair.old.program.language != Language::Java {
        return Vec::new();
    }
    let named = pair.map(named_tables);
    let same_cells = |old: &StaticObject, new: &StaticObject| {
        old.cells.len() == new.cells.len()
            && old.cells.iter().zip(&new.cells).all(|(old, new)| match (old, new) {
                (Const::Static(old), Const::Static(new)) => {
                    pair.old.program.static_object(*old).name == pair.new.program.static_object(*new).name
                }
                _ => old == new,
            })
    };
    let changed = named.old.iter().filter(|old| {
        let new = named.new.iter().find(|new| new.name == old.name);
        new.is_some_and(|new| !same_cells(old, new))
    });
    changed.map(|object| object.name.clone()).collect()
}

/// The static objects with cells by index that the code of a procedure names and that are not constant.
fn named_tables(subject: Subject<'_>) -> Vec<&StaticObject> {
    let mut found = BTreeSet::new();
    for procedure in ir::reachable(subject.program, subject.procedure) {
        let body = subject.program.procedure(procedure).body.iter().flatten();
        for stmt in body {
            ir::for_each_expr(std::slice::from_ref(stmt), &mut |expr| {
                if let Expr::Const(Const::Static(id)) = expr {
                    found.insert(*id);
                }
            });
        }
    }
    // Rows of a table are tables that its cells name.
    let mut worklist: Vec<_> = found.iter().copied().collect();
    while let Some(id) = worklist.pop() {
        for cell in &subject.program.static_object(id).cells {
            if let Const::Static(row) = cell
                && found.insert(*row)
            {
                worklist.push(*row);
            }
        }
    }
    let objects = found.into_iter().map(|id| subject.program.static_object(id));
    objects.filter(|object| !object.constant && object.length.is_some()).collect()
}

/// The constants of a closed shape, in their order.
fn constants<'a>(program: &'a Program, shape: &str) -> Vec<&'a str> {
    let of_shape = program.statics.iter().filter(|object| {
        let known = program.shape(object.shape);
        known.closed && known.name == shape
    });
    of_shape.map(|object| object.name.as_str()).collect()
}

/// The names of the shapes that objects of the inputs may have, those of `Object` and of arrays left out.
fn input_shapes(subject: Subject<'_>) -> BTreeSet<&str> {
    let program = subject.program;
    let mut seen: BTreeSet<ShapeId> = BTreeSet::new();
    let mut worklist: Vec<&Type> = subject.procedure().parameters().iter().map(|param| &param.ty).collect();
    for procedure in ir::reachable(program, subject.procedure) {
        let body = program.procedure(procedure).body.as_deref().unwrap_or(&[]);
        ir::for_each_expr(body, &mut |expr| {
            if let Expr::Global(global) = expr
                && !program.global(*global).constant
            {
                worklist.push(&program.global(*global).ty);
            }
        });
    }
    while let Some(ty) = worklist.pop() {
        match ty {
            Type::Ref(Target::Shape(target)) if program.shape(*target).name != "Object" => {
                for (index, shape) in program.shapes.iter().enumerate() {
                    let id = ShapeId::from_index(index);
                    let fits = id == *target || shape.ancestors.contains(target);
                    if fits && !shape.is_abstract && seen.insert(id) {
                        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &shape.cells;
                        worklist.extend(regions.iter().map(|region| &program.region(*region).value));
                    }
                }
            }
            Type::Record(fields) => worklist.extend(fields),
            Type::Map(_, value) => worklist.push(value),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Ref(_) => {}
        }
    }
    let shapes = seen.into_iter().map(|id| program.shape(id));
    shapes.filter(|shape| matches!(shape.cells, Cells::Fields(_))).map(|shape| shape.name.as_str()).collect()
}

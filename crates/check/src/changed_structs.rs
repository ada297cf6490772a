//! Structs of C whose members changed: what is taken for granted of those that go together, and those that do not.
//!
//! Over-approximating: every struct counts that the variables of either version may lead to.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Cells, Const, Expr, Language, Pair, ProcId, Program, ShapeId, Target, Type};

use ir::Subject;

/// How the members of structs go together that are not the same in both versions, in words.
pub(crate) fn matched_members(pair: Pair<Subject<'_>>) -> Vec<String> {
    let mut texts = BTreeSet::new();
    for subject in [pair.old, pair.new] {
        let program = subject.program;
        if program.shapes.iter().all(|shape| shape.layout.matched.is_empty()) {
            continue;
        }
        let procedures = ir::reachable(program, subject.procedure);
        let locals = procedures.iter().flat_map(|id| &program.procedure(*id).locals);
        let mut types: Vec<&Type> = locals.map(|local| &local.ty).collect();
        types.extend(procedures.iter().filter_map(|id| program.procedure(*id).result.as_ref()));
        for shape in shapes_from(program, types, &procedures) {
            texts.extend(program.shape(shape).layout.matched.iter().cloned());
        }
    }
    texts.into_iter().collect()
}

/// The structs among the inputs that only one version has, or that have too little in common, in words.
pub(crate) fn unmatched_structs(pair: Pair<Subject<'_>>) -> Vec<String> {
    if pair.old.program.language != Language::C {
        return Vec::new();
    }
    let mut texts = BTreeSet::new();
    for (subject, other) in [(pair.old, pair.new), (pair.new, pair.old)] {
        let program = subject.program;
        let parameters = subject.procedure().parameters().iter().map(|param| &param.ty).collect();
        let procedures = ir::reachable(program, subject.procedure);
        let others = cells_by_name(other.program);
        for id in shapes_from(program, parameters, &procedures) {
            let name = &program.shape(id).name;
            let own = cells(program, id);
            let is_struct = own.len() > 1 || name.contains("struct ") || name.contains("union ");
            let differs = match others.get(name.as_str()) {
                Some(other) => *other != own,
                None => is_struct,
            };
            if differs {
                texts.insert(format!(
                    "the members of `{}`, whose objects may be inputs, changed too much to be matched",
                    plain(name)
                ));
            }
        }
    }
    texts.into_iter().collect()
}

/// The name of a struct without what makes it a name of one version, or of an array.
fn plain(shape: &str) -> &str {
    let name = shape.strip_suffix("[]").unwrap_or(shape);
    let name = name.strip_prefix("const ").unwrap_or(name);
    name.split(" of the old version")
        .next()
        .and_then(|name| name.split(" of the new version").next())
        .unwrap_or(name)
}

fn cells_by_name(program: &Program) -> BTreeMap<&str, Vec<&str>> {
    let shapes = (0..program.shapes.len()).map(ShapeId::from_index);
    shapes.map(|id| (program.shape(id).name.as_str(), cells(program, id))).collect()
}

/// The regions of a shape, by name.
fn cells(program: &Program, id: ShapeId) -> Vec<&str> {
    let (Cells::Fields(regions) | Cells::Indexed(regions)) = &program.shape(id).cells;
    regions.iter().map(|region| program.region(*region).name.as_str()).collect()
}

/// The shapes that values of these types, and the variables that the procedures name, lead to.
fn shapes_from<'p>(program: &'p Program, types: Vec<&'p Type>, procedures: &[ProcId]) -> BTreeSet<ShapeId> {
    let mut worklist = types;
    let mut seen: BTreeSet<ShapeId> = BTreeSet::new();
    let mut met = Vec::new();
    for procedure in procedures {
        let body = program.procedure(*procedure).body.as_deref().unwrap_or(&[]);
        ir::for_each_expr(body, &mut |expr| match expr {
            Expr::Global(global) if !program.global(*global).constant => {
                worklist.push(&program.global(*global).ty);
            }
            Expr::Const(constant) => add_statics(program, constant, &mut met),
            _ => {}
        });
    }
    met.into_iter().for_each(|id| add_shape(program, id, &mut seen, &mut worklist));
    while let Some(ty) = worklist.pop() {
        match ty {
            Type::Ref(Target::Shape(shape)) => add_shape(program, *shape, &mut seen, &mut worklist),
            Type::Record(fields) => worklist.extend(fields),
            Type::Map(_, value) => worklist.push(value),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Ref(Target::Any) => {}
        }
    }
    seen
}

/// Adds a shape, and the types of its cells.
fn add_shape<'p>(
    program: &'p Program,
    id: ShapeId,
    seen: &mut BTreeSet<ShapeId>,
    worklist: &mut Vec<&'p Type>,
) {
    if seen.insert(id) {
        let (Cells::Fields(regions) | Cells::Indexed(regions)) = &program.shape(id).cells;
        worklist.extend(regions.iter().map(|region| &program.region(*region).value));
    }
}

/// The shapes of the static objects that are variables.
fn add_statics(program: &Program, constant: &Const, met: &mut Vec<ShapeId>) {
    match constant {
        Const::Static(id) if !program.static_object(*id).constant => {
            met.push(program.static_object(*id).shape)
        }
        Const::Record(fields) => fields.iter().for_each(|field| add_statics(program, field, met)),
        _ => {}
    }
}

//! What an outcome rests on besides the code that runs: what may be given to it, and what the words of an assertion mean.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Block, ProcId, Program, Stmt, Target, Type};

use crate::relevant::is_within;
use crate::site::Site;

/// The classes that objects may have which some code is given: those that extend the classes it names, also where it names
/// none of them; and the constants of enums. Over-approximating.
///
/// The code is a part of the program in normal form.
pub fn domain(program: &Program, code: &Program) -> String {
    let mut is_any = false;
    for_each_type(code, &mut |ty| is_any |= matches!(ty, Type::Ref(Target::Any)));
    let named: BTreeSet<&str> = code.shapes.iter().map(|shape| shape.name.as_str()).collect();
    let name = |id: &ir::ShapeId| program.shape(*id).name.as_str();
    let closed: BTreeSet<&str> =
        program.shapes.iter().filter(|it| it.closed).map(|it| it.name.as_str()).collect();
    let mut lines = BTreeSet::new();
    for shape in &program.shapes {
        let ancestors: BTreeSet<&str> = shape.ancestors.iter().map(name).collect();
        if is_any || named.contains(shape.name.as_str()) || !ancestors.is_disjoint(&named) {
            lines.insert(format!("{} {} < {ancestors:?}\n", shape.name, shape.is_abstract));
        }
    }
    for object in &program.statics {
        let shape = program.shape(object.shape);
        let names: BTreeSet<&str> = shape.ancestors.iter().map(name).chain([shape.name.as_str()]).collect();
        if !names.is_disjoint(&closed) && (is_any || !names.is_disjoint(&named)) {
            lines.insert(format!("constant {}\n", object.name));
        }
    }
    lines.into_iter().collect()
}

fn for_each_type(program: &Program, with: &mut dyn FnMut(&Type)) {
    let locals = program.procedures.iter().flat_map(|it| it.locals.iter().map(|local| &local.ty));
    let results = program.procedures.iter().filter_map(|it| it.result.as_ref());
    let globals = program.globals.iter().map(|it| &it.ty);
    let regions = program.regions.iter().map(|it| &it.value);
    locals.chain(results).chain(globals).chain(regions).for_each(|ty| ty.for_each(&mut |ty| with(ty)));
}

/// What the words of an assertion mean: the statements that evaluate it, with all that they call, in normal form.
pub(crate) fn meaning(program: &Program, procedure: ProcId, site: &Site) -> String {
    let mut program = program.clone();
    let mut alone = program.procedure(procedure).clone();
    let body = alone.body.take().unwrap_or_default();
    let mut kept = Vec::new();
    collect(&body, site, &mut kept);
    alone.name += ".alone";
    alone.body = Some(kept);
    // A new procedure: the assertion may call the one that it stands in.
    program.procedures.push(alone);
    let id = ProcId::from_index(program.procedures.len() - 1);
    let normal = ir::normalise(&program, id);
    ir::print(&normal) + &domain(&program, &normal)
}

fn collect(block: &[Stmt], site: &Site, kept: &mut Block) {
    for stmt in block {
        if is_within(stmt.span, site.span) {
            kept.push(stmt.clone());
        } else {
            ir::blocks(&stmt.kind).into_iter().for_each(|inner| collect(inner, site, kept));
        }
    }
}

/// The variables, fields, classes and objects that a procedure uses, as they are declared, by their names.
pub(crate) fn declarations(program: &Program, procedure: ProcId) -> BTreeMap<String, String> {
    let own = program.procedure(procedure);
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (at, local) in own.locals.iter().enumerate() {
        let place = if at < own.params { format!("parameter {at}") } else { "variable".to_owned() };
        let ty = ir::print_type(program, &local.ty);
        // A name may stand for several variables.
        let text = found.entry(format!("local {}", local.name)).or_default();
        *text += &format!("{place} {ty};");
    }
    let normal = ir::normalise(program, procedure);
    found.insert("domain".to_owned(), domain(program, &normal));
    let text = ir::print(&normal);
    for line in text.lines().filter(|line| !line.starts_with([' ', '}'])) {
        let Some((head, _)) = line.split_once([':', '(']) else { continue };
        if !head.contains("proc ") {
            found.insert(
                head.split(' ').next_back().unwrap_or(head).to_owned() + " declared",
                line.to_owned(),
            );
        }
    }
    found
}

//! The normal form of a procedure with all that it uses, and whether two procedures are the same code.
//!
//! The normal form is a program of its own: the procedure, its callees in the order of the calls, and the table entries
//! that they use, sorted by name. Names of procedures, locals and labels, spans, files, assumptions, short names and
//! unused entries are gone, so that two normal forms are equal only if the code means the same; the reverse does not
//! hold. What a name stands for in both versions stays: globals, regions, shapes, static objects, errors and external
//! procedures.

mod renumber;
mod uses;

use crate::{Pair, ProcId, Program, effects};
use renumber::renumber;

/// The normal form of a procedure, which is procedure 0 in it.
pub fn normalise(program: &Program, id: ProcId) -> Program {
    renumber(program, id, &|name| name.to_owned())
}

/// Whether two procedures are the same code, with all that they use. Under-approximating: if it says so, they mean the
/// same.
///
/// The class of the compared procedures may have another name in the new version; then its fields and static variables
/// correspond by their short names. Code that a front end could not lower is never the same, because it may hide a
/// difference.
pub fn same_code(pair: Pair<(&Program, ProcId)>) -> bool {
    let unsupported = pair.map(|(program, id)| effects(program, id).unsupported);
    if unsupported.old || unsupported.new {
        return false;
    }
    let old = match class_renaming(pair) {
        None => normalise(pair.old.0, pair.old.1),
        Some(classes) => renumber(pair.old.0, pair.old.1, &|name| renamed(name, classes)),
    };
    old == normalise(pair.new.0, pair.new.1)
}

/// The class of two procedures, if it has another name in the new version: nothing in the new version has the old
/// name, and the other way round.
pub fn class_renaming(pair: Pair<(&Program, ProcId)>) -> Option<Pair<&str>> {
    let procedures = pair.map(|(program, id)| program.procedure(id));
    let classes = Pair { old: procedures.old.class()?, new: procedures.new.class()? };
    let is_renamed = classes.old != classes.new
        && procedures.old.short_name == procedures.new.short_name
        && !names(pair.old.0).any(|name| in_class(name, classes.new))
        && !names(pair.new.0).any(|name| in_class(name, classes.old));
    is_renamed.then_some(classes)
}

/// Whether a name is that of a class, or of something in it.
fn in_class(name: &str, class: &str) -> bool {
    name.strip_prefix(class).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '$', '[']))
}

/// What a name of the old version is called in the new one.
fn renamed(name: &str, classes: Pair<&str>) -> String {
    if in_class(name, classes.old) {
        format!("{}{}", classes.new, &name[classes.old.len()..])
    } else {
        name.to_owned()
    }
}

fn names(program: &Program) -> impl Iterator<Item = &String> {
    let procedures = program.procedures.iter().map(|it| &it.name);
    let globals = program.globals.iter().map(|it| &it.name);
    let regions = program.regions.iter().map(|it| &it.name);
    let shapes = program.shapes.iter().map(|it| &it.name);
    let statics = program.statics.iter().map(|it| &it.name);
    procedures.chain(globals).chain(regions).chain(shapes).chain(statics)
}

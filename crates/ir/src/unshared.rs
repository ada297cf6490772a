//! What only one version has: code that is not there cannot name it, and the other version has no values for it.

use std::collections::BTreeSet;

use crate::{Program, print_type};

/// Code that is not there is the same in both versions, so that it can only name what both of them have: all other
/// variables and static objects become private. Which of them, and which fields, were private before is noted: only the
/// code of their version knows what these may hold.
pub fn hide_unshared(old: &mut Program, new: &mut Program) {
    let names = [names(old), names(new)];
    old.own = private(old).filter(|name| !names[1].contains(*name)).cloned().collect();
    new.own = private(new).filter(|name| !names[0].contains(*name)).cloned().collect();
    let shared: BTreeSet<(String, String)> = visible(old).intersection(&visible(new)).cloned().collect();
    for program in [old, new] {
        let names = visible(program);
        let hidden: BTreeSet<&String> =
            names.iter().filter(|it| !shared.contains(*it)).map(|(name, _)| name).collect();
        program.globals.iter_mut().for_each(|global| global.private |= hidden.contains(&global.name));
        program.statics.iter_mut().for_each(|object| object.private |= hidden.contains(&object.name));
    }
}

/// The variables, static objects and fields that only the code of this version can name.
fn private(program: &Program) -> impl Iterator<Item = &String> {
    let globals = program.globals.iter().filter(|global| global.private && !global.constant);
    let statics = program.statics.iter().filter(|object| object.private && !object.constant);
    let fields = program.regions.iter().filter(|region| region.private);
    let globals = globals.map(|global| &global.name).chain(statics.map(|object| &object.name));
    // What the front end adds is there in both versions, whether they name it or not.
    globals.chain(fields.map(|region| &region.name)).filter(|name| !name.starts_with('$'))
}

fn names(program: &Program) -> BTreeSet<String> {
    let globals = program.globals.iter().map(|global| &global.name);
    let statics = program.statics.iter().map(|object| &object.name);
    let regions = program.regions.iter().map(|region| &region.name);
    globals.chain(statics).chain(regions).cloned().collect()
}

/// The variables and static objects that code that is not there can name and change, with what they hold.
fn visible(program: &Program) -> BTreeSet<(String, String)> {
    let globals = program.globals.iter().filter(|global| !global.private && !global.constant);
    let statics = program.statics.iter().filter(|object| !object.private && !object.constant);
    let globals = globals.map(|global| (global.name.clone(), print_type(program, &global.ty)));
    let statics = statics.map(|object| {
        (object.name.clone(), format!("{} {:?}", program.shape(object.shape).name, object.length))
    });
    globals.chain(statics).collect()
}

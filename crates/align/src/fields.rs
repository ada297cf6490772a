//! Which fields of a class were renamed, so that they are the same inputs of both versions.
//!
//! A guess by evidence, which reports list: in its class, the field is the only one of its type that the new version
//! lacks, the other one is the only one of that type that the old version lacks, and with the new name some procedure
//! of the class is the same code in both versions that was not before.

use std::collections::BTreeMap;

use ir::{Pair, Program, Target, Type};

/// The fields that were renamed, by their full names.
pub fn renamed_fields(programs: Pair<&Program>) -> Vec<Pair<String>> {
    if programs.old.language != ir::Language::Java {
        return Vec::new();
    }
    let lonely = Pair::new(lonely(programs.old, programs.new), lonely(programs.new, programs.old));
    let mut renamed = Vec::new();
    for (place, old) in &lonely.old {
        let (Some(new), [old]) = (lonely.new.get(place), old.as_slice()) else { continue };
        let [new] = new.as_slice() else { continue };
        let pair = Pair::new(old.clone(), new.clone());
        if is_supported(programs, &place.class, &pair) {
            renamed.push(pair);
        }
    }
    renamed
}

/// Gives fields of the old version their new names.
pub fn use_new_field_names(old: &mut Program, renamed: &[Pair<String>]) {
    for pair in renamed {
        let regions = old.regions.iter_mut().map(|region| &mut region.name);
        let globals = old.globals.iter_mut().map(|global| &mut global.name);
        regions.chain(globals).filter(|name| **name == pair.old).for_each(|name| name.clone_from(&pair.new));
    }
}

/// Where a field stands: its class, whether it is static, and its type in words that both versions share.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    class: String,
    is_static: bool,
    ty: String,
}

/// The fields that the other version does not have.
fn lonely(program: &Program, other: &Program) -> BTreeMap<Place, Vec<String>> {
    let fields = program.regions.iter().filter(|region| region.index.is_none());
    let fields = fields.map(|region| (&region.name, &region.value, false));
    let statics = program.globals.iter().map(|global| (&global.name, &global.ty, true));
    let known = |name: &String| {
        other.regions.iter().any(|region| region.name == *name)
            || other.globals.iter().any(|global| global.name == *name)
    };
    let mut lonely: BTreeMap<Place, Vec<String>> = BTreeMap::new();
    for (name, ty, is_static) in fields.chain(statics).filter(|(name, ..)| !known(name)) {
        let Some((class, _)) = name.rsplit_once('.') else { continue };
        let place = Place { class: class.to_owned(), is_static, ty: describe(program, ty) };
        lonely.entry(place).or_default().push(name.clone());
    }
    lonely
}

/// Whether some procedure of the class is the same code once the field has its new name.
fn is_supported(programs: Pair<&Program>, class: &str, pair: &Pair<String>) -> bool {
    let mut renamed = programs.old.clone();
    use_new_field_names(&mut renamed, std::slice::from_ref(pair));
    programs.new.procedures.iter().filter(|procedure| procedure.class() == Some(class)).any(|procedure| {
        let ids =
            (programs.old.procedure_named(&procedure.name), programs.new.procedure_named(&procedure.name));
        let (Some(old), Some(new)) = ids else { return false };
        let is_same = |program| ir::same_code(Pair::new((program, old), (programs.new, new)));
        procedure.body.is_some() && is_same(&renamed) && !is_same(programs.old)
    })
}

fn describe(program: &Program, ty: &Type) -> String {
    match ty {
        Type::Ref(Target::Shape(shape)) => format!("ref {}", program.shape(*shape).name),
        other => format!("{other:?}"),
    }
}

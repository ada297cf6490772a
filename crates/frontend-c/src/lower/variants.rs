//! One name in both versions for an unknown function that is called with arguments of these types.
//!
//! A function without a prototype, or with variable arguments, is one procedure for each list of types that it is called
//! with: `log`, `log.2`. They are numbered by their types, because the order of the calls is no part of what they mean.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, Procedure, Program};

/// Names the procedures without a body of both versions alike.
pub(super) fn name_alike(programs: Pair<&mut Program>) {
    let Pair { old, new } = programs;
    let mut variants: BTreeMap<String, Pair<BTreeSet<String>>> = BTreeMap::new();
    for procedure in old.procedures.iter().filter(|procedure| procedure.body.is_none()) {
        let of_name = variants.entry(procedure.short_name.clone()).or_default();
        of_name.old.insert(signature(old, procedure));
    }
    for procedure in new.procedures.iter().filter(|procedure| procedure.body.is_none()) {
        let of_name = variants.entry(procedure.short_name.clone()).or_default();
        of_name.new.insert(signature(new, procedure));
    }
    // Where each version has only one there is nothing to tell apart.
    variants.retain(|_, of_name| of_name.old.len() > 1 || of_name.new.len() > 1);
    for program in [old, new] {
        let names: Vec<Option<String>> =
            program.procedures.iter().map(|procedure| name(program, procedure, &variants)).collect();
        for (procedure, name) in program.procedures.iter_mut().zip(names) {
            procedure.name = name.unwrap_or_else(|| std::mem::take(&mut procedure.name));
        }
    }
}

fn name(
    program: &Program,
    procedure: &Procedure,
    variants: &BTreeMap<String, Pair<BTreeSet<String>>>,
) -> Option<String> {
    let of_name = variants.get(&procedure.short_name).filter(|_| procedure.body.is_none())?;
    let signature = signature(program, procedure);
    let number = of_name.old.union(&of_name.new).position(|known| *known == signature)?;
    Some(match number {
        0 => procedure.short_name.clone(),
        number => format!("{}.{}", procedure.short_name, number + 1),
    })
}

fn signature(program: &Program, procedure: &Procedure) -> String {
    let params = procedure.parameters().iter().map(|param| ir::print_type(program, &param.ty));
    let result = procedure.result.as_ref().map(|ty| ir::print_type(program, ty));
    format!("({}) {result:?} {:?}", params.collect::<Vec<_>>().join(", "), procedure.external)
}

//! What goes into and out of calls of two procedures that are taken for the same function.

use std::collections::BTreeSet;

use super::{Interface, WayOut};
use crate::{Effects, ErrorId, GlobalId, Pair, ProcId, Program, RegionId, effects};

/// The interfaces of calls of two procedures, beyond their arguments and results: what either of them may do.
///
/// `None` if they have other parameters or results, or do what an interface cannot say.
pub fn call_interfaces(pair: Pair<(&Program, ProcId)>) -> Option<Pair<Interface>> {
    let effects = pair.map(|(program, id)| effects(program, id));
    for effects in [&effects.old, &effects.new] {
        // A call whose run is not considered is hidden nevertheless: runs that count make no such call.
        if !effects.allocates.is_empty() || effects.unsupported {
            return None;
        }
    }
    let programs = pair.map(|(program, _)| program);
    let names = Names::of(programs, effects.as_ref());
    let asks_objects =
        [&effects.old, &effects.new].iter().any(|it| it.reads_lengths || it.reads_shapes || it.frees);
    programs
        .try_map(|program| {
            Ok::<Interface, ()>(Interface {
                inputs: Vec::new(),
                outputs: Vec::new(),
                globals: find(&names.globals, |name| global_named(program, name))?,
                written_globals: find(&names.written_globals, |name| global_named(program, name))?,
                regions: find(&names.regions, |name| region_named(program, name))?,
                written_regions: find(&names.written_regions, |name| region_named(program, name))?,
                asks_objects,
                frees: effects.old.frees || effects.new.frees,
                prints: effects.old.prints.union(&effects.new.prints).copied().collect(),
                calls_out: effects.old.calls_out || effects.new.calls_out,
                ways_out: find(&names.errors, |name| error_named(program, name).map(WayOut::Error))?,
            })
        })
        .ok()
        .filter(|_| same_signature(pair))
}

/// What the two may touch, by name, in order.
struct Names {
    globals: BTreeSet<String>,
    written_globals: BTreeSet<String>,
    regions: BTreeSet<String>,
    written_regions: BTreeSet<String>,
    errors: BTreeSet<String>,
}

impl Names {
    fn of(programs: Pair<&Program>, effects: Pair<&Effects>) -> Names {
        let mut names = Names {
            globals: BTreeSet::new(),
            written_globals: BTreeSet::new(),
            regions: BTreeSet::new(),
            written_regions: BTreeSet::new(),
            errors: BTreeSet::new(),
        };
        for (program, effects) in [(programs.old, effects.old), (programs.new, effects.new)] {
            let global = |id: &GlobalId| program.global(*id).name.clone();
            let region = |id: &RegionId| program.region(*id).name.clone();
            names.globals.extend(effects.reads_globals.iter().chain(&effects.writes_globals).map(global));
            names.written_globals.extend(effects.writes_globals.iter().map(global));
            names.regions.extend(effects.reads_regions.iter().chain(&effects.writes_regions).map(region));
            names.written_regions.extend(effects.writes_regions.iter().map(region));
            names.errors.extend(effects.raises.iter().map(|id| program.error(*id).to_owned()));
        }
        names
    }
}

/// All things of these names, or nothing if one is missing.
fn find<T>(names: &BTreeSet<String>, found: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, ()> {
    names.iter().map(|name| found(name).ok_or(())).collect()
}

fn global_named(program: &Program, name: &str) -> Option<GlobalId> {
    program.globals.iter().position(|global| global.name == name).map(GlobalId::from_index)
}

fn region_named(program: &Program, name: &str) -> Option<RegionId> {
    program.regions.iter().position(|region| region.name == name).map(RegionId::from_index)
}

fn error_named(program: &Program, name: &str) -> Option<ErrorId> {
    program.errors.iter().position(|error| error == name).map(ErrorId::from_index)
}

fn same_signature(pair: Pair<(&Program, ProcId)>) -> bool {
    let procedures = pair.map(|(program, id)| program.procedure(id));
    let types = pair.map(|(program, id)| {
        let procedure = program.procedure(id);
        let params = procedure.parameters().iter().map(|local| crate::print_type(program, &local.ty));
        params
            .chain(procedure.result.iter().map(|ty| crate::print_type(program, ty)))
            .collect::<Vec<String>>()
    });
    procedures.old.params == procedures.new.params
        && procedures.old.result.is_some() == procedures.new.result.is_some()
        && types.old == types.new
}

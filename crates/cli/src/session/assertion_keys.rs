//! The numbers under which outcomes of assertions are kept: of all that an outcome rests on, and of nothing else.
//!
//! That is more than the code that runs. What may be given to it counts as well: the classes of which inputs may be, and
//! what the conditions on the inputs call.

use ir::{ProcId, Program, Side};
use properties::{Others, Site};

use super::LoweredUnit;
use super::assertions::Promise;
use crate::numbers::number;
use crate::options::{Options, RULES};
use crate::wire::AssertionKeys;

/// What the outcome of an assertion rests on while the others do nothing, in normal form.
pub(super) fn code(program: &Program, entry: ProcId, site: &Site) -> String {
    ir::print(&properties::relevant(&properties::stripped(program, site), entry, site))
}

/// The numbers of what the outcome of an assertion rests on.
pub(super) fn keys(unit: &LoweredUnit, entry: ProcId, site: &Site, options: &Options) -> AssertionKeys {
    AssertionKeys {
        alone: key(unit, Side::New, entry, site, Others::Off, options),
        exact: key(unit, Side::New, entry, site, Others::On, options),
        code: code_key(unit, entry, options),
        names: names_key(&unit.programs.new, entry),
    }
}

/// The number of what the outcome of an assertion of one version rests on, while the others are on or off.
pub(super) fn key(
    unit: &LoweredUnit,
    side: Side,
    entry: ProcId,
    site: &Site,
    others: Others,
    options: &Options,
) -> String {
    let program = unit.programs.get(side);
    let relevant = match others {
        Others::On => properties::relevant(program, entry, site),
        Others::Off => properties::relevant(&properties::stripped(program, site), entry, site),
    };
    let around = surroundings(unit, side, entry, options);
    let (code, domain) = (ir::print(&relevant), properties::domain(program, &relevant));
    number(&format!("{around}{:?}\n{code}{domain}", site.kind))
}

pub(super) fn promise_keys(
    unit: &LoweredUnit,
    entry: ProcId,
    promise: &Promise,
    options: &Options,
) -> AssertionKeys {
    let around = surroundings(unit, Side::New, entry, options);
    let program = &unit.programs.new;
    let normal = ir::normalise(program, entry);
    let domain = properties::domain(program, &normal);
    let text = format!("{around}ensures {}\n{}{domain}", promise.text, ir::print(&normal));
    AssertionKeys {
        alone: number(&text),
        exact: number(&text),
        code: code_key(unit, entry, options),
        names: String::new(),
    }
}

/// The number of a procedure and its callees without assertions.
fn code_key(unit: &LoweredUnit, entry: ProcId, options: &Options) -> String {
    let program = properties::without_assertions(&unit.programs.new);
    let normal = ir::normalise(&program, entry);
    let domain = properties::domain(&program, &normal);
    number(&format!("{}{}{domain}", surroundings(unit, Side::New, entry, options), ir::print(&normal)))
}

/// The number of the same with the names that its variables have: a clause as it is written means the same in both
/// versions only where these are the same.
fn names_key(program: &Program, entry: ProcId) -> String {
    let program = properties::without_assertions(program);
    let mut procedures: Vec<String> =
        ir::reachable(&program, entry).into_iter().map(|id| ir::print_procedure(&program, id)).collect();
    procedures.sort_unstable();
    number(&procedures.concat())
}

/// What outcomes rest on besides the code: options, contracts of what may run, and how memory is looked at.
fn surroundings(unit: &LoweredUnit, side: Side, entry: ProcId, options: &Options) -> String {
    let version = RULES;
    let Options {
        math,
        open_world,
        bound,
        effort,
        overflow_undefined,
        c_memory,
        seed,
        strategy,
        memory_mb,
        ..
    } = options;
    let contracts = match unit.contract_facts() {
        Some(facts) => facts.get(side).meaning(entry),
        None => String::new(),
    };
    let views = match &unit.views {
        Some(views) => format!("{:?}", views.get(side)),
        None => String::new(),
    };
    format!(
        "{version} {math} {open_world} {bound:?} {effort} {overflow_undefined} {c_memory:?} {seed} {strategy} \
         {memory_mb} {}\n{contracts}\n{views}\n",
        options.solver.is_some()
    )
}

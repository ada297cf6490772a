//! Whether a procedure writes only what its `modifies` clause lists, as far as the effect analysis tells.

use std::collections::BTreeSet;

use ir::{ProcId, Program};
use report::ContractOutcome;

/// What became of a clause. Writes to memory are told apart by field and element type, not by object, so that a clause that
/// names memory is not proved if there are any.
pub(super) fn outcome(program: &Program, id: ProcId, text: &str) -> (ContractOutcome, Option<String>) {
    let places: BTreeSet<&str> = text.split(',').map(str::trim).collect();
    if places.contains("\\everything") {
        return (ContractOutcome::Proved, None);
    }
    let effects = ir::effects(program, id);
    let short = |name: &str| name.rsplit(['.', ':']).next().unwrap_or(name).to_owned();
    let named: BTreeSet<String> =
        places.iter().map(|place| short(place.trim_start_matches("this."))).collect();
    let globals = effects.writes_globals.iter().map(|id| short(&program.global(*id).name));
    let others: BTreeSet<String> = globals.filter(|name| !named.contains(name)).collect();
    if let Some(name) = others.first() {
        let detail = format!("`{name}` may be written");
        return (ContractOutcome::NotProved, Some(detail));
    }
    match effects.writes_regions.is_empty() && !effects.frees && effects.externals.is_empty() {
        true => (ContractOutcome::Proved, None),
        false => (ContractOutcome::NotProved, Some("memory may be written".to_owned())),
    }
}

//! Recursion by induction: calls of procedures that go together are one symbol, if their bodies agree under that.
//!
//! The rule of regression verification: assume that the recursive calls of both versions do the same where they are
//! given the same; if then all bodies do the same, the assumption was right, for all runs that end.
//! Over-approximating: the symbols say less than the procedures do.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, ProcId, Program, Type, call_interfaces};
use symbolic::Abstraction;

use super::prove_unreachable;
use crate::analysis::PairAnalysis;
use crate::common_code::CommonCode;
use crate::verdict::Verdict;
use crate::verification_condition::{Depth, decide};
use crate::witness::Machines;
use crate::{CheckConfig, Subject};
use query::Client;

/// Decides a pair with its recursive calls hidden; `None` if it has none that can be.
pub(crate) fn same_symbol(
    analysis: &PairAnalysis<'_>,
    machines: &Machines<'_>,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let pair = analysis.pair();
    let programs = pair.map(|subject| subject.program);
    let recursive =
        programs.map(|program| ir::recursive_procedures(program).iter().copied().collect::<BTreeSet<_>>());
    let candidates: Vec<Pair<ProcId>> = analysis
        .common_code()
        .procedure_pairs()
        .filter(|ids| recursive.old.contains(&ids.old) && recursive.new.contains(&ids.new))
        .filter(|ids| takes_anything(programs, *ids))
        .filter(|ids| call_interfaces(programs.zip(*ids)).is_some())
        .collect();
    let own = if tells_inputs_apart(programs) { vec![true, false] } else { vec![false] };
    own.into_iter().find_map(|own| {
        let taken_out = if own { TakenOut::OwnSymbols } else { TakenOut::Followed };
        by_induction(pair, candidates.clone(), taken_out, machines, config, client)
    })
}

/// What `rewrite::restrict` calls the procedure for arguments that do not meet the condition.
const BESIDE: &str = ".other";

/// What becomes of the calls of procedures that turned out not to agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TakenOut {
    /// They are followed as far as the bound.
    Followed,
    /// Each version has its own symbol for those that calls beside a condition go to.
    OwnSymbols,
}

/// Whether recursive calls are told apart by a condition on their arguments: see `rewrite::restrict`.
fn tells_inputs_apart(programs: Pair<&Program>) -> bool {
    programs.new.procedures.iter().any(|procedure| procedure.name.ends_with(BESIDE))
}

fn by_induction(
    pair: Pair<Subject<'_>>,
    mut candidates: Vec<Pair<ProcId>>,
    taken_out: TakenOut,
    machines: &Machines<'_>,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let programs = pair.map(|subject| subject.program);
    let all = candidates.clone();
    let any_inputs = CheckConfig { any_inputs: true, ..config.clone() };
    let mut exercised: BTreeMap<Pair<ProcId>, Machines<'_>> = BTreeMap::new();
    // What turns out not to agree is taken out, and the others are tried without it.
    while !candidates.is_empty() {
        let mut hidden = hide_all(programs, &candidates);
        if taken_out == TakenOut::OwnSymbols {
            let is_beside = |ids: &&Pair<ProcId>| {
                !candidates.contains(ids) && programs.new.procedure(ids.new).name.ends_with(BESIDE)
            };
            let others: Vec<Pair<ProcId>> = all.iter().filter(is_beside).copied().collect();
            hide_apart(programs, &others, &mut hidden);
        }
        let mut assumptions = Vec::new();
        let mut is_proved = |ids: &Pair<ProcId>, client: &mut Client| {
            let inner = programs.zip(*ids).map(|(program, id)| Subject::new(program, id));
            // What runs have shown stays true, whatever is hidden.
            let machines = exercised.entry(*ids).or_insert_with(|| {
                let changed = CommonCode::of(inner).changed_statements();
                Machines::of(inner, changed, config).under_hypothesis().proving_with(prove_unreachable)
            });
            match decide(inner, hidden.as_ref(), Depth::SHALLOW, machines, &any_inputs, client) {
                Verdict::Equivalent(proof) => {
                    assumptions.extend_from_slice(proof.assumptions());
                    true
                }
                Verdict::Different(_) | Verdict::Unknown(_) => false,
            }
        };
        let before = candidates.len();
        candidates.retain(|ids| is_proved(ids, client));
        if candidates.len() == before {
            let verdict = decide(pair, hidden.as_ref(), Depth::SHALLOW, machines, config, client);
            return match verdict {
                Verdict::Equivalent(proof) => Some(Verdict::Equivalent(proof.assuming(assumptions))),
                // Symbols of their own say less than what they stand for.
                Verdict::Unknown(_) if taken_out == TakenOut::OwnSymbols => None,
                other => Some(other),
            };
        }
    }
    None
}

fn hide_all(programs: Pair<&Program>, candidates: &[Pair<ProcId>]) -> Pair<Abstraction<'static>> {
    let mut hidden = Pair { old: Abstraction::nothing(), new: Abstraction::nothing() };
    for (place, ids) in candidates.iter().enumerate() {
        if let Some(interfaces) = call_interfaces(programs.zip(*ids)) {
            let name = format!("call{place}");
            hidden.old.hide_calls(ids.old, &name, interfaces.old);
            hidden.new.hide_calls(ids.new, &name, interfaces.new);
        }
    }
    hidden
}

/// Hides the calls of procedures behind symbols that both versions do not share.
fn hide_apart(programs: Pair<&Program>, others: &[Pair<ProcId>], hidden: &mut Pair<Abstraction<'static>>) {
    for (place, ids) in others.iter().enumerate() {
        if let Some(interfaces) = call_interfaces(programs.zip(*ids)) {
            hidden.old.hide_calls(ids.old, &format!("own{place}.old"), interfaces.old);
            hidden.new.hide_calls(ids.new, &format!("own{place}.new"), interfaces.new);
        }
    }
}

/// Whether two procedures, given all inputs that a configuration for parts allows, are given all that calls may give.
///
/// References lead neither to constant objects nor to objects of shapes that one version lacks; a call may give both. A
/// constant object is like any other to code that does not name it.
pub(crate) fn takes_anything(programs: Pair<&Program>, ids: Pair<ProcId>) -> bool {
    let mut has_references = false;
    let mut names_constants = false;
    for (program, id) in [(programs.old, ids.old), (programs.new, ids.new)] {
        let effects = ir::effects(program, id);
        let types = program.procedure(id).parameters().iter().map(|local| &local.ty);
        let globals = effects.reads_globals.iter().map(|id| &program.global(*id).ty);
        let regions = effects.reads_regions.iter().map(|id| &program.region(*id).value);
        has_references |= types.chain(globals).chain(regions).any(has_reference);
        names_constants |= effects.statics.iter().any(|id| program.static_object(*id).constant);
    }
    let shapes = programs
        .map(|program| program.shapes.iter().map(|shape| shape.name.as_str()).collect::<BTreeSet<&str>>());
    !has_references || (shapes.old == shapes.new && !names_constants)
}

fn has_reference(ty: &Type) -> bool {
    match ty {
        Type::Ref(_) => true,
        Type::Record(fields) => fields.iter().any(has_reference),
        Type::Map(key, value) => has_reference(key) || has_reference(value),
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text => false,
    }
}

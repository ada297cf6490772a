//! Recursion by induction: calls of procedures that go together are one symbol, if their bodies agree under that.
//!
//! The rule of regression verification: assume that the recursive calls of both versions do the same where they are
//! given the same; if then all bodies do the same, the assumption was right, for all runs that end.
//! Over-approximating: the symbols say less than the procedures do.

use std::collections::BTreeSet;

use ir::{Pair, ProcId, Program, Target, Type, call_interfaces};
use symbolic::Hidden;

use crate::common_code::procedure_pairs;
use crate::question::Asker;
use crate::search::{Depth, search};
use crate::verdict::Verdict;
use crate::witness::Machines;
use crate::{CheckConfig, Numbers, Subject};

/// Decides a pair with its recursive calls hidden; `None` if it has none that can be.
pub(crate) fn same_symbol(
    pair: Pair<Subject<'_>>,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    let programs = pair.map(|subject| subject.program);
    let recursive =
        programs.map(|program| ir::recursive_procedures(program).into_iter().collect::<BTreeSet<_>>());
    let mut candidates: Vec<Pair<ProcId>> = procedure_pairs(pair)
        .into_iter()
        .filter(|ids| recursive.old.contains(&ids.old) && recursive.new.contains(&ids.new))
        .filter(|ids| takes_anything(programs, *ids, config.numbers))
        .filter(|ids| call_interfaces(programs.zip(*ids)).is_some())
        .collect();
    // What turns out not to agree is taken out, and the others are tried without it.
    while !candidates.is_empty() {
        let hidden = hide_all(programs, &candidates);
        let mut assumptions = Vec::new();
        let mut is_proved = |ids: &Pair<ProcId>, asker: &mut Asker<'_>| {
            let inner = programs.zip(*ids).map(|(program, id)| Subject::new(program, id));
            let machines = Machines::new(inner, config.numbers);
            match search(inner, hidden.as_ref(), Depth::SHALLOW, &machines, config, asker) {
                Verdict::Equivalent(proof) => {
                    assumptions.extend_from_slice(proof.assumptions());
                    true
                }
                Verdict::Different(_) | Verdict::Unknown(_) => false,
            }
        };
        let before = candidates.len();
        candidates.retain(|ids| is_proved(ids, asker));
        if candidates.len() == before {
            let machines = Machines::new(pair, config.numbers);
            let verdict = search(pair, hidden.as_ref(), Depth::SHALLOW, &machines, config, asker);
            return Some(match verdict {
                Verdict::Equivalent(proof) => Verdict::Equivalent(proof.assuming(assumptions)),
                other => other,
            });
        }
    }
    None
}

fn hide_all(programs: Pair<&Program>, candidates: &[Pair<ProcId>]) -> Pair<Hidden> {
    let mut hidden = Pair { old: Hidden::nothing(), new: Hidden::nothing() };
    for (place, ids) in candidates.iter().enumerate() {
        if let Some(interfaces) = call_interfaces(programs.zip(*ids)) {
            let name = format!("call{place}");
            hidden.old.hide_calls(ids.old, &name, interfaces.old);
            hidden.new.hide_calls(ids.new, &name, interfaces.new);
        }
    }
    hidden
}

/// Whether calls give two procedures nothing but what their inputs are taken to be when they are compared alone.
///
/// Pointers of C are taken to lead to the start of an object, and unsigned numbers not to be negative under `math`;
/// references lead neither to constant objects nor to objects of shapes that one version lacks. A call may give all of
/// these.
pub(crate) fn takes_anything(programs: Pair<&Program>, ids: Pair<ProcId>, numbers: Numbers) -> bool {
    let mut has_references = false;
    for (program, id) in [(programs.old, ids.old), (programs.new, ids.new)] {
        let effects = ir::effects(program, id);
        let types = program.procedure(id).parameters().iter().map(|local| &local.ty);
        let globals = effects.reads_globals.iter().map(|id| &program.global(*id).ty);
        let regions = effects.reads_regions.iter().map(|id| &program.region(*id).value);
        for ty in types.chain(globals).chain(regions) {
            if !holds_anything(ty, numbers) {
                return false;
            }
            has_references |= has_reference(ty);
        }
    }
    let shapes = programs
        .map(|program| program.shapes.iter().map(|shape| shape.name.as_str()).collect::<BTreeSet<&str>>());
    let has_constants = programs.map(|program| program.statics.iter().any(|object| object.constant));
    !has_references || (shapes.old == shapes.new && !has_constants.old && !has_constants.new)
}

fn has_reference(ty: &Type) -> bool {
    match ty {
        Type::Ref(_) => true,
        Type::Record(fields) => fields.iter().any(has_reference),
        Type::Map(key, value) => has_reference(key) || has_reference(value),
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text => false,
    }
}

/// Whether the inputs of a type are all values that it has.
fn holds_anything(ty: &Type, numbers: Numbers) -> bool {
    match ty {
        Type::Int(ty) => ty.signed || numbers == Numbers::Machine,
        // A reference together with an offset is a pointer.
        Type::Record(fields) => {
            !matches!(fields.as_slice(), [Type::Ref(_), Type::Int(_)])
                && fields.iter().all(|field| holds_anything(field, numbers))
        }
        Type::Map(key, value) => holds_anything(key, numbers) && holds_anything(value, numbers),
        Type::Ref(Target::Any | Target::Shape(_)) | Type::Bool | Type::Float(_) | Type::Text => true,
    }
}

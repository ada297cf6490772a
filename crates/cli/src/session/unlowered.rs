//! Callees that are not modelled or large, and whose text did not change: they count as code that is not there.
//!
//! Over-approximating, so that only a proof is kept: a run that invents what they do shows no difference.

use std::collections::BTreeSet;

use check::{CheckConfig, Checked, Strategy, Subject, Verdict, check_pair};
use ir::{Pair, StmtKind};

/// The share of the work for the programs as they are, where such callees may stand in the way.
pub(super) const SHARE_WITH_BODIES: f64 = 0.4;

/// The callees with code that is not modelled, which have the same text in both versions, with all that they name.
/// None of Java: their objects may be of classes without a name, which no dispatch knows.
pub(super) fn unlowered_callees(pair: Pair<Subject<'_>>, unchanged: &BTreeSet<String>) -> BTreeSet<String> {
    if pair.new.program.language == ir::Language::Java {
        return BTreeSet::new();
    }
    let found = pair.map(|subject| {
        let callees = ir::reachable(subject.program, subject.procedure).into_iter();
        let callees = callees.filter(|id| *id != subject.procedure).map(|id| subject.program.procedure(id));
        let same = callees.filter(|callee| unchanged.contains(&callee.name));
        // Code that is not there frees nothing.
        let frees = |name: &str| {
            let id = subject.program.procedure_named(name);
            id.is_none_or(|id| ir::effects(subject.program, id).frees)
        };
        same.filter(|callee| callee.body.as_ref().is_some_and(has_gap) && !frees(&callee.name))
            .map(|callee| callee.name.clone())
            .collect::<BTreeSet<String>>()
    });
    found.old.union(&found.new).cloned().collect()
}

/// More statements than these in the callees of a version cost a proof more than it usually gains from them.
const LARGE: usize = 200;

/// The callees of both versions with the same text, with all that they name, where there is much code in them; `None`
/// where there is not. What one frees, and whether it is undefined, is known only from its code: such callees keep theirs.
pub(super) fn large_callees(
    pair: Pair<Subject<'_>>,
    unchanged: &BTreeSet<String>,
) -> Option<BTreeSet<String>> {
    if pair.new.program.language == ir::Language::Java {
        return None;
    }
    let mut statements = 0;
    let found = pair.map(|subject| {
        let callees = ir::reachable(subject.program, subject.procedure).into_iter();
        let callees = callees.filter(|id| *id != subject.procedure);
        let same = callees.filter(|id| unchanged.contains(&subject.program.procedure(*id).name));
        let with_bodies = same.filter(|id| subject.program.procedure(*id).body.is_some());
        with_bodies
            .filter(|id| {
                let effects = ir::effects(subject.program, *id);
                // What is undefined in every run proves nothing, and only the code tells whether it is.
                let is_undefined = |error: &ir::ErrorId| ir::is_undefined(subject.program.error(*error));
                !effects.frees && !effects.raises.iter().any(is_undefined)
            })
            .map(|id| {
                let procedure = subject.program.procedure(id);
                ir::for_each_stmt(procedure.body.as_deref().unwrap_or(&[]), &mut |_| statements += 1);
                procedure.name.clone()
            })
            .collect::<BTreeSet<String>>()
    });
    // Both versions must be without the same code.
    let Pair { old, new } = found;
    let both: BTreeSet<String> = old.union(&new).cloned().collect();
    (statements >= LARGE && !both.is_empty()).then_some(both)
}

fn has_gap(body: &ir::Block) -> bool {
    let mut found = false;
    ir::for_each_stmt(body, &mut |stmt| found |= matches!(stmt.kind, StmtKind::Unsupported { .. }));
    found
}

/// A proof of the pair in which these callees are unknown code, if there is one.
pub(super) fn proved_without(
    callees: &BTreeSet<String>,
    pair: Pair<Subject<'_>>,
    config: &CheckConfig,
    on_strategy: &mut dyn FnMut(Strategy),
) -> Option<Checked> {
    let programs = pair.map(|subject| rewrite::withdraw_bodies(subject.program, callees));
    let procedures = pair.map(|subject| subject.procedure);
    let checked = check_pair(ir::subjects(&programs, procedures), config, on_strategy);
    matches!(checked.verdict, Verdict::Equivalent(_)).then_some(checked)
}

/// Whether a procedure may come to code that is not modelled.
pub(super) fn has_gaps(subject: Subject<'_>) -> bool {
    let reached = ir::reachable(subject.program, subject.procedure);
    reached.iter().any(|id| subject.program.procedure(*id).body.as_ref().is_some_and(has_gap))
}

/// What such a proof takes for granted.
pub(super) fn assumption(callee: &str) -> String {
    format!(
        "`{callee}`, whose code did not change and is not modelled or large, counts as code whose source is not there"
    )
}

//! The procedures on the way of a pair whose own code changed.
//!
//! Over-approximating: code that only looks different counts as changed.

use std::collections::BTreeSet;

use ir::{Pair, ProcId, Program};

use ir::Subject;

/// The procedures that both versions reach and whose own code is not the same, in the order of the old program.
/// What changed only in its callees is left out: those are the ones to look at. So is the pair itself.
pub(super) fn changed_procedures(pair: Pair<Subject<'_>>) -> Vec<Pair<ProcId>> {
    let matched = matched(pair);
    let mut programs = pair.map(|subject| subject.program.clone());
    for (number, ids) in matched.iter().enumerate() {
        close(&mut programs.old, ids.old, number);
        close(&mut programs.new, ids.new, number);
    }
    let mut changed = matched;
    changed.retain(|ids| {
        let inner = Pair { old: ids.old != pair.old.procedure, new: ids.new != pair.new.procedure };
        inner.old && inner.new && !has_same_code(&mut programs, pair, *ids)
    });
    changed
}

/// The procedures that go together, of those that both versions reach.
fn matched(pair: Pair<Subject<'_>>) -> Vec<Pair<ProcId>> {
    let reached = pair.map(|subject| {
        ir::reachable(subject.program, subject.procedure).into_iter().collect::<BTreeSet<ProcId>>()
    });
    if reached.old.len() < 2 || reached.new.len() < 2 {
        return Vec::new();
    }
    let programs = pair.zip(reached.as_ref()).map(|(subject, reached)| only(subject.program, reached));
    let matching = align::match_procedures(&programs.old, &programs.new);
    let mut matched = matching.pairs;
    matched.extend(matching.renamed);
    // Numbers may have become wider: the values that are passed can still be the same.
    matched.extend(matching.signature_changed.into_iter().filter(|ids| {
        let params = pair.zip(*ids).map(|(subject, id)| subject.program.procedure(id).params);
        params.old == params.new
    }));
    matched.sort();
    matched
}

/// The program with no bodies but these: what is never called need not be matched.
fn only(program: &Program, procedures: &BTreeSet<ProcId>) -> Program {
    let mut program = program.clone();
    for (index, procedure) in program.procedures.iter_mut().enumerate() {
        if !procedures.contains(&ProcId::from_index(index)) {
            procedure.body = None;
        }
    }
    program
}

/// Makes a procedure one of which only the name is known, so that callers do not depend on its code.
fn close(program: &mut Program, id: ProcId, number: usize) {
    let procedure = &mut program.procedures[id.index()];
    procedure.name = format!("matched {number}");
    procedure.short_name = procedure.name.clone();
    procedure.locals.truncate(procedure.params);
    procedure.body = None;
}

/// Whether two procedures are the same code, whatever the closed ones do that they call.
fn has_same_code(programs: &mut Pair<Program>, pair: Pair<Subject<'_>>, ids: Pair<ProcId>) -> bool {
    let open = |program: &mut Program, subject: Subject<'_>, id: ProcId| {
        let opened = subject.program.procedure(id).clone();
        std::mem::replace(&mut program.procedures[id.index()], opened)
    };
    let old = open(&mut programs.old, pair.old, ids.old);
    let new = open(&mut programs.new, pair.new, ids.new);
    let is_same = ir::same_code(programs.as_ref().zip(ids));
    programs.old.procedures[ids.old.index()] = old;
    programs.new.procedures[ids.new.index()] = new;
    is_same
}

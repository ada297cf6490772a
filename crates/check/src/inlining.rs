//! Both versions with what only one of them has inlined, so that the rest can be aligned.
//!
//! A procedure that only one version has (a method that was extracted, or inlined) is inlined where it is called. Tail
//! recursion that only one version has becomes a loop.
//! Exact: each version does what it did.

use ir::{Pair, ProcId, Program, Side};
use rewrite::eliminate_tail_calls;

use crate::common_code::procedure_pairs;
use ir::Subject;
use ir::subjects;

/// Statements that a version may have in the end, and rounds of inlining.
const MOST_STATEMENTS: usize = 2000;
const MOST_ROUNDS: usize = 8;

/// The versions with everything inlined; `None` if there is nothing to inline in either.
pub(crate) fn inlined(pair: Pair<Subject<'_>>) -> Option<Pair<Program>> {
    let mut step = one_step(pair)?;
    let mut programs = pair.map(|subject| subject.program.clone());
    for _ in 1..MOST_ROUNDS {
        *programs.get_mut(step.0) = step.1;
        let current = subjects(&programs, pair.map(|subject| subject.procedure));
        let Some(next) = one_step(current) else { return Some(programs) };
        step = next;
    }
    *programs.get_mut(step.0) = step.1;
    Some(programs)
}

/// One version with one thing inlined.
fn one_step(pair: Pair<Subject<'_>>) -> Option<(Side, Program)> {
    let pairs = procedure_pairs(pair);
    [Side::Old, Side::New].into_iter().find_map(|side| {
        let subject = *pair.get(side);
        let without_recursion = || {
            let repeats = |ids: &&Pair<ProcId>| {
                let other = pair.get(side.other()).program;
                !ir::is_recursive(other, *ids.get(side.other()))
            };
            pairs.iter().filter(repeats).find_map(|ids| eliminate_tail_calls(subject.program, *ids.get(side)))
        };
        let is_alone = |id: ProcId| !pairs.iter().any(|ids| *ids.get(side) == id);
        let alone: Vec<ProcId> = ir::reachable(subject.program, subject.procedure)
            .into_iter()
            .filter(|id| is_alone(*id))
            .collect();
        let without_calls = || {
            let loops = alone.iter().find_map(|id| eliminate_tail_calls(subject.program, *id));
            loops.or_else(|| with_inlined_calls(subject, &alone))
        };
        Some((side, without_recursion().or_else(without_calls)?))
    })
}

/// The program with all calls of some procedures inlined, unless these are recursive or it gets too long.
fn with_inlined_calls(subject: Subject<'_>, alone: &[ProcId]) -> Option<Program> {
    let recursive = ir::recursive_procedures(subject.program);
    let is_wanted = |id: ProcId| alone.contains(&id) && !recursive.contains(&id);
    let within: Vec<ProcId> = ir::reachable(subject.program, subject.procedure).into_iter().collect();
    rewrite::inline_calls(subject.program, &within, &is_wanted, MOST_STATEMENTS)
}

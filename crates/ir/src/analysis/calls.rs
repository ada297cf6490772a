//! Who calls whom. Exact: calls in the IR name their callee.

use std::collections::HashSet;

use crate::{ProcId, Program, Stmt, StmtKind, for_each_stmt, has_loop};

/// The procedures that one calls itself, each once, in the order of their first call.
pub fn calls_of(program: &Program, id: ProcId) -> &[ProcId] {
    &program.procedures.calls().callees[id.index()]
}

/// A procedure and all that it calls, directly or not: itself first, then in the order in which a reader who follows
/// each call when he meets it gets to them.
pub fn reachable(program: &Program, id: ProcId) -> Vec<ProcId> {
    reachable_without(program, id, &|_| false)
}

/// The procedures that a call of this one may run without running one of those that are left out, itself first.
pub fn reachable_without(program: &Program, id: ProcId, is_left_out: &dyn Fn(ProcId) -> bool) -> Vec<ProcId> {
    let mut found = Vec::new();
    // Few are found as a rule, however many there are.
    let mut seen = HashSet::new();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        if seen.insert(next) {
            found.push(next);
            let callees = calls_of(program, next).iter().rev();
            open.extend(callees.filter(|callee| !is_left_out(**callee)));
        }
    }
    found
}

/// The procedures in groups that call each other in a circle, directly or not; callees come before their callers.
pub fn call_components(program: &Program) -> &[Vec<ProcId>] {
    &program.procedures.calls().components
}

/// The procedures that may call themselves, directly or not, in the order of their ids.
pub fn recursive_procedures(program: &Program) -> &[ProcId] {
    &program.procedures.calls().recursive
}

/// Whether a procedure may call itself, directly or not.
pub fn is_recursive(program: &Program, id: ProcId) -> bool {
    program.procedures.calls().is_recursive[id.index()]
}

/// Whether a run of statements may go on forever: they have a loop, or something that they call has one or is
/// recursive. Over-approximating; unknown code counts as ending.
pub fn may_not_end(program: &Program, statements: &[Stmt]) -> bool {
    let mut callees = Vec::new();
    let mut loops = false;
    for_each_stmt(statements, &mut |stmt| match stmt.kind {
        StmtKind::Loop { .. } => loops = true,
        StmtKind::Call { callee, .. } => callees.push(callee),
        _ => {}
    });
    let has_loop = |id: ProcId| program.procedure(id).body.as_deref().is_some_and(has_loop);
    let called = || callees.iter().flat_map(|id| reachable(program, *id));
    loops || called().any(|id| has_loop(id) || is_recursive(program, id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_program;

    fn program() -> Program {
        read_program(
            "program c
            proc main() { call b() if true { call a() } call b() }
            proc a() { call even() }
            proc b() { call a() call rand() }
            proc even() { call odd() }
            proc odd() { loop L0 { call even() } }
            proc alone() { call alone() }
            extern proc rand()",
        )
        .unwrap()
    }

    fn names(program: &Program, ids: &[ProcId]) -> String {
        ids.iter().map(|id| program.procedure(*id).name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn calls_are_found_in_order() {
        let program = program();
        assert_eq!(names(&program, calls_of(&program, ProcId(0))), "b a");
        assert_eq!(names(&program, &reachable(&program, ProcId(0))), "main b a even odd rand");
        assert_eq!(names(&program, &reachable(&program, ProcId(4))), "odd even");
    }

    #[test]
    fn components_have_the_callees_first() {
        let program = program();
        let components: Vec<_> = call_components(&program).iter().map(|ids| names(&program, ids)).collect();
        let position = |name: &str| components.iter().position(|component| component == name).unwrap();
        assert_eq!(components.len(), 6);
        assert!(position("even odd") < position("a"));
        assert!(position("a") < position("b"));
        assert!(position("rand") < position("b"));
        assert!(position("b") < position("main"));
    }

    #[test]
    fn loops_and_recursion_may_not_end_however_far_away() {
        let program = program();
        let endless = |id: u32| may_not_end(&program, program.procedure(ProcId(id)).body.as_ref().unwrap());
        assert!(endless(0) && endless(1) && endless(4) && endless(5));
        let plain =
            read_program("program c proc f() { call g() call rand() } proc g() {} extern proc rand()");
        let plain = plain.unwrap();
        assert!(!may_not_end(&plain, plain.procedure(ProcId(0)).body.as_ref().unwrap()));
    }

    #[test]
    fn recursion_is_found_in_circles_only() {
        let program = program();
        let recursive: Vec<ProcId> = (0..7).map(ProcId).filter(|id| is_recursive(&program, *id)).collect();
        assert_eq!(names(&program, &recursive), "even odd alone");
    }
}

//! What decides which way a loop goes: the places that its conditions depend on, from one iteration to the next.
//!
//! Over-approximating: every condition in the body counts, whether it can leave the loop or not, and so does all that
//! calls may read. So two iterations that start with the same values in these places take the same way through the
//! body, and leave the same values in these places.

use std::collections::BTreeSet;

use super::dependence::{reads, writes};
use crate::{Place, Program, Slot, Stmt, StmtKind, for_each_slot, for_each_stmt};

/// The places that decide which way the body of a loop goes, and what these places hold after it.
pub fn control_slice(program: &Program, body: &[Stmt]) -> BTreeSet<Place> {
    let mut statements = Vec::new();
    for_each_stmt(body, &mut |stmt| statements.push((reads(program, stmt), writes(program, stmt), stmt)));
    let deciding = statements.iter().filter(|(_, _, stmt)| decides(program, stmt));
    let mut slice: BTreeSet<Place> = deciding.flat_map(|(reads, _, _)| reads.iter().copied()).collect();
    loop {
        let before = slice.len();
        for (reads, writes, _) in &statements {
            if writes.iter().any(|place| slice.contains(place)) {
                slice.extend(reads);
            }
        }
        if slice.len() == before {
            break;
        }
    }
    // Nothing reads what was printed.
    slice.retain(|place| !matches!(place, Place::Written(_)));
    slice
}

/// Whether a statement can choose where the run goes on, or says something to what can.
fn decides(program: &Program, stmt: &Stmt) -> bool {
    let mut decides = matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Assume { .. });
    for_each_slot(&stmt.kind, &mut |slot| match slot {
        // A handler may ask for the message of what is thrown.
        Slot::Error(_) => decides = true,
        Slot::Callee(callee) => decides |= program.procedure(*callee).body.is_some(),
        _ => {}
    });
    decides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GlobalId, LocalId, ProcId, read_program};

    fn slice(body: &str) -> Vec<Place> {
        let text = format!(
            "program java error E global g: i32 = 0 proc f(a: i32) {{ var x: i32 var y: i32 loop L0 {{ {body} }} }}
             extern world proc rand() -> i32"
        );
        let program = read_program(&text).unwrap();
        let body = program.procedure(ProcId(0)).body.as_ref().unwrap();
        let StmtKind::Loop { body, .. } = &body[0].kind else { panic!("a loop") };
        control_slice(&program, body).into_iter().collect()
    }

    const A: Place = Place::Local(LocalId(0));
    const X: Place = Place::Local(LocalId(1));
    const Y: Place = Place::Local(LocalId(2));
    const G: Place = Place::Global(GlobalId(0));

    #[test]
    fn what_is_only_counted_does_not_decide() {
        assert_eq!(slice("if lt.i32(a, 0) { break L0 } x = add.i32(x, 1)"), [A]);
    }

    #[test]
    fn what_flows_into_a_condition_decides_through_any_number_of_iterations() {
        assert_eq!(slice("if lt.i32(a, 0) { break L0 } a = x x = y"), [A, X, Y]);
        assert_eq!(slice("check lt.i32(x, 0) else E global g = x x = g"), [X, G]);
    }

    #[test]
    fn unknown_code_decides_only_where_its_result_does() {
        assert_eq!(slice("if lt.i32(a, 0) { break L0 } x = call rand()"), [A]);
        assert_eq!(slice("if lt.i32(a, 0) { break L0 } a = call rand()"), [A, Place::World]);
    }
}

//! What a procedure can get at: the procedures it may call, and the static objects that they name.
//!
//! Over-approximating: everything that stands in the code counts, whether it is ever run or not.

use ir::{Const, Expr, ProcId, Program, StaticId};
use std::collections::BTreeSet;

/// The static objects that the code reachable from a procedure names, directly or through other static objects.
pub(crate) fn statics(program: &Program, procedure: ProcId) -> BTreeSet<StaticId> {
    let mut found = BTreeSet::new();
    for id in ir::reachable(program, procedure) {
        ir::for_each_expr(program.procedure(id).body.as_deref().unwrap_or(&[]), &mut |expr| {
            if let Expr::Const(constant) = expr {
                add_statics(program, constant, &mut found);
            }
            if let Expr::Global(global) = expr
                && program.global(*global).constant
            {
                add_statics(program, &program.global(*global).initial, &mut found);
            }
        });
    }
    // Inputs may be any of the objects of a closed shape, whether the code names them or not.
    let closed = program.statics.iter().enumerate().filter(|(_, object)| program.shape(object.shape).closed);
    found.extend(closed.map(|(index, _)| StaticId::from_index(index)));
    found
}

fn add_statics(program: &Program, constant: &Const, found: &mut BTreeSet<StaticId>) {
    let mut open = vec![constant];
    while let Some(constant) = open.pop() {
        ir::for_each_static(constant, &mut |id| {
            if found.insert(id) {
                open.extend(&program.static_object(id).cells);
            }
        });
    }
}

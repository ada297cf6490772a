//! Takes the bodies of procedures away, so that they are code that is not there.
//!
//! Over-approximating: such a procedure is any function of its arguments, of the memory that it can reach and of earlier
//! unknown calls, and the same one in both versions. Sound where both versions of it are the same code.

use std::collections::BTreeSet;

use ir::{Access, External, Program};

/// The program in which the procedures of these names have no body.
pub fn withdraw_bodies(program: &Program, names: &BTreeSet<String>) -> Program {
    let mut program = program.clone();
    for procedure in program.procedures.iter_mut().filter(|procedure| names.contains(&procedure.name)) {
        procedure.body = None;
        procedure.locals.truncate(procedure.params);
        procedure.external = External { access: Access::Writes, library: false };
    }
    crate::validated(program, "withdrawing bodies")
}

//! Programs that end where they violate an assertion, or that go on where they violate another one.
//!
//! Exact but for the name of the error.

use ir::{Block, Const, ErrorId, Expr, ProcId, Program, Stmt, StmtKind, for_each_stmt_mut};

use crate::site::{Site, SiteKind, is_one_of, site_of};

/// The error of the asked program where the assertion is violated.
pub const VIOLATED: &str = "$violated";

/// The program whose runs fail with another error where they violate one of some assertions.
pub(crate) fn fail_at(mut program: Program, sites: &[Site], name: &str) -> Program {
    let error = program.error_named(name);
    let like = program.clone();
    change(&mut program, &mut |stmt| fail_with(&like, stmt, sites, error));
    program
}

/// Lets an assertion pass that is none of some.
pub(crate) fn turn_off(program: &Program, stmt: &mut Stmt, sites: &[Site]) {
    match site_of(program, stmt) {
        Some(other) if other.kind == SiteKind::Assertion && !sites.contains(&other) => {}
        Some(_) | None => return,
    }
    match &mut stmt.kind {
        StmtKind::Assert { condition, .. } => *condition = Expr::Const(Const::Bool(true)),
        StmtKind::If { condition, .. } => *condition = Expr::Const(Const::Bool(false)),
        _ => {}
    }
}

/// Lets a site fail with another error.
pub(crate) fn fail_with(program: &Program, stmt: &mut Stmt, sites: &[Site], with: ErrorId) {
    if !is_one_of(program, stmt, sites) {
        return;
    }
    let span = stmt.span;
    match &mut stmt.kind {
        StmtKind::Assert { error, .. } | StmtKind::Check { error, .. } => *error = with,
        StmtKind::If { then, .. } => {
            *then = vec![Stmt { kind: StmtKind::Throw { error: with, message: None }, span }];
        }
        _ => {}
    }
}

pub(crate) fn change(program: &mut Program, with: &mut dyn FnMut(&mut Stmt)) {
    for at in 0..program.procedures.len() {
        let id = ProcId::from_index(at);
        if program.procedure(id).body.is_some() {
            let body: &mut Block = program.procedures[at].body.as_mut().expect("it was there");
            for_each_stmt_mut(body, with);
        }
    }
}

//! An assertion as a question about two programs: they do the same exactly if no run violates it.
//!
//! Both programs end where the assertion is violated, each with an error of its own that nothing catches:
//!
//! ```text
//! asked:  check x > 0 else $violated        given:  check x > 0 else $holds
//! ```
//!
//! So they differ on exactly the inputs whose runs get to the site and find that it does not hold. A run that catches the
//! error, or goes on forever after it, is no exception.
//!
//! Exact. With [`Others::Off`] the other assertions do not end runs: over-approximating the runs that get to the site.

use ir::{Catch, CatchKind, Const, ErrorId, Expr, ProcId, Program, Stmt, StmtKind, for_each_stmt_mut};

use crate::ending::{VIOLATED, change, fail_at, fail_with};
use crate::relevant::{reduced, stripped};
use crate::site::{Site, site_of};

/// The error of the given program there.
pub const HOLDS: &str = "$holds";
/// The error of the asked program where the site is reached at all.
pub const REACHED: &str = "$reached";

/// What the other assertions do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// They end the runs that violate them, as they do in the language.
    On,
    /// They do nothing. What their conditions compute is computed only where it changes something.
    Off,
}

/// The program that ends with [`VIOLATED`] where a run violates the assertion, and the one that ends with [`HOLDS`].
///
/// What cannot matter to it as seen from the procedure is left out.
pub fn question(program: &Program, procedure: ProcId, site: &Site, others: Others) -> ir::Pair<Program> {
    let reduced = reduced(&prepared(program, others, site), procedure, site);
    let ask = |name: &str| validated(fail_at(reduced.clone(), site, name));
    ir::Pair::new(ask(VIOLATED), ask(HOLDS))
}

/// The program as it is, except that it ends with [`VIOLATED`] where a run violates the assertion.
pub fn ending_there(program: &Program, site: &Site, others: Others) -> Program {
    validated(fail_at(prepared(program, others, site), site, VIOLATED))
}

/// The same question for a procedure that calls itself, by induction over the calls that are open: only the first call may
/// violate the assertion, and runs on which a call below does so do not count. Gives the procedure to ask about as well.
///
/// If both do the same for all that a call can be given, no run violates the assertion: of the calls that do, one has none
/// below it that does.
///
/// With a condition on the inputs the calls below have to meet it as well: one that does not counts as a violation. Of
/// all such events the first in a run happens in a call that meets the condition, and none happened below it before.
pub fn by_induction(
    program: &Program,
    procedure: ProcId,
    site: &Site,
    others: Others,
    required: Option<ProcId>,
) -> Option<(ir::Pair<Program>, ProcId)> {
    if !ir::is_recursive(program, procedure) {
        return None;
    }
    let prepared = prepared(program, others, site);
    let entry = ProcId::from_index(prepared.procedures.len());
    let ask = |name: &str| {
        let mut program = prepared.clone();
        let like = prepared.clone();
        change(&mut program, &mut |stmt| assume_instead(&like, stmt, site));
        let mut once = prepared.procedure(procedure).clone();
        once.name += ".once";
        let error = program.error_named(name);
        if let Some(body) = &mut once.body {
            for_each_stmt_mut(body, &mut |stmt| fail_with(&like, stmt, site, error));
        }
        program.procedures.push(once);
        if let Some(condition) = required {
            program = rewrite::demand(&program, procedure, condition, error);
            program = rewrite::restrict(&program, entry, condition);
        }
        validated(program)
    };
    Some((ir::Pair::new(ask(VIOLATED), ask(HOLDS)), entry))
}

/// Leaves runs out that violate the assertion.
fn assume_instead(program: &Program, stmt: &mut Stmt, site: &Site) {
    if site_of(program, stmt).as_ref() != Some(site) {
        return;
    }
    let span = stmt.span;
    match &mut stmt.kind {
        StmtKind::Assert { condition, .. } | StmtKind::Check { condition, .. } => {
            stmt.kind = StmtKind::Assume { condition: condition.clone() };
        }
        StmtKind::If { then, .. } => {
            let never = StmtKind::Assume { condition: Expr::Const(Const::Bool(false)) };
            then.insert(0, Stmt { kind: never, span });
        }
        _ => {}
    }
}

/// The same for whether a run gets to the site at all: they do the same exactly if none does.
pub fn reached(program: &Program, procedure: ProcId, site: &Site) -> ir::Pair<Program> {
    let reduced = reduced(&prepared(program, Others::On, site), procedure, site);
    let ask = |name: &str| {
        let mut program = reduced.clone();
        let error = program.error_named(name);
        let like = program.clone();
        change(&mut program, &mut |stmt| {
            if site_of(&like, stmt).as_ref() == Some(site) {
                stmt.kind = StmtKind::Throw { error, message: None };
            }
        });
        validated(program)
    };
    ir::Pair::new(ask(REACHED), ask(HOLDS))
}

/// A program whose handlers catch only the errors that it has so far, and whose other assertions are on or off.
fn prepared(program: &Program, others: Others, site: &Site) -> Program {
    let mut program = match others {
        Others::On => program.clone(),
        Others::Off => stripped(program, site),
    };
    let known: Vec<ErrorId> = (0..program.errors.len()).map(ErrorId::from_index).collect();
    change(&mut program, &mut |stmt| {
        if let StmtKind::Try { catches, .. } = &mut stmt.kind {
            for Catch { kind, .. } in catches.iter_mut().filter(|catch| catch.kind == CatchKind::Any) {
                *kind = CatchKind::Errors(known.clone());
            }
        }
    });
    program
}

/// Debug builds check that a question is well-formed.
fn validated(program: Program) -> Program {
    if cfg!(debug_assertions)
        && let Err(faults) = ir::validate(&program)
    {
        panic!("a question should be a valid program: {}\n{}", faults[0], ir::print(&program));
    }
    program
}

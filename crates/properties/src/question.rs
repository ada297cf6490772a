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

use std::slice;

use ir::{
    Access, Catch, CatchKind, Const, ErrorId, Expr, External, ProcId, Program, Stmt, StmtKind,
    for_each_stmt_mut,
};

use crate::callees::Facts;
use crate::ending::{VIOLATED, change, fail_at, fail_with};
use crate::relevant::{reduced, stripped_but};
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

/// What calls below the first one are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Below {
    /// Any function of what the procedure may look at. Over-approximating, and there is no recursion left.
    Unknown,
    /// What they are.
    Known,
}

/// The program that ends with [`VIOLATED`] where a run violates the assertion, and the one that ends with [`HOLDS`].
///
/// What cannot matter to it as seen from the procedure is left out.
pub fn question(program: &Program, procedure: ProcId, site: &Site, others: Others) -> ir::Pair<Program> {
    let sites = slice::from_ref(site);
    let reduced = reduced(&prepared(program, others, sites), procedure, sites);
    let ask = |name: &str| validated(fail_at(reduced.clone(), sites, name));
    ir::Pair::new(ask(VIOLATED), ask(HOLDS))
}

/// The program as it is, except that it ends with [`VIOLATED`] where a run violates the assertion.
pub fn ending_there(program: &Program, site: &Site, others: Others) -> Program {
    let sites = slice::from_ref(site);
    validated(fail_at(prepared(program, others, sites), sites, VIOLATED))
}

/// The program that ends with [`VIOLATED`] where a run violates one of some assertions, while the others do nothing. Of
/// what it does otherwise nothing but what can matter to these is left, and no result.
///
/// If no run of this of one version ends there, and that of another version does the same for every input, no run of that
/// one does, and each of its assertions holds.
pub fn ending_at_any(program: &Program, procedure: ProcId, sites: &[Site]) -> Program {
    let mut prepared = prepared(program, Others::Off, sites);
    let mut others = (0..program.procedures.len()).map(ProcId::from_index);
    if !others.any(|id| ir::calls_of(program, id).contains(&procedure)) {
        let own = &mut prepared.procedures[procedure.index()];
        own.result = None;
        if let Some(body) = &mut own.body {
            for_each_stmt_mut(body, &mut |stmt| {
                if let StmtKind::Return(value) = &mut stmt.kind {
                    *value = None;
                }
            });
        }
    }
    validated(fail_at(reduced(&prepared, procedure, sites), sites, VIOLATED))
}

/// The same question for a procedure that calls itself, by induction over the calls that are open: only the first call may
/// violate the assertion, and runs on which a call below does so do not count. Gives the procedure to ask about as well.
///
/// If both do the same for all that a call can be given, no run violates the assertion: of the calls that do, one has none
/// below it that does.
///
/// With a condition on the inputs the calls below have to meet it as well: one that does not counts as a violation, and
/// below the first call there are none. Of all such events the first in a run happens in the body of a call that meets the
/// condition, and none happened below it before. So only the procedure itself may call it.
pub fn by_induction(
    program: &Program,
    procedure: ProcId,
    site: &Site,
    below: Below,
    required: Option<ProcId>,
) -> Option<(ir::Pair<Program>, ProcId)> {
    let is_called_elsewhere = || {
        let others = ir::reachable(program, procedure).into_iter().filter(|id| *id != procedure);
        others.into_iter().any(|id| ir::calls_of(program, id).contains(&procedure))
    };
    if !ir::is_recursive(program, procedure) || required.is_some() && is_called_elsewhere() {
        return None;
    }
    let sites = slice::from_ref(site);
    let prepared = prepared(program, Others::Off, sites);
    let access = match below {
        Below::Known => None,
        Below::Unknown => Some(looked_at(&prepared, procedure)?),
    };
    let entry = ProcId::from_index(prepared.procedures.len());
    let facts = Facts::of(&prepared, &[(procedure, site.clone())]);
    let ask = |name: &str| {
        let mut program = prepared.clone();
        let like = prepared.clone();
        change(&mut program, &mut |stmt| assume_instead(&like, stmt, site));
        let mut once = prepared.procedure(procedure).clone();
        // Of calls below that came to their end it is known, also where they are any function.
        if let Some(body) = &mut once.body {
            facts.add_to(body);
        }
        once.name += ".once";
        let error = program.error_named(name);
        if let Some(body) = &mut once.body {
            for_each_stmt_mut(body, &mut |stmt| fail_with(&like, stmt, sites, error));
        }
        program.procedures.push(once);
        if let Some(condition) = required {
            program = rewrite::demand_at_calls(&program, entry, (procedure, condition), error);
            program = rewrite::assume(&program, procedure, condition);
            program = rewrite::assume(&program, entry, condition);
        }
        if let Some(access) = access {
            let unknown = &mut program.procedures[procedure.index()];
            unknown.locals.truncate(unknown.params);
            (unknown.body, unknown.external) = (None, External { access, library: false });
        }
        validated(program)
    };
    Some((ir::Pair::new(ask(VIOLATED), ask(HOLDS)), entry))
}

/// What a procedure may look at, if it changes nothing, never fails, and gives a number or nothing: then whatever it does
/// is what some unknown function of that does.
fn looked_at(program: &Program, id: ProcId) -> Option<Access> {
    let effects = ir::effects(program, id);
    let is_scalar = program.procedure(id).result.as_ref().is_none_or(|ty| ty.scalar().is_some());
    // Assertions do nothing here, but for the one that is assumed.
    let mut may_fail = effects.raises.iter().any(|error| program.error(*error) != "AssertionError");
    for id in ir::reachable(program, id) {
        let body = program.procedure(id).body.as_deref().unwrap_or_default();
        ir::for_each_stmt(body, &mut |stmt| may_fail |= matches!(stmt.kind, StmtKind::Throw { .. }));
    }
    let changes = !effects.writes_globals.is_empty()
        || !effects.writes_regions.is_empty()
        || !effects.allocates.is_empty()
        || !effects.prints.is_empty()
        || !effects.externals.is_empty()
        || effects.frees
        || effects.calls_out
        || effects.unsupported;
    let looks = !effects.reads_regions.is_empty()
        || !effects.reads_globals.is_empty()
        || effects.reads_lengths
        || effects.reads_shapes;
    (is_scalar && !may_fail && !changes).then_some(if looks { Access::Reads } else { Access::Pure })
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
    let sites = slice::from_ref(site);
    let reduced = reduced(&prepared(program, Others::On, sites), procedure, sites);
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
fn prepared(program: &Program, others: Others, sites: &[Site]) -> Program {
    let mut program = match others {
        Others::On => program.clone(),
        Others::Off => stripped_but(program, sites),
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

//! `restrict` of C: inputs whose pointers it promises to be apart.
//!
//! Where memory is changed that one `restrict` parameter leads to, using it through anything else is undefined. If both
//! versions have the parameter so, such inputs are left out: what is taken for granted is that the pointers lead to
//! different objects, which is listed. Over-approximating in what is changed and used; memory that is only read may be
//! shared. Parts of one object may be used as well, which looks no different to code that does not compare pointers; code
//! that does is compared on all inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ir::{Const, Expr, LocalId, Pair, ProcId, Program, StmtKind, Type};
use rewrite::Other;

/// What a procedure does with the memory behind its parameters, and which static objects it uses itself.
#[derive(Default)]
struct Uses {
    /// By the place of the parameter.
    read: BTreeSet<usize>,
    written: BTreeSet<usize>,
    /// Static objects by name, and whether they are written.
    statics: BTreeSet<(String, bool)>,
}

/// The programs in which a pair is restricted to such inputs, and what that takes for granted, if it has such pointers.
pub(super) fn restricted(
    programs: &Pair<Program>,
    procedures: Pair<ProcId>,
    views: Pair<&frontend_c::Views>,
) -> Option<(Pair<Program>, String)> {
    let declared = |program: &Program, id: ProcId, views: &frontend_c::Views| {
        views.restricted(&program.procedure(id).name)
    };
    let old = declared(&programs.old, procedures.old, views.old);
    let new = declared(&programs.new, procedures.new, views.new);
    let promised: BTreeSet<usize> = old.intersection(&new).copied().collect();
    let compares =
        compares_pointers(&programs.old, procedures.old) || compares_pointers(&programs.new, procedures.new);
    if promised.is_empty() || compares {
        return None;
    }
    let mut uses = Uses::default();
    for (program, id) in [(&programs.old, procedures.old), (&programs.new, procedures.new)] {
        let found = Analysis { program, known: BTreeMap::new() }.uses_of(id);
        uses.read.extend(&found.read);
        uses.written.extend(&found.written);
        uses.statics.extend(found.statics.iter().cloned());
    }
    let (mut of_old, mut of_new) = (Vec::new(), Vec::new());
    let procedure = programs.new.procedure(procedures.new);
    let mut names = BTreeSet::new();
    for &pointer in &promised {
        let clashes = |is_written: bool, is_read: bool| {
            (uses.written.contains(&pointer) && (is_read || is_written))
                || (uses.read.contains(&pointer) && is_written)
        };
        for other in (0..procedure.params).filter(|other| *other != pointer) {
            let is_pointer = |program: &Program, id: ProcId| {
                let ty = program.procedure(id).locals.get(other).map(|local| &local.ty);
                matches!(ty, Some(Type::Record(parts)) if matches!(parts.first(), Some(Type::Ref(_))))
            };
            let both = is_pointer(&programs.old, procedures.old) && is_pointer(&programs.new, procedures.new);
            let known = promised.contains(&other) && other < pointer;
            if both && !known && clashes(uses.written.contains(&other), uses.read.contains(&other)) {
                of_old.push((pointer, Other::Parameter(other)));
                of_new.push((pointer, Other::Parameter(other)));
                names.insert(procedure.locals[pointer].name.clone());
            }
        }
        for (name, is_written) in &uses.statics {
            let find = |program: &Program| {
                let place =
                    program.statics.iter().position(|object| object.name == *name && !object.constant);
                place.map(ir::StaticId::from_index)
            };
            if let (Some(old), Some(new), true) =
                (find(&programs.old), find(&programs.new), clashes(*is_written, true))
            {
                of_old.push((pointer, Other::Static(old)));
                of_new.push((pointer, Other::Static(new)));
                names.insert(procedure.locals[pointer].name.clone());
            }
        }
    }
    if of_old.is_empty() {
        return None;
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let assumption = format!("no other pointer leads to the object of {} (`restrict`)", names.join(", "));
    let old = rewrite::keep_apart(&programs.old, procedures.old, &of_old);
    let new = rewrite::keep_apart(&programs.new, procedures.new, &of_new);
    Some((Pair::new(old, new), assumption))
}

/// Whether a procedure, or what it calls, asks where pointers lead to, other than whether they are null.
fn compares_pointers(program: &Program, id: ProcId) -> bool {
    let is_null = |expr: &Expr| matches!(expr, Expr::Const(Const::Null));
    let bodies =
        ir::reachable(program, id).into_iter().filter_map(|id| program.procedure(id).body.as_deref());
    let mut found = false;
    for body in bodies {
        ir::for_each_expr(body, &mut |expr| {
            found |= match expr {
                Expr::SameRef { lhs, rhs } => !is_null(lhs) && !is_null(rhs),
                Expr::Intrinsic { function, .. } => *function == ir::Intrinsic::Before,
                _ => false,
            };
        });
    }
    found
}

/// What is known of the procedures of a program; nothing yet of those that are being looked at.
struct Analysis<'a> {
    program: &'a Program,
    known: BTreeMap<ProcId, Option<Rc<Uses>>>,
}

impl Analysis<'_> {
    fn uses_of(&mut self, id: ProcId) -> Rc<Uses> {
        if let Some(known) = self.known.get(&id) {
            let all = || Rc::new(everything(self.program.procedure(id), ir::Access::Writes));
            return known.clone().unwrap_or_else(all);
        }
        self.known.insert(id, None);
        let procedure = self.program.procedure(id);
        let uses = Rc::new(match &procedure.body {
            Some(body) => self.of_body(body, procedure.params),
            None => everything(procedure, procedure.external.access),
        });
        self.known.insert(id, Some(uses.clone()));
        uses
    }

    fn of_body(&mut self, body: &[ir::Stmt], params: usize) -> Uses {
        let mut uses = Uses::default();
        let program = self.program;
        ir::for_each_expr(body, &mut |expr| {
            if let Expr::Load { object, .. } = expr {
                uses.statics.extend(static_in(program, object).map(|name| (name, false)));
            }
        });
        ir::for_each_stmt(body, &mut |stmt| {
            if let StmtKind::Store { object, .. } = &stmt.kind {
                uses.statics.extend(static_in(program, object).map(|name| (name, true)));
            }
        });
        for parameter in 0..params {
            let (is_read, is_written) = self.uses_of_parameter(body, parameter);
            uses.read.extend(is_read.then_some(parameter));
            uses.written.extend(is_written.then_some(parameter));
        }
        uses
    }

    /// Whether what a parameter leads to is read, and whether it is written.
    fn uses_of_parameter(&mut self, body: &[ir::Stmt], parameter: usize) -> (bool, bool) {
        let based = based_on(body, parameter);
        let is_based = |expr: &Expr| mentions(expr, &based);
        let (mut is_read, mut is_written) = (false, false);
        ir::for_each_expr(body, &mut |expr| {
            is_read |= matches!(expr, Expr::Load { object, .. } if is_based(object));
        });
        ir::for_each_stmt(body, &mut |stmt| {
            // Whoever finds the pointer somewhere may do anything with it.
            let is_kept = match &stmt.kind {
                StmtKind::Store { object, value, .. } => {
                    is_written |= is_based(object);
                    is_based(value) && !is_based(object)
                }
                StmtKind::AssignGlobal { value, .. } => is_based(value),
                StmtKind::Free { object } => {
                    is_written |= is_based(object);
                    false
                }
                StmtKind::Call { callee, args, .. } if args.iter().any(is_based) => {
                    let inner = self.uses_of(*callee);
                    for (place, _) in args.iter().enumerate().filter(|(_, arg)| is_based(arg)) {
                        is_read |= inner.read.contains(&place);
                        is_written |= inner.written.contains(&place);
                    }
                    false
                }
                _ => false,
            };
            is_read |= is_kept;
            is_written |= is_kept;
        });
        (is_read, is_written)
    }
}

/// All that may be done with what parameters lead to.
fn everything(procedure: &ir::Procedure, access: ir::Access) -> Uses {
    let all = |is_so: bool| if is_so { (0..procedure.params).collect() } else { BTreeSet::new() };
    Uses { read: all(access.reads_memory()), written: all(access.writes_memory()), statics: BTreeSet::new() }
}

/// The locals that may hold a pointer which was made from a parameter.
fn based_on(body: &[ir::Stmt], parameter: usize) -> BTreeSet<LocalId> {
    let mut based = BTreeSet::from([LocalId::from_index(parameter)]);
    loop {
        let known = based.len();
        ir::for_each_stmt(body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign { local, value } if mentions(value, &based) => {
                based.insert(*local);
            }
            // What a callee gives may be what it got.
            StmtKind::Call { local: Some(local), args, .. }
                if args.iter().any(|arg| mentions(arg, &based)) =>
            {
                based.insert(*local);
            }
            _ => {}
        });
        if based.len() == known {
            return based;
        }
    }
}

/// Whether an expression has one of the locals in it, other than to read what is behind it.
fn mentions(expr: &Expr, locals: &BTreeSet<LocalId>) -> bool {
    match expr {
        Expr::Local(local) => locals.contains(local),
        Expr::Load { .. } | Expr::Length { .. } | Expr::HasShape { .. } | Expr::SameRef { .. } => false,
        _ => ir::children(expr).into_iter().any(|child| mentions(child, locals)),
    }
}

fn static_in(program: &Program, object: &Expr) -> Option<String> {
    match object {
        Expr::Const(Const::Static(id)) => Some(program.static_object(*id).name.clone()),
        _ => None,
    }
}

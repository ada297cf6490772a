//! The last pass: ancestors of shapes, handlers that can never run, and the errors that are left.
//!
//! A handler is dropped only if no statement of its `try`, and nothing that these call, can fail with its error,
//! so that dropping it changes no run. Exact.

use std::collections::{BTreeMap, BTreeSet};

use ir::{
    BinaryOp, Block, CatchKind, Const, ErrorId, Expr, LocalId, ProcId, Program, ShapeId, Slot, Stmt, StmtKind,
};

use super::Lowering;
use crate::types::{ClassId, Ty};

/// The name of exceptions whose class is not given.
const FOREIGN_ERROR: &str = "an exception of a class that is not given";

/// Which exits of which local are failures that wait for the end of a `finally` block.
type Pending = BTreeMap<ProcId, BTreeSet<(LocalId, i32)>>;

pub(super) fn finish(mut lowering: Lowering<'_>) -> Program {
    fill_ancestors(&mut lowering);
    super::foreign_pair::drop_handlers(&mut lowering.program);
    let mut pending = Pending::new();
    for (proc, local, number, _) in &lowering.pending_errors {
        pending.entry(*proc).or_default().insert((*local, *number));
    }
    drop_idle_handlers(&mut lowering.program, &pending);
    number_errors(&mut lowering);
    lowering.program
}

fn fill_ancestors(lowering: &mut Lowering<'_>) {
    let object = lowering.shapes.get(&Ty::Class(lowering.table.object)).copied();
    let found = std::mem::take(&mut lowering.foreign_found);
    let is_made = |name: &str| found.collections.contains(name) || found.arrays.contains_key(name);
    for shape in lowering.program.shapes.iter_mut().filter(|shape| is_made(&shape.name)) {
        shape.ancestors.extend(object);
    }
    let foreign = lowering.shapes.get(&Ty::Foreign(String::new())).copied();
    // Parents that no code names still are ancestors: an input may be declared as one only by its shape.
    for (ty, shape) in &lowering.shapes {
        let mut ancestors: Vec<ShapeId> = Vec::new();
        if let Ty::Class(class) = ty {
            let classes: Vec<ClassId> = lowering.table.ancestors(*class);
            let shapes = classes.into_iter().filter_map(|id| lowering.shapes.get(&Ty::Class(id)).copied());
            ancestors.extend(shapes);
        }
        let may_be_foreign = match ty {
            Ty::Class(class) => lowering.table.may_be_foreign(*class),
            _ => false,
        };
        ancestors.extend(foreign.filter(|_| may_be_foreign));
        if let Some(object) = object
            && object != *shape
            && !ancestors.contains(&object)
        {
            ancestors.push(object);
        }
        lowering.program.shapes[shape.index()].ancestors = ancestors;
    }
}

/// Which errors each procedure may fail with, as a least fixpoint over the calls.
fn failures(program: &Program, pending: &Pending) -> Vec<BTreeSet<ErrorId>> {
    let mut known = vec![BTreeSet::new(); program.procedures.len()];
    loop {
        let mut changed = false;
        for (index, procedure) in program.procedures.iter().enumerate() {
            let Some(body) = &procedure.body else { continue };
            let none = BTreeSet::new();
            let waiting = pending.get(&ProcId::from_index(index)).unwrap_or(&none);
            let errors = block_failures(body, &known, waiting);
            changed |= errors.len() != known[index].len();
            known[index] = errors;
        }
        if !changed {
            return known;
        }
    }
}

fn block_failures(
    block: &Block,
    known: &[BTreeSet<ErrorId>],
    waiting: &BTreeSet<(LocalId, i32)>,
) -> BTreeSet<ErrorId> {
    let mut errors = BTreeSet::new();
    for stmt in block {
        match &stmt.kind {
            // What waits for the end of a `finally` block is counted where it was caught.
            StmtKind::If { condition, .. } if is_waiting(condition, waiting) => {}
            StmtKind::Try { body, catches } => {
                let mut thrown = block_failures(body, known, waiting);
                for catch in catches {
                    errors.extend(block_failures(&catch.body, known, waiting));
                    if !passes_on(&catch.body, waiting) {
                        remove_caught(&mut thrown, &catch.kind);
                    }
                }
                errors.extend(thrown);
            }
            kind => ir::for_each_slot(kind, &mut |slot| match slot {
                Slot::Error(error) => errors.extend([*error]),
                Slot::Callee(callee) => errors.extend(&known[callee.index()]),
                Slot::Block(block) => errors.extend(block_failures(block, known, waiting)),
                _ => {}
            }),
        }
    }
    errors
}

fn remove_caught(thrown: &mut BTreeSet<ErrorId>, kind: &CatchKind) {
    match kind {
        CatchKind::Any => thrown.clear(),
        CatchKind::Errors(errors) => errors.iter().for_each(|error| {
            thrown.remove(error);
        }),
    }
}

fn is_waiting(condition: &Expr, waiting: &BTreeSet<(LocalId, i32)>) -> bool {
    waiting_exit(condition).is_some_and(|exit| waiting.contains(&exit))
}

fn waiting_exit(condition: &Expr) -> Option<(LocalId, i32)> {
    let Expr::Binary { op: BinaryOp::Eq, lhs, rhs, .. } = condition else { return None };
    match (&**lhs, &**rhs) {
        (Expr::Local(local), Expr::Const(Const::Int(_, number))) => {
            Some((*local, i32::try_from(*number).ok()?))
        }
        _ => None,
    }
}

/// Whether a handler only writes down which error waits.
fn passes_on(body: &Block, waiting: &BTreeSet<(LocalId, i32)>) -> bool {
    body.iter().any(|stmt| assigned_exit(stmt).is_some_and(|exit| waiting.contains(&exit)))
}

fn assigned_exit(stmt: &Stmt) -> Option<(LocalId, i32)> {
    match &stmt.kind {
        StmtKind::Assign { local, value: Expr::Const(Const::Int(_, number)) } => {
            Some((*local, i32::try_from(*number).ok()?))
        }
        _ => None,
    }
}

fn drop_idle_handlers(program: &mut Program, pending: &Pending) {
    let known = failures(program, pending);
    let none = BTreeSet::new();
    for (index, procedure) in program.procedures.iter_mut().enumerate() {
        let Some(body) = &mut procedure.body else { continue };
        let waiting = pending.get(&ProcId::from_index(index)).unwrap_or(&none);
        let mut dropped = BTreeSet::new();
        prune(body, &known, waiting, &mut dropped);
    }
}

fn prune(
    block: &mut Block,
    known: &[BTreeSet<ErrorId>],
    waiting: &BTreeSet<(LocalId, i32)>,
    dropped: &mut BTreeSet<(LocalId, i32)>,
) {
    let old = std::mem::take(block);
    for mut stmt in old {
        match &mut stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                if waiting_exit(condition).is_some_and(|exit| dropped.contains(&exit)) {
                    continue;
                }
                prune(then, known, waiting, dropped);
                prune(otherwise, known, waiting, dropped);
            }
            StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => {
                prune(body, known, waiting, dropped)
            }
            StmtKind::Try { body, catches } => {
                prune(body, known, waiting, dropped);
                let mut thrown = block_failures(body, known, waiting);
                catches.retain_mut(|catch| {
                    if let CatchKind::Errors(errors) = &mut catch.kind {
                        errors.retain(|error| thrown.contains(error));
                        if errors.is_empty() {
                            dropped.extend(catch.body.iter().filter_map(assigned_exit));
                            dropped.retain(|exit| waiting.contains(exit));
                            return false;
                        }
                    }
                    remove_caught(&mut thrown, &catch.kind);
                    prune(&mut catch.body, known, waiting, dropped);
                    true
                });
                if catches.is_empty() {
                    block.append(body);
                    continue;
                }
            }
            _ => {}
        }
        block.push(stmt);
    }
}

/// Gives the errors that are left their final numbers, in order of first use.
fn number_errors(lowering: &mut Lowering<'_>) {
    let name = |class: ClassId| lowering.table.class(class).name.clone();
    let names: Vec<String> =
        lowering.errors.iter().map(|class| class.map_or(FOREIGN_ERROR.to_owned(), name)).collect();
    let program = &mut lowering.program;
    let mut procedures = std::mem::take(&mut program.procedures);
    for procedure in &mut procedures {
        if let Some(body) = &mut procedure.body {
            renumber(body, &mut |error| program.error_named(&names[error.index()]));
        }
    }
    program.procedures = procedures;
}

fn renumber(block: &mut Block, number: &mut dyn FnMut(ErrorId) -> ErrorId) {
    for stmt in block {
        match &mut stmt.kind {
            StmtKind::Throw { error, .. }
            | StmtKind::Check { error, .. }
            | StmtKind::Assert { error, .. } => {
                *error = number(*error);
            }
            StmtKind::If { then, otherwise, .. } => {
                renumber(then, number);
                renumber(otherwise, number);
            }
            StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => renumber(body, number),
            StmtKind::Try { body, catches } => {
                renumber(body, number);
                for catch in catches {
                    if let CatchKind::Errors(errors) = &mut catch.kind {
                        errors.iter_mut().for_each(|error| *error = number(*error));
                    }
                    renumber(&mut catch.body, number);
                }
            }
            _ => {}
        }
    }
}

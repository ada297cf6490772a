//! What calls leave behind, by the assertions at the end of callees.
//!
//! Exact where these assertions hold of all that the callee can be given; under-approximating where they do not.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Block, Expr, LocalId, ProcId, Procedure, Program, Stmt, StmtKind, for_each_stmt};

use crate::site::{Site, SiteKind, site_of};

/// The assertions that every call of a procedure passes last, before its only `return`, and that say something of its
/// parameters and its result alone.
pub fn last_assertions(program: &Program, id: ProcId) -> Vec<Site> {
    let procedure = program.procedure(id);
    let Some((last, before)) = ends_with_return(procedure) else { return Vec::new() };
    let mut found = Vec::new();
    for stmt in before.iter().rev() {
        let StmtKind::Assert { condition, .. } = &stmt.kind else { break };
        match site_of(program, stmt) {
            Some(site) if site.kind == SiteKind::Assertion => {
                if speaks_of(procedure, condition, last).is_some() {
                    found.push(site);
                }
            }
            Some(_) | None => break,
        }
    }
    found
}

/// The program in which it is known after calls of callees that these did not violate some last assertions.
pub fn known_after_calls(program: &Program, entry: ProcId, known: &[(ProcId, Site)]) -> Program {
    let facts = Facts::of(program, known);
    let mut changed = program.clone();
    for id in ir::reachable(program, entry) {
        if let Some(body) = &mut changed.procedures[id.index()].body {
            facts.add_to(body);
        }
    }
    changed
}

/// What is known after calls: conditions about parameters and a local that is the result.
pub(crate) struct Facts(BTreeMap<ProcId, Vec<(Expr, LocalId)>>);

impl Facts {
    /// What some last assertions say; others say nothing.
    pub(crate) fn of(program: &Program, known: &[(ProcId, Site)]) -> Facts {
        let mut facts: BTreeMap<ProcId, Vec<(Expr, LocalId)>> = BTreeMap::new();
        for (id, site) in known {
            if !last_assertions(program, *id).contains(site) {
                continue;
            }
            let procedure = program.procedure(*id);
            let Some((last, before)) = ends_with_return(procedure) else { continue };
            for stmt in before.iter().filter(|stmt| site_of(program, stmt).as_ref() == Some(site)) {
                if let StmtKind::Assert { condition, .. } = &stmt.kind
                    && let Some(result) = speaks_of(procedure, condition, last)
                {
                    facts.entry(*id).or_default().push((condition.clone(), result));
                }
            }
        }
        Facts(facts)
    }

    /// Puts it after the calls of a block.
    pub(crate) fn add_to(&self, block: &mut Block) {
        add_facts(block, &self.0);
    }
}

/// The local that a procedure returns at its end, and the statements before that, if it returns nowhere else.
fn ends_with_return(procedure: &Procedure) -> Option<(LocalId, &[Stmt])> {
    let body = procedure.body.as_deref()?;
    let (last, before) = body.split_last()?;
    let StmtKind::Return(Some(Expr::Local(result))) = &last.kind else { return None };
    let mut returns = 0;
    for_each_stmt(body, &mut |stmt| returns += usize::from(matches!(stmt.kind, StmtKind::Return(_))));
    (returns == 1).then_some((*result, before))
}

/// The result, if a condition is about that and parameters that never change, and asks nothing of memory.
fn speaks_of(procedure: &Procedure, condition: &Expr, result: LocalId) -> Option<LocalId> {
    let mut assigned = BTreeSet::new();
    for_each_stmt(procedure.body.as_deref().unwrap_or_default(), &mut |stmt| {
        assigned.extend(ir::assigned_locals(&stmt.kind));
    });
    let mut is_plain = true;
    ir::for_each_subexpr(condition, &mut |expr| {
        is_plain &= match expr {
            Expr::Local(local) => {
                *local == result || local.index() < procedure.params && !assigned.contains(local)
            }
            other => is_of_values(other),
        };
    });
    is_plain.then_some(result)
}

/// Whether an expression is what it is whatever memory holds.
fn is_of_values(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Const(_)
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Convert { .. }
            | Expr::If { .. }
            | Expr::SameRef { .. }
            | Expr::SameText { .. }
            | Expr::HasShape { .. }
    )
}

fn add_facts(block: &mut Block, facts: &BTreeMap<ProcId, Vec<(Expr, LocalId)>>) {
    let mut changed = Vec::new();
    for mut stmt in std::mem::take(block) {
        ir::blocks_mut(&mut stmt.kind).into_iter().for_each(|inner| add_facts(inner, facts));
        let mut assumed = Vec::new();
        if let StmtKind::Call { local: Some(to), callee, args } = &stmt.kind {
            // An argument that the result overwrites is no longer what was given.
            let is_kept = args.iter().all(|arg| {
                let mut keeps = true;
                ir::for_each_subexpr(arg, &mut |expr| {
                    keeps &= match expr {
                        Expr::Local(local) => local != to,
                        other => is_of_values(other),
                    };
                });
                keeps
            });
            for (condition, result) in facts.get(callee).into_iter().flatten().filter(|_| is_kept) {
                let mut condition = condition.clone();
                let replaced = |local: LocalId| match args.get(local.index()) {
                    _ if local == *result => Expr::Local(*to),
                    Some(arg) => arg.clone(),
                    None => Expr::Local(local),
                };
                replace(&mut condition, &replaced);
                assumed.push(Stmt { kind: StmtKind::Assume { condition }, span: stmt.span });
            }
        }
        changed.push(stmt);
        changed.extend(assumed);
    }
    *block = changed;
}

/// Puts expressions in the place of locals. What is put there is not looked at again.
fn replace(expr: &mut Expr, by: &dyn Fn(LocalId) -> Expr) {
    if let Expr::Local(local) = expr {
        *expr = by(*local);
        return;
    }
    ir::children_mut(expr).into_iter().for_each(|child| replace(child, by));
}

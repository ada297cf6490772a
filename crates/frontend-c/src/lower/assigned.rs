//! Which variables may be read before they are assigned. Over-approximating: every path counts.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Block, Expr, LabelId, LocalId, Stmt, StmtKind};

use super::Body;
use super::local::FRESH;

/// Notes the variables that may be read before they are assigned as assumptions, and removes the statements that
/// make the others zero.
pub(crate) fn note_unassigned(body: &mut Body) {
    let tracked: BTreeSet<LocalId> = body.uninitialised.iter().copied().collect();
    let mut analysis = Analysis { tracked, read_early: BTreeSet::new(), exits: BTreeMap::new() };
    analysis.block(&body.out, Some(BTreeSet::new()));
    let read_early = analysis.read_early;
    clean(&mut body.out, &read_early);
    for local in read_early {
        let variable = &body.locals[local.index()];
        let name = &variable.name;
        body.assumptions.push(match variable.ty {
            ir::Type::Record(_) => {
                format!("`{name}` is the same pointer in both versions until it is assigned")
            }
            _ => format!("`{name}` reads as 0 until it is assigned"),
        });
    }
}

fn is_fresh(stmt: &Stmt) -> bool {
    stmt.span.end_line == FRESH
}

fn clean(block: &mut Block, keep: &BTreeSet<LocalId>) {
    block.retain(|stmt| match &stmt.kind {
        StmtKind::Assign { local, .. } if is_fresh(stmt) => keep.contains(local),
        _ => true,
    });
    for stmt in block {
        if is_fresh(stmt) {
            stmt.span.end_line = stmt.span.line;
            stmt.span.end_column = stmt.span.column;
        }
        match &mut stmt.kind {
            StmtKind::If { then, otherwise, .. } => {
                clean(then, keep);
                clean(otherwise, keep);
            }
            StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => clean(body, keep),
            _ => {}
        }
    }
}

/// The variables that are assigned on all paths to a point; none where no path leads.
type State = Option<BTreeSet<LocalId>>;

struct Analysis {
    tracked: BTreeSet<LocalId>,
    read_early: BTreeSet<LocalId>,
    exits: BTreeMap<LabelId, State>,
}

impl Analysis {
    fn block(&mut self, block: &[Stmt], mut state: State) -> State {
        for stmt in block {
            state = self.stmt(stmt, state);
        }
        state
    }

    fn stmt(&mut self, stmt: &Stmt, state: State) -> State {
        let mut assigned = state?;
        match &stmt.kind {
            StmtKind::Assign { local, value } => {
                if is_fresh(stmt) {
                    assigned.remove(local);
                } else {
                    self.read(value, &assigned);
                    assigned.insert(*local);
                }
            }
            StmtKind::AssignGlobal { value, .. } => self.read(value, &assigned),
            StmtKind::Store { object, index, value, .. } => {
                self.read(object, &assigned);
                index.iter().for_each(|index| self.read(index, &assigned));
                self.read(value, &assigned);
            }
            StmtKind::New { local, length, .. } => {
                length.iter().for_each(|length| self.read(length, &assigned));
                assigned.insert(*local);
            }
            StmtKind::Free { object } => self.read(object, &assigned),
            StmtKind::If { condition, then, otherwise } => {
                self.read(condition, &assigned);
                let then = self.block(then, Some(assigned.clone()));
                let otherwise = self.block(otherwise, Some(assigned));
                return join(then, otherwise);
            }
            StmtKind::Loop { label, body } => {
                self.block(body, Some(assigned));
                return self.exits.remove(label).flatten();
            }
            StmtKind::Scope { label, body } => {
                let end = self.block(body, Some(assigned));
                let exit = self.exits.remove(label).flatten();
                return join(end, exit);
            }
            StmtKind::Break(label) => {
                let known = self.exits.remove(label).flatten();
                self.exits.insert(*label, join(known, Some(assigned)));
                return None;
            }
            StmtKind::Return(value) => {
                value.iter().for_each(|value| self.read(value, &assigned));
                return None;
            }
            StmtKind::Call { local, args, .. } => {
                args.iter().for_each(|arg| self.read(arg, &assigned));
                assigned.extend(*local);
            }
            StmtKind::Check { condition, .. }
            | StmtKind::Assert { condition, .. }
            | StmtKind::Assume { condition } => {
                self.read(condition, &assigned);
            }
            StmtKind::Print { text, .. } => self.read(text, &assigned),
            StmtKind::Continue(_) | StmtKind::Throw { .. } | StmtKind::Unsupported { .. } => return None,
            StmtKind::Try { .. } => {}
        }
        Some(assigned)
    }

    fn read(&mut self, expr: &Expr, assigned: &BTreeSet<LocalId>) {
        if let Expr::Local(local) = expr
            && self.tracked.contains(local)
            && !assigned.contains(local)
        {
            self.read_early.insert(*local);
        }
        ir::children(expr).into_iter().for_each(|child| self.read(child, assigned));
    }
}

fn join(a: State, b: State) -> State {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (state, None) | (None, state) => state,
    }
}

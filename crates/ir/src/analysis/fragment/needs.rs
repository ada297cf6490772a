//! Which locals a fragment reads before it assigns them, which it assigns, and how it is left.
//!
//! Over-approximating for what is read and what may be assigned, under-approximating for what must be.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Expr, LabelId, Stmt, StmtKind, for_each_part, for_each_subexpr};

/// What a fragment needs and changes; locals and labels by their place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Needs {
    /// Read before they are surely assigned.
    pub(super) reads: BTreeSet<usize>,
    pub(super) may_assign: BTreeSet<usize>,
    /// Assigned on every way out, so that what they had before does not matter.
    pub(super) must_assign: BTreeSet<usize>,
    pub(super) returns: bool,
    /// The labels outside of the fragment that it jumps to.
    pub(super) breaks: BTreeSet<usize>,
    pub(super) continues: BTreeSet<usize>,
}

/// Locals that are surely assigned; `None` where no run gets to.
type Assigned = Option<BTreeSet<usize>>;

struct Analysis {
    needs: Needs,
    /// What is assigned at the jumps to each label inside of the fragment.
    at_break: BTreeMap<LabelId, Assigned>,
    inside: BTreeSet<LabelId>,
    /// What is assigned wherever the fragment is left by a jump or an error.
    at_exits: Assigned,
    /// Whether the procedure goes on after an error.
    has_handlers: bool,
}

pub(super) fn needs(statements: &[Stmt], locals: usize, has_handlers: bool) -> Needs {
    let mut analysis = Analysis {
        needs: Needs::default(),
        at_break: BTreeMap::new(),
        inside: BTreeSet::new(),
        at_exits: None,
        has_handlers,
    };
    let end = analysis.block(statements, Some(BTreeSet::new()));
    let all = || (0..locals).collect();
    let must = meet(end, analysis.at_exits.clone()).unwrap_or_else(all);
    Needs { must_assign: must, ..analysis.needs }
}

/// What is assigned on both ways.
fn meet(a: Assigned, b: Assigned) -> Assigned {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, b) => a.or(b),
    }
}

impl Analysis {
    fn block(&mut self, statements: &[Stmt], mut assigned: Assigned) -> Assigned {
        for stmt in statements {
            assigned = self.statement(stmt, assigned);
        }
        assigned
    }

    fn statement(&mut self, stmt: &Stmt, assigned: Assigned) -> Assigned {
        // Code that no run gets to reads nothing, but may still be counted: it is harmless.
        let mut before = assigned?;
        for_each_part(&stmt.kind, &mut |part| {
            for_each_subexpr(part, &mut |expr| {
                if let Expr::Local(local) = expr
                    && !before.contains(&local.index())
                {
                    self.needs.reads.insert(local.index());
                }
            });
        });
        match &stmt.kind {
            StmtKind::Assign { local, .. } | StmtKind::New { local, .. } => {
                self.assign(local.index(), &mut before);
                Some(before)
            }
            StmtKind::Call { local, .. } => {
                // It may fail before the result is there.
                self.fail(&before);
                if let Some(local) = local {
                    self.assign(local.index(), &mut before);
                }
                Some(before)
            }
            StmtKind::If { then, otherwise, .. } => {
                let after_then = self.block(then, Some(before.clone()));
                let after_otherwise = self.block(otherwise, Some(before));
                meet(after_then, after_otherwise)
            }
            StmtKind::Loop { label, body } => {
                self.inside.insert(*label);
                self.block(body, Some(before));
                self.inside.remove(label);
                self.at_break.remove(label).flatten()
            }
            StmtKind::Scope { label, body } => {
                self.inside.insert(*label);
                let end = self.block(body, Some(before));
                self.inside.remove(label);
                meet(end, self.at_break.remove(label).flatten())
            }
            StmtKind::Break(label) if self.inside.contains(label) => {
                let known = self.at_break.remove(label).flatten();
                self.at_break.insert(*label, meet(known, Some(before)));
                None
            }
            StmtKind::Continue(label) if self.inside.contains(label) => None,
            StmtKind::Break(label) => {
                self.needs.breaks.insert(label.index());
                self.exit(&before);
                None
            }
            StmtKind::Continue(label) => {
                self.needs.continues.insert(label.index());
                self.exit(&before);
                None
            }
            // The locals end with the procedure.
            StmtKind::Return(_) => {
                self.needs.returns = true;
                None
            }
            StmtKind::Throw { .. } => {
                self.fail(&before);
                None
            }
            StmtKind::Check { .. } | StmtKind::Assert { .. } => {
                self.fail(&before);
                Some(before)
            }
            StmtKind::Try { body, catches } => {
                let mut end = self.block(body, Some(before.clone()));
                for catch in catches {
                    // Whatever the body assigned before it failed is not counted.
                    let mut start = before.clone();
                    if let Some(local) = catch.message {
                        self.assign(local.index(), &mut start);
                    }
                    let after = self.block(&catch.body, Some(start));
                    end = meet(end, after);
                }
                end
            }
            StmtKind::AssignGlobal { .. }
            | StmtKind::Store { .. }
            | StmtKind::Free { .. }
            | StmtKind::Assume { .. }
            | StmtKind::Print { .. }
            | StmtKind::Unsupported { .. } => Some(before),
        }
    }

    fn assign(&mut self, local: usize, assigned: &mut BTreeSet<usize>) {
        self.needs.may_assign.insert(local);
        assigned.insert(local);
    }

    /// Something may fail here.
    fn fail(&mut self, assigned: &BTreeSet<usize>) {
        if self.has_handlers {
            self.exit(assigned);
        }
    }

    /// The fragment may be left here.
    fn exit(&mut self, assigned: &BTreeSet<usize>) {
        let known = self.at_exits.take();
        self.at_exits = meet(known, Some(assigned.clone()));
    }
}

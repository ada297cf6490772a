//! Which statements can complete normally (JLS 14.22), where that decides about scopes. The source compiles, so that
//! every statement can be reached. Exact but for what hangs on the value of a constant or on a `finally`: nothing.

use super::{Expr, ExprKind, Literal, Stmt, StmtKind, Switch, SwitchGroup};

impl Stmt {
    /// Whether this can complete normally; nothing if that is not worked out.
    pub(crate) fn can_complete(&self) -> Option<bool> {
        match &self.kind {
            StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Yield(_)
            | StmtKind::Return(_)
            | StmtKind::Throw(_) => Some(false),
            StmtKind::Empty
            | StmtKind::Local { .. }
            | StmtKind::Expr(_)
            | StmtKind::Assert { .. }
            | StmtKind::ConstructorCall { .. }
            | StmtKind::ForEach { .. }
            | StmtKind::If { otherwise: None, .. } => Some(true),
            StmtKind::Unsupported(_) => None,
            StmtKind::Sequence(stmts) | StmtKind::Block(stmts) => all_complete(stmts),
            StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                either(then.can_complete(), || otherwise.can_complete())
            }
            StmtKind::While { condition, body } => body.can_leave_loop(Some(condition)),
            StmtKind::For { condition, body, .. } => body.can_leave_loop(condition.as_ref()),
            StmtKind::Do { body, condition } => match is_true(condition) {
                Some(true) => body.can_leave(true, &[]),
                Some(false) => {
                    let ends = || either(body.can_complete(), || body.continues());
                    either(body.can_leave(true, &[]), ends)
                }
                None => None,
            },
            StmtKind::Labeled { label, body } => {
                let leaves = || body.can_leave(false, std::slice::from_ref(label));
                either(body.can_complete(), leaves)
            }
            StmtKind::Switch(switch) => can_leave_switch(switch),
            StmtKind::Try { body, catches, finally } => {
                let end = finally.as_deref().map_or(Some(true), all_complete);
                let mut tried = all_complete(body);
                for clause in catches {
                    tried = either(tried, || all_complete(&clause.body));
                }
                match (tried, end) {
                    (_, Some(false)) | (Some(false), _) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                }
            }
        }
    }

    /// Whether a `break` in this body of a loop leaves the loop, which has these labels.
    pub(crate) fn is_left_by_break(&self, names: &[String]) -> Option<bool> {
        self.can_leave(true, names)
    }

    fn can_leave_loop(&self, condition: Option<&Expr>) -> Option<bool> {
        match condition.map_or(Some(true), is_true) {
            Some(false) => Some(true),
            Some(true) => self.can_leave(true, &[]),
            None => None,
        }
    }

    /// Whether a `break` in this leaves the statement around it: one without a label, if these count, or with one of
    /// the labels.
    fn can_leave(&self, unlabeled: bool, names: &[String]) -> Option<bool> {
        self.jumps(&|kind, is_inner| match kind {
            StmtKind::Break(None) => unlabeled && !is_inner,
            StmtKind::Break(Some(name)) => names.contains(name),
            _ => false,
        })
    }

    /// Whether a `continue` is in this; nothing if there is one, whichever loop it is of.
    fn continues(&self) -> Option<bool> {
        let found = self.jumps(&|kind, _| matches!(kind, StmtKind::Continue(_)));
        found.filter(|found| !found)
    }

    /// Whether this has a jump; nothing if a `finally` block may stop it, or if there may be one in what is not read.
    fn jumps(&self, is_jump: &dyn Fn(&StmtKind, bool) -> bool) -> Option<bool> {
        let mut found = false;
        let mut is_sure = true;
        self.look_for_jumps(is_jump, false, &mut found, &mut is_sure);
        match (found, is_sure) {
            (false, true) => Some(false),
            (true, true) => Some(true),
            _ => None,
        }
    }

    fn look_for_jumps(
        &self,
        is_jump: &dyn Fn(&StmtKind, bool) -> bool,
        is_inner: bool,
        found: &mut bool,
        is_sure: &mut bool,
    ) {
        *found |= is_jump(&self.kind, is_inner);
        let has_finally = matches!(&self.kind, StmtKind::Try { finally: Some(_), .. });
        *is_sure &= !has_finally && !matches!(&self.kind, StmtKind::Unsupported(_));
        let is_inner = is_inner
            || matches!(
                &self.kind,
                StmtKind::While { .. }
                    | StmtKind::Do { .. }
                    | StmtKind::For { .. }
                    | StmtKind::ForEach { .. }
                    | StmtKind::Switch(_)
            );
        self.for_each_part(&mut |stmt| stmt.look_for_jumps(is_jump, is_inner, found, is_sure), &mut |_| {});
    }
}

fn can_leave_switch(switch: &Switch) -> Option<bool> {
    let Some(last) = switch.groups.last() else { return Some(true) };
    if !switch.groups.iter().any(|group| group.is_default) {
        // One with patterns lists all cases.
        let has_patterns = switch.groups.iter().any(|group| group.unsupported.is_some());
        return (!has_patterns).then_some(true);
    }
    let ends = |group: &SwitchGroup| if group.is_value { Some(true) } else { all_complete(&group.body) };
    let mut leaves = ends(last);
    for group in switch.groups.iter() {
        if group.arrow {
            leaves = either(leaves, || ends(group));
        }
        for stmt in &group.body {
            leaves = either(leaves, || stmt.can_leave(true, &[]));
        }
    }
    leaves
}

/// Whether a row of statements can complete.
fn all_complete(stmts: &[Stmt]) -> Option<bool> {
    let mut all = Some(true);
    for stmt in stmts {
        match stmt.can_complete() {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

fn either(first: Option<bool>, second: impl FnOnce() -> Option<bool>) -> Option<bool> {
    match first {
        Some(true) => Some(true),
        Some(false) => second(),
        None => second().filter(|value| *value),
    }
}

/// Whether a condition is the constant true; nothing if it may be one by the value of a name.
fn is_true(condition: &Expr) -> Option<bool> {
    if let ExprKind::Literal(Literal::Boolean(value)) = condition.kind {
        return Some(value);
    }
    let mut may_be_constant = true;
    condition.for_each_expr(&mut |part| {
        may_be_constant &= matches!(
            part.kind,
            ExprKind::Literal(_)
                | ExprKind::Name(_)
                | ExprKind::Field { .. }
                | ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::Conditional { .. }
                | ExprKind::Cast { .. }
        );
    });
    (!may_be_constant).then_some(false)
}

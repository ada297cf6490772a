//! Walks over statements and expressions, for analyses that only look for something.

use super::{Expr, ExprKind, Stmt, StmtKind, Switch};

impl Stmt {
    /// Calls a function on this statement and all statements in it.
    pub(crate) fn for_each_stmt(&self, visit: &mut dyn FnMut(&Stmt)) {
        visit(self);
        self.for_each_part(&mut |stmt| stmt.for_each_stmt(visit), &mut |_| {});
    }

    /// Calls a function on all expressions in this statement, at every depth.
    pub(crate) fn for_each_expr(&self, visit: &mut dyn FnMut(&Expr)) {
        let mut exprs = Vec::new();
        let mut stmts = Vec::new();
        self.for_each_part(&mut |stmt| stmts.push(stmt), &mut |expr| exprs.push(expr));
        exprs.into_iter().for_each(|expr| expr.for_each_expr(visit));
        stmts.into_iter().for_each(|stmt| stmt.for_each_expr(visit));
    }

    /// The statements and expressions directly in this statement.
    pub(crate) fn for_each_part<'a>(
        &'a self,
        stmt: &mut dyn FnMut(&'a Stmt),
        expr: &mut dyn FnMut(&'a Expr),
    ) {
        match &self.kind {
            StmtKind::Empty | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Unsupported(_) => {}
            StmtKind::Local { init, .. } => init.iter().for_each(expr),
            StmtKind::Sequence(body) | StmtKind::Block(body) => body.iter().for_each(stmt),
            StmtKind::Expr(value) | StmtKind::Throw(value) | StmtKind::Yield(value) => expr(value),
            StmtKind::If { condition, then, otherwise } => {
                expr(condition);
                stmt(then);
                otherwise.iter().for_each(|otherwise| stmt(otherwise));
            }
            StmtKind::While { condition, body } | StmtKind::Do { body, condition } => {
                expr(condition);
                stmt(body);
            }
            StmtKind::For { init, condition, update, body } => {
                init.iter().for_each(&mut *stmt);
                condition.iter().chain(update).for_each(expr);
                stmt(body);
            }
            StmtKind::ForEach { value, body, .. } => {
                expr(value);
                stmt(body);
            }
            StmtKind::Labeled { body, .. } => stmt(body),
            StmtKind::Switch(switch) => switch.for_each_part(stmt, expr),
            StmtKind::Return(value) => value.iter().for_each(expr),
            StmtKind::Try { body, catches, finally } => {
                body.iter().for_each(&mut *stmt);
                catches.iter().flat_map(|clause| &clause.body).for_each(&mut *stmt);
                finally.iter().flatten().for_each(stmt);
            }
            StmtKind::Assert { condition, message } => {
                expr(condition);
                message.iter().for_each(expr);
            }
            StmtKind::ConstructorCall { args, .. } => args.iter().for_each(expr),
        }
    }
}

impl Switch {
    fn for_each_part<'a>(&'a self, stmt: &mut dyn FnMut(&'a Stmt), expr: &mut dyn FnMut(&'a Expr)) {
        expr(&self.subject);
        for group in &self.groups {
            group.labels.iter().for_each(&mut *expr);
            group.body.iter().for_each(&mut *stmt);
        }
    }
}

impl Expr {
    /// Calls a function on this expression and all expressions in it.
    pub(crate) fn for_each_expr(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        let mut go = |expr: &Expr| expr.for_each_expr(visit);
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Name(_)
            | ExprKind::This
            | ExprKind::OuterThis(_)
            | ExprKind::Super
            | ExprKind::Unsupported(_) => {}
            ExprKind::Field { object, .. } => go(object),
            ExprKind::Index { array, index } => {
                go(array);
                go(index);
            }
            ExprKind::Call { target, args, .. } => {
                target.iter().for_each(|target| go(target));
                args.iter().for_each(go);
            }
            ExprKind::New { args, .. } => args.iter().for_each(go),
            ExprKind::NewArray { dims, .. } => dims.iter().for_each(go),
            ExprKind::ArrayInit { elements, .. } => elements.iter().for_each(go),
            ExprKind::Unary { arg, .. }
            | ExprKind::Update { arg, .. }
            | ExprKind::Cast { arg, .. }
            | ExprKind::InstanceOf { arg, .. } => go(arg),
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Assign { lhs, rhs }
            | ExprKind::Compound { lhs, rhs, .. } => {
                go(lhs);
                go(rhs);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                go(condition);
                go(then);
                go(otherwise);
            }
            ExprKind::Switch(switch) => {
                let mut exprs = Vec::new();
                let mut stmts = Vec::new();
                switch.for_each_part(&mut |stmt| stmts.push(stmt), &mut |expr| exprs.push(expr));
                exprs.into_iter().for_each(|expr| expr.for_each_expr(visit));
                stmts.into_iter().for_each(|stmt| stmt.for_each_expr(visit));
            }
        }
    }
}

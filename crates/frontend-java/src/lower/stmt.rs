//! Statements.

use ir::{Const, Expr as IrExpr, StmtKind as IrStmtKind};

use super::body::{Binding, Body, Value, not};
use super::exception::carrying_text;
use super::foreign::Wanted;
use super::jumps::{Frame, FrameKind};
use crate::syntax::{Expr, Stmt, StmtKind, TypeRef};
use crate::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn stmts(&mut self, stmts: &'a [Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    /// Statements with a scope of their own.
    pub(super) fn block(&mut self, stmts: &'a [Stmt]) {
        self.in_scope(|body| body.stmts(stmts));
    }

    pub(super) fn stmt(&mut self, stmt: &'a Stmt) {
        self.labeled(stmt, Vec::new());
    }

    /// A statement with the labels that stand before it.
    fn labeled(&mut self, stmt: &'a Stmt, names: Vec<String>) {
        self.at(stmt.span, |body| body.stmt_kind(stmt, names));
    }

    fn stmt_kind(&mut self, stmt: &'a Stmt, mut names: Vec<String>) {
        match &stmt.kind {
            StmtKind::Labeled { label, body } => {
                names.push(label.clone());
                self.labeled(body, names);
            }
            StmtKind::While { condition, body } => self.while_loop(names, condition, body),
            StmtKind::Do { body, condition } => self.do_loop(names, body, condition),
            StmtKind::For { init, condition, update, body } => {
                self.for_loop(names, init, condition.as_ref(), update, body);
            }
            StmtKind::ForEach { ty, name, value, body } => self.for_each(names, ty, name, value, body),
            StmtKind::Switch(switch) => self.switch_stmt(switch, names),
            _ if !names.is_empty() => self.labeled_block(stmt, names),
            StmtKind::Empty => {}
            StmtKind::Local { is_final: true, ty, name, init: Some(init) }
                if self.is_constant_here(init, 0) =>
            {
                self.constant_local(ty, name, init);
            }
            StmtKind::Local { ty, name, init, .. } => self.local(ty, name, init.as_ref()),
            StmtKind::Sequence(stmts) => self.stmts(stmts),
            StmtKind::Expr(expr) => self.discard(expr),
            StmtKind::Block(stmts) => self.block(stmts),
            StmtKind::If { condition, then, otherwise } => self.branch(condition, then, otherwise.as_deref()),
            StmtKind::Break(name) => self.break_to(name.as_deref()),
            StmtKind::Continue(name) => self.continue_to(name.as_deref()),
            StmtKind::Yield(value) => {
                let value = self.operand(value, &Wanted::Value);
                self.yield_value(value);
            }
            StmtKind::Return(value) => {
                let ty = self.result.clone();
                let value = match value {
                    Some(value) if ty == Ty::Void => {
                        self.expr(value);
                        None
                    }
                    Some(value) => Some(self.expr_of_type(value, &ty)),
                    None => None,
                };
                self.return_value(value);
            }
            StmtKind::Throw(value) => self.throw(value),
            StmtKind::Try { body, catches, finally } => self.try_stmt(body, catches, finally.as_deref()),
            StmtKind::Assert { condition, message } => self.assert(condition, message.as_ref()),
            StmtKind::ConstructorCall { .. } => {
                self.unsupported("a constructor call that does not come first");
            }
            StmtKind::Unsupported(what) => {
                self.unsupported(what.clone());
            }
        }
    }

    fn labeled_block(&mut self, stmt: &'a Stmt, names: Vec<String>) {
        let end = self.new_label();
        let kind = FrameKind::Block { end, is_switch: false };
        self.frames.push(Frame { names, kind });
        let (_, block) = self.in_block(|body| body.stmt(stmt));
        self.close_block(end, block);
    }

    /// Ends a block that `break` may leave.
    pub(super) fn close_block(&mut self, end: ir::LabelId, block: ir::Block) {
        self.frames.pop();
        self.emit_scope(end, block);
    }

    /// A block that is a scope only if something leaves it.
    pub(super) fn emit_scope(&mut self, label: ir::LabelId, block: ir::Block) {
        if has_break(&block, label) {
            self.emit(IrStmtKind::Scope { label, body: block });
        } else {
            self.block.extend(block);
        }
    }

    fn local(&mut self, ty: &TypeRef, name: &str, init: Option<&'a Expr>) {
        let Some(init) = init else {
            let ty = self.resolve(ty);
            self.declare(name, &ty);
            return;
        };
        let (ty, value) = self.initial(ty, init);
        self.initialised(name, &ty, value);
    }

    fn initialised(&mut self, name: &str, ty: &Ty, value: Value) {
        let local = self.declare(name, ty);
        if !ty.is_unknown() && *ty != Ty::Void {
            self.emit(IrStmtKind::Assign { local, value: value.expr });
        }
    }

    /// The type of a variable and the value that it starts with.
    fn initial(&mut self, ty: &TypeRef, init: &'a Expr) -> (Ty, Value) {
        match ty {
            TypeRef::Var => {
                let value = self.expr(init);
                (value.ty.clone(), value)
            }
            ty => {
                let ty = self.resolve(ty);
                let value = if ty.is_unknown() {
                    let value = self.expr(init);
                    self.convert(value, &ty)
                } else {
                    self.expr_of_type(init, &ty)
                };
                (ty, value)
            }
        }
    }

    /// A variable that is a constant: its value stands in its place.
    fn constant_local(&mut self, ty: &TypeRef, name: &str, init: &'a Expr) {
        let (ty, value) = self.initial(ty, init);
        if !matches!(ty, Ty::Primitive(_) | Ty::Text) {
            return self.initialised(name, &ty, value);
        }
        let value = if matches!(value.expr, IrExpr::Const(_)) { value } else { self.saved(value) };
        self.bind(name, Binding::Constant(value));
    }

    fn branch(&mut self, condition: &'a Expr, then: &'a Stmt, otherwise: Option<&'a Stmt>) {
        if is_long_chain(otherwise) {
            let end = self.new_label();
            let (_, block) = self.in_block(|body| body.chain(condition, then, otherwise, end));
            self.emit_scope(end, block);
            return self.introduce_after_if(condition, then, otherwise);
        }
        self.branches(condition, then, otherwise);
        self.introduce_after_if(condition, then, otherwise);
    }

    fn branches(&mut self, test: &'a Expr, then: &'a Stmt, otherwise: Option<&'a Stmt>) {
        let condition = self.condition(test);
        let (_, then) = self.in_block(|body| body.where_known(test, true, |body| body.stmt(then)));
        let (_, otherwise) = self.in_block(|body| {
            body.where_known(test, false, |body| {
                otherwise.into_iter().for_each(|otherwise| body.stmt(otherwise));
            });
        });
        match condition {
            IrExpr::Const(Const::Bool(true)) => self.block.extend(then),
            IrExpr::Const(Const::Bool(false)) => self.block.extend(otherwise),
            condition => self.emit(IrStmtKind::If { condition, then, otherwise }),
        }
    }

    /// A long chain of `else if`, one after the other instead of one inside the other: each branch that runs leaves the
    /// scope around all of them.
    fn chain(&mut self, test: &'a Expr, then: &'a Stmt, otherwise: Option<&'a Stmt>, end: ir::LabelId) {
        let condition = self.condition(test);
        let (_, then) = self.in_block(|body| {
            body.where_known(test, true, |body| body.stmt(then));
            body.emit(IrStmtKind::Break(end));
        });
        self.emit(IrStmtKind::If { condition, then, otherwise: Vec::new() });
        self.where_known(test, false, |body| match otherwise {
            Some(Stmt { kind: StmtKind::If { condition, then, otherwise }, span }) => {
                body.at(*span, |body| body.chain(condition, then, otherwise.as_deref(), end));
            }
            Some(last) => body.stmt(last),
            None => {}
        });
    }

    /// `assert`, taken as enabled. The message is evaluated only on failure.
    fn assert(&mut self, condition: &'a Expr, message: Option<&'a Expr>) {
        self.assume_in_words(ir::ASSERTIONS_IN_JAVA);
        let condition = self.condition(condition);
        let error = self.cx.library_error("AssertionError");
        let (text, block) = self.in_block(|body| {
            let value = message.map(|message| body.expr(message));
            value.map(|value| body.text_of(value))
        });
        let Some(text) = text else {
            self.emit(IrStmtKind::Assert { condition, error });
            return;
        };
        let (_, then) = self.in_block(|body| {
            body.block = block;
            body.emit(IrStmtKind::Throw { error, message: Some(carrying_text(text.expr)) });
        });
        self.emit(IrStmtKind::If { condition: not(condition), then, otherwise: Vec::new() });
    }
}

/// How many `else if` may stand one inside the other.
pub(super) const LONGEST_CHAIN: usize = 100;

fn is_long_chain(otherwise: Option<&Stmt>) -> bool {
    std::iter::successors(otherwise, |stmt| next_in_chain(stmt)).nth(LONGEST_CHAIN).is_some()
}

fn next_in_chain(stmt: &Stmt) -> Option<&Stmt> {
    match &stmt.kind {
        StmtKind::If { otherwise, .. } => otherwise.as_deref(),
        _ => None,
    }
}

/// Whether a block has a `break` to the label.
fn has_break(block: &ir::Block, label: ir::LabelId) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        IrStmtKind::Break(target) => *target == label,
        IrStmtKind::If { then, otherwise, .. } => has_break(then, label) || has_break(otherwise, label),
        IrStmtKind::Loop { body, .. } | IrStmtKind::Scope { body, .. } => has_break(body, label),
        IrStmtKind::Try { body, catches } => {
            has_break(body, label) || catches.iter().any(|catch| has_break(&catch.body, label))
        }
        _ => false,
    })
}

//! Loops: `while`, `do`, `for`, and `for` over arrays. Exact.

use ir::{BinaryOp as Ir, Const, Expr as IrExpr, IntType, LabelId, Stmt as IrStmt, StmtKind as IrStmtKind};

use super::body::{Body, I32, Value, binary, i32_const, not};
use super::jumps::{Frame, FrameKind, Jump};
use crate::syntax::{Expr, Stmt, TypeRef};
use crate::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn while_loop(&mut self, names: Vec<String>, condition: &'a Expr, body: &'a Stmt) {
        let label = self.new_label();
        let (_, block) = self.in_block(|lowering| {
            lowering.leave_unless(condition, label);
            lowering.where_known(condition, true, |lowering| {
                lowering.loop_body(names.clone(), label, Jump::Continue(label), body);
            });
        });
        self.emit(IrStmtKind::Loop { label, body: block });
        self.introduce_after_loop(condition, body, &names);
    }

    pub(super) fn do_loop(&mut self, names: Vec<String>, body: &'a Stmt, condition: &'a Expr) {
        let label = self.new_label();
        let (_, block) = self.in_block(|lowering| {
            lowering.scoped_body(names.clone(), label, body);
            lowering.leave_unless(condition, label);
        });
        self.emit(IrStmtKind::Loop { label, body: block });
        self.introduce_after_loop(condition, body, &names);
    }

    pub(super) fn for_loop(
        &mut self,
        names: Vec<String>,
        init: &'a [Stmt],
        condition: Option<&'a Expr>,
        update: &'a [Expr],
        body: &'a Stmt,
    ) {
        self.in_scope(|lowering| {
            lowering.stmts(init);
            let label = lowering.new_label();
            let (_, block) = lowering.in_block(|lowering| {
                lowering.in_scope(|lowering| {
                    if let Some(condition) = condition {
                        lowering.leave_unless(condition, label);
                        lowering.introduce(condition, true, Some(true));
                    }
                    lowering.scoped_body(names.clone(), label, body);
                    update.iter().for_each(|update| lowering.discard(update));
                });
            });
            lowering.emit(IrStmtKind::Loop { label, body: block });
        });
        if let Some(condition) = condition {
            self.introduce_after_loop(condition, body, &names);
        }
    }

    /// `for (T x : array)`: the array is evaluated once; its length cannot change, so that no access can fail.
    pub(super) fn for_each(
        &mut self,
        names: Vec<String>,
        ty: &TypeRef,
        name: &str,
        value: &'a Expr,
        body: &'a Stmt,
    ) {
        let array = self.expr(value);
        let Ty::Array(element) = array.ty.clone() else {
            if array.ty.is_foreign() && array.ty != Ty::of_result() {
                self.for_each_foreign(names, ty, name, array, body);
                return;
            }
            if !array.ty.is_unknown() {
                self.unsupported("`for` over something that is not an array");
            }
            return;
        };
        let array = self.saved(array);
        self.check_not_null(&array);
        let index = self.temp_for(&Ty::INT);
        self.emit(IrStmtKind::Assign { local: index, value: i32_const(0) });
        let label = self.new_label();
        let (_, block) = self.in_block(|lowering| {
            let length = IrExpr::Length { object: Box::new(array.expr.clone()), ty: IntType::I32 };
            let inside = binary(Ir::Lt, I32, IrExpr::Local(index), length);
            lowering.leave_if(not(inside), label);
            lowering.in_scope(|lowering| {
                let region = lowering.cx.element_region(&element);
                let object = Box::new(array.expr.clone());
                let load = IrExpr::Load { region, object, index: Some(Box::new(IrExpr::Local(index))) };
                let value = Value::new(load, (*element).clone());
                let ty = match ty {
                    TypeRef::Var => (*element).clone(),
                    ty => lowering.resolve(ty),
                };
                let value = lowering.convert(value, &ty);
                let local = lowering.declare(name, &ty);
                lowering.emit(IrStmtKind::Assign { local, value: value.expr });
                lowering.scoped_body(names, label, body);
            });
            let next = binary(Ir::Add, I32, IrExpr::Local(index), i32_const(1));
            lowering.emit(IrStmtKind::Assign { local: index, value: next });
        });
        self.emit(IrStmtKind::Loop { label, body: block });
    }

    fn leave_unless(&mut self, condition: &'a Expr, label: LabelId) {
        let condition = self.condition(condition);
        self.leave_if(not(condition), label);
    }

    fn leave_if(&mut self, condition: IrExpr, label: LabelId) {
        match condition {
            IrExpr::Const(Const::Bool(false)) => {}
            IrExpr::Const(Const::Bool(true)) => self.emit(IrStmtKind::Break(label)),
            condition => {
                let then = vec![IrStmt { kind: IrStmtKind::Break(label), span: self.span }];
                self.emit(IrStmtKind::If { condition, then, otherwise: Vec::new() });
            }
        }
    }

    /// The body of a loop whose `continue` must still run something: it gets a scope if it has a `continue`.
    pub(super) fn scoped_body(&mut self, names: Vec<String>, end: LabelId, body: &'a Stmt) {
        let scope = self.new_label();
        let (continues, block) =
            self.in_block(|lowering| lowering.loop_body(names, end, Jump::Break(scope), body));
        if continues {
            self.emit(IrStmtKind::Scope { label: scope, body: block });
        } else {
            self.block.extend(block);
        }
    }

    /// Lowers the body; says whether it has a `continue` of this loop.
    fn loop_body(&mut self, names: Vec<String>, end: LabelId, next: Jump, body: &'a Stmt) -> bool {
        self.frames.push(Frame { names, kind: FrameKind::Loop { end, next, continues: false } });
        self.in_scope(|lowering| lowering.stmt(body));
        let frame = self.frames.pop();
        matches!(frame, Some(Frame { kind: FrameKind::Loop { continues: true, .. }, .. }))
    }
}

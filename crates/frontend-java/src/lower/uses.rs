//! Which names the source has, found without resolving them. Over-approximating: two things of one name count as one,
//! so that "not mentioned" and "not called" are safe to rely on.

use std::collections::BTreeSet;

use crate::syntax::{ClassDecl, Expr, ExprKind, Member, Stmt, StmtKind, Switch, TypeRef, Unit};

#[derive(Default)]
pub(crate) struct Uses {
    mentioned: BTreeSet<String>,
    called: BTreeSet<String>,
    /// The source has a `catch` or `finally`.
    pub(crate) catches: bool,
    /// The source makes boxed numbers by `new`, so that equal ones may be several.
    pub(crate) makes_boxes: bool,
}

const BOXES: [&str; 8] = ["Boolean", "Character", "Byte", "Short", "Integer", "Long", "Float", "Double"];

impl Uses {
    pub(crate) fn of(units: &[Unit]) -> Uses {
        let mut uses = Uses::default();
        for class in units.iter().flat_map(|unit| &unit.classes) {
            uses.class(class);
        }
        uses.mentioned.extend(units.iter().flat_map(|unit| &unit.lost_names).cloned());
        uses
    }

    /// Whether a method of this name is called anywhere.
    pub(crate) fn calls(&self, name: &str) -> bool {
        self.called.contains(name)
    }

    /// Whether a class of this name is named anywhere.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.mentioned.contains(name)
    }

    fn class(&mut self, class: &ClassDecl) {
        for ty in class.superclass.iter().chain(&class.interfaces) {
            self.ty(ty);
        }
        for component in &class.components {
            self.ty(&component.ty);
        }
        for constant in &class.constants {
            constant.args.iter().for_each(|arg| self.expr(arg));
        }
        for member in &class.members {
            match member {
                Member::Field(field) => {
                    self.ty(&field.ty);
                    if let Some(init) = &field.init {
                        self.expr(init);
                    }
                }
                Member::Method(method) => {
                    self.ty(&method.result);
                    method.params.iter().for_each(|param| self.ty(&param.ty));
                    method.body.iter().for_each(|body| self.stmts(body));
                }
                Member::Class(nested) => self.class(nested),
                Member::Initializer { body, .. } => self.stmts(body),
            }
        }
    }

    fn ty(&mut self, ty: &TypeRef) {
        match ty {
            TypeRef::Named(path, _) => self.mentioned.extend(path.iter().cloned()),
            TypeRef::Array(element) => self.ty(element),
            TypeRef::Primitive(_) | TypeRef::Void | TypeRef::Var => {}
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Unsupported(_) => {}
            StmtKind::Local { ty, init, .. } => {
                self.ty(ty);
                init.iter().for_each(|init| self.expr(init));
            }
            StmtKind::Sequence(body) | StmtKind::Block(body) => self.stmts(body),
            StmtKind::Expr(expr) | StmtKind::Throw(expr) | StmtKind::Yield(expr) => self.expr(expr),
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.stmt(then);
                otherwise.iter().for_each(|otherwise| self.stmt(otherwise));
            }
            StmtKind::While { condition, body } | StmtKind::Do { body, condition } => {
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::For { init, condition, update, body } => {
                self.stmts(init);
                condition.iter().chain(update).for_each(|expr| self.expr(expr));
                self.stmt(body);
            }
            StmtKind::ForEach { ty, value, body, .. } => {
                self.ty(ty);
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::Labeled { body, .. } => self.stmt(body),
            StmtKind::Switch(switch) => self.switch(switch),
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Try { body, catches, finally } => {
                self.catches = true;
                self.stmts(body);
                for clause in catches {
                    clause.types.iter().for_each(|ty| self.ty(ty));
                    self.stmts(&clause.body);
                }
                finally.iter().for_each(|finally| self.stmts(finally));
            }
            StmtKind::Assert { condition, message } => {
                self.expr(condition);
                message.iter().for_each(|message| self.expr(message));
            }
            StmtKind::ConstructorCall { args, .. } => args.iter().for_each(|arg| self.expr(arg)),
        }
    }

    fn switch(&mut self, switch: &Switch) {
        self.expr(&switch.subject);
        for group in &switch.groups {
            group.labels.iter().for_each(|label| self.expr(label));
            self.stmts(&group.body);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::This | ExprKind::OuterThis(_) | ExprKind::Super => {}
            ExprKind::Unsupported(_) => {}
            ExprKind::Name(name) => {
                self.mentioned.insert(name.clone());
            }
            ExprKind::Field { object, name } => {
                self.mentioned.insert(name.clone());
                self.expr(object);
            }
            ExprKind::Index { array, index } => {
                self.expr(index);
                self.expr(array);
            }
            ExprKind::Call { target, name, args } => {
                self.called.insert(name.clone());
                target.iter().for_each(|target| self.expr(target));
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::New { ty, args } => {
                let is_box = |path: &[String]| path.last().is_some_and(|name| BOXES.contains(&name.as_str()));
                self.makes_boxes |= matches!(ty, TypeRef::Named(path, _) if is_box(path));
                self.ty(ty);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::NewArray { ty, dims } => {
                self.ty(ty);
                dims.iter().for_each(|dim| self.expr(dim));
            }
            ExprKind::ArrayInit { elements, .. } => elements.iter().for_each(|element| self.expr(element)),
            ExprKind::Unary { arg, .. } | ExprKind::Update { arg, .. } => self.expr(arg),
            ExprKind::Cast { ty, arg } | ExprKind::InstanceOf { arg, ty, .. } => {
                self.ty(ty);
                self.expr(arg);
            }
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Assign { lhs, rhs }
            | ExprKind::Compound { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Switch(switch) => self.switch(switch),
        }
    }
}

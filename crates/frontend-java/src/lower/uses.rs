//! What the source does with names, found without resolving them. Over-approximating: two things of one name
//! count as one, so that "never assigned" and "only read" are safe to rely on.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::{ClassDecl, Expr, ExprKind, Member, Stmt, StmtKind, Switch, TypeRef, Unit};

/// What is done with a name, seen as an array: `a[i][j]` is used at depth 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Use {
    Read,
    Store,
    Length,
    ForEach,
}

#[derive(Default)]
pub(crate) struct Uses {
    assigned: BTreeSet<String>,
    mentioned: BTreeSet<String>,
    called: BTreeSet<String>,
    indexed: BTreeMap<String, BTreeSet<(usize, Use)>>,
    /// The source has a `catch` or `finally`.
    pub(crate) catches: bool,
    /// Of the names of static fields, those that one class declares: its static blocks do not count for them.
    left_out: BTreeSet<String>,
}

impl Uses {
    pub(crate) fn of(units: &[Unit]) -> Uses {
        Uses::counted(units, BTreeSet::new())
    }

    /// What is done with names, but for what static blocks do with the static fields of their own class.
    pub(crate) fn outside_of_start_up(units: &[Unit]) -> Uses {
        let mut declared: BTreeMap<String, usize> = BTreeMap::new();
        for class in units.iter().flat_map(|unit| &unit.classes) {
            count_static_fields(class, &mut declared);
        }
        let once = declared.into_iter().filter(|(_, count)| *count == 1);
        Uses::counted(units, once.map(|(name, _)| name).collect())
    }

    fn counted(units: &[Unit], left_out: BTreeSet<String>) -> Uses {
        let mut uses = Uses { left_out, ..Uses::default() };
        for class in units.iter().flat_map(|unit| &unit.classes) {
            uses.class(class);
        }
        for name in units.iter().flat_map(|unit| &unit.lost_names) {
            uses.used(name, 0, Use::Store);
            uses.used(name, 0, Use::Read);
        }
        uses
    }

    /// Whether something of this name is assigned after its declaration.
    pub(crate) fn assigns(&self, name: &str) -> bool {
        self.assigned.contains(name)
    }

    /// Whether a method of this name is called anywhere.
    pub(crate) fn calls(&self, name: &str) -> bool {
        self.called.contains(name)
    }

    /// Whether a class of this name is named anywhere.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.mentioned.contains(name)
    }

    /// Whether arrays of this name and number of dimensions are only read, element by element.
    pub(crate) fn only_reads_elements(&self, name: &str, dimensions: usize) -> bool {
        self.indexed.get(name).is_none_or(|uses| {
            uses.iter().all(|(depth, what)| match what {
                Use::Read => *depth == dimensions,
                Use::Length => *depth < dimensions,
                Use::ForEach => depth + 1 == dimensions,
                Use::Store => false,
            })
        })
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
                Member::Initializer { is_static: true, body } => self.static_block(class, body),
                Member::Initializer { is_static: false, body } => self.stmts(body),
            }
        }
    }

    fn static_block(&mut self, class: &ClassDecl, body: &[Stmt]) {
        let mut inside = Uses::default();
        inside.stmts(body);
        let is_own = |member: &Member, name: &str| matches!(member, Member::Field(field) if field.modifiers.is_static && field.name == name);
        let left_out = std::mem::take(&mut self.left_out);
        let counts = |name: &String| {
            !left_out.contains(name) || !class.members.iter().any(|member| is_own(member, name))
        };
        self.assigned.extend(inside.assigned.into_iter().filter(counts));
        for (name, uses) in inside.indexed.into_iter().filter(|(name, _)| counts(name)) {
            self.indexed.entry(name).or_default().extend(uses);
        }
        self.mentioned.extend(inside.mentioned);
        self.called.extend(inside.called);
        self.catches |= inside.catches;
        self.left_out = left_out;
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
                self.place(value, 0, Use::ForEach);
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
            ExprKind::Name(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                self.place(expr, 0, Use::Read);
            }
            ExprKind::Call { target, name, args } => {
                self.called.insert(name.clone());
                target.iter().for_each(|target| self.expr(target));
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::New { ty, args } => {
                self.ty(ty);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::NewArray { ty, dims } => {
                self.ty(ty);
                dims.iter().for_each(|dim| self.expr(dim));
            }
            ExprKind::ArrayInit { elements, .. } => elements.iter().for_each(|element| self.expr(element)),
            ExprKind::Unary { arg, .. } => self.expr(arg),
            ExprKind::Cast { ty, arg } | ExprKind::InstanceOf { arg, ty, .. } => {
                self.ty(ty);
                self.expr(arg);
            }
            ExprKind::Binary { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Update { arg, .. } => self.place(arg, 0, Use::Store),
            ExprKind::Assign { lhs, rhs } | ExprKind::Compound { lhs, rhs, .. } => {
                self.place(lhs, 0, Use::Store);
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

    /// A use of what may be an element of a named array.
    fn place(&mut self, expr: &Expr, depth: usize, what: Use) {
        match &expr.kind {
            ExprKind::Index { array, index } => {
                self.expr(index);
                self.place(array, depth + 1, what);
            }
            ExprKind::Name(name) => self.used(name, depth, what),
            ExprKind::Field { object, name } => {
                self.used(name, depth, what);
                if name == "length" && depth == 0 && what == Use::Read {
                    self.place(object, 0, Use::Length);
                } else {
                    self.expr(object);
                }
            }
            _ => self.expr(expr),
        }
    }

    fn used(&mut self, name: &str, depth: usize, what: Use) {
        self.mentioned.insert(name.to_owned());
        if depth == 0 && what == Use::Store {
            self.assigned.insert(name.to_owned());
        }
        self.indexed.entry(name.to_owned()).or_default().insert((depth, what));
    }
}

fn count_static_fields(class: &ClassDecl, declared: &mut BTreeMap<String, usize>) {
    for member in &class.members {
        match member {
            Member::Field(field) if field.modifiers.is_static => {
                *declared.entry(field.name.clone()).or_default() += 1;
            }
            Member::Class(nested) => count_static_fields(nested, declared),
            Member::Field(_) | Member::Method(_) | Member::Initializer { .. } => {}
        }
    }
}

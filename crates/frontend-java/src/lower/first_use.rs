//! What using a class for the first time does: its initialiser runs then (JLS 12.4.1), and if that fails the use fails.
//!
//! Methods are compared as if classes were initialised before. Where that may hide something an assumption says so;
//! where it surely does, the use is unsupported. Over-approximating: what is quiet surely ends and touches nothing else.

use std::collections::BTreeSet;

use ir::ClassUse;

use super::body::Body;
use crate::syntax::{BinaryOp, ClassKind, Expr, ExprKind, Literal, Member, Stmt, StmtKind, TypeRef, UnaryOp};
use crate::types::{ClassId, Ty};

/// What an initialiser may do beside giving values to the static fields of its class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum FirstUse {
    Quiet,
    /// It runs code that was not looked into.
    Unsure,
    /// It changes what others see, or fails unless numbers and texts are right.
    Loud,
}

impl<'a> Body<'_, 'a> {
    /// Says what it means that a class of the program is used here.
    pub(super) fn use_class(&mut self, class: ClassId) {
        let mut chain = Some(class);
        while let Some(class) = chain.filter(|class| !self.is_initialised_here(*class)) {
            self.use_class_itself(class);
            chain = self.cx.table.class(class).superclass;
        }
    }

    fn use_class_itself(&mut self, class: ClassId) {
        let name = self.cx.table.class(class).name.clone();
        match self.first_use(class) {
            FirstUse::Quiet => {}
            FirstUse::Unsure if self.is_enum(class) => self.assume_in_words(format!(
                "the class `{name}` is initialised before, and its initialiser ended normally"
            )),
            // A run of the initialiser decides later; where it cannot, this becomes an assumption.
            FirstUse::Unsure => {
                self.unsupported(ClassUse::Unsure(name).text());
            }
            FirstUse::Loud if self.is_enum(class) => {
                self.unsupported(format!("the moment at which the enum `{name}` is initialised"));
            }
            // A run of the initialiser may show later that nobody notices.
            FirstUse::Loud => {
                self.unsupported(ClassUse::Noticed(name).text());
            }
        }
    }

    /// Whether the code of this class can only run when the other one is initialised, or being so.
    fn is_initialised_here(&self, class: ClassId) -> bool {
        let mut here = Some(self.class);
        while let Some(id) = here {
            if self.cx.table.class(id).is_library || self.cx.table.is_subclass(id, class) {
                return true;
            }
            // Objects of an inner class have one of the class around it.
            here = self.cx.table.class(id).outer.filter(|_| self.cx.table.class(id).is_inner);
        }
        self.cx.table.class(class).is_library
    }

    /// What initialising a class does, its superclass apart.
    pub(super) fn first_use(&mut self, class: ClassId) -> FirstUse {
        if let Some(known) = self.cx.first_uses.get(&class) {
            return *known;
        }
        // Two classes that need each other are quiet if all else in them is.
        self.cx.first_uses.insert(class, FirstUse::Quiet);
        let found = self.find_first_use(class);
        self.cx.first_uses.insert(class, found);
        found
    }

    fn find_first_use(&mut self, class: ClassId) -> FirstUse {
        let info = self.cx.table.class(class);
        if info.is_library {
            return FirstUse::Quiet;
        }
        let (decl, is_foreign) = (info.decl, info.has_unknown_parent);
        let mut found = if is_foreign { FirstUse::Unsure } else { FirstUse::Quiet };
        let is_enum = decl.kind == ClassKind::Enum;
        for arg in decl.constants.iter().flat_map(|constant| &constant.args) {
            found = found.max(self.loudness(arg, class, &BTreeSet::new()));
        }
        for member in &decl.members {
            found = found.max(match member {
                Member::Field(field)
                    if field.modifiers.is_static || is_enum || decl.kind == ClassKind::Interface =>
                {
                    match &field.init {
                        Some(init) => self.loudness_of_field(init, &field.name, class),
                        None => FirstUse::Quiet,
                    }
                }
                Member::Initializer { is_static, body } if *is_static || is_enum => {
                    self.loudness_of_block(body, class, BTreeSet::new())
                }
                Member::Method(method) if is_enum && method.name == "<init>" => {
                    let params = method.params.iter().map(|param| param.name.clone()).collect();
                    self.loudness_of_block(method.body.as_deref().unwrap_or_default(), class, params)
                }
                Member::Field(_) | Member::Initializer { .. } | Member::Method(_) | Member::Class(_) => {
                    FirstUse::Quiet
                }
            });
        }
        found
    }

    fn loudness_of_field(&mut self, init: &'a Expr, name: &str, class: ClassId) -> FirstUse {
        let ty = self.cx.table.find_field(class, name).map(|field| self.cx.table.field(field).ty.clone());
        match ty {
            // It has a value that is known, and nothing was checked on the way.
            Some(ty @ (Ty::Primitive(_) | Ty::Text))
                if self.evaluate(init, class, &ty, Vec::new()).is_some() =>
            {
                FirstUse::Quiet
            }
            _ => self.loudness(init, class, &BTreeSet::new()),
        }
    }

    fn loudness_of_block(
        &mut self,
        body: &'a [Stmt],
        class: ClassId,
        mut locals: BTreeSet<String>,
    ) -> FirstUse {
        let mut found = FirstUse::Quiet;
        for stmt in body {
            stmt.for_each_stmt(&mut |stmt| match &stmt.kind {
                StmtKind::Local { name, ty, .. } | StmtKind::ForEach { name, ty, .. } => {
                    locals.insert(name.clone());
                    // It may be null where a number is wanted.
                    if !matches!(ty, TypeRef::Primitive(_) | TypeRef::Array(_)) {
                        found = found.max(FirstUse::Unsure);
                    }
                }
                StmtKind::Throw(_) => found = FirstUse::Loud,
                StmtKind::Unsupported(_)
                | StmtKind::Assert { .. }
                | StmtKind::Try { .. }
                | StmtKind::While { .. }
                | StmtKind::Do { .. }
                | StmtKind::For { .. } => {
                    found = found.max(FirstUse::Unsure);
                }
                _ => {}
            });
        }
        let mut exprs: Vec<FirstUse> = Vec::new();
        for stmt in body {
            stmt.for_each_expr(&mut |expr| exprs.push(self.loudness_of_one(expr, class, &locals)));
        }
        exprs.into_iter().fold(found, FirstUse::max)
    }

    fn loudness(&mut self, expr: &'a Expr, class: ClassId, locals: &BTreeSet<String>) -> FirstUse {
        let mut found = FirstUse::Quiet;
        expr.for_each_expr(&mut |expr| found = found.max(self.loudness_of_one(expr, class, locals)));
        found
    }

    /// What evaluating an expression may do, its parts apart.
    fn loudness_of_one(&mut self, expr: &Expr, class: ClassId, locals: &BTreeSet<String>) -> FirstUse {
        match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::This
            | ExprKind::OuterThis(_)
            | ExprKind::ArrayInit { .. }
            | ExprKind::Unary { .. }
            | ExprKind::InstanceOf { .. }
            | ExprKind::Conditional { .. } => FirstUse::Quiet,
            ExprKind::Name(name) if locals.contains(name) => FirstUse::Quiet,
            ExprKind::Name(name) => match self.cx.table.field_in_scope(class, name) {
                Some((field, _)) => {
                    let field = self.cx.table.field(field);
                    // It may be null where a number is wanted.
                    let is_box = matches!(field.ty, Ty::Boxed(_));
                    let other = self.first_use_of_other(field.class, class);
                    if is_box { other.max(FirstUse::Unsure) } else { other }
                }
                None => FirstUse::Quiet,
            },
            ExprKind::Field { object, .. } => match self.class_named(object, class) {
                Some(owner) => self.first_use_of_other(owner, class),
                None if matches!(object.kind, ExprKind::This) => FirstUse::Quiet,
                None => FirstUse::Unsure,
            },
            ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, lhs, rhs } => {
                match is_never_zero(rhs) || is_floating(lhs) || is_floating(rhs) {
                    true => FirstUse::Quiet,
                    false => FirstUse::Loud,
                }
            }
            ExprKind::Binary { .. } => FirstUse::Quiet,
            ExprKind::NewArray { dims, .. } => {
                dims.iter().map(loudness_of_length).max().unwrap_or(FirstUse::Quiet)
            }
            ExprKind::Cast { ty, .. } => match ty {
                TypeRef::Primitive(_) => FirstUse::Quiet,
                _ => FirstUse::Unsure,
            },
            ExprKind::Assign { lhs, .. }
            | ExprKind::Compound { lhs, .. }
            | ExprKind::Update { arg: lhs, .. } => self.loudness_of_place(lhs, class, locals),
            ExprKind::Call { target: Some(target), name, .. } => match self.class_named(target, class) {
                Some(owner) if self.cx.table.class(owner).is_library => {
                    let fails = name.starts_with("parse") || name.ends_with("Exact") || name == "valueOf";
                    if fails { FirstUse::Loud } else { FirstUse::Unsure }
                }
                Some(owner) => self.first_use_of_other(owner, class).max(FirstUse::Unsure),
                None if is_stream(target) => FirstUse::Loud,
                None => FirstUse::Unsure,
            },
            ExprKind::Index { .. }
            | ExprKind::Call { target: None, .. }
            | ExprKind::New { .. }
            | ExprKind::Super
            | ExprKind::Switch(_)
            | ExprKind::Unsupported(_) => FirstUse::Unsure,
        }
    }

    fn first_use_of_other(&mut self, owner: ClassId, class: ClassId) -> FirstUse {
        let mut found = FirstUse::Quiet;
        let mut chain = Some(owner);
        while let Some(owner) = chain.filter(|owner| *owner != class) {
            found = found.max(self.first_use(owner));
            chain = self.cx.table.class(owner).superclass;
        }
        found
    }

    /// What assigning to a place does: nothing that others see if it is a local or a field of the class.
    fn loudness_of_place(&self, place: &Expr, class: ClassId, locals: &BTreeSet<String>) -> FirstUse {
        let owner = match &place.kind {
            ExprKind::Name(name) if locals.contains(name) => return FirstUse::Quiet,
            ExprKind::Name(name) => {
                self.cx.table.field_in_scope(class, name).map(|(field, _)| self.cx.table.field(field).class)
            }
            ExprKind::Field { object, .. } if matches!(object.kind, ExprKind::This) => Some(class),
            ExprKind::Field { object, .. } => self.class_named(object, class),
            // Its elements may be those of any array.
            _ => return FirstUse::Unsure,
        };
        if owner == Some(class) { FirstUse::Quiet } else { FirstUse::Loud }
    }
}

fn is_stream(target: &Expr) -> bool {
    matches!(super::stable::path(target).as_deref(), Some([system, _]) if system == "System")
}

fn is_never_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) => *value != 0,
        ExprKind::Literal(Literal::Long(value)) => *value != 0,
        ExprKind::Literal(Literal::Char(value)) => *value != 0,
        ExprKind::Unary { op: UnaryOp::Neg, arg } => is_never_zero(arg),
        _ => false,
    }
}

fn is_floating(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(literal) => matches!(literal, Literal::Float(_) | Literal::Double(_)),
        ExprKind::Cast { ty: TypeRef::Primitive(ty), .. } => ty.is_float(),
        _ => false,
    }
}

fn loudness_of_length(length: &Expr) -> FirstUse {
    match &length.kind {
        ExprKind::Literal(_) => FirstUse::Quiet,
        ExprKind::Unary { op: UnaryOp::Neg, .. } => FirstUse::Loud,
        _ => FirstUse::Unsure,
    }
}

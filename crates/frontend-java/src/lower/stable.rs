//! Which initialisers of static fields have the value that their expression has whenever it is evaluated.
//!
//! A class runs its initialisers in the order of the text, and a field that comes later still holds zero or null
//! (JLS 12.4). Only compile-time constants (JLS 4.12.4) are there from the start. Under-approximating: what depends
//! on the order in which classes are initialised is not stable.

use super::body::{Binding, Body};
use super::statics::MAX_CONSTANT_DEPTH;
use crate::classes::Classes;
use crate::syntax::{BinaryOp, ClassKind, Expr, ExprKind, Member, Stmt, StmtKind, TypeRef};
use crate::types::{ClassId, FieldId, Ty};

/// The moment at which an expression is evaluated: while a class is initialised.
pub(super) struct When<'p> {
    class: ClassId,
    /// Before the field at this place; the constants of an enum are made before all fields.
    index: Option<usize>,
    /// Names that stand for values which are known.
    params: &'p [&'p str],
}

/// What an expression sees that may be a constant.
struct Seen {
    class: ClassId,
    /// The local variables around it.
    locals: bool,
    /// Fields count that are variables in the other version.
    may_be_forced: bool,
}

impl When<'_> {
    /// When a static field gets its value.
    pub(super) fn field(table: &Classes<'_>, id: FieldId) -> When<'static> {
        let class = table.field(id).class;
        let index = table.class(class).fields.iter().position(|field| *field == id);
        When { class, index, params: &[] }
    }

    /// The class that is being initialised, and the field that it has come to.
    pub(super) fn place(&self) -> (ClassId, Option<usize>) {
        (self.class, self.index)
    }
}

impl Body<'_, '_> {
    /// Whether an expression that makes a constant of an enum is stable: the constants come before all fields.
    pub(super) fn is_stable_in_enum(&self, expr: &Expr, class: ClassId, params: &[&str]) -> bool {
        self.is_stable(expr, &When { class, index: None, params }, 0)
    }

    /// Whether the initialiser of an array is stable, element by element.
    pub(super) fn is_stable_table(&self, expr: &Expr, when: &When<'_>) -> bool {
        match &expr.kind {
            ExprKind::ArrayInit { elements, .. } => {
                elements.iter().all(|element| self.is_stable_table(element, when))
            }
            ExprKind::NewArray { dims, .. } => dims.iter().all(|dim| self.is_stable(dim, when, 0)),
            _ => self.is_stable(expr, when, 0),
        }
    }

    /// Whether an initialiser has the same value whenever it is evaluated: it only uses literals, operators,
    /// functions of the library, and other such constants that are there already.
    pub(super) fn is_stable(&self, expr: &Expr, when: &When<'_>, depth: usize) -> bool {
        if depth > MAX_CONSTANT_DEPTH {
            return false;
        }
        match &expr.kind {
            ExprKind::Literal(_) => true,
            ExprKind::Name(name) if when.params.contains(&name.as_str()) => true,
            ExprKind::Name(name) => match self.field_of_name(when.class, name) {
                Some(field) => self.is_stable_field(field, when, depth),
                None => self.is_stable_constant(when.class, name, when),
            },
            ExprKind::Field { object, name } => {
                let owner = self.class_named(object, when.class);
                owner.is_some_and(|owner| match self.cx.table.find_field(owner, name) {
                    Some(field) => self.is_stable_field(field, when, depth),
                    None => self.is_stable_constant(owner, name, when),
                })
            }
            ExprKind::Unary { arg, .. } | ExprKind::Cast { arg, .. } => self.is_stable(arg, when, depth),
            ExprKind::Binary { lhs, rhs, .. } => {
                self.is_stable(lhs, when, depth) && self.is_stable(rhs, when, depth)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|part| self.is_stable(part, when, depth))
            }
            ExprKind::Call { target: Some(target), name, args } => {
                let owner = self.class_named(target, when.class);
                owner.is_some_and(|owner| self.cx.table.class(owner).is_library)
                    && !matches!(name.as_str(), "random" | "nanoTime" | "currentTimeMillis")
                    && args.iter().all(|arg| self.is_stable(arg, when, depth))
            }
            _ => false,
        }
    }

    /// The class that an expression names, unless it names a variable.
    pub(super) fn class_named(&self, expr: &Expr, class: ClassId) -> Option<ClassId> {
        let path = path(expr)?;
        let is_variable = self.field_of_name(class, path.first()?).is_some();
        if is_variable { None } else { self.cx.table.resolve_path(&path, Some(class)) }
    }

    /// The field that a simple name means in a class.
    fn field_of_name(&self, class: ClassId, name: &str) -> Option<FieldId> {
        self.cx.table.field_in_scope(class, name).map(|(field, _)| field)
    }

    /// Whether a name is a constant of an enum that exists when it is asked for.
    fn is_stable_constant(&self, class: ClassId, name: &str, when: &When<'_>) -> bool {
        let constants = &self.cx.table.class(class).decl.constants;
        constants.iter().any(|constant| constant.name == name)
            && if class == when.class { when.index.is_some() } else { self.initialises_alone(class) }
    }

    fn is_stable_field(&self, id: FieldId, when: &When<'_>, depth: usize) -> bool {
        let field = self.cx.table.field(id);
        if !field.is_static {
            return false;
        }
        if self.cx.table.class(field.class).is_library {
            return true;
        }
        let Some(init) = field.init else { return false };
        if !matches!(field.ty, Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text) {
            return false;
        }
        if self.is_compile_time_constant(id, depth) {
            return true;
        }
        let never_assigned = field.is_private && !self.cx.field_uses.assigns(id);
        let is_variable = !field.is_final && !never_assigned;
        if is_variable || self.cx.forced.contains(&self.qualified(field.class, &field.name)) {
            return false;
        }
        let own = When::field(&self.cx.table, id);
        if field.class == when.class && own.index >= when.index {
            // It still holds zero, whatever it will hold.
            return true;
        }
        (field.class == when.class || self.initialises_alone(field.class))
            && self.is_stable(init, &own, depth + 1)
    }

    /// Whether a static field still holds zero or null, because its class is being initialised and has not come to it.
    pub(super) fn is_not_there_yet(&self, id: FieldId) -> bool {
        let Some((class, index)) = self.initialising else { return false };
        let own = When::field(&self.cx.table, id);
        own.class == class && own.index >= index && !self.is_compile_time_constant(id, 0)
    }

    /// Whether a final field is a constant of the compiler (JLS 4.12.4, 15.29), and no variable of the other version.
    pub(super) fn is_compile_time_constant(&self, id: FieldId, depth: usize) -> bool {
        self.is_constant_field(id, false, depth)
    }

    /// Whether an expression at this place of the source is a constant expression, whatever the other version has.
    pub(super) fn is_constant_here(&self, expr: &Expr, depth: usize) -> bool {
        self.is_constant(expr, &Seen { class: self.class, locals: true, may_be_forced: true }, depth)
    }

    /// Whether the compiler puts the value of a field in its place: then reading it does not initialise its class.
    /// A division by zero is no constant.
    pub(super) fn is_constant_variable(&mut self, id: FieldId) -> bool {
        self.is_constant_field(id, true, 0) && {
            let field = self.cx.table.field(id);
            let (class, ty, init) = (field.class, field.ty.clone(), field.init);
            let divides = |init: &Expr| {
                let mut divides = false;
                init.for_each_expr(&mut |part| {
                    divides |=
                        matches!(part.kind, ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, .. });
                });
                divides
            };
            init.is_none_or(|init| !divides(init) || self.evaluate(init, class, &ty, Vec::new()).is_some())
        }
    }

    fn is_constant_field(&self, id: FieldId, may_be_forced: bool, depth: usize) -> bool {
        let field = self.cx.table.field(id);
        let plain = matches!(field.ty, Ty::Primitive(_) | Ty::Text);
        let forced = !may_be_forced && self.cx.forced.contains(&self.qualified(field.class, &field.name));
        match field.init {
            // Locals are not in scope there.
            Some(init) if field.is_final && plain && !forced && depth <= MAX_CONSTANT_DEPTH => {
                self.is_constant(init, &Seen { class: field.class, locals: false, may_be_forced }, depth + 1)
            }
            _ => false,
        }
    }
    fn is_constant(&self, expr: &Expr, seen: &Seen, depth: usize) -> bool {
        let of_field = |field: FieldId| {
            let is_library = self.cx.table.class(self.cx.table.field(field).class).is_library;
            is_library || self.is_constant_field(field, seen.may_be_forced, depth)
        };
        let binding = |name: &str| self.lookup(name).filter(|_| seen.locals);
        match &expr.kind {
            ExprKind::Literal(literal) => !matches!(literal, crate::syntax::Literal::Null),
            ExprKind::Name(name) => match binding(name) {
                Some(binding) => matches!(binding, Binding::Constant(_)),
                None => self.field_of_name(seen.class, name).is_some_and(of_field),
            },
            ExprKind::Field { object, name } => {
                let is_local =
                    path(object).is_some_and(|path| path.first().is_some_and(|it| binding(it).is_some()));
                let owner = self.class_named(object, seen.class).filter(|_| !is_local);
                owner.and_then(|owner| self.cx.table.find_field(owner, name)).is_some_and(of_field)
            }
            ExprKind::Unary { arg, .. } => self.is_constant(arg, seen, depth),
            ExprKind::Cast { ty, arg } => {
                let is_text =
                    matches!(ty, TypeRef::Named(path, _) if path.last().is_some_and(|it| it == "String"));
                (is_text || matches!(ty, TypeRef::Primitive(_))) && self.is_constant(arg, seen, depth)
            }
            ExprKind::Binary { lhs, rhs, .. } => {
                self.is_constant(lhs, seen, depth) && self.is_constant(rhs, seen, depth)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|part| self.is_constant(part, seen, depth))
            }
            _ => false,
        }
    }

    /// Whether a class is initialised without running code of another class of the program, so that it does not
    /// matter who asked for it first.
    pub(super) fn initialises_alone(&self, class: ClassId) -> bool {
        let info = self.cx.table.class(class);
        if info.is_library {
            return true;
        }
        let parent_is_alone = info.superclass.is_none_or(|parent| self.initialises_alone(parent));
        if !parent_is_alone || info.has_unknown_parent {
            return false;
        }
        let decl = info.decl;
        let is_enum = decl.kind == ClassKind::Enum;
        decl.constants.iter().flat_map(|constant| &constant.args).all(|arg| self.stays_inside(arg, class))
            && decl.members.iter().all(|member| match member {
                Member::Field(field) if field.modifiers.is_static || is_enum => {
                    field.init.iter().all(|init| self.stays_inside(init, class))
                }
                Member::Initializer { is_static, body } if *is_static || is_enum => {
                    body.iter().all(|stmt| self.stmt_stays_inside(stmt, class))
                }
                Member::Method(method) if is_enum && method.name == "<init>" => {
                    let body = method.body.iter().flatten();
                    body.into_iter().all(|stmt| self.stmt_stays_inside(stmt, class))
                }
                Member::Field(_) | Member::Initializer { .. } | Member::Method(_) | Member::Class(_) => true,
            })
    }

    fn stmt_stays_inside(&self, stmt: &Stmt, class: ClassId) -> bool {
        let mut inside = true;
        stmt.for_each_stmt(&mut |stmt| {
            inside &= !matches!(stmt.kind, StmtKind::Unsupported(_) | StmtKind::ConstructorCall { .. });
        });
        stmt.for_each_expr(&mut |expr| inside &= self.expr_stays_inside(expr, class));
        inside
    }

    fn stays_inside(&self, expr: &Expr, class: ClassId) -> bool {
        let mut inside = true;
        expr.for_each_expr(&mut |expr| inside &= self.expr_stays_inside(expr, class));
        inside
    }

    /// Whether an expression, its parts apart, runs no code of another class of the program.
    fn expr_stays_inside(&self, expr: &Expr, class: ClassId) -> bool {
        let is_harmless = |other: ClassId| other == class || self.cx.table.class(other).is_library;
        match &expr.kind {
            ExprKind::Unsupported(_) | ExprKind::Switch(_) => false,
            ExprKind::Call { target: None, .. } => false,
            ExprKind::Call { target: Some(target), .. } => {
                let owner = self.class_named(target, class);
                owner.is_some_and(|owner| self.cx.table.class(owner).is_library)
            }
            ExprKind::New { ty, .. } => {
                let made = self.cx.table.resolve_class(ty, Some(class));
                made.is_some_and(|made| self.cx.table.class(made).is_library)
            }
            ExprKind::Name(name) => match self.field_of_name(class, name) {
                Some(field) => is_harmless(self.cx.table.field(field).class),
                None => self
                    .cx
                    .table
                    .resolve_path(std::slice::from_ref(name), Some(class))
                    .is_none_or(is_harmless),
            },
            _ => true,
        }
    }
}

/// The names of `a.b.c`.
pub(super) fn path(expr: &Expr) -> Option<Vec<String>> {
    match &expr.kind {
        ExprKind::Name(name) => Some(vec![name.clone()]),
        ExprKind::Field { object, name } => {
            let mut names = path(object)?;
            names.push(name.clone());
            Some(names)
        }
        _ => None,
    }
}

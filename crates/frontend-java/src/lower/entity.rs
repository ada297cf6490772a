//! What names mean in expressions: variables, fields, classes, packages.

use ir::{Const, Expr as IrExpr, StmtKind as IrStmtKind};

use super::body::{Binding, Body, Value, is_null, not};
use super::foreign::Wanted;
use crate::syntax::{Expr, ExprKind};
use crate::types::{ClassId, FieldId, Ty};

/// What a name or a chain of names stands for.
pub(super) enum Entity {
    Value(Value),
    Class(ClassId),
    /// Not a variable and not a known class: maybe a package or a class of a library.
    Unknown(String),
}

impl<'a> Body<'_, 'a> {
    /// What a name, or names joined by dots, stand for (JLS 6.5): a variable, else a class, else a package.
    pub(super) fn entity(&mut self, expr: &'a Expr) -> Entity {
        self.entity_wanting(expr, &Wanted::Value)
    }

    pub(super) fn entity_wanting(&mut self, expr: &'a Expr, wanted: &Wanted) -> Entity {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Field { object, name } => {
                if matches!(object.kind, ExprKind::Super) {
                    return Entity::Value(self.super_field(name));
                }
                let object = match &object.kind {
                    ExprKind::Name(_) | ExprKind::Field { .. } => self.entity(object),
                    _ => Entity::Value(self.expr(object)),
                };
                match object {
                    Entity::Value(value) => Entity::Value(self.field_of(value, name, wanted)),
                    Entity::Class(class) => self.static_member(class, name),
                    Entity::Unknown(path) => {
                        let path = format!("{path}.{name}");
                        let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
                        match self.cx.table.resolve_path(&parts, Some(self.class)) {
                            Some(class) => Entity::Class(class),
                            None => Entity::Unknown(path),
                        }
                    }
                }
            }
            _ => Entity::Value(self.expr(expr)),
        }
    }

    fn name(&mut self, name: &str) -> Entity {
        match self.lookup(name) {
            Some(Binding::Local(local, ty)) => {
                let (local, ty) = (*local, ty.clone());
                if ty.is_unknown() {
                    let type_name = self.cx.table.type_name(&ty);
                    return Entity::Value(
                        self.unsupported(format!("the variable `{name}` of type `{type_name}`")),
                    );
                }
                return Entity::Value(Value::new(IrExpr::Local(local), ty));
            }
            Some(Binding::Alias(value) | Binding::Constant(value)) => return Entity::Value(value.clone()),
            None => {}
        }
        if let Some((field, receiver)) = self.field_in_scope(name) {
            return Entity::Value(self.read_field(field, receiver));
        }
        if let Some(constant) = self.enum_constant_in_scope(name) {
            if let Ty::Class(class) = constant.ty {
                self.use_class(class);
            }
            return Entity::Value(constant);
        }
        match self.cx.table.resolve_path(&[name.to_owned()], Some(self.class)) {
            Some(class) => Entity::Class(class),
            None => Entity::Unknown(name.to_owned()),
        }
    }

    /// A field that a simple name means, with the object that has it: of this class or of an enclosing one.
    pub(super) fn field_in_scope(&mut self, name: &str) -> Option<(FieldId, Option<Value>)> {
        let (field, depth) = self.cx.table.field_in_scope(self.class, name)?;
        let receiver = if self.cx.table.field(field).is_static { None } else { self.enclosing(depth) };
        Some((field, receiver))
    }

    /// The object `depth` classes out from this one.
    pub(super) fn enclosing(&mut self, depth: usize) -> Option<Value> {
        let mut object = self.this.clone()?;
        for step in 0..depth {
            if step == 0
                && let Some(outer) = self.outer.clone()
            {
                object = outer;
                continue;
            }
            let Ty::Class(class) = object.ty else { return None };
            let field = self.cx.table.class(class).outer_field?;
            object = self.load_field(object.expr, field);
        }
        Some(object)
    }

    /// An object of an inner class, unless it is null, has one of the class around it (JLS 8.1.3, 15.9.2), and so on.
    pub(super) fn assume_outer_objects(&mut self, object: &Value) {
        let Ty::Class(class) = object.ty else { return };
        let mut chain = Some(class);
        while let Some(id) = chain {
            chain = self.cx.table.class(id).superclass;
            let Some(field) = self.cx.table.class(id).outer_field else { continue };
            let outer = self.load_field(object.expr.clone(), field);
            let is_there = IrExpr::If {
                condition: Box::new(is_null(object)),
                then: Box::new(IrExpr::Const(Const::Bool(true))),
                otherwise: Box::new(not(is_null(&outer))),
            };
            let condition = if self.is_this(object) { not(is_null(&outer)) } else { is_there };
            self.emit(IrStmtKind::Assume { condition });
            if self.is_this(object) {
                self.assume_outer_objects_of_outer(outer);
            }
        }
    }

    /// What is around the object around `this`.
    fn assume_outer_objects_of_outer(&mut self, mut object: Value) {
        while let Ty::Class(class) = object.ty
            && let Some(field) = self.cx.table.class(class).outer_field
        {
            object = self.load_field(object.expr, field);
            self.emit(IrStmtKind::Assume { condition: not(is_null(&object)) });
        }
    }

    pub(super) fn outer_this(&mut self, name: &str) -> Value {
        let mut class = Some(self.class);
        let mut depth = 0;
        while let Some(id) = class {
            if self.cx.table.class(id).decl.name == name {
                return match self.enclosing(depth) {
                    Some(value) => value,
                    None => self.unsupported(format!("`{name}.this`")),
                };
            }
            class = self.cx.table.class(id).outer;
            depth += 1;
        }
        self.unsupported(format!("`{name}.this`"))
    }

    fn super_field(&mut self, name: &str) -> Value {
        let parent = self.cx.table.class(self.class).superclass;
        let field = parent.and_then(|parent| self.cx.table.find_field(parent, name));
        match field {
            Some(field) => {
                let this = self.this.clone();
                self.read_field(field, this)
            }
            None => self.unsupported(format!("the unknown field `super.{name}`")),
        }
    }

    /// A static field or nested class of a class.
    fn static_member(&mut self, class: ClassId, name: &str) -> Entity {
        if let Some(field) = self.cx.table.find_field(class, name) {
            if self.cx.table.field(field).is_static {
                return Entity::Value(self.read_field(field, None));
            }
        } else if let Some(constant) = self.enum_constant(class, name) {
            self.use_class(class);
            return Entity::Value(constant);
        } else {
            let path = [name.to_owned()];
            let nested = self.cx.table.resolve_path(&path, Some(class));
            if let Some(nested) = nested.filter(|nested| self.cx.table.class(*nested).outer == Some(class)) {
                return Entity::Class(nested);
            }
        }
        let class_name = self.cx.table.class(class).name.clone();
        Entity::Value(self.unsupported(format!("the unknown field `{class_name}.{name}`")))
    }
}

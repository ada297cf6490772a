//! Calls on objects whose class is not given, or that inherit the method from such a class.
//!
//! The object may be one of a given class that extends or implements something that is not given: then the code of that
//! class runs. Over-approximating: an object of a given class that has no such method runs unknown code.

use ir::{Access, Expr as IrExpr, LabelId, ShapeId, Stmt as IrStmt, StmtKind as IrStmtKind};

use super::body::{Body, Value};
use super::dispatch::Implementation;
use super::foreign::{Outside, Wanted};
use crate::foreign_names::is_doubtful;
use crate::syntax::{Expr, Stmt, TypeRef};
use crate::types::{ClassId, Ty};

/// Methods that have a meaning for all objects, so that not every result is one that they can have.
const OF_ALL_OBJECTS: &[&str] = &["equals", "hashCode", "toString", "getClass", "compareTo", "compare"];

impl<'a> Body<'_, 'a> {
    /// `r.m(...)`: the receiver, the arguments, then the null check.
    pub(super) fn call_on_foreign(
        &mut self,
        receiver: Value,
        name: &str,
        args: &'a [Expr],
        wanted: &Wanted,
    ) -> Value {
        let mut values = self.in_order(std::iter::once(None).chain(args.iter().map(Some)), |body, arg| {
            arg.map_or_else(|| receiver.clone(), |arg| body.argument(arg))
        });
        let mut arguments = values.split_off(1);
        let Some(receiver) = values.pop() else { return Value::void() };
        let start = self.block.len();
        let receiver = self.small(receiver);
        self.protect(&mut arguments, start);
        self.check_receiver(&receiver, name, arguments.len());
        self.call_object(receiver, name, arguments, wanted)
    }

    /// A call on an object that is not null: of the given classes that have the method, else of unknown code.
    pub(super) fn call_object(
        &mut self,
        receiver: Value,
        name: &str,
        values: Vec<Value>,
        wanted: &Wanted,
    ) -> Value {
        let targets = self.given_targets(&receiver.ty, name, &values);
        if targets.is_empty() {
            return self.call_outside(self.method_outside(receiver, name, values), wanted);
        }
        if matches!(receiver.ty, Ty::Class(class) if self.cx.table.hides_nameless(class, Some(name), true)) {
            return self.unsupported(format!("`{name}`, which a class without a name may implement,"));
        }
        let ty = match wanted {
            Wanted::Type(ty) | Wanted::Cast(ty) if !ty.is_unknown() => Some(ty.clone()),
            Wanted::Nothing => None,
            Wanted::Type(_) | Wanted::Cast(_) | Wanted::Value => self.result_of_targets(&targets),
        };
        if ty == Some(Ty::Void) {
            return self.unsupported(format!("what `{name}` gives"));
        }
        let receiver = self.small(receiver);
        let values: Vec<Value> = values.into_iter().map(|value| self.small(value)).collect();
        let result = ty.as_ref().map(|ty| self.temp_for(ty));
        let wanted = match (wanted, ty.clone()) {
            (Wanted::Cast(_), Some(ty)) => Wanted::Cast(ty),
            (_, Some(ty)) => Wanted::Type(ty),
            (_, None) => Wanted::Nothing,
        };
        let keep = |body: &mut Self, value: Value| {
            if let (Some(local), Some(ty)) = (result, &ty) {
                let value = body.convert(value, ty);
                body.emit(IrStmtKind::Assign { local, value: value.expr });
            }
        };
        let (_, mut chain) = self.in_block(|body| {
            let outside = body.method_outside(receiver.clone(), name, values.clone());
            let value = body.call_outside(outside, &wanted);
            keep(body, value);
        });
        for (target, class, shapes) in targets.into_iter().rev() {
            let (_, then) = self.in_block(|body| {
                let value = match target {
                    Some(choice) => {
                        let object = Value::new(receiver.expr.clone(), Ty::Class(class));
                        let args = body.arguments(choice, values.clone());
                        body.call_method(choice.method, Some(object), args)
                    }
                    None => {
                        body.unsupported(format!("the method `{name}` of a given class, called from outside"))
                    }
                };
                keep(body, value);
            });
            let condition = IrExpr::HasShape { object: Box::new(receiver.expr.clone()), shapes };
            let kind = IrStmtKind::If { condition, then, otherwise: chain };
            chain = vec![IrStmt { kind, span: self.span }];
        }
        self.assume_known_classes();
        self.block.extend(chain);
        match (result, ty) {
            (Some(local), Some(ty)) => Value::new(IrExpr::Local(local), ty),
            _ => Value::void(),
        }
    }

    /// The given classes whose objects a reference may lead to that have a method of this name, with what runs then.
    fn given_targets(&mut self, ty: &Ty, name: &str, values: &[Value]) -> Vec<Target> {
        let classes: Vec<ClassId> = match ty {
            Ty::Class(class) => self.cx.table.concrete_below(*class),
            _ => self.cx.table.concrete_below(self.cx.table.object),
        };
        let mut targets: Vec<Target> = Vec::new();
        for class in classes {
            let is_possible =
                matches!(ty, Ty::Class(_)) || ty.may_be_any_object() || self.cx.table.may_be_foreign(class);
            if self.cx.table.class(class).is_library || !is_possible {
                continue;
            }
            let mut candidates = self.cx.methods_named(class, name);
            candidates.retain(|id| {
                let method = self.cx.table.method(*id);
                let fits = method.params.len() == values.len() || method.varargs;
                let is_private = method.modifiers().is_some_and(|modifiers| modifiers.is_private);
                !method.is_static && !is_private && method.class != self.cx.table.object && fits
            });
            if candidates.is_empty() {
                continue;
            }
            let choice = self.choose(&candidates, values);
            let choice = choice.and_then(|mut choice| match self.implementation(class, choice.method) {
                Implementation::Method(method) if !self.is_enum(class) => {
                    choice.method = method;
                    Some(choice)
                }
                _ => None,
            });
            let shape = self.cx.shape_of(&Ty::Class(class));
            targets.push((choice, class, vec![shape]));
        }
        targets
    }

    fn result_of_targets(&self, targets: &[Target]) -> Option<Ty> {
        let mut types = targets.iter().filter_map(|(choice, ..)| {
            choice.map(|choice| self.cx.table.method(choice.method).result.clone())
        });
        let first = types.next();
        match first {
            Some(ty) if types.all(|other| other == ty) => Some(ty),
            _ => Some(Ty::of_result()),
        }
    }

    /// A method of an object, as unknown code.
    pub(super) fn method_outside(&self, receiver: Value, name: &str, values: Vec<Value>) -> Outside {
        let is_doubtful = OF_ALL_OBJECTS.contains(&name) || self.is_doubtful_type(&receiver.ty);
        Outside {
            stem: format!(".{name}"),
            short_name: name.to_owned(),
            access: Access::Writes,
            is_doubtful,
            args: std::iter::once(receiver).chain(values).collect(),
            has_receiver: true,
        }
    }

    fn is_doubtful_type(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Foreign(name) => is_doubtful(name),
            Ty::Class(class) => {
                let parents = self.cx.table.unknown_parents(*class);
                parents.is_empty() || parents.iter().any(|name| is_doubtful(name))
            }
            _ => true,
        }
    }

    /// `super.m(...)` of a class whose superclass is not given.
    pub(super) fn call_foreign_super(
        &mut self,
        parent: &str,
        name: &str,
        args: &'a [Expr],
        wanted: &Wanted,
    ) -> Value {
        let values = self.in_order(args, |body, arg| body.argument(arg));
        self.call_foreign_super_with(parent, name, values, wanted)
    }

    pub(super) fn call_foreign_super_with(
        &mut self,
        parent: &str,
        name: &str,
        values: Vec<Value>,
        wanted: &Wanted,
    ) -> Value {
        let Some(this) = self.this.clone() else {
            return self.unsupported("`super` without an object");
        };
        let outside = Outside {
            stem: format!("{parent}.super.{name}"),
            short_name: format!("super.{name}"),
            access: Access::Writes,
            is_doubtful: OF_ALL_OBJECTS.contains(&name) || is_doubtful(parent),
            args: std::iter::once(this).chain(values).collect(),
            has_receiver: true,
        };
        self.call_outside(outside, wanted)
    }

    /// A call by a simple name of a method that an enclosing class inherits from a class that is not given; nothing if
    /// there is no such class, or more than one.
    pub(super) fn call_inherited(&mut self, name: &str, args: &'a [Expr], wanted: &Wanted) -> Option<Value> {
        let (class, depth) = self.heir()?;
        let parents = self.cx.table.unknown_parents(class);
        match self.enclosing(depth) {
            Some(receiver) => {
                let values = self.in_order(args, |body, arg| body.argument(arg));
                Some(self.call_object(receiver, name, values, wanted))
            }
            None => {
                let parent = parents.first()?.clone();
                Some(self.call_static_of(&parent, name, args, wanted))
            }
        }
    }

    /// The only enclosing class that inherits from classes that are not given, and how far out it is.
    fn heir(&self) -> Option<(ClassId, usize)> {
        if self.cx.table.class(self.class).is_library {
            return None;
        }
        let mut found = None;
        let (mut enclosing, mut depth) = (Some(self.class), 0);
        while let Some(id) = enclosing {
            if self.cx.table.has_unknown_ancestor(id) {
                if found.is_some() {
                    return None;
                }
                found = Some((id, depth));
            }
            enclosing = self.cx.table.class(id).outer;
            depth += 1;
        }
        found
    }

    /// The value of names that mean something that is not there: a static field of a class that is not given, a field
    /// that is inherited or imported from one, and fields of what is found there.
    pub(super) fn foreign_value(&mut self, path: &[String], wanted: &Wanted) -> Option<Value> {
        let (owner, rest, heir) = match self.foreign_path(path) {
            Some((class, rest)) => (class, rest.to_vec(), None),
            None => {
                let (owner, heir) = self.owner_of_field(path.first()?)?;
                (owner, path.to_vec(), heir)
            }
        };
        let (first, more) = rest.split_first()?;
        let own = if more.is_empty() { wanted } else { &Wanted::Value };
        let mut value = match heir {
            Some(object) => self.foreign_field(object, &owner, first, own),
            None => self.foreign_static_field(&owner, first, own),
        };
        for (index, name) in more.iter().enumerate() {
            let own = if index + 1 == more.len() { wanted } else { &Wanted::Value };
            value = self.field_of(value, name, own);
        }
        Some(value)
    }

    /// Where a simple name comes from that is no variable: a static import, or a class that is not given above this one.
    pub(super) fn owner_of_field(&mut self, name: &str) -> Option<(String, Option<Value>)> {
        if self.lookup(name).is_some() || self.cx.table.class(self.class).is_library {
            return None;
        }
        if let Some(class) = self.imported_from(name) {
            return Some((class, None));
        }
        let (class, depth) = self.heir()?;
        let owner = self.cx.table.unknown_parents(class).first()?.clone();
        Some((owner, self.enclosing(depth)))
    }

    /// The class that is not given from which a static import takes a name.
    pub(super) fn imported_from(&self, name: &str) -> Option<String> {
        let imports = self.cx.table.class(self.class).scope.imports;
        let import = imports
            .iter()
            .find(|it| it.is_static && !it.on_demand && it.path.last().is_some_and(|last| last == name))?;
        let (_, owner) = import.path.split_last()?;
        let is_given = owner.iter().any(|part| self.cx.table.is_given_somewhere(part));
        let is_library = self.cx.table.resolve_path(owner, Some(self.class)).is_some();
        (!is_given && !is_library).then(|| owner.join("."))
    }

    /// `for (T x : iterable)`: its iterator is asked in turn.
    pub(super) fn for_each_foreign(
        &mut self,
        names: Vec<String>,
        ty: &TypeRef,
        name: &str,
        iterable: Value,
        body: &'a Stmt,
    ) {
        let iterable = self.saved(iterable);
        self.check_not_null(&iterable);
        let iterator = Wanted::Type(Ty::Foreign("java.util.Iterator".to_owned()));
        let iterator = self.call_object(iterable, "iterator", Vec::new(), &iterator);
        let iterator = self.saved(iterator);
        let label = self.new_label();
        let (_, block) = self.in_block(|lowering| {
            lowering.check_not_null(&iterator);
            let has_next =
                lowering.call_object(iterator.clone(), "hasNext", Vec::new(), &Wanted::Type(Ty::BOOLEAN));
            lowering.leave_unless_value(has_next.expr, label);
            lowering.in_scope(|lowering| {
                let ty = match ty {
                    TypeRef::Var => Ty::of_result(),
                    ty => lowering.resolve(ty),
                };
                let value =
                    lowering.call_object(iterator.clone(), "next", Vec::new(), &Wanted::Type(ty.clone()));
                let value = lowering.convert(value, &ty);
                let local = lowering.declare(name, &ty);
                if !ty.is_unknown() {
                    lowering.emit(IrStmtKind::Assign { local, value: value.expr });
                }
                lowering.scoped_body(names, label, body);
            });
        });
        self.emit(IrStmtKind::Loop { label, body: block });
    }

    fn leave_unless_value(&mut self, condition: IrExpr, label: LabelId) {
        let then = vec![IrStmt { kind: IrStmtKind::Break(label), span: self.span }];
        self.emit(IrStmtKind::If { condition: super::body::not(condition), then, otherwise: Vec::new() });
    }
}

/// What runs on objects of a given class, which have these shapes; nothing if that is not known.
type Target = (Option<super::overload::Choice>, ClassId, Vec<ShapeId>);

//! Virtual calls: which method runs, by the class of the object. Exact, under the assumption that objects are of the
//! classes that the program knows.

use ir::{Expr as IrExpr, ShapeId, Stmt as IrStmt, StmtKind as IrStmtKind};

use super::body::{Body, Value};
use super::foreign::Wanted;
use crate::classes::MethodKind;
use crate::syntax::ClassKind;
use crate::types::{ClassId, MethodId, Ty};

/// With more implementations than this, a call in a large folder is not looked into.
const MANY_TARGETS: usize = 6;

/// What runs when an object is asked for a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Implementation {
    Method(MethodId),
    /// What it inherits from a class that is not given.
    Outside,
    /// Its class does not implement it.
    None,
}

impl<'a> Body<'_, 'a> {
    /// A call whose code depends on the class of the receiver.
    pub(super) fn dispatch_call(
        &mut self,
        class: ClassId,
        method: MethodId,
        receiver: Value,
        args: Vec<Value>,
    ) -> Value {
        if self.may_be_nameless(class, Some(method)) {
            let name = self.cx.method_name(method);
            return self.unsupported(format!("`{name}`, which a class without a name may implement,"));
        }
        let mut targets: Vec<(Implementation, Vec<ShapeId>)> = Vec::new();
        let classes = self.cx.possible_classes(class);
        for class in &classes {
            let implementation = match self.is_overridden_by_constant(*class, method) {
                true => Implementation::None,
                false => self.implementation(*class, method),
            };
            let shape = self.cx.shape_of(&Ty::Class(*class));
            match targets.iter_mut().find(|(target, _)| *target == implementation) {
                Some((_, shapes)) => shapes.push(shape),
                None => targets.push((implementation, vec![shape])),
            }
        }
        // An object of a class that is not given may stand wherever any object may.
        if class == self.cx.table.object && self.cx.foreign_facts.has_objects {
            let mut shapes = vec![self.cx.shape_of(&Ty::Foreign(String::new()))];
            for collection in self.cx.foreign_facts.collections.clone() {
                shapes.push(self.cx.collection_shape(&collection));
            }
            targets.push((Implementation::Outside, shapes));
        }
        if classes.len() != 1 || classes.first() != Some(&class) || self.may_be_overridden(class, method) {
            self.assume_known_classes();
        }
        if targets.len() > MANY_TARGETS && self.cx.is_partial {
            let name = self.cx.method_name(method);
            return self.unsupported(format!("one of the {} implementations of `{name}`", targets.len()));
        }
        match targets.as_slice() {
            [] => {
                let name = self.cx.method_name(method);
                self.unsupported(format!("`{name}`, which no known class implements"))
            }
            [(Implementation::Method(target), _)] => self.call_method(*target, Some(receiver), args),
            [(Implementation::Outside, _)] => {
                let ty = self.cx.table.method(method).result.clone();
                self.call_inherited_method(method, receiver, args, &ty)
            }
            [(Implementation::None, _)] => {
                let name = self.cx.method_name(method);
                let overridden = classes.iter().any(|class| self.is_overridden_by_constant(*class, method));
                let why = if overridden { "constants have bodies" } else { "class does not implement it" };
                self.unsupported(format!("`{name}` of an object whose {why}"))
            }
            _ => self.dispatch_by_shape(method, targets, receiver, args),
        }
    }

    /// Whether a reference may lead to an object of an anonymous or local class, or to a function, that no object of a
    /// known class stands in for.
    pub(super) fn may_be_nameless(&self, class: ClassId, method: Option<MethodId>) -> bool {
        let method = method.map(|method| self.cx.table.method(method).name.as_str());
        self.cx.table.hides_nameless(class, method, self.cx.foreign_facts.has_objects)
    }

    /// Whether a class that is not at hand could have another method in its place.
    fn may_be_overridden(&self, class: ClassId, method: MethodId) -> bool {
        let decl = self.cx.table.class(class).decl;
        let is_final_method = matches!(self.cx.table.method(method).kind, MethodKind::Declared(decl) if decl.modifiers.is_final);
        let can_have_subclasses = matches!(decl.kind, ClassKind::Class | ClassKind::Interface);
        can_have_subclasses && !decl.modifiers.is_final && !is_final_method
    }

    /// Whether the body of a constant of an enum has a method of this name.
    fn is_overridden_by_constant(&self, class: ClassId, method: MethodId) -> bool {
        let name = &self.cx.table.method(method).name;
        let constants = &self.cx.table.class(class).decl.constants;
        constants.iter().any(|constant| constant.own_methods.contains(name))
    }

    fn dispatch_by_shape(
        &mut self,
        method: MethodId,
        mut targets: Vec<(Implementation, Vec<ShapeId>)>,
        receiver: Value,
        args: Vec<Value>,
    ) -> Value {
        let ty = self.cx.table.method(method).result.clone();
        let receiver = self.small(receiver);
        let args: Vec<Value> = args.into_iter().map(|arg| self.small(arg)).collect();
        let result = match ty {
            Ty::Void | Ty::Unknown(_) => None,
            _ => Some(self.temp_for(&ty)),
        };
        let last = targets.pop();
        let branch = |body: &mut Self, target: Implementation| {
            body.in_block(|body| {
                let value = match target {
                    Implementation::Method(target) => {
                        body.call_method(target, Some(receiver.clone()), args.clone())
                    }
                    Implementation::Outside => {
                        body.call_inherited_method(method, receiver.clone(), args.clone(), &ty)
                    }
                    Implementation::None => {
                        body.unsupported("a method that the object's class does not implement")
                    }
                };
                if let Some(local) = result {
                    let value = body.convert(value, &ty);
                    body.emit(IrStmtKind::Assign { local, value: value.expr });
                }
            })
            .1
        };
        let mut chain = match last {
            Some((target, _)) => branch(self, target),
            None => Vec::new(),
        };
        for (target, shapes) in targets.into_iter().rev() {
            let then = branch(self, target);
            let condition = IrExpr::HasShape { object: Box::new(receiver.expr.clone()), shapes };
            let kind = IrStmtKind::If { condition, then, otherwise: chain };
            chain = vec![IrStmt { kind, span: self.span }];
        }
        self.block.extend(chain);
        match result {
            Some(local) => Value::new(IrExpr::Local(local), ty),
            None => Value::void(),
        }
    }

    /// A method that an object inherits from a class that is not given.
    fn call_inherited_method(
        &mut self,
        method: MethodId,
        receiver: Value,
        args: Vec<Value>,
        ty: &Ty,
    ) -> Value {
        let name = self.cx.table.method(method).name.clone();
        let wanted = if *ty == Ty::Void { Wanted::Nothing } else { Wanted::Type(ty.clone()) };
        let outside = self.method_outside(receiver, &name, args);
        self.call_outside(outside, &wanted)
    }

    /// The method that runs when an object of the class is asked for `method`: its own, or an inherited one.
    pub(super) fn implementation(&self, class: ClassId, method: MethodId) -> Implementation {
        let wanted = self.cx.table.method(method);
        let own = |id: ClassId| {
            self.cx.table.class(id).methods.iter().copied().find(|other| {
                let info = self.cx.table.method(*other);
                info.name == wanted.name
                    && info.params == wanted.params
                    && !info.is_abstract
                    && !info.is_static
                    && self.cx.table.overrides(*other, method)
            })
        };
        let mut chain = Some(class);
        while let Some(id) = chain {
            // What `Object` has comes after the default methods of interfaces.
            if id != self.cx.table.object
                && let Some(found) = own(id)
            {
                return Implementation::Method(found);
            }
            if self.cx.table.unknown_superclass(id).is_some() {
                return Implementation::Outside;
            }
            chain = self.cx.table.class(id).superclass;
        }
        // What `Object` has comes before the default methods of interfaces, which cannot have it.
        if wanted.class != self.cx.table.object && self.cx.table.has_unknown_ancestor(class) {
            return Implementation::Outside;
        }
        let mut defaults: Vec<(ClassId, MethodId)> = self
            .cx
            .table
            .ancestors(class)
            .into_iter()
            .filter(|id| *id != self.cx.table.object)
            .filter_map(|id| own(id).map(|found| (id, found)))
            .collect();
        // The most specific interface wins (JLS 8.4.8).
        let all = defaults.clone();
        defaults.retain(|(id, _)| {
            all.iter().all(|(other, _)| other == id || !self.cx.table.is_subclass(*other, *id))
        });
        match defaults.as_slice() {
            [(_, found)] => Implementation::Method(*found),
            [] => own(self.cx.table.object).map_or(Implementation::None, Implementation::Method),
            _ => Implementation::None,
        }
    }
}

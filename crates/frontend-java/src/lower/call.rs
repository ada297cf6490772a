//! Calls: which method a call means, and in which order its receiver and arguments are evaluated. Exact.

use super::body::{Body, Value};
use super::entity::Entity;
use super::foreign::Wanted;
use super::overload::Choice;
use crate::classes::MethodKind;
use crate::syntax::{Expr, ExprKind};
use crate::types::{ClassId, MethodId, Ty};

impl<'a> Body<'_, 'a> {
    pub(super) fn call(
        &mut self,
        target: Option<&'a Expr>,
        name: &str,
        args: &'a [Expr],
        wanted: &Wanted,
    ) -> Value {
        let Some(target) = target else {
            return self.call_in_scope(name, args, wanted);
        };
        match &target.kind {
            ExprKind::Super => self.call_super(name, args, wanted),
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                if let Some(stream) = self.print_stream(target) {
                    return self.call_stream(stream, name, args);
                }
                match self.entity(target) {
                    Entity::Value(value) => self.call_on_value(value, name, args, wanted),
                    Entity::Class(class) => self.call_static(class, name, args),
                    Entity::Unknown(path) => self.call_on_unknown(target, &path, name, args, wanted),
                }
            }
            _ => {
                let value = self.expr(target);
                self.call_on_value(value, name, args, wanted)
            }
        }
    }

    /// A call on names that mean nothing that is given: a class, or a field of one.
    fn call_on_unknown(
        &mut self,
        target: &Expr,
        path: &str,
        name: &str,
        args: &'a [Expr],
        wanted: &Wanted,
    ) -> Value {
        if let Some(value) = self.foreign_static_call(target, name, args, wanted) {
            return value;
        }
        let parts: Vec<String> = path.split('.').map(str::to_owned).collect();
        match self.foreign_value(&parts, &Wanted::Value) {
            Some(receiver) => self.call_on_value(receiver, name, args, wanted),
            None => self.unsupported(format!("the unknown method `{path}.{name}`")),
        }
    }

    /// A call by a simple name: of this class or of an enclosing one.
    fn call_in_scope(&mut self, name: &str, args: &'a [Expr], wanted: &Wanted) -> Value {
        if name.starts_with('$') && self.cx.table.class(self.class).is_library {
            let own = self.cx.methods_named(self.class, name);
            if own.is_empty() {
                return self.intrinsic(name, args);
            }
        }
        let mut class = self.class;
        let mut depth = 0;
        loop {
            let candidates = self.cx.methods_named(class, name);
            if !candidates.is_empty() {
                let values = self.arguments_for(&candidates, args);
                let Some(choice) = self.choose(&candidates, &values) else {
                    return self.no_such_method(name, &values);
                };
                let receiver = match self.cx.table.method(choice.method).is_static {
                    true => None,
                    false => match self.enclosing(depth) {
                        Some(receiver) => Some(receiver),
                        None => return self.unsupported(format!("the method `{name}` without an object")),
                    },
                };
                return self.invoke(choice, receiver, values, false);
            }
            match self.cx.table.class(class).outer {
                Some(outer) => class = outer,
                None => break,
            }
            depth += 1;
        }
        if let Some(value) = self.enum_method(self.class, None, name, args) {
            return value;
        }
        if let Some(class) = self.imported_from(name) {
            return self.call_static_of(&class, name, args, wanted);
        }
        let has_imports =
            self.cx.table.imported(self.class, name, |owner| self.cx.methods_named(owner, name));
        if !has_imports.is_open
            && has_imports.found.is_empty()
            && let Some(value) = self.call_inherited(name, args, wanted)
        {
            return value;
        }
        self.call_imported(name, args)
    }

    /// A method that a static import made visible.
    fn call_imported(&mut self, name: &str, args: &'a [Expr]) -> Value {
        let imported = self.cx.table.imported(self.class, name, |owner| {
            let mut methods = self.cx.methods_named(owner, name);
            methods.retain(|id| self.cx.table.method(*id).is_static);
            methods
        });
        if imported.is_open || imported.found.is_empty() {
            return self.unsupported(format!("the unknown method `{name}`"));
        }
        let values = self.in_order(args, |body, arg| body.argument(arg));
        match self.choose(&imported.found, &values) {
            Some(choice) => self.invoke(choice, None, values, false),
            None => self.no_such_method(name, &values),
        }
    }

    fn call_super(&mut self, name: &str, args: &'a [Expr], wanted: &Wanted) -> Value {
        if let Some(parent) = self.cx.table.unknown_superclass(self.class) {
            return self.call_foreign_super(&parent, name, args, wanted);
        }
        let this = self.this.clone();
        let parent = self.cx.table.class(self.class).superclass;
        let (Some(this), Some(parent)) = (this, parent) else {
            return self.unsupported("`super` without an object");
        };
        let candidates = self.cx.methods_named(parent, name);
        let values = self.in_order(args, |body, arg| body.argument(arg));
        match self.choose(&candidates, &values) {
            Some(choice) if !self.cx.table.method(choice.method).is_abstract => {
                self.invoke(choice, Some(this), values, true)
            }
            _ => self.no_such_method(name, &values),
        }
    }

    fn call_static(&mut self, class: ClassId, name: &str, args: &'a [Expr]) -> Value {
        if let Some(value) = self.enum_method(class, None, name, args) {
            return value;
        }
        let candidates = self.cx.methods_named(class, name);
        let candidates: Vec<MethodId> =
            candidates.into_iter().filter(|id| self.cx.table.method(*id).is_static).collect();
        let values = self.arguments_for(&candidates, args);
        match self.choose(&candidates, &values) {
            Some(choice) => self.invoke(choice, None, values, false),
            None => {
                let class = self.cx.table.class(class).name.clone();
                self.no_such_method(&format!("{class}.{name}"), &values)
            }
        }
    }

    /// A call on an object or text: the receiver, the arguments, then the null check.
    fn call_on_value(&mut self, receiver: Value, name: &str, args: &'a [Expr], wanted: &Wanted) -> Value {
        let class = match &receiver.ty {
            Ty::Unknown(_) => return receiver,
            Ty::Foreign(_) => return self.call_on_foreign(receiver, name, args, wanted),
            Ty::Text => self.cx.table.library_class("String"),
            Ty::Boxed(primitive) => self.cx.table.library_class(primitive.box_name()),
            Ty::Class(class) => Some(*class),
            Ty::Array(_) => return self.call_on_array(receiver, name, args),
            Ty::Primitive(_) | Ty::Void | Ty::Null => None,
        };
        let Some(class) = class else {
            return self.unsupported(format!("the method `{name}` of something that has none"));
        };
        if let Some(value) = self.enum_method(class, Some(receiver.clone()), name, args) {
            return value;
        }
        let candidates = self.cx.methods_named(class, name);
        let receiver_type = receiver.ty.clone();
        let wanted_args = self.wanted_arguments(&candidates, args);
        let operands = args.iter().zip(wanted_args).map(Some);
        let mut values = self.in_order(std::iter::once(None).chain(operands), |body, arg| {
            arg.map_or_else(|| receiver.clone(), |(arg, wanted)| body.argument_wanting(arg, &wanted))
        });
        let arguments = values.split_off(1);
        let Some(receiver) = values.pop() else { return Value::void() };
        let Some(choice) = self.choose(&candidates, &arguments) else {
            if !self.cx.table.has_unknown_ancestor(class) {
                return self.no_such_method(name, &arguments);
            }
            let start = self.block.len();
            let receiver = self.small(receiver);
            let mut arguments = arguments;
            self.protect(&mut arguments, start);
            self.check_receiver(&receiver, name, arguments.len());
            return self.call_object(receiver, name, arguments, wanted);
        };
        if self.cx.table.method(choice.method).is_static {
            return self.invoke(choice, None, arguments, false);
        }
        let start = self.block.len();
        // Whether the receiver is null is asked after the arguments were evaluated.
        let receiver = Value::new(receiver.expr, receiver_type);
        let receiver = self.small(receiver);
        let mut arguments = arguments;
        self.protect(&mut arguments, start);
        self.check_not_null(&receiver);
        let receiver = self.unbox(receiver);
        self.invoke(choice, Some(receiver), arguments, false)
    }

    fn call_on_array(&mut self, receiver: Value, name: &str, args: &'a [Expr]) -> Value {
        match (name, args) {
            ("clone", []) => self.clone_array(receiver),
            ("equals", [other]) => {
                let values = self.in_order([None, Some(other)], |body, arg| {
                    arg.map_or_else(|| receiver.clone(), |arg| body.argument(arg))
                });
                let [array, other] = values.as_slice() else { return Value::void() };
                self.check_not_null(array);
                self.equality(crate::syntax::BinaryOp::Eq, array.clone(), other.clone())
            }
            _ => self.unsupported(format!("the method `{name}` of an array")),
        }
    }

    /// Calls a method without arguments in the source, such as `toString` in a concatenation.
    pub(super) fn call_virtual(&mut self, receiver: Value, name: &str, args: Vec<Value>) -> Value {
        if receiver.ty.is_foreign() {
            return self.call_object(receiver, name, args, &Wanted::Value);
        }
        let Ty::Class(class) = receiver.ty else {
            return self.unsupported(format!("the method `{name}` of something that has none"));
        };
        if let Some(value) = self.enum_text(class, &receiver, name) {
            return value;
        }
        let candidates = self.cx.methods_named(class, name);
        match self.choose(&candidates, &args) {
            Some(choice) => self.invoke(choice, Some(receiver), args, false),
            None => self.no_such_method(name, &args),
        }
    }

    pub(super) fn choose(&mut self, candidates: &[MethodId], values: &[Value]) -> Option<Choice> {
        let types: Vec<Ty> = values.iter().map(|value| value.ty.clone()).collect();
        let accessible = candidates.iter().copied().filter(|id| self.cx.table.is_accessible(*id, self.class));
        let accessible: Vec<MethodId> = accessible.collect();
        self.cx.choose(&accessible, &types)
    }

    pub(super) fn no_such_method(&mut self, name: &str, values: &[Value]) -> Value {
        if values.iter().any(|value| value.ty.is_unknown()) {
            return self.unsupported(format!("a call of `{name}` with an unknown argument"));
        }
        let types: Vec<String> = values.iter().map(|value| self.cx.table.type_name(&value.ty)).collect();
        self.unsupported(format!("the unknown method `{name}({})`", types.join(", ")))
    }

    /// Calls the chosen method; the receiver is known not to be null.
    pub(super) fn invoke(
        &mut self,
        choice: Choice,
        receiver: Option<Value>,
        values: Vec<Value>,
        is_super: bool,
    ) -> Value {
        let args = self.arguments(choice, values);
        let method = self.cx.table.method(choice.method);
        let is_private = matches!(method.kind, MethodKind::Declared(decl) if decl.modifiers.is_private || decl.modifiers.is_static);
        match receiver {
            Some(receiver) if !is_super && !is_private => match receiver.ty {
                Ty::Class(class) => self.dispatch_call(class, choice.method, receiver, args),
                _ => self.call_method(choice.method, Some(receiver), args),
            },
            receiver => self.call_method(choice.method, receiver, args),
        }
    }

    /// Evaluates the arguments of a call of one of the candidates.
    pub(super) fn arguments_for(&mut self, candidates: &[MethodId], args: &'a [Expr]) -> Vec<Value> {
        let wanted = self.wanted_arguments(candidates, args);
        self.in_order(args.iter().zip(wanted), |body, (arg, wanted)| body.argument_wanting(arg, &wanted))
    }

    /// What is wanted of each argument, if only one candidate has so many parameters.
    fn wanted_arguments(&self, candidates: &[MethodId], args: &'a [Expr]) -> Vec<Wanted> {
        let fitting = candidates.iter().filter(|id| {
            let method = self.cx.table.method(**id);
            method.varargs || method.params.len() == args.len()
        });
        let fitting: Vec<&MethodId> = fitting.collect();
        match fitting.as_slice() {
            [one] if !self.cx.table.method(**one).varargs => {
                self.cx.table.method(**one).params.iter().cloned().map(Wanted::Type).collect()
            }
            _ => vec![Wanted::Value; args.len()],
        }
    }

    /// The arguments as the parameters want them; the last ones in an array where the method asks for it.
    pub(super) fn arguments(&mut self, choice: Choice, mut values: Vec<Value>) -> Vec<Value> {
        let params = self.cx.table.method(choice.method).params.clone();
        if choice.spreads
            && let Some((last, first)) = params.split_last()
        {
            let rest = values.split_off(first.len().min(values.len()));
            let array = self.array_of(last, rest);
            values.push(array);
        }
        let mut converted: Vec<Value> = Vec::new();
        for (value, ty) in values.into_iter().zip(&params) {
            let value = self.convert(value, ty);
            converted.push(value);
        }
        converted
    }
}

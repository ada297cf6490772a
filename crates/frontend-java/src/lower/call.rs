//! Calls: which code runs, in which order arguments and receiver are evaluated, and dispatch by class. Exact,
//! under the assumption that objects are of the classes that the program knows.

use ir::{Expr as IrExpr, ShapeId, Stmt as IrStmt, StmtKind as IrStmtKind, Stream};

use super::body::{Binding, Body, Value};
use super::expr::{Entity, count_name};
use super::foreign::Wanted;
use super::overload::Choice;
use crate::classes::MethodKind;
use crate::syntax::{ClassKind, Expr, ExprKind, Stmt, StmtKind};
use crate::types::{ClassId, MethodId, Ty};

/// How deep bodies of library methods are put into each other.
const MAX_INLINE_DEPTH: usize = 8;

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

    /// `System.out` and `System.err`, unless the program means something else by the names.
    fn print_stream(&mut self, target: &Expr) -> Option<Stream> {
        let name = match &target.kind {
            ExprKind::Field { object, name } if self.is_system(object) => name,
            ExprKind::Name(name) if self.is_imported_from_system(name) => name,
            _ => return None,
        };
        match name.as_str() {
            "out" => Some(Stream::Output),
            "err" => Some(Stream::Error),
            _ => None,
        }
    }

    /// Whether an expression is the name of the library's class `System`.
    fn is_system(&self, object: &Expr) -> bool {
        let Some(path) = super::stable::path(object) else { return false };
        let is_variable = |name: &String| {
            self.lookup(name).is_some() || self.cx.table.field_in_scope(self.class, name).is_some()
        };
        let class = self.cx.table.resolve_path(&path, Some(self.class));
        class.is_some()
            && class == self.cx.table.library_class("System")
            && !path.first().is_some_and(is_variable)
    }

    /// `import static java.lang.System.out;`
    fn is_imported_from_system(&self, name: &str) -> bool {
        if self.lookup(name).is_some() || self.cx.table.field_in_scope(self.class, name).is_some() {
            return false;
        }
        let owners = self.cx.table.imported(self.class, name, |owner| vec![owner]);
        let is_stream = matches!(name, "out" | "err");
        is_stream
            && !owners.is_open
            && self.cx.table.library_class("System").is_some_and(|it| owners.found == [it])
    }

    fn call_stream(&mut self, stream: Stream, name: &str, args: &'a [Expr]) -> Value {
        let is_print = matches!(name, "print" | "println") && args.len() <= 1;
        if !is_print && name != "flush" {
            let field = if stream == Stream::Output { "out" } else { "err" };
            return self.unsupported(format!("`System.{field}.{name}`"));
        }
        let value = args.first().map(|arg| self.argument(arg));
        if name == "flush" {
            return Value::void();
        }
        self.print(stream, value, name == "println");
        Value::void()
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

    /// A call whose code depends on the class of the receiver.
    fn dispatch_call(
        &mut self,
        class: ClassId,
        method: MethodId,
        receiver: Value,
        args: Vec<Value>,
    ) -> Value {
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

    /// Calls exactly this method.
    pub(super) fn call_method(&mut self, id: MethodId, receiver: Option<Value>, args: Vec<Value>) -> Value {
        if let Some(body) = self.inlined_body(id) {
            return self.inline(id, body, receiver, args);
        }
        if self.is_native(id) {
            let name = self.cx.method_name(id);
            return self.unsupported(format!("the native method `{name}`"));
        }
        let callee = self.cx.proc_of(id);
        let result = self.cx.table.method(id).result.clone();
        let args = receiver.into_iter().chain(args).map(|value| value.expr).collect();
        let local = (result != Ty::Void).then(|| self.temp_for(&result));
        self.emit(IrStmtKind::Call { local, callee, args });
        match local {
            Some(_) if result.is_unknown() => {
                let name = self.cx.table.type_name(&result);
                self.unsupported(format!("a result of type `{name}`"))
            }
            Some(local) => Value::new(IrExpr::Local(local), result),
            None => Value::void(),
        }
    }

    fn is_native(&self, id: MethodId) -> bool {
        matches!(self.cx.table.method(id).kind, MethodKind::Declared(decl) if decl.body.is_none())
    }

    /// The expression that a library method returns, if that is all it does.
    fn inlined_body(&self, id: MethodId) -> Option<&'a Expr> {
        let method = self.cx.table.method(id);
        if !self.cx.table.class(method.class).is_library || self.inline_depth >= MAX_INLINE_DEPTH {
            return None;
        }
        let MethodKind::Declared(decl) = method.kind else { return None };
        match decl.body.as_deref()? {
            [Stmt { kind: StmtKind::Return(Some(value)), .. }] => Some(value),
            _ => None,
        }
    }

    /// Puts the body of a library method in the place of its call.
    fn inline(&mut self, id: MethodId, body: &'a Expr, receiver: Option<Value>, args: Vec<Value>) -> Value {
        let method = self.cx.table.method(id);
        let (class, result) = (method.class, method.result.clone());
        let MethodKind::Declared(decl) = method.kind else { return Value::void() };
        let mut parts: Vec<Value> = Vec::new();
        let names = decl.params.iter().map(|param| param.name.as_str());
        let names: Vec<&str> = receiver.iter().map(|_| "this").chain(names).collect();
        for (name, value) in names.iter().zip(receiver.into_iter().chain(args)) {
            let start = self.block.len();
            let value = if count_name(body, name) > 1 { self.small(value) } else { value };
            self.protect(&mut parts, start);
            parts.push(value);
        }
        let mut scope = Vec::new();
        let mut this = None;
        for (name, value) in names.into_iter().zip(parts) {
            if name == "this" {
                this = Some(Value::new(value.expr, self.cx.table.this_type(class)));
            } else {
                scope.push((name.to_owned(), Binding::Alias(value)));
            }
        }
        let scopes = std::mem::replace(&mut self.scopes, vec![scope]);
        let old_this = std::mem::replace(&mut self.this, this);
        let old_class = std::mem::replace(&mut self.class, class);
        let old_frozen = std::mem::replace(&mut self.frozen_span, true);
        let old_params = std::mem::take(&mut self.type_params);
        self.inline_depth += 1;
        let value = self.expr_of_type(body, &result);
        self.inline_depth -= 1;
        self.type_params = old_params;
        self.frozen_span = old_frozen;
        self.class = old_class;
        self.this = old_this;
        self.scopes = scopes;
        value
    }
}

//! Calls of one method that is known: as a call of its procedure, or with its body in the place of the call.

use ir::{Expr as IrExpr, StmtKind as IrStmtKind};

use super::body::{Binding, Body, Value};
use super::expr::count_name;
use crate::classes::MethodKind;
use crate::syntax::{Expr, Stmt, StmtKind};
use crate::types::{MethodId, Ty};

/// How deep bodies of library methods are put into each other.
const MAX_INLINE_DEPTH: usize = 8;

impl<'a> Body<'_, 'a> {
    /// Calls exactly this method.
    pub(super) fn call_method(&mut self, id: MethodId, receiver: Option<Value>, args: Vec<Value>) -> Value {
        if let Some(body) = self.inlined_body(id) {
            return self.inline(id, body, receiver, args);
        }
        if self.is_native(id) {
            let name = self.cx.method_name(id);
            return self.unsupported(format!("the native method `{name}`"));
        }
        let method = self.cx.table.method(id);
        if method.is_static && matches!(method.kind, MethodKind::Declared(_)) {
            self.use_class(method.class);
        }
        if self.cx.is_far(id) {
            let name = self.cx.method_name(id);
            return self.unsupported(format!("`{name}`, which is far from what is compared,"));
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

//! Methods of `java.util.Objects`, which work on values of every type. Exact; the others stay unknown code.

use ir::{Const, Expr as IrExpr, StmtKind};

use super::body::{Body, Value, is_null, not};
use super::exception::carrying_text;
use crate::types::Ty;

impl Body<'_, '_> {
    /// A call with arguments that were evaluated; nothing if it is not known what the method does with them.
    pub(super) fn method_of_objects(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        if args.iter().any(|value| matches!(value.ty, Ty::Unknown(_) | Ty::Void)) {
            return None;
        }
        match (name, args) {
            ("requireNonNull", [value]) => Some(self.require_not_null(value, IrExpr::Const(Const::NullText))),
            ("requireNonNull", [value, message]) if message.ty == Ty::Text => {
                Some(self.require_not_null(value, message.expr.clone()))
            }
            ("isNull", [value]) if value.ty.is_reference() => Some(Value::new(is_null(value), Ty::BOOLEAN)),
            ("nonNull", [value]) if value.ty.is_reference() => {
                Some(Value::new(not(is_null(value)), Ty::BOOLEAN))
            }
            ("equals", [a, b]) if a.ty == Ty::Text && b.ty == Ty::Text => {
                let (lhs, rhs) = (Box::new(a.expr.clone()), Box::new(b.expr.clone()));
                Some(Value::new(IrExpr::SameText { lhs, rhs }, Ty::BOOLEAN))
            }
            _ => None,
        }
    }

    /// The value, where it is not null; otherwise an exception with this message.
    fn require_not_null(&mut self, value: &Value, message: IrExpr) -> Value {
        let value = self.small(value.clone());
        if !self.is_never_null(&value) {
            let error = self.cx.library_error("NullPointerException");
            let (_, then) = self.in_block(|body| {
                body.emit(StmtKind::Throw { error, message: Some(carrying_text(message)) });
            });
            self.emit(StmtKind::If { condition: is_null(&value), then, otherwise: Vec::new() });
        }
        value
    }
}

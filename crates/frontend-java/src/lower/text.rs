//! Strings: concatenation, the text of every type, and printing. Exact.

use ir::{Const, Expr, Intrinsic, StmtKind, Stream};

use super::body::{Body, Value, is_null};
use crate::syntax::Primitive;
use crate::types::Ty;

impl Body<'_, '_> {
    /// String concatenation of two values, one of which is a string.
    pub(super) fn concat(&mut self, lhs: Value, rhs: Value) -> Value {
        // Finding the text of an object may call its `toString`, which may change the other operand.
        let mut right = [rhs];
        let start = self.block.len();
        let mut left = [self.text_of(lhs)];
        self.protect(&mut right, start);
        let [right] = right;
        let start = self.block.len();
        let right = self.text_of(right);
        self.protect(&mut left, start);
        let [left] = left;
        join(left, right)
    }

    /// The text of a value as concatenation and `print` write it; never null.
    pub(super) fn text_of(&mut self, value: Value) -> Value {
        let text = |function, expr| Value::new(Expr::Intrinsic { function, args: vec![expr] }, Ty::Text);
        match value.ty.clone() {
            Ty::Boxed(primitive) => {
                let value = self.small(value);
                let is_null = is_null(&value);
                let number = Value::new(super::boxes::number(value.expr), Ty::Primitive(primitive));
                let text = self.text_of(number);
                match is_null {
                    Expr::Const(Const::Bool(false)) => text,
                    condition => {
                        let then = Box::new(Expr::Const(Const::text("null")));
                        let otherwise = Box::new(text.expr);
                        Value::new(Expr::If { condition: Box::new(condition), then, otherwise }, Ty::Text)
                    }
                }
            }
            Ty::Primitive(primitive) => match (&value.expr, primitive) {
                (Expr::Const(Const::Int(_, unit)), Primitive::Char) => {
                    Value::constant(Const::Text(vec![*unit as u16]), Ty::Text)
                }
                (Expr::Const(Const::Int(_, number)), _) => {
                    Value::constant(Const::text(&number.to_string()), Ty::Text)
                }
                (Expr::Const(Const::Bool(value)), _) => {
                    Value::constant(Const::text(&value.to_string()), Ty::Text)
                }
                (_, Primitive::Boolean) => text(Intrinsic::TextOfBool, value.expr),
                (_, Primitive::Char) => text(Intrinsic::TextOfChar, value.expr),
                (_, primitive) => match primitive.scalar() {
                    ir::Scalar::Int(ty) => text(Intrinsic::TextOfInt(ty), value.expr),
                    ir::Scalar::Float(ty) => text(Intrinsic::TextOfFloat(ty), value.expr),
                    ir::Scalar::Bool => text(Intrinsic::TextOfBool, value.expr),
                },
            },
            Ty::Text if is_never_null(&value.expr) || self.is_this(&value) => value,
            Ty::Text => {
                let value = self.small(value);
                let condition = Box::new(is_null(&value));
                let then = Box::new(Expr::Const(Const::text("null")));
                Value::new(Expr::If { condition, then, otherwise: Box::new(value.expr) }, Ty::Text)
            }
            Ty::Null => Value::constant(Const::text("null"), Ty::Text),
            Ty::Class(_) | Ty::Foreign(_) => self.text_of_object(value),
            Ty::Array(_) => self.instead("the text of an array", &Ty::Text),
            Ty::Void | Ty::Unknown(_) => self.zero(&Ty::Text),
        }
    }

    /// The text of an object: `null`, or what its `toString` gives.
    fn text_of_object(&mut self, value: Value) -> Value {
        let value = self.small(value);
        let local = self.temp_for(&Ty::Text);
        let (_, null) = self.in_block(|body| {
            body.emit(StmtKind::Assign { local, value: Expr::Const(Const::text("null")) });
        });
        let (_, other) = self.in_block(|body| {
            let text = body.call_virtual(value.clone(), "toString", Vec::new());
            let text = body.convert(text, &Ty::Text);
            let text = body.text_of(text);
            body.emit(StmtKind::Assign { local, value: text.expr });
        });
        if self.is_never_null(&value) {
            self.block.extend(other);
        } else {
            self.emit(StmtKind::If { condition: is_null(&value), then: null, otherwise: other });
        }
        // Both branches assign a text that is not null.
        Value::new(
            Expr::Intrinsic {
                function: Intrinsic::TextConcat,
                args: vec![Expr::Const(Const::text("")), Expr::Local(local)],
            },
            Ty::Text,
        )
    }

    /// `print` and `println` of `System.out` and `System.err`.
    pub(super) fn print(&mut self, stream: Stream, value: Option<Value>, newline: bool) {
        let text = match value {
            Some(Value { ty: Ty::Array(element), .. }) if *element == Ty::CHAR => {
                self.unsupported("printing an array of characters");
                return;
            }
            Some(value) => self.text_of(value),
            None => Value::constant(Const::text(""), Ty::Text),
        };
        let line = Value::constant(Const::text("\n"), Ty::Text);
        let text = if newline { join(text, line) } else { text };
        if text.expr != Expr::Const(Const::text("")) {
            self.emit(StmtKind::Print { stream, text: text.expr });
        }
    }
}

/// Two texts that are not null, one after the other.
pub(super) fn join(lhs: Value, rhs: Value) -> Value {
    match (lhs.expr, rhs.expr) {
        (Expr::Const(Const::Text(mut a)), Expr::Const(Const::Text(b))) => {
            a.extend(b);
            Value::constant(Const::Text(a), Ty::Text)
        }
        (Expr::Const(Const::Text(a)), b) if a.is_empty() => Value::new(b, Ty::Text),
        (a, Expr::Const(Const::Text(b))) if b.is_empty() => Value::new(a, Ty::Text),
        (a, b) => Value::new(Expr::Intrinsic { function: Intrinsic::TextConcat, args: vec![a, b] }, Ty::Text),
    }
}

/// Whether an expression of text type cannot be null, seen from its form alone.
pub(super) fn is_never_null(expr: &Expr) -> bool {
    match expr {
        Expr::Const(Const::Text(_)) | Expr::Intrinsic { .. } => true,
        Expr::If { condition, then, otherwise } => {
            // `x == null ? "null" : x`, as concatenation makes it.
            let guarded = matches!(&**condition, Expr::SameText { lhs, rhs }
                if **rhs == Expr::Const(Const::NullText) && lhs == otherwise);
            is_never_null(then) && (guarded || is_never_null(otherwise))
        }
        _ => false,
    }
}

//! The procedure that is being lowered: its locals, the block under construction, names in scope, pending jumps.

use std::collections::BTreeMap;

use ir::{
    BinaryOp, Const, ErrorId, Expr, IntType, LabelId, Local, LocalId, Scalar, Span, Stmt, StmtKind, Type,
};

use super::Lowering;
use super::effects::{may_change, size};
use super::jumps::Frame;
use crate::types::{ClassId, Ty};

/// Expressions of at most this many nodes may be written out several times instead of being saved.
const SMALL: usize = 3;

/// The value of a lowered expression: pure, and valid until something it reads changes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Value {
    pub(super) expr: Expr,
    pub(super) ty: Ty,
    /// Other operands were evaluated since, so that it is too late to unbox it.
    pub(super) is_late: bool,
    /// It is that of a constant expression of type `int`; only known of the operands of a conditional or switch.
    pub(super) is_constant: bool,
    /// A conditional made a `float` of what may have been an `int` or `long` that no `float` is equal to.
    pub(super) is_rounded: bool,
}

impl Value {
    pub(super) fn new(expr: Expr, ty: Ty) -> Value {
        Value { expr, ty, is_late: false, is_constant: false, is_rounded: false }
    }

    pub(super) fn constant(value: Const, ty: Ty) -> Value {
        Value::new(Expr::Const(value), ty)
    }

    pub(super) fn void() -> Value {
        Value::constant(Const::Null, Ty::Void)
    }
}

/// What a name in scope stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Local(LocalId, Ty),
    /// A final variable whose initialiser is a constant expression (JLS 4.12.4).
    Constant(Value),
    /// An argument that was put in the place of a parameter.
    Alias(Value),
}

pub(super) struct Body<'l, 'a> {
    pub(super) cx: &'l mut Lowering<'a>,
    pub(super) proc: ir::ProcId,
    /// The class whose code this is: decides what names mean.
    pub(super) class: ClassId,
    pub(super) type_params: &'a [String],
    pub(super) this: Option<Value>,
    /// The enclosing object while a constructor of an inner class runs, else it is read from the field.
    pub(super) outer: Option<Value>,
    pub(super) result: Ty,
    pub(super) locals: Vec<Local>,
    pub(super) block: Vec<Stmt>,
    pub(super) scopes: Vec<Vec<(String, Binding)>>,
    /// The variables of patterns, by their tests; they are in scope only where the tests succeeded.
    pub(super) patterns: BTreeMap<usize, (LocalId, Ty)>,
    pub(super) frames: Vec<Frame>,
    pub(super) assumptions: Vec<String>,
    pub(super) span: Span,
    /// Code of the library model keeps the place of the call.
    pub(super) frozen_span: bool,
    pub(super) next_label: u32,
    pub(super) next_temp: u32,
    /// How many calls have been replaced by their bodies on the way here.
    pub(super) inline_depth: usize,
    /// The class whose initialiser this code is, and the field that it has come to: later ones are not there yet.
    /// No field stands for the constants of an enum.
    pub(super) initialising: Option<(ClassId, Option<usize>)>,
    /// It is the code of a constructor: the fields of its object may not be set yet.
    pub(super) constructing: bool,
}

impl<'l, 'a> Body<'l, 'a> {
    pub(super) fn emit(&mut self, kind: StmtKind) {
        self.block.push(Stmt { kind, span: self.span });
    }

    /// Says that the code at this place is not lowered; the value stands in for its result.
    pub(super) fn unsupported(&mut self, what: impl Into<String>) -> Value {
        self.emit(StmtKind::Unsupported { what: what.into() });
        Value::constant(Const::Null, Ty::Unknown("?".to_owned()))
    }

    pub(super) fn assume_in_words(&mut self, assumption: impl Into<String>) {
        let assumption = assumption.into();
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }

    pub(super) fn new_label(&mut self) -> LabelId {
        self.next_label += 1;
        LabelId(self.next_label - 1)
    }

    /// Lowers something at a place of the source.
    pub(super) fn at<T>(&mut self, span: Span, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.span;
        if !self.frozen_span {
            self.span = span;
        }
        let result = lower(self);
        self.span = outer;
        result
    }

    /// Lowers something into a block of its own.
    pub(super) fn in_block<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (T, Vec<Stmt>) {
        let outer = std::mem::take(&mut self.block);
        let result = lower(self);
        (result, std::mem::replace(&mut self.block, outer))
    }

    /// Lowers something with names of its own.
    pub(super) fn in_scope<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Vec::new());
        let result = lower(self);
        self.scopes.pop();
        result
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Binding> {
        let mut bindings = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        bindings.find(|(bound, _)| bound == name).map(|(_, binding)| binding)
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        match self.scopes.last_mut() {
            Some(scope) => scope.push((name.to_owned(), binding)),
            None => self.scopes.push(vec![(name.to_owned(), binding)]),
        }
    }

    /// A local for a variable of the source. Variables of one name and type in different scopes share it:
    /// Java demands that each is assigned before it is read.
    pub(super) fn declare(&mut self, name: &str, ty: &Ty) -> LocalId {
        let ir_type = self.cx.ir_type(ty);
        let params = self.cx.program.procedure(self.proc).params;
        let in_use = |id: LocalId| {
            let mut bindings = self.scopes.iter().flatten();
            // Parameters live as long as the procedure, also where initialisers do not see them.
            id.index() < params
                || bindings.any(|(_, binding)| matches!(binding, Binding::Local(local, _) if *local == id))
        };
        let mut candidate = name.to_owned();
        let mut number = 2;
        let id = loop {
            match self.locals.iter().position(|local| local.name == candidate) {
                None => {
                    self.locals.push(Local { name: candidate, ty: ir_type });
                    break LocalId::from_index(self.locals.len() - 1);
                }
                Some(index) if self.locals[index].ty == ir_type && !in_use(LocalId::from_index(index)) => {
                    break LocalId::from_index(index);
                }
                Some(_) => {
                    candidate = format!("{name}${number}");
                    number += 1;
                }
            }
        };
        self.bind(name, Binding::Local(id, ty.clone()));
        id
    }

    /// A fresh local that the source does not have.
    pub(super) fn temp(&mut self, ty: Type) -> LocalId {
        self.locals.push(Local { name: format!("$t{}", self.next_temp), ty });
        self.next_temp += 1;
        LocalId::from_index(self.locals.len() - 1)
    }

    pub(super) fn temp_for(&mut self, ty: &Ty) -> LocalId {
        let ty = self.cx.ir_type(ty);
        self.temp(ty)
    }

    /// The value, saved in a local now.
    pub(super) fn saved(&mut self, value: Value) -> Value {
        if value.ty == Ty::Void || value.ty.is_unknown() {
            return value;
        }
        let local = self.temp_for(&value.ty);
        self.emit(StmtKind::Assign { local, value: value.expr });
        Value::new(Expr::Local(local), value.ty)
    }

    /// The value in a form that may be written several times.
    pub(super) fn small(&mut self, value: Value) -> Value {
        if size(&value.expr, SMALL + 1) <= SMALL { value } else { self.saved(value) }
    }

    /// Evaluates operands from left to right; each is saved if evaluating a later one may change it.
    pub(super) fn in_order<I>(
        &mut self,
        operands: impl IntoIterator<Item = I>,
        mut lower: impl FnMut(&mut Self, I) -> Value,
    ) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for operand in operands {
            let start = self.block.len();
            let value = lower(self, operand);
            let did_something = self.block.len() > start;
            values.iter_mut().for_each(|earlier| earlier.is_late |= did_something);
            self.protect(&mut values, start);
            values.push(value);
        }
        values
    }

    /// Saves those of the values that the statements since `start` may change, as they were before them.
    pub(super) fn protect(&mut self, values: &mut [Value], start: usize) {
        let mut at = start;
        for value in values {
            let skip = value.ty == Ty::Void || value.ty.is_unknown();
            if skip || !may_change(&self.block[at..], &value.expr) {
                continue;
            }
            let local = self.temp_for(&value.ty);
            let old = std::mem::replace(&mut value.expr, Expr::Local(local));
            self.block.insert(at, Stmt { kind: StmtKind::Assign { local, value: old }, span: self.span });
            at += 1;
        }
    }

    pub(super) fn check(&mut self, condition: Expr, error: ErrorId) {
        if condition != Expr::Const(Const::Bool(true)) {
            self.emit(StmtKind::Check { condition, error });
        }
    }

    /// Fails with a null pointer exception unless the reference or text points somewhere.
    pub(super) fn check_not_null(&mut self, value: &Value) {
        if self.is_never_null(value) {
            return;
        }
        let error = self.cx.library_error("NullPointerException");
        self.check(not(is_null(value)), error);
    }

    pub(super) fn is_never_null(&self, value: &Value) -> bool {
        match &value.ty {
            Ty::Text => super::text::is_never_null(&value.expr) || self.is_this(value),
            Ty::Class(_) | Ty::Array(_) | Ty::Foreign(_) => {
                matches!(value.expr, Expr::Const(Const::Static(_))) || self.is_this(value)
            }
            Ty::Null => false,
            Ty::Boxed(_) => super::boxes::is_there(&value.expr) == Expr::Const(Const::Bool(true)),
            Ty::Primitive(_) | Ty::Void | Ty::Unknown(_) => true,
        }
    }

    pub(super) fn is_this(&self, value: &Value) -> bool {
        self.this.as_ref().is_some_and(|this| this.expr == value.expr)
    }
}

/// Whether a reference or text is null.
pub(super) fn is_null(value: &Value) -> Expr {
    let lhs = Box::new(value.expr.clone());
    match value.ty {
        Ty::Boxed(_) => not(super::boxes::is_there(&lhs)),
        Ty::Text => Expr::SameText { lhs, rhs: Box::new(Expr::Const(Const::NullText)) },
        _ => Expr::SameRef { lhs, rhs: Box::new(Expr::Const(Const::Null)) },
    }
}

pub(super) fn not(arg: Expr) -> Expr {
    match arg {
        Expr::Const(Const::Bool(value)) => Expr::Const(Const::Bool(!value)),
        Expr::Unary { op: ir::UnaryOp::Not, arg, .. } => *arg,
        arg => Expr::Unary { op: ir::UnaryOp::Not, ty: Scalar::Bool, arg: Box::new(arg) },
    }
}

pub(super) fn and(lhs: Expr, rhs: Expr) -> Expr {
    binary(BinaryOp::And, Scalar::Bool, lhs, rhs)
}

pub(super) fn or(lhs: Expr, rhs: Expr) -> Expr {
    binary(BinaryOp::Or, Scalar::Bool, lhs, rhs)
}

pub(super) fn binary(op: BinaryOp, ty: Scalar, lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary { op, ty, lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

pub(super) fn i32_const(value: i32) -> Expr {
    Expr::Const(Const::i32(value))
}

pub(super) const I32: Scalar = Scalar::Int(IntType::I32);

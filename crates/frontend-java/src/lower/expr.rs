//! Expressions: what each kind of them comes to, and literals; the rest is in the files beside this one.

use ir::{Const, IntType};

use super::body::{Body, Value};
use super::entity::Entity;
use super::foreign::Wanted;
use crate::syntax::{BinaryOp, Expr, ExprKind, Literal, Primitive};
use crate::types::Ty;

impl<'a> Body<'_, 'a> {
    /// Lowers an expression to its value, emitting what it needs before.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Value {
        self.expr_wanting(expr, &Wanted::Value)
    }

    /// The same, with what the place wants of it: only that says what unknown code gives.
    pub(super) fn expr_wanting(&mut self, expr: &'a Expr, wanted: &Wanted) -> Value {
        self.at(expr.span, |body| body.expr_kind(expr, wanted))
    }

    /// Lowers an expression whose value is not used.
    pub(super) fn discard(&mut self, expr: &'a Expr) {
        self.at(expr.span, |body| match &expr.kind {
            ExprKind::Update { increment, arg, .. } => body.update(arg, *increment, None),
            ExprKind::Assign { lhs, rhs } => {
                body.assign(lhs, rhs, false);
            }
            ExprKind::Compound { op, lhs, rhs } => {
                body.compound(*op, lhs, rhs, false);
            }
            _ => {
                body.expr_kind(expr, &Wanted::Nothing);
            }
        });
    }

    fn expr_kind(&mut self, expr: &'a Expr, wanted: &Wanted) -> Value {
        match &expr.kind {
            ExprKind::Literal(literal) => literal_value(literal),
            ExprKind::Name(_) | ExprKind::Field { .. } => match self.entity_wanting(expr, wanted) {
                Entity::Value(value) => value,
                Entity::Class(class) => {
                    let name = self.cx.table.class(class).name.clone();
                    self.unsupported(format!("the class `{name}` as a value"))
                }
                Entity::Unknown(name) => {
                    let path: Vec<String> = name.split('.').map(str::to_owned).collect();
                    match self.foreign_value(&path, wanted) {
                        Some(value) => value,
                        None => self.unsupported(format!("the unknown name `{name}`")),
                    }
                }
            },
            ExprKind::This => match self.this.clone() {
                Some(this) => this,
                None => self.unsupported("`this` where there is none"),
            },
            ExprKind::OuterThis(name) => self.outer_this(name),
            ExprKind::Super => self.unsupported("`super` as a value"),
            ExprKind::Index { .. } => {
                let place = self.place(expr);
                self.check_place(&place);
                self.load(&place)
            }
            ExprKind::Call { target, name, args } => self.call(target.as_deref(), name, args, wanted),
            ExprKind::New { ty, args } => self.new_object(ty, args),
            ExprKind::NewArray { ty, dims } => self.new_array(ty, dims),
            ExprKind::ArrayInit { ty, elements } => match ty {
                Some(ty) => {
                    let ty = self.resolve(ty);
                    self.array_init(&ty, elements)
                }
                None => self.unsupported("an array initialiser without a type"),
            },
            ExprKind::Unary { op, arg } => {
                let value = self.expr(arg);
                self.unary(*op, value)
            }
            ExprKind::Binary { op: BinaryOp::AndAlso, lhs, rhs } => self.short_circuit(lhs, rhs, true),
            ExprKind::Binary { op: BinaryOp::OrElse, lhs, rhs } => self.short_circuit(lhs, rhs, false),
            ExprKind::Binary { op, lhs, rhs } => {
                let mut left = [self.expr(lhs)];
                let start = self.block.len();
                let right = self.expr(rhs);
                let start = self.unbox_early(*op, &mut left[0], &right.ty, start);
                self.protect(&mut left, start);
                let [left] = left;
                self.binary(*op, left, right)
            }
            ExprKind::Update { increment, prefix, arg } => {
                let mut result = None;
                self.update(arg, *increment, Some((*prefix, &mut result)));
                result.unwrap_or_else(Value::void)
            }
            ExprKind::Assign { lhs, rhs } => self.assign(lhs, rhs, true),
            ExprKind::Compound { op, lhs, rhs } => self.compound(*op, lhs, rhs, true),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, wanted)
            }
            ExprKind::Cast { ty, arg } => {
                let ty = self.resolve(ty);
                // What unknown code gives is of the type that it is cast to, or the cast fails, in both versions.
                let mut value = match ty {
                    Ty::Text | Ty::Boxed(_) | Ty::Primitive(_) => {
                        self.expr_wanting(arg, &Wanted::Cast(ty.clone()))
                    }
                    _ => self.expr(arg),
                };
                // A conditional has parentheses here.
                value.is_rounded = false;
                self.cast(value, &ty)
            }
            ExprKind::InstanceOf { arg, ty, name } => {
                let ty = self.resolve(ty);
                let value = self.expr(arg);
                match name {
                    Some(name) => self.match_type(expr, value, &ty, name),
                    None => self.instance_of(&value, &ty),
                }
            }
            ExprKind::Switch(switch) => self.switch_value(switch, expr.span, None),
            ExprKind::Unsupported(what) => self.unsupported(what.clone()),
        }
    }

    /// An expression where a type is expected: array initialisers need to know it.
    pub(super) fn expr_of_type(&mut self, expr: &'a Expr, ty: &Ty) -> Value {
        if let ExprKind::ArrayInit { ty: None, elements } = &expr.kind {
            return self.at(expr.span, |body| body.array_init(ty, elements));
        }
        // Each result of a switch is converted to the expected type on its own (JLS 15.28.1).
        if let (ExprKind::Switch(switch), false) = (&expr.kind, ty.is_unknown()) {
            return self.at(expr.span, |body| body.switch_value(switch, expr.span, Some(ty)));
        }
        let value = self.expr_wanting(expr, &Wanted::Type(ty.clone()));
        self.at(expr.span, |body| body.convert(value, ty))
    }

    /// An argument of a call. Which results of a switch fit a parameter is not worked out.
    pub(super) fn argument(&mut self, expr: &'a Expr) -> Value {
        self.argument_wanting(expr, &Wanted::Value)
    }

    /// The same, with what the parameter wants.
    pub(super) fn argument_wanting(&mut self, expr: &'a Expr, wanted: &Wanted) -> Value {
        if let ExprKind::Switch(switch) = &expr.kind
            && self.has_mixed_results(switch, expr.span)
        {
            return self.at(expr.span, |body| {
                body.unsupported("a switch with results of several types as an argument")
            });
        }
        self.expr_wanting(expr, wanted)
    }

    pub(super) fn resolve(&self, ty: &crate::syntax::TypeRef) -> Ty {
        self.cx.table.resolve_type(ty, Some(self.class), self.type_params)
    }
}

pub(super) fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Int(value) => Value::constant(Const::i32(*value), Ty::INT),
        Literal::Long(value) => Value::constant(Const::Int(IntType::I64, (*value).into()), Ty::LONG),
        Literal::Float(value) => Value::constant(Const::f32(*value), Ty::Primitive(Primitive::Float)),
        Literal::Double(value) => Value::constant(Const::f64(*value), Ty::Primitive(Primitive::Double)),
        Literal::Char(value) => Value::constant(Const::Int(IntType::U16, (*value).into()), Ty::CHAR),
        Literal::Boolean(value) => Value::constant(Const::Bool(*value), Ty::BOOLEAN),
        Literal::Text(units) => Value::constant(Const::Text(units.clone()), Ty::Text),
        Literal::Null => Value::constant(Const::Null, Ty::Null),
    }
}

/// How often an expression of the source names a variable; decides whether an argument must be saved.
pub(super) fn count_name(expr: &Expr, name: &str) -> usize {
    match &expr.kind {
        ExprKind::Name(found) => usize::from(found == name),
        ExprKind::This => usize::from(name == "this"),
        ExprKind::Unary { arg, .. } | ExprKind::Cast { arg, .. } => count_name(arg, name),
        ExprKind::Binary { lhs, rhs, .. } => count_name(lhs, name) + count_name(rhs, name),
        ExprKind::Conditional { condition, then, otherwise } => {
            count_name(condition, name) + count_name(then, name) + count_name(otherwise, name)
        }
        ExprKind::Call { target, args, .. } => {
            target.iter().map(|target| count_name(target, name)).sum::<usize>()
                + args.iter().map(|arg| count_name(arg, name)).sum::<usize>()
        }
        ExprKind::Literal(_) => 0,
        // Anything else: as if it were named often.
        _ => 2,
    }
}

/// The operator that an increment stands for.
pub(super) fn step(increment: bool) -> BinaryOp {
    if increment { BinaryOp::Add } else { BinaryOp::Sub }
}

//! Conversions between types: assignment, casts, boxing (JLS 5). Exact.

use ir::{Const, Expr, FloatType, IntType, Scalar, StmtKind};

use super::body::{Binding, Body, Value, is_null, or};
use super::patterns::place_of;
use crate::syntax::{Expr as Source, Primitive};
use crate::types::{ClassId, Ty};

impl Body<'_, '_> {
    /// The value where one of the type is expected; the source is taken to be well typed.
    pub(super) fn convert(&mut self, value: Value, to: &Ty) -> Value {
        if value.ty == *to {
            return value;
        }
        if value.ty.is_unknown() || to.is_unknown() {
            return self.stand_in(value, to);
        }
        match (&value.ty, to) {
            (Ty::Boxed(_), Ty::Primitive(_)) => {
                let value = self.unbox(value);
                self.convert(value, to)
            }
            (Ty::Primitive(from), Ty::Primitive(target) | Ty::Boxed(target)) => {
                if (*from == Primitive::Boolean) != (*target == Primitive::Boolean) {
                    return self.instead("a conversion between a boolean and a number", to);
                }
                if value.is_rounded && *target == Primitive::Double {
                    return self.instead(
                        "a conditional expression with an `int` or `long` and a `float` as a `double`",
                        to,
                    );
                }
                let expr = convert_primitive(value.expr, *from, *target);
                match to {
                    Ty::Boxed(_) => Value::new(super::boxes::boxed(expr), to.clone()),
                    _ => Value::new(expr, to.clone()),
                }
            }
            (Ty::Null, Ty::Text) => Value::constant(Const::NullText, Ty::Text),
            (Ty::Null, Ty::Class(_) | Ty::Array(_) | Ty::Foreign(_)) => {
                Value::constant(Const::Null, to.clone())
            }
            (Ty::Null, Ty::Boxed(_)) => self.zero(to),
            (Ty::Class(_), Ty::Class(_)) => Value::new(value.expr, to.clone()),
            (Ty::Foreign(_) | Ty::Class(_) | Ty::Array(_), Ty::Foreign(_)) => {
                Value::new(value.expr, to.clone())
            }
            (Ty::Foreign(_), Ty::Class(class)) if *class == self.cx.table.object => {
                Value::new(value.expr, to.clone())
            }
            // What a type parameter stands for is of the class that its argument says.
            (Ty::Foreign(_), Ty::Class(_) | Ty::Array(_)) if value.ty.may_be_any_object() => {
                self.assume_in_words("generic code holds objects of the classes that its type arguments say");
                self.of_class(Value::new(value.expr, to.clone()))
            }
            (Ty::Foreign(_), Ty::Class(_)) => {
                let name = self.cx.table.type_name(to);
                self.instead(&format!("an object of a class that is not given as a `{name}`"), to)
            }
            (Ty::Foreign(_), _) => {
                let name = self.cx.table.type_name(to);
                self.instead(&format!("an object of a class that is not given as `{name}`"), to)
            }
            // An array of a class that is not given takes no other objects, whatever it is seen as.
            (Ty::Array(from), Ty::Array(target))
                if self.holds_any(from)
                    && self.holds_any(target)
                    && (!from.is_foreign() || from.may_be_any_object() || target.may_be_any_object()) =>
            {
                Value::new(value.expr, to.clone())
            }
            (Ty::Array(_), Ty::Class(class)) if *class == self.cx.table.object => {
                Value::new(value.expr, to.clone())
            }
            (Ty::Array(_), Ty::Array(_)) => self.instead("an array seen as an array of another type", to),
            (Ty::Text, Ty::Class(_) | Ty::Foreign(_)) => self.instead("a string as an object", to),
            (Ty::Boxed(_) | Ty::Primitive(_), Ty::Class(_) | Ty::Foreign(_)) => {
                self.instead("a number as an object", to)
            }
            _ => {
                let names = (self.cx.table.type_name(&value.ty), self.cx.table.type_name(to));
                self.instead(&format!("the conversion from `{}` to `{}`", names.0, names.1), to)
            }
        }
    }

    /// Whether arrays of a type hold references to objects of any class.
    fn holds_any(&self, element: &Ty) -> bool {
        element.is_foreign() || *element == Ty::Class(self.cx.table.object)
    }

    /// A zero of the type, after an unsupported statement.
    pub(super) fn instead(&mut self, what: &str, to: &Ty) -> Value {
        self.unsupported(what);
        self.zero(to)
    }

    pub(super) fn zero(&mut self, ty: &Ty) -> Value {
        let ir_type = self.cx.ir_type(ty);
        Value::constant(Const::zero(&ir_type), ty.clone())
    }

    /// A value of unknown type exists only where the run has already lost its meaning, so any value will do.
    /// One that becomes unknown (a known value stored in a variable of unknown type) loses it here.
    fn stand_in(&mut self, value: Value, to: &Ty) -> Value {
        if to.is_unknown() && !value.ty.is_unknown() && value.ty != Ty::Null {
            let name = self.cx.table.type_name(to);
            self.unsupported(format!("a value of type `{name}`"));
        }
        self.zero(to)
    }

    /// A cast that the source writes.
    pub(super) fn cast(&mut self, value: Value, to: &Ty) -> Value {
        match (&value.ty, to) {
            (Ty::Class(from), Ty::Class(target)) => {
                let (from, target) = (*from, *target);
                if self.cx.table.is_subclass(from, target) {
                    return Value::new(value.expr, to.clone());
                }
                let value = self.small(value);
                let ok = or(is_null(&value), self.has_class(&value, target));
                let error = self.cx.library_error("ClassCastException");
                self.check(ok, error);
                Value::new(value.expr, to.clone())
            }
            (Ty::Foreign(from), Ty::Foreign(target)) if from == target || to.may_be_any_object() => {
                Value::new(value.expr, to.clone())
            }
            (Ty::Class(_) | Ty::Foreign(_) | Ty::Array(_), Ty::Foreign(target)) => {
                let value = self.small(value);
                let is_one = self.is_of_foreign_class(&value, target);
                let ok = or(is_null(&value), is_one);
                let error = self.cx.library_error("ClassCastException");
                self.check(ok, error);
                Value::new(value.expr, to.clone())
            }
            (Ty::Foreign(_), Ty::Class(target)) if *target != self.cx.table.object => {
                let value = self.small(value);
                let ok = or(is_null(&value), self.has_class(&value, *target));
                let error = self.cx.library_error("ClassCastException");
                self.check(ok, error);
                Value::new(value.expr, to.clone())
            }
            (Ty::Array(from), Ty::Array(element)) if self.holds_any(from) && element.may_be_any_object() => {
                Value::new(value.expr, to.clone())
            }
            (from, Ty::Array(_)) if from != to && self.may_be_array(from) => {
                let value = self.small(value);
                let Some(is_one) = self.is_array_of(&value, to) else {
                    return self.instead("a cast to an array that may have elements of a class below", to);
                };
                let ok = or(is_null(&value), is_one);
                let error = self.cx.library_error("ClassCastException");
                self.check(ok, error);
                Value::new(value.expr, to.clone())
            }
            _ => self.convert(value, to),
        }
    }

    /// Whether a value is an array of a type; nothing if its elements may be declared as a class below.
    fn is_array_of(&mut self, value: &Value, ty: &Ty) -> Option<Expr> {
        let Ty::Array(element) = ty else { return None };
        let object = Box::new(value.expr.clone());
        match &**element {
            Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text => {
                let shapes = vec![self.cx.shape_of(ty)];
                Some(Expr::HasShape { object, shapes })
            }
            Ty::Class(class)
                if self.cx.possible_classes(*class) == [*class]
                    && !self.cx.table.has_nameless_below(*class) =>
            {
                self.assume_known_classes();
                let shapes = vec![self.cx.shape_of(ty)];
                Some(Expr::HasShape { object, shapes })
            }
            // An array of objects is the only thing here that can be an array of such a class.
            Ty::Foreign(_) if matches!(value.ty, Ty::Array(_)) && !element.may_be_any_object() => {
                let name = self.cx.table.full_type_name(ty);
                Some(self.is_of_foreign_class(value, &name))
            }
            _ => None,
        }
    }

    /// Whether a value of a type may be an array of any type, as far as its type says.
    fn may_be_array(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Class(class) => *class == self.cx.table.object,
            Ty::Foreign(_) => ty.may_be_any_object(),
            Ty::Array(element) => **element == Ty::Class(self.cx.table.object),
            _ => false,
        }
    }

    /// Whether an object is of a class or of one below it, among all classes that the program knows.
    fn has_class(&mut self, object: &Value, class: ClassId) -> Expr {
        let may_be_nameless = match object.ty {
            Ty::Class(from) if from != self.cx.table.object => self.may_be_nameless(from, None),
            _ => self.may_be_nameless(class, None),
        };
        if may_be_nameless {
            self.unsupported("the class of an object whose class may have no name");
        }
        self.assume_known_classes();
        let classes = self.cx.possible_classes(class);
        let shapes = classes.into_iter().map(|class| self.cx.shape_of(&Ty::Class(class))).collect();
        Expr::HasShape { object: Box::new(object.expr.clone()), shapes }
    }

    pub(super) fn assume_known_classes(&mut self) {
        self.assume_in_words(ir::CLOSED_WORLD);
    }

    /// `e instanceof T`.
    pub(super) fn instance_of(&mut self, value: &Value, ty: &Ty) -> Value {
        let test = match (&value.ty, ty) {
            (from, to) if from.is_unknown() || to.is_unknown() => {
                self.unsupported("`instanceof` with an unknown type");
                Expr::Const(Const::Bool(false))
            }
            (Ty::Null, _) => Expr::Const(Const::Bool(false)),
            (Ty::Class(from), Ty::Class(to)) if self.cx.table.is_subclass(*from, *to) => {
                super::body::not(is_null(value))
            }
            (Ty::Class(_) | Ty::Foreign(_), Ty::Class(to)) => self.has_class(value, *to),
            (Ty::Class(_) | Ty::Foreign(_), Ty::Foreign(class)) if value.ty != *ty => {
                let is_one = self.is_of_foreign_class(value, class);
                super::body::and(super::body::not(is_null(value)), is_one)
            }
            (_, Ty::Array(element)) if element.is_foreign() => {
                self.unsupported("`instanceof` an array of a class that is not given");
                Expr::Const(Const::Bool(false))
            }
            (from, to) if from == to => super::body::not(is_null(value)),
            (Ty::Class(_) | Ty::Foreign(_), Ty::Array(_)) => match self.is_array_of(value, ty) {
                Some(is_one) => is_one,
                None => {
                    self.unsupported("`instanceof` an array that may have elements of a class below");
                    Expr::Const(Const::Bool(false))
                }
            },
            _ => {
                self.unsupported("`instanceof` between these types");
                Expr::Const(Const::Bool(false))
            }
        };
        Value::new(test, Ty::BOOLEAN)
    }

    /// `e instanceof T name`. Where the test succeeds the object has that name.
    pub(super) fn match_type(&mut self, test: &Source, value: Value, ty: &Ty, name: &str) -> Value {
        let value = self.small(value);
        let succeeds = self.instance_of(&value, ty);
        // Its local is in use as long as the scopes around it, whatever its name means there.
        let local = self.in_scope(|body| body.declare(name, ty));
        self.bind("", Binding::Local(local, ty.clone()));
        self.patterns.insert(place_of(test), (local, ty.clone()));
        // Where the types do not fit, the unsupported statement stands before.
        let fits = self.cx.ir_type(ty).accepts(&self.cx.ir_type(&value.ty));
        let bound = if fits { value.expr } else { self.zero(ty).expr };
        // The variable is only readable where the test holds, so that it may hold anything elsewhere.
        self.emit(StmtKind::Assign { local, value: bound });
        succeeds
    }
}

/// A conversion between primitive types, by a cast or by an assignment.
pub(super) fn convert_primitive(expr: Expr, from: Primitive, to: Primitive) -> Expr {
    if from == to || from == Primitive::Boolean || to == Primitive::Boolean {
        return expr;
    }
    if from.is_float() && matches!(to, Primitive::Byte | Primitive::Short | Primitive::Char) {
        // JLS 5.1.3: first to int, then to the narrower type.
        let int = convert_scalar(expr, from.scalar(), Primitive::Int.scalar());
        return convert_scalar(int, Primitive::Int.scalar(), to.scalar());
    }
    convert_scalar(expr, from.scalar(), to.scalar())
}

fn convert_scalar(expr: Expr, from: Scalar, to: Scalar) -> Expr {
    if from == to {
        return expr;
    }
    match (&expr, to) {
        (Expr::Const(Const::Int(_, value)), Scalar::Int(ty)) => {
            return Expr::Const(Const::Int(ty, ty.wrap(*value)));
        }
        // Exact in both number models; larger numbers round under machine numbers only.
        (Expr::Const(Const::Int(_, value)), Scalar::Float(FloatType::F64)) if value.abs() < 1 << 53 => {
            return Expr::Const(Const::f64(*value as f64));
        }
        (Expr::Const(Const::Int(_, value)), Scalar::Float(FloatType::F32)) if value.abs() < 1 << 24 => {
            return Expr::Const(Const::f32(*value as f32));
        }
        _ => {}
    }
    Expr::Convert { from, to, arg: Box::new(expr) }
}

/// The same bits seen as a signed or unsigned integer.
pub(super) fn reinterpret(expr: Expr, from: IntType, to: IntType) -> Expr {
    convert_scalar(expr, Scalar::Int(from), Scalar::Int(to))
}

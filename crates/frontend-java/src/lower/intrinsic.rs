//! The operations that the library model is written in: names that start with `$`. Exact.

use ir::{
    BinaryOp, Const, Expr as IrExpr, FloatType, IntType, Intrinsic, Local, Procedure, Scalar, Span, StmtKind,
};

use super::body::{Body, Value};
use crate::syntax::{Expr, ExprKind, Literal, Primitive};
use crate::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn intrinsic(&mut self, name: &str, args: &'a [Expr]) -> Value {
        if name == "$unsupported" || name == "$taken_for_granted" {
            let what = match args {
                [Expr { kind: ExprKind::Literal(Literal::Text(units)), .. }] => {
                    String::from_utf16_lossy(units)
                }
                _ => "a method of the library".to_owned(),
            };
            match name {
                "$unsupported" => drop(self.unsupported(what)),
                _ => self.assume_in_words(what),
            }
            return Value::void();
        }
        let values = self.in_order(args, |body, arg| body.expr(arg));
        match (name, values.as_slice()) {
            ("$assume", [condition]) => {
                self.emit(StmtKind::Assume { condition: condition.expr.clone() });
                Value::void()
            }
            ("$asks_for_text", [cause]) => {
                self.ask_for_text(cause);
                Value::void()
            }
            ("$random", _) => self.external("Math.random", Primitive::Double),
            ("$current_time", _) => self.external("System.currentTimeMillis", Primitive::Long),
            ("$nano_time", _) => self.external("System.nanoTime", Primitive::Long),
            ("$class_name", [object]) => self.class_name(object),
            ("$infinity", []) => double(f64::INFINITY),
            ("$nan", []) => double(f64::NAN),
            ("$infinity_float", []) => float(f32::INFINITY),
            ("$nan_float", []) => float(f32::NAN),
            ("$same_text", [a, b]) => {
                let expr = IrExpr::SameText { lhs: Box::new(a.expr.clone()), rhs: Box::new(b.expr.clone()) };
                Value::new(expr, Ty::BOOLEAN)
            }
            ("$add_overflows", [a, b]) => overflows(BinaryOp::Add, a, b),
            ("$sub_overflows", [a, b]) => overflows(BinaryOp::Sub, a, b),
            ("$mul_overflows", [a, b]) => overflows(BinaryOp::Mul, a, b),
            _ => match function(name, &values) {
                Some((function, ty)) => {
                    let args = values.into_iter().map(|value| value.expr).collect();
                    Value::new(IrExpr::Intrinsic { function, args }, ty)
                }
                None => self.unsupported(format!("the operation `{name}`")),
            },
        }
    }

    /// A value that the outside world gives: an external procedure named like the method.
    fn external(&mut self, name: &str, primitive: Primitive) -> Value {
        let program = &mut self.cx.program;
        let callee = program.procedure_named(name).unwrap_or_else(|| {
            program.procedures.push(Procedure {
                name: name.to_owned(),
                short_name: name.rsplit('.').next().unwrap_or(name).to_owned(),
                params: 0,
                locals: Vec::<Local>::new(),
                result: Some(primitive.scalar().into()),
                body: None,
                external: ir::External { access: ir::Access::World, library: false },
                span: Span::NOWHERE,
                assumptions: Vec::new(),
            });
            ir::ProcId::from_index(program.procedures.len() - 1)
        });
        let ty = Ty::Primitive(primitive);
        let local = self.temp_for(&ty);
        self.emit(StmtKind::Call { local: Some(local), callee, args: Vec::new() });
        Value::new(IrExpr::Local(local), ty)
    }

    /// The name of the class of an exception, as its text begins with it.
    fn class_name(&mut self, object: &Value) -> Value {
        let Ty::Class(class) = object.ty else {
            return self.unsupported("the class name of something that is not an object");
        };
        if self.cx.table.has_nameless_below(class) {
            return self.unsupported("the class name of an object whose class may have no name");
        }
        let mut name = IrExpr::Const(Const::text(""));
        for class in self.cx.possible_classes(class) {
            let shapes = vec![self.cx.shape_of(&Ty::Class(class))];
            let text = Const::text(&self.cx.table.class(class).binary_name);
            name = IrExpr::If {
                condition: Box::new(IrExpr::HasShape { object: Box::new(object.expr.clone()), shapes }),
                then: Box::new(IrExpr::Const(text)),
                otherwise: Box::new(name),
            };
        }
        Value::new(name, Ty::Text)
    }
}

/// The intrinsic function of the IR that a name stands for, given its arguments, and the type of the result.
fn function(name: &str, args: &[Value]) -> Option<(Intrinsic, Ty)> {
    let first = args.first().and_then(|value| value.ty.unboxed());
    let scalar = first.map(Primitive::scalar);
    let same = args.first().map(|value| value.ty.clone()).unwrap_or(Ty::Void);
    if let Some(function) = text_function(name) {
        return Some(function);
    }
    match scalar? {
        Scalar::Float(float) => {
            let (function, ty) = match name {
                "$is_nan" => (Intrinsic::IsNan(float), Ty::BOOLEAN),
                "$is_infinite" => (Intrinsic::IsInfinite(float), Ty::BOOLEAN),
                "$bits" if float == FloatType::F64 => (Intrinsic::ToBits(float), Ty::LONG),
                "$bits" => (Intrinsic::ToBits(float), Ty::INT),
                _ => (float_function(name, float)?, same),
            };
            Some((function, ty))
        }
        Scalar::Int(int) => Some(match name {
            "$count_ones" => (Intrinsic::CountOnes(int), same),
            "$leading_zeros" => (Intrinsic::LeadingZeros(int), same),
            "$trailing_zeros" => (Intrinsic::TrailingZeros(int), same),
            "$from_bits" if int == IntType::I64 => {
                (Intrinsic::FromBits(FloatType::F64), Ty::Primitive(Primitive::Double))
            }
            "$from_bits" => (Intrinsic::FromBits(FloatType::F32), Ty::Primitive(Primitive::Float)),
            "$hex" => (Intrinsic::TextHex(int), Ty::Text),
            "$octal" => (Intrinsic::TextOctal(int), Ty::Text),
            _ => return None,
        }),
        Scalar::Bool => None,
    }
}

fn float_function(name: &str, float: FloatType) -> Option<Intrinsic> {
    if name.starts_with("$strict_") {
        return Intrinsic::named(&name[1..], None);
    }
    Some(match name {
        "$sqrt" => Intrinsic::Sqrt(float),
        "$cbrt" => Intrinsic::Cbrt(float),
        "$sin" => Intrinsic::Sin(float),
        "$cos" => Intrinsic::Cos(float),
        "$tan" => Intrinsic::Tan(float),
        "$asin" => Intrinsic::Asin(float),
        "$acos" => Intrinsic::Acos(float),
        "$atan" => Intrinsic::Atan(float),
        "$sinh" => Intrinsic::Sinh(float),
        "$cosh" => Intrinsic::Cosh(float),
        "$tanh" => Intrinsic::Tanh(float),
        "$exp" => Intrinsic::Exp(float),
        "$expm1" => Intrinsic::Expm1(float),
        "$log" => Intrinsic::Log(float),
        "$log10" => Intrinsic::Log10(float),
        "$log1p" => Intrinsic::Log1p(float),
        "$floor" => Intrinsic::Floor(float),
        "$ceil" => Intrinsic::Ceil(float),
        "$rint" => Intrinsic::Rint(float),
        "$abs" => Intrinsic::Abs(float),
        "$pow" => Intrinsic::Pow(float),
        "$atan2" => Intrinsic::Atan2(float),
        "$hypot" => Intrinsic::Hypot(float),
        "$copy_sign" => Intrinsic::CopySign(float),
        _ => return None,
    })
}

fn text_function(name: &str) -> Option<(Intrinsic, Ty)> {
    Some(match name {
        "$length" => (Intrinsic::TextLength, Ty::INT),
        "$text_at" => (Intrinsic::TextAt, Ty::CHAR),
        "$slice" => (Intrinsic::TextSlice, Ty::Text),
        "$parses_as_int" => (Intrinsic::ParsesAsInt(IntType::I32), Ty::BOOLEAN),
        "$parse_int" => (Intrinsic::ParseInt(IntType::I32), Ty::INT),
        "$parses_as_long" => (Intrinsic::ParsesAsInt(IntType::I64), Ty::BOOLEAN),
        "$parse_long" => (Intrinsic::ParseInt(IntType::I64), Ty::LONG),
        "$parses_as_short" => (Intrinsic::ParsesAsInt(IntType::I16), Ty::BOOLEAN),
        "$parse_short" => (Intrinsic::ParseInt(IntType::I16), Ty::Primitive(Primitive::Short)),
        "$parses_as_byte" => (Intrinsic::ParsesAsInt(IntType::I8), Ty::BOOLEAN),
        "$parse_byte" => (Intrinsic::ParseInt(IntType::I8), Ty::Primitive(Primitive::Byte)),
        "$parses_as_double" => (Intrinsic::ParsesAsFloat(FloatType::F64), Ty::BOOLEAN),
        "$parse_double" => (Intrinsic::ParseFloat(FloatType::F64), Ty::Primitive(Primitive::Double)),
        "$parses_as_float" => (Intrinsic::ParsesAsFloat(FloatType::F32), Ty::BOOLEAN),
        "$parse_float" => (Intrinsic::ParseFloat(FloatType::F32), Ty::Primitive(Primitive::Float)),
        _ => return None,
    })
}

fn overflows(op: BinaryOp, a: &Value, b: &Value) -> Value {
    let ty = a.ty.unboxed().and_then(Primitive::int_type).unwrap_or(IntType::I32);
    let expr = IrExpr::Overflows { op, ty, lhs: Box::new(a.expr.clone()), rhs: Box::new(b.expr.clone()) };
    Value::new(expr, Ty::BOOLEAN)
}

fn double(value: f64) -> Value {
    Value::constant(Const::f64(value), Ty::Primitive(Primitive::Double))
}

fn float(value: f32) -> Value {
    Value::constant(Const::f32(value), Ty::Primitive(Primitive::Float))
}

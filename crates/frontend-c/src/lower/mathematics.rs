//! Functions of math.h: intrinsics of the IR, and what is made of them. Exact as far as the intrinsics are.

use ir::{BinaryOp, Const, Expr, FloatType, IntType, Intrinsic, Scalar, UnaryOp};
use lang_c::ast;
use lang_c::span::Node;

use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::types::CType;

/// A function of math.h and its intrinsic.
type Named = (&'static str, fn(FloatType) -> Intrinsic);

/// Functions of one float by their intrinsic.
const UNARY: [Named; 25] = [
    ("sqrt", Intrinsic::Sqrt),
    ("cbrt", Intrinsic::Cbrt),
    ("sin", Intrinsic::Sin),
    ("cos", Intrinsic::Cos),
    ("tan", Intrinsic::Tan),
    ("asin", Intrinsic::Asin),
    ("acos", Intrinsic::Acos),
    ("atan", Intrinsic::Atan),
    ("sinh", Intrinsic::Sinh),
    ("cosh", Intrinsic::Cosh),
    ("tanh", Intrinsic::Tanh),
    ("exp", Intrinsic::Exp),
    ("expm1", Intrinsic::Expm1),
    ("log", Intrinsic::Log),
    ("log10", Intrinsic::Log10),
    ("log1p", Intrinsic::Log1p),
    ("log2", Intrinsic::Log2),
    ("floor", Intrinsic::Floor),
    ("ceil", Intrinsic::Ceil),
    ("trunc", Intrinsic::Trunc),
    ("rint", Intrinsic::Rint),
    ("nearbyint", Intrinsic::Rint),
    ("round", Intrinsic::Round),
    ("roundeven", Intrinsic::Rint),
    ("fabs", Intrinsic::Abs),
];

/// Functions of two floats by their intrinsic.
const BINARY: [Named; 3] =
    [("pow", Intrinsic::Pow), ("atan2", Intrinsic::Atan2), ("hypot", Intrinsic::Hypot)];

impl<'a> Lowerer<'a> {
    /// A call of a function of math.h, or of `abs` and its like.
    pub(crate) fn lower_mathematics(
        &mut self,
        name: &str,
        args: &'a [Node<ast::Expression>],
    ) -> Lowered<Option<Value>> {
        let constant = |value: f64, single: bool| {
            let (constant, float) = match single {
                true => (Const::f32(value as f32), FloatType::F32),
                false => (Const::f64(value), FloatType::F64),
            };
            Ok(Some(Value { expr: Expr::Const(constant), ty: CType::Float(float) }))
        };
        match name {
            "inf" | "huge_val" => return constant(f64::INFINITY, false),
            "inff" | "huge_valf" => return constant(f64::INFINITY, true),
            "nan" => return constant(f64::NAN, false),
            "nanf" => return constant(f64::NAN, true),
            "abs" | "labs" | "llabs" => return self.lower_abs(name, args),
            _ => {}
        }
        if let Some(value) = self.lower_classification(name, args)? {
            return Ok(Some(value));
        }
        let Some((base, float)) = math_name(name) else { return Ok(None) };
        let ty = CType::Float(float);
        let values = self.arguments_as(args, &ty)?;
        let exprs: Vec<Expr> = values.into_iter().map(|value| value.expr).collect();
        let find = |table: &[Named]| {
            table.iter().find(|(known, _)| *known == base).map(|(_, function)| function(float))
        };
        let expr = match (exprs.as_slice(), base) {
            ([_], _) if find(&UNARY).is_some() => match find(&UNARY) {
                Some(function) => Expr::Intrinsic { function, args: exprs },
                None => return Ok(None),
            },
            ([x, y], "fmod") => {
                build::binary(BinaryOp::Rem, Scalar::Float(float), x.clone(), y.clone(), false)
            }
            ([x, y], "fmin") => self.least(float, x.clone(), y.clone(), true),
            ([x, y], "fmax") => self.least(float, x.clone(), y.clone(), false),
            ([x, y], "copysign") => {
                let y = self.once_expr(y.clone(), &ty);
                self.refuse_nan(float, y.clone());
                Expr::Intrinsic { function: Intrinsic::CopySign(float), args: vec![x.clone(), y] }
            }
            ([_, _], _) if find(&BINARY).is_some() => match find(&BINARY) {
                Some(function) => Expr::Intrinsic { function, args: exprs },
                None => return Ok(None),
            },
            _ => return self.gap_here(format!("a call of `{name}` with another number of arguments")),
        };
        Ok(Some(Value { expr, ty }))
    }

    /// There is one NaN only, and it has no sign.
    fn refuse_nan(&mut self, float: FloatType, value: Expr) {
        let nan = Expr::Intrinsic { function: Intrinsic::IsNan(float), args: vec![value] };
        self.unsupported_if(nan, "the sign of a NaN");
    }

    /// The smaller or larger of two floats; a number wins over NaN, the second of two zeros over the first.
    fn least(&mut self, float: FloatType, x: Expr, y: Expr, smallest: bool) -> Expr {
        let ty = CType::Float(float);
        let (x, y) = (self.once_expr(x, &ty), self.once_expr(y, &ty));
        let nan = |of: &Expr| Expr::Intrinsic { function: Intrinsic::IsNan(float), args: vec![of.clone()] };
        let (a, b) = if smallest { (x.clone(), y.clone()) } else { (y.clone(), x.clone()) };
        let first = build::binary(BinaryOp::Lt, Scalar::Float(float), a, b, false);
        build::if_else(build::or(first, nan(&y)), x, y)
    }

    fn lower_abs(&mut self, name: &str, args: &'a [Node<ast::Expression>]) -> Lowered<Option<Value>> {
        let [arg] = args else { return Ok(None) };
        let int = if name == "abs" { IntType::I32 } else { IntType::I64 };
        let ty = CType::Int(int);
        let value = self.lower_converted(arg, &ty)?;
        let value = self.once(value);
        if self.options.overflow_undefined {
            self.check_overflow(BinaryOp::Sub, int, &build::int(int, 0), &value.expr);
        }
        let negative = build::lt(int, value.expr.clone(), build::int(int, 0));
        let opposite = build::unary(UnaryOp::Neg, Scalar::Int(int), value.expr.clone(), false);
        Ok(Some(Value { expr: build::if_else(negative, opposite, value.expr), ty }))
    }

    /// `isnan` and its like, which are macros for any float type.
    fn lower_classification(
        &mut self,
        name: &str,
        args: &'a [Node<ast::Expression>],
    ) -> Lowered<Option<Value>> {
        const ONE: [&str; 14] = [
            "isnan",
            "isinf",
            "isinf_sign",
            "isfinite",
            "finite",
            "signbit",
            "signbitf",
            "isnanf",
            "isinff",
            "finitef",
            "__isnan",
            "__isinf",
            "__finite",
            "isnormal",
        ];
        const TWO: [&str; 6] =
            ["isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered"];
        let two = TWO.contains(&name);
        if !(ONE.contains(&name) && args.len() == 1 || two && args.len() == 2) {
            return Ok(None);
        }
        let mut ty = CType::Float(FloatType::F32);
        for arg in args {
            ty = crate::types::common_type(&ty, &self.type_of(arg)?);
        }
        let CType::Float(float) = ty else { return self.gap_here("`long double`") };
        let of = Scalar::Float(float);
        let values = self.arguments_as(args, &ty)?;
        let values: Vec<Expr> = values.into_iter().map(|value| self.once_expr(value.expr, &ty)).collect();
        let call = |function| Expr::Intrinsic { function, args: vec![values[0].clone()] };
        let (nan, infinite) = (call(Intrinsic::IsNan(float)), call(Intrinsic::IsInfinite(float)));
        let compare = |op, a: &Expr, b: &Expr| build::binary(op, of, a.clone(), b.clone(), false);
        if two {
            let (x, y) = (&values[0], &values[1]);
            let condition = match name {
                "isgreater" => compare(BinaryOp::Lt, y, x),
                "isgreaterequal" => compare(BinaryOp::Le, y, x),
                "isless" => compare(BinaryOp::Lt, x, y),
                "islessequal" => compare(BinaryOp::Le, x, y),
                "islessgreater" => build::or(compare(BinaryOp::Lt, x, y), compare(BinaryOp::Lt, y, x)),
                _ => {
                    let other = Expr::Intrinsic { function: Intrinsic::IsNan(float), args: vec![y.clone()] };
                    build::or(nan, other)
                }
            };
            return Ok(Some(self.int_of_condition(condition)));
        }
        let condition = match name {
            "isnan" | "isnanf" | "__isnan" => nan,
            "isfinite" | "finite" | "finitef" | "__finite" => build::not(build::or(nan, infinite)),
            "signbit" | "signbitf" => {
                self.refuse_nan(float, values[0].clone());
                let int = if float == FloatType::F32 { IntType::I32 } else { IntType::I64 };
                build::lt(int, call(Intrinsic::ToBits(float)), build::int(int, 0))
            }
            "isnormal" => return self.gap_here("`isnormal`"),
            _ => {
                // 1 or -1, by the sign of the infinity.
                let zero = super::tables::zero_of(&ir::Type::Float(float));
                let positive = build::binary(BinaryOp::Lt, of, zero, values[0].clone(), false);
                let int = |value| build::int(IntType::I32, value);
                let expr = build::if_else(infinite, build::if_else(positive, int(1), int(-1)), int(0));
                return Ok(Some(Value { expr, ty: CType::INT }));
            }
        };
        Ok(Some(self.int_of_condition(condition)))
    }
}

/// The name of a function of math.h without the suffix, and the type it works on.
pub(crate) fn math_name(name: &str) -> Option<(&str, FloatType)> {
    let known = |name: &str| {
        UNARY.iter().chain(&BINARY).any(|(known, _)| *known == name)
            || matches!(name, "copysign" | "fmod" | "fmin" | "fmax")
    };
    if known(name) {
        return Some((name, FloatType::F64));
    }
    let single = name.strip_suffix('f')?;
    known(single).then_some((single, FloatType::F32))
}

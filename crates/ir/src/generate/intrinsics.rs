//! Random calls of intrinsics, with the checks that make them total.

use super::Generator;
use super::exprs::{compare, int, not};
use super::tables::{CUSTOM, NULL_POINTER, OUT_OF_BOUNDS};
use crate::{BinaryOp, Const, Expr, FloatType, IntType, Intrinsic, Type};

fn call(function: Intrinsic, args: Vec<Expr>) -> Expr {
    Expr::Intrinsic { function, args }
}

impl Generator<'_> {
    /// An intrinsic that gives the type, if the configuration has one.
    pub(super) fn intrinsic(&mut self, ty: &Type, depth: usize) -> Expr {
        let fitting: Vec<Intrinsic> = Intrinsic::all()
            .into_iter()
            .filter(|function| function.signature().result == *ty && self.allows(*function))
            .collect();
        if fitting.is_empty() {
            return self.leaf(ty);
        }
        let function = self.random.pick(&fitting);
        let args = match function {
            Intrinsic::TextLength => vec![self.text(depth - 1)],
            Intrinsic::TextAt => self.text_at(depth - 1),
            Intrinsic::TextSlice => self.text_slice(depth - 1),
            Intrinsic::TextConcat => {
                // Only short texts are appended, so that texts do not double in each iteration of a loop.
                let lhs = self.text(depth - 1);
                let number = self.expr(&Type::I32, depth - 1);
                let short = call(Intrinsic::TextOfInt(IntType::I32), vec![number]);
                vec![lhs, self.random.pick(&[short, Expr::Const(Const::text("ab"))])]
            }
            Intrinsic::TextFixed(ty) | Intrinsic::TextExponent(ty) | Intrinsic::TextGeneral(ty) => {
                vec![self.expr(&Type::Float(ty), depth - 1), int(IntType::I32, self.random.below(8) as i128)]
            }
            Intrinsic::ParseInt(ty) => self.parsable(Intrinsic::ParsesAsInt(ty), depth - 1),
            Intrinsic::ParseFloat(ty) => self.parsable(Intrinsic::ParsesAsFloat(ty), depth - 1),
            Intrinsic::ParsesAsInt(_) | Intrinsic::ParsesAsFloat(_) => vec![self.text(depth - 1)],
            _ => function.signature().params.iter().map(|ty| self.expr(ty, depth - 1)).collect(),
        };
        call(function, args)
    }

    /// A text that is checked not to be null.
    pub(super) fn text(&mut self, depth: usize) -> Expr {
        let text = self.expr(&Type::Text, depth);
        if !matches!(text, Expr::Const(Const::Text(_))) {
            let null = Box::new(Expr::Const(Const::NullText));
            let is_null = Expr::SameText { lhs: Box::new(text.clone()), rhs: null };
            self.require(not(is_null), NULL_POINTER);
        }
        text
    }

    fn text_at(&mut self, depth: usize) -> Vec<Expr> {
        let text = self.text(depth);
        let index = self.expr(&Type::I32, depth.min(1));
        let length = call(Intrinsic::TextLength, vec![text.clone()]);
        let i32 = IntType::I32;
        self.require(compare(BinaryOp::Le, i32, int(i32, 0), index.clone()), OUT_OF_BOUNDS);
        self.require(compare(BinaryOp::Lt, i32, index.clone(), length), OUT_OF_BOUNDS);
        vec![text, index]
    }

    fn text_slice(&mut self, depth: usize) -> Vec<Expr> {
        let text = self.text(depth);
        let start = self.expr(&Type::I32, depth.min(1));
        let end = self.expr(&Type::I32, depth.min(1));
        let length = call(Intrinsic::TextLength, vec![text.clone()]);
        let i32 = IntType::I32;
        self.require(compare(BinaryOp::Le, i32, int(i32, 0), start.clone()), OUT_OF_BOUNDS);
        self.require(compare(BinaryOp::Le, i32, start.clone(), end.clone()), OUT_OF_BOUNDS);
        self.require(compare(BinaryOp::Le, i32, end.clone(), length), OUT_OF_BOUNDS);
        vec![text, start, end]
    }

    fn parsable(&mut self, parses: Intrinsic, depth: usize) -> Vec<Expr> {
        let text = self.text(depth);
        self.require(call(parses, vec![text.clone()]), CUSTOM);
        vec![text]
    }

    fn allows(&self, function: Intrinsic) -> bool {
        let float_allowed = |_: FloatType| self.config.floats;
        match function {
            Intrinsic::Floor(ty)
            | Intrinsic::Ceil(ty)
            | Intrinsic::Trunc(ty)
            | Intrinsic::Rint(ty)
            | Intrinsic::Round(ty)
            | Intrinsic::Abs(ty)
            | Intrinsic::Sqrt(ty) => float_allowed(ty),
            Intrinsic::Cbrt(ty)
            | Intrinsic::Sin(ty)
            | Intrinsic::Cos(ty)
            | Intrinsic::Tan(ty)
            | Intrinsic::Asin(ty)
            | Intrinsic::Acos(ty)
            | Intrinsic::Atan(ty)
            | Intrinsic::Sinh(ty)
            | Intrinsic::Cosh(ty)
            | Intrinsic::Tanh(ty)
            | Intrinsic::Exp(ty)
            | Intrinsic::Expm1(ty)
            | Intrinsic::Log(ty)
            | Intrinsic::Log10(ty)
            | Intrinsic::Log1p(ty)
            | Intrinsic::Log2(ty)
            | Intrinsic::Pow(ty)
            | Intrinsic::Atan2(ty)
            | Intrinsic::Hypot(ty) => float_allowed(ty) && self.config.transcendental,
            Intrinsic::CopySign(ty)
            | Intrinsic::IsNan(ty)
            | Intrinsic::IsInfinite(ty)
            | Intrinsic::ToBits(ty)
            | Intrinsic::FromBits(ty) => float_allowed(ty) && self.config.bits,
            Intrinsic::CountOnes(_) | Intrinsic::LeadingZeros(_) | Intrinsic::TrailingZeros(_) => {
                self.config.bits
            }
            Intrinsic::TextLength
            | Intrinsic::TextAt
            | Intrinsic::TextConcat
            | Intrinsic::TextSlice
            | Intrinsic::TextOfInt(_)
            | Intrinsic::TextOfBool
            | Intrinsic::TextOfChar
            | Intrinsic::ParsesAsInt(_)
            | Intrinsic::ParseInt(_) => self.config.texts,
            Intrinsic::TextHex(_) | Intrinsic::TextOctal(_) => self.config.texts && self.config.bits,
            Intrinsic::TextOfFloat(ty)
            | Intrinsic::TextFixed(ty)
            | Intrinsic::TextExponent(ty)
            | Intrinsic::TextGeneral(ty)
            | Intrinsic::ParsesAsFloat(ty)
            | Intrinsic::ParseFloat(ty) => self.config.texts && float_allowed(ty) && self.config.bits,
        }
    }
}

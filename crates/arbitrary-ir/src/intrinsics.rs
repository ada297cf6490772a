//! Random calls of intrinsics, with the checks that make them total.

use ir::{BinaryOp, Const, Expr, IntType, Intrinsic, Type};

use crate::exprs::{compare, int, not};
use crate::tables::{CUSTOM, NULL_POINTER, OUT_OF_BOUNDS};
use crate::{Config, Generator};

fn call(function: Intrinsic, args: Vec<Expr>) -> Expr {
    Expr::Intrinsic { function, args }
}

impl Generator<'_> {
    /// An intrinsic that gives the type, if the configuration has one.
    pub(super) fn intrinsic(&mut self, ty: &Type, depth: usize) -> Expr {
        let fitting: Vec<Intrinsic> = self
            .intrinsics
            .iter()
            .filter(|(_, result)| result == ty)
            .map(|(function, _)| *function)
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

    /// The intrinsics that the configuration allows, with what they give.
    pub(super) fn allowed_intrinsics(config: &Config) -> Vec<(Intrinsic, Type)> {
        let allowed = Intrinsic::all().into_iter().filter(|function| allows(config, *function));
        allowed.map(|function| (function, function.signature().result)).collect()
    }

    /// A text that is checked or made not to be null.
    pub(super) fn text(&mut self, depth: usize) -> Expr {
        let text = self.expr(&Type::Text, depth);
        if !matches!(text, Expr::Const(Const::Text(_))) {
            let null = Box::new(Expr::Const(Const::NullText));
            let is_null = Expr::SameText { lhs: Box::new(text.clone()), rhs: null };
            if !self.random.one_in(3) {
                return Expr::If {
                    condition: Box::new(is_null),
                    then: Box::new(Expr::Const(Const::text("42"))),
                    otherwise: Box::new(text),
                };
            }
            self.require(not(is_null), NULL_POINTER);
        }
        text
    }

    fn text_at(&mut self, depth: usize) -> Vec<Expr> {
        let text = self.text(depth);
        let index = self.position(depth);
        let length = call(Intrinsic::TextLength, vec![text.clone()]);
        let i32 = IntType::I32;
        self.require(compare(BinaryOp::Le, i32, int(i32, 0), index.clone()), OUT_OF_BOUNDS);
        self.require(compare(BinaryOp::Lt, i32, index.clone(), length), OUT_OF_BOUNDS);
        vec![text, index]
    }

    /// A place in a text; most often one that is there.
    fn position(&mut self, depth: usize) -> Expr {
        match self.random.below(4) {
            0 => self.expr(&Type::I32, depth.min(1)),
            1 => int(IntType::I32, 1),
            _ => int(IntType::I32, 0),
        }
    }

    fn text_slice(&mut self, depth: usize) -> Vec<Expr> {
        let text = self.text(depth);
        let start = self.position(depth);
        let end = self.position(depth);
        let length = call(Intrinsic::TextLength, vec![text.clone()]);
        let i32 = IntType::I32;
        self.require(compare(BinaryOp::Le, i32, int(i32, 0), start.clone()), OUT_OF_BOUNDS);
        self.require(compare(BinaryOp::Le, i32, start.clone(), end.clone()), OUT_OF_BOUNDS);
        self.require(compare(BinaryOp::Le, i32, end.clone(), length), OUT_OF_BOUNDS);
        vec![text, start, end]
    }

    fn parsable(&mut self, parses: Intrinsic, depth: usize) -> Vec<Expr> {
        if !self.random.one_in(3) {
            return vec![Expr::Const(Const::text("42"))];
        }
        let text = self.text(depth);
        self.require(call(parses, vec![text.clone()]), CUSTOM);
        vec![text]
    }
}

fn allows(config: &Config, function: Intrinsic) -> bool {
    match function {
        Intrinsic::Floor(_)
        | Intrinsic::Ceil(_)
        | Intrinsic::Trunc(_)
        | Intrinsic::Rint(_)
        | Intrinsic::Round(_)
        | Intrinsic::Abs(_)
        | Intrinsic::Sqrt(_) => config.floats,
        Intrinsic::Cbrt(_)
        | Intrinsic::Sin(_)
        | Intrinsic::Cos(_)
        | Intrinsic::Tan(_)
        | Intrinsic::Asin(_)
        | Intrinsic::Acos(_)
        | Intrinsic::Atan(_)
        | Intrinsic::Sinh(_)
        | Intrinsic::Cosh(_)
        | Intrinsic::Tanh(_)
        | Intrinsic::Exp(_)
        | Intrinsic::Expm1(_)
        | Intrinsic::Log(_)
        | Intrinsic::Log10(_)
        | Intrinsic::Log1p(_)
        | Intrinsic::Log2(_)
        | Intrinsic::Pow(_)
        | Intrinsic::Atan2(_)
        | Intrinsic::Hypot(_)
        | Intrinsic::Strict(_) => config.floats && config.transcendental,
        Intrinsic::CopySign(_)
        | Intrinsic::IsNan(_)
        | Intrinsic::IsInfinite(_)
        | Intrinsic::ToBits(_)
        | Intrinsic::FromBits(_) => config.floats && config.bits,
        Intrinsic::CountOnes(_) | Intrinsic::LeadingZeros(_) | Intrinsic::TrailingZeros(_) => config.bits,
        Intrinsic::TextLength
        | Intrinsic::TextAt
        | Intrinsic::TextConcat
        | Intrinsic::TextSlice
        | Intrinsic::TextOfInt(_)
        | Intrinsic::TextOfBool
        | Intrinsic::TextOfChar
        | Intrinsic::ParsesAsInt(_)
        | Intrinsic::ParseInt(_) => config.texts,
        Intrinsic::TextHex(_) | Intrinsic::TextOctal(_) => config.texts && config.bits,
        Intrinsic::TextOfFloat(_)
        | Intrinsic::TextFixed(_)
        | Intrinsic::TextExponent(_)
        | Intrinsic::TextGeneral(_)
        | Intrinsic::ParsesAsFloat(_)
        | Intrinsic::ParseFloat(_) => config.texts && config.floats && config.bits,
        // An input does not say where its objects lie.
        Intrinsic::Before => false,
        // Code that is moved to a procedure of its own is given other objects.
        Intrinsic::Given => false,
        Intrinsic::AnyOfSign | Intrinsic::AnyNonzero => true,
        // No difference rests on them, so that runs would not show what solvers find.
        Intrinsic::UnwrittenInt(_) | Intrinsic::UnwrittenFloat(_) => false,
        Intrinsic::UnwrittenRef | Intrinsic::UnwrittenOffset => false,
    }
}

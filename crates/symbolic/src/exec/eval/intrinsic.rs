//! Which term each intrinsic function is.

use super::constant::float_name;
use super::float_functions::{self as floats, Rounding};
use super::{Evaluated, NoMeaning, text_functions as texts};
use crate::exec::Executor;
use crate::inputs::objects::{self, FIRST_INPUT, LAST_INPUT, NULL, index_number};
use crate::value::{format_of, int_sort, ref_number, ref_sort};
use ir::Numbers;
use ir::{FloatType, IntType, Intrinsic};
use smt::{BvCmp, FloatOp, Sort, Term};

impl Executor<'_> {
    pub(crate) fn intrinsic(&mut self, function: Intrinsic, args: &[Term]) -> Evaluated<Term> {
        if args.len() != function.signature().params.len() {
            return Err(NoMeaning::broken("an intrinsic with another number of arguments"));
        }
        let numbers = self.config.numbers;
        let (terms, notes) = (&mut *self.terms, &mut self.notes);
        Ok(match function {
            Intrinsic::Sqrt(_) => match numbers {
                Numbers::Machine => terms.float_op(FloatOp::Sqrt, args),
                Numbers::Math => floats::sqrt_real(terms, notes, self.config.sqrt_axioms, args[0]),
            },
            Intrinsic::Floor(ty) => self.rounded(Rounding::Floor, ty, args[0]),
            Intrinsic::Ceil(ty) => self.rounded(Rounding::Ceil, ty, args[0]),
            Intrinsic::Trunc(ty) => self.rounded(Rounding::Trunc, ty, args[0]),
            Intrinsic::Rint(ty) => self.rounded(Rounding::Rint, ty, args[0]),
            Intrinsic::Round(ty) => self.rounded(Rounding::Round, ty, args[0]),
            Intrinsic::Abs(_) => floats::abs(terms, numbers, args[0]),
            Intrinsic::CopySign(ty) => match numbers {
                Numbers::Machine => floats::copy_sign_float(terms, ty, args[0], args[1]),
                Numbers::Math => floats::copy_sign_real(terms, args[0], args[1]),
            },
            Intrinsic::Pow(_) if numbers == Numbers::Math => floats::pow_real(terms, notes, args[0], args[1]),
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
            | Intrinsic::Hypot(ty) => {
                floats::unknown_function(terms, notes, numbers, function.name(), ty, args)
            }
            Intrinsic::Strict(strict) => match numbers {
                Numbers::Machine => {
                    floats::unknown_function(terms, notes, numbers, function.name(), FloatType::F64, args)
                }
                Numbers::Math => return self.intrinsic(strict.function(), args),
            },
            Intrinsic::IsNan(_) => match numbers {
                Numbers::Machine => terms.float_is_nan(args[0]),
                Numbers::Math => terms.bool(false),
            },
            Intrinsic::IsInfinite(ty) => match numbers {
                Numbers::Machine => floats::is_infinite(terms, ty, args[0]),
                Numbers::Math => terms.bool(false),
            },
            Intrinsic::ToBits(ty) => match numbers {
                Numbers::Machine => terms.float_to_bits(args[0]),
                Numbers::Math => {
                    notes.unknown(terms, &format!("to_bits.{}.math", float_name(ty)), args, &Sort::Int)
                }
            },
            Intrinsic::FromBits(ty) => match numbers {
                Numbers::Machine => terms.float_from_bits(args[0], format_of(ty)),
                Numbers::Math => {
                    notes.unknown(terms, &format!("from_bits.{}.math", float_name(ty)), args, &Sort::Real)
                }
            },
            Intrinsic::CountOnes(ty) | Intrinsic::LeadingZeros(ty) | Intrinsic::TrailingZeros(ty) => {
                self.of_bits(function, ty, args)
            }
            Intrinsic::TextLength => texts::length(terms, notes, numbers, args[0]),
            Intrinsic::TextAt => texts::at(terms, notes, numbers, args[0], args[1]),
            Intrinsic::TextConcat => terms.text_concat(args),
            Intrinsic::TextSlice => texts::slice(terms, notes, [args[0], args[1], args[2]]),
            Intrinsic::TextOfInt(ty) => texts::of_int(terms, notes, numbers, ty, args[0]),
            Intrinsic::TextOfBool => texts::of_bool(terms, args[0]),
            Intrinsic::TextOfChar => texts::of_char(terms, notes, args[0]),
            Intrinsic::TextHex(ty) => texts::of_bits(terms, notes, ty, true, args[0]),
            Intrinsic::TextOctal(ty) => texts::of_bits(terms, notes, ty, false, args[0]),
            Intrinsic::TextOfFloat(_)
            | Intrinsic::TextFixed(_)
            | Intrinsic::TextExponent(_)
            | Intrinsic::TextGeneral(_) => texts::other(terms, notes, numbers, function, args, &Sort::Text),
            Intrinsic::ParsesAsInt(_) | Intrinsic::ParsesAsFloat(_) => {
                texts::other(terms, notes, numbers, function, args, &Sort::Bool)
            }
            Intrinsic::ParseInt(ty) => {
                texts::other(terms, notes, numbers, function, args, &int_sort(ty.width, numbers))
            }
            Intrinsic::ParseFloat(ty) => {
                let sort = match numbers {
                    Numbers::Machine => Sort::Float(format_of(ty)),
                    Numbers::Math => Sort::Real,
                };
                texts::other(terms, notes, numbers, function, args, &sort)
            }
            Intrinsic::AnyOfSign | Intrinsic::AnyNonzero => args[0],
            Intrinsic::UnwrittenInt(_) | Intrinsic::UnwrittenFloat(_) => args[0],
            // Any pointer, so that no proof rests on what it is.
            Intrinsic::UnwrittenRef => {
                notes.unknown(terms, "unwritten.object", &args[1..2], &ref_sort(numbers))
            }
            Intrinsic::UnwrittenOffset => {
                notes.unknown(terms, "unwritten.offset", &args[1..2], &int_sort(64, numbers))
            }
            Intrinsic::Before => self.lies_before(args[0], args[1]),
            Intrinsic::Given => {
                let (first, last) =
                    (ref_number(terms, FIRST_INPUT, numbers), ref_number(terms, LAST_INPUT, numbers));
                let (above, below) =
                    (objects::at_most(terms, first, args[0]), objects::at_most(terms, args[0], last));
                terms.and(&[above, below])
            }
        })
    }

    /// Whether an object lies before another one. Exact: each object has a place of its own, null the first.
    fn lies_before(&mut self, a: Term, b: Term) -> Term {
        let terms = &mut *self.terms;
        let numbers = self.config.numbers;
        let sort = Sort::array(ref_sort(numbers), int_sort(64, numbers));
        let places = terms.var("place", &sort);
        let null = ref_number(terms, NULL, numbers);
        let zero = index_number(terms, 0, 64, numbers);
        let mut facts = Vec::new();
        for object in [a, b] {
            let place = terms.select(places, object);
            let is_null = terms.eq(object, null);
            let is_first = terms.eq(place, zero);
            facts.push(terms.eq(is_null, is_first));
            if numbers == Numbers::Math {
                facts.push(terms.le(zero, place));
            }
        }
        let (place, other) = (terms.select(places, a), terms.select(places, b));
        let same_place = terms.eq(place, other);
        let same_object = terms.eq(a, b);
        facts.push(terms.implies(same_place, same_object));
        let before = match numbers {
            Numbers::Machine => terms.bv_cmp(BvCmp::Ult, place, other),
            Numbers::Math => terms.lt(place, other),
        };
        for fact in facts {
            self.notes.assume(self.terms, fact);
        }
        self.notes.texts.insert("objects lie in the same order in memory in both versions".to_owned());
        before
    }

    fn rounded(&mut self, rounding: Rounding, ty: FloatType, arg: Term) -> Term {
        match self.config.numbers {
            Numbers::Machine => floats::round_float(self.terms, rounding, ty, arg),
            Numbers::Math => floats::round_real(self.terms, rounding, arg),
        }
    }

    fn of_bits(&mut self, function: Intrinsic, ty: IntType, args: &[Term]) -> Term {
        let terms = &mut *self.terms;
        match (self.config.numbers, function) {
            (Numbers::Math, _) => {
                let name = format!("{}{}.math", function.name(), ty.width);
                self.notes.unknown(terms, &name, args, &Sort::Int)
            }
            (Numbers::Machine, Intrinsic::CountOnes(_)) => floats::count_ones(terms, ty, args[0]),
            (Numbers::Machine, Intrinsic::LeadingZeros(_)) => floats::leading_zeros(terms, ty, args[0]),
            (Numbers::Machine, _) => floats::trailing_zeros(terms, ty, args[0]),
        }
    }
}

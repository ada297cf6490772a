//! Constants to terms. Exact; under `math` infinities and NaN are unknown numbers, the same in both versions.

use super::{Evaluated, NoMeaning, machine, math};
use crate::exec::Executor;
use crate::inputs::objects;
use crate::value::{SortTree, SymValue, ref_number};
use ir::Numbers;
use ir::{Const, FloatType};
use num_rational::BigRational;
use smt::{FloatFormat, Sort, Term};

impl Executor<'_> {
    pub(crate) fn constant(&mut self, constant: &Const) -> Evaluated<SymValue> {
        let numbers = self.config.numbers;
        let terms = &mut *self.terms;
        let term = match constant {
            Const::Bool(value) => terms.bool(*value),
            Const::Int(ty, value) => match numbers {
                Numbers::Machine => machine::int_constant(terms, *ty, *value),
                Numbers::Math => terms.int(*value),
            },
            Const::F32(bits) => match numbers {
                Numbers::Machine => terms.float((*bits).into(), FloatFormat::F32),
                Numbers::Math => {
                    self.real(math::decimal_f32(f32::from_bits(*bits)), f64::from(f32::from_bits(*bits)))
                }
            },
            Const::F64(bits) => match numbers {
                Numbers::Machine => terms.float(*bits, FloatFormat::F64),
                Numbers::Math => self.real(math::decimal_f64(f64::from_bits(*bits)), f64::from_bits(*bits)),
            },
            Const::Text(units) => terms.text(units),
            Const::NullText => terms.text_null(),
            Const::Null => ref_number(terms, objects::NULL, numbers),
            Const::Static(id) => {
                let object = self.program.static_object(*id);
                let Some(number) = self.inputs.static_number(self.program, object) else {
                    return Err(NoMeaning::broken("a static object that is not among the inputs"));
                };
                ref_number(terms, number, numbers)
            }
            Const::Record(fields) => {
                let fields: Evaluated<Vec<SymValue>> =
                    fields.iter().map(|field| self.constant(field)).collect();
                return Ok(SymValue::Record(fields?));
            }
            Const::Map(key, value) => {
                let keys = SortTree::of(key, numbers).leaves();
                let value = self.constant(value)?;
                return Ok(value.map(&mut |leaf| self.constant_array(&keys, leaf)));
            }
        };
        Ok(SymValue::Scalar(term))
    }

    /// The array, or array of arrays, that has the element everywhere.
    pub(crate) fn constant_array(&mut self, keys: &[Sort], element: Term) -> Term {
        let mut array = element;
        for key in keys.iter().rev() {
            let sort = Sort::array(key.clone(), self.terms.sort_of(array).clone());
            array = self.terms.const_array(&sort, array);
        }
        array
    }

    fn real(&mut self, number: Option<BigRational>, float: f64) -> Term {
        let name = match number {
            Some(number) => return self.terms.real(number),
            None if float.is_nan() => "nan.math",
            None if float > 0.0 => "infinity.math",
            None => "minus_infinity.math",
        };
        self.notes.unknown(self.terms, name, &[], &Sort::Real)
    }

    /// Zero, false, null: what fresh cells of a type hold.
    pub(crate) fn zero(&mut self, ty: &ir::Type) -> SymValue {
        match self.constant(&Const::zero(ty)) {
            Ok(value) => value,
            Err(NoMeaning(what)) => panic!("zeros should have a meaning, not be {what}"),
        }
    }
}

/// The name of a format, as functions have it in theirs.
pub(crate) fn float_name(ty: FloatType) -> &'static str {
    match ty {
        FloatType::F32 => "f32",
        FloatType::F64 => "f64",
    }
}

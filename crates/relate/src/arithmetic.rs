//! Terms over numbers, whether these are bit-vectors, integers or reals; orders are signed.

use num_bigint::BigInt;
use num_rational::BigRational;
use smt::{BvCmp, BvOp, Sort, Term, Terms, Value};

pub(crate) fn scaled(terms: &mut Terms, sort: &Sort, term: Term, factor: i64) -> Term {
    let factor = number(terms, sort, factor);
    match sort {
        Sort::BitVec(_) => terms.bv_op(BvOp::Mul, factor, term),
        _ => terms.mul(&[factor, term]),
    }
}

pub(crate) fn sum(terms: &mut Terms, sort: &Sort, parts: &[Term]) -> Term {
    match sort {
        Sort::BitVec(_) => {
            let zero = number(terms, sort, 0);
            parts.iter().fold(zero, |sum, part| terms.bv_op(BvOp::Add, sum, *part))
        }
        _ => terms.add(parts),
    }
}

pub(crate) fn number(terms: &mut Terms, sort: &Sort, value: i64) -> Term {
    match sort {
        Sort::BitVec(width) => terms.bv_signed(value.into(), *width),
        Sort::Real => terms.real(BigRational::from(BigInt::from(value))),
        _ => terms.int(value),
    }
}

pub(crate) fn at_most(terms: &mut Terms, sort: &Sort, a: Term, b: Term) -> Term {
    match sort {
        Sort::BitVec(_) => terms.bv_cmp(BvCmp::Sle, a, b),
        _ => terms.le(a, b),
    }
}

/// A value as a number, if it is one.
pub(crate) fn as_number(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(value) => Some(BigRational::from(value.clone())),
        Value::Real(value) => Some(value.clone()),
        _ => value.as_signed().map(|value| BigRational::from(BigInt::from(value))),
    }
}

pub(crate) fn difference(terms: &mut Terms, a: Term, b: Term) -> Term {
    match terms.sort_of(a) {
        Sort::BitVec(_) => terms.bv_op(BvOp::Sub, a, b),
        _ => terms.sub(a, b),
    }
}

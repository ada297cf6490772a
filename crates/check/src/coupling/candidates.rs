//! Relations that may hold between two loops, read off from their runs.
//!
//! A guess in both directions: what is not proved later is dropped, and what is not guessed is not proved.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use smt::{BvCmp, Sort, Term, Terms, Value};

use super::Coupling;
use super::simulation::{Trace, simulate};

/// Coefficients beyond this are accidents.
const LARGEST_COEFFICIENT: i64 = 64;
/// Orders between values, at the most.
const MOST_ORDERS: usize = 60;

impl Coupling<'_> {
    pub(super) fn find_candidates(&mut self) {
        for place in 0..self.loops.len() {
            let trace = simulate(self, place);
            self.loops[place].relations = self.relations_of(place, &trace);
        }
    }

    fn relations_of(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let mut relations = BTreeSet::new();
        let iterations = &self.loops[place].iterations;
        let (old, new) = (iterations.old.before.clone(), iterations.new.before.clone());
        for a in &old {
            for b in &new {
                let same_sort = self.terms.sort_of(*a) == self.terms.sort_of(*b);
                if a != b && same_sort && trace.agree(*a, *b) {
                    relations.insert(self.terms.eq(*a, *b));
                }
            }
        }
        for sort in numeric_sorts(self.terms, trace) {
            let columns: Vec<Term> =
                trace.terms.iter().copied().filter(|term| *self.terms.sort_of(*term) == sort).collect();
            let rows = trace.numbers(&columns);
            for coefficients in linear_equalities(&rows, columns.len()) {
                relations.extend(equality(self.terms, &sort, &columns, &coefficients));
            }
            relations.extend(orders(self.terms, &sort, &columns, &rows));
        }
        let yes = self.terms.bool(true);
        relations.into_iter().filter(|relation| *relation != yes).collect()
    }
}

fn numeric_sorts(terms: &Terms, trace: &Trace) -> Vec<Sort> {
    let mut sorts: Vec<Sort> = Vec::new();
    for term in &trace.terms {
        let sort = terms.sort_of(*term);
        if matches!(sort, Sort::Int | Sort::Real | Sort::BitVec(_)) && !sorts.contains(sort) {
            sorts.push(sort.clone());
        }
    }
    sorts
}

/// A basis of all `c` with `c . (row, 1) = 0` for every row.
fn linear_equalities(rows: &[Vec<BigRational>], columns: usize) -> Vec<Vec<BigRational>> {
    if rows.len() < 3 || columns == 0 || columns > 24 {
        return Vec::new();
    }
    let width = columns + 1;
    let mut matrix: Vec<Vec<BigRational>> =
        rows.iter().map(|row| row.iter().cloned().chain([BigRational::one()]).collect()).collect();
    let mut pivots: Vec<usize> = Vec::new();
    // The constant comes first as a pivot, so that relations are said with as few variables as possible.
    for column in (0..width).rev() {
        let rank = pivots.len();
        let Some(found) = (rank..matrix.len()).find(|row| !matrix[*row][column].is_zero()) else { continue };
        matrix.swap(rank, found);
        let pivot = matrix[rank][column].clone();
        matrix[rank].iter_mut().for_each(|value| *value /= &pivot);
        for row in 0..matrix.len() {
            if row != rank && !matrix[row][column].is_zero() {
                let factor = matrix[row][column].clone();
                let subtracted: Vec<BigRational> = matrix[rank].iter().map(|value| value * &factor).collect();
                matrix[row].iter_mut().zip(subtracted).for_each(|(value, other)| *value -= other);
            }
        }
        pivots.push(column);
    }
    let free = (0..width).filter(|column| !pivots.contains(column));
    free.map(|column| {
        let mut solution = vec![BigRational::zero(); width];
        solution[column] = BigRational::one();
        for (row, pivot) in pivots.iter().enumerate() {
            solution[*pivot] = -matrix[row][column].clone();
        }
        solution
    })
    .collect()
}

/// The equality with these coefficients, as whole numbers; nothing if they are too large.
fn equality(terms: &mut Terms, sort: &Sort, columns: &[Term], coefficients: &[BigRational]) -> Option<Term> {
    let denominator = coefficients.iter().fold(BigInt::one(), |all, c| num_integer_lcm(&all, c.denom()));
    let whole: Vec<i64> = coefficients
        .iter()
        .map(|c| (c * BigRational::from(denominator.clone())).to_integer().to_i64())
        .collect::<Option<_>>()?;
    let (constant, factors) = whole.split_last()?;
    if factors.iter().any(|factor| factor.abs() > LARGEST_COEFFICIENT) || constant.abs() > 1 << 20 {
        return None;
    }
    let mut parts = Vec::new();
    for (term, factor) in columns.iter().zip(factors) {
        if *factor != 0 {
            parts.push(scaled(terms, sort, *term, *factor));
        }
    }
    let constant = number(terms, sort, *constant);
    parts.push(constant);
    let sum = sum(terms, sort, &parts);
    let zero = number(terms, sort, 0);
    Some(terms.eq(sum, zero))
}

fn num_integer_lcm(a: &BigInt, b: &BigInt) -> BigInt {
    let mut x = a.abs();
    let mut y = b.abs();
    while !y.is_zero() {
        (x, y) = (y.clone(), x % y);
    }
    (a * b).abs() / x
}

fn scaled(terms: &mut Terms, sort: &Sort, term: Term, factor: i64) -> Term {
    let factor = number(terms, sort, factor);
    match sort {
        Sort::BitVec(_) => terms.bv_op(smt::BvOp::Mul, factor, term),
        _ => terms.mul(&[factor, term]),
    }
}

fn sum(terms: &mut Terms, sort: &Sort, parts: &[Term]) -> Term {
    match sort {
        Sort::BitVec(_) => {
            let zero = number(terms, sort, 0);
            parts.iter().fold(zero, |sum, part| terms.bv_op(smt::BvOp::Add, sum, *part))
        }
        _ => terms.add(parts),
    }
}

fn number(terms: &mut Terms, sort: &Sort, value: i64) -> Term {
    match sort {
        Sort::BitVec(width) => terms.bv_signed(value.into(), *width),
        Sort::Real => terms.real(BigRational::from(BigInt::from(value))),
        _ => terms.int(value),
    }
}

/// Orders that every row shows: between two values, and to zero.
fn orders(terms: &mut Terms, sort: &Sort, columns: &[Term], rows: &[Vec<BigRational>]) -> Vec<Term> {
    let mut found = Vec::new();
    if rows.len() < 3 {
        return found;
    }
    let zero = number(terms, sort, 0);
    for (i, a) in columns.iter().enumerate() {
        if rows.iter().all(|row| !row[i].is_negative()) {
            found.push(at_most(terms, sort, zero, *a));
        }
        for (j, b) in columns.iter().enumerate() {
            if i != j && rows.iter().all(|row| row[i] <= row[j]) && rows.iter().any(|row| row[i] < row[j]) {
                found.push(at_most(terms, sort, *a, *b));
            }
            if found.len() >= MOST_ORDERS {
                return found;
            }
        }
    }
    found
}

fn at_most(terms: &mut Terms, sort: &Sort, a: Term, b: Term) -> Term {
    match sort {
        Sort::BitVec(_) => terms.bv_cmp(BvCmp::Sle, a, b),
        _ => terms.le(a, b),
    }
}

/// A value as a number, if it is one.
pub(super) fn as_number(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(value) => Some(BigRational::from(value.clone())),
        Value::Real(value) => Some(value.clone()),
        _ => value.as_signed().map(|value| BigRational::from(BigInt::from(value))),
    }
}

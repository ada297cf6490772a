//! Relations with products of two values: sums of counters against closed forms, products against repeated sums.
//!
//! A guess, like all candidates.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use smt::{BvOp, Sort, Term};

use crate::LoopProduct;
use crate::candidates::{equality, linear_equalities};
use crate::simulation::Trace;

/// Values whose products are looked at, and relations that are kept, at the most.
const MOST_VALUES: usize = 5;
const MOST_RELATIONS: usize = 12;
/// Larger values overflow when they are multiplied.
const LARGEST_VALUE: i64 = 1 << 14;

impl LoopProduct<'_> {
    pub(crate) fn products(&mut self, sort: &Sort, columns: &[Term], trace: &Trace) -> Vec<Term> {
        if !matches!(sort, Sort::Int | Sort::BitVec(_)) {
            return Vec::new();
        }
        let largest = BigRational::from(BigInt::from(LARGEST_VALUE));
        let mut rows = trace.numbers(columns);
        rows.retain(|row| row.iter().all(|value| value.abs() < largest));
        rows.truncate(MOST_ROWS);
        // What is a sum of the others says nothing new.
        let dependent = linear_equalities(&rows, columns.len());
        let is_dependent = |at: usize| dependent.iter().any(|relation| first_of(relation) == Some(at));
        let independent: Vec<usize> = (0..columns.len()).filter(|at| !is_dependent(*at)).collect();
        if independent.is_empty() || independent.len() > MOST_VALUES || rows.len() < 2 * LEAST_ROWS {
            return Vec::new();
        }
        let mut values: Vec<Term> = independent.iter().map(|at| columns[*at]).collect();
        for row in &mut rows {
            *row = independent.iter().map(|at| row[*at].clone()).collect();
        }
        let count = values.len();
        for a in 0..count {
            for b in a..count {
                values.push(match sort {
                    Sort::BitVec(_) => self.terms.bv_op(BvOp::Mul, values[a], values[b]),
                    _ => self.terms.mul(&[values[a], values[b]]),
                });
                for row in &mut rows {
                    let product = &row[a] * &row[b];
                    row.push(product);
                }
            }
        }
        let equalities = linear_equalities(&rows, values.len());
        let mut found = Vec::new();
        for coefficients in equalities.iter().take(MOST_RELATIONS) {
            found.extend(equality(self.terms, sort, &values, coefficients));
        }
        trace.not_refuted(self.terms, found)
    }
}

/// As many rows as there are products show nothing, and many more show nothing new.
const LEAST_ROWS: usize = 20;
const MOST_ROWS: usize = 150;

/// The value that a relation gives by the others.
fn first_of(relation: &[BigRational]) -> Option<usize> {
    relation.iter().position(|coefficient| !num_traits::Zero::is_zero(coefficient))
}

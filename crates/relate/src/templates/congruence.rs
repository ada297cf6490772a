//! Numbers that leave the same rest in every iteration: counters that go in steps of two, four or eight.
//!
//! A guess, like all candidates.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Euclid;
use smt::{BvOp, Sort, Term};

use crate::LoopProduct;
use crate::simulation::Trace;

const MODULI: [i64; 3] = [2, 4, 8];
/// Values that are seen less often may be even by accident.
const LEAST_SEEN: usize = 6;

impl LoopProduct<'_> {
    /// The states that leave the same rest each time, each with the largest modulus.
    pub(crate) fn residues(&mut self, place: usize, trace: &Trace) -> Vec<Term> {
        let mut found = Vec::new();
        for value in trace.terms.clone() {
            if !self.is_state_of(place, value) {
                continue;
            }
            let seen = trace.numbers(&[value]);
            let seen: Vec<&BigRational> = seen.iter().map(|row| &row[0]).collect();
            if seen.len() < LEAST_SEEN || seen.iter().all(|it| *it == seen[0]) {
                continue;
            }
            let rest = |modulus: i64| {
                let modulus = BigInt::from(modulus);
                let first = seen[0].to_integer().rem_euclid(&modulus);
                seen.iter().all(|it| it.to_integer().rem_euclid(&modulus) == first).then_some(first)
            };
            let largest = MODULI.iter().rev().find_map(|modulus| Some((*modulus, rest(*modulus)?)));
            if let Some((modulus, rest)) = largest {
                found.extend(self.leaves_rest(value, modulus, &rest));
            }
        }
        trace.not_refuted(self.terms, found)
    }

    fn leaves_rest(&mut self, value: Term, modulus: i64, rest: &BigInt) -> Option<Term> {
        let rest = i64::try_from(rest).ok()?;
        let terms = &mut *self.terms;
        match *terms.sort_of(value) {
            Sort::Int => {
                let modulus = terms.int(modulus);
                let left = terms.int_mod_euclid(value, modulus);
                let rest = terms.int(rest);
                Some(terms.eq(left, rest))
            }
            Sort::BitVec(width) => {
                let low_bits = terms.bv_signed((modulus - 1).into(), width);
                let left = terms.bv_op(BvOp::And, value, low_bits);
                let rest = terms.bv_signed(rest.into(), width);
                Some(terms.eq(left, rest))
            }
            _ => None,
        }
    }
}

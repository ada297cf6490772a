//! Terms a hundred thousand levels deep: every walk over them must do without recursion.

use crate::common::{limits, solver};
use smt::{Answer, Assignment, BvCmp, BvOp, Encoding, Floats, Query, Sort, Term, Terms, Value};
use std::collections::BTreeMap;

const DEPTH: u64 = 100_000;

/// `(((x & y) / 3) & y) / 3 ...`, which no rule takes apart.
fn deep(terms: &mut Terms) -> (Term, Term) {
    let x = terms.var("x", &Sort::BitVec(32));
    let y = terms.var("y", &Sort::BitVec(32));
    let three = terms.bv(3, 32);
    let mut term = x;
    for _ in 0..DEPTH / 2 {
        let masked = terms.bv_op(BvOp::And, term, y);
        term = terms.bv_op(BvOp::Sdiv, masked, three);
    }
    (term, x)
}

#[test]
fn building_evaluating_substituting_and_printing() {
    let mut terms = Terms::new();
    let (term, x) = deep(&mut terms);
    assert!(terms.size(term) as u64 > DEPTH);
    let values = [("x", 81), ("y", 0x7fff_ffff)];
    let variables = values.map(|(name, bits)| (name.to_owned(), Value::bit_vec(bits, 32)));
    let assignment = Assignment { variables: BTreeMap::from(variables), ..Assignment::default() };
    assert_eq!(terms.evaluate(term, &assignment), Some(Value::bit_vec(0, 32)));
    let zero = terms.bv(0, 32);
    assert_eq!(terms.substitute(term, &BTreeMap::from([(x, zero)])), zero);
    let y = terms.var("y", &Sort::BitVec(32));
    let other = terms.var("other", &Sort::BitVec(32));
    let replaced = terms.substitute(term, &BTreeMap::from([(y, other)]));
    assert_eq!(terms.variables(replaced).len(), 2);
    let text = terms.print(term);
    assert!((text.len() as u64) < 40 * DEPTH, "{} bytes", text.len());
}

#[test]
fn conditionals_conjunctions_sums_and_writings() {
    let mut terms = Terms::new();
    let mut chosen = terms.bv(0, 32);
    let mut both = terms.bool(true);
    let mut sum = terms.bv(0, 32);
    let mut array = terms.var("a", &Sort::array(Sort::BitVec(32), Sort::BitVec(32)));
    for number in 0..DEPTH / 4 {
        let value = terms.var(&format!("x{number}"), &Sort::BitVec(32));
        let below = terms.bv_cmp(BvCmp::Slt, value, chosen);
        chosen = terms.ite(below, value, chosen);
        both = terms.and(&[below, both]);
        sum = terms.bv_op(BvOp::Add, sum, value);
        array = terms.store(array, value, sum);
    }
    let read = terms.select(array, sum);
    let equal = terms.eq(read, chosen);
    let goal = terms.or(&[both, equal]);
    let query = Query::new(&terms, &[goal], &[], Encoding { floats: Floats::Symbols });
    assert!((query.text().len() as u64) < 400 * DEPTH, "{} bytes", query.text().len());
}

#[test]
fn a_solver_reads_deep_terms() {
    let Some(mut solver) = solver() else { return };
    let mut terms = Terms::new();
    let (term, x) = deep(&mut terms);
    let zero = terms.bv(0, 32);
    let is_zero = terms.eq(x, zero);
    let result_is_zero = terms.eq(term, zero);
    let other = terms.not(result_is_zero);
    // What counts is that the process takes it in without falling over.
    let answer = solver.check(&terms, &[is_zero, other], &[], &limits(Floats::Symbols)).unwrap();
    assert!(matches!(answer, Answer::Unsat | Answer::Unknown(_)), "{answer:?}");
}

//! Equality elimination: equations among the premises are solved for their variables, and the rest is asked without
//! these variables.
//!
//! Exact: a variable that equals a term is that term. Where the versions compute the same from values that are equal,
//! the terms become the same, and the solver does not have to find that out by comparing bits.

use std::collections::BTreeMap;

use smt::{BvOp, Op, Sort, Term, Terms};

use crate::inequality::{Order, order};

/// The values of variables that follow from equations among the conditions.
pub(crate) fn solve_equalities(terms: &mut Terms, conditions: &[Term]) -> BTreeMap<Term, Term> {
    solve_equalities_for(terms, conditions, &|_| true)
}

/// The same for some variables only.
pub(crate) fn solve_equalities_for(
    terms: &mut Terms,
    conditions: &[Term],
    is_wanted: &dyn Fn(Term) -> bool,
) -> BTreeMap<Term, Term> {
    let mut known: BTreeMap<Term, Term> = BTreeMap::new();
    let mut worklist: Vec<Term> = conditions.iter().rev().copied().collect();
    while let Some(condition) = worklist.pop() {
        if *terms.op(condition) == Op::And {
            worklist.extend(terms.args(condition).iter().rev());
            continue;
        }
        if *terms.op(condition) != Op::Eq {
            continue;
        }
        let [a, b] = [terms.args(condition)[0], terms.args(condition)[1]];
        let (a, b) = (terms.substitute(a, &known), terms.substitute(b, &known));
        let found = if is_wanted(a) && can_be(terms, a, b) {
            (a, b)
        } else if is_wanted(b) && can_be(terms, b, a) {
            (b, a)
        } else {
            continue;
        };
        let one = BTreeMap::from([found]);
        for value in known.values_mut() {
            *value = terms.substitute(*value, &one);
        }
        known.insert(found.0, found.1);
    }
    known
}

/// The values of bit-vector variables that follow from inequalities: `a < b` and `b - 1 <= a` say that `b` is `a + 1`.
pub(crate) fn equalities_from_bounds(terms: &mut Terms, conditions: &[Term]) -> BTreeMap<Term, Term> {
    let mut worklist: Vec<Term> = conditions.to_vec();
    let mut less: Vec<(Term, Term)> = Vec::new();
    let mut at_most: Vec<(Term, Term)> = Vec::new();
    while let Some(condition) = worklist.pop() {
        match order(terms, condition) {
            Some(Order { low, high, is_strict: true }) => less.push((low, high)),
            Some(Order { low, high, is_strict: false }) => at_most.push((low, high)),
            None if *terms.op(condition) == Op::And => worklist.extend(terms.args(condition)),
            None => {}
        }
    }
    let mut found: BTreeMap<Term, Term> = BTreeMap::new();
    for (a, b) in less {
        let Sort::BitVec(width) = *terms.sort_of(b) else { continue };
        let minus_one = terms.bv_signed((-1).into(), width);
        let before_b = terms.bv_op(BvOp::Add, b, minus_one);
        let one = terms.bv(1, width);
        let after_a = terms.bv_op(BvOp::Add, a, one);
        let is_new = found.values().chain([&after_a]).all(|value| can_be(terms, b, *value));
        if at_most.contains(&(before_b, a))
            && is_new
            && !terms.variables(after_a).iter().any(|it| found.contains_key(it))
        {
            found.insert(b, after_a);
        }
    }
    found
}

/// Whether a term is a variable that does not occur in the other one.
fn can_be(terms: &Terms, variable: Term, value: Term) -> bool {
    matches!(terms.op(variable), Op::Var(_)) && !terms.variables(value).contains(&variable)
}

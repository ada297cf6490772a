//! Equations among what is known, solved for their variables: the rest is asked without these variables.
//!
//! Exact: a variable that equals a term is that term. Where the versions compute the same from values that are equal,
//! the terms become the same, and the solver does not have to find that out by comparing bits.

use std::collections::BTreeMap;

use smt::{Op, Term, Terms};

/// What variables stand for, as the conditions say.
pub(super) fn solved(terms: &mut Terms, conditions: &[Term]) -> BTreeMap<Term, Term> {
    let mut known: BTreeMap<Term, Term> = BTreeMap::new();
    let mut open: Vec<Term> = conditions.iter().rev().copied().collect();
    while let Some(condition) = open.pop() {
        if *terms.op(condition) == Op::And {
            open.extend(terms.args(condition).iter().rev());
            continue;
        }
        if *terms.op(condition) != Op::Eq {
            continue;
        }
        let [a, b] = [terms.args(condition)[0], terms.args(condition)[1]];
        let (a, b) = (terms.substitute(a, &known), terms.substitute(b, &known));
        let found = if can_be(terms, a, b) {
            (a, b)
        } else if can_be(terms, b, a) {
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

/// Whether a term is a variable that does not occur in the other one.
fn can_be(terms: &Terms, variable: Term, value: Term) -> bool {
    matches!(terms.op(variable), Op::Var(_)) && !terms.variables(value).contains(&variable)
}

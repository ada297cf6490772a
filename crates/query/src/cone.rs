//! The cone of influence of a question: the premises that share variables with it, directly or through other premises.
//!
//! Loops that have nothing to do with each other would otherwise make every question about one of them as long as the
//! program. Over-approximating: with fewer conditions more is possible; but what is left out has no part in the rest,
//! unless it contradicts itself.

use std::collections::BTreeSet;

use smt::{Op, Term, Terms};

/// How far conditions may be from what a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// They speak of it themselves.
    Near,
    /// They speak of it, or of what other conditions connect with it.
    All,
}

/// The conditions that say something of what a question is about. What is computed connects conditions; inputs connect
/// only those that speak of nothing else, or else all that reads the same input would hang together.
pub fn relevant(
    terms: &Terms,
    inputs: &BTreeSet<Term>,
    conditions: &[Term],
    about: &[Term],
    reach: Reach,
) -> Vec<Term> {
    let mut reached = Reached::default();
    for term in about {
        reached.extend(&Reached::of(terms, inputs, *term));
    }
    let speak: Vec<Reached> = conditions.iter().map(|it| Reached::of(terms, inputs, *it)).collect();
    let mut is_kept = vec![false; conditions.len()];
    loop {
        let near: Vec<usize> = (0..conditions.len())
            .filter(|place| !is_kept[*place] && speak[*place].is_about(&reached))
            .collect();
        for place in &near {
            is_kept[*place] = true;
            reached.extend(&speak[*place]);
        }
        if near.is_empty() || reach == Reach::Near {
            break;
        }
    }
    conditions.iter().copied().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(it, _)| it).collect()
}

/// What terms speak of.
#[derive(Default)]
struct Reached {
    inputs: BTreeSet<Term>,
    computed: BTreeSet<Term>,
}

impl Reached {
    fn of(terms: &Terms, inputs: &BTreeSet<Term>, term: Term) -> Reached {
        let variables = terms.variables(term).into_iter();
        let (inputs, computed) = variables.partition(|variable| inputs.contains(variable));
        Reached { inputs, computed }
    }

    fn extend(&mut self, other: &Reached) {
        self.inputs.extend(&other.inputs);
        self.computed.extend(&other.computed);
    }

    fn is_about(&self, reached: &Reached) -> bool {
        match self.computed.is_empty() {
            true => self.inputs.is_empty() || !self.inputs.is_disjoint(&reached.inputs),
            false => !self.computed.is_disjoint(&reached.computed),
        }
    }
}

/// The parts of a conjunction.
pub fn conjuncts(terms: &Terms, term: Term) -> Vec<Term> {
    let mut found = BTreeSet::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match terms.op(term) {
            Op::And => open.extend_from_slice(terms.args(term)),
            _ if terms.as_bool(term) == Some(true) => {}
            _ => {
                found.insert(term);
            }
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use smt::Sort;

    use super::*;

    #[test]
    fn what_is_computed_connects_and_inputs_do_not() {
        let mut terms = Terms::new();
        let [a, x, y, z] = ["a", "x", "y", "z"].map(|name| terms.var(name, &Sort::Int));
        let [near, far, apart] = [(x, y), (y, a), (z, a)].map(|(one, other)| terms.lt(one, other));
        let relevant = |reach| relevant(&terms, &BTreeSet::from([a]), &[near, far, apart], &[x], reach);
        assert_eq!(relevant(Reach::Near), [near]);
        assert_eq!(relevant(Reach::All), [near, far]);
    }

    #[test]
    fn conditions_of_inputs_count_where_these_are_spoken_of() {
        let mut terms = Terms::new();
        let [a, b, x] = ["a", "b", "x"].map(|name| terms.var(name, &Sort::Int));
        let zero = terms.int(0);
        let [of_a, of_b, both] = [(zero, a), (zero, b), (x, a)].map(|(one, other)| terms.lt(one, other));
        let inputs = BTreeSet::from([a, b]);
        assert_eq!(relevant(&terms, &inputs, &[of_a, of_b, both], &[x], Reach::All), [of_a, both]);
    }
}

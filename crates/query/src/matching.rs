//! Matching modulo associativity and commutativity: which parts of two sums, products or conjunctions belong together.
//!
//! A guess. What loops leave behind has names that say nothing: there it counts which inputs conditions connect with it.

use std::collections::{BTreeMap, BTreeSet};

use smt::{Term, Terms};

/// What terms are told apart by.
pub(crate) struct Matching {
    inputs: BTreeSet<Term>,
    /// The inputs that conditions connect with what is computed.
    connected: BTreeMap<Term, BTreeSet<Term>>,
}

/// What a term has to do with.
struct Family {
    term: Term,
    inputs: BTreeSet<Term>,
    parts: BTreeSet<Term>,
}

impl Matching {
    pub(crate) fn new(terms: &Terms, inputs: BTreeSet<Term>, conditions: &[Term]) -> Matching {
        let mut connected: BTreeMap<Term, BTreeSet<Term>> = BTreeMap::new();
        for condition in conditions {
            let (of_inputs, computed): (BTreeSet<Term>, BTreeSet<Term>) =
                terms.variables(*condition).into_iter().partition(|variable| inputs.contains(variable));
            for symbol in computed {
                connected.entry(symbol).or_default().extend(&of_inputs);
            }
        }
        Matching { inputs, connected }
    }

    /// The variables that stand for inputs.
    pub(crate) fn inputs(&self) -> &BTreeSet<Term> {
        &self.inputs
    }

    /// For each part of the right term the one of the left term that goes with it, as many as there are.
    pub(crate) fn partners(&self, terms: &Terms, left: &[Term], right: &[Term]) -> Vec<Term> {
        let families =
            |list: &[Term]| -> Vec<Family> { list.iter().map(|it| self.family(terms, *it)).collect() };
        let (left, right) = (families(left), families(right));
        let mut pairs = Vec::new();
        for (place, their) in right.iter().enumerate() {
            pairs.extend(left.iter().enumerate().map(|(at, our)| (our.likeness(their), place, at)));
        }
        // The most alike first, and of those the first ones.
        pairs.sort_by_key(|(likeness, place, at)| (std::cmp::Reverse(*likeness), *place, *at));
        let mut partners: BTreeMap<usize, usize> = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for (_, place, at) in pairs {
            if !partners.contains_key(&place) && taken.insert(at) {
                partners.insert(place, at);
            }
        }
        partners.into_values().map(|at| left[at].term).collect()
    }

    fn family(&self, terms: &Terms, term: Term) -> Family {
        let parts: BTreeSet<Term> = terms.reachable(&[term]).into_iter().collect();
        let behind = parts.iter().filter_map(|part| self.connected.get(part)).flatten();
        let inputs = parts.intersection(&self.inputs).chain(behind).copied().collect();
        Family { term, inputs, parts }
    }
}

impl Family {
    /// How much two terms have in common: first of the inputs, in thousandths, then of the rest.
    fn likeness(&self, other: &Family) -> (usize, usize) {
        let all = self.inputs.union(&other.inputs).count().max(1);
        let common = self.inputs.intersection(&other.inputs).count();
        (common * 1000 / all, self.parts.intersection(&other.parts).count())
    }
}

#[cfg(test)]
mod tests {
    use smt::Sort;

    use super::*;

    #[test]
    fn what_conditions_connect_with_the_same_input_goes_together() {
        let mut terms = Terms::new();
        let [a, b, x, y] = ["a", "b", "x", "y"].map(|name| terms.var(name, &Sort::Int));
        let known = [terms.eq(x, b), terms.eq(y, a)];
        let kinship = Matching::new(&terms, BTreeSet::from([a, b]), &known);
        assert_eq!(kinship.partners(&terms, &[x, y], &[a, b]), [y, x]);
    }

    #[test]
    fn what_has_nothing_in_common_goes_together_in_order() {
        let mut terms = Terms::new();
        let [x, y, z, u] = ["x", "y", "z", "u"].map(|name| terms.var(name, &Sort::Int));
        let kinship = Matching::new(&terms, BTreeSet::new(), &[]);
        assert_eq!(kinship.partners(&terms, &[x, y], &[z, u]), [x, y]);
    }
}

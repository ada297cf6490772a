//! The variables that stand for inputs.

use std::collections::BTreeSet;

use smt::{Term, Terms};

use super::Inputs;

/// The variables that stand for inputs.
pub fn input_variables(terms: &Terms, inputs: &Inputs) -> BTreeSet<Term> {
    let values = inputs.args.iter().chain(inputs.globals.values());
    let mut roots: Vec<Term> = values.flat_map(|input| input.value.leaves()).collect();
    roots.extend(inputs.regions.values().flat_map(|region| region.cells.leaves()));
    roots.extend(inputs.lengths);
    roots.extend([inputs.shapes, inputs.world]);
    roots.into_iter().flat_map(|root| terms.variables(root)).collect()
}

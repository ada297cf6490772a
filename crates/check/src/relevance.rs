//! The conditions that a question needs: those that speak of something that it speaks of, directly or through others.
//!
//! Loops that have nothing to do with each other would otherwise make every question about one of them as long as the
//! program. Over-approximating: with fewer conditions more is possible; but what is left out has no part in the rest,
//! unless it contradicts itself.

use std::collections::BTreeSet;

use smt::{Op, Term, Terms};

/// The conditions that say something of what a question is about. What is computed connects conditions; inputs connect
/// only those that speak of nothing else, or else all that reads the same input would hang together.
pub(crate) fn relevant(
    terms: &Terms,
    inputs: &BTreeSet<Term>,
    conditions: Vec<Term>,
    about: &[Term],
) -> Vec<Term> {
    let mut inputs_reached = BTreeSet::new();
    let mut symbols_reached = BTreeSet::new();
    let mut open = Vec::new();
    for term in about.iter().chain(&conditions) {
        let (of_inputs, symbols): (BTreeSet<Term>, BTreeSet<Term>) =
            terms.variables(*term).into_iter().partition(|variable| inputs.contains(variable));
        open.push((*term, of_inputs, symbols));
    }
    for (_, of_inputs, symbols) in open.drain(..about.len()) {
        inputs_reached.extend(of_inputs);
        symbols_reached.extend(symbols);
    }
    loop {
        let before = open.len();
        open.retain(|(_, of_inputs, symbols)| {
            let is_apart = match symbols.is_empty() {
                true => !of_inputs.is_empty() && of_inputs.is_disjoint(&inputs_reached),
                false => symbols.is_disjoint(&symbols_reached),
            };
            if !is_apart {
                inputs_reached.extend(of_inputs);
                symbols_reached.extend(symbols);
            }
            is_apart
        });
        if open.len() == before {
            break;
        }
    }
    let left_out: BTreeSet<Term> = open.into_iter().map(|(condition, ..)| condition).collect();
    conditions.into_iter().filter(|condition| !left_out.contains(condition)).collect()
}

/// The parts of a conjunction.
pub(crate) fn conjuncts(terms: &Terms, term: Term) -> Vec<Term> {
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

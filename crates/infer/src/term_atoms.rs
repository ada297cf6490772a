//! Atoms from the meaning of the versions: what decides whether they differ, said again in the words of the source.
//!
//! Both versions are summarised as terms over their inputs. The comparisons in them know what the text hides: parameters
//! that were assigned, values that go through callees, and what both results are. Nothing rests on the printing being
//! right: an atom is an expression that a front end reads again, and a condition made of it is proved.

use std::collections::BTreeSet;

use check::{CheckConfig, DifferenceTerms, difference_terms};
use ir::{Pair, Subject};
use smt::{Op, Sort, Term, Terms};

use crate::members::CellNames;
use crate::term_text::Words;

/// Nodes that are looked at, and atoms that are kept.
const MOST_NODES: usize = 4_000;
const MOST_ATOMS: usize = 40;
/// Values that a result may have, of which pairs are compared.
const MOST_VALUES: usize = 6;
/// Longer atoms tell a reader nothing.
const LONGEST: usize = 70;

/// The comparisons that decide whether the versions differ, the shortest first.
pub fn term_atoms(pair: Pair<Subject<'_>>, cells: &CellNames, config: &CheckConfig) -> Vec<String> {
    let Some(found) = difference_terms(pair, config) else { return Vec::new() };
    let DifferenceTerms { mut terms, inputs, differ, results } = found;
    let mut atoms: Vec<Term> = Vec::new();
    if let ([old], [new]) = (results.old.as_slice(), results.new.as_slice()) {
        compare_leaves(&mut terms, *old, *new, &mut atoms);
    }
    let nodes: Vec<Term> = terms.reachable(&[differ]).into_iter().take(MOST_NODES).collect();
    for node in nodes {
        match (terms.op(node).clone(), terms.args(node).to_vec().as_slice()) {
            (Op::Eq, [left, right]) if *terms.sort_of(*left) != Sort::Bool => {
                compare_leaves(&mut terms, *left, *right, &mut atoms);
            }
            (
                Op::BvCmp(_) | Op::Lt | Op::Le | Op::FloatCmp(_) | Op::FloatIsNan | Op::Var(_) | Op::Select,
                _,
            ) if *terms.sort_of(node) == Sort::Bool => atoms.push(node),
            _ => {}
        }
    }
    let words = Words::of(&inputs, pair.new, cells);
    let mut texts: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for atom in atoms {
        let text = match terms.op(atom) {
            Op::Not => words.text(&terms, terms.args(atom)[0]),
            _ => words.text(&terms, atom),
        };
        texts.extend(text.filter(|text| text.len() <= LONGEST && seen.insert(text.clone())));
    }
    texts.sort_by_key(String::len);
    texts.truncate(MOST_ATOMS);
    texts
}

/// That two values are equal, for each pair of values that they may have.
fn compare_leaves(terms: &mut Terms, left: Term, right: Term, atoms: &mut Vec<Term>) {
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    leaves(terms, left, &mut lefts);
    leaves(terms, right, &mut rights);
    for left in &lefts {
        for right in &rights {
            let equal = terms.eq(*left, *right);
            if terms.as_bool(equal).is_none() {
                atoms.push(equal);
            }
        }
    }
}

/// The values that a term may have by its conditionals.
fn leaves(terms: &Terms, term: Term, found: &mut Vec<Term>) {
    match (terms.op(term), terms.args(term)) {
        (Op::Ite, &[_, then, otherwise]) => {
            leaves(terms, then, found);
            leaves(terms, otherwise, found);
        }
        _ if found.len() < MOST_VALUES && !found.contains(&term) => found.push(term),
        _ => {}
    }
}

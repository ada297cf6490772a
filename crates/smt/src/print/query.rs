//! One question for a solver as SMT-LIB text: declarations, definitions, assertions.

use super::encoder::{Encoder, Encoding, Floats};
use super::texts;
use crate::magnitude::Magnitude;
use crate::op::{FloatOp, Op};
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use std::collections::BTreeSet;

/// A conjunction of assertions, ready to be asked whether it is satisfiable.
#[derive(Clone, Debug)]
pub struct Query {
    text: String,
    values: Vec<String>,
    literals: Vec<(Term, String)>,
    approximated: BTreeSet<String>,
    rounds: bool,
    fragment: Fragment,
    magnitude: Magnitude,
}

/// What a question speaks of, as far as methods depend on it; each may also speak of what those before it do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fragment {
    /// Real numbers and nothing else.
    Reals,
    /// Numbers and nothing else, some of them integers.
    Integers,
    /// Numbers, and maps or unknown functions of them.
    Maps,
    /// Bits, floats or texts as well.
    Other,
}

impl Query {
    /// Writes the assertions; `wanted` are the terms whose values will be asked for.
    pub fn new(terms: &Terms, assertions: &[Term], wanted: &[Term], encoding: Encoding) -> Query {
        let mut encoder = Encoder::new(encoding);
        let mut text = String::new();
        let roots: Vec<Term> = assertions.iter().chain(wanted).copied().collect();
        encoder.prepare(terms, &roots, &mut text);
        texts::write_facts(&mut encoder, terms, &roots, &mut text);
        for &assertion in assertions {
            text.push_str("(assert ");
            encoder.write(terms, assertion, &mut text);
            text.push_str(")\n");
        }
        let values = wanted.iter().map(|&term| {
            let mut text = String::new();
            encoder.write(terms, term, &mut text);
            text
        });
        Query {
            values: values.collect(),
            text,
            literals: encoder.text_literals().to_vec(),
            approximated: encoder.approximated().clone(),
            rounds: encoding.floats == Floats::Ieee
                && terms.reachable(&roots).iter().any(|&t| rounds(terms.op(t))),
            fragment: fragment(terms, &roots),
            magnitude: Magnitude::of(terms, &roots),
        }
    }

    /// Asks for values of the free variables such that the body holds for all values of the `bound` ones.
    pub fn for_all(terms: &Terms, bound: &[Term], body: Term, encoding: Encoding) -> Query {
        let mut encoder = Encoder::new(encoding);
        let mut text = String::new();
        encoder.write_for_all(terms, bound, body, &mut text);
        Query {
            values: Vec::new(),
            text,
            literals: encoder.text_literals().to_vec(),
            approximated: encoder.approximated().clone(),
            rounds: false,
            fragment: Fragment::Other,
            magnitude: Magnitude::of(terms, &[body]),
        }
    }

    /// The commands up to, and without, `(check-sat)`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the solver is told all that the terms mean. If not, *unsat* is right still, but
    /// *sat* may come from operations that were left uninterpreted.
    pub fn is_exact(&self) -> bool {
        self.approximated.is_empty()
    }

    /// The operations that were left uninterpreted although terms give them a meaning.
    pub fn approximated(&self) -> &BTreeSet<String> {
        &self.approximated
    }

    /// Whether IEEE operations that round occur, which only whole-problem methods do well on.
    pub(crate) fn rounds(&self) -> bool {
        self.rounds
    }

    /// What the terms speak of. Methods are chosen by it; answers do not rest on it.
    pub(crate) fn fragment(&self) -> Fragment {
        self.fragment
    }

    /// How large its polynomials are. Limits are chosen by it; answers do not rest on it.
    pub(crate) fn magnitude(&self) -> Magnitude {
        self.magnitude
    }

    /// The expressions of the wanted terms, in their order.
    pub(crate) fn values(&self) -> &[String] {
        &self.values
    }

    /// The symbols of the text literals.
    pub(crate) fn literals(&self) -> &[(Term, String)] {
        &self.literals
    }
}

fn fragment(terms: &Terms, roots: &[Term]) -> Fragment {
    let mut found = Fragment::Reals;
    for &term in terms.reachable(roots).iter() {
        let of_term = match (terms.op(term), terms.sort_of(term)) {
            (Op::Apply(_), _) => Fragment::Maps,
            (_, sort) => fragment_of(sort),
        };
        found = found.max(of_term);
    }
    found
}

fn fragment_of(sort: &Sort) -> Fragment {
    match sort {
        Sort::Bool | Sort::Real => Fragment::Reals,
        Sort::Int => Fragment::Integers,
        Sort::Array(index, element) => Fragment::Maps.max(fragment_of(index)).max(fragment_of(element)),
        Sort::Uninterpreted(_) => Fragment::Maps,
        Sort::BitVec(_) | Sort::Float(_) | Sort::Text => Fragment::Other,
    }
}

fn rounds(op: &Op) -> bool {
    match op {
        Op::Float(FloatOp::Neg | FloatOp::Abs) => false,
        Op::Float(_) | Op::FloatConvert(_) | Op::FloatFromInt { .. } | Op::FloatToInt { .. } => true,
        _ => false,
    }
}

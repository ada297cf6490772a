//! What the solver is told of texts, which are elements of an uninterpreted sort to it.
//!
//!     s = "ab"   is   s is not null, has two code units, and these are `a` and `b`
//!
//! Exact for comparisons with literals, where lengths or code units are asked for at all; that two other texts of the
//! same code units are one is not said, so that the question is over-approximated.

use std::fmt::Write;

use super::encoder::Encoder;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// Literals of more code units are only told apart from each other.
const MOST_UNITS: usize = 32;

/// Asserts what the comparisons of texts with literals among the prepared roots mean.
pub(super) fn write_facts(encoder: &mut Encoder, terms: &Terms, roots: &[Term], out: &mut String) {
    let reachable = terms.reachable(roots);
    let asks = |wanted: fn(&Op) -> bool| reachable.iter().any(|&term| wanted(terms.op(term)));
    let asks_units = asks(|op| *op == Op::TextAt);
    let asks_lengths = asks(|op| *op == Op::TextLength);
    for &term in reachable.iter() {
        let Some((text, units, literal)) = compared_with_literal(terms, term) else { continue };
        if units.len() > MOST_UNITS || !(asks_units || asks_lengths && units.is_empty()) {
            continue;
        }
        let null = encoder.declare_null(out);
        let symbol = written(encoder, terms, text);
        let mut parts = format!("(not (= {symbol} {null})) (= (text.length {symbol}) #x{:08x})", units.len());
        for (place, unit) in units.iter().enumerate() {
            let _ = write!(parts, " (= (text.at {symbol} #x{place:08x}) #x{unit:04x})");
        }
        let literal = written(encoder, terms, literal);
        let _ = writeln!(out, "(assert (= (= {symbol} {literal}) (and {parts})))");
    }
}

fn written(encoder: &Encoder, terms: &Terms, term: Term) -> String {
    let mut text = String::new();
    encoder.write(terms, term, &mut text);
    text
}

/// For a comparison of a text with a literal: the text, the code units, and the literal.
fn compared_with_literal(terms: &Terms, term: Term) -> Option<(Term, &[u16], Term)> {
    let [left, right] = *terms.args(term) else { return None };
    if *terms.op(term) != Op::Eq || *terms.sort_of(left) != Sort::Text {
        return None;
    }
    let units = |term: Term| match terms.as_const(term) {
        Some(Value::Text(Some(units))) => Some(&units[..]),
        _ => None,
    };
    match (units(left), units(right)) {
        (Some(found), None) => Some((right, found, left)),
        (None, Some(found)) => Some((left, found, right)),
        (None, None) | (Some(_), Some(_)) => None,
    }
}

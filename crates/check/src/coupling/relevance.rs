//! The conditions that a question needs: those that speak of something that it speaks of, directly or through others.
//!
//! Loops that have nothing to do with each other would otherwise make every question about one of them as long as the
//! program. Over-approximating: with fewer conditions more is possible; but what is left out has no part in the rest,
//! unless it contradicts itself.

use std::collections::BTreeSet;

use smt::Term;

use super::Coupling;

impl Coupling<'_> {
    /// The conditions that say something of what a question is about. All speak of inputs: these connect nothing.
    pub(super) fn relevant(&self, conditions: Vec<Term>, about: &[Term]) -> Vec<Term> {
        let symbols = |term: Term| -> BTreeSet<Term> {
            let variables = self.terms.variables(term).into_iter();
            variables.filter(|variable| !self.inputs.contains(variable)).collect()
        };
        let mut reached: BTreeSet<Term> = about.iter().flat_map(|term| symbols(*term)).collect();
        let mut open: Vec<(Term, BTreeSet<Term>)> =
            conditions.iter().map(|condition| (*condition, symbols(*condition))).collect();
        open.retain(|(_, symbols)| !symbols.is_empty());
        loop {
            let before = open.len();
            open.retain(|(_, symbols)| {
                let is_apart = symbols.is_disjoint(&reached);
                if !is_apart {
                    reached.extend(symbols);
                }
                is_apart
            });
            if open.len() == before {
                break;
            }
        }
        let left_out: BTreeSet<Term> = open.into_iter().map(|(condition, _)| condition).collect();
        conditions.into_iter().filter(|condition| !left_out.contains(condition)).collect()
    }
}

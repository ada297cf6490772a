//! Where the symbols of hidden blocks occur in what the versions do.

use std::collections::BTreeMap;

use smt::{Op, Term, Terms};
use symbolic::Summary;

use crate::common_code::Block;
use crate::verification_condition::VerificationCondition;

/// The blocks whose symbols occur in the question, in the order of the text.
pub(super) fn involved<'a, 'b>(
    terms: &Terms,
    vc: &VerificationCondition<'_>,
    closed: &'b [Block<'a>],
) -> Vec<&'b Block<'a>> {
    let question = vc.question();
    let inside = terms.reachable(&[question.differ, question.unfinished]);
    let occurs = |block: &&Block<'_>| inside.iter().any(|term| belongs_to(terms, *term, block));
    closed.iter().filter(occurs).collect()
}

/// Whether a term is a symbol of a block.
pub(super) fn belongs_to(terms: &Terms, term: Term, block: &Block<'_>) -> bool {
    let (Op::Var(name) | Op::Apply(name)) = terms.op(term) else { return false };
    name.strip_prefix(block.name.as_str())
        .is_some_and(|rest| rest.starts_with('.') && !rest[1..].starts_with(char::is_numeric))
}

/// How often each symbol occurs in what a version does, written out without sharing.
pub(super) fn counts(terms: &Terms, summary: &Summary) -> BTreeMap<String, u64> {
    let roots = summary.roots();
    let inside = terms.reachable(&roots);
    let mut times: BTreeMap<Term, u64> = BTreeMap::new();
    for root in &roots {
        *times.entry(*root).or_default() += 1;
    }
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    // Terms come after their arguments, so that the reverse order meets all uses of a term before the term itself.
    for &term in inside.iter().rev() {
        let here = times.get(&term).copied().unwrap_or(0);
        if let Op::Var(name) | Op::Apply(name) = terms.op(term) {
            let count = counts.entry(name.to_string()).or_default();
            *count = count.saturating_add(here);
        }
        for arg in terms.args(term) {
            let count = times.entry(*arg).or_default();
            *count = count.saturating_add(here);
        }
    }
    counts
}

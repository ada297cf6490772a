//! Constructors of booleans: negation, conjunction, disjunction, equality of booleans.
//!
//! `or(a, b)` is `not(and(not a, not b))`: a formula and its negation then share everything, so
//! complements are found by looking at one node.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// Conjunctions longer than this are not merged into the one around them.
const MOST_FLATTENED: usize = 64;

impl Terms {
    /// A boolean literal.
    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Op::Const(Value::Bool(value)), &[], &Sort::Bool)
    }

    /// Negation.
    pub fn not(&mut self, term: Term) -> Term {
        assert_eq!(self.sort_of(term), &Sort::Bool, "only a boolean can be negated");
        if self.simplifying {
            if let Some(value) = self.as_bool(term) {
                return self.bool(!value);
            }
            if let Some(inner) = self.negated(term) {
                return inner;
            }
        }
        self.intern(Op::Not, &[term], &Sort::Bool)
    }

    /// What a negation negates.
    pub(crate) fn negated(&self, term: Term) -> Option<Term> {
        matches!(self.op(term), Op::Not).then(|| self.args(term)[0])
    }

    /// Conjunction of any number of terms; true when there are none.
    pub fn and(&mut self, terms: &[Term]) -> Term {
        assert!(
            terms.iter().all(|&term| *self.sort_of(term) == Sort::Bool),
            "only booleans can be conjoined"
        );
        if !self.simplifying {
            return match terms {
                [] => self.bool(true),
                [only] => *only,
                _ => self.intern(Op::And, terms, &Sort::Bool),
            };
        }
        let mut conjuncts = self.flatten(terms);
        conjuncts.sort_unstable();
        conjuncts.dedup();
        if self.contradict(&conjuncts) {
            return self.bool(false);
        }
        let Some(conjuncts) = self.absorb(&conjuncts) else { return self.bool(false) };
        match conjuncts.as_slice() {
            [] => self.bool(true),
            [only] => *only,
            _ => self.intern(Op::And, &conjuncts, &Sort::Bool),
        }
    }

    /// Disjunction of any number of terms; false when there are none.
    pub fn or(&mut self, terms: &[Term]) -> Term {
        if !self.simplifying {
            return match terms {
                [] => self.bool(false),
                [only] => *only,
                _ => self.intern(Op::Or, terms, &Sort::Bool),
            };
        }
        let negations: Vec<Term> = terms.iter().map(|&term| self.not(term)).collect();
        let none = self.and(&negations);
        self.not(none)
    }

    /// `premise` implies `conclusion`.
    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Term {
        let not_premise = self.not(premise);
        self.or(&[not_premise, conclusion])
    }

    /// Equality of two booleans that are not the same term.
    pub(super) fn eq_bool(&mut self, left: Term, right: Term) -> Term {
        for (one, other) in [(left, right), (right, left)] {
            if let Some(value) = self.as_bool(one) {
                return if value { other } else { self.not(other) };
            }
        }
        let (left_inner, right_inner) = (self.negated(left), self.negated(right));
        let odd = left_inner.is_some() != right_inner.is_some();
        let (left, right) = (left_inner.unwrap_or(left), right_inner.unwrap_or(right));
        if left == right {
            return self.bool(!odd);
        }
        let same = self.intern(Op::Eq, &[left.min(right), left.max(right)], &Sort::Bool);
        if odd { self.not(same) } else { same }
    }

    /// The conjuncts, those of small nested conjunctions included, `true` left out.
    fn flatten(&self, terms: &[Term]) -> Vec<Term> {
        let mut flat = Vec::with_capacity(terms.len());
        for &term in terms {
            match self.op(term) {
                Op::Const(Value::Bool(true)) => {}
                // Long conjunctions stay whole: flattening one again for each new conjunct would
                // make path conditions quadratic.
                Op::And if self.args(term).len() <= MOST_FLATTENED => {
                    flat.extend_from_slice(self.args(term));
                }
                _ => flat.push(term),
            }
        }
        flat
    }

    /// Whether a conjunct is false or the negation of another one.
    fn contradict(&self, sorted: &[Term]) -> bool {
        sorted.iter().any(|&term| {
            self.as_bool(term) == Some(false)
                || self.negated(term).is_some_and(|inner| sorted.binary_search(&inner).is_ok())
        })
    }

    /// Simplifies each disjunction `not(and(..))` among the conjuncts by the other conjuncts:
    /// dropped when one of them implies it, without the parts that one of them excludes.
    /// `None` when that leaves a contradiction.
    fn absorb(&mut self, sorted: &[Term]) -> Option<Vec<Term>> {
        if sorted.len() > MOST_FLATTENED {
            return Some(sorted.to_vec());
        }
        let mut kept = Vec::with_capacity(sorted.len());
        let mut changed = false;
        for &term in sorted {
            match self.weaken(term, sorted) {
                Weakened::Same => kept.push(term),
                Weakened::Implied => {}
                Weakened::To(simpler) => {
                    changed = true;
                    match self.as_bool(simpler) {
                        Some(false) => return None,
                        _ => kept.push(simpler),
                    }
                }
            }
        }
        if !changed {
            return Some(kept);
        }
        let mut kept = self.flatten(&kept);
        kept.sort_unstable();
        kept.dedup();
        (!self.contradict(&kept)).then_some(kept)
    }

    fn weaken(&mut self, term: Term, sorted: &[Term]) -> Weakened {
        let Some(inner) = self.negated(term) else { return Weakened::Same };
        if !matches!(self.op(inner), Op::And) || self.args(inner).len() > MOST_FLATTENED {
            return Weakened::Same;
        }
        let holds = |part: Term| sorted.binary_search(&part).is_ok();
        let parts = self.args(inner).to_vec();
        let mut left = Vec::with_capacity(parts.len());
        for &part in &parts {
            let fails = match self.negated(part) {
                Some(positive) => holds(positive),
                None => {
                    // The negation exists as a term only if someone made it.
                    let negation = self.not(part);
                    holds(negation)
                }
            };
            if fails {
                return Weakened::Implied;
            }
            if !holds(part) {
                left.push(part);
            }
        }
        if left.len() == parts.len() {
            return Weakened::Same;
        }
        let rest = match left.as_slice() {
            [] => self.bool(true),
            [only] => *only,
            _ => self.intern(Op::And, &left, &Sort::Bool),
        };
        Weakened::To(self.not(rest))
    }
}

/// What the other conjuncts make of a disjunction.
enum Weakened {
    Same,
    Implied,
    To(Term),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{differ, same};

    #[test]
    fn literals_disappear() {
        same("(and p true)", "p");
        same("(and p false)", "false");
        same("(or p false)", "p");
        same("(or p true)", "true");
        same("(and)", "true");
        same("(or)", "false");
        same("(not (not p))", "p");
    }

    #[test]
    fn order_nesting_and_repetition_do_not_matter() {
        same("(and p (and q p1) p)", "(and p1 q p)");
        same("(or p (or q p1) p)", "(or p1 q p)");
        same("(not (and p q))", "(or (not p) (not q))");
        differ("(and p q)", "(or p q)");
    }

    #[test]
    fn complements_decide() {
        same("(and p q (not p))", "false");
        same("(or p q (not p))", "true");
        same("(or (and p q) (not (and q p)))", "true");
        differ("(and p (not q))", "false");
    }

    #[test]
    fn absorption_drops_what_is_implied() {
        same("(and p (or p q))", "p");
        same("(or p (and p q))", "p");
        same("(and p (or (not p) q))", "(and p q)");
        same("(or p (and (not p) q))", "(or p q)");
        same("(and p (not q) (or (not p) q))", "false");
        differ("(and p (or q p1))", "p");
        differ("(and p (or (not q) p1))", "(and p p1)");
    }

    #[test]
    fn equality_of_booleans_is_logical() {
        same("(= p true)", "p");
        same("(= p false)", "(not p)");
        same("(= (not p) (not q))", "(= q p)");
        same("(= (not p) q)", "(not (= p q))");
        same("(= p (not p))", "false");
        differ("(= p q)", "(not (= p q))");
    }

    #[test]
    fn implications_are_disjunctions() {
        same("(=> p q)", "(or (not p) q)");
        same("(=> p p)", "true");
        differ("(=> p q)", "(=> q p)");
    }

    #[test]
    fn a_conjunction_of_thousands_stays_linear() {
        let mut terms = Terms::new();
        let mut condition = terms.bool(true);
        for number in 0..20_000 {
            let atom = terms.var(&format!("p{number}"), &Sort::Bool);
            condition = terms.and(&[condition, atom]);
        }
        assert!(terms.len() < 3 * 20_000 + 10, "{} terms", terms.len());
    }
}

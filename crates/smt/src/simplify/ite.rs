//! Constructor of conditionals, and moving comparisons into them.

use super::Terms;
use crate::op::{BvCmp, Op};
use crate::sort::Sort;
use crate::terms::Term;

/// How many times one constructor call may move an operation into a conditional.
const MOST_LIFTS: u32 = 64;

/// The two operands of a predicate.
type Operands = (Term, Term);

impl Terms {
    /// `then` where the condition holds, `otherwise` elsewhere; any sort.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        assert_eq!(self.sort_of(condition), &Sort::Bool, "a condition should be a boolean");
        self.assert_same_sort(then, otherwise);
        let sort = self.sort_of(then).clone();
        if !self.simplifying {
            return self.intern(Op::Ite, &[condition, then, otherwise], &sort);
        }
        if let Some(value) = self.as_bool(condition) {
            return if value { then } else { otherwise };
        }
        if let Some(positive) = self.negated(condition) {
            return self.ite(positive, otherwise, then);
        }
        let then = self.knowing(condition, true, then);
        let otherwise = self.knowing(condition, false, otherwise);
        if then == otherwise {
            return then;
        }
        if sort == Sort::Bool {
            return self.ite_bool(condition, then, otherwise);
        }
        if self.selects_either_of_equals(condition, then, otherwise) {
            return otherwise;
        }
        if let Some(merged) = self.merge_branches(condition, then, otherwise) {
            return merged;
        }
        if let Some(store) = self.ite_of_stores(condition, then, otherwise) {
            return store;
        }
        let (condition, then, otherwise) = self.ordered_choice(condition, then, otherwise);
        self.intern(Op::Ite, &[condition, then, otherwise], &sort)
    }

    /// The condition and branches of a conditional.
    pub(super) fn as_ite(&self, term: Term) -> Option<(Term, Term, Term)> {
        match (self.op(term), self.args(term)) {
            (Op::Ite, &[condition, then, otherwise]) => Some((condition, then, otherwise)),
            _ => None,
        }
    }

    /// What a branch is where the (positive) condition is known.
    fn knowing(&mut self, condition: Term, value: bool, branch: Term) -> Term {
        if branch == condition {
            return self.bool(value);
        }
        if self.negated(branch) == Some(condition) {
            return self.bool(!value);
        }
        match self.as_ite(branch) {
            Some((inner, then, _)) if inner == condition && value => then,
            Some((inner, _, otherwise)) if inner == condition => otherwise,
            _ => branch,
        }
    }

    fn ite_bool(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), _) => return self.or(&[condition, otherwise]),
            (Some(false), _) => {
                let not_condition = self.not(condition);
                return self.and(&[not_condition, otherwise]);
            }
            (_, Some(true)) => {
                let not_condition = self.not(condition);
                return self.or(&[not_condition, then]);
            }
            (_, Some(false)) => return self.and(&[condition, then]),
            (None, None) => {}
        }
        let not_otherwise = self.not(otherwise);
        if then == not_otherwise {
            return self.eq_bool(condition, then);
        }
        // A conditional and its negation share one node.
        if let Some(positive) = self.negated(then) {
            let inner = self.ite_bool(condition, positive, not_otherwise);
            return self.not(inner);
        }
        self.intern(Op::Ite, &[condition, then, otherwise], &Sort::Bool)
    }

    /// Whether this is `x = y ? x : y` or `x = y ? y : x`: the second branch in any case.
    fn selects_either_of_equals(&self, condition: Term, then: Term, otherwise: Term) -> bool {
        matches!(self.op(condition), Op::Eq)
            && matches!(*self.args(condition), [x, y] if (x, y) == (then, otherwise) || (y, x) == (then, otherwise))
    }

    /// `c ? a : (d ? a : b)` is `c or d ? a : b`, and its three mirror images.
    fn merge_branches(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if let Some((inner, a, b)) = self.as_ite(otherwise) {
            if a == then {
                let either = self.or(&[condition, inner]);
                return Some(self.ite(either, then, b));
            }
            if b == then {
                let not_condition = self.not(condition);
                let neither = self.and(&[not_condition, inner]);
                return Some(self.ite(neither, a, then));
            }
        }
        if let Some((inner, a, b)) = self.as_ite(then) {
            if b == otherwise {
                let both = self.and(&[condition, inner]);
                return Some(self.ite(both, a, otherwise));
            }
            if a == otherwise {
                let not_inner = self.not(inner);
                let both = self.and(&[condition, not_inner]);
                return Some(self.ite(both, b, otherwise));
            }
        }
        None
    }

    /// A choice between the two compared numbers (minimum, maximum) has one form: where they are
    /// equal it does not matter which one is taken.
    fn ordered_choice(&mut self, condition: Term, then: Term, otherwise: Term) -> (Term, Term, Term) {
        let same = (condition, then, otherwise);
        if matches!(self.op(condition), Op::Le | Op::Lt) {
            return (self.relaxed(condition, then, otherwise), then, otherwise);
        }
        let Op::BvCmp(op @ (BvCmp::Slt | BvCmp::Ult)) = *self.op(condition) else { return same };
        let (x, y) = (self.args(condition)[0], self.args(condition)[1]);
        let chooses = (x, y) == (then, otherwise) || (y, x) == (then, otherwise);
        if !chooses || x < y || self.as_const(x).is_some() || self.as_const(y).is_some() {
            return same;
        }
        (self.intern(Op::BvCmp(op), &[y, x], &Sort::Bool), otherwise, then)
    }

    /// Moves a predicate of two operands into a conditional operand where that folds a branch:
    /// `(c ? 1 : x) < 2` is `c ? true : x < 2`. Both sides conditional on the same condition too.
    pub(super) fn lift_ite(
        &mut self,
        left: Term,
        right: Term,
        predicate: impl Fn(&mut Terms, Term, Term) -> Term,
    ) -> Option<Term> {
        let (condition, on_true, on_false) = self.split_operands(left, right)?;
        if !self.start_lift() {
            return None;
        }
        let then = predicate(self, on_true.0, on_true.1);
        let otherwise = predicate(self, on_false.0, on_false.1);
        let lifted = self.ite(condition, then, otherwise);
        self.end_lift();
        Some(lifted)
    }

    fn split_operands(&self, left: Term, right: Term) -> Option<(Term, Operands, Operands)> {
        let folds = |ite: (Term, Term, Term), other: Term| {
            let literal = |term| self.as_const(term).is_some();
            ite.1 == other || ite.2 == other || (literal(other) && (literal(ite.1) || literal(ite.2)))
        };
        match (self.as_ite(left), self.as_ite(right)) {
            (Some((c, a, b)), Some((d, x, y))) if c == d => Some((c, (a, x), (b, y))),
            (Some(ite @ (c, a, b)), _) if folds(ite, right) => Some((c, (a, right), (b, right))),
            (_, Some(ite @ (c, a, b))) if folds(ite, left) => Some((c, (left, a), (left, b))),
            _ => None,
        }
    }

    /// Whether a recursive rewrite may still be done; if so, `end_lift` must follow.
    pub(super) fn start_lift(&mut self) -> bool {
        if self.effort.depth == 0 {
            self.effort.left = MOST_LIFTS;
        }
        if self.effort.left == 0 {
            return false;
        }
        self.effort.left -= 1;
        self.effort.depth += 1;
        true
    }

    pub(super) fn end_lift(&mut self) {
        self.effort.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{differ, same};

    #[test]
    fn known_conditions_choose() {
        same("(ite true i j)", "i");
        same("(ite false i j)", "j");
        same("(ite p i i)", "i");
        same("(ite (not p) i j)", "(ite p j i)");
        differ("(ite p i j)", "(ite p j i)");
    }

    #[test]
    fn a_condition_is_known_inside_its_branches() {
        same("(ite p (ite p i j) k)", "(ite p i k)");
        same("(ite p k (ite p i j))", "(ite p k j)");
        same("(ite p k (ite (not p) i j))", "(ite p k i)");
        differ("(ite p (ite q i j) k)", "(ite p i k)");
    }

    #[test]
    fn conditionals_of_booleans_are_connectives() {
        same("(ite p true q)", "(or p q)");
        same("(ite p false q)", "(and (not p) q)");
        same("(ite p q true)", "(or (not p) q)");
        same("(ite p q false)", "(and p q)");
        same("(ite p q (not q))", "(= p q)");
        same("(ite p p q)", "(or p q)");
        same("(not (ite p q p1))", "(ite p (not q) (not p1))");
    }

    #[test]
    fn branches_that_agree_are_merged() {
        same("(ite p i (ite q i j))", "(ite (or p q) i j)");
        same("(ite p i (ite q j i))", "(ite (and (not p) q) j i)");
        same("(ite p (ite q i j) j)", "(ite (and p q) i j)");
        differ("(ite p i (ite q j k))", "(ite (or p q) i k)");
    }

    #[test]
    fn a_choice_between_equals_is_no_choice() {
        same("(ite (= i j) i j)", "j");
        same("(ite (= x 5:32) 5:32 x)", "x");
        same("(ite (= f g) f g)", "g");
        // IEEE equality is not identity: +0 equals -0.
        differ("(ite (== f g) f g)", "g");
    }

    #[test]
    fn minimum_and_maximum_have_one_form() {
        same("(ite (< x y) x y)", "(ite (<= x y) x y)");
        same("(ite (< x y) x y)", "(ite (< y x) y x)");
        same("(ite (<u x y) y x)", "(ite (<=u y x) x y)");
        same("(ite (< i j) i j)", "(ite (<= i j) i j)");
        same("(ite (< i j) i j)", "(ite (< j i) j i)");
        same("(ite (< r s) r s)", "(ite (<= r s) r s)");
        differ("(ite (< x y) x y)", "(ite (< x y) y x)");
        differ("(ite (< i j) i j)", "(ite (< i j) j i)");
        // Choosing between floats differs for NaN and for zeros.
        differ("(ite (< f g) f g)", "(ite (<= f g) f g)");
    }

    #[test]
    fn comparisons_with_literals_look_inside() {
        same("(= (ite p 1 2) 1)", "p");
        same("(= (ite p 1 2) 2)", "(not p)");
        same("(= (ite p 1 2) 3)", "false");
        same("(< (ite p 1:32 x) 2:32)", "(or p (< x 2:32))");
        same("(= (ite p i j) (ite p i k))", "(or p (= j k))");
        same("(= (ite p i j) i)", "(or p (= j i))");
        same("(< (ite p 1.0d 2.0d) 1.5d)", "p");
    }

    #[test]
    fn a_long_chain_of_conditionals_is_compared_within_bounds() {
        let mut terms = Terms::new();
        let mut chain = terms.int(0);
        for number in 1..10_000 {
            let condition = terms.var(&format!("p{number}"), &Sort::Bool);
            let literal = terms.int(number);
            chain = terms.ite(condition, literal, chain);
        }
        let five = terms.int(5);
        let before = terms.len();
        terms.eq(chain, five);
        assert!(terms.len() - before < 1000, "{} new terms", terms.len() - before);
    }
}

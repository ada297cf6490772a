//! Constructor of conditionals, and moving comparisons into them.

use super::Terms;
use crate::op::{BvCmp, Op};
use crate::sort::Sort;
use crate::terms::Term;

/// How many times one constructor call may move an operation into a conditional.
const MOST_LIFTS: u32 = 64;

/// Counts the rewrites that recurse, so that one constructor call does a bounded amount of work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effort {
    depth: u32,
    left: u32,
}

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

    /// A choice between the two compared bit-vectors (minimum, maximum) has its operands in order;
    /// where they are equal it does not matter which one is taken.
    fn ordered_choice(&mut self, condition: Term, then: Term, otherwise: Term) -> (Term, Term, Term) {
        let same = (condition, then, otherwise);
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

    fn split_operands(&self, left: Term, right: Term) -> Option<(Term, (Term, Term), (Term, Term))> {
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

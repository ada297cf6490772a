//! Makes a hard question easier by proving that parts of the versions in the same place are equal.
//!
//! ```text
//! old: f(x) + f(y)      new: g(x) + g(y)      small questions: f(x) = g(x)?  f(y) = g(y)?
//! ```
//!
//! Each small question gets only the conditions that have to do with it, so that what many loops leave behind is looked
//! at one loop after the other. What is left of the whole is often nothing.
//! Exact: each replacement was refuted to differ wherever the conditions hold.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use smt::{BvOp, Floats, Op, Sort, Term, Terms};

use super::partners::Kinship;
use crate::question::{Asker, Equal};
use crate::relevance::{conjuncts, relevant};

/// Questions that may fail before the rest is left as it is.
const MOST_FAILURES: u32 = 12;
/// How deep terms are taken apart.
const DEEPEST: usize = 60;
/// The share of the time that is left that one question may take.
const SHARE_OF_PART: u32 = 4;
const LEAST_TIME: Duration = Duration::from_millis(100);

/// The parts of a question that says where two versions differ.
pub(super) struct Parts<'q, 'a> {
    terms: &'q mut Terms,
    asker: &'q mut Asker<'a>,
    kinship: Kinship,
    /// What holds wherever the question is asked.
    known: Vec<Term>,
    deadline: Instant,
    failures: u32,
    merged: BTreeMap<(Term, Term, Vec<Term>), Term>,
}

impl<'q, 'a> Parts<'q, 'a> {
    pub(super) fn new(
        terms: &'q mut Terms,
        asker: &'q mut Asker<'a>,
        inputs: BTreeSet<Term>,
        known: &[Term],
        deadline: Instant,
    ) -> Parts<'q, 'a> {
        let known: Vec<Term> = known.iter().flat_map(|condition| conjuncts(terms, *condition)).collect();
        let kinship = Kinship::new(terms, inputs, &known);
        Parts { terms, asker, kinship, known, deadline, failures: 0, merged: BTreeMap::new() }
    }

    /// The same difference with equal parts made the same.
    pub(super) fn simplified(mut self, differ: Term) -> Term {
        let mut all = conjuncts(self.terms, differ);
        // What says most first: the others are conditions for it, and it is one for them as it is then.
        all.sort_by_cached_key(|part| std::cmp::Reverse(self.terms.size(*part)));
        let known = self.known.clone();
        for place in 0..all.len() {
            let others = all.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, other)| *other);
            self.known = known.iter().copied().chain(others).collect();
            self.merged.clear();
            all[place] = self.with_equal_sides(all[place], DEEPEST);
        }
        self.terms.and(&all)
    }

    /// A condition with the sides of its equalities made the same where they are equal.
    fn with_equal_sides(&mut self, condition: Term, depth: usize) -> Term {
        let (op, args) = (self.terms.op(condition).clone(), self.terms.args(condition).to_vec());
        match (op, args.as_slice()) {
            (Op::Eq, &[left, right]) if !self.is_constant(left) && !self.is_constant(right) => {
                let right = self.merge(left, right, &[], depth);
                self.terms.eq(left, right)
            }
            (op @ (Op::Not | Op::And | Op::Or), args) if depth > 0 => {
                let args: Vec<Term> =
                    args.iter().map(|part| self.with_equal_sides(*part, depth - 1)).collect();
                self.terms.rebuild(&op, &args, &Sort::Bool)
            }
            _ => condition,
        }
    }

    /// The right term, with as much of the left one in it as is equal; it may be the left one then.
    fn merge(&mut self, left: Term, right: Term, within: &[Term], depth: usize) -> Term {
        if left == right || depth == 0 || self.is_over() {
            return right;
        }
        let key = (left, right, within.to_vec());
        if let Some(merged) = self.merged.get(&key) {
            return *merged;
        }
        let mut merged = self.merge_parts(left, right, within, depth);
        if merged != left && self.are_equal(left, merged, within) {
            merged = left;
        }
        self.merged.insert(key, merged);
        merged
    }

    /// The right term with the parts merged that stand in the same place as in the left one.
    fn merge_parts(&mut self, left: Term, right: Term, within: &[Term], depth: usize) -> Term {
        let (op, sort) = (self.terms.op(right).clone(), self.terms.sort_of(right).clone());
        let (ours, theirs) = (self.terms.args(left).to_vec(), self.terms.args(right).to_vec());
        if op != *self.terms.op(left) || ours.len() != theirs.len() || ours.is_empty() {
            return right;
        }
        if op == Op::Ite {
            let condition = self.merge(ours[0], theirs[0], within, depth - 1);
            let same = condition == ours[0];
            let mut branch = |at: usize, holds: bool| {
                let mut within = within.to_vec();
                within.push(if holds { condition } else { self.terms.not(condition) });
                // Where the conditions differ, branches belong together only by chance.
                if same { self.merge(ours[at], theirs[at], &within, depth - 1) } else { theirs[at] }
            };
            let (then, otherwise) = (branch(1, true), branch(2, false));
            return self.terms.ite(condition, then, otherwise);
        }
        let partners = match takes_any_order(&op) {
            true => self.kinship.partners(self.terms, &ours, &theirs),
            false => ours,
        };
        let pairs = partners.into_iter().zip(theirs);
        let merged: Vec<Term> =
            pairs.map(|(left, right)| self.merge(left, right, within, depth - 1)).collect();
        self.terms.rebuild(&op, &merged, &sort)
    }

    fn are_equal(&mut self, left: Term, right: Term, within: &[Term]) -> bool {
        if self.is_over() {
            return false;
        }
        let equal = self.terms.eq(left, right);
        let mut conditions = self.known.clone();
        conditions.extend(within.iter().flat_map(|condition| conjuncts(self.terms, *condition)));
        let conditions = relevant(self.terms, self.kinship.inputs(), conditions, &[equal]);
        let now = Instant::now();
        let left_time = self.deadline.saturating_duration_since(now);
        let deadline = (now + (left_time / SHARE_OF_PART).max(LEAST_TIME)).min(self.deadline);
        let asked = self.asker.equal(self.terms, &conditions, left, right, Floats::Symbols, deadline);
        self.failures += u32::from(asked != Equal::Proved);
        asked == Equal::Proved
    }

    fn is_constant(&self, term: Term) -> bool {
        self.terms.as_const(term).is_some()
    }

    fn is_over(&self) -> bool {
        self.failures >= MOST_FAILURES || Instant::now() >= self.deadline
    }
}

/// Whether the arguments of an operation may stand in any order.
fn takes_any_order(op: &Op) -> bool {
    matches!(
        op,
        Op::And
            | Op::Or
            | Op::Add
            | Op::Mul
            | Op::Bv(BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor)
    )
}

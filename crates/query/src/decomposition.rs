//! Structural decomposition: makes a hard question easier by proving corresponding parts of the versions equal.
//!
//! ```text
//! old: f(x) + f(y)      new: g(x) + g(y)      small questions: f(x) = g(x)?  f(y) = g(y)?
//! ```
//!
//! Each small question gets only the conditions that have to do with it, so that what many loops leave behind is looked
//! at one loop after the other. What is left of the whole is often nothing.
//! Exact: each replacement was refuted to differ wherever the conditions hold.

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Steps};
use smt::{BvOp, Floats, Op, Term, Terms};

use crate::matching::Matching;
use crate::{Client, Equal, Reach, conjuncts, relevant};

/// Questions that may fail before the rest is left as it is.
const MOST_FAILURES: u32 = 12;
/// How deep terms are taken apart.
const DEEPEST: usize = 60;
/// The share of what is left that one question may take, and the least of it.
const SHARE_OF_PART: u64 = 4;
const LEAST: Steps = Steps::of_milliseconds(300);

/// The parts of a question that says where two versions differ.
pub struct Decomposition<'q> {
    terms: &'q mut Terms,
    client: &'q mut Client,
    matching: Matching,
    /// What holds wherever the question is asked.
    known: Vec<Term>,
    budget: Budget,
    /// Terms that are equal, or not, whatever else holds.
    everywhere: BTreeMap<(Term, Term), bool>,
    failures: u32,
    merged: BTreeMap<(Term, Term, Vec<Term>), Term>,
}

impl<'q> Decomposition<'q> {
    pub fn new(
        terms: &'q mut Terms,
        client: &'q mut Client,
        inputs: BTreeSet<Term>,
        known: &[Term],
        budget: &Budget,
    ) -> Decomposition<'q> {
        let known: Vec<Term> = known.iter().flat_map(|condition| conjuncts(terms, *condition)).collect();
        let matching = Matching::new(terms, inputs, &known);
        let (everywhere, merged) = (BTreeMap::new(), BTreeMap::new());
        let budget = budget.clone();
        Decomposition { terms, client, matching, known, budget, everywhere, failures: 0, merged }
    }

    /// The same difference with equal parts made the same.
    pub fn simplified(mut self, differ: Term) -> Term {
        self.with_equal_sides(differ, &[], DEEPEST)
    }

    /// The same condition without those of its cases that cannot be.
    pub fn possible(mut self, condition: Term) -> Term {
        self.without_impossible(condition, &[], DEEPEST)
    }

    fn without_impossible(&mut self, condition: Term, within: &[Term], depth: usize) -> Term {
        if depth == 0 || self.is_over() {
            return condition;
        }
        if let Some(cases) = cases(self.terms, condition) {
            let cases = cases.into_iter().map(|case| self.without_impossible(case, within, depth - 1));
            let cases: Vec<Term> = cases.collect();
            return self.terms.or(&cases);
        }
        let mut all = conjuncts(self.terms, condition);
        let (mut choices, mut certain) = (Vec::new(), Vec::new());
        for (place, part) in all.iter().enumerate() {
            match cases(self.terms, *part) {
                Some(_) => choices.push(place),
                None => certain.push(*part),
            }
        }
        let never = self.terms.bool(false);
        let certain = self.terms.and(&certain);
        if !self.is_constant(certain) && self.are_equal(certain, never, within) {
            return never;
        }
        if let Some(place) = choices.into_iter().max_by_key(|place| self.terms.size(all[*place])) {
            let choice = all[place];
            let others = all.iter().copied().filter(|part| *part != choice);
            let within: Vec<Term> = within.iter().copied().chain(others).collect();
            all[place] = self.without_impossible(choice, &within, depth - 1);
        }
        self.terms.and(&all)
    }

    /// A condition with the sides of its equalities made the same where they are equal.
    fn with_equal_sides(&mut self, condition: Term, within: &[Term], depth: usize) -> Term {
        let (op, args) = (self.terms.op(condition).clone(), self.terms.args(condition).to_vec());
        match (op, args.as_slice()) {
            (Op::Eq, &[left, right]) if !self.is_constant(left) && !self.is_constant(right) => {
                let right = self.merge(left, right, within, depth);
                self.terms.eq(left, right)
            }
            (Op::Not, &[inner]) => {
                let inner = self.with_equal_sides(inner, within, depth);
                self.terms.not(inner)
            }
            (Op::And, _) if depth > 0 && !self.is_over() => {
                let mut all = conjuncts(self.terms, condition);
                // What says most first: the others are conditions for it, and it is one for them as it is then.
                all.sort_by_cached_key(|part| std::cmp::Reverse(self.terms.size(*part)));
                for place in 0..all.len() {
                    let others = all.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, it)| *it);
                    let within: Vec<Term> = within.iter().copied().chain(others).collect();
                    all[place] = self.with_equal_sides(all[place], &within, depth - 1);
                }
                self.terms.and(&all)
            }
            _ => condition,
        }
    }

    /// The right term, with as much of the left one in it as is equal; it may be the left one then.
    fn merge(&mut self, left: Term, right: Term, within: &[Term], depth: usize) -> Term {
        // In the same place of one operation may stand terms of different sorts, such as comparisons of bytes and of
        // words: those are never equal.
        let comparable = self.terms.sort_of(left) == self.terms.sort_of(right);
        if left == right || !comparable || depth == 0 || self.is_over() {
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
            true => self.matching.partners(self.terms, &ours, &theirs),
            false => ours,
        };
        let mut merged = theirs;
        for (place, left) in partners.into_iter().enumerate() {
            let mut within = within.to_vec();
            if op == Op::And {
                // Where one of the others does not hold, this one does not count.
                within.extend(merged.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, it)| *it));
            }
            merged[place] = self.merge(left, merged[place], &within, depth - 1);
        }
        self.terms.rebuild(&op, &merged, &sort)
    }

    /// Whether two terms are equal wherever some more conditions hold; what is equal without these is found once.
    fn are_equal(&mut self, left: Term, right: Term, within: &[Term]) -> bool {
        let everywhere = match self.everywhere.get(&(left, right)) {
            Some(known) => *known,
            None => {
                let proved = self.prove(left, right, &[]);
                self.everywhere.insert((left, right), proved);
                proved
            }
        };
        let proved = everywhere || (!within.is_empty() && self.prove(left, right, within));
        self.failures += u32::from(!proved);
        proved
    }

    fn prove(&mut self, left: Term, right: Term, within: &[Term]) -> bool {
        if self.budget.is_over() {
            return false;
        }
        let equal = self.terms.eq(left, right);
        let mut conditions = self.known.clone();
        conditions.extend(within.iter().flat_map(|condition| conjuncts(self.terms, *condition)));
        let conditions = relevant(self.terms, self.matching.inputs(), &conditions, &[equal], Reach::All);
        let share = self.budget.at_most((self.budget.left() / SHARE_OF_PART).max(LEAST));
        let asked = self.client.equal(self.terms, &conditions, left, right, Floats::Symbols, &share);
        asked == Equal::Proved
    }

    fn is_constant(&self, term: Term) -> bool {
        self.terms.as_const(term).is_some()
    }

    fn is_over(&self) -> bool {
        self.failures >= MOST_FAILURES || self.budget.is_over()
    }
}

/// The cases of which one has to be, if a condition says that.
fn cases(terms: &mut Terms, condition: Term) -> Option<Vec<Term>> {
    let inner = (*terms.op(condition) == Op::Not).then(|| terms.args(condition)[0])?;
    let excluded = (*terms.op(inner) == Op::And).then(|| terms.args(inner).to_vec())?;
    Some(excluded.into_iter().map(|part| terms.not(part)).collect())
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

#[cfg(test)]
mod tests {
    use budget::Kill;
    use smt::{Assignment, BvCmp, Sort, Value};

    use super::*;
    use crate::Config;

    fn config() -> Config {
        Config {
            solver: None,
            memory_mb: 64,
            budget: Budget::new(Steps::MAX, Kill::never()),
            stop: smt::StopFlag::default(),
            keep_obligations: false,
        }
    }

    /// Conditions that are the same operations on bytes and on words.
    fn conditions(terms: &mut Terms) -> Vec<Term> {
        let mut found = Vec::new();
        for width in [8, 32] {
            let [x, y] = ["x", "y"].map(|name| terms.var(&format!("{name}{width}"), &Sort::BitVec(width)));
            let [low, product] = [terms.extract(3, 0, x), terms.bv_op(BvOp::Mul, x, y)];
            let three = terms.bv(3, 4);
            let array = terms.var(&format!("a{width}"), &Sort::array(Sort::BitVec(width), Sort::Bool));
            found.extend([
                terms.eq(x, y),
                terms.bv_cmp(BvCmp::Slt, x, y),
                terms.bv_cmp(BvCmp::Ult, product, y),
                terms.bv_cmp(BvCmp::Ult, low, three),
                terms.apply("p", &[x], &Sort::Bool),
                terms.select(array, x),
            ]);
        }
        found
    }

    /// Without a solver nothing is proved, so that what is simplified has to be what it was.
    #[test]
    fn operands_of_different_sorts_in_the_same_place_are_left_alone() {
        let config = config();
        let mut terms = Terms::new();
        let all = conditions(&mut terms);
        for left in &all {
            for right in &all {
                let same = terms.eq(*left, *right);
                let differ = terms.not(same);
                let mut client = Client::new(config.clone());
                let parts = Decomposition::new(&mut terms, &mut client, BTreeSet::new(), &[], &config.budget);
                let simplified = parts.simplified(differ);
                let value = |bits| move |width| Value::BitVec { bits, width };
                for [x, y] in [[0, 0], [1, 2], [2, 1], [250, 7]] {
                    let variables = [8, 32].into_iter().flat_map(|width| {
                        [(format!("x{width}"), value(x)(width)), (format!("y{width}"), value(y)(width))]
                    });
                    let assignment = Assignment { variables: variables.collect(), ..Assignment::default() };
                    assert_eq!(
                        terms.evaluate(simplified, &assignment),
                        terms.evaluate(differ, &assignment),
                        "{}",
                        terms.print(differ)
                    );
                }
            }
        }
    }
}

//! Joins states where paths meet: one state whose values are conditionals (if-then-else).
//!
//! Exact. States that meet are exclusive, and a conditional asks only about the decision by which two of them
//! parted, not about all that led there; this keeps terms small and makes equal code give equal terms.

use crate::path::{PathId, Paths, StepKind};
use smt::{Op, Term, Terms};

/// What can be joined: it stands on a path.
pub(crate) trait Mergeable: Sized {
    fn path(&self) -> PathId;
    fn set_path(&mut self, path: PathId);
    /// The value of `self` where the choice says the first, of `other` elsewhere.
    fn merge(self, other: Self, choice: &Choice, terms: &mut Terms) -> Self;
}

/// What tells two states apart, seen from the path that they share.
pub(crate) struct Choice {
    /// Holds wherever the run is in the first state, and nowhere where it is in the second.
    pub(crate) condition: Term,
    /// The rest of the path conditions; those that the condition does not say yet if it is `complementary`.
    first: Term,
    second: Term,
    complementary: bool,
}

impl Choice {
    /// The condition that the run is in the first state and `a` holds, or in the second and `b` holds.
    pub(crate) fn either(&self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let a = terms.and(&[self.first, a]);
        let b = terms.and(&[self.second, b]);
        match self.complementary {
            true => terms.ite(self.condition, a, b),
            false => terms.or(&[a, b]),
        }
    }

    fn new(terms: &mut Terms, first: &[Term], second: &[Term]) -> Choice {
        if let (Some(&decision), Some(&opposite)) = (first.first(), second.first())
            && terms.not(decision) == opposite
        {
            let (rest, other_rest) = (terms.and(&first[1..]), terms.and(&second[1..]));
            return Choice { condition: decision, first: rest, second: other_rest, complementary: true };
        }
        // A state without a condition of its own has all of the shared path; the other one is never reached.
        let (all, other_all) = (terms.and(first), terms.and(second));
        let condition = if first.len() <= second.len() { all } else { terms.not(other_all) };
        Choice { condition, first: all, second: other_all, complementary: false }
    }
}

/// Joins states into one. With `complete` these are all the states that `entry` split into, so that the
/// joined state stands where the entry stood.
pub(crate) fn join<T: Mergeable>(
    terms: &mut Terms,
    paths: &mut Paths,
    mut states: Vec<T>,
    entry: PathId,
    complete: bool,
    kind: StepKind,
) -> Option<T> {
    states.sort_by(|a, b| paths.order(a.path(), b.path()));
    let mut stack: Vec<T> = Vec::new();
    for state in states {
        while let [.., before, last] = stack.as_slice()
            && shared(paths, before, last) >= shared(paths, last, &state)
        {
            combine_last(terms, paths, &mut stack, kind);
        }
        stack.push(state);
    }
    while stack.len() > 1 {
        combine_last(terms, paths, &mut stack, kind);
    }
    let mut joined = stack.pop()?;
    if complete {
        joined.set_path(entry);
    }
    Some(joined)
}

fn shared<T: Mergeable>(paths: &Paths, a: &T, b: &T) -> u32 {
    paths.depth(paths.common(a.path(), b.path()))
}

fn combine_last<T: Mergeable>(terms: &mut Terms, paths: &mut Paths, stack: &mut Vec<T>, kind: StepKind) {
    let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else {
        panic!("there should be two states to combine")
    };
    let fork = paths.common(a.path(), b.path());
    let (first, second) = (paths.conditions(fork, a.path()), paths.conditions(fork, b.path()));
    let choice = Choice::new(terms, &first, &second);
    let yes = terms.bool(true);
    let covered = choice.either(terms, yes, yes);
    let mut merged = a.merge(b, &choice, terms);
    let path = if covered == yes { fork } else { paths.extend(fork, covered, kind) };
    merged.set_path(path);
    stack.push(merged);
}

/// The conditional of two terms; chains of writes to the same array stay one chain.
pub(crate) fn choose(terms: &mut Terms, condition: Term, a: Term, b: Term) -> Term {
    if a == b {
        return a;
    }
    match choose_writes(terms, condition, a, b) {
        Some(chain) => chain,
        None => terms.ite(condition, a, b),
    }
}

/// How many writes are merged one by one.
const MOST_WRITES: usize = 64;

/// Where both arrays are the same one after writes to constant places, the writes are merged place by place.
fn choose_writes(terms: &mut Terms, condition: Term, a: Term, b: Term) -> Option<Term> {
    let (base, first) = constant_writes(terms, a)?;
    let (other_base, second) = constant_writes(terms, b)?;
    if base != other_base || first.len() + second.len() > MOST_WRITES {
        return None;
    }
    let mut places: Vec<Term> = first.into_iter().chain(second).collect();
    places.sort_unstable();
    places.dedup();
    let mut merged = base;
    for place in places {
        let (then, otherwise) = (terms.select(a, place), terms.select(b, place));
        let element = choose(terms, condition, then, otherwise);
        merged = terms.store(merged, place, element);
    }
    Some(merged)
}

/// The array below all writes to constant places, and these places. `None` for what is not a written array.
fn constant_writes(terms: &Terms, array: Term) -> Option<(Term, Vec<Term>)> {
    if !matches!(terms.sort_of(array), smt::Sort::Array(..)) {
        return None;
    }
    let (mut base, mut places) = (array, Vec::new());
    while let (Op::Store, &[inner, index, _]) = (terms.op(base), terms.args(base)) {
        if terms.as_const(index).is_none() || places.len() > MOST_WRITES {
            break;
        }
        places.push(index);
        base = inner;
    }
    Some((base, places))
}

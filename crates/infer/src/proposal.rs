//! Conditions that fit all samples, to be proved as they are written.
//!
//! Neither over- nor under-approximating: a proposal is a guess.

use check::{CheckConfig, Subject};
use interp::Input;
use ir::Pair;

use crate::atom::{Atom, Atoms, Holds};
use crate::formula::{Formula, Literal};
use crate::learn::{Learnt, Refused, Sample, learn};
use crate::samples::Samples;

/// Inputs that are run at the start: what they do not show, a proof that fails will.
const INPUTS: u64 = 150;

/// Proposes conditions under which two versions do the same, and learns from inputs that refute them.
pub struct Learner<'a> {
    atoms: &'a [Atom],
    samples: Samples<'a>,
}

impl<'a> Learner<'a> {
    /// Runs both versions on a few inputs, and on one on which they are known to differ.
    pub fn new(
        pair: Pair<Subject<'a>>,
        atoms: Atoms<'a>,
        known: &Input,
        config: &CheckConfig,
    ) -> Learner<'a> {
        let mut samples = Samples::new(pair, atoms.procedures, config);
        samples.add_found(known);
        samples.gather(INPUTS);
        Learner { atoms: atoms.atoms, samples }
    }

    /// The simplest condition that holds on all samples on which the versions do the same, and on no others.
    pub fn propose(&self) -> Option<Formula> {
        let samples = &self.samples.list;
        if !samples.iter().any(|sample| sample.is_same) {
            return Some(Formula::never());
        }
        let proposals = exact(&learn(self.atoms, samples, &Refused::default()));
        Some(total(self.atoms, samples, proposals.into_iter().next()?))
    }

    /// The single atoms that hold on no sample on which the versions differ, those that hold on the most others first.
    pub fn alone(&self) -> Vec<Formula> {
        let samples = &self.samples.list;
        let count = |atom: usize, is_same: bool| {
            let holds = |it: &&Sample| it.is_same == is_same && it.values[atom] == Holds::Yes;
            samples.iter().filter(holds).count()
        };
        let mut fitting: Vec<usize> =
            (0..self.atoms.len()).filter(|atom| count(*atom, false) == 0 && count(*atom, true) > 0).collect();
        fitting.sort_by_key(|atom| (std::cmp::Reverse(count(*atom, true)), self.atoms[*atom].cost, *atom));
        let alone = |atom: usize| Formula::any(vec![vec![Literal { atom, is_positive: true }]]);
        fitting.into_iter().map(|atom| total(self.atoms, samples, alone(atom))).collect()
    }

    /// Learns from an input; whether it says something.
    pub fn add(&mut self, input: &Input) -> bool {
        self.samples.add_found(input)
    }
}

/// The conditions that tell all samples apart, the simplest first.
pub(crate) fn exact(learnt: &Learnt) -> Vec<Formula> {
    let mut found = Vec::new();
    if learnt.covers_same {
        found.push(learnt.same.clone());
    }
    if learnt.covers_different {
        found.push(learnt.different.negated());
    }
    found.sort_by_key(|formula| (formula.atoms(), formula.cubes.len(), formula.is_negated));
    found
}

/// Literals that are asked before a condition.
const MOST_BEFORE: usize = 3;

/// A condition whose text holds on all samples that meet it. An atom that fails, as `a.length > 0` does where `a` is
/// null, is asked last, and where that does not help other literals are asked before: `p == null || p.next == null`.
pub(crate) fn total(atoms: &[Atom], samples: &[Sample], condition: Formula) -> Formula {
    let fails = |atom: usize| samples.iter().filter(|it| it.values[atom] == Holds::Fails).count();
    let lost = |condition: &Formula| {
        let is_lost = |it: &&Sample| it.is_same && condition.holds_as_text(&it.values) == Holds::Fails;
        samples.iter().filter(is_lost).count()
    };
    let says_nothing_wrong =
        |literal: &Literal| !samples.iter().any(|it| !it.is_same && literal.holds(it.values[literal.atom]));
    let condition = condition.careful(fails);
    let after =
        |before: &[Literal]| before.iter().rev().fold(condition.clone(), |it, first| it.or_first(*first));
    let mut before: Vec<Literal> = Vec::new();
    while before.len() < MOST_BEFORE {
        let now = lost(&after(&before));
        if now == 0 {
            break;
        }
        let literals =
            (0..atoms.len()).flat_map(|atom| [true, false].map(|is_positive| Literal { atom, is_positive }));
        // A literal may itself fail where one that is asked before it holds.
        let longer = literals
            .filter(says_nothing_wrong)
            .flat_map(|literal| (0..=before.len()).map(move |at| (literal, at)).collect::<Vec<_>>());
        let longer = longer.map(|(literal, at)| {
            let mut longer = before.clone();
            longer.insert(at, literal);
            (lost(&after(&longer)), atoms[literal.atom].cost, longer)
        });
        match longer.min_by_key(|(lost, cost, _)| (*lost, *cost)) {
            Some((left, _, longer)) if left < now => before = longer,
            Some(_) | None => break,
        }
    }
    after(&before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_fail_is_asked_after_what_keeps_it_from_failing() {
        let atoms = [
            Atom::plain("p == null", "p != null"),
            Atom::plain("p.next == null", "p.next != null"),
            Atom::plain("p.next.v > 2", "p.next.v <= 2"),
        ];
        let [yes, no, fails] = [Holds::Yes, Holds::No, Holds::Fails];
        let sample = |is_same, values: [Holds; 3]| Sample { is_same, values: values.to_vec() };
        let samples = [
            sample(true, [yes, fails, fails]),
            sample(true, [no, yes, fails]),
            sample(true, [no, no, no]),
            sample(false, [no, no, yes]),
        ];
        let different = Formula::any(vec![vec![Literal { atom: 2, is_positive: true }]]);
        let total = total(&atoms, &samples, different.negated());
        assert_eq!(total.text(&atoms), "p == null || p.next == null || p.next.v <= 2");
    }
}

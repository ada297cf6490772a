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

/// A condition whose text holds on all samples that meet it. An atom that fails, as `a.length > 0` does where `a` is
/// null, is asked last, and where that does not help another literal is asked before.
pub(crate) fn total(atoms: &[Atom], samples: &[Sample], condition: Formula) -> Formula {
    let fails = |atom: usize| samples.iter().filter(|it| it.values[atom] == Holds::Fails).count();
    let condition = condition.careful(fails);
    let is_lost = |it: &&Sample| it.is_same && condition.holds_as_text(&it.values) == Holds::Fails;
    let lost: Vec<&Sample> = samples.iter().filter(is_lost).collect();
    if lost.is_empty() {
        return condition;
    }
    let literals =
        (0..atoms.len()).flat_map(|atom| [true, false].map(|is_positive| Literal { atom, is_positive }));
    let helps = |literal: &Literal| {
        fails(literal.atom) == 0
            && lost.iter().all(|it| literal.holds(it.values[literal.atom]))
            && !samples.iter().any(|it| !it.is_same && literal.holds(it.values[literal.atom]))
    };
    match literals.filter(helps).min_by_key(|literal| atoms[literal.atom].cost) {
        Some(first) => condition.or_first(first),
        None => condition,
    }
}

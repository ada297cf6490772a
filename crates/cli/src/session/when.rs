//! Under which inputs the versions of a pair do the same: atoms from the sources, conditions from `infer`, and each
//! condition proved again as it is written.

mod atoms;
mod quick;
mod texts;

use budget::{Budget, Steps};
use check::CheckConfig;
use infer::{Formula, infer};
use interp::Input;
use ir::Language;

use super::{Session, select};
use crate::options::Options;

/// Under which inputs the versions do the same, and under which they differ; in the words of the program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Found {
    pub(super) same_when: Option<String>,
    pub(super) different_when: Option<String>,
    /// One is the negation of the other.
    pub(super) exact: bool,
    /// What the proofs of both take for granted.
    pub(super) assumptions: Vec<String>,
}

impl Session {
    /// Infers conditions for a pair whose versions differ on an input.
    pub(super) fn conditions(&self, index: usize, known: &Input, config: &CheckConfig) -> Option<Found> {
        // Of other classes, and of runs that do not end, nothing is proved of the other side.
        if !self.options.under.is_empty() || config.total || config.open_world {
            return None;
        }
        let unit = self.sources.get(self.pairs[index].unit)?;
        let pair = self.subjects(index);
        let atoms = self.atoms(unit, pair, config);
        if let Some(found) = self.quick_conditions(index, unit, &atoms, known, config) {
            return Some(found);
        }
        let understood = self.with_atoms(index, unit, &atoms.atoms)?;
        let atoms = &understood.atoms;
        let budget = Budget::new(Steps::new(self.options.effort), config.budget.kill().clone());
        let config = CheckConfig { budget, ..config.clone() };
        let mut inferred =
            infer(understood.subjects(), understood.given(), std::slice::from_ref(known), &config);
        tracing::debug!(target: "conditions", atoms = atoms.len(), rounds = inferred.rounds);
        let names = pair.map(|subject| subject.procedure().name.as_str());
        let name = select::name_of(names);
        // All proofs of texts together get as much again.
        let config = CheckConfig { budget: fresh(&config, &self.options), ..config };
        let (never, always) = constants(unit.language);
        let mut found = Found::default();
        if inferred.different.is_always() {
            if let Some((assumptions, _)) = self.differ_under(unit, &name, None, &config) {
                let (same_when, different_when) = (Some(never.to_owned()), Some(always.to_owned()));
                return Some(Found { same_when, different_when, exact: true, assumptions });
            }
            return Some(found);
        }
        for (place, same) in with_parts(&inferred.same).iter().enumerate() {
            let text = same.text(atoms);
            if let Some(assumptions) = self.same_under(unit, &name, &text, &config) {
                found.same_when = Some(text);
                found.assumptions.extend(assumptions);
                inferred.is_exact &= place == 0;
                break;
            }
        }
        if !inferred.different.is_never() {
            let text = inferred.different.text(atoms);
            if let Some((assumptions, _)) = self.differ_under(unit, &name, Some(&text), &config) {
                found.different_when = Some(text);
                found.assumptions.extend(assumptions);
            }
        }
        if inferred.is_exact
            && found.different_when.is_some()
            && let Some(same) = &found.same_when
            && let Some(assumptions) = self.differ_outside(index, unit, same, &config)
        {
            found.exact = true;
            found.assumptions.extend(assumptions);
        }
        Some(found)
    }
}

/// A condition, and then its cubes: what is proved of each of them may be too much to prove at once.
fn with_parts(condition: &Formula) -> Vec<Formula> {
    if condition.is_never() {
        return Vec::new();
    }
    let is_one = condition.is_negated || condition.cubes.len() < 2;
    let parts = condition.cubes.iter().filter(|_| !is_one).map(|cube| Formula::any(vec![cube.clone()]));
    std::iter::once(condition.clone()).chain(parts).collect()
}

fn fresh(config: &CheckConfig, options: &Options) -> Budget {
    Budget::new(Steps::new(options.effort), config.budget.kill().clone())
}

/// What never holds and what always does, in the words of a language.
fn constants(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Java => ("false", "true"),
        Language::C => ("0", "1"),
    }
}

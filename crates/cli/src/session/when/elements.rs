//! Conditions about all elements that a loop comes to: "the same whenever no `a[i]` is negative".
//!
//! What is proved is the text, with an instance of it for the indices of loops. That versions differ wherever one element
//! is of another kind is not proved: loops of any length would have to be followed.

use std::collections::BTreeSet;

use budget::Steps;
use check::{CheckConfig, Verdict};
use infer::{Atom, Learner, SourceProcedure, element_atoms};
use interp::Input;

use super::atoms::{Meaning, has_floats, written_procedures};
use super::{Found, fresh, has_no_loop};
use crate::job::Unit;
use crate::session::Session;

/// Atoms that are looked at: about elements, and others.
const MOST_OF_ELEMENTS: usize = 40;
const MOST_OTHERS: usize = 24;
/// Proposals that are tried.
const MOST_ROUNDS: usize = 6;
/// The share of the effort that goes into it, and the most for one proof.
const SHARE: f64 = 0.3;
const FOR_A_PROOF: Steps = Steps::of_seconds(3);

impl Session {
    /// A condition about all elements under which the versions of a pair that differ were proved to do the same.
    pub(super) fn element_conditions(
        &self,
        index: usize,
        unit: &Unit,
        known: &Input,
        config: &CheckConfig,
    ) -> Option<Found> {
        let pair = self.subjects(index);
        if has_no_loop(pair) || infer::is_recursive(pair) {
            return None;
        }
        let mut atoms = self.of_elements(index, unit);
        if atoms.is_empty() {
            return None;
        }
        let config = &CheckConfig { budget: fresh(config, &self.options).share(SHARE), ..config.clone() };
        let others = self.atoms(unit, index, known, Meaning::LeftOut, config).atoms;
        atoms.extend(others.into_iter().take(MOST_OTHERS));
        let understood = self.with_atoms(index, unit, &atoms, &[])?;
        let mut learner = Learner::new(understood.subjects(), understood.given(), known, config);
        let mut refused: Vec<String> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let proposals = learner.propose().into_iter().chain(learner.alone());
            let texts = proposals.filter(|same| !same.is_never()).map(|same| same.text(&understood.atoms));
            let mut texts = texts.filter(|text| report::is_quantified(text) && !refused.contains(text));
            let text = texts.next().filter(|_| !config.budget.is_over())?;
            let session = self.under_texts(index, unit, std::slice::from_ref(&text), &[])?;
            let for_a_proof = CheckConfig { budget: config.budget.at_most(FOR_A_PROOF), ..config.clone() };
            let judged = session.judge(0, &for_a_proof, &mut |_| {});
            match &judged.checked.verdict {
                Verdict::Equivalent(proof) => {
                    let assumptions = [proof.assumptions(), &judged.taken_for_granted].concat();
                    return Some(Found { same_when: Some(text), assumptions, ..Found::default() });
                }
                Verdict::Different(witness) if learner.add(witness.input()) => {}
                Verdict::Different(_) | Verdict::Unknown(_) => refused.push(text),
            }
        }
        None
    }

    /// The atoms of both versions about elements.
    fn of_elements(&self, index: usize, unit: &Unit) -> Vec<Atom> {
        let pair = self.subjects(index);
        let mut atoms: Vec<Atom> = Vec::new();
        for (subject, sources) in [(pair.new, &unit.new), (pair.old, &unit.old)] {
            let written = written_procedures(unit.language, subject.program, sources);
            let others: Vec<SourceProcedure> =
                written.iter().map(|(_, procedure)| procedure.clone()).collect();
            let this = written.iter().find(|(span, _)| *span == subject.procedure().span);
            if let Some((_, procedure)) = this {
                atoms.extend(element_atoms(procedure, &others, unit.language, has_floats(pair)));
            }
        }
        let mut seen = BTreeSet::new();
        atoms.retain(|atom| seen.insert(atom.text.clone()));
        atoms.sort_by_key(|atom| atom.cost);
        atoms.truncate(MOST_OF_ELEMENTS);
        atoms
    }
}

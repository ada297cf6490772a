//! Looks for inputs that separate the versions: the solver proposes, a run decides.

use budget::Budget;
use interp::Input;
use smt::{Floats, Model, Term, Terms};

use super::{LIMITS, Outcome, Search};
use crate::inputs::{input_of_model, is_well_formed, wanted_of};
use crate::question::{Asked, Asker, Difference};
use crate::verdict::Reason;
use crate::witness::{Machines, Trial, Witness};
use crate::{CheckConfig, Event};

/// How many states of the outside world are tried with each candidate.
const WORLDS: u64 = 12;

impl Search<'_> {
    /// Asks for inputs that separate the versions, and runs each candidate.
    pub(super) fn difference(
        &mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
        floats: Floats,
    ) -> Outcome {
        for _ in 0..self.depth.candidates {
            let mut conditions = self.difference_conditions(terms);
            conditions.extend(&self.blocked);
            let wanted = wanted_of(terms, &conditions);
            let budget = self.share(config, floats);
            match asker.ask::<Difference>(terms, &conditions, &wanted, floats, &budget) {
                Asked::Refuted(refuted) if self.blocked.is_empty() => {
                    return Outcome::Refuted(if self.merges > 0 { refuted.with_solver() } else { refuted });
                }
                // Only what was not blocked is refuted.
                Asked::Refuted(_) => break,
                Asked::GaveUp(reason) => return Outcome::Open(reason),
                Asked::Candidate(model) => {
                    let model = self.smaller(terms, asker, conditions, floats, &budget).unwrap_or(model);
                    if let Some(witness) = self.try_candidate(terms, machines, &model) {
                        return Outcome::Found(witness);
                    }
                    asker.emit(Event::Spurious);
                    if !self.block(terms, &model) {
                        break;
                    }
                }
            }
        }
        let candidates = self.blocked.len() as u32;
        self.blocked.clear();
        Outcome::Open(Reason::Spurious { candidates: candidates.max(1) })
    }

    /// A model of the same question with short arrays, if there is one.
    fn smaller(
        &self,
        terms: &mut Terms,
        asker: &mut Asker<'_>,
        mut conditions: Vec<Term>,
        floats: Floats,
        budget: &Budget,
    ) -> Option<Model> {
        let wishes = symbolic::preferences(terms, &self.inputs);
        if wishes.is_empty() {
            return None;
        }
        conditions.extend(wishes);
        let wanted = wanted_of(terms, &conditions);
        match asker.ask::<Difference>(terms, &conditions, &wanted, floats, budget) {
            Asked::Candidate(model) => Some(model),
            Asked::Refuted(_) | Asked::GaveUp(_) => None,
        }
    }

    pub(crate) fn try_candidate(
        &self,
        terms: &mut Terms,
        machines: &Machines,
        model: &Model,
    ) -> Option<Box<Witness>> {
        let input = input_of_model(terms, &self.inputs, model);
        if !is_well_formed(self.pair.old, &input) {
            return None;
        }
        // The model does not say what the outside world is like.
        for world in 0..WORLDS {
            let input = Input { world, ..input.clone() };
            match machines.try_input(&input, &LIMITS) {
                Trial::Separated(witness) => return Some(witness),
                Trial::NotSeparated(runs) => {
                    if runs.old.external_calls.is_empty() && runs.new.external_calls.is_empty() {
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Excludes the arguments of a candidate from the next question; false if there is nothing to exclude.
    fn block(&mut self, terms: &mut Terms, model: &Model) -> bool {
        let mut equal = Vec::new();
        for term in symbolic::input_terms(&self.inputs) {
            if let Some(value) = model.value(term) {
                let sort = terms.sort_of(term).clone();
                if !matches!(value, smt::Value::Opaque(_)) {
                    let value = terms.value(value, &sort);
                    equal.push(terms.eq(term, value));
                }
            }
        }
        let all = terms.and(&equal);
        self.blocked.push(terms.not(all));
        !equal.is_empty()
    }
}

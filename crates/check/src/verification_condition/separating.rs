//! Looks for inputs that separate the versions: the solver proposes, a run decides.

use budget::Budget;
use interp::Input;
use smt::{Floats, Model, Term, Terms};

use super::{LIMITS, Outcome, VerificationCondition};
use crate::CheckConfig;
use crate::kernel::Difference;
use crate::unknown::Reason;
use crate::witness::{Machines, Trial, Witness};
use inputs::{input_of_model, is_well_formed, wanted_of};
use query::{Asked, Client, GaveUp, Question, Refuted};

/// How many states of the outside world are tried with each candidate.
const WORLDS: u64 = 12;

/// What became of the question for inputs that were not run yet.
enum Next {
    Refuted(Refuted<Difference>),
    /// There are no others, but some were run before.
    Nothing,
    Counterexample(Model),
    GaveUp(GaveUp),
}

impl VerificationCondition<'_> {
    /// Asks for inputs that separate the versions, and runs each candidate.
    pub(super) fn difference(
        &mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        client: &mut Client,
        floats: Floats,
    ) -> Outcome {
        for _ in 0..self.depth.candidates {
            let budget = self.share(config, floats);
            let model = match self.ask_for_new_inputs(terms, client, floats, &budget) {
                Next::Refuted(refuted) => {
                    return Outcome::Refuted(if self.merges > 0 { refuted.with_solver() } else { refuted });
                }
                // Only what was not blocked is refuted.
                Next::Nothing => break,
                Next::GaveUp(reason) => return Outcome::Undecided(reason.into()),
                Next::Counterexample(model) => model,
            };
            let model = self.smaller(terms, client, floats, &budget).unwrap_or(model);
            if let Some(witness) = self.try_counterexample(terms, machines, &model) {
                return Outcome::Found(witness);
            }
            tracing::debug!(target: "counterexample", spurious = true);
            if !self.block(terms, &model) {
                break;
            }
        }
        let candidates = self.blocked.len() as u32;
        self.blocked.clear();
        Outcome::Undecided(Reason::Spurious { candidates: candidates.max(1) })
    }

    /// Asks for inputs that were not run yet and make the versions differ.
    fn ask_for_new_inputs(
        &self,
        terms: &mut Terms,
        client: &mut Client,
        floats: Floats,
        budget: &Budget,
    ) -> Next {
        if self.blocked.is_empty() {
            let difference = self.claim.difference(terms);
            let wanted = wanted_of(terms, difference.conditions());
            return match client.ask(terms, difference, &wanted, floats, budget) {
                Asked::Refuted(refuted) => Next::Refuted(refuted),
                Asked::Counterexample(model) => Next::Counterexample(model),
                Asked::GaveUp(reason) => Next::GaveUp(reason),
            };
        }
        let difference = self.claim.difference_if(terms, &self.blocked);
        let wanted = wanted_of(terms, difference.conditions());
        match client.ask(terms, difference, &wanted, floats, budget) {
            Asked::Refuted(_) => Next::Nothing,
            Asked::Counterexample(model) => Next::Counterexample(model),
            Asked::GaveUp(reason) => Next::GaveUp(reason),
        }
    }

    /// A model of the same question with short arrays, if there is one.
    fn smaller(
        &self,
        terms: &mut Terms,
        client: &mut Client,
        floats: Floats,
        budget: &Budget,
    ) -> Option<Model> {
        let wishes = symbolic::preferences(terms, &self.inputs);
        if wishes.is_empty() {
            return None;
        }
        let more: Vec<Term> = self.blocked.iter().copied().chain(wishes).collect();
        let difference = self.claim.difference_if(terms, &more);
        let wanted = wanted_of(terms, difference.conditions());
        match client.ask(terms, difference, &wanted, floats, budget) {
            Asked::Counterexample(model) => Some(model),
            Asked::Refuted(_) | Asked::GaveUp(_) => None,
        }
    }

    pub(crate) fn try_counterexample(
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

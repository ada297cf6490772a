//! What follows from a refuted difference: a proof, if no run goes beyond what was followed.

use ir::Side;
use smt::{Floats, Terms};

use super::Search;
use super::by_parts::Parts;
use super::depth::Merge;
use super::merging::as_a_whole;
use crate::CheckConfig;
use crate::question::{Asked, Asker, Difference, InputsExist, Refuted, Unfinished};
use crate::relevance::input_variables;
use crate::termination::EndsAlike;
use crate::vacuity::{Exercised, exercised};
use crate::verdict::{Proof, Reason, Unknown, Verdict};
use crate::witness::Machines;

impl Search<'_> {
    /// No difference among the runs that were followed: equivalent, if no run goes beyond.
    pub(crate) fn conclude(
        self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
        refuted: Refuted<Difference>,
        floats: Floats,
    ) -> Verdict {
        let unfinished = match self.ask_unfinished(terms, config, asker, floats) {
            Asked::Refuted(unfinished) => unfinished,
            Asked::Candidate(_) => {
                let gaps = self.gaps(config);
                return Verdict::Unknown(up_to_the_bound(gaps, config));
            }
            Asked::GaveUp(reason) => {
                return Verdict::Unknown(self.with_gaps(Unknown::because(reason), config));
            }
        };
        let ends_alike = EndsAlike::seen(&self, config, terms);
        if ends_alike.is_none() && config.total {
            return Verdict::Unknown(Unknown::because(Reason::OnlyWhereBothEnd));
        }
        let exercised = match exercised(machines, config, asker) {
            Ok(exercised) => exercised,
            Err(unshown) => return unshown.verdict(machines),
        };
        let exist = match self.not_contradictory(&exercised, terms, asker, floats, config) {
            Ok(exist) => exist,
            Err(reason) => return Verdict::Unknown(Unknown::because(reason)),
        };
        let proof = Proof::refuted(refuted, unfinished, exist, &exercised, self.assumption_texts());
        Verdict::Equivalent(match ends_alike {
            Some(ends_alike) => proof.for_all_runs(ends_alike),
            None => proof,
        })
    }

    /// Asks whether a run goes beyond what was followed; case by case where that is hard.
    fn ask_unfinished(
        &self,
        terms: &mut Terms,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
        floats: Floats,
    ) -> Asked<Unfinished> {
        let mut conditions = self.assumptions.clone();
        conditions.push(self.question.unfinished);
        if self.depth.merges.contains(&Merge::InPlace) {
            let soon = as_a_whole(&config.budget);
            match asker.ask::<Unfinished>(terms, &conditions, &[], floats, &soon) {
                Asked::GaveUp(_) => {}
                asked => return asked,
            }
            let inputs = input_variables(terms, &self.inputs);
            let half = config.budget.share(0.5);
            let parts = Parts::new(terms, asker, inputs, &self.assumptions, &half);
            let possible = parts.possible(self.question.unfinished);
            conditions.pop();
            conditions.push(possible);
            return match asker.ask::<Unfinished>(terms, &conditions, &[], floats, &config.budget) {
                Asked::Refuted(refuted) => Asked::Refuted(refuted.with_solver()),
                asked => asked,
            };
        }
        asker.ask::<Unfinished>(terms, &conditions, &[], floats, &config.budget)
    }

    /// Everything follows from contradictory assumptions. Inputs were run; what was added on the way must not exclude
    /// them all.
    fn not_contradictory(
        &self,
        exercised: &Exercised,
        terms: &mut Terms,
        asker: &mut Asker<'_>,
        floats: Floats,
        config: &CheckConfig,
    ) -> Result<InputsExist, Reason> {
        let mut conditions = self.assumptions.clone();
        conditions.push(terms.not(self.question.excluded));
        asker.not_contradictory(terms, &conditions, exercised.inputs_exist(), floats, &config.budget)
    }

    /// Where runs may leave what was followed.
    pub(crate) fn gaps(&self, config: &CheckConfig) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for (side, summary) in [(Side::Old, &self.summaries.old), (Side::New, &self.summaries.new)] {
            for cut in &summary.cut {
                let procedure = cut.procedure.clone();
                reasons.push(Reason::Bound { side, procedure, span: cut.span, bound: config.bound });
            }
            for gap in &summary.unsupported {
                reasons.push(Reason::Unsupported { side, what: gap.what.clone(), span: gap.span });
            }
        }
        reasons
    }

    pub(super) fn with_gaps(&self, unknown: Unknown, config: &CheckConfig) -> Unknown {
        self.gaps(config).into_iter().fold(unknown, Unknown::and)
    }

    /// What the proof takes for granted: of the inputs, of the summaries and of the lowering.
    pub(crate) fn assumption_texts(&self) -> Vec<String> {
        let mut texts = self.inputs.assumption_texts.clone();
        for summary in [&self.summaries.old, &self.summaries.new] {
            texts.extend(summary.assumption_texts.iter().cloned());
        }
        texts.extend(crate::subject::lowering_assumptions(self.pair));
        if self.hides {
            // Calls inside of hidden code were not met on the way.
            texts.extend(crate::subject::unknown_code(self.pair));
        }
        let mut seen = std::collections::BTreeSet::new();
        texts.retain(|text| seen.insert(text.clone()));
        texts
    }
}

/// *No difference up to k*, with the places where it may go on.
pub(crate) fn up_to_the_bound(gaps: Vec<Reason>, config: &CheckConfig) -> Unknown {
    let only_bounds = gaps.iter().all(|reason| matches!(reason, Reason::Bound { .. }));
    let mut gaps = gaps.into_iter();
    let first = gaps.next().unwrap_or(Reason::Internal("an unfinished path has no place".to_owned()));
    let unknown = gaps.fold(Unknown::because(first), Unknown::and);
    if only_bounds { unknown.with_bound(config.bound) } else { unknown }
}

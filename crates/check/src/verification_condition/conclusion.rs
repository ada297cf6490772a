//! What follows from a refuted difference: a proof, if no run goes beyond what was followed.

use ir::Side;
use smt::{Floats, Terms};

use super::VerificationCondition;
use super::depth::Merge;
use super::merging::as_a_whole;
use crate::CheckConfig;
use crate::kernel::{Difference, EndsAlike, InputsExist, Proof, Unfinished};
use crate::unknown::{Reason, Unknown};
use crate::vacuity::exercised;
use crate::verdict::Verdict;
use crate::witness::Machines;
use query::{Asked, Client, Refuted};
use symbolic::input_variables;

impl VerificationCondition<'_> {
    /// No difference among the runs that were followed: equivalent, if no run goes beyond.
    pub(crate) fn conclude(
        mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        client: &mut Client,
        refuted: Refuted<Difference>,
        floats: Floats,
    ) -> Verdict {
        let unfinished = match self.ask_unfinished(terms, config, client, floats) {
            Asked::Refuted(unfinished) => unfinished,
            Asked::Counterexample(_) => {
                let gaps = self.gaps(config);
                return Verdict::Unknown(up_to_the_bound(gaps, config));
            }
            Asked::GaveUp(reason) => {
                return Verdict::Unknown(self.with_gaps(Unknown::because(reason.into()), config));
            }
        };
        let ends_alike = EndsAlike::seen(&self.summaries, &self.claim, config.total, terms);
        if ends_alike.is_none() && config.total {
            return Verdict::Unknown(Unknown::because(Reason::OnlyWhereBothEnd));
        }
        let exercised = match exercised(machines, config, client) {
            Ok(exercised) => exercised,
            Err(unshown) => return unshown.verdict(machines),
        };
        let exist = InputsExist::under(&self.claim, &exercised, terms, client, floats, &config.budget);
        let exist = match exist {
            Ok(exist) => exist,
            Err(reason) => return Verdict::Unknown(Unknown::because(reason)),
        };
        let texts = self.assumption_texts();
        let proof = Proof::refuted(self.claim, &refuted, &unfinished, exist, &exercised, texts)
            .with_obligations(client.obligations());
        Verdict::Equivalent(match ends_alike {
            Some(ends_alike) => proof.for_all_runs(ends_alike),
            None => proof,
        })
    }

    /// Asks whether a run goes beyond what was followed; case by case where that is hard.
    fn ask_unfinished(
        &mut self,
        terms: &mut Terms,
        config: &CheckConfig,
        client: &mut Client,
        floats: Floats,
    ) -> Asked<Unfinished> {
        if !self.depth.merges.contains(&Merge::InPlace) {
            return client.ask(terms, self.claim.unfinished(), &[], floats, &config.budget);
        }
        let soon = as_a_whole(&config.budget);
        match client.ask(terms, self.claim.unfinished(), &[], floats, &soon) {
            Asked::GaveUp(_) => {}
            asked => return asked,
        }
        let inputs = input_variables(terms, &self.inputs);
        self.claim.leave_out_impossible(terms, inputs, client, &config.budget.share(0.5));
        match client.ask(terms, self.claim.unfinished(), &[], floats, &config.budget) {
            Asked::Refuted(refuted) => Asked::Refuted(refuted.with_solver()),
            asked => asked,
        }
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
        texts.extend(crate::interface::lowering_assumptions(self.pair));
        if self.hides {
            // Calls inside hidden code were not met on the way.
            texts.extend(crate::interface::unknown_code(self.pair));
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

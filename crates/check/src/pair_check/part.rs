//! Parts of a pair, each decided by itself, so that several can be decided at the same time.

use budget::Budget;
use ir::{Pair, Subject};

use super::{PairCheck, sees_inlined};
use crate::analysis::{DerivedPrograms, PairAnalysis};
use crate::boundary::{Cost, Decided, Until, boundaries};
use crate::resume::ResumeState;
use crate::vacuity::exercised;
use crate::verdict::Verdict;
use crate::witness::{Machines, OneEnds};
use crate::{CheckConfig, Strategy};
use budget::Statistics;
use query::Client;

impl PairCheck<'_, '_> {
    /// Unchanged code around changed callees, with a part of the budget.
    pub(super) fn boundary(&mut self, machines: &Machines<'_>, budget: Budget) -> Option<Verdict> {
        if !self.messages_are_those_of_the_code() {
            return None;
        }
        let (pair, config) = (self.analysis.pair(), self.config);
        let client = &mut *self.client;
        // The parts that this thread decides need it.
        client.rest();
        let decide = |part: Pair<Subject<'_>>, resume: ResumeState, until: Until<'_>| {
            let Until { budget, stop } = until;
            let config = CheckConfig {
                budget,
                stop: stop.clone(),
                strategy: Strategy::Auto,
                any_inputs: true,
                ..config.clone()
            };
            decide_part(part, &config, resume)
        };
        let mut contradiction = None;
        let mut on_cost = |cost: Cost| {
            contradiction = contradiction.take().or(cost.contradiction);
            client.statistics += cost.statistics;
        };
        let until = Until { budget, stop: &config.stop };
        let surrounded = boundaries(pair, until, config.threads, &decide, &mut on_cost);
        if let Some(contradiction) = contradiction {
            return Some(Verdict::Unknown(contradiction));
        }
        let surrounded = surrounded?;
        machines.evidence().are_proved_alone(surrounded.proved(), self.analysis.source().pair());
        Some(match exercised(machines, config, client) {
            Ok(exercised) => {
                let proof = surrounded.proof(&exercised).with_obligations(client.obligations());
                Verdict::Equivalent(proof)
            }
            Err(unshown) => unshown.verdict(machines),
        })
    }
}

/// Decides a part with a solver that knows of nothing else, and keeps what it costs for itself.
fn decide_part(pair: Pair<Subject<'_>>, config: &CheckConfig, resume: ResumeState) -> Decided {
    let mut client = Client::new(config.client());
    let mut statistics = Statistics::default();
    let derived = DerivedPrograms::default();
    let analysis = PairAnalysis::new(pair, config.numbers, sees_inlined(config.strategy), &derived);
    let mut part = PairCheck {
        analysis: &analysis,
        config,
        client: &mut client,
        inputs: &mut statistics,
        is_part: true,
        resume,
        one_ends: OneEnds::default(),
        plan: Vec::new(),
        on_strategy: &mut |_| {},
    };
    let (_, verdict) = part.auto();
    let resume = part.resume;
    statistics += client.statistics;
    drop(client);
    let contradiction = match &verdict {
        Verdict::Unknown(unknown) if unknown.is_contradiction() => Some(unknown.clone()),
        Verdict::Unknown(_) | Verdict::Equivalent(_) | Verdict::Different(_) => None,
    };
    Decided { verdict, resume, cost: Cost { steps: config.budget.spent(), statistics, contradiction } }
}

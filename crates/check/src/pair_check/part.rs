//! Parts of a pair, each decided by itself, so that several can be decided at the same time.

use ir::Pair;

use super::{PairCheck, with_unfolded};
use crate::boundary::{Cost, Decided, Until, boundaries};
use crate::question::Asker;
use crate::tried::Tried;
use crate::vacuity::exercised;
use crate::verdict::{Statistics, Verdict};
use crate::witness::{Machines, OneEnds};
use crate::{CheckConfig, Event, Strategy, Subject};

impl PairCheck<'_, '_> {
    /// Unchanged code around changed callees, with a share of what is left.
    pub(super) fn boundary(&mut self, machines: &Machines<'_>, share: f64) -> Option<Verdict> {
        if !self.messages_are_those_of_the_code() {
            return None;
        }
        let budget = self.config.budget.share(share);
        let (pair, config, asker) = (self.pair, self.config, &mut *self.asker);
        // The parts that this thread decides need it.
        asker.rest();
        let decide = |part: Pair<Subject<'_>>, tried: Tried, until: Until<'_>| {
            let Until { budget, stop } = until;
            let config = CheckConfig {
                budget,
                stop: stop.clone(),
                strategy: Strategy::Auto,
                any_inputs: true,
                ..config.clone()
            };
            decide_part(part, &config, tried)
        };
        let mut contradiction = None;
        let mut on_cost = |cost: Cost| {
            contradiction = contradiction.take().or(cost.contradiction);
            asker.statistics += cost.statistics;
            cost.events.into_iter().for_each(|event| asker.emit(event));
        };
        let until = Until { budget, stop: &config.stop };
        let surrounded = boundaries(pair, until, config.threads, &decide, &mut on_cost);
        if let Some(contradiction) = contradiction {
            return Some(Verdict::Unknown(contradiction));
        }
        let surrounded = surrounded?;
        machines.evidence().are_proved_alone(surrounded.proved(), self.source);
        Some(match exercised(machines, config, asker) {
            Ok(exercised) => Verdict::Equivalent(surrounded.proof(&exercised)),
            Err(unshown) => unshown.verdict(machines),
        })
    }
}

/// Decides a part with a solver that knows of nothing else, and keeps what it costs for itself.
fn decide_part(pair: Pair<Subject<'_>>, config: &CheckConfig, tried: Tried) -> Decided {
    let mut events: Vec<Event> = Vec::new();
    let mut on_event = |event| events.push(event);
    let mut asker = Asker::new(config, &mut on_event);
    let mut statistics = Statistics::default();
    let (verdict, tried) = with_unfolded(pair, config.strategy, |unfolded| {
        let mut part = PairCheck {
            source: pair,
            pair: unfolded,
            config,
            asker: &mut asker,
            inputs: &mut statistics,
            is_part: true,
            tried,
            one_ends: OneEnds::default(),
        };
        let (_, verdict) = part.auto();
        (verdict, part.tried)
    });
    statistics += asker.statistics;
    drop(asker);
    let contradiction = match &verdict {
        Verdict::Unknown(unknown) if unknown.is_contradiction() => Some(unknown.clone()),
        Verdict::Unknown(_) | Verdict::Equivalent(_) | Verdict::Different(_) => None,
    };
    Decided { verdict, tried, cost: Cost { steps: config.budget.spent(), statistics, events, contradiction } }
}

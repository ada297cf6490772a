//! Full summaries with loops and recursion unrolled further and further, until no input needs more.
//!
//! Exact up to the bound. *Equivalent* needs the unwinding check: no input needs more iterations than were followed,
//! but for those on which the loop surely goes on forever. Without it the answer is *no difference up to k*.

use budget::Steps;
use ir::Pair;

use super::naive;
use crate::unknown::Unknown;
use crate::verdict::Verdict;
use crate::witness::Machines;
use crate::{CheckConfig, Subject};
use query::Client;

/// The bounds after the first. Loops that halve or double a machine number end within 33 or 65 iterations.
pub(crate) const LADDER: [u32; 4] = [10, 25, 40, 70];

/// Decides a pair by unrolling, as far as the deeper bound and the time allow, from where it came before.
pub(crate) fn bounded(
    pair: Pair<Subject<'_>>,
    so_far: Option<Unknown>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Verdict {
    let first = so_far.as_ref().and_then(Unknown::no_difference_up_to).unwrap_or(config.bound);
    let mut verdict = match so_far {
        Some(unknown) => Verdict::Unknown(unknown),
        None => match nearby(pair, machines, config, client) {
            Some(decided) => return decided,
            None => naive(pair, machines, config, client),
        },
    };
    let last = config.deeper_bound.unwrap_or(0);
    for bound in LADDER.into_iter().filter(|bound| (first + 1..=last).contains(bound)) {
        // Going further helps only where nothing but the bound was in the way.
        let Verdict::Unknown(unknown) = &verdict else { return verdict };
        if unknown.no_difference_up_to().is_none() || config.is_over() {
            return verdict;
        }
        let deeper = CheckConfig { bound, ..config.clone() };
        match naive(pair, machines, &deeper, client) {
            Verdict::Unknown(unknown) if unknown.no_difference_up_to().is_none() => return verdict,
            decided_or_further => verdict = decided_or_further,
        }
    }
    verdict
}

/// The work for looking nearby.
const NEARBY: Steps = Steps::of_milliseconds(300);

/// Calls that branch grow fast with the bound: what a tree of one level shows is asked first.
fn nearby(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let is_recursive = [pair.old, pair.new].into_iter().any(|subject| {
        let mut reached = ir::reachable(subject.program, subject.procedure).into_iter();
        reached.any(|id| ir::is_recursive(subject.program, id))
    });
    if !is_recursive || config.bound <= 1 || config.deeper_bound.is_none() {
        return None;
    }
    let near = CheckConfig { bound: 1, deeper_bound: None, ..config.clone() };
    match naive(pair, machines, &near.within(config.budget.at_most(NEARBY)), client) {
        Verdict::Unknown(_) => None,
        decided => Some(decided),
    }
}

//! Proofs of unreachability by invariants, for the vacuity check.
//!
//! Exact for runs that end: a version does the same as its copy with probes only if no run meets a probe.

use ir::{Pair, Subject};
use query::Client;

use super::{lockstep, same_symbol};
use crate::CheckConfig;
use crate::analysis::{DerivedPrograms, PairAnalysis};
use crate::verdict::Verdict;
use crate::witness::Machines;

/// Whether a version and its copy with probes were proved to do the same, for all runs that end.
pub(crate) fn prove_unreachable(pair: Pair<Subject<'_>>, config: &CheckConfig, client: &mut Client) -> bool {
    let derived = DerivedPrograms::default();
    let analysis = PairAnalysis::new(pair, config.numbers, false, &derived);
    // The copy differs in probes of ours, none of which has to be executed.
    let machines = Machines::of(pair, Pair::default(), config).under_hypothesis();
    let verdict = match lockstep(&analysis, &mut None, &machines, config, client) {
        Some(Verdict::Unknown(_)) | None => same_symbol(&analysis, &machines, config, client),
        decided => decided,
    };
    matches!(verdict, Some(Verdict::Equivalent(_)))
}

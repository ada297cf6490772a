//! What is left of a verdict where more is demanded of it than that the versions agree where both end.

use ir::{Pair, Subject};

use crate::CheckConfig;
use crate::kernel::{EndsAlike, Proof, Termination};
use crate::unknown::{Reason, Unknown};
use crate::verdict::Verdict;

/// How much of the time goes into what is the same at least where both end; the rest asks about all runs.
pub(crate) const SHARE_FOR_RUNS_THAT_END: f64 = 0.5;

/// Whether a verdict about the runs that end is one about all runs: a difference is, and a proof that says so.
pub(crate) fn is_answer(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Different(_) => true,
        Verdict::Equivalent(proof) => proof.termination() == Termination::Total,
        Verdict::Unknown(_) => false,
    }
}

/// What is left of a verdict under `--total`, where a proof that speaks only of runs that end proves too little, and under
/// `--open-world`, where one that speaks only of the classes at hand does.
pub(crate) fn demanded(verdict: Verdict, pair: Pair<Subject<'_>>, config: &CheckConfig) -> Verdict {
    let is_closed_world = |proof: &Proof| proof.assumptions().iter().any(|it| it == ir::CLOSED_WORLD);
    let is_partial = |proof: &Proof| proof.termination() == Termination::Partial;
    match verdict {
        Verdict::Equivalent(proof) if config.open_world && is_closed_world(&proof) => {
            Verdict::Unknown(Unknown::because(Reason::OpenWorld))
        }
        Verdict::Equivalent(proof) if is_partial(&proof) => match EndsAlike::without_loops(pair) {
            Some(ends_alike) => Verdict::Equivalent(proof.for_all_runs(ends_alike)),
            None if config.total => Verdict::Unknown(Unknown::because(Reason::OnlyWhereBothEnd)),
            None => Verdict::Equivalent(proof),
        },
        other => other,
    }
}

/// What an *unknown* about all runs becomes when the runs that end are known.
pub(crate) fn with_partial(unknown: Unknown, partial: Verdict) -> Verdict {
    match partial {
        Verdict::Equivalent(_) => {
            let reasons = unknown.reasons().cloned().collect::<Vec<_>>();
            let first = Unknown::because(Reason::OnlyWhereBothEnd);
            Verdict::Unknown(reasons.into_iter().fold(first, Unknown::and))
        }
        // Both versions end on this input.
        different @ Verdict::Different(_) => different,
        Verdict::Unknown(_) => Verdict::Unknown(unknown),
    }
}

//! The whole pair as Horn clauses and nothing before it, as Rêve does it; for comparison.
//!
//! As exact as `horn`. A pair without loops and recursion has no unknown relations: all of it is one clause, which is
//! a question like any other. Where no relations are found, the clauses may be refuted by two runs of some length;
//! these are looked for by unrolling, of which nothing but a difference counts here.

use crate::analysis::PairAnalysis;
use crate::strategies::{bounded, horn, naive};
use crate::unknown::{Reason, Unknown};
use crate::verdict::Verdict;
use crate::witness::Machines;
use crate::{CheckConfig, Subject};
use query::Client;

/// The share of the budget in which relations are looked for.
const SHARE_FOR_RELATIONS: f64 = 0.7;

/// Decides a pair by Horn clauses alone.
pub(crate) fn reve(
    analysis: &PairAnalysis<'_>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Verdict {
    let pair = analysis.pair();
    if is_one_clause(pair.old) && is_one_clause(pair.new) {
        return naive(pair, machines, config, client);
    }
    let searching = config.within(config.budget.share(SHARE_FOR_RELATIONS));
    if let Some(verdict @ (Verdict::Equivalent(_) | Verdict::Different(_))) =
        horn(analysis, machines, &searching, client)
    {
        return verdict;
    }
    match bounded(pair, None, machines, config, client) {
        different @ Verdict::Different(_) => different,
        Verdict::Equivalent(_) | Verdict::Unknown(_) => Verdict::Unknown(Unknown::because(Reason::NotInStep)),
    }
}

fn is_one_clause(subject: Subject<'_>) -> bool {
    let body = subject.procedure().body.as_deref().unwrap_or_default();
    !ir::is_recursive(subject.program, subject.procedure) && !ir::may_not_end(subject.program, body)
}

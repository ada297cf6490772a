//! Whether a proof speaks of all runs, or only of those that end.
//!
//! A proof is taken to be partial. That one version ends exactly when the other does needs a token, which is made
//! only where summaries say of every run whether it ends, and either none goes on forever or that was compared.

use smt::Terms;

use crate::search::Search;
use crate::verdict::{Proof, Reason, Unknown, Verdict};
use crate::{CheckConfig, strategies};

/// What a proof says of runs that do not end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Termination {
    /// Nothing: where both versions end they behave the same.
    Partial,
    /// One version ends exactly when the other does.
    Total,
}

impl Termination {
    pub fn name(self) -> &'static str {
        match self {
            Termination::Partial => "partial",
            Termination::Total => "total",
        }
    }
}

/// Says that one version ends exactly when the other does.
pub(crate) struct EndsAlike(());

impl EndsAlike {
    /// From summaries between which no difference was left.
    pub(crate) fn seen(search: &Search<'_>, config: &CheckConfig, terms: &mut Terms) -> Option<EndsAlike> {
        let summaries = search.summaries();
        let all_ends_told = !summaries.old.open_ended && !summaries.new.open_ended;
        let always_end = search.question().diverged == terms.bool(false);
        (all_ends_told && (config.total || always_end)).then_some(EndsAlike(()))
    }

    /// From code that is the same.
    pub(crate) fn same_code(_same: &strategies::SameCode) -> EndsAlike {
        EndsAlike(())
    }
}

/// What is left of a verdict under `--total`: a proof that speaks only of runs that end proves too little.
pub(crate) fn demanded(verdict: Verdict, config: &CheckConfig) -> Verdict {
    let is_partial = |proof: &Proof| proof.termination() == Termination::Partial;
    match verdict {
        Verdict::Equivalent(proof) if config.total && is_partial(&proof) => {
            Verdict::Unknown(Unknown::because(Reason::OnlyWhereBothEnd))
        }
        other => other,
    }
}

//! Whether a proof speaks of all runs, or only of those that end.
//!
//! A proof is taken to be partial. That one version ends exactly when the other does needs a token, which is made
//! only where summaries say of every run whether it ends, and either none goes on forever or that was compared.

use ir::Pair;
use smt::Terms;

use crate::search::Search;
use crate::verdict::{Proof, Reason, Unknown, Verdict};
use crate::{CheckConfig, Subject, strategies};

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

    /// From code without loops and recursion, which always ends.
    fn without_loops(pair: Pair<Subject<'_>>) -> Option<EndsAlike> {
        let ends = |subject: Subject<'_>| {
            let body = subject.procedure().body.as_deref().unwrap_or_default();
            let recursive = ir::is_recursive(subject.program, subject.procedure);
            !recursive && !ir::may_not_end(subject.program, body)
        };
        (ends(pair.old) && ends(pair.new)).then_some(EndsAlike(()))
    }

    /// From code that is the same.
    pub(crate) fn same_code(_same: &strategies::SameCode) -> EndsAlike {
        EndsAlike(())
    }
}

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

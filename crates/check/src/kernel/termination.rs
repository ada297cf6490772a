//! Whether a proof speaks of all runs, or only of those that end.
//!
//! A proof is taken to be partial. That one version ends exactly when the other does needs a token, which is made
//! only where summaries say of every run whether it ends, and either none goes on forever or that was compared.

use ir::{Pair, Subject};
use smt::Terms;
use symbolic::Summary;

use super::claim::Claim;
use super::same_code::SameCode;

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
    pub(crate) fn seen(
        summaries: &Pair<Summary>,
        claim: &Claim,
        total: bool,
        terms: &mut Terms,
    ) -> Option<EndsAlike> {
        let all_ends_told = !summaries.old.open_ended && !summaries.new.open_ended;
        let always_end = claim.question().diverged == terms.bool(false);
        (all_ends_told && (total || always_end)).then_some(EndsAlike(()))
    }

    /// From code without loops and recursion, which always ends.
    pub(crate) fn without_loops(pair: Pair<Subject<'_>>) -> Option<EndsAlike> {
        let ends = |subject: Subject<'_>| {
            let body = subject.procedure().body.as_deref().unwrap_or_default();
            let recursive = ir::is_recursive(subject.program, subject.procedure);
            !recursive && !ir::may_not_end(subject.program, body)
        };
        (ends(pair.old) && ends(pair.new)).then_some(EndsAlike(()))
    }

    /// From code that is the same.
    pub(crate) fn same_code(_same: &SameCode) -> EndsAlike {
        EndsAlike(())
    }
}

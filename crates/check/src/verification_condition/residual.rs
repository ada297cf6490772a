//! The residual condition of a bounded check: which inputs it leaves (conditional model checking).

use ir::{Pair, Subject};
use query::{Asked, Client};
use smt::{Floats, Terms};
use symbolic::Abstraction;

use super::{Depth, VerificationCondition};
use crate::CheckConfig;
use crate::kernel::ResidualCondition;

/// The most parts of a residual condition: a long one makes all questions harder.
const LONGEST_FORMULA: usize = 600;

/// Compares the runs in which no loop runs longer, and no recursion goes deeper, than a bound.
///
/// `None` if these may differ, if no input is left, or if the residual condition is too long.
pub(crate) fn residual_condition(
    bound: u32,
    terms: &mut Terms,
    pair: Pair<Subject<'_>>,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<ResidualCondition> {
    // A bounded check says nothing of runs that do not end.
    if config.total {
        return None;
    }
    let config = CheckConfig { bound, ..config.clone() };
    let nothing = Abstraction::nothing();
    let hidden = Pair { old: &nothing, new: &nothing };
    let vc = VerificationCondition::prepare(terms, pair, hidden, Depth::SHALLOW, &config, client).ok()?;
    let left = vc.question().unfinished;
    if terms.as_const(left).is_some() || terms.reachable(&[left]).len() > LONGEST_FORMULA {
        return None;
    }
    let difference = vc.claim().difference(terms);
    match client.ask(terms, difference, &[], Floats::Symbols, &config.budget) {
        Asked::Refuted(refuted) => ResidualCondition::of(vc.claim(), &refuted, bound, vc.assumption_texts()),
        Asked::Counterexample(_) | Asked::GaveUp(_) => None,
    }
}

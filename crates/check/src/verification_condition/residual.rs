//! The residual condition of a bounded check: which inputs it has not settled (conditional model checking).

use ir::{Pair, Subject};
use query::{Asked, Client};
use smt::{Floats, Terms};
use symbolic::Abstraction;

use super::{Depth, VerificationCondition};
use crate::CheckConfig;
use crate::kernel::Settled;

/// Parts of the formula for the open inputs, at the most: what is hard to describe makes everything else harder.
const LONGEST_FORMULA: usize = 600;

/// Settles the inputs on which no loop runs longer, and no recursion goes deeper, than a bound.
///
/// `None` if they could not be settled, if nothing is left, or if what is left is too hard to describe.
pub(crate) fn settled_up_to(
    bound: u32,
    terms: &mut Terms,
    pair: Pair<Subject<'_>>,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Settled> {
    // Of runs that do not end nothing is known yet.
    if config.total {
        return None;
    }
    let config = CheckConfig { bound, ..config.clone() };
    let nothing = Abstraction::nothing();
    let hidden = Pair { old: &nothing, new: &nothing };
    let vc = VerificationCondition::prepare(terms, pair, hidden, Depth::SHALLOW, &config, client).ok()?;
    let open = vc.question().unfinished;
    if terms.as_const(open).is_some() || terms.reachable(&[open]).len() > LONGEST_FORMULA {
        return None;
    }
    let difference = vc.claim().difference(terms);
    match client.ask(terms, difference, &[], Floats::Symbols, &config.budget) {
        Asked::Refuted(refuted) => Settled::of(vc.claim(), &refuted, bound, vc.assumption_texts()),
        Asked::Counterexample(_) | Asked::GaveUp(_) => None,
    }
}

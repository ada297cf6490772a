//! Inputs that one engine has settled, so that the next one need not look at them (conditional model checking).
//!
//! A `Settled` exists only if no input but the open ones makes the versions differ; a proof about the open inputs
//! together with it is a proof about all inputs.
//! Exact: what is open is where runs leave what was followed, as a formula over the inputs.

use ir::Pair;
use smt::{Term, Terms};
use symbolic::Hidden;

use crate::question::{Asked, Asker, Difference, Refuted};
use crate::search::{Depth, Search};
use crate::{CheckConfig, Subject};

/// Parts of the formula for the open inputs, at the most: what is hard to describe makes everything else harder.
const LONGEST_FORMULA: usize = 600;

/// All inputs but the open ones.
pub(crate) struct Settled {
    open: Term,
    bound: u32,
    _token: Refuted<Difference>,
    assumptions: Vec<String>,
}

impl Settled {
    /// Settles the inputs on which no loop runs longer, and no recursion goes deeper, than a bound.
    ///
    /// `None` if they could not be settled, if nothing is left, or if what is left is too hard to describe.
    pub(crate) fn up_to(
        bound: u32,
        terms: &mut Terms,
        pair: Pair<Subject<'_>>,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) -> Option<Settled> {
        // Of runs that do not end nothing is known yet.
        if config.total {
            return None;
        }
        let config = CheckConfig { bound, ..config.clone() };
        let nothing = Hidden::nothing();
        let hidden = Pair { old: &nothing, new: &nothing };
        let search = Search::prepare(terms, pair, hidden, Depth::SHALLOW, &config, asker).ok()?;
        let open = search.question().unfinished;
        if terms.as_const(open).is_some() || terms.reachable(&[open]).len() > LONGEST_FORMULA {
            return None;
        }
        let Asked::Refuted(token) = search.ask_difference(terms, &[], asker, &config.budget) else {
            return None;
        };
        Some(Settled { open, bound, _token: token, assumptions: search.assumption_texts() })
    }

    /// The inputs that are left.
    pub(crate) fn open(&self) -> Term {
        self.open
    }

    /// How far runs were followed.
    pub(crate) fn bound(&self) -> u32 {
        self.bound
    }

    /// What it takes for granted.
    pub(crate) fn assumptions(&self) -> &[String] {
        &self.assumptions
    }
}

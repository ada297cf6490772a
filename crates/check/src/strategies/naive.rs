//! Full summaries of both versions: nothing is hidden, loops and recursion are unrolled to the bound.

use ir::Pair;
use symbolic::Abstraction;

use crate::verdict::Verdict;
use crate::verification_condition::{Depth, decide};
use crate::witness::Machines;
use crate::{CheckConfig, Subject};
use query::Client;

/// Decides a pair by its full summaries.
pub(crate) fn naive(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Verdict {
    let nothing = Abstraction::nothing();
    decide(pair, Pair { old: &nothing, new: &nothing }, Depth::FULL, machines, config, client)
}

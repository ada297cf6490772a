//! Full summaries of both versions: nothing is hidden, loops and recursion are unrolled to the bound.

use ir::Pair;
use symbolic::Hidden;

use crate::question::Asker;
use crate::search::{Depth, search};
use crate::verdict::Verdict;
use crate::witness::Machines;
use crate::{CheckConfig, Subject};

/// Decides a pair by its full summaries.
pub(crate) fn naive(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Verdict {
    let nothing = Hidden::nothing();
    search(pair, Pair { old: &nothing, new: &nothing }, Depth::FULL, machines, config, asker)
}

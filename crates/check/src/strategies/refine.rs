//! Our own loop: common loops and recursions are hidden, and opened only where a proof cannot do without.
//!
//! Loops are what summaries cannot follow to their end; all other code is cheap to follow and helps to simplify. A
//! candidate is run at once: if it separates the versions, the search is over, whatever is still hidden.
//! Over-approximating as long as something is hidden: a refuted difference is a proof, for any number of iterations.

use std::collections::BTreeSet;

use ir::{Pair, StmtKind};

use crate::common::{Block, CommonCode, Statement, StatementId, hidden};
use crate::question::Asker;
use crate::search::{Depth, search};
use crate::verdict::{CommonCodeUse, Verdict};
use crate::witness::Machines;
use crate::{CheckConfig, Subject};

/// Decides a pair with its common loops hidden; `None` if it has none.
pub(crate) fn refine(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Option<Verdict> {
    let mut common = CommonCode::of(pair);
    let all = loops(&mut common, &BTreeSet::new());
    let mut opened: BTreeSet<StatementId> = BTreeSet::new();
    let mut closed = all.clone();
    let mut last = None;
    while !closed.is_empty() {
        let hidden = hidden(&closed);
        let verdict = search(pair, hidden.as_ref(), Depth::SHALLOW, machines, config, asker);
        match verdict {
            Verdict::Equivalent(proof) => {
                let proof = proof.with_common_code(common_code_use(&all, &closed));
                return Some(Verdict::Equivalent(proof));
            }
            Verdict::Different(witness) => return Some(Verdict::Different(witness)),
            Verdict::Unknown(unknown) => last = Some(Verdict::Unknown(unknown)),
        }
        // The innermost code is what opening costs least.
        let next = closed.iter().flat_map(|block| &block.members).max_by_key(|id| common.loop_depth(**id));
        opened.extend(next.copied());
        asker.statistics.refinements += 1;
        closed = loops(&mut common, &opened);
        if opened.len() > MOST_OPENED {
            break;
        }
    }
    last
}

/// Loops that are opened one by one before all are: beyond these the full summaries are the better way.
const MOST_OPENED: usize = 0;

/// The common loops, outermost first, and the bodies of recursive procedures that did not change.
fn loops<'a>(common: &mut CommonCode<'a>, opened: &BTreeSet<StatementId>) -> Vec<Block<'a>> {
    let recursions = common.whole_recursions();
    let is_loop = |statement: Statement<'_>| {
        let is_recursion = recursions.contains(&statement.id.procedure);
        let hides = matches!(statement.stmt.kind, StmtKind::Loop { .. }) || is_recursion;
        hides && !statement.has_any_of(opened)
    };
    common.blocks(&is_loop)
}

/// What a proof rests on: which of the blocks stayed closed.
pub(crate) fn common_code_use(all: &[Block<'_>], closed: &[Block<'_>]) -> CommonCodeUse {
    let is_closed = |block: &&Block<'_>| closed.iter().any(|other| other.name == block.name);
    CommonCodeUse {
        blocks: all.len(),
        opened: all.iter().filter(|block| !is_closed(block)).map(Block::span).collect(),
        closed_loops: closed
            .iter()
            .filter(|block| ir::has_loop(block.statements.old))
            .map(Block::span)
            .collect(),
    }
}

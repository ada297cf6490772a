//! Our own loop: common loops and recursions are hidden, and opened only where a proof cannot do without.
//!
//! Loops are what summaries cannot follow to their end; all other code is cheap to follow and helps to simplify. A
//! candidate is run at once: if it separates the versions, the search is over, whatever is still hidden.
//! Over-approximating as long as something is hidden: a refuted difference is a proof, for any number of iterations.

use std::collections::BTreeSet;

use ir::StmtKind;
use smt::{Term, Terms};
use symbolic::Summary;

use crate::CheckConfig;
use crate::analysis::PairAnalysis;
use crate::common_code::{Block, CommonCode, Statement, StatementId, hidden};
use crate::kernel::CommonCodeUse;
use crate::unknown::Unknown;
use crate::verdict::Verdict;
use crate::verification_condition::{Depth, VerificationCondition};
use crate::witness::Machines;
use query::Client;

/// Decides a pair with its common loops hidden; `None` if it has none.
pub(crate) fn refine(
    analysis: &PairAnalysis<'_>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Option<Verdict> {
    let (pair, common) = (analysis.pair(), analysis.common_code());
    let all = loops(common, &BTreeSet::new());
    let mut opened: BTreeSet<StatementId> = BTreeSet::new();
    let mut closed = all.clone();
    let mut last = None;
    while !closed.is_empty() && opened.len() <= MOST_OPENED {
        let hidden = hidden(&closed);
        let mut terms = Terms::new();
        let prepared =
            VerificationCondition::prepare(&mut terms, pair, hidden.as_ref(), Depth::SHALLOW, config, client);
        let vc = match prepared {
            Ok(vc) => vc,
            Err(reason) => return Some(Verdict::Unknown(Unknown::because(reason))),
        };
        let suspects = suspects(&vc, &closed);
        match vc.decide(&mut terms, machines, config, client) {
            Verdict::Equivalent(proof) => {
                let proof = proof.with_common_code(common_code_use(&all, &closed));
                return Some(Verdict::Equivalent(proof));
            }
            Verdict::Different(witness) => return Some(Verdict::Different(witness)),
            Verdict::Unknown(unknown) => last = Some(Verdict::Unknown(unknown)),
        }
        // What is least deep inside loops costs least to open.
        let Some(next) = suspects.into_iter().min_by_key(|id| (common.loop_depth(*id), *id)) else { break };
        opened.insert(next);
        client.statistics.refinements += 1;
        closed = loops(common, &opened);
    }
    last
}

/// The hidden statements whose symbols can be at fault: those that the versions do not use on the same values.
fn suspects(vc: &VerificationCondition<'_>, closed: &[Block<'_>]) -> Vec<StatementId> {
    let uses = |summary: &Summary, name: &str| -> BTreeSet<Term> {
        let uses = summary.hidden.iter().filter(|hidden| hidden.name == name);
        uses.flat_map(|hidden| hidden.symbols.iter().copied()).collect()
    };
    let summaries = vc.summaries();
    let differ = |block: &&Block<'_>| uses(&summaries.old, &block.name) != uses(&summaries.new, &block.name);
    closed.iter().filter(differ).flat_map(|block| block.members.iter().copied()).collect()
}

/// Loops that are opened one by one before all are: beyond these the full summaries are the better way.
const MOST_OPENED: usize = 3;

/// The common loops, outermost first, and the bodies of recursive procedures that did not change.
fn loops<'a>(common: &CommonCode<'a>, opened: &BTreeSet<StatementId>) -> Vec<Block<'a>> {
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

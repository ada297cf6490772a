//! Abstraction and refinement of common code: DSE, and ARDiff with its variants.
//!
//! All common blocks are hidden behind symbols. DSE asks once; ARDiff opens one statement after the other, chosen by
//! its heuristics, until the question is answered or nothing is hidden any more.
//! Over-approximating as long as something is hidden; *different* is said only of inputs that were run.

mod choice;
mod occurrences;

use std::collections::BTreeSet;

use budget::{Budget, Steps};
use smt::{Floats, Terms};

use crate::CheckConfig;
use crate::analysis::PairAnalysis;
use crate::common_code::{Block, CommonCode, Statement, StatementId, hidden, stays_inside};
use crate::strategies::common_code_use;
use crate::unknown::{Reason, Unknown};
use crate::verdict::Verdict;
use crate::verification_condition::{Depth, VerificationCondition};
use crate::witness::Machines;
use choice::Chooser;
use query::{Asked, Client};

/// Which statement is opened next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refinement {
    /// None: one question is all there is.
    Never,
    /// Any, from a seeded sequence.
    Random,
    /// The simplest one.
    Simplest,
    /// The simplest one of those that can matter.
    Heuristic,
}

/// Decides a pair with its common code hidden.
pub(crate) fn ardiff(
    analysis: &PairAnalysis<'_>,
    refinement: Refinement,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Verdict {
    let (pair, common) = (analysis.pair(), analysis.common_code());
    let mut chooser = Chooser::new(refinement, config.seed);
    let mut terms = Terms::new();
    let mut opened: BTreeSet<StatementId> = BTreeSet::new();
    let all = blocks(common, &opened);
    let mut closed = all.clone();
    loop {
        let hidden = hidden(&closed);
        let prepared =
            VerificationCondition::prepare(&mut terms, pair, hidden.as_ref(), Depth::PLAIN, config, client);
        let vc = match prepared {
            Ok(vc) => vc,
            Err(reason) => return Verdict::Unknown(Unknown::because(reason)),
        };
        let involved = occurrences::involved(&terms, &vc, &closed);
        if involved.is_empty() {
            return with_use(vc.decide(&mut terms, machines, config, client), &all, &closed);
        }
        let open_reason = match vc.ask_difference(&mut terms, client, &share(config)) {
            Asked::Refuted(refuted) => {
                let verdict = vc.conclude(&mut terms, machines, config, client, refuted, Floats::Symbols);
                return with_use(verdict, &all, &closed);
            }
            Asked::Counterexample(model) => {
                // Where all inputs make them differ, this one does. It is all that DSE has, and costs no more than a run.
                let is_tried =
                    refinement == Refinement::Never || vc.always_differ(&mut terms, client, &share(config));
                let witness = is_tried.then(|| vc.try_counterexample(&mut terms, machines, &model));
                if let Some(witness) = witness.flatten() {
                    return vc.different(machines, witness);
                }
                Reason::Spurious { candidates: 1 }
            }
            Asked::GaveUp(reason) => reason.into(),
        };
        let is_late = config.is_over();
        if refinement == Refinement::Never || is_late || matches!(open_reason, Reason::SolverFailed(_)) {
            return Verdict::Unknown(Unknown::because(if is_late { Reason::UsedUp } else { open_reason }));
        }
        let next = chooser.choose(&mut terms, &vc, common, &involved, client, config);
        opened.insert(next);
        client.statistics.refinements += 1;
        closed = blocks(common, &opened);
    }
}

/// The largest common blocks without the statements that were opened.
fn blocks<'a>(common: &CommonCode<'a>, opened: &BTreeSet<StatementId>) -> Vec<Block<'a>> {
    common.blocks(&|statement: Statement<'_>| stays_inside(statement.stmt) && !statement.has_any_of(opened))
}

/// One question gets a part of what is left.
fn share(config: &CheckConfig) -> Budget {
    config.budget.at_most((config.budget.left() / 12).max(Steps::of_milliseconds(50)))
}

fn with_use(verdict: Verdict, all: &[Block<'_>], closed: &[Block<'_>]) -> Verdict {
    match verdict {
        Verdict::Equivalent(proof) => {
            Verdict::Equivalent(proof.with_common_code(common_code_use(all, closed)))
        }
        other => other,
    }
}

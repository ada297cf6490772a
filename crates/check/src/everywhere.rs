//! What condition inference asks about a pair: what the versions do on an input, and whether they differ on every input.

use interp::{Comparison, Ending, Input, Limits, Run};
use ir::Pair;
use query::{Asked, Client};
use smt::{Floats, Model, Terms};
use symbolic::Abstraction;

use crate::common_code::{CommonCode, hidden, stays_inside};
use crate::kernel::DifferEverywhere;
use crate::verification_condition::{Depth, VerificationCondition};
use crate::witness::{Machines, Trial, Witness};
use crate::{CheckConfig, Subject, Undefined};
use inputs::{input_of_model, is_well_formed, wanted_of};

/// What the interpreter may use for one input.
const LIMITS: Limits = Limits { steps: 200_000, ..Limits::USUAL };

/// What both versions do on an input.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Both end, and nobody can tell them apart.
    Same,
    Different(Box<Witness>),
    /// Both are undefined, one does not end, or the input does not count.
    NotCompared,
}

/// Both versions, ready to be run on inputs.
pub struct Comparer<'a> {
    machines: Machines<'a>,
    errors: interp::Errors,
}

impl<'a> Comparer<'a> {
    pub fn of(pair: Pair<Subject<'a>>, config: &CheckConfig) -> Comparer<'a> {
        let machines = Machines::of(pair, Pair::default(), config);
        Comparer { machines, errors: config.exceptions.compared() }
    }

    pub fn compare(&self, input: &Input) -> Compared {
        self.compare_within(input, &LIMITS)
    }

    /// The same, for runs that may not take more than this.
    pub fn compare_within(&self, input: &Input, limits: &Limits) -> Compared {
        let runs = match self.machines.try_input(input, limits) {
            Trial::Separated(witness) => return Compared::Different(witness),
            Trial::NotSeparated(runs) => runs,
        };
        let is_invented = runs.old.invented.is_some() || runs.new.invented.is_some();
        match interp::compare_with(&runs.old, &runs.new, self.errors) {
            Comparison::Same if is_defined(&runs.old) && !is_invented => Compared::Same,
            Comparison::Same | Comparison::Different(_) | Comparison::Incomparable(_) => {
                Compared::NotCompared
            }
        }
    }

    /// A simpler input on which the versions differ as well.
    pub fn minimised(&self, witness: Box<Witness>) -> Box<Witness> {
        self.machines.minimised(witness, self.machines.pair().old, &LIMITS)
    }
}

fn is_defined(run: &Run) -> bool {
    match &run.ending {
        Ending::Returned(_) => true,
        Ending::Failed { error } => !ir::is_undefined(error),
        _ => false,
    }
}

/// Whether the versions differ on every input that counts.
#[derive(Debug)]
pub enum Everywhere {
    Proved(DifferEverywhere),
    /// They do the same on this input.
    SameOn(Box<Input>),
    /// Neither could be shown.
    NotKnown,
}

/// Finds out whether the versions differ on every input on which both end and one is defined.
///
/// Exact where nothing is left over at the bound; otherwise it is not known. Loops that both versions have are hidden
/// behind symbols then: what differs whatever they compute differs.
pub fn differ_everywhere(pair: Pair<Subject<'_>>, config: &CheckConfig) -> Everywhere {
    if config.undefined != Undefined::Compared || config.total {
        return Everywhere::NotKnown;
    }
    let nothing = Abstraction::nothing();
    let nothing = Pair { old: &nothing, new: &nothing };
    if let Bounded::Everywhere(known) = differ_within(pair, nothing, config) {
        return known;
    }
    if let Some(known) = differ_beside_loops(pair, config) {
        return known;
    }
    // Loops of a fixed number of iterations may end within a larger bound.
    if config.bound >= DEEPER {
        return Everywhere::NotKnown;
    }
    match differ_within(pair, nothing, &CheckConfig { bound: DEEPER, ..config.clone() }) {
        Bounded::Everywhere(known) => known,
        Bounded::Unfinished => Everywhere::NotKnown,
    }
}

/// What is known where the loops that both versions have, and calls that may not end within a bound, are hidden.
fn differ_beside_loops(pair: Pair<Subject<'_>>, config: &CheckConfig) -> Option<Everywhere> {
    let common = CommonCode::of(pair);
    let program = pair.old.program;
    let recursive = ir::recursive_procedures(program);
    let may_be_long = |stmt: &ir::Stmt| {
        let mut found = false;
        ir::for_each_stmt(std::slice::from_ref(stmt), &mut |stmt| {
            found |= match &stmt.kind {
                ir::StmtKind::Loop { .. } => true,
                ir::StmtKind::Call { callee, .. } => {
                    ir::effects(program, *callee).loops
                        || ir::reachable(program, *callee).iter().any(|id| recursive.contains(id))
                }
                _ => false,
            };
        });
        found
    };
    let blocks = common.blocks(&|statement| stays_inside(statement.stmt) && may_be_long(statement.stmt));
    if blocks.is_empty() {
        return None;
    }
    let hidden = hidden(&blocks);
    match differ_within(pair, hidden.as_ref(), config) {
        Bounded::Everywhere(Everywhere::NotKnown) | Bounded::Unfinished => None,
        Bounded::Everywhere(known) => Some(known),
    }
}

/// How far loops are followed where the usual bound does not do.
const DEEPER: u32 = 30;

/// What is known up to a bound.
enum Bounded {
    Everywhere(Everywhere),
    /// They differ as far as runs were followed.
    Unfinished,
}

fn differ_within(pair: Pair<Subject<'_>>, hidden: Pair<&Abstraction<'_>>, config: &CheckConfig) -> Bounded {
    let mut terms = Terms::new();
    let mut client = Client::new(config.client());
    let prepared =
        VerificationCondition::prepare(&mut terms, pair, hidden, Depth::PLAIN, config, &mut client);
    let Ok(vc) = prepared else { return Bounded::Everywhere(Everywhere::NotKnown) };
    let comparer = Comparer::of(pair, config);
    let Pair { old, new } = vc.summaries();
    let surely = symbolic::where_they_surely_differ(&mut terms, vc.inputs(), old, new);
    for floats in [Floats::Symbols, Floats::Ieee] {
        let agreement = vc.claim().agreement_everywhere(&mut terms, surely);
        let wanted = wanted_of(&terms, query::Question::conditions(&agreement));
        match client.ask(&mut terms, agreement, &wanted, floats, &config.budget) {
            Asked::Refuted(agreement) => {
                let unfinished = vc.claim().unfinished();
                return match client.ask(&mut terms, unfinished, &[], floats, &config.budget) {
                    Asked::Refuted(unfinished) => Bounded::Everywhere(Everywhere::Proved(
                        DifferEverywhere::refuted(vc.claim(), &agreement, &unfinished, vc.assumption_texts()),
                    )),
                    Asked::Counterexample(_) | Asked::GaveUp(_) => Bounded::Unfinished,
                };
            }
            Asked::Counterexample(model) => {
                if let Some(input) = same_on(&vc, &mut terms, &model, &comparer) {
                    return Bounded::Everywhere(Everywhere::SameOn(Box::new(input)));
                }
            }
            Asked::GaveUp(_) => {}
        }
    }
    Bounded::Everywhere(Everywhere::NotKnown)
}

fn same_on(
    vc: &VerificationCondition<'_>,
    terms: &mut Terms,
    model: &Model,
    comparer: &Comparer<'_>,
) -> Option<Input> {
    let input = input_of_model(terms, vc.inputs(), model);
    let counts = is_well_formed(comparer.machines.pair().old, &input);
    (counts && matches!(comparer.compare(&input), Compared::Same)).then_some(input)
}

/// Where the versions differ, as terms over the inputs: for guesses, since loops are followed up to the bound only.
pub struct DifferenceTerms {
    pub terms: Terms,
    pub inputs: symbolic::Inputs,
    /// That they surely differ.
    pub differ: smt::Term,
    /// The leaves of both results.
    pub results: Pair<Vec<smt::Term>>,
}

/// The terms under which the versions differ, if they are not too large.
pub fn difference_terms(pair: Pair<Subject<'_>>, config: &CheckConfig) -> Option<DifferenceTerms> {
    let mut terms = Terms::new();
    let mut client = Client::new(config.client());
    let nothing = Abstraction::nothing();
    let hidden = Pair { old: &nothing, new: &nothing };
    let vc = VerificationCondition::prepare(&mut terms, pair, hidden, Depth::PLAIN, config, &mut client);
    let vc = vc.ok()?;
    let Pair { old, new } = vc.summaries();
    let differ = symbolic::where_they_surely_differ(&mut terms, vc.inputs(), old, new);
    let leaves = |summary: &symbolic::Summary| {
        summary.result.as_ref().map(symbolic::SymValue::leaves).unwrap_or_default()
    };
    let results = Pair { old: leaves(old), new: leaves(new) };
    let inputs = vc.inputs().clone();
    drop(vc);
    Some(DifferenceTerms { terms, inputs, differ, results })
}

//! Decides one pair: runs the strategies from cheap to dear until one of them answers.

mod auto;
mod demanded;
mod part;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use budget::{Statistics, Steps};
use ir::{Pair, Subject};
use query::Client;

use crate::analysis::{DerivedPrograms, PairAnalysis};
use crate::baselines::{Refinement, ardiff, clever, imp_s, reve};
use crate::changed_structs::matched_members;
use crate::kernel::{Proof, SameCode, identical, same_text};
use crate::resume::ResumeState;
use crate::schedule::PlanStep;
use crate::strategies::{
    Effort, bounded, horn, lockstep, naive, prove_unreachable, refine, same_symbol, testing,
};
use crate::unknown::{Reason, Unknown};
use crate::unshared::{changed_tables, own_state, unshared};
use crate::verdict::Verdict;
use crate::witness::{Machines, OneEnds, Witness};
use crate::{CheckConfig, Exceptions, Strategy, Undefined, same_interface};
use demanded::{SHARE_FOR_RUNS_THAT_END, demanded, is_answer, with_partial};

/// The answer for a pair, and what it cost.
#[derive(Clone, Debug)]
pub struct Checked {
    pub verdict: Verdict,
    /// The strategy that decided, or the last one that was tried.
    pub strategy: Strategy,
    pub statistics: Statistics,
    /// An input on which one version ends and the other never does, if one was met and that is not compared.
    pub one_ends: Option<Box<Witness>>,
    /// What the steps of the schedule did, in order.
    pub plan: Vec<PlanStep>,
}

/// Decides whether the new version behaves like the old one.
pub fn check_pair(
    pair: Pair<Subject<'_>>,
    config: &CheckConfig,
    on_strategy: &mut dyn FnMut(Strategy),
) -> Checked {
    let before = config.budget.spent();
    let derived = DerivedPrograms::default();
    let analysis = PairAnalysis::new(pair, config.numbers, sees_inlined(config.strategy), &derived);
    let mut checked = check_demanded(&analysis, config, on_strategy);
    checked.statistics.effort = config.budget.spent().saturating_sub(before);
    match &checked.verdict {
        // How far it got depends on the machine.
        Verdict::Unknown(so_far) if config.budget.is_killed() && !so_far.is_contradiction() => {
            Checked { verdict: unknown(Reason::Timeout), ..checked }
        }
        Verdict::Unknown(_) | Verdict::Equivalent(_) | Verdict::Different(_) => checked,
    }
}

/// Decides a pair for all runs, if that is demanded.
fn check_demanded(
    analysis: &PairAnalysis<'_>,
    config: &CheckConfig,
    on_strategy: &mut dyn FnMut(Strategy),
) -> Checked {
    if !config.total {
        return check_once(analysis, config, on_strategy);
    }
    // A difference among runs that end decides the pair, and is found sooner.
    let now = Instant::now();
    let share = config.budget.share(SHARE_FOR_RUNS_THAT_END);
    let partial = CheckConfig { total: false, budget: share, ..config.clone() };
    let those_that_end = check_once(analysis, &partial, on_strategy);
    if is_answer(&those_that_end.verdict) {
        return Checked { one_ends: None, ..those_that_end };
    }
    let mut all_runs = check_once(analysis, config, on_strategy);
    if let Verdict::Unknown(unknown) = &all_runs.verdict {
        all_runs.verdict = with_partial(unknown.clone(), those_that_end.verdict);
    }
    all_runs.statistics.elapsed = now.elapsed();
    all_runs
}

/// The verdict on two procedures of which the front end says that their text did not change, nor that of anything that they
/// name: `unchanged` has their names. They must be as they were lowered, since a rewriting keeps names.
pub fn check_unchanged(
    pair: Pair<Subject<'_>>,
    unchanged: &BTreeSet<String>,
    config: &CheckConfig,
) -> Option<Checked> {
    let verdict = same_code(same_text(pair, unchanged)?, pair, config)?;
    let plan = vec![PlanStep { strategy: Strategy::Identical, ..PlanStep::decided(&verdict) }];
    let statistics = Statistics::default();
    Some(Checked { verdict, strategy: Strategy::Identical, statistics, one_ends: None, plan })
}

/// Decides a pair for all runs, or for those that end.
fn check_once(
    analysis: &PairAnalysis<'_>,
    config: &CheckConfig,
    on_strategy: &mut dyn FnMut(Strategy),
) -> Checked {
    let pair = analysis.source().pair();
    let started = Instant::now();
    let mut client = Client::new(config.client());
    let mut inputs = Statistics::default();
    let one_ends = OneEnds::default();
    let mut plan = Vec::new();
    let comparable = same_interface(pair.old, pair.new);
    // Code that did not change needs nothing else.
    let is_asked = comparable.is_ok() && config.strategy == Strategy::Auto;
    let unchanged = is_asked.then(|| same_code(identical(pair)?, pair, config));
    let (strategy, verdict) = match (comparable, unchanged.flatten()) {
        (Err(mismatch), _) => (config.strategy, unknown(Reason::Interface(mismatch))),
        (Ok(()), Some(verdict)) => {
            on_strategy(Strategy::Identical);
            plan = vec![PlanStep { strategy: Strategy::Identical, ..PlanStep::decided(&verdict) }];
            (Strategy::Identical, verdict)
        }
        (Ok(()), None) => {
            let (client, inputs, plan) = (&mut client, &mut inputs, &mut plan);
            let mut decide = |config: &CheckConfig| {
                let mut check = PairCheck {
                    analysis,
                    config,
                    client: &mut *client,
                    inputs: &mut *inputs,
                    is_part: false,
                    resume: ResumeState::default(),
                    one_ends: one_ends.clone(),
                    plan: Vec::new(),
                    on_strategy: &mut *on_strategy,
                };
                let decided = check.decide();
                plan.extend(check.plan);
                decided
            };
            let (strategy, verdict) = decide(config);
            (strategy, with_defined_difference(verdict, config, &mut |config| decide(config).1))
        }
    };
    let verdict = match demanded(verdict, pair, config) {
        // A proof from the same code lists the inputs that only one version has as assumptions.
        Verdict::Equivalent(proof) if strategy != Strategy::Identical => {
            let mut reasons = unshared(pair).into_iter().map(Reason::Incomparable);
            match reasons.next() {
                Some(first) => Verdict::Unknown(reasons.fold(Unknown::because(first), Unknown::and)),
                None => Verdict::Equivalent(proof),
            }
        }
        Verdict::Different(found) => {
            Verdict::Different(Box::new(found.with_parting_call(pair, config.numbers)))
        }
        Verdict::Unknown(unknown) => {
            let reasons = unshared(pair).into_iter().chain(matched_members(pair)).chain(own_state(pair));
            let reasons = reasons.map(Reason::Incomparable);
            Verdict::Unknown(reasons.fold(unknown, Unknown::and))
        }
        Verdict::Equivalent(proof) => Verdict::Equivalent(proof),
    };
    let mut statistics = client.statistics;
    statistics += inputs;
    statistics.elapsed = started.elapsed();
    Checked { verdict, strategy, statistics, one_ends: one_ends.take(), plan }
}

/// How much work goes into a difference in defined behaviour where one was found that is none.
const FOR_DEFINED_DIFFERENCE: Steps = Steps::of_seconds(2);
const SHARE_FOR_DEFINED_DIFFERENCE: f64 = 0.3;

/// Looks for a difference in defined behaviour where a witness only shows that one version is undefined: it says more.
/// Where there is none, the witness is all there is.
fn with_defined_difference(
    verdict: Verdict,
    config: &CheckConfig,
    decide: &mut dyn FnMut(&CheckConfig) -> Verdict,
) -> Verdict {
    let found = match verdict {
        Verdict::Different(found) if found.kind().is_undefined() && config.strategy == Strategy::Auto => {
            found
        }
        other => return other,
    };
    let budget = config.budget.share(SHARE_FOR_DEFINED_DIFFERENCE).at_most(FOR_DEFINED_DIFFERENCE);
    match decide(&CheckConfig { undefined: Undefined::Excused, budget, ..config.clone() }) {
        Verdict::Different(defined) => Verdict::Different(defined),
        Verdict::Equivalent(proof) => Verdict::Different(Box::new(proof.leaves_only(*found))),
        Verdict::Unknown(unknown) if unknown.is_contradiction() => Verdict::Unknown(unknown),
        Verdict::Unknown(_) => Verdict::Different(found),
    }
}

/// Whether a strategy sees the versions with what only one of them has inlined, or as they are.
fn sees_inlined(strategy: Strategy) -> bool {
    match strategy {
        Strategy::Auto | Strategy::Boundary | Strategy::Refine => true,
        Strategy::SameSymbol | Strategy::Coupling | Strategy::Horn => true,
        Strategy::Identical | Strategy::Testing | Strategy::Naive | Strategy::Bounded => false,
        Strategy::Clever | Strategy::Reve => false,
        Strategy::Dse | Strategy::ImpS | Strategy::ArdiffR | Strategy::ArdiffH3 | Strategy::Ardiff => false,
    }
}

/// The pair that is decided, and what is known of it so far.
struct PairCheck<'c, 'a> {
    analysis: &'c PairAnalysis<'a>,
    config: &'c CheckConfig,
    client: &'c mut Client,
    inputs: &'c mut Statistics,
    /// Whether the pair is a part of another one: then boundaries were looked for there.
    is_part: bool,
    /// What engines have said with less work.
    resume: ResumeState,
    /// An input on which only one version ends, if one was met.
    one_ends: OneEnds,
    /// What the steps of the schedule did.
    plan: Vec<PlanStep>,
    on_strategy: &'c mut dyn FnMut(Strategy),
}

impl<'a> PairCheck<'_, 'a> {
    fn decide(&mut self) -> (Strategy, Verdict) {
        let strategy = self.config.strategy;
        if strategy == Strategy::Auto {
            return self.auto();
        }
        let machines = self.machines();
        let (analysis, config) = (self.analysis, self.config);
        let pair = analysis.pair();
        let verdict = match strategy {
            Strategy::Auto => return self.auto(),
            Strategy::Identical => self.identical().unwrap_or_else(|| unknown(Reason::CodeDiffers)),
            Strategy::Testing => match self.testing(&machines, Effort::THOROUGH) {
                Some(witness) => Verdict::Different(witness),
                None => unknown(Reason::OnlyTested { inputs: self.inputs.inputs_tried }),
            },
            Strategy::Naive => naive(pair, &machines, config, self.client),
            Strategy::Bounded => bounded(pair, None, &machines, config, self.client),
            Strategy::Refine => {
                let refined = refine(analysis, &machines, config, self.client);
                refined.unwrap_or_else(|| naive(pair, &machines, config, self.client))
            }
            Strategy::SameSymbol => {
                let verdict = same_symbol(analysis, &machines, config, self.client);
                verdict.unwrap_or_else(|| unknown(Reason::NothingToHide))
            }
            Strategy::Coupling => {
                let verdict = lockstep(analysis, &mut None, &machines, config, self.client);
                verdict.unwrap_or_else(|| unknown(Reason::NotInStep))
            }
            Strategy::Horn => {
                let verdict = horn(analysis, &machines, config, self.client);
                verdict.unwrap_or_else(|| unknown(Reason::NotInStep))
            }
            Strategy::Boundary => match self.boundary(&machines, self.config.budget.share(0.7)) {
                Some(verdict) => verdict,
                // The last candidate is the whole.
                None => {
                    self.is_part = true;
                    return self.auto();
                }
            },
            Strategy::Clever => clever(pair, &machines, config, self.client),
            Strategy::Reve => reve(analysis, &machines, config, self.client),
            Strategy::Dse => ardiff(analysis, Refinement::Never, &machines, config, self.client),
            Strategy::ImpS => imp_s(analysis, &machines, config, self.client),
            Strategy::ArdiffR => ardiff(analysis, Refinement::Random, &machines, config, self.client),
            Strategy::ArdiffH3 => ardiff(analysis, Refinement::Simplest, &machines, config, self.client),
            Strategy::Ardiff => ardiff(analysis, Refinement::Heuristic, &machines, config, self.client),
        };
        (strategy, verdict)
    }

    /// Both versions, ready to run.
    fn machines(&self) -> Machines<'a> {
        let source = self.analysis.source();
        let changed = source.common_code().changed_statements();
        let machines = Machines::of(source.pair(), changed, self.config);
        machines.noting(&self.one_ends).proving_with(prove_unreachable)
    }

    /// The versions as they are.
    fn source(&self) -> Pair<Subject<'a>> {
        self.analysis.source().pair()
    }

    /// Whether code that is the same throws exceptions with the same messages, if these count.
    fn messages_are_those_of_the_code(&self) -> bool {
        same_messages_if_they_count(self.source(), self.config)
    }

    fn identical(&self) -> Option<Verdict> {
        same_code(identical(self.source())?, self.source(), self.config)
    }

    fn testing(&mut self, machines: &Machines, effort: Effort) -> Option<Box<Witness>> {
        let before = self.inputs.inputs_tried;
        let effort = effort.within(self.config.budget.left());
        let witness = testing(self.source(), machines, self.config, effort, self.inputs);
        tracing::debug!(target: "testing", inputs = self.inputs.inputs_tried - before);
        witness
    }
}

/// The verdict on code that did not change.
fn same_code(same: SameCode, pair: Pair<Subject<'_>>, config: &CheckConfig) -> Option<Verdict> {
    if !changed_tables(pair).is_empty() {
        return None;
    }
    if !same_messages_if_they_count(pair, config) {
        return None;
    }
    let mut assumptions = crate::interface::unknown_code(pair);
    assumptions.extend(crate::interface::lowering_assumptions(pair));
    assumptions.extend(unshared(pair).into_iter().map(|text| format!("{text}: it is no input")));
    assumptions.sort();
    assumptions.dedup();
    Some(Verdict::Equivalent(Proof::same_code(same, assumptions)))
}

fn same_messages_if_they_count(pair: Pair<Subject<'_>>, config: &CheckConfig) -> bool {
    config.exceptions == Exceptions::Type || same_messages(pair)
}

/// Whether the methods `getMessage` are the same: the code that catches an exception calls them, not the code that throws
/// it.
fn same_messages(pair: Pair<Subject<'_>>) -> bool {
    let answering = |subject: Subject<'_>| {
        let procedures = subject.program.procedures.iter().enumerate();
        let answers = procedures.filter(|(_, it)| it.short_name == "getMessage");
        answers
            .map(|(index, it)| (it.name.clone(), ir::ProcId::from_index(index)))
            .collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (answering(pair.old), answering(pair.new));
    old.keys().eq(new.keys())
        && old.iter().zip(new.values()).all(|((_, old), new)| {
            ir::same_code(Pair::new((pair.old.program, *old), (pair.new.program, *new)))
        })
}

fn unknown(reason: Reason) -> Verdict {
    Verdict::Unknown(Unknown::because(reason))
}

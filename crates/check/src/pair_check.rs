//! Decides one pair: runs the strategies from cheap to dear until one of them answers.

mod part;

use std::collections::BTreeMap;
use std::time::Instant;

use budget::Steps;
use ir::Pair;

use crate::changed_structs::matched_members;
use crate::question::Asker;
use crate::strategies::{
    Effort, Refinement, ardiff, bounded, clever, coupling, horn, identical, imp_s, naive, refine, reve,
    same_symbol, testing,
};
use crate::subject::subjects;
use crate::termination::{SHARE_FOR_RUNS_THAT_END, demanded, is_answer, with_partial};
use crate::tried::Tried;
use crate::unfolded::unfolded;
use crate::unshared::{changed_tables, unshared};
use crate::verdict::{Proof, Reason, Statistics, Unknown, Verdict};
use crate::witness::{Machines, OneEnds, Witness};
use crate::{CheckConfig, Event, Exceptions, Strategy, Subject, Undefined, same_interface};

/// How much work, and how far, everything is unrolled before other ways are tried.
const QUICK: Steps = Steps::of_milliseconds(2500);
const QUICK_BOUND: u32 = 25;
/// Loops in loops in loops are never unrolled quickly.
const QUICK_NESTING: usize = 2;

/// The answer for a pair, and what it cost.
#[derive(Clone, Debug)]
pub struct Checked {
    pub verdict: Verdict,
    /// The strategy that decided, or the last one that was tried.
    pub strategy: Strategy,
    pub statistics: Statistics,
    /// An input on which one version ends and the other never does, if one was met and that is not compared.
    pub one_ends: Option<Box<Witness>>,
}

/// Decides whether the new version behaves like the old one.
pub fn check_pair(pair: Pair<Subject<'_>>, config: &CheckConfig, on_event: &mut dyn FnMut(Event)) -> Checked {
    let before = config.budget.spent();
    let mut checked = check_demanded(pair, config, on_event);
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
fn check_demanded(pair: Pair<Subject<'_>>, config: &CheckConfig, on_event: &mut dyn FnMut(Event)) -> Checked {
    if !config.total {
        return check_once(pair, config, on_event);
    }
    // What is not the same where both end need not be asked about the other runs, and is known sooner.
    let now = Instant::now();
    let share = config.budget.share(SHARE_FOR_RUNS_THAT_END);
    let partial = CheckConfig { total: false, budget: share, ..config.clone() };
    let those_that_end = check_once(pair, &partial, on_event);
    if is_answer(&those_that_end.verdict) {
        return Checked { one_ends: None, ..those_that_end };
    }
    let mut all_runs = check_once(pair, config, on_event);
    if let Verdict::Unknown(unknown) = &all_runs.verdict {
        all_runs.verdict = with_partial(unknown.clone(), those_that_end.verdict);
    }
    all_runs.statistics.elapsed = now.elapsed();
    all_runs
}

/// Decides a pair for all runs, or for those that end.
fn check_once(pair: Pair<Subject<'_>>, config: &CheckConfig, on_event: &mut dyn FnMut(Event)) -> Checked {
    let started = Instant::now();
    let mut asker = Asker::new(config, on_event);
    let mut inputs = Statistics::default();
    let one_ends = OneEnds::default();
    let comparable = same_interface(pair.old, pair.new);
    // What did not change is known before anything is done with it.
    let unchanged =
        (comparable.is_ok() && config.strategy == Strategy::Auto).then(|| same_code(pair, config));
    let (strategy, verdict) = match (comparable, unchanged.flatten()) {
        (Err(mismatch), _) => (config.strategy, unknown(Reason::Interface(mismatch))),
        (Ok(()), Some(verdict)) => {
            asker.emit(Event::StrategyStarted { strategy: Strategy::Identical });
            (Strategy::Identical, verdict)
        }
        (Ok(()), None) => with_unfolded(pair, config.strategy, |unfolded| {
            let (asker, inputs) = (&mut asker, &mut inputs);
            let mut decide = |config: &CheckConfig| {
                let (asker, inputs, one_ends) = (&mut *asker, &mut *inputs, one_ends.clone());
                let (is_part, tried) = (false, Tried::default());
                PairCheck { source: pair, pair: unfolded, config, asker, inputs, is_part, tried, one_ends }
                    .decide()
            };
            let (strategy, verdict) = decide(config);
            (strategy, with_defined_difference(verdict, config, &mut |config| decide(config).1))
        }),
    };
    let verdict = match demanded(verdict, pair, config) {
        // The same code does the same on what only one version can be given, and says so.
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
            let reasons = unshared(pair).into_iter().chain(matched_members(pair)).map(Reason::Incomparable);
            Verdict::Unknown(reasons.fold(unknown, Unknown::and))
        }
        Verdict::Equivalent(proof) => Verdict::Equivalent(proof),
    };
    let mut statistics = asker.statistics;
    statistics += inputs;
    statistics.elapsed = started.elapsed();
    Checked { verdict, strategy, statistics, one_ends: one_ends.take() }
}

/// How much work goes into a difference in defined behaviour where one was found that is none.
const FOR_DEFINED_DIFFERENCE: Steps = Steps::of_seconds(2);
const SHARE_FOR_DEFINED_DIFFERENCE: f64 = 0.3;

/// A difference in defined behaviour says more than that only one version is undefined: it is looked for before that is
/// said, and where there is none the witness is all.
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
        Verdict::Equivalent(proof) => Verdict::Different(Box::new(found.that_is_all(&proof))),
        Verdict::Unknown(unknown) if unknown.is_contradiction() => Verdict::Unknown(unknown),
        Verdict::Unknown(_) => Verdict::Different(found),
    }
}

/// Does something with the versions written out, unless a strategy is to see them as they are.
fn with_unfolded<T>(
    pair: Pair<Subject<'_>>,
    strategy: Strategy,
    then: impl FnOnce(Pair<Subject<'_>>) -> T,
) -> T {
    let is_wanted = match strategy {
        Strategy::Auto | Strategy::Boundary | Strategy::Refine => true,
        Strategy::SameSymbol | Strategy::Coupling | Strategy::Horn => true,
        Strategy::Identical | Strategy::Testing | Strategy::Naive | Strategy::Bounded => false,
        Strategy::Clever | Strategy::Reve => false,
        Strategy::Dse | Strategy::ImpS | Strategy::ArdiffR | Strategy::ArdiffH3 | Strategy::Ardiff => false,
    };
    let Some(programs) = is_wanted.then(|| unfolded(pair)).flatten() else { return then(pair) };
    then(subjects(&programs, pair.map(|subject| subject.procedure)))
}

struct PairCheck<'c, 'a> {
    /// The versions as they are: these are run.
    source: Pair<Subject<'c>>,
    /// The versions with what only one of them has written out: these are reasoned about.
    pair: Pair<Subject<'c>>,
    config: &'c CheckConfig,
    asker: &'c mut Asker<'a>,
    inputs: &'c mut Statistics,
    /// Whether the pair is a part of another one: then boundaries were looked for there.
    is_part: bool,
    /// What is known from trying with less work.
    tried: Tried,
    /// An input on which only one version ends, if one was met.
    one_ends: OneEnds,
}

impl<'c> PairCheck<'c, '_> {
    fn decide(&mut self) -> (Strategy, Verdict) {
        let verdict = match self.config.strategy {
            Strategy::Auto => return self.auto(),
            Strategy::Identical => self.identical().unwrap_or_else(|| unknown(Reason::CodeDiffers)),
            Strategy::Testing => {
                let machines = self.machines();
                match self.testing(&machines, Effort::THOROUGH) {
                    Some(witness) => Verdict::Different(witness),
                    None => unknown(Reason::OnlyTested { inputs: self.inputs.inputs_tried }),
                }
            }
            Strategy::Naive => {
                let machines = self.machines();
                naive(self.pair, &machines, self.config, self.asker)
            }
            Strategy::Bounded => {
                let machines = self.machines();
                bounded(self.pair, None, &machines, self.config, self.asker)
            }
            Strategy::Refine => {
                let machines = self.machines();
                let refined = refine(self.pair, &machines, self.config, self.asker);
                refined.unwrap_or_else(|| naive(self.pair, &machines, self.config, self.asker))
            }
            Strategy::SameSymbol => {
                let machines = self.machines();
                let verdict = same_symbol(self.pair, &machines, self.config, self.asker);
                verdict.unwrap_or_else(|| unknown(Reason::NothingToHide))
            }
            Strategy::Coupling => {
                let machines = self.machines();
                let verdict = coupling(self.pair, &mut None, &machines, self.config, self.asker);
                verdict.unwrap_or_else(|| unknown(Reason::NotInStep))
            }
            Strategy::Horn => {
                let machines = self.machines();
                let verdict = horn(self.pair, &machines, self.config, self.asker);
                verdict.unwrap_or_else(|| unknown(Reason::NotInStep))
            }
            Strategy::Boundary => match self.boundary(&self.machines(), 0.7) {
                Some(verdict) => verdict,
                // The last candidate is the whole.
                None => {
                    self.is_part = true;
                    return self.auto();
                }
            },
            Strategy::Clever => {
                let machines = self.machines();
                clever(self.pair, &machines, self.config, self.asker)
            }
            Strategy::Reve => {
                let machines = self.machines();
                reve(self.pair, &machines, self.config, self.asker)
            }
            Strategy::Dse => self.ardiff(Refinement::Never),
            Strategy::ImpS => {
                let machines = self.machines();
                imp_s(self.pair, &machines, self.config, self.asker)
            }
            Strategy::ArdiffR => self.ardiff(Refinement::Random),
            Strategy::ArdiffH3 => self.ardiff(Refinement::Simplest),
            Strategy::Ardiff => self.ardiff(Refinement::Heuristic),
        };
        (self.config.strategy, verdict)
    }

    /// Identical code, quick tests, what hides and couples loops, unrolling, thorough tests: the first that answers wins.
    fn auto(&mut self) -> (Strategy, Verdict) {
        self.start(Strategy::Identical);
        if let Some(verdict) = self.identical() {
            return (Strategy::Identical, verdict);
        }
        let machines = self.machines();
        if !self.tried.is_exhausted(Strategy::Testing) {
            self.start(Strategy::Testing);
            let effort = if self.is_part { Effort::PART } else { Effort::QUICK };
            if let Some(witness) = self.testing(&machines, effort) {
                return (Strategy::Testing, Verdict::Different(witness));
            }
            self.tried.is_done(Strategy::Testing);
        }
        // What is proved of parts speaks of runs that end.
        if !self.is_part && !self.config.total {
            self.start(Strategy::Boundary);
            if let Some(verdict) = self.boundary(&machines, 0.6) {
                return (Strategy::Boundary, verdict);
            }
        }
        let refined = self.with_share(Strategy::Refine, 0.3, &machines, |check, config| {
            refine(check.pair, &machines, config, check.asker)
        });
        if let Some(verdict) = refined {
            return (Strategy::Refine, verdict);
        }
        // What needs few iterations is known at once that way; what does not is left soon.
        if !self.is_part && self.loop_nesting() <= QUICK_NESTING {
            self.start(Strategy::Bounded);
            let deeper_bound = self.config.deeper_bound.map(|bound| bound.min(QUICK_BOUND));
            let verdict = self.bounded_for(&machines, deeper_bound, QUICK);
            if !matches!(verdict, Verdict::Unknown(_)) {
                return (Strategy::Bounded, verdict);
            }
            if let Some(reason) = machines.evidence().failure() {
                return (Strategy::Bounded, unknown(reason));
            }
        }
        let same_symbol = self.with_share(Strategy::SameSymbol, 0.3, &machines, |check, config| {
            same_symbol(check.pair, &machines, config, check.asker)
        });
        if let Some(verdict) = same_symbol {
            return (Strategy::SameSymbol, verdict);
        }
        let share = if self.is_part { 0.7 } else { 0.5 };
        let coupled = self.with_share(Strategy::Coupling, share, &machines, |check, config| {
            coupling(check.pair, &mut check.tried.attempts, &machines, config, check.asker)
        });
        if let Some(verdict) = coupled {
            return (Strategy::Coupling, verdict);
        }
        if !self.is_part {
            let solved = self.with_share(Strategy::Horn, 0.25, &machines, |check, config| {
                horn(check.pair, &machines, config, check.asker)
            });
            if let Some(verdict) = solved {
                return (Strategy::Horn, verdict);
            }
        }
        self.start(Strategy::Bounded);
        let verdict = self.bounded(&machines, if self.is_part { 1.0 } else { 0.8 });
        if let (Verdict::Unknown(_), Some(reason)) = (&verdict, machines.evidence().failure()) {
            return (Strategy::Bounded, unknown(reason));
        }
        if self.is_part || !matches!(verdict, Verdict::Unknown(_)) {
            return (Strategy::Bounded, verdict);
        }
        self.start(Strategy::Testing);
        match self.testing(&machines, Effort::THOROUGH) {
            Some(witness) => (Strategy::Testing, Verdict::Different(witness)),
            None => (Strategy::Auto, self.with_all_reasons(verdict)),
        }
    }

    /// An *unknown* with what stood in the way of the other engines, too.
    fn with_all_reasons(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Unknown(unknown) => {
                Verdict::Unknown(self.tried.reasons().iter().cloned().fold(unknown, Unknown::and))
            }
            decided => decided,
        }
    }

    /// Common code hidden, as the papers do it.
    fn ardiff(&mut self, refinement: Refinement) -> Verdict {
        let machines = self.machines();
        ardiff(self.pair, refinement, &machines, self.config, self.asker)
    }

    /// One engine with a share of what is left, unless more would not help it.
    fn with_share(
        &mut self,
        strategy: Strategy,
        share: f64,
        machines: &Machines<'_>,
        engine: impl FnOnce(&mut Self, &CheckConfig) -> Option<Verdict>,
    ) -> Option<Verdict> {
        if self.tried.is_exhausted(strategy) || self.config.stop.is_raised() {
            return None;
        }
        self.start(strategy);
        let config = self.config.within(self.config.budget.share(share));
        let share = config.budget.left();
        let verdict = match engine(self, &config) {
            Some(Verdict::Unknown(unknown)) => {
                self.tried.stood_in_the_way(&unknown);
                None
            }
            decided => decided,
        };
        if let (None, Some(reason)) = (&verdict, machines.evidence().failure()) {
            return Some(unknown(reason));
        }
        if verdict.is_none() {
            self.tried.gave_up(strategy, share, &config.budget);
        }
        verdict
    }

    /// Everything unrolled, with a share of what is left.
    fn bounded(&mut self, machines: &Machines, share: f64) -> Verdict {
        let left = self.config.budget.left();
        self.bounded_for(machines, self.config.deeper_bound, left.mul_f64(share))
    }

    /// Everything unrolled, with some work, if there is as much.
    fn bounded_for(&mut self, machines: &Machines, deeper_bound: Option<u32>, steps: Steps) -> Verdict {
        let budget = self.config.budget.at_most(steps);
        let config = CheckConfig { budget, deeper_bound, ..self.config.clone() };
        let so_far = self.tried.followed().cloned();
        let verdict = bounded(self.pair, so_far, machines, &config, self.asker);
        self.tried.was_followed(&verdict);
        verdict
    }

    /// How many loops are inside of each other in a procedure of either version.
    fn loop_nesting(&self) -> usize {
        let of_version = |subject: Subject<'_>| {
            let procedures = ir::reachable(subject.program, subject.procedure).into_iter();
            let bodies = procedures.filter_map(|id| subject.program.procedure(id).body.as_deref());
            bodies.map(ir::loop_nesting).max().unwrap_or(0)
        };
        let Pair { old, new } = self.pair.map(of_version);
        old.max(new)
    }

    /// Both versions, ready to run.
    fn machines(&self) -> Machines<'c> {
        Machines::of(self.source, self.config).noting(&self.one_ends)
    }

    fn start(&mut self, strategy: Strategy) {
        self.asker.emit(Event::StrategyStarted { strategy });
    }

    /// Whether code that is the same throws exceptions with the same messages, if these count.
    fn messages_are_those_of_the_code(&self) -> bool {
        same_messages_if_they_count(self.source, self.config)
    }

    fn identical(&self) -> Option<Verdict> {
        same_code(self.source, self.config)
    }

    fn testing(&mut self, machines: &Machines, effort: Effort) -> Option<Box<Witness>> {
        let before = self.inputs.inputs_tried;
        let witness = testing(self.source, machines, self.config, effort, self.inputs);
        let count = self.inputs.inputs_tried - before;
        self.asker.emit(Event::InputsTried { count });
        witness
    }
}

/// The verdict on code that did not change.
fn same_code(pair: Pair<Subject<'_>>, config: &CheckConfig) -> Option<Verdict> {
    let same = identical(pair)?;
    if !changed_tables(pair).is_empty() {
        return None;
    }
    if !same_messages_if_they_count(pair, config) {
        return None;
    }
    let mut assumptions = crate::subject::unknown_code(pair);
    assumptions.extend(crate::subject::lowering_assumptions(pair));
    assumptions.extend(unshared(pair).into_iter().map(|text| format!("{text}: it is no input")));
    assumptions.sort();
    assumptions.dedup();
    Some(Verdict::Equivalent(Proof::same_code(same, assumptions)))
}

fn same_messages_if_they_count(pair: Pair<Subject<'_>>, config: &CheckConfig) -> bool {
    config.exceptions == Exceptions::Type || same_messages(pair)
}

/// Whether the methods are the same that say what the message of an exception is: whoever catches it calls them, not
/// the code that throws it.
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

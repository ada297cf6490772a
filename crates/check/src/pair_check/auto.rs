//! Takes the steps of the schedule, one after the other, until one of them decides.

use budget::Steps;
use ir::{Language, Pair, Subject};

use super::{PairCheck, unknown};
use crate::schedule::{AUTO, Outcome, PlanStep, QUICK_BOUND, Share, Step, Tests, When};
use crate::strategies::{Effort, bounded, horn, lockstep, refine, same_symbol};
use crate::unknown::Unknown;
use crate::verdict::Verdict;
use crate::witness::Machines;
use crate::{CheckConfig, Strategy};

/// Loops in each other up to which everything may be unrolled quickly.
const FLAT: usize = 2;

/// What came of a step.
enum StepResult {
    Verdict(Verdict),
    /// It did not apply, or has nothing to say.
    Skipped(&'static str),
    /// It found no difference, and that is all it can find.
    NoDifference,
}

impl PairCheck<'_, '_> {
    /// Takes the steps of the schedule: the first that decides wins.
    pub(super) fn auto(&mut self) -> (Strategy, Verdict) {
        let machines = self.machines();
        let mut last = None;
        for step in AUTO {
            if let Some(why) = self.is_left_out(step) {
                self.note(step.strategy, Steps::ZERO, Steps::ZERO, Outcome::Skipped(why));
                continue;
            }
            (self.on_strategy)(step.strategy);
            let share = step.share.of(self.config.budget.left(), self.is_part);
            let config = self.config.within(self.config.budget.at_most(share));
            let before = self.config.budget.spent();
            let mark = self.client.mark();
            let span = tracing::debug_span!(target: "strategy", "strategy", name = step.strategy.name());
            let result = span.in_scope(|| self.take(step, &config, &machines));
            let spent = self.config.budget.spent().saturating_sub(before);
            let verdict = match result {
                StepResult::Verdict(verdict) => verdict,
                StepResult::Skipped(why) => {
                    self.client.strike_out_since(mark);
                    self.resume.note_gave_up(step.strategy, share, &config.budget);
                    self.note(step.strategy, share, spent, Outcome::Skipped(why));
                    match machines.evidence().failure() {
                        Some(reason) => return (step.strategy, unknown(reason)),
                        None => continue,
                    }
                }
                StepResult::NoDifference => {
                    self.note(step.strategy, share, spent, Outcome::Undecided(Vec::new()));
                    continue;
                }
            };
            self.note(step.strategy, share, spent, Outcome::of(&verdict));
            let Verdict::Unknown(so_far) = &verdict else { return (step.strategy, verdict) };
            if let Some(reason) = machines.evidence().failure() {
                return (step.strategy, unknown(reason));
            }
            self.client.strike_out_since(mark);
            match step.strategy {
                Strategy::Bounded => self.resume.note_bound(&verdict),
                strategy => {
                    self.resume.note_reasons(so_far);
                    self.resume.note_gave_up(strategy, share, &config.budget);
                }
            }
            last = Some((step.strategy, verdict));
        }
        match last {
            Some((Strategy::Bounded, verdict)) if self.is_part => (Strategy::Bounded, verdict),
            Some((_, verdict)) => (Strategy::Auto, self.with_all_reasons(verdict)),
            None => (Strategy::Auto, unknown(crate::Reason::UsedUp)),
        }
    }

    /// Why a step is not taken, if it is not.
    fn is_left_out(&self, step: Step) -> Option<&'static str> {
        let applies = match step.when {
            When::Always => true,
            When::Whole => !self.is_part,
            When::WholePartial => !self.is_part && !self.config.total,
            When::WholeWithFlatLoops => !self.is_part && self.loop_nesting() <= FLAT,
        };
        let takes_share =
            !matches!(step.strategy, Strategy::Identical | Strategy::Bounded | Strategy::Testing);
        match () {
            () if !applies => Some(step.when.in_words()),
            () if takes_share && self.config.stop.is_raised() => Some("stopped"),
            () if step.share == Share::Runs(Tests::More)
                && self.inputs.inputs_tried >= Effort::QUICK.inputs
                && !self.needs_many_runs() =>
            {
                Some("there were enough runs before")
            }
            // The later tests are other ones.
            () if matches!(step.share, Share::Runs(Tests::More | Tests::Many)) => None,
            () if self.resume.is_exhausted(step.strategy) => Some("done before"),
            () => None,
        }
    }

    fn take(&mut self, step: Step, config: &CheckConfig, machines: &Machines<'_>) -> StepResult {
        let analysis = self.analysis;
        let decided = match step.strategy {
            Strategy::Identical => match self.identical() {
                Some(verdict) => return StepResult::Verdict(verdict),
                None => return StepResult::Skipped("the code differs"),
            },
            Strategy::Testing => return self.test(step.share, machines),
            Strategy::Boundary => match self.boundary(machines, config.budget.clone()) {
                Some(verdict) => return StepResult::Verdict(verdict),
                None => return StepResult::Skipped("no boundary was found"),
            },
            Strategy::Refine => refine(analysis, machines, config, self.client),
            Strategy::Bounded => {
                let is_quick = matches!(step.share, Share::AtMost(_));
                let deeper_bound = match is_quick {
                    true => config.deeper_bound.map(|bound| bound.min(QUICK_BOUND)),
                    false => config.deeper_bound,
                };
                let so_far = self.resume.bounded().cloned();
                let config = CheckConfig { deeper_bound, ..config.clone() };
                Some(bounded(analysis.pair(), so_far, machines, &config, self.client))
            }
            Strategy::SameSymbol => same_symbol(analysis, machines, config, self.client),
            Strategy::Coupling => {
                lockstep(analysis, &mut self.resume.portfolio, machines, config, self.client)
            }
            Strategy::Horn => horn(analysis, machines, config, self.client),
            strategy => panic!("the schedule should not have {}", strategy.name()),
        };
        decided.map_or(StepResult::Skipped("nothing was proved"), StepResult::Verdict)
    }

    /// A few tests first, many at the end.
    fn test(&mut self, share: Share, machines: &Machines<'_>) -> StepResult {
        let effort = match share {
            Share::Runs(Tests::Many) => Effort::THOROUGH,
            Share::Runs(Tests::More) if self.needs_many_runs() => Effort::MEMORY,
            Share::Runs(Tests::More) => Effort::MIDDLE,
            _ if self.is_part => Effort::PART,
            _ => Effort::QUICK,
        };
        let found = self.testing(machines, effort);
        self.resume.note_exhausted(Strategy::Testing);
        found.map_or(StepResult::NoDifference, |witness| StepResult::Verdict(Verdict::Different(witness)))
    }

    /// Whether few of the runs get far: memory of C rarely is as the code wants it.
    fn needs_many_runs(&self) -> bool {
        let source = self.analysis.source().pair();
        source.new.program.language == Language::C
            && [source.old, source.new].into_iter().any(|subject| {
                let effects = ir::effects(subject.program, subject.procedure);
                !effects.reads_regions.is_empty() || !effects.writes_regions.is_empty()
            })
    }

    fn note(&mut self, strategy: Strategy, share: Steps, spent: Steps, outcome: Outcome) {
        tracing::debug!(target: "plan", strategy = strategy.name(), share = share.get(), spent = spent.get(), outcome = ?outcome);
        self.plan.push(PlanStep { strategy, share, spent, outcome });
    }

    /// An *unknown* with what stood in the way of the other engines, too.
    fn with_all_reasons(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Unknown(unknown) => {
                Verdict::Unknown(self.resume.reasons().iter().cloned().fold(unknown, Unknown::and))
            }
            decided => decided,
        }
    }

    /// How many loops are inside each other in a procedure of either version.
    fn loop_nesting(&self) -> usize {
        let of_version = |subject: Subject<'_>| {
            let procedures = ir::reachable(subject.program, subject.procedure).into_iter();
            let bodies = procedures.filter_map(|id| subject.program.procedure(id).body.as_deref());
            bodies.map(ir::loop_nesting).max().unwrap_or(0)
        };
        let Pair { old, new } = self.analysis.pair().map(of_version);
        old.max(new)
    }
}

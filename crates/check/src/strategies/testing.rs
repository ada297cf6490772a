//! Runs both versions on chosen inputs, to find a difference in milliseconds.
//!
//! Under-approximating: finds differences, proves nothing. Budgets are counted in interpreter steps, not in seconds,
//! so that the same input gives the same answer on any machine.

use std::collections::BTreeMap;

use budget::{Rate, Steps};
use interp::{Branches, Ending, Input, Limits, What};
use ir::Pair;

use crate::unshared::changed_tables;
use crate::witness::{Machines, Trial, Witness, cost};
use crate::{CheckConfig, Statistics, Subject};
use inputs::{Generator, mutate};

/// How much work testing may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Inputs at the most.
    pub(crate) inputs: u64,
    /// Interpreter steps at the most, for both versions together.
    pub(crate) steps: u64,
    /// Steps of one run.
    pub(crate) steps_of_a_run: u64,
}

impl Effort {
    /// Before any proof is tried.
    pub(crate) const QUICK: Effort = Effort { inputs: 1_500, steps: 1_500_000, steps_of_a_run: 20_000 };
    /// For a part of a pair, of which there are many.
    pub(crate) const PART: Effort = Effort { inputs: 600, steps: 300_000, steps_of_a_run: 10_000 };
    /// Before proofs that may use up everything else, where runs are so long that there were only a few.
    pub(crate) const MIDDLE: Effort = Effort { inputs: 1_500, steps: 3_000_000, steps_of_a_run: 50_000 };
    /// The same for code that uses memory, where few runs get far.
    pub(crate) const MEMORY: Effort = Effort { inputs: 6_000, steps: 6_000_000, steps_of_a_run: 8_000 };
    /// When proofs have failed, or nothing else was asked for.
    pub(crate) const THOROUGH: Effort =
        Effort { inputs: 200_000, steps: 150_000_000, steps_of_a_run: 2_000_000 };

    /// Interpreter steps that are taken even where proofs have used up everything.
    const LEAST: u64 = 3_000_000;
    /// How many runs a budget should be enough for.
    const RUNS: u64 = 16;

    /// No more than the budget has.
    pub(crate) fn within(self, left: Steps) -> Effort {
        let most = left.get().saturating_mul(Rate::INTERPRETER_STEPS).max(Effort::LEAST);
        let steps = self.steps.min(most);
        Effort { steps, steps_of_a_run: self.steps_of_a_run.min(steps / Effort::RUNS), ..self }
    }
}

/// Inputs that reached something new are kept for mutation, this many.
const MOST_KEPT: usize = 64;

/// Inputs that are tried beyond the first that separates the versions, for one that says more.
const FURTHER: u64 = 400;

/// A witness, if one of the inputs separates the versions; simplified.
pub(crate) fn testing(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    effort: Effort,
    statistics: &mut Statistics,
) -> Option<Box<Witness>> {
    let mut campaign = Campaign::new(pair, config, effort);
    let witness = campaign.search(machines, config);
    statistics.inputs_tried += campaign.tried;
    statistics.steps += campaign.steps;
    let limits = campaign.limits();
    witness.map(|witness| match campaign.from_start {
        // Simpler inputs might only separate the contents that the tables start with.
        true if witness.input().statics.is_empty() => witness,
        _ => machines.minimised(witness, pair.old, &limits),
    })
}

struct Campaign<'a> {
    generator: Generator<'a>,
    subject: Subject<'a>,
    effort: Effort,
    tried: u64,
    steps: u64,
    seen: Pair<Branches>,
    kept: Vec<Input>,
    /// Runs that were stopped at the step limit, one after the other.
    stopped_in_a_row: u32,
    steps_of_a_run: u64,
    /// Tables start with other contents in the new version: both are run from there, too.
    from_start: bool,
}

impl<'a> Campaign<'a> {
    fn new(pair: Pair<Subject<'a>>, config: &CheckConfig, effort: Effort) -> Campaign<'a> {
        Campaign {
            generator: Generator::new(pair, config.numbers, config.seed),
            subject: pair.old,
            effort,
            tried: 0,
            steps: 0,
            seen: Pair::default(),
            kept: Vec::new(),
            stopped_in_a_row: 0,
            steps_of_a_run: effort.steps_of_a_run,
            from_start: !changed_tables(pair).is_empty(),
        }
    }

    fn search(&mut self, machines: &Machines, config: &CheckConfig) -> Option<Box<Witness>> {
        let only_one = self.generator.has_no_inputs();
        let mut phase = Phase::Uniform(0);
        let mut best: Option<Box<Witness>> = None;
        let mut inputs = self.effort.inputs;
        while self.tried < inputs && self.steps < self.effort.steps {
            if self.tried % 64 == 63 && config.is_stopped() {
                break;
            }
            let mut input = self.next_input(&mut phase);
            input.world = self.tried;
            if let Some(witness) = self.try_one(machines, input) {
                if best.is_none() {
                    inputs = inputs.min(self.tried + FURTHER);
                }
                if best.as_ref().is_none_or(|best| witness.rank() < best.rank()) {
                    best = Some(witness);
                }
            }
            // One that is defined and has sensible arguments will do.
            if only_one || best.as_ref().is_some_and(|best| best.rank() == (false, 0)) {
                break;
            }
        }
        best
    }

    fn next_input(&mut self, phase: &mut Phase) -> Input {
        loop {
            match *phase {
                Phase::Uniform(position) => {
                    *phase = Phase::Uniform(position + 1);
                    match self.generator.uniform(position) {
                        Some(input) => return input,
                        None => *phase = Phase::Combinations(0),
                    }
                }
                Phase::Combinations(number) => {
                    *phase = Phase::Combinations(number + 1);
                    match self.generator.combination(number, 6) {
                        Some(input) if number < self.combinations() => return input,
                        _ => *phase = Phase::Random,
                    }
                }
                Phase::Random => return self.random_or_mutated(),
            }
        }
    }

    /// How many inputs combine the arguments in turn.
    fn combinations(&self) -> u64 {
        match self.generator.prefers_random() {
            true => self.effort.inputs / 30,
            false => self.effort.inputs / 3,
        }
    }

    fn random_or_mutated(&mut self) -> Input {
        let mutating = !self.kept.is_empty() && self.generator.rng().bool();
        if !mutating {
            return self.generator.random();
        }
        let chosen = self.generator.rng().usize(..self.kept.len());
        mutate(&mut self.generator, self.subject, &self.kept[chosen])
    }

    fn try_one(&mut self, machines: &Machines, input: Input) -> Option<Box<Witness>> {
        self.tried += 1;
        match machines.try_input(&input, &self.limits()) {
            Trial::Separated(witness) => {
                self.steps += cost(witness.runs());
                Some(witness)
            }
            Trial::NotSeparated(runs) => {
                self.steps += cost(&runs);
                let separated = self.from_start.then(|| self.try_from_start(machines, &input)).flatten();
                self.learn(input, &runs);
                separated
            }
        }
    }

    /// Runs both versions with their tables as each has them at the start. That the contents differ says nothing of
    /// the procedure; what it returns does.
    fn try_from_start(&mut self, machines: &Machines, input: &Input) -> Option<Box<Witness>> {
        let input = Input { statics: BTreeMap::new(), ..input.clone() };
        let Trial::Separated(witness) = machines.try_input(&input, &self.limits()) else { return None };
        self.steps += cost(witness.runs());
        matches!(witness.difference().what, What::Result | What::Error).then_some(witness)
    }

    fn learn(&mut self, input: Input, runs: &Pair<interp::Run>) {
        let fresh = self.seen.old.add(&runs.old.branches) | self.seen.new.add(&runs.new.branches);
        if fresh {
            if self.kept.len() == MOST_KEPT {
                self.kept.remove(0);
            }
            self.kept.push(input);
        }
        let stopped = |run: &interp::Run| matches!(run.ending, Ending::OutOfSteps | Ending::Endless);
        if stopped(&runs.old) || stopped(&runs.new) {
            // Where nearly every run is endless, long ones only use up the budget.
            self.stopped_in_a_row += 1;
            if self.stopped_in_a_row >= 8 {
                self.steps_of_a_run = (self.steps_of_a_run / 2).max(2_000);
                self.stopped_in_a_row = 0;
            }
        } else {
            self.stopped_in_a_row = 0;
        }
    }

    fn limits(&self) -> Limits {
        Limits { steps: self.steps_of_a_run, ..Limits::USUAL }
    }
}

#[derive(Clone, Copy)]
enum Phase {
    Uniform(usize),
    Combinations(u64),
    Random,
}

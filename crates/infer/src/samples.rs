//! Inputs on which both versions were run, with what is known of each.

use std::collections::BTreeMap;

use budget::{Budget, Steps};
use check::{CheckConfig, Compared, Comparer, Subject};
use inputs::{Generator, mutate};
use interp::{Ending, Input, Limits, Machine, Value};
use ir::{Pair, ProcId};

use crate::atom::Holds;
use crate::learn::Sample;

/// What the evaluation of an atom may take.
const LIMITS: Limits = Limits { steps: 4_000, ..Limits::USUAL };
/// What a run of a version may take.
const RUN: Limits = Limits { steps: 20_000, ..Limits::USUAL };
/// The share of the work that samples may take at the start.
const SHARE: f64 = 0.2;
/// Inputs that are tried around one that was found later.
const AROUND: usize = 40;
/// Samples that the atoms cannot tell apart: one is as good as many.
const MOST_ALIKE: usize = 2;

/// The samples of a pair, and how to get more.
pub(crate) struct Samples<'a> {
    pair: Pair<Subject<'a>>,
    atoms: &'a [Pair<ProcId>],
    /// For each atom whether it is the same code in both versions, so that one run tells.
    is_same_code: Vec<bool>,
    comparer: Comparer<'a>,
    /// For the runs at the start.
    budget: Budget,
    machines: Pair<Machine>,
    generator: Generator<'a>,
    pub(crate) list: Vec<Sample>,
    alike: BTreeMap<(bool, Vec<u8>), usize>,
    /// Inputs on which the versions differ, and on which they do the same: their neighbours are often of the other kind.
    kept: Vec<Input>,
}

impl<'a> Samples<'a> {
    pub(crate) fn new(
        pair: Pair<Subject<'a>>,
        atoms: &'a [Pair<ProcId>],
        config: &CheckConfig,
    ) -> Samples<'a> {
        let budget = config.budget.share(SHARE);
        Samples {
            pair,
            atoms,
            is_same_code: atoms
                .iter()
                .map(|ids| ir::same_code(pair.zip(*ids).map(|(subject, id)| (subject.program, id))))
                .collect(),
            comparer: Comparer::of(pair, &CheckConfig { budget: budget.clone(), ..config.clone() }),
            budget,
            machines: pair.map(|subject| Machine::new(subject.program, config.numbers)),
            generator: Generator::new(pair, config.numbers, config.seed),
            list: Vec::new(),
            alike: BTreeMap::new(),
            kept: Vec::new(),
        }
    }

    /// Runs both versions on chosen and on so many more inputs.
    pub(crate) fn gather(&mut self, inputs: u64) {
        let mut position = 0;
        while let Some(input) = self.generator.uniform(position).filter(|_| !self.budget.is_over()) {
            self.add(input);
            position += 1;
        }
        for number in 0..inputs {
            if self.budget.is_over() {
                return;
            }
            let input = match self.generator.combination(number, 6) {
                Some(input) if number < inputs / 3 => input,
                _ => self.next_input(),
            };
            self.add(Input { world: number, ..input });
        }
    }

    fn next_input(&mut self) -> Input {
        if self.kept.is_empty() || self.generator.rng().bool() {
            return self.generator.random();
        }
        let chosen = self.generator.rng().usize(..self.kept.len());
        mutate(&mut self.generator, self.pair.old, &self.kept[chosen])
    }

    /// Adds an input that somebody found, and some of its neighbours. Whether it is a sample.
    pub(crate) fn add_found(&mut self, input: &Input) -> bool {
        let is_new = self.add(input.clone());
        for _ in 0..AROUND {
            let near = mutate(&mut self.generator, self.pair.old, input);
            self.add(near);
        }
        is_new
    }

    /// Runs both versions on an input; whether it says something.
    fn add(&mut self, input: Input) -> bool {
        let is_same = match self.comparer.compare_within(&input, &RUN) {
            Compared::Same => true,
            Compared::Different(_) => false,
            Compared::NotCompared => return false,
        };
        let values: Vec<Holds> = (0..self.atoms.len()).map(|atom| self.holds(atom, &input)).collect();
        let key = (is_same, values.iter().map(|value| *value as u8).collect());
        let count = self.alike.entry(key).or_insert(0);
        *count += 1;
        if *count == 1 {
            self.kept.push(input);
        }
        if *count <= MOST_ALIKE {
            self.list.push(Sample { is_same, values });
        }
        true
    }

    /// Whether an atom holds for an input, in both versions.
    fn holds(&self, atom: usize, input: &Input) -> Holds {
        let value = |machine: &Machine, id: ProcId| {
            let run = machine.run(id, input, &LIMITS);
            self.budget.spend(Steps::of_interpreter(run.cost()));
            match run.ending {
                Ending::Returned(Some(Value::Bool(value))) => Holds::from(value),
                Ending::Returned(Some(Value::Int(value))) => Holds::from(value != 0),
                _ => Holds::Fails,
            }
        };
        let new = value(&self.machines.new, self.atoms[atom].new);
        if self.is_same_code[atom] || value(&self.machines.old, self.atoms[atom].old) == new {
            new
        } else {
            Holds::Fails
        }
    }
}

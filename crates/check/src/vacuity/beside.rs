//! Runs of versions that are restricted to a condition, on inputs that need not meet it.
//!
//! A changed statement that one of these executes is no dead code: that no input of the condition comes to it is what the
//! condition is for. See `docs/decisions/034-vacuity-under-a-condition.md`.
//! Under-approximating: a run that is not found costs the verdict, never its truth.

use std::collections::BTreeSet;

use budget::Steps;
use inputs::{Generator, input_of_model, is_well_formed, wanted_of};
use interp::Machine;
use ir::{Pair, Program, Side, StmtKind};
use query::{Asked, Client};
use smt::{Floats, Terms};

use super::reach::{PROBE, Reached, guards, with_probes};
use super::{LIMITS, MOST_INPUTS, MOST_STEPS};
use crate::CheckConfig;
use crate::witness::Machines;

/// How deep loops and recursion are followed for models.
const BOUNDS: [u32; 2] = [1, 2];
/// Models that are asked for.
const MOST_MODELS: usize = 8;
const FOR_MODELS: Steps = Steps::of_milliseconds(800);

/// Both versions without their condition.
struct Whole<'m, 'p> {
    machines: &'m Machines<'p>,
    programs: Pair<Program>,
    marking: Pair<Machine>,
}

/// Looks for runs that execute what no run under the condition has, if there is a condition.
pub(super) fn by_runs_beside(machines: &Machines<'_>, config: &CheckConfig) {
    if let Some(whole) = Whole::of(machines, config) {
        whole.by_tests(config);
    }
}

/// The same with inputs from models.
pub(super) fn by_models_beside(machines: &Machines<'_>, config: &CheckConfig, client: &mut Client) {
    let Some(whole) = Whole::of(machines, config) else { return };
    for side in [Side::Old, Side::New] {
        for bound in BOUNDS {
            let config = config.within(config.budget.at_most(FOR_MODELS));
            whole.by_models(side, &CheckConfig { bound, ..config }, client);
        }
    }
}

impl<'m, 'p> Whole<'m, 'p> {
    /// Both versions without their condition, if they have one.
    fn of(machines: &'m Machines<'p>, config: &CheckConfig) -> Option<Whole<'m, 'p>> {
        let programs = machines.pair().map(|subject| rewrite::unrestrict(subject.program, subject.procedure));
        let programs = Pair { old: programs.old?, new: programs.new? };
        let sides = Pair { old: Side::Old, new: Side::New };
        let marks = |side: Side| machines.evidence().marks(side);
        let marking = sides.map(|side| Machine::marking(programs.get(side), config.numbers, &marks(side)));
        Some(Whole { machines, programs, marking })
    }
}

impl Whole<'_, '_> {
    fn by_tests(&self, config: &CheckConfig) {
        let evidence = self.machines.evidence();
        let mut generator = Generator::new(self.machines.pair(), config.numbers, 5);
        let mut steps = 0;
        for number in 0..MOST_INPUTS {
            if evidence.is_complete() || steps > MOST_STEPS || (number % 64 == 63 && config.is_over()) {
                break;
            }
            let input = match number % 2 {
                0 => generator.combination(number / 2, 3).unwrap_or_else(|| generator.random()),
                _ => generator.random(),
            };
            steps += self.run(&input);
        }
    }

    /// Runs both versions on an input; how many steps that took.
    fn run(&self, input: &interp::Input) -> u64 {
        let pair = self.machines.pair();
        let runs = self
            .marking
            .as_ref()
            .zip(pair)
            .map(|(machine, subject)| machine.run(subject.procedure, input, &LIMITS));
        self.machines.evidence().note_beside(runs.as_ref());
        runs.old.steps + runs.new.steps
    }

    fn missing(&self, side: Side) -> Vec<usize> {
        let all = self.machines.evidence().not_covered();
        all.into_iter().filter(|it| it.0 == side).map(|it| it.1).collect()
    }

    /// Asks for inputs that reach one of the statements that are left.
    fn by_models(&self, side: Side, config: &CheckConfig, client: &mut Client) {
        for _ in 0..MOST_MODELS {
            let missing = self.missing(side);
            if missing.is_empty() || config.is_over() || !self.reach_one(side, &missing, config, client) {
                return;
            }
        }
    }

    /// Whether a model was found whose run executed something new.
    fn reach_one(&self, side: Side, missing: &[usize], config: &CheckConfig, client: &mut Client) -> bool {
        let pair = self.machines.pair();
        let marks: BTreeSet<(ir::ProcId, usize)> = missing
            .iter()
            .map(|place| self.machines.evidence().statement((side, *place)).mark)
            .map(|mark| (mark.procedure, mark.statement))
            .collect();
        let probed = with_probes(self.programs.get(side), &marks, &|| StmtKind::Unsupported {
            what: PROBE.to_owned(),
        });
        let of_side = |of: Side| {
            let program = if of == side { &probed } else { self.programs.get(of) };
            (program, pair.get(of).procedure)
        };
        let both = Pair { old: of_side(Side::Old), new: of_side(Side::New) };
        let mut terms = Terms::new();
        let terms = &mut terms;
        let summaries = config.summaries();
        let inputs = symbolic::inputs(terms, both, &summaries);
        let procedure = pair.get(side).procedure;
        let Ok(summary) = symbolic::summarize(terms, &probed, procedure, &inputs, &summaries) else {
            return false;
        };
        let (reached, _) = guards(terms, &summary);
        let mut conditions = inputs.assumptions.clone();
        conditions.extend(&summary.assumptions);
        conditions.push(reached);
        let wanted = wanted_of(terms, &conditions);
        let question = Reached { conditions };
        let Asked::Counterexample(model) =
            client.ask(terms, question, &wanted, Floats::Symbols, &config.budget)
        else {
            return false;
        };
        let input = input_of_model(terms, &inputs, &model);
        if is_well_formed(pair.old, &input) {
            self.run(&input);
        }
        self.missing(side).len() < missing.len()
    }
}

//! The vacuity check: an *equivalent* of changed code needs runs to show for it.
//!
//! One run must end in a defined way in both versions. Each changed statement must be executed by a run of its version,
//! or be proved to be unreachable, or stand in a callee that was proved by itself, with runs of its own. Without that a
//! proof may speak of nothing: of code in which every run is undefined, or of a change that no run meets. The runs come
//! from tests first, then from models of the solver; under mathematical numbers, where runs may be undecided, also from
//! runs on machine numbers. Proofs of unreachability that need invariants come from strategies, which are above this
//! module: it is handed a function for them (`Machines::proving_with`).
//! Under a condition on the inputs, runs on other inputs count for changed statements as well: that no input of the
//! condition comes to them is often what the condition says.
//! [`Exercised`] says that all this is so; `Proof` demands it.
//! Under-approximating: a run that is not found costs the verdict, never its truth.

mod beside;
mod reach;

use inputs::Generator;
use interp::{Difference, Limits, Machine, What};
use ir::{Numbers, Pair, Side, Stream};
use query::Client;

use crate::CheckConfig;
use crate::kernel::Exercised;
use crate::unknown::{Reason, Unknown};
use crate::verdict::Verdict;
use crate::witness::{Machines, Trial, Witness};

/// Inputs that are run although everything was seen: a proof is checked against them.
const LEAST_INPUTS: u64 = 8;
/// Inputs that are run for what was not seen yet, before runs beside a condition are, and at the most; and their steps
/// together.
const FEW_INPUTS: u64 = 60;
const MOST_INPUTS: u64 = 400;
const MOST_STEPS: u64 = 600_000;
/// What one run may use.
const LIMITS: Limits = Limits { steps: 20_000, ..Limits::USUAL };
/// The same for the first few inputs where no run came to its end.
const LONG: Limits = Limits { steps: 2_000_000, ..Limits::USUAL };

/// Why a claim is no proof.
pub(crate) enum Unshown {
    /// A run separates the versions.
    Separated(Box<Witness>),
    Because(Reason),
}

impl Unshown {
    /// What is left of an *equivalent*. That a run separates what was proved to be the same refutes a hypothesis, where
    /// there is one; otherwise solver and interpreter disagree.
    pub(crate) fn verdict(self, machines: &Machines<'_>) -> Verdict {
        let reason = match self {
            Unshown::Separated(witness) => {
                let witness = machines.minimised(witness, machines.pair().old, &LONG);
                if machines.is_hypothetical() {
                    return Verdict::Different(witness);
                }
                let reason = contradiction(&witness);
                machines.evidence().fail(reason.clone());
                reason
            }
            Unshown::Because(reason) => reason,
        };
        Verdict::Unknown(Unknown::because(reason))
    }
}

fn contradiction(witness: &Witness) -> Reason {
    let input = witness.input();
    let args: Vec<String> = input.args.iter().map(|arg| interp::show(arg, &input.objects)).collect();
    let Difference { what, old, new } = witness.difference();
    let what = match what {
        What::Result => "the result".to_owned(),
        What::Message => "the message of the exception".to_owned(),
        What::Error | What::Ends => "the end".to_owned(),
        What::Global(name) | What::Heap(name) => name.clone(),
        What::Written(Stream::Output) => "the output".to_owned(),
        What::Written(Stream::Error) => "the error output".to_owned(),
        What::ExternalCalls | What::ExternalMemory(_) => "a call of unknown code".to_owned(),
    };
    let args = args.join(", ");
    Reason::Contradiction(format!(
        "solver and interpreter disagree, the versions were proved equal, but runs on ({args}) differ in {what}: {old} in the old version, {new} in the new one"
    ))
}

/// Runs both versions until the runs show what a proof needs, or says what they do not show.
pub(crate) fn exercised(
    machines: &Machines<'_>,
    config: &CheckConfig,
    client: &mut Client,
) -> Result<Exercised, Unshown> {
    let evidence = machines.evidence();
    if let Some(reason) = evidence.failure() {
        return Err(Unshown::Because(reason));
    }
    let subject = machines.pair().new;
    let is_restricted = rewrite::is_restricted(subject.program, subject.procedure);
    if is_restricted {
        // What a condition is for is mostly to keep inputs away from changed statements.
        by_tests(machines, config, FEW_INPUTS)?;
        if !evidence.is_complete() && evidence.has_defined_end() {
            beside::by_runs_beside(machines, config);
        }
    }
    if !is_restricted || !evidence.is_complete() {
        by_tests(machines, config, MOST_INPUTS)?;
    }
    if !evidence.is_complete() && evidence.has_defined_end() {
        beside::by_models_beside(machines, config, client);
    }
    if !evidence.is_complete() && config.numbers == Numbers::Math {
        by_machine_runs(machines, config);
    }
    if !evidence.is_complete() {
        reach::by_models(machines, config, client)?;
    }
    Exercised::by(evidence, machines.pair()).map_err(|reason| {
        evidence.fail(reason.clone());
        Unshown::Because(reason)
    })
}

/// Runs both versions on machine numbers. Where runs on mathematical ones are undecided, these show that there is
/// something to compare; what they compute is no evidence.
fn by_machine_runs(machines: &Machines<'_>, config: &CheckConfig) {
    let evidence = machines.evidence();
    let pair = machines.pair();
    let sides = Pair { old: Side::Old, new: Side::New };
    let marking = sides
        .map(|side| Machine::marking(pair.get(side).program, ir::Numbers::Machine, &evidence.marks(side)));
    let mut generator = Generator::new(pair, Numbers::Machine, 3);
    let mut steps = 0;
    for _ in 0..MOST_INPUTS {
        if evidence.is_complete() || steps > MOST_STEPS || config.is_over() {
            break;
        }
        let input = generator.random();
        let runs = marking
            .as_ref()
            .zip(pair)
            .map(|(machine, subject)| machine.run(subject.procedure, &input, &LIMITS));
        steps += runs.old.steps + runs.new.steps;
        evidence.note(runs.as_ref(), config.total);
    }
}

/// Runs both versions on chosen and random inputs.
fn by_tests(machines: &Machines<'_>, config: &CheckConfig, most: u64) -> Result<(), Unshown> {
    let evidence = machines.evidence();
    let mut generator = Generator::new(machines.pair(), config.numbers, 3);
    let only_one = generator.has_no_inputs();
    let mut steps = 0;
    for number in 0..most {
        let is_enough = number >= LEAST_INPUTS && (evidence.is_complete() || steps > MOST_STEPS);
        if is_enough || (number > 0 && only_one) || (number % 64 == 63 && config.is_over()) {
            break;
        }
        let input = match number % 2 {
            0 => generator.combination(number / 2, 3).unwrap_or_else(|| generator.random()),
            _ => generator.random(),
        };
        let limits = if number < 2 && !evidence.has_defined_end() { LONG } else { LIMITS };
        match machines.try_input(&input, &limits) {
            Trial::Separated(witness) => return Err(Unshown::Separated(witness)),
            Trial::NotSeparated(runs) => steps += runs.old.steps + runs.new.steps,
        }
    }
    Ok(())
}

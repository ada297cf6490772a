//! The vacuity check: an *equivalent* of changed code needs runs to show for it.
//!
//! One run must end in a defined way in both versions, and each changed statement must be executed by a run of its
//! version, or be proved to be unreachable, or stand in a callee that was proved by itself, with runs of its own. Without that a proof may speak of nothing: of code in which every run is
//! undefined, or of a change that is never looked at. The runs come from tests first, then from models of the solver;
//! under mathematical numbers also from runs on machine numbers, since those may be undecided.
//! [`Exercised`] says that all this is so; `Proof` demands it.
//! Under-approximating: a run that is not found costs the verdict, never its truth.

mod changed;
mod reach;

use std::cell::RefCell;

use interp::{Difference, Ending, Executed, Limits, Machine, Mark, Run, What};
use ir::{Pair, ProcId, Side, Span, Stream};

use crate::verdict::{Reason, Unknown, Verdict};
use crate::witness::{Machines, Trial, Witness};
use crate::{CheckConfig, Subject};
use inputs::Generator;
use ir::Numbers;
use query::Client;

use changed::changed_statements;

/// Inputs that are run although everything was seen: a proof is checked against them.
const LEAST_INPUTS: u64 = 8;
/// Inputs that are run for what was not seen yet, and their steps together.
const MOST_INPUTS: u64 = 400;
const MOST_STEPS: u64 = 600_000;
/// What one run may use.
const LIMITS: Limits = Limits { steps: 20_000, ..Limits::USUAL };
/// The same for the first few inputs where no run came to its end.
const LONG: Limits = Limits { steps: 2_000_000, ..Limits::USUAL };
/// Failures that are kept of each version, to tell where runs are undefined.
const MOST_FAILURES: usize = 3;

/// Says that runs show what a proof speaks of.
#[derive(Debug)]
pub(crate) struct Exercised {
    /// The changed statements that no input reaches.
    unreachable: Vec<(Side, Span)>,
}

impl Exercised {
    pub(crate) fn unreachable(&self) -> &[(Side, Span)] {
        &self.unreachable
    }
}

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
                machines.evidence().seen.borrow_mut().failure = Some(reason.clone());
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

/// A changed statement of a version, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Changed {
    mark: Mark,
    span: Span,
}

/// What the runs of a pair have shown so far.
pub(crate) struct Evidence {
    changed: Pair<Vec<Changed>>,
    seen: RefCell<SoFar>,
}

#[derive(Default)]
struct SoFar {
    /// Whether both versions ended in a defined way on some input.
    defined: bool,
    executed: Pair<Executed>,
    /// By their place among the changed statements.
    unreachable: Pair<Executed>,
    /// Those that stand in callees which were proved by themselves, and so were executed by runs of these.
    proved_alone: Pair<Executed>,
    /// How runs failed in undefined behaviour.
    undefined: Pair<Vec<(String, Option<Span>)>>,
    /// Whether some run did not count, went on for too long, or ended in any other way.
    excluded: bool,
    too_long: bool,
    other_ends: bool,
    /// What stands in the way of any proof about this pair, once that is known.
    failure: Option<Reason>,
}

impl Evidence {
    pub(crate) fn of(pair: Pair<Subject<'_>>) -> Evidence {
        Evidence { changed: changed_statements(pair), seen: RefCell::default() }
    }

    /// Where nothing has to be executed.
    pub(crate) fn of_unchanged() -> Evidence {
        Evidence { changed: Pair { old: Vec::new(), new: Vec::new() }, seen: RefCell::default() }
    }

    /// The statements of a version whose execution is to be noted.
    pub(crate) fn marks(&self, side: Side) -> Vec<Mark> {
        self.changed.get(side).iter().map(|changed| changed.mark).collect()
    }

    /// Takes note of a run of both versions; whether it showed anything new.
    pub(crate) fn note(&self, runs: Pair<&Run>, total: bool) -> bool {
        let mut seen = self.seen.borrow_mut();
        let seen = &mut *seen;
        let is_defined = is_defined(runs.old, total) && is_defined(runs.new, total);
        let mut is_new = is_defined && !seen.defined;
        seen.defined |= is_defined;
        is_new |= seen.executed.old.add(&runs.old.executed);
        is_new |= seen.executed.new.add(&runs.new.executed);
        for (run, failures) in [(runs.old, &mut seen.undefined.old), (runs.new, &mut seen.undefined.new)] {
            match &run.ending {
                Ending::Failed { error } if ir::is_undefined(error) => {
                    let failure = (error.clone(), run.failed_at);
                    if failures.len() < MOST_FAILURES && !failures.contains(&failure) {
                        failures.push(failure);
                    }
                }
                Ending::Excluded => seen.excluded = true,
                Ending::Endless | Ending::OutOfSteps => seen.too_long = true,
                _ => seen.other_ends = true,
            }
        }
        is_new
    }

    /// What stands in the way of any proof about this pair, if that is known.
    pub(crate) fn failure(&self) -> Option<Reason> {
        self.seen.borrow().failure.clone()
    }

    fn is_complete(&self) -> bool {
        self.seen.borrow().defined && self.open().is_empty()
    }

    /// The changed statements of which nothing is known yet.
    fn open(&self) -> Vec<(Side, usize)> {
        let seen = self.seen.borrow();
        let of = |side: Side| {
            let (executed, unreachable) = (seen.executed.get(side), seen.unreachable.get(side));
            let proved_alone = seen.proved_alone.get(side);
            let is_open = |place: &usize| {
                ![executed, unreachable, proved_alone].iter().any(|known| known.contains(*place))
            };
            (0..self.changed.get(side).len()).filter(is_open).map(|place| (side, place)).collect::<Vec<_>>()
        };
        of(Side::Old).into_iter().chain(of(Side::New)).collect()
    }

    fn statement(&self, (side, place): (Side, usize)) -> Changed {
        self.changed.get(side)[place]
    }

    /// Takes note of callees that were proved to do the same on all inputs, with runs of their own to show for it.
    /// What is reached only through them needs no runs of the pair: whatever it calls them with, they do the same.
    pub(crate) fn are_proved_alone(&self, callees: &[Pair<ProcId>], pair: Pair<Subject<'_>>) {
        let mut seen = self.seen.borrow_mut();
        for side in [Side::Old, Side::New] {
            let Subject { program, procedure } = *pair.get(side);
            let proved = |id: ProcId| callees.iter().any(|ids| *ids.get(side) == id);
            let beside = ir::reachable_without(program, procedure, &proved);
            for (place, changed) in self.changed.get(side).iter().enumerate() {
                if !beside.contains(&changed.mark.procedure) {
                    seen.proved_alone.get_mut(side).insert(place);
                }
            }
        }
    }

    fn is_unreachable(&self, (side, place): (Side, usize)) {
        self.seen.borrow_mut().unreachable.get_mut(side).insert(place);
    }

    /// The changed lines that no input reaches, each once.
    fn unreachable(&self) -> Vec<(Side, Span)> {
        let seen = self.seen.borrow();
        let mut found: Vec<(Side, Span)> = Vec::new();
        for side in [Side::Old, Side::New] {
            for (place, changed) in self.changed.get(side).iter().enumerate() {
                let line = |span: &Span| (span.file, span.line);
                let is_known =
                    found.iter().any(|(other, span)| *other == side && line(span) == line(&changed.span));
                let is_executed = seen.executed.get(side).contains(place);
                if !is_executed && seen.unreachable.get(side).contains(place) && !is_known {
                    found.push((side, changed.span));
                }
            }
        }
        found
    }

    fn fail(&self, reason: Reason) -> Unshown {
        self.seen.borrow_mut().failure = Some(reason.clone());
        Unshown::Because(reason)
    }

    /// Why there is no run that ends in a defined way.
    fn nothing_defined(&self) -> Reason {
        let seen = self.seen.borrow();
        let is_undefined = !seen.undefined.old.is_empty() || !seen.undefined.new.is_empty();
        match (seen.other_ends, is_undefined, seen.too_long, seen.excluded) {
            (false, true, false, false) => Reason::NothingDefined { undefined: seen.undefined.clone() },
            (false, false, false, true) => Reason::Vacuous,
            (_, false, true, _) => Reason::NeverBothEnd,
            _ => Reason::NothingDefined { undefined: Pair::default() },
        }
    }
}

/// Whether the end of a run is one that can be compared with others. That a run goes on forever is, where it counts.
fn is_defined(run: &Run, total: bool) -> bool {
    match &run.ending {
        Ending::Returned(_) => true,
        Ending::Failed { error } => !ir::is_undefined(error),
        Ending::Endless => total,
        Ending::OutOfSteps | Ending::OutOfMemory | Ending::TooDeep | Ending::TooMuchOutput => false,
        Ending::Excluded | Ending::Unsupported { .. } | Ending::Undecided { .. } | Ending::Broken { .. } => {
            false
        }
    }
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
    by_tests(machines, config)?;
    if !evidence.is_complete() && config.numbers == Numbers::Math {
        by_machine_runs(machines, config);
    }
    if !evidence.is_complete() {
        reach::by_models(machines, config, client)?;
    }
    if !evidence.seen.borrow().defined {
        return Err(evidence.fail(evidence.nothing_defined()));
    }
    if let Some(open) = evidence.open().first() {
        let Changed { mark, span } = evidence.statement(*open);
        let procedure = machines.pair().get(open.0).program.procedure(mark.procedure).short_name.clone();
        return Err(evidence.fail(Reason::NotExecuted { side: open.0, procedure, span }));
    }
    Ok(Exercised { unreachable: evidence.unreachable() })
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
fn by_tests(machines: &Machines<'_>, config: &CheckConfig) -> Result<(), Unshown> {
    let evidence = machines.evidence();
    let mut generator = Generator::new(machines.pair(), config.numbers, 3);
    let only_one = generator.has_no_inputs();
    let mut steps = 0;
    for number in 0..MOST_INPUTS {
        let is_enough = number >= LEAST_INPUTS && (evidence.is_complete() || steps > MOST_STEPS);
        if is_enough || (number > 0 && only_one) || (number % 64 == 63 && config.is_over()) {
            break;
        }
        let input = match number % 2 {
            0 => generator.combination(number / 2, 3).unwrap_or_else(|| generator.random()),
            _ => generator.random(),
        };
        let limits = if number < 2 && !evidence.seen.borrow().defined { LONG } else { LIMITS };
        match machines.try_input(&input, &limits) {
            Trial::Separated(witness) => return Err(Unshown::Separated(witness)),
            Trial::NotSeparated(runs) => steps += runs.old.steps + runs.new.steps,
        }
    }
    Ok(())
}

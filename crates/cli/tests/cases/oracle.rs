//! What the verdicts of a page mean for runs: an *equivalent* survives many inputs, a *different* is run again.
//!
//! Inputs are chosen by the strategy `testing`, and made at random here. Some of them are run on the real thing as well,
//! which must do what our interpreter did. Under-approximating: only a run that contradicts a verdict says anything.

use std::time::{Duration, Instant};

use arbitrary_source::Choices;
use budget::{Budget, Kill, Steps};
use casekit::{Case, Expected, Numbers};
use check::{CheckConfig, Strategy, Subject, Verdict};
use cli::{Options, Session};
use fuzz::inputs::Inputs;
use interp::{Comparison, Errors, Input, Limits, Machine, Run};
use ir::Pair;

use crate::real_runs::RealRuns;

/// Random inputs for each pair of functions.
const INPUTS: u64 = 100;
/// How many of them are run on the real thing.
const FOR_REAL: usize = 6;
const LIMITS: Limits = Limits { steps: 20_000, memory_cells: 50_000, call_depth: 300, output: 10_000 };
/// The work for inputs that are chosen.
const CHOOSING: Steps = Steps::of_interpreter(250_000);
/// Any but the one that verdicts use.
const SEED: u64 = 14;

/// What contradicts the verdicts of a page.
pub(crate) fn judge(page: &[Case]) -> Vec<String> {
    let mut failures = Vec::new();
    for case in page {
        let mut real = RealRuns::new(case);
        for (numbers, expected) in &case.expected {
            let found = match expected {
                Expected::Equivalent => survives(case, *numbers, &mut real),
                Expected::Different => runs_again(case, *numbers, &mut real),
                Expected::Unknown(_) => Vec::new(),
            };
            failures.extend(found.into_iter().map(|what| format!("{}: {numbers:?}: {what}", case.name)));
        }
        failures.extend(real.disagreements().into_iter().map(|what| format!("{}: {what}", case.name)));
    }
    failures
}

/// Inputs that separate versions which are said to be equivalent.
fn survives(case: &Case, numbers: Numbers, real: &mut RealRuns) -> Vec<String> {
    let (session, options) = match open(case, numbers) {
        Ok(opened) => opened,
        Err(failures) => return failures,
    };
    let mut failures = Vec::new();
    for index in 0..session.pairs() {
        let budget = Budget::new(CHOOSING, Kill::never());
        let testing = CheckConfig { strategy: Strategy::Testing, seed: SEED, budget, ..config(&options) };
        let judged = session.judge(index, &testing, &mut |_| {});
        if let Verdict::Different(witness) = &judged.checked.verdict {
            failures.push(format!("`testing` separates them by {}", shown(witness.input())));
        }
        failures.extend(random_inputs(&session, index, &options, real));
    }
    failures
}

/// Runs a pair on random inputs, and plans some of these runs for the real thing.
fn random_inputs(session: &Session, index: usize, options: &Options, real: &mut RealRuns) -> Option<String> {
    let subjects = session.subjects(index);
    if check::same_interface(subjects.old, subjects.new).is_err() {
        return None;
    }
    let versions = Versions::new(subjects, options);
    let inputs = Inputs { subjects, math: options.math };
    let mut choices = Choices::new(SEED, index as u64);
    let mut ended = Vec::new();
    for world in 0..INPUTS {
        let input = Input { world, ..inputs.random(&mut choices) };
        let runs = versions.run(&input);
        // Implementations may choose the last digits.
        if runs.old.inexact || runs.new.inexact {
            continue;
        }
        if let Some(how) = versions.separated(&runs) {
            return Some(format!("a random input separates them: {how}, on {}", shown(&input)));
        }
        let is_conclusive = [&runs.old, &runs.new].iter().all(|run| run.ending.is_conclusive());
        if is_conclusive && versions.is_certain(&input, &runs) {
            ended.push((input, runs));
        }
    }
    let apart = ended.len().div_ceil(FOR_REAL).max(1);
    for (input, runs) in ended.iter().step_by(apart) {
        real.add(shown(input), session.replay_plan(index, input, runs.as_ref()));
    }
    None
}

/// Whether the witnesses of a *different* separate the versions when they are run once more.
fn runs_again(case: &Case, numbers: Numbers, real: &mut RealRuns) -> Vec<String> {
    let (session, options) = match open(case, numbers) {
        Ok(opened) => opened,
        Err(failures) => return failures,
    };
    let mut failures = Vec::new();
    for index in 0..session.pairs() {
        let judged = session.judge(index, &config(&options), &mut |_| {});
        let Verdict::Different(witness) = &judged.checked.verdict else { continue };
        let versions = Versions::new(judged.subjects(), &options);
        let runs = versions.run(witness.input());
        if versions.separated(&runs).is_none() {
            failures.push(format!("{} does not separate them again", shown(witness.input())));
        }
        if !runs.old.inexact && !runs.new.inexact && versions.is_certain(witness.input(), &runs) {
            real.add(shown(witness.input()), judged.replay_plan(witness.input(), runs.as_ref()));
        }
    }
    failures
}

fn open(case: &Case, numbers: Numbers) -> Result<(Session, Options), Vec<String>> {
    let job = crate::job(case, numbers, &case.old.text, &case.new.text)?;
    let options = job.options.clone();
    Ok((cli::open(job)?, options))
}

/// The configuration of one check, with a budget of its own.
fn config(options: &Options) -> CheckConfig {
    options.config(Kill::at(Instant::now() + Duration::from_secs_f64(options.seconds)))
}

/// Both versions, ready to run.
struct Versions<'a> {
    subjects: Pair<Subject<'a>>,
    machines: Pair<Machine>,
    /// The same, which know nothing of memory that was never written.
    doubting: Pair<Machine>,
    errors: Errors,
    total: bool,
}

impl<'a> Versions<'a> {
    fn new(subjects: Pair<Subject<'a>>, options: &Options) -> Versions<'a> {
        let numbers = if options.math { ir::Numbers::Math } else { ir::Numbers::Machine };
        let machines = subjects.map(|subject| Machine::new(subject.program, numbers));
        let doubting = subjects.map(|subject| Machine::doubting(subject.program, numbers));
        let errors = if options.messages { Errors::Messages } else { Errors::Fields };
        Versions { subjects, machines, doubting, errors, total: options.total }
    }

    fn run(&self, input: &Input) -> Pair<Run> {
        let sides = self.machines.as_ref().zip(self.subjects);
        sides.map(|(machine, subject)| machine.run(subject.procedure, input, &LIMITS))
    }

    /// Whether runs do the same whatever memory holds that was never written: then the real thing must agree.
    fn is_certain(&self, input: &Input, runs: &Pair<Run>) -> bool {
        let is_same = |machine: &Machine, subject: Subject<'_>, run: &Run| {
            !run.doubtful
                || interp::compare(run, &machine.run(subject.procedure, input, &LIMITS)) == Comparison::Same
        };
        is_same(&self.doubting.old, self.subjects.old, &runs.old)
            && is_same(&self.doubting.new, self.subjects.new, &runs.new)
    }

    /// How the runs end differently. What was made up does not count, nor what is left in variables that only one version
    /// has.
    fn separated(&self, runs: &Pair<Run>) -> Option<String> {
        let own = |name: &String| self.subjects.map(|it| it.program.own.contains(name));
        let is_own = |name: &String| own(name).old || own(name).new;
        let Pair { old, new } = &runs.as_ref().map(|run| {
            let mut run = run.clone();
            run.globals.retain(|name, _| !is_own(name));
            run
        });
        if [old, new].iter().any(|run| run.invented.is_some()) {
            return None;
        }
        let difference = match interp::compare_with(old, new, self.errors) {
            Comparison::Different(difference) => Some(difference),
            Comparison::Same | Comparison::Incomparable(_) if self.total => interp::one_ends(old, new),
            Comparison::Same | Comparison::Incomparable(_) => None,
        };
        difference.map(|it| format!("{:?}: old {}, new {}", it.what, it.old, it.new))
    }
}

/// The arguments and the globals of an input.
fn shown(input: &Input) -> String {
    let args: Vec<String> = input.args.iter().map(|value| interp::show(value, &input.objects)).collect();
    let globals = input
        .globals
        .iter()
        .map(|(name, value)| format!(" {name} = {}", interp::show(value, &input.objects)));
    format!("({}){}", args.join(", "), globals.collect::<String>())
}

//! Looks for wrong conditions: pairs that differ where a planted condition holds, against what `when` says of them.
//!
//! Under-approximating: a claim that is called wrong is refuted by runs of both versions. A condition that is called
//! exact agrees with the planted one on all inputs that were run.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use arbitrary_source::{Choices, Language};
use check::Threads;
use clap::Args;
use cli::{Conditions, Job, Options, Session, Source, Sources, Under, Unit};
use interp::{Comparison, Ending, Input, Limits, Machine, Run, Value};
use ir::{Numbers, Pair};

use crate::inputs::Inputs;
use crate::planted::{self, Planted};

const LIMITS: Limits = Limits { steps: 20_000, memory_cells: 20_000, call_depth: 100, output: 4_000 };

#[derive(Args)]
pub struct ConditionsArguments {
    /// How many pairs to make.
    #[arg(long, default_value_t = 2000)]
    pairs: u64,
    /// Where the random choices start: the same seed gives the same pairs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first pair, to make one of a campaign again.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Only programs in this language.
    #[arg(long, value_parser = arbitrary_source::language_parser())]
    language: Option<Language>,
    /// On how many inputs claims are tested.
    #[arg(long, default_value_t = 600)]
    inputs: usize,
    /// The work for one pair, as what a quiet core does in this many seconds.
    #[arg(long, default_value_t = 6)]
    effort: u64,
    /// Show every pair, and not only those whose condition was not found.
    #[arg(long)]
    show: bool,
}

/// What became of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    /// The condition that was planted.
    Exact {
        both_sides: bool,
    },
    /// Claims that are true, and say less.
    Weaker,
    Nothing,
    /// `check` finds no difference; perhaps no input meets the condition.
    NotDifferent,
    Wrong(String),
}

#[derive(Default)]
struct Summary {
    outcomes: Vec<Outcome>,
    /// Of verdicts alone, of verdicts with the conditions that are found at once, and of conditions.
    verdict: Vec<Duration>,
    check: Vec<Duration>,
    when: Vec<Duration>,
    atoms: Vec<usize>,
}

/// What `when` says.
struct Claims {
    is_different: bool,
    same: Option<String>,
    different: Option<String>,
    is_exact: bool,
}

/// Runs a campaign; fails if a claim was refuted.
pub fn run(root: &Path, arguments: &ConditionsArguments) -> Result<()> {
    let Some(solver) = casekit::workspace::find_solver(root) else {
        bail!("there is no solver: run `cargo xtask setup`");
    };
    let mut summary = Summary::default();
    for number in arguments.first..arguments.first + arguments.pairs {
        let language = arguments.language.unwrap_or(match number % 2 {
            0 => Language::Java,
            _ => Language::C,
        });
        let planted = planted::make(language, arguments.seed, number);
        let outcome = one(&planted, number, &solver, arguments, &mut summary)?;
        let is_shown = arguments.show || !matches!(outcome, Outcome::Exact { .. });
        if is_shown {
            println!("{number}: {outcome:?}, planted `{}`", planted.condition);
        }
        if matches!(outcome, Outcome::Wrong(_)) {
            println!("--- old\n{}--- new\n{}", planted.texts.old, planted.texts.new);
        }
        summary.outcomes.push(outcome);
        if summary.outcomes.len() % 100 == 0 {
            println!("{}", summary.show());
        }
    }
    println!("{}", summary.show());
    match summary.count(|outcome| matches!(outcome, Outcome::Wrong(_))) {
        0 => Ok(()),
        wrong => bail!("{wrong} wrong conditions"),
    }
}

fn one(
    planted: &Planted,
    number: u64,
    solver: &Path,
    arguments: &ConditionsArguments,
    summary: &mut Summary,
) -> Result<Outcome> {
    let timed = |conditions: Conditions| -> Result<(Claims, Duration)> {
        let start = Instant::now();
        Ok((ask(planted, solver, arguments, conditions)?, start.elapsed()))
    };
    summary.verdict.push(timed(Conditions::Off)?.1);
    summary.check.push(timed(Conditions::Quick)?.1);
    let (claims, time) = timed(Conditions::Thorough)?;
    summary.when.push(time);
    if let Some(same) = &claims.same {
        summary.atoms.push(same.matches("&&").count() + same.matches("||").count() + 1);
    }
    if arguments.show {
        println!(
            "{number}: same {:?}, different {:?}, exact {}",
            claims.same, claims.different, claims.is_exact
        );
    }
    judge(planted, number, solver, arguments, &claims)
}

fn job(planted: &Planted, solver: &Path, arguments: &ConditionsArguments, under: Option<&str>) -> Job {
    let name = match planted.language {
        Language::Java => "Planted.java",
        Language::C => "planted.c",
    };
    let sources = |text: &String| Sources { files: vec![Source::new(name, text)], tolerant: false };
    let unit = Unit {
        language: planted.language,
        old: sources(&planted.texts.old),
        new: sources(&planted.texts.new),
    };
    let under = under.map(Under::of_all).into_iter().collect();
    let options = Options {
        function: Some(planted::ENTRY.to_owned()),
        under,
        effort: budget::Steps::of_seconds(arguments.effort).get(),
        seconds: 600.0,
        solver: Some(PathBuf::from(solver)),
        ..Options::usual()
    };
    Job { units: vec![unit], options }
}

fn ask(
    planted: &Planted,
    solver: &Path,
    arguments: &ConditionsArguments,
    conditions: Conditions,
) -> Result<Claims> {
    let mut job = job(planted, solver, arguments, None);
    job.options.conditions = conditions;
    let reports = match cli::check_in_process(job, Threads::ONE) {
        Ok(reports) => reports,
        Err(errors) => bail!("{}: {}\n{}", planted.condition, errors.join("; "), planted.texts.new),
    };
    let [report] = reports.as_slice() else { bail!("one pair should have one report") };
    Ok(Claims {
        is_different: report.exact.is_some(),
        same: report.same_when.clone(),
        different: report.different_when.clone(),
        is_exact: report.exact == Some(true),
    })
}

/// The programs restricted to a condition; `None` if no input meets it.
fn restricted(
    planted: &Planted,
    solver: &Path,
    arguments: &ConditionsArguments,
    text: &str,
) -> Result<Option<Session>> {
    if matches!(text, "false" | "0") {
        return Ok(None);
    }
    let text = if text == "true" { "1 == 1" } else { text };
    match cli::open(job(planted, solver, arguments, Some(text))) {
        Ok(session) => Ok(Some(session)),
        Err(errors) if errors.iter().any(|error| error.contains("no input of")) => Ok(None),
        Err(errors) => bail!("`{text}` is no condition: {}\n{}", errors.join("; "), planted.texts.new),
    }
}

/// Tests the claims on inputs.
fn judge(
    planted: &Planted,
    number: u64,
    solver: &Path,
    arguments: &ConditionsArguments,
    claims: &Claims,
) -> Result<Outcome> {
    if !claims.is_different {
        return Ok(Outcome::NotDifferent);
    }
    let session = match cli::open(job(planted, solver, arguments, None)) {
        Ok(session) => session,
        Err(errors) => bail!("{}", errors.join("; ")),
    };
    let restricted = |text: &str| restricted(planted, solver, arguments, text);
    let truth = restricted(&planted.condition)?;
    let same = claims.same.as_deref().map(restricted).transpose()?;
    let different = claims.different.as_deref().map(restricted).transpose()?;
    let subjects = session.subjects(0);
    let machines = subjects.map(|subject| Machine::new(subject.program, Numbers::Machine));
    let mut choices = Choices::new(arguments.seed ^ 0x5eed, number);
    let inputs = Inputs { subjects, math: false };
    let constants = subjects.map(|subject| ir::constants(subject.program, subject.procedure).integers);
    let constants: Vec<i128> = constants.old.into_iter().chain(constants.new).collect();
    let mut is_planted = same.is_some();
    for _ in 0..arguments.inputs {
        let mut input = inputs.random(&mut choices);
        near_constants(&mut input, &constants, subjects.new.procedure(), &mut choices);
        let runs =
            machines.as_ref().zip(subjects).map(|(it, subject)| it.run(subject.procedure, &input, &LIMITS));
        let Some(are_same) = compare(&runs) else { continue };
        let holds = |session: &Option<Session>| session.as_ref().is_some_and(|it| meets(it, &input));
        if same.as_ref().is_some_and(holds) && !are_same {
            return Ok(Outcome::Wrong(format!("same when {:?}, but not on {:?}", claims.same, input.args)));
        }
        if different.as_ref().is_some_and(holds) && are_same {
            let claim = &claims.different;
            return Ok(Outcome::Wrong(format!("different when {claim:?}, but not on {:?}", input.args)));
        }
        if claims.is_exact && same.as_ref().is_some_and(holds) != are_same {
            return Ok(Outcome::Wrong(format!(
                "exactly when {:?}, but not on {:?}",
                claims.same, input.args
            )));
        }
        is_planted &= same.as_ref().is_some_and(holds) != holds(&truth);
    }
    Ok(match (is_planted, &claims.same, &claims.different) {
        (true, ..) => Outcome::Exact { both_sides: claims.is_exact },
        (false, None, None) => Outcome::Nothing,
        (false, ..) => Outcome::Weaker,
    })
}

/// Whether nobody can tell two runs apart; `None` if they cannot be compared.
fn compare(runs: &Pair<Run>) -> Option<bool> {
    let is_defined = |run: &Run| match &run.ending {
        Ending::Returned(_) => true,
        Ending::Failed { error } => !ir::is_undefined(error),
        _ => false,
    };
    match interp::compare(&runs.old, &runs.new) {
        Comparison::Same if is_defined(&runs.old) => Some(true),
        Comparison::Different(_) if is_defined(&runs.old) || is_defined(&runs.new) => Some(false),
        Comparison::Same | Comparison::Different(_) | Comparison::Incomparable(_) => None,
    }
}

/// Whether an input meets the condition that a session is restricted to.
fn meets(session: &Session, input: &Input) -> bool {
    let subject = session.subjects(0).new;
    let run = Machine::new(subject.program, Numbers::Machine).run(subject.procedure, input, &LIMITS);
    !matches!(run.ending, Ending::Excluded)
}

/// Numbers next to those of the program: conditions change there.
fn near_constants(input: &mut Input, constants: &[i128], procedure: &ir::Procedure, choices: &mut Choices) {
    let types = procedure.parameters().iter().map(|local| &local.ty);
    let globals = input.globals.values_mut().map(|value| (value, &ir::Type::Int(ir::IntType::I32)));
    for (value, ty) in input.args.iter_mut().zip(types).chain(globals) {
        if let (Value::Int(number), ir::Type::Int(ty)) = (value, ty)
            && !constants.is_empty()
            && choices.percent(60)
        {
            *number = ty.wrap(choices.pick(constants) + choices.below(3) as i128 - 1);
        }
    }
}

impl Summary {
    fn count(&self, is_it: impl Fn(&Outcome) -> bool) -> usize {
        self.outcomes.iter().filter(|outcome| is_it(outcome)).count()
    }

    fn show(&self) -> String {
        let exact = self.count(|outcome| matches!(outcome, Outcome::Exact { .. }));
        let both = self.count(|outcome| *outcome == Outcome::Exact { both_sides: true });
        let median = |times: &[Duration]| {
            let mut times = times.to_vec();
            times.sort_unstable();
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        let mut atoms = self.atoms.clone();
        atoms.sort_unstable();
        format!(
            "{} pairs: {exact} exact ({both} proved on both sides), {} weaker, {} none, {} not different, {} wrong; \
             median atoms {}; median time of check {:.3} s (without conditions {:.3} s), of when {:.3} s",
            self.outcomes.len(),
            self.count(|outcome| *outcome == Outcome::Weaker),
            self.count(|outcome| *outcome == Outcome::Nothing),
            self.count(|outcome| *outcome == Outcome::NotDifferent),
            self.count(|outcome| matches!(outcome, Outcome::Wrong(_))),
            atoms.get(atoms.len() / 2).copied().unwrap_or_default(),
            median(&self.check).as_secs_f64(),
            median(&self.verdict).as_secs_f64(),
            median(&self.when).as_secs_f64(),
        )
    }
}

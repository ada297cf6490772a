//! `selfsame bench SUITE...`: runs labelled pairs with several strategies, and writes the tables that compare them.
//!
//! Reads suites (`suite`), corrects labels (`labels`), chooses pairs (`choose`), runs them in worker processes (`run_all`, `run_one`), keeps
//! every finished run at once (`log`), and writes the reports (`output`).

mod case;
mod choose;
mod csv_file;
mod folder_suite;
mod generate;
mod jsonl_suite;
mod labels;
mod log;
mod machine;
mod methods;
mod output;
mod progress;
mod properties;
mod published;
mod run_all;
mod run_one;
mod suite;

use std::process::ExitCode;

use anyhow::{Result, bail};
use report::bench::{BenchReport, CaseReport, LeftOut, RunRecord};

use self::choose::{Chosen, choose};
use self::log::Log;
use self::run_one::Plan;
use self::suite::Suite;
use crate::args::{BenchArguments, BenchCommand};
use crate::solver_lookup;
use crate::supervise::Machine;

/// The exit code of a run in which something came to no verdict.
const SOME_CRASHED: u8 = 3;

/// Runs the command. The exit code is 1 when a verdict is the opposite of its label, else 3 when a run crashed.
pub(super) fn bench(arguments: &BenchArguments) -> Result<ExitCode> {
    if let Some(BenchCommand::Generate(arguments)) = &arguments.what {
        return generate::generate(arguments);
    }
    if !arguments.properties.is_empty() {
        return properties::bench(&arguments.properties, arguments);
    }
    let Suite { mut cases, mut left_out } = suite::read_all(&arguments.suites)?;
    if let Some(labels) = &arguments.labels {
        labels::correct(&mut cases, labels)?;
    }
    let strategies = strategies(arguments);
    let mut others = Vec::new();
    for path in &arguments.published {
        published::read(path, &cases, &strategies, &mut others)?;
    }
    let solver = solver_lookup::find(arguments.solver.clone()).map_err(anyhow::Error::msg)?;
    let mut chosen = choose(cases, arguments)?;
    left_out.append(&mut chosen.left_out);
    say_left_out(&left_out);
    let Chosen { mut cases, of, .. } = chosen;
    cases.iter_mut().for_each(|chosen| chosen.case.settle_function(arguments.function.as_deref()));
    let plan = Plan { arguments, solver, cases, strategies };
    let log = match &arguments.out {
        Some(folder) => Log::open(folder, arguments.resume)?,
        None => Log::none(),
    };
    let jobs = jobs(arguments);
    // Before the runs: they are a load themselves.
    let machine = machine::describe(plan.solver.as_deref(), &log::fingerprint());
    let records = run_all::run_all(&plan, &log, jobs)?;
    let report = BenchReport { machine, left_out, others, ..report(&plan, records, jobs, of) };
    output::show(&report)?;
    if let Some(folder) = &arguments.out {
        output::write_all(folder, &report)?;
    }
    Ok(match (report.wrong(), report.crashes()) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(SOME_CRASHED),
        (_, _) => ExitCode::FAILURE,
    })
}

/// Before the runs, because they may take long; the reports name each of them.
fn say_left_out(left_out: &[LeftOut]) {
    match left_out {
        [] => {}
        [one] => eprintln!("selfsame: left out: {}: {}", one.what, one.why),
        [one, others @ ..] => {
            eprintln!("selfsame: left out: {}: {}", one.what, one.why);
            eprintln!("selfsame: and {} more; the report says which, and why", others.len());
        }
    }
}

/// The names of the strategies, each once.
fn strategies(arguments: &BenchArguments) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for strategy in &arguments.strategies {
        if !names.iter().any(|name| name == strategy.name()) {
            names.push(strategy.name().to_owned());
        }
    }
    names
}

fn jobs(arguments: &BenchArguments) -> usize {
    arguments.jobs.map_or_else(Machine::cores, usize::from)
}

fn report(plan: &Plan<'_>, records: Vec<Vec<Vec<RunRecord>>>, jobs: usize, of: usize) -> BenchReport {
    let cases = plan.cases.iter().zip(records).map(|(chosen, repetitions)| CaseReport {
        suite: chosen.case.suite.clone(),
        group: chosen.case.group.clone(),
        name: chosen.case.name.clone(),
        language: chosen.case.language.clone(),
        function: chosen.case.function.clone(),
        numbers: chosen.numbers.name().to_owned(),
        label: chosen.label,
        calls: chosen.case.calls,
        corrected: chosen.case.corrected.clone(),
        runs: repetitions.iter().map(|runs| RunRecord::of_repetitions(chosen.label, runs)).collect(),
        repetitions,
    });
    let arguments = plan.arguments;
    let mut settings = vec![("timeout".to_owned(), format!("{} s", arguments.timeout))];
    let numbers = arguments.numbers.forced().map_or("own", ir::Numbers::name);
    settings.push(("numbers".to_owned(), numbers.to_owned()));
    settings.extend(arguments.bound.map(|bound| ("bound".to_owned(), bound.to_string())));
    settings.push(("jobs".to_owned(), jobs.to_string()));
    if arguments.repeat > 1 {
        settings.push(("repetitions".to_owned(), arguments.repeat.to_string()));
    }
    settings.extend(arguments.function.iter().map(|name| ("function".to_owned(), name.clone())));
    settings.extend(arguments.only.iter().map(|only| ("only".to_owned(), only.clone())));
    settings.extend(arguments.sample.map(|_| ("sample".to_owned(), format!("{} of {of}", plan.cases.len()))));
    let no_solver = || "no solver found: only what needs none was decided".to_owned();
    BenchReport {
        program: format!("selfsame {}", env!("CARGO_PKG_VERSION")),
        settings,
        machine: Vec::new(),
        strategies: plan.strategies.clone(),
        cases: cases.collect(),
        left_out: Vec::new(),
        others: Vec::new(),
        notes: plan.solver.is_none().then(no_solver).into_iter().collect(),
    }
}

/// Ends with the user's error when nothing is left to run.
fn nothing_chosen(arguments: &BenchArguments, left_out: &[LeftOut]) -> Result<Chosen> {
    match (&arguments.only, left_out) {
        (Some(only), []) => bail!("no pair has `{only}` in its name (suite/case)"),
        (_, []) => bail!("no pair is left"),
        (_, [one, ..]) => bail!(
            "no pair is left: {} without a label for the numbers that are asked for; as {}: {}; `--labels FILE` gives labels",
            left_out.len(),
            one.what,
            one.why
        ),
    }
}

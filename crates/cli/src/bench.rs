//! `selfsame bench SUITE...`: runs labelled pairs with several strategies, and writes the tables that compare them.
//!
//! Reads suites (`suite`), chooses pairs (`choose`), runs them in worker processes (`run_all`, `run_one`), keeps
//! every finished run at once (`log`), and writes the reports (`output`).

mod arguments;
mod case;
mod choose;
mod folder_suite;
mod generate;
mod jsonl_suite;
mod log;
mod methods;
mod output;
mod run_all;
mod run_one;
mod suite;

use std::process::ExitCode;

use anyhow::{Result, bail};
use report::bench::{BenchReport, CaseReport};

pub use arguments::{BenchArguments, BenchCommand, NumbersChoice};
pub use generate::GenerateArguments;

use self::choose::{Chosen, choose};
use self::log::Log;
use self::run_one::Plan;
use crate::solver_lookup;
use crate::supervise::Machine;

/// Runs the command. The exit code is 1 when a verdict is the opposite of its label.
pub fn bench(arguments: &BenchArguments) -> Result<ExitCode> {
    if let Some(BenchCommand::Generate(arguments)) = &arguments.what {
        return generate::generate(arguments);
    }
    let mut cases = Vec::new();
    for path in &arguments.suites {
        cases.extend(suite::read(path)?);
    }
    let solver = solver_lookup::find(arguments.solver.clone()).map_err(anyhow::Error::msg)?;
    let Chosen { cases, mut notes } = choose(cases, arguments)?;
    if solver.is_none() {
        notes.push("no solver found: only what needs none was decided".to_owned());
    }
    let strategies = strategies(arguments);
    let plan = Plan { arguments, solver, cases, strategies };
    let log = match &arguments.out {
        Some(folder) => Log::open(folder, arguments.resume)?,
        None => Log::none(),
    };
    let jobs = jobs(arguments);
    let records = run_all::run_all(&plan, &log, jobs)?;
    let report = report(&plan, records, jobs, notes);
    output::show(&report)?;
    if let Some(folder) = &arguments.out {
        output::write_all(folder, &report)?;
    }
    Ok(if report.wrong() > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
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

fn report(
    plan: &Plan<'_>,
    records: Vec<Vec<report::bench::RunRecord>>,
    jobs: usize,
    notes: Vec<String>,
) -> BenchReport {
    let cases = plan.cases.iter().zip(records).map(|(chosen, runs)| CaseReport {
        suite: chosen.case.suite.clone(),
        group: chosen.case.group.clone(),
        name: chosen.case.name.clone(),
        language: chosen.case.language.clone(),
        function: chosen.case.function.clone(),
        numbers: chosen.numbers.name().to_owned(),
        label: chosen.label,
        calls: chosen.case.calls,
        runs,
    });
    let arguments = plan.arguments;
    let mut settings = vec![("timeout".to_owned(), format!("{} s", arguments.timeout))];
    let numbers = arguments.numbers.forced().map_or("own", check::Numbers::name);
    settings.push(("numbers".to_owned(), numbers.to_owned()));
    settings.extend(arguments.bound.map(|bound| ("bound".to_owned(), bound.to_string())));
    settings.push(("jobs".to_owned(), jobs.to_string()));
    BenchReport {
        program: format!("selfsame {}", env!("CARGO_PKG_VERSION")),
        settings,
        strategies: plan.strategies.clone(),
        cases: cases.collect(),
        notes,
    }
}

/// Ends with the user's error when nothing is left to run.
fn nothing_chosen(arguments: &BenchArguments, without_label: usize) -> Result<Chosen> {
    let numbers = arguments.numbers.forced().map_or("own", check::Numbers::name);
    match (&arguments.only, without_label) {
        (Some(only), 0) => bail!("no pair has `{only}` in its name (suite/case)"),
        (_, count) => bail!("no pair is left: {count} have no label for {numbers} numbers"),
    }
}

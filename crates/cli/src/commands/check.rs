//! `selfsame check OLD NEW`: reads the files, has the pairs checked, shows the report.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use ir::Pair;
use report::RunReport;

use super::explain;
use crate::args::{CheckArguments, Format, OnOff};
use crate::compiler_flags::CompilerFlags;
use crate::conditions;
use crate::effort::Effort;
use crate::exit_code::Exit;
use crate::gather::{Gathered, gather};
use crate::job::Job;
use crate::options::{Conditions, Dump, Options};
use crate::preprocess::PreprocessLimits;
use crate::progress::Progress;
use crate::proof_file;
use crate::replay;
use crate::solver_lookup;
use crate::supervise::{self, Machine, Supervised};
use crate::terminal;
use crate::wire::{Answer, BadFile, Unmatched};

/// What is asked about the pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question<'a> {
    /// Are they the same?
    Same,
    /// On which inputs are they the same?
    When,
    /// Why are they not the same? The answer may go to a file.
    Explain(Option<&'a Path>),
}

/// How much work goes into conditions.
fn conditions_for(arguments: &CheckArguments, question: Question<'_>) -> Conditions {
    let is_shown = arguments.dump.is_none() && arguments.trace.is_none();
    match question {
        Question::When | Question::Explain(_) => Conditions::Thorough,
        Question::Same if arguments.conditions == OnOff::On && is_shown => Conditions::Quick,
        Question::Same => Conditions::Off,
    }
}

/// Runs the command; the report goes to standard output, everything else to standard error.
pub(super) fn check(arguments: &CheckArguments, started: Instant, question: Question<'_>) -> Result<Exit> {
    if arguments.format == Format::Html && !matches!(question, Question::Explain(_)) {
        return Ok(bad_input(&["`--format html` is for `selfsame explain`".to_owned()]));
    }
    let solver = match solver_lookup::find(arguments.solver.clone()) {
        Ok(solver) => solver,
        Err(message) => return Ok(bad_input(&[message])),
    };
    if arguments.dump.is_some() && arguments.trace.is_some() {
        return Ok(bad_input(&[
            "`--dump` and `--trace` show different things: ask for one of them".to_owned()
        ]));
    }
    let cross_check = match arguments.cross_check.clone().map(|solver| solver_lookup::find(Some(solver))) {
        Some(Err(message)) => return Ok(bad_input(&[message])),
        Some(Ok(found)) => found,
        None => None,
    };
    // What cannot be written is known before the work is done.
    for file in arguments.trace.iter().chain(&arguments.proof) {
        if let Err(error) = fs::File::create(file) {
            return Ok(bad_input(&[format!("{} cannot be written: {error}", file.display())]));
        }
    }
    let paths = Pair::new(arguments.old.as_path(), arguments.new.as_path());
    let (_, seconds) = Effort::and_seconds(arguments.effort, arguments.timeout);
    let limits = PreprocessLimits { seconds, memory_mb: arguments.memory };
    let flags =
        CompilerFlags::read(paths, &arguments.include, &arguments.define, &arguments.compiler_options);
    let flags = match flags {
        Ok(flags) => flags,
        Err(message) => return Ok(bad_input(&[message])),
    };
    let gathered = match gather(paths, &arguments.client, limits, flags) {
        Ok(gathered) => gathered,
        Err(messages) => return Ok(bad_input(&messages)),
    };
    let under = match conditions::read(&arguments.under) {
        Ok(under) => under,
        Err(message) => return Ok(bad_input(&[message])),
    };
    let Gathered { units, originals, clients, errors, notes, .. } = gathered;
    // Conditions are looked for among all inputs.
    let usual = arguments.options(solver);
    let job = Job {
        units,
        options: Options {
            clients,
            under,
            conditions: conditions_for(arguments, question),
            explain: matches!(question, Question::Explain(_)),
            cross_check,
            contracts: usual.contracts && question != Question::When,
            ..usual
        },
    };
    let progress = Progress::start();
    let supervised =
        supervise::run(&job, machine(arguments), started, &|done, total| progress.done(done, total));
    let Supervised { listing, mut answers } = match supervised {
        Ok(supervised) => supervised,
        Err(messages) => {
            drop(progress);
            return Ok(bad_input(&[messages_of(&errors), messages].concat()));
        }
    };
    let errors = [errors, listing.errors].concat();
    let removed = without_broken(listing.removed, paths.old, paths.new, &errors);
    let added = without_broken(listing.added, paths.new, paths.old, &errors);
    if answers.is_empty()
        && listing.unaffected.is_empty()
        && listing.unchanged.is_empty()
        && listing.callers.is_empty()
    {
        drop(progress);
        let exit = bad_input(&[messages_of(&errors), vec![nothing_in_common(&removed, &added)]].concat());
        return Ok(if errors.iter().any(|error| error.is_bug) { Exit::OurBug } else { exit });
    }
    if arguments.replay {
        replay::run_all(&mut answers, &job, &originals);
    }
    drop(progress);
    write_files(arguments, &answers, job.options.solver.as_deref())?;
    let (unaffected, unchanged, callers) = (listing.unaffected, listing.unchanged, listing.callers);
    let is_broken = errors.iter().any(|error| error.is_bug);
    let notes = [notes, listing.notes].concat();
    let errors = messages_of(&errors);
    let mut run = RunReport {
        results: Vec::new(),
        added,
        removed,
        unaffected,
        unchanged,
        callers,
        errors,
        is_broken,
        notes,
    };
    let mut dumps = String::new();
    let mut explanations = Vec::new();
    for Answer { report, dump, explanation, .. } in answers {
        dumps.extend(dump.map(|shown| shown.render(&originals)));
        run.results.push(report);
        explanations.push(explanation);
    }
    if let Question::Explain(out) = question {
        explain::show(arguments, out, &run, explanations, &originals)?;
        return Ok(Exit::of(&run));
    }
    show(arguments, &run, &dumps, &originals)?;
    // What was asked for with `--dump ir` or `--dump alignment` is the text, not a verdict.
    if matches!(arguments.dump, Some(Dump::Ir | Dump::Alignment)) {
        return Ok(Exit::AllEquivalent);
    }
    Ok(Exit::of(&run))
}

/// Writes the files of `--trace` and `--proof`.
fn write_files(arguments: &CheckArguments, answers: &[Answer], solver: Option<&Path>) -> Result<()> {
    if let Some(file) = &arguments.trace {
        let mut text = String::new();
        for answer in answers {
            let pair = serde_json::json!({ "event": "pair", "function": answer.report.function });
            text.push_str(&format!("{pair}\n"));
            answer.trace.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        }
        fs::write(file, text).with_context(|| format!("{} cannot be written", file.display()))?;
    }
    match &arguments.proof {
        Some(file) => proof_file::write(file, answers, solver),
        None => Ok(()),
    }
}

fn machine(arguments: &CheckArguments) -> Machine {
    let cores = Machine::cores();
    Machine { jobs: arguments.jobs.map_or(cores, usize::from), cores }
}

fn show(
    arguments: &CheckArguments,
    run: &RunReport,
    dumps: &str,
    originals: &BTreeMap<String, String>,
) -> Result<()> {
    let text = match (arguments.dump, arguments.format) {
        (Some(_), _) => dumps.to_owned(),
        (None, Format::Json | Format::Html) => report::render_json(run),
        (None, Format::Text) => {
            let source = |file: &str| originals.get(file).map(String::as_str);
            report::render_text(run, &source, terminal::style())
        }
    };
    terminal::print(&text)
}

fn messages_of(errors: &[BadFile]) -> Vec<String> {
    errors.iter().map(|error| error.message.clone()).collect()
}

/// The names without those whose counterpart may be in a file that was left out: the error of that file is enough.
fn without_broken(
    unmatched: Vec<Unmatched>,
    root: &Path,
    other_root: &Path,
    errors: &[BadFile],
) -> Vec<String> {
    let is_broken = |file: &str| {
        let relative = Path::new(file).strip_prefix(root).unwrap_or(Path::new(""));
        let counterpart = other_root.join(relative);
        errors.iter().any(|error| Path::new(&error.file) == counterpart)
    };
    unmatched.into_iter().filter(|found| !is_broken(&found.file)).map(|found| found.name).collect()
}

fn nothing_in_common(removed: &[String], added: &[String]) -> String {
    let shown = |names: &[String]| match names {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}`"),
        [first, rest @ ..] => format!("`{first}` and {} more", rest.len()),
    };
    format!(
        "the versions have no procedures in common: the old one has {}, the new one has {}",
        shown(removed),
        shown(added)
    )
}

fn bad_input(messages: &[String]) -> Exit {
    for message in messages {
        eprintln!("selfsame: {message}");
    }
    Exit::BadInput
}

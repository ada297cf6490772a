//! `selfsame assert [OLD] NEW`: reads the files, has the assertions checked, shows the outcomes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use ir::{Pair, Side};
use properties::{Spelled, WrittenKind, spell_out};
use report::assertions::{AssertionReport, AssertionRun, AssertionWitness, OutcomeWord};
use report::{Breakdown, VerdictWord};

use crate::args::{AssertArguments, Format};
use crate::effort::Effort;
use crate::exit_code::Exit;
use crate::gather::{Gathered, gather_spelled};
use crate::job::Job;
use crate::preprocess::PreprocessLimits;
use crate::progress::Progress;
use crate::replay;
use crate::solver_lookup;
use crate::supervise::{self, Machine, Supervised};
use crate::terminal;
use crate::wire::{Answer, AssertionHeader, AssertionKind};

/// Runs the command; the report goes to standard output, everything else to standard error.
pub(super) fn assert(arguments: &AssertArguments, started: Instant) -> Result<Exit> {
    let solver = match solver_lookup::find(arguments.solver.clone()) {
        Ok(solver) => solver,
        Err(message) => return Ok(bad_input(&[message])),
    };
    let run = match version(arguments, arguments.new(), solver, started) {
        Ok(run) => run,
        Err(messages) => return Ok(bad_input(&messages)),
    };
    let text = match arguments.format {
        Format::Json | Format::Html => report::assertions::render_json(&run),
        Format::Text => report::assertions::render_text(&run, terminal::style()),
    };
    terminal::print(&text)?;
    Ok(exit_of(&run))
}

/// Checks the assertions of one version.
fn version(
    arguments: &AssertArguments,
    path: &Path,
    solver: Option<std::path::PathBuf>,
    started: Instant,
) -> Result<AssertionRun, Vec<String>> {
    let (_, seconds) = Effort::and_seconds(arguments.effort, arguments.timeout);
    let limits = PreprocessLimits { seconds, memory_mb: arguments.memory };
    let spelled: RefCell<BTreeMap<String, Spelled>> = RefCell::default();
    let gathered = gather_spelled(Pair::new(path, path), &[], limits, &|side, file| {
        let found = spell_out(file.language, &file.text);
        let text = found.text.clone();
        if side == Side::New {
            spelled.borrow_mut().insert(file.name.clone(), found);
        }
        text
    })?;
    let spelled = spelled.into_inner();
    let Gathered { units, mut originals, errors, mut notes, .. } = gathered;
    for (name, spelled) in &spelled {
        let not_understood = spelled.not_understood.iter();
        notes.extend(not_understood.map(|(line, why)| format!("{name}:{line}: not understood: {why}")));
        originals.insert(name.clone(), spelled.text.clone());
    }
    let job = Job { units, options: arguments.options(solver) };
    let cores = Machine::cores();
    let machine = Machine { jobs: arguments.jobs.map_or(cores, usize::from), cores };
    let progress = Progress::start();
    let Supervised { listing, mut answers } =
        supervise::run(&job, machine, started, &|done, total| progress.done(done, total))?;
    if arguments.replay {
        replay::run_all(&mut answers, &job, &originals);
    }
    drop(progress);
    notes.extend(listing.notes);
    let errors = [errors, listing.errors].concat();
    let results = match listing.assertions.len() == answers.len() {
        true => {
            listing.assertions.iter().zip(answers).map(|(it, answer)| report(it, answer, &spelled)).collect()
        }
        // No worker got as far as listing them.
        false => answers.into_iter().map(unlisted).collect(),
    };
    Ok(AssertionRun {
        results,
        is_broken: errors.iter().any(|error| error.is_bug),
        errors: errors.into_iter().map(|error| error.message).collect(),
        notes,
        is_differential: false,
    })
}

/// An outcome in the words of the user's sources.
fn report(header: &AssertionHeader, answer: Answer, spelled: &BTreeMap<String, Spelled>) -> AssertionReport {
    let (assertion, kind) = said(header, spelled);
    let mut report = unlisted(answer);
    report.function.clone_from(&header.function);
    report.entry.clone_from(&header.entry);
    report.file.clone_from(&header.file);
    report.line = header.line;
    report.assertion = assertion;
    report.kind = kind.to_owned();
    report
}

/// The clause, and what it is.
fn said(header: &AssertionHeader, spelled: &BTreeMap<String, Spelled>) -> (String, &'static str) {
    match &header.kind {
        AssertionKind::NoError(error) => return (format!("no {error}"), "error"),
        AssertionKind::Ensures => return (header.clause.clone().unwrap_or_default(), "ensures"),
        AssertionKind::Assertion => {}
    }
    let Some(spelled) = spelled.get(&header.file) else { return (String::new(), "assert") };
    let on_line = spelled.written.iter().filter(|written| written.line == header.line).collect::<Vec<_>>();
    match on_line.get(header.number) {
        Some(written) => {
            let kind = match written.kind {
                WrittenKind::Statement => "assert",
                WrittenKind::Annotation => "annotation",
                WrittenKind::LoopInvariant => "loop_invariant",
            };
            (written.clause.clone(), kind)
        }
        // One that a macro makes.
        None => {
            let line = spelled.text.lines().nth(header.line as usize - 1).unwrap_or_default();
            (line.trim().to_owned(), "assert")
        }
    }
}

/// An outcome without its place.
fn unlisted(answer: Answer) -> AssertionReport {
    let Answer { report, assertion, .. } = answer;
    let found = assertion.unwrap_or_default();
    let outcome = match report.verdict {
        VerdictWord::Equivalent => OutcomeWord::Holds,
        VerdictWord::Different => OutcomeWord::Fails,
        VerdictWord::Unknown => OutcomeWord::Unknown,
    };
    let witness = report.witness.map(|witness| AssertionWitness {
        call: witness.call,
        parameters: witness.parameters,
        globals: witness.globals,
        path: found.path,
        ending: found.ending,
        old: None,
        replayed: witness.replayed,
        not_replayed: witness.not_replayed,
        replay_disagreement: witness.replay_disagreement,
    });
    AssertionReport {
        function: report.function.clone(),
        entry: report.function,
        language: report.language,
        file: String::new(),
        line: 0,
        assertion: String::new(),
        kind: "assert".to_owned(),
        outcome,
        cause: None,
        inherited: false,
        is_reached: found.is_reached,
        reasons: report.reasons,
        bound: report.bound,
        assumptions: report.assumptions,
        witness,
        changed_lines: Vec::new(),
        statistics: report.statistics,
        states: 0,
    }
}

/// The exit of a run: our own bugs first, then what is certain, then what is missing.
fn exit_of(run: &AssertionRun) -> Exit {
    let mut reasons = run.results.iter().flat_map(|result| &result.reasons);
    let witnesses = run.results.iter().filter_map(|result| result.witness.as_ref());
    let disagrees = witnesses.into_iter().any(|witness| witness.replay_disagreement.is_some());
    let is_bug = disagrees
        || run.is_broken
        || reasons.any(|reason| reason.is_contradiction || reason.breakdown == Some(Breakdown::Bug));
    match () {
        () if is_bug => Exit::OurBug,
        () if run.count(OutcomeWord::Fails) > 0 => Exit::SomeDifferent,
        () if !run.errors.is_empty() => Exit::BadInput,
        () if run.count(OutcomeWord::Unknown) > 0 => Exit::SomeUnknown,
        () => Exit::AllEquivalent,
    }
}

fn bad_input(messages: &[String]) -> Exit {
    for message in messages {
        eprintln!("selfsame: {message}");
    }
    Exit::BadInput
}

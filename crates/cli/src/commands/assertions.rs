//! `selfsame assert [OLD] NEW`: reads the files, has the assertions checked, shows the outcomes.

mod causes;
mod implications;
mod keeping;
mod propose;
mod same;
mod version;

pub(super) use keeping::Keeping;
pub(super) use keeping::usual_place;
pub(super) use version::{CheckedVersion, Checking};

use std::time::Instant;

use anyhow::Result;
use report::Breakdown;
use report::assertions::{AssertionRun, OutcomeWord};

use crate::args::{AssertArguments, Format};
use crate::exit_code::Exit;
use crate::solver_lookup;
use crate::terminal;

/// Runs the command; the report goes to standard output, everything else to standard error.
pub(super) fn assert(arguments: &AssertArguments, _started: Instant) -> Result<Exit> {
    if arguments.format == Format::Html {
        return Ok(bad_input(&["`--format html` is for `selfsame explain`".to_owned()]));
    }
    let solver = match solver_lookup::find(arguments.solver.clone()) {
        Ok(solver) => solver,
        Err(message) => return Ok(bad_input(&[message])),
    };
    let mut keeping = match Keeping::open(arguments.store.as_deref()) {
        Ok(keeping) => keeping,
        Err(message) => return Ok(bad_input(&[message])),
    };
    let options = arguments.options(solver);
    let mut checking = Checking { options, jobs: arguments.jobs, keeping: &mut keeping };
    if arguments.propose {
        return proposals(arguments, &checking);
    }
    let run = match differential(arguments, &mut checking) {
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

/// Proposes assertions, and writes them if that is asked for.
fn proposals(arguments: &AssertArguments, checking: &Checking<'_>) -> Result<Exit> {
    if arguments.old().is_some() {
        return Ok(bad_input(&["`--propose` takes one version".to_owned()]));
    }
    let run = match propose::propose(arguments.new_version(), arguments.write, checking) {
        Ok(run) => run,
        Err(messages) => return Ok(bad_input(&messages)),
    };
    let text = match arguments.format {
        Format::Json | Format::Html => report::assertions::proposals::render_json(&run),
        Format::Text => report::assertions::proposals::render_text(&run, terminal::style()),
    };
    terminal::print(&text)?;
    Ok(if run.errors.is_empty() { Exit::AllEquivalent } else { Exit::BadInput })
}

/// Checks the new version; the old one before it, if there is one.
fn differential(
    arguments: &AssertArguments,
    checking: &mut Checking<'_>,
) -> Result<AssertionRun, Vec<String>> {
    let old: Option<CheckedVersion> = match arguments.old() {
        Some(old) => Some(checking.version(old, None)?),
        None => None,
    };
    let mut new = checking.version(arguments.new_version(), old.as_ref())?;
    if let Some(old) = &old {
        causes::find(old, &mut new, checking);
    }
    let mut run = new.run;
    run.is_differential = old.is_some();
    run.notes.extend(checking.keeping.notes());
    Ok(run)
}

/// The exit of a run: our own bugs first, then what is certain, then what is missing.
fn exit_of(run: &AssertionRun) -> Exit {
    let mut reasons = run.results.iter().flat_map(|result| &result.reasons);
    let mut witnesses = run.results.iter().filter_map(|result| result.witness.as_ref());
    let is_bug = witnesses.any(|witness| witness.replay_disagreement.is_some())
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

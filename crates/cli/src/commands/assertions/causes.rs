//! What caused each failure of the new version: the three checks of property differencing.
//!
//! | | the clause is new | the clause held before |
//! |---|---|---|
//! | the run goes through changed code | I: feature | II: regression |
//! | it does not | III: property | it failed before as well |
//!
//! Whether a run goes through changed code is seen by running the old version on the same input: where both do the same
//! lines with the same values, nothing on the way was changed.

use std::collections::BTreeMap;
use std::time::Instant;

use properties::Spelled;
use report::assertions::{AssertionReport, Cause, OldRun, OutcomeWord};
use report::explain::{SeenKind, Step};

use super::version::{CheckedVersion, Checking};
use crate::job::Job;
use crate::options::{Options, RunWanted};
use crate::supervise;
use crate::wire::AssertionAnswer;

/// Finds the causes of the failures, and shows what the old version does on their inputs.
pub(super) fn find(old: &CheckedVersion, new: &mut CheckedVersion, checking: &Checking<'_>) {
    let failing: Vec<usize> = (0..new.run.results.len())
        .filter(|at| new.run.results[*at].outcome == OutcomeWord::Fails && *at < new.inputs.len())
        .collect();
    let wanted: Vec<(usize, RunWanted)> =
        failing.iter().filter_map(|at| Some((*at, new.inputs[*at].clone()?))).collect();
    let runs = old_runs(old, &wanted, checking);
    let matched = match_clauses(&old.run.results, &new.run.results);
    for at in failing {
        let before = matched[at].map(|old_at| Before {
            outcome: old.run.results[old_at].outcome,
            is_same_code: old.headers.get(old_at).is_some_and(|it| it.keys.code == new.headers[at].keys.code),
        });
        let run = runs.get(&at);
        let spelled = (&old.spelled, &new.spelled);
        judge(&mut new.run.results[at], before, run, spelled);
    }
}

/// The same clause in the version before.
#[derive(Clone, Copy)]
struct Before {
    outcome: OutcomeWord,
    /// Whether the procedure and its callees are the same without assertions.
    is_same_code: bool,
}

/// What one failure comes from.
fn judge(
    report: &mut AssertionReport,
    before: Option<Before>,
    run: Option<&AssertionAnswer>,
    (old_texts, new_texts): (&BTreeMap<String, Spelled>, &BTreeMap<String, Spelled>),
) {
    let Some(witness) = &mut report.witness else { return };
    let new_way = way(&witness.path, new_texts);
    let changed = match run {
        Some(run) => {
            let old_way = way(&run.path, old_texts);
            let changed = differing(&new_way, &old_way);
            let failed = run.ending.as_deref().filter(|ending| !ending.is_empty());
            let passes = !failed.is_some_and(|error| error.contains("ssert"));
            let outcome = match (failed, &run.ending) {
                (Some(error), _) => format!("ends with {error}"),
                (None, Some(_)) => "passes".to_owned(),
                (None, None) => "does not end here".to_owned(),
            };
            witness.old = Some(OldRun { passes, outcome, path: run.path.clone() });
            changed
        }
        // The old version does not have the procedure.
        None => Some(witness.path.iter().map(|step| step.line).collect()),
    };
    let is_impacted = changed.is_some();
    let held = before.is_some_and(|before| before.outcome == OutcomeWord::Holds);
    let failed = before.is_some_and(|before| before.outcome == OutcomeWord::Fails);
    report.cause = match (before.is_some(), is_impacted) {
        (false, true) => Some(Cause::Feature),
        (false, false) => Some(Cause::Property),
        (true, true) if !failed => Some(Cause::Regression),
        // The clause was moved, or one that stopped runs before it is gone.
        (true, false) if held && before.is_some_and(|before| before.is_same_code) => Some(Cause::Property),
        // What only looks unchanged, as a constant elsewhere, is a change of code.
        (true, false) if held => Some(Cause::Regression),
        (true, _) => None,
    };
    if matches!(report.cause, Some(Cause::Feature | Cause::Regression)) {
        let mut lines = changed.unwrap_or_default();
        lines.retain(|line| *line != report.line);
        lines.sort_unstable();
        lines.dedup();
        report.changed_lines = lines;
    }
}

/// The runs of the old version on inputs of the new one, by the place of the failure.
fn old_runs(
    old: &CheckedVersion,
    wanted: &[(usize, RunWanted)],
    checking: &Checking<'_>,
) -> BTreeMap<usize, AssertionAnswer> {
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let options = checking.options_with(|it| {
        it.runs = wanted.iter().map(|(_, run)| run.clone()).collect();
        it.known.clear();
    });
    let options = Options { function: None, ..options };
    let job = Job { units: old.units.clone(), options };
    let machine = supervise::Machine { jobs: 1, cores: 1 };
    let Ok(found) = supervise::run(&job, machine, Instant::now(), &|_, _| {}) else { return BTreeMap::new() };
    let mut runs = BTreeMap::new();
    for (header, answer) in found.listing.pairs.iter().zip(found.answers) {
        let number = header.renamed_from.as_ref().and_then(|number| number.parse::<usize>().ok());
        if let (Some(number), Some(run)) = (number, answer.assertion) {
            runs.insert(wanted[number].0, run);
        }
    }
    runs
}

/// A line of a run, as it is written, with what happened there. Lines of assertions are not part of the code.
#[derive(PartialEq)]
struct Line {
    number: u32,
    text: String,
    seen: Vec<String>,
}

fn way(path: &[Step], texts: &BTreeMap<String, Spelled>) -> Vec<Line> {
    let mut way = Vec::new();
    for step in path {
        let spelled = texts.get(&step.file).or_else(|| texts.values().next());
        let is_asserted =
            spelled.is_some_and(|it| it.written.iter().any(|written| written.line == step.line));
        let is_end = step.seen.iter().any(|seen| matches!(seen.kind, SeenKind::Fails));
        if is_asserted || is_end {
            continue;
        }
        let text = spelled.and_then(|it| it.text.lines().nth(step.line as usize - 1)).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let seen = step.seen.iter().map(|seen| seen.text()).collect();
        way.push(Line { number: step.line, text, seen });
    }
    way
}

/// The lines of the new way that the old one does not have; none if the old way begins with the new one.
fn differing(new: &[Line], old: &[Line]) -> Option<Vec<u32>> {
    let is_same = |one: &Line, other: &Line| one.text == other.text && one.seen == other.seen;
    let common = new.iter().zip(old).take_while(|(new, old)| is_same(new, old)).count();
    if common == new.len() {
        return None;
    }
    let changed = new[common..].iter().filter(|line| !old.iter().any(|it| it.text == line.text));
    let mut changed: Vec<u32> = changed.map(|line| line.number).collect();
    if changed.is_empty() {
        // Something is missing, or comes from elsewhere: this is where it shows.
        changed.push(new[common].number);
    }
    Some(changed)
}

/// The old clause that each new one is: the same text in the same procedure, in the same order.
fn match_clauses(old: &[AssertionReport], new: &[AssertionReport]) -> Vec<Option<usize>> {
    let key = |report: &AssertionReport| {
        (report.entry.clone(), report.function.clone(), report.kind.clone(), report.assertion.clone())
    };
    let pairs = align::common_subsequence(
        &old.iter().map(key).collect::<Vec<_>>(),
        &new.iter().map(key).collect::<Vec<_>>(),
    );
    let mut matched = vec![None; new.len()];
    for (old_at, new_at) in pairs {
        matched[new_at] = Some(old_at);
    }
    // Those that changed places.
    for (at, report) in new.iter().enumerate() {
        if matched[at].is_none() {
            let is_free = |old_at: &usize| !matched.contains(&Some(*old_at));
            let found = (0..old.len()).filter(is_free).find(|old_at| key(&old[*old_at]) == key(report));
            matched[at] = found;
        }
    }
    matched
}

//! Assertions that hold because the new version does the same as the old one: one question for all assertions of a
//! procedure that held before, in place of one for each (`session/assertion_same.rs` has the argument).

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use ir::Pair;
use properties::{Spelled, spell_out};
use report::assertions::OutcomeWord;
use report::{StatisticsReport, VerdictWord};

use super::version::{CheckedVersion, Checking, said};
use crate::compiler_flags::CompilerFlags;
use crate::gather::gather_spelled;
use crate::job::{Job, Unit};
use crate::options::{Options, RunWanted, SameWanted};
use crate::preprocess::PreprocessLimits;
use crate::supervise;
use crate::wire::{Answer, AssertionKind, Listing};

/// What became of the question.
#[derive(Default)]
pub(super) struct Found {
    /// The assertions that hold, by their place in the listing.
    pub(super) inherited: BTreeMap<usize, Answer>,
    /// Inputs on which the versions do not do the same, which may violate an assertion.
    pub(super) inputs: Vec<RunWanted>,
    /// What was spent for nothing, with the first assertion that it was spent on.
    pub(super) spent: Vec<(usize, StatisticsReport)>,
}

/// An assertion that held, and its place in the listing of the new version.
struct Matched {
    old: usize,
    at: usize,
}

/// The assertions that held before and hold now, because the versions do the same up to them.
pub(super) fn inherited(
    checking: &Checking<'_>,
    listing: &Listing,
    open: &[usize],
    spelled: &BTreeMap<String, Spelled>,
    path: &Path,
    before: &CheckedVersion,
) -> Found {
    let mut found = Found::default();
    let groups: Vec<(String, Vec<Matched>)> = matched(listing, open, spelled, before).into_iter().collect();
    if groups.is_empty() {
        return found;
    }
    let wanted: Vec<SameWanted> = groups
        .iter()
        .map(|(entry, matched)| SameWanted {
            entry: entry.clone(),
            old: matched.iter().map(|it| before.headers[it.old].keys.alone.clone()).collect(),
            new: matched.iter().map(|it| listing.assertions[it.at].keys.alone.clone()).collect(),
        })
        .collect();
    let options = checking.options_with(|it| {
        it.same = wanted;
        it.known.clear();
    });
    let options = Options { function: None, ..options };
    let Some(units) = both(checking, path, before) else { return found };
    let job = Job { units, options };
    let Ok(answered) = supervise::run(&job, checking.machine(), Instant::now(), &|_, _| {}) else {
        return found;
    };
    for (header, answer) in answered.listing.pairs.iter().zip(answered.answers) {
        let number = header.renamed_from.as_ref().and_then(|it| it.parse::<usize>().ok());
        let Some((entry, matched)) = number.and_then(|number| groups.get(number)) else { continue };
        if answer.report.verdict == VerdictWord::Equivalent {
            for (place, Matched { old, at }) in matched.iter().enumerate() {
                found.inherited.insert(*at, inherited_from(before, *old, &answer, place == 0));
            }
            continue;
        }
        found.spent.extend(matched.first().map(|it| (it.at, answer.report.statistics)));
        if let Some(input) = answer.assertion.and_then(|it| it.input) {
            found.inputs.push(RunWanted { procedure: entry.clone(), input });
        }
    }
    found
}

/// The open assertions that have one in the old version that held whatever others do: the same clause of the same
/// procedure. By procedures.
fn matched(
    listing: &Listing,
    open: &[usize],
    spelled: &BTreeMap<String, Spelled>,
    before: &CheckedVersion,
) -> BTreeMap<String, Vec<Matched>> {
    let mut groups: BTreeMap<String, Vec<Matched>> = BTreeMap::new();
    let mut taken = vec![false; before.headers.len()];
    for &at in open {
        let header = &listing.assertions[at];
        // Assertions that are seen from callers are not among those of the procedure.
        if header.kind == AssertionKind::Ensures || header.entry != header.function {
            continue;
        }
        let (clause, kind) = said(header, &listing.assertions, spelled);
        let is_it = |old: &usize| {
            let (was, report) = (&before.headers[*old], &before.run.results[*old]);
            !taken[*old]
                && was.entry == header.entry
                && was.function == header.function
                && was.kind == header.kind
                && (&report.assertion, report.kind.as_str()) == (&clause, kind)
                && report.outcome == OutcomeWord::Holds
                // One that nobody got to may be reached now, which only asking tells.
                && report.is_reached != Some(false)
                && before.is_alone[*old]
        };
        if let Some(old) = (0..before.headers.len()).find(is_it) {
            taken[old] = true;
            groups.entry(header.entry.clone()).or_default().push(Matched { old, at });
        }
    }
    groups
}

/// That an assertion holds because it held before. The work is counted once.
fn inherited_from(before: &CheckedVersion, old: usize, proof: &Answer, is_first: bool) -> Answer {
    let mut report = proof.report.clone();
    report.renamed_from = None;
    report.strategy = "the-same".to_owned();
    for assumption in &before.run.results[old].assumptions {
        if !report.assumptions.contains(assumption) {
            report.assumptions.push(assumption.clone());
        }
    }
    if !is_first {
        report.statistics = report::StatisticsReport::default();
    }
    let mut answer = Answer::only(report);
    let known = answer.assertion.get_or_insert_default();
    known.is_alone = true;
    answer
}

/// The sources of both versions together.
fn both(checking: &Checking<'_>, path: &Path, before: &CheckedVersion) -> Option<Vec<Unit>> {
    let Options { seconds, memory_mb, .. } = checking.options;
    let limits = PreprocessLimits { seconds, memory_mb };
    let paths = Pair::new(before.path.as_path(), path);
    let gathered = gather_spelled(paths, &[], limits, CompilerFlags::default(), &|_, file| {
        spell_out(file.language, &file.text, checking.options.takes_checks()).text
    });
    gathered.ok().map(|gathered| gathered.units)
}

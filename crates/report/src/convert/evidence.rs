//! What an *equivalent* rests on, in sentences.

use check::{Boundary, CheckConfig, CommonCodeUse, Proof, Subject, Termination};
use ir::{Pair, Side, Span};

use super::witness::witness_report;
use crate::outcome::both_ways;

/// The sentences about a proof; none if there is nothing to say beyond its method.
pub(super) fn sentences(pair: Pair<Subject<'_>>, proof: &Proof) -> Vec<String> {
    let common = proof.common_code().and_then(|used| common_code(pair, used));
    let several_files = pair.new.program.files.len() > 1;
    let loops = proof.invariants().iter().map(|found| {
        let place = match found.spans {
            Pair { new: Some(new), .. } => lines(pair, &Pair { old: new, new }, several_files),
            Pair { old: Some(old), new: None } => {
                format!("line {} of the old version", old.line)
            }
            Pair { old: None, new: None } => String::new(),
        };
        match found.invariants.is_empty() {
            true => format!("the loops of both versions in {place} run in step"),
            false => {
                format!("before every iteration of the loop in {place}: {}", found.invariants.join("; "))
            }
        }
    });
    let boundaries = proof.boundaries().iter().map(|boundary| died(pair, boundary, several_files));
    let settled = proof.bounded_up_to().map(|bound| {
        format!("inputs that need at most {bound} iterations were followed to their end; the rest is about the others")
    });
    let confirmed = proof.confirmation().map(|solver| match proof.obligations().len() {
        0 => format!("{solver} had nothing to confirm: no question was put to a solver"),
        count => format!("{solver} confirmed what the proof rests on ({count} obligations)"),
    });
    let unreachable = unreachable(pair, proof, several_files);
    common
        .into_iter()
        .chain(boundaries)
        .chain(settled)
        .chain(loops)
        .chain(unreachable)
        .chain(confirmed)
        .collect()
}

/// `no input reaches line 4 of the old version, which changed`.
fn unreachable(pair: Pair<Subject<'_>>, proof: &Proof, several_files: bool) -> Vec<String> {
    let of = |(side, span): &(Side, Span)| {
        let file = pair.get(*side).program.files.get(span.file.index());
        let place = match file {
            Some(file) if several_files => format!("line {} of {file}", span.line),
            Some(_) | None => format!("line {}", span.line),
        };
        format!("no input reaches {place} of the {} version, which changed", side.name())
    };
    proof.unreachable().iter().map(of).collect()
}

/// ``lines 15-17 give the same `sum` with either `lib`, although lib(4) gives 2 before and 1 now``.
fn died(pair: Pair<Subject<'_>>, boundary: &Boundary, several_files: bool) -> String {
    let place = lines(pair, &boundary.spans, several_files);
    let verb = if boundary.spans.new.line >= boundary.spans.new.end_line { "gives" } else { "give" };
    let quoted =
        |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<String>>().join(", ");
    let what = match boundary.outputs.as_slice() {
        [] => "the same".to_owned(),
        outputs => format!("the same {}", quoted(outputs)),
    };
    let said = format!("{place} {verb} {what} with either {}", quoted(&boundary.calls));
    let Some((ids, witness)) = &boundary.callee_differs else { return said };
    let callee = pair.zip(*ids).map(|(subject, id)| Subject::new(subject.program, id));
    let shown = witness_report(callee, witness);
    let ends = both_ways(&shown.outcomes.old, &shown.outcomes.new);
    format!("{said}, although {} {ends}", shown.call)
}

/// What a proof says of runs that do not end, where that is not plain.
pub(super) fn about_endings(proof: &Proof, config: &CheckConfig) -> Option<String> {
    match proof.termination() {
        Termination::Partial => Some("inputs on which a version does not end were not compared".to_owned()),
        Termination::Total if config.total => Some("one version ends exactly when the other does".to_owned()),
        Termination::Total => None,
    }
}

/// `1 of 3 common blocks had to be opened; the loop in lines 13-16 was not`.
fn common_code(pair: Pair<Subject<'_>>, used: &CommonCodeUse) -> Option<String> {
    let opened = match (used.opened.len(), used.blocks) {
        (_, 0) => return None,
        (0, 1) => "the common block stayed closed".to_owned(),
        (0, blocks) => format!("all {blocks} common blocks stayed closed"),
        (opened, blocks) => format!("{opened} of {blocks} common blocks had to be opened"),
    };
    let several_files = pair.new.program.files.len() > 1;
    let mut loops: Vec<String> =
        used.closed_loops.iter().map(|spans| lines(pair, spans, several_files)).collect();
    loops.dedup();
    Some(match loops.as_slice() {
        [] => opened,
        [one] => format!("{opened}; the loop in {one} did not have to be followed"),
        [first @ .., last] => {
            format!("{opened}; the loops in {} and {last} did not have to be followed", first.join(", "))
        }
    })
}

/// `lines 13-16`, in the new version.
fn lines(pair: Pair<Subject<'_>>, spans: &Pair<Span>, with_file: bool) -> String {
    let span = spans.new;
    let lines = match (span.line, span.end_line) {
        (first, last) if first >= last => format!("line {first}"),
        (first, last) => format!("lines {first}-{last}"),
    };
    match pair.new.program.files.get(span.file.index()) {
        Some(file) if with_file => format!("{lines} of {file}"),
        _ => lines,
    }
}

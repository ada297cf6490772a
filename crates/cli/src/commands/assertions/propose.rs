//! `selfsame assert NEW --propose`: likely assertions, of which those that are proved are shown, or written.
//!
//! 1. Workers run each procedure on many inputs; the clauses that held in all runs are candidates.
//! 2. All candidates are put into the text as annotations, and checked like any others.
//! 3. Those that follow from more telling ones, or from the types, are dropped.
//! 4. What is left is put into the text in the form in which it is written, and checked once more as it stands there.
//!
//! So what is shown was proved of the very text that `--write` leaves.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ir::{Language, Pair, Side};
use properties::{Form, Moment, Placing, Spelled, Wish, spell_out};
use report::VerdictWord;
use report::assertions::proposals::{Proposal, ProposalRun};

use super::implications::{self, Added, END, Implication};
use super::version::{Checking, said};
use crate::compiler_flags::CompilerFlags;
use crate::gather::gather_spelled;
use crate::job::{Job, Unit};
use crate::options::Options;
use crate::preprocess::PreprocessLimits;
use crate::progress::Progress;
use crate::supervise;
use crate::wire::{Answer, AssertionHeader, AssertionKind, LikelyClauses, Listing};

/// The steps that one candidate may take before it is known whether it is worth more.
const EFFORT: u64 = 3_000_000;
/// Candidates of a procedure that calls itself: they are proved together.
const MOST_OF_RECURSIVE: usize = 6;
/// How often the clauses that turned out not to hold where they are written are taken out.
const MOST_ROUNDS: usize = 5;

/// A file as it was read.
struct OriginalFile {
    path: PathBuf,
    language: Language,
    text: String,
}

type Originals = BTreeMap<String, OriginalFile>;

/// A clause that may be worth showing.
struct Candidate {
    /// Its procedure, by its place in the list.
    of: usize,
    weight: u32,
    wish: Wish,
    forms: Vec<Form>,
}

/// A clause as it stands in a text: where, and in which words.
struct Stands {
    file: String,
    function: String,
    line: u32,
    words: String,
    form: Form,
}

/// Proposes assertions for a version; writes them if that is asked for.
pub(super) fn propose(
    path: &Path,
    is_written: bool,
    checking: &Checking<'_>,
) -> Result<ProposalRun, Vec<String>> {
    let (units, originals, spelled, mut notes) = read(path, &checking.options, &BTreeMap::new())?;
    let (procedures, errors) = guess(checking, units)?;
    let mut candidates = candidates(&procedures, &originals, &spelled);
    let count = candidates.len();
    hold_alone(checking, path, &procedures, &originals, &mut candidates)?;
    let held = candidates.len();
    drop_implied(checking, path, &procedures, &mut candidates, &originals);
    let texts = settle_forms(checking, path, &procedures, &originals, &mut candidates)?;
    let places = stands(&procedures, &originals, &candidates).1;
    let proposals = candidates
        .iter()
        .zip(places)
        .filter_map(|(candidate, stands)| Some(proposal(&procedures[candidate.of], candidate, &stands?)))
        .collect();
    let mut files = None;
    if is_written {
        let mut written = 0;
        for (name, text) in texts {
            match write(&originals[&name], &text) {
                Ok(()) => written += 1,
                Err(why) => notes.push(format!("{name} is not written: {why}")),
            }
        }
        files = Some(written);
    }
    Ok(ProposalRun { proposals, candidates: count, held, files, notes, errors })
}

fn proposal(procedure: &LikelyClauses, candidate: &Candidate, stands: &Stands) -> Proposal {
    Proposal {
        function: procedure.function.clone(),
        file: procedure.file.clone(),
        line: stands.line,
        of_loop: match candidate.wish.moment {
            Moment::End => None,
            Moment::Loop(line) => Some(line),
        },
        clause: candidate.wish.clause.clone(),
        form: stands.form.name().to_owned(),
        words: stands.words.clone(),
    }
}

/// Replaces a file, unless it is no longer what was read.
fn write(original: &OriginalFile, text: &str) -> Result<(), String> {
    let now = fs::read(&original.path).map_err(|error| error.to_string())?;
    if now != original.text.as_bytes() {
        return Err("it is not what was read: it changed, or is not in UTF-8".to_owned());
    }
    // All or nothing: a file beside it takes its place.
    let beside = original.path.with_extension("selfsame-new");
    fs::write(&beside, text).map_err(|error| error.to_string())?;
    let permissions = fs::metadata(&original.path).map(|it| it.permissions());
    permissions
        .and_then(|permissions| fs::set_permissions(&beside, permissions))
        .and_then(|()| fs::rename(&beside, &original.path))
        .map_err(|error| {
            let _ = fs::remove_file(&beside);
            error.to_string()
        })
}

/// Reads a version with other texts in the place of some files.
#[expect(clippy::type_complexity, reason = "four things that are taken apart at once")]
fn read(
    path: &Path,
    options: &Options,
    instead: &BTreeMap<String, String>,
) -> Result<(Vec<Unit>, Originals, BTreeMap<String, Spelled>, Vec<String>), Vec<String>> {
    let limits = PreprocessLimits { seconds: options.seconds, memory_mb: options.memory_mb };
    let originals: RefCell<Originals> = RefCell::default();
    let spelled: RefCell<BTreeMap<String, Spelled>> = RefCell::default();
    let gathered =
        gather_spelled(Pair::new(path, path), &[], limits, CompilerFlags::default(), &|side, file| {
            let text = instead.get(&file.name).unwrap_or(&file.text);
            let found = spell_out(file.language, text, false);
            let text = found.text.clone();
            if side == Side::New {
                let original = OriginalFile {
                    path: file.path.clone(),
                    language: file.language,
                    text: file.text.clone(),
                };
                originals.borrow_mut().insert(file.name.clone(), original);
                spelled.borrow_mut().insert(file.name.clone(), found);
            }
            text
        })?;
    Ok((gathered.units, originals.into_inner(), spelled.into_inner(), gathered.notes))
}

/// What held in all runs of each procedure.
fn guess(
    checking: &Checking<'_>,
    units: Vec<Unit>,
) -> Result<(Vec<LikelyClauses>, Vec<String>), Vec<String>> {
    let options = checking.options_with(|it| it.guess = true);
    let progress = Progress::start();
    let job = Job { units, options };
    let found =
        supervise::run(&job, checking.machine(), Instant::now(), &|done, total| progress.done(done, total))?;
    let errors = found.listing.errors.iter().map(|error| error.message.clone()).collect();
    let likely = found.answers.into_iter().filter_map(|answer| answer.assertion?.likely);
    Ok((likely.collect(), errors))
}

fn candidates(
    procedures: &[LikelyClauses],
    originals: &Originals,
    spelled: &BTreeMap<String, Spelled>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (of, procedure) in procedures.iter().enumerate() {
        let Some(original) = originals.get(&procedure.file) else { continue };
        // Columns are those of the spelled text.
        let line = |text: &str, (number, _): (u32, u32)| {
            text.lines().nth(number as usize - 1).unwrap_or_default().to_owned()
        };
        let Some(spelled) = spelled.get(&procedure.file) else { continue };
        let is_there = |place| line(&spelled.text, place) == line(&original.text, place);
        if !is_there(procedure.start) || !is_there(procedure.end) {
            continue;
        }
        let placing = Placing::of(original.language, &original.text);
        let mut left = if procedure.is_recursive { MOST_OF_RECURSIVE } else { usize::MAX };
        for clause in &procedure.clauses {
            let moment = clause.line.map_or(Moment::End, Moment::Loop);
            let mut wish = Wish {
                start: procedure.start,
                end: procedure.end,
                moment,
                clause: clause.clause.clone(),
                form: Form::Ensures,
            };
            let forms = placing.forms(&wish);
            // The first check is of annotations: an assertion is only another way of writing one.
            let Some(last) = forms.last().copied().filter(|_| left > 0) else { continue };
            wish.form = last;
            left -= 1;
            found.push(Candidate { of, weight: clause.weight, wish, forms });
        }
    }
    found
}

/// Keeps the candidates that are proved, each by itself.
fn hold_alone(
    checking: &Checking<'_>,
    path: &Path,
    procedures: &[LikelyClauses],
    originals: &Originals,
    candidates: &mut Vec<Candidate>,
) -> Result<(), Vec<String>> {
    let (texts, places) = stands(procedures, originals, candidates);
    let mut options = checking.options_with(|it| it.guesses = true);
    options.effort = options.effort.min(EFFORT);
    let held = hold(checking, path, &texts, &places, options)?;
    let mut held = held.into_iter();
    candidates.retain(|_| held.next().unwrap_or(false));
    Ok(())
}

/// Finds the best form of each candidate in which it holds, and the texts with all of them.
fn settle_forms(
    checking: &Checking<'_>,
    path: &Path,
    procedures: &[LikelyClauses],
    originals: &Originals,
    candidates: &mut Vec<Candidate>,
) -> Result<BTreeMap<String, String>, Vec<String>> {
    for candidate in candidates.iter_mut() {
        candidate.wish.form = candidate.forms[0];
    }
    for _ in 0..MOST_ROUNDS {
        let (texts, places) = stands(procedures, originals, candidates);
        if candidates.is_empty() {
            return Ok(texts);
        }
        let held = hold(checking, path, &texts, &places, checking.options_with(|_| {}))?;
        if held.iter().all(|it| *it) {
            return Ok(texts);
        }
        let mut held = held.into_iter();
        candidates.retain_mut(|candidate| {
            if held.next().unwrap_or(false) {
                return true;
            }
            candidate.forms.retain(|form| *form != candidate.wish.form);
            candidate.forms.first().copied().map(|form| candidate.wish.form = form).is_some()
        });
    }
    candidates.clear();
    Ok(BTreeMap::new())
}

/// The texts with all candidates in them, and where each stands.
fn stands(
    procedures: &[LikelyClauses],
    originals: &Originals,
    candidates: &[Candidate],
) -> (BTreeMap<String, String>, Vec<Option<Stands>>) {
    let mut texts = BTreeMap::new();
    let mut places: Vec<Option<Stands>> = candidates.iter().map(|_| None).collect();
    for (name, original) in originals {
        let own: Vec<usize> =
            (0..candidates.len()).filter(|at| procedures[candidates[*at].of].file == *name).collect();
        if own.is_empty() {
            continue;
        }
        let wishes: Vec<Wish> = own.iter().map(|at| candidates[*at].wish.clone()).collect();
        let (text, found) = Placing::of(original.language, &original.text).written(&wishes);
        texts.insert(name.clone(), text);
        for (at, found) in own.into_iter().zip(found) {
            places[at] = found.map(|(line, words)| Stands {
                file: name.clone(),
                function: procedures[candidates[at].of].function.clone(),
                line,
                words,
                form: candidates[at].wish.form,
            });
        }
    }
    (texts, places)
}

/// Which clauses hold where they stand. Other assertions of the texts are not asked about.
fn hold(
    checking: &Checking<'_>,
    path: &Path,
    texts: &BTreeMap<String, String>,
    places: &[Option<Stands>],
    options: Options,
) -> Result<Vec<bool>, Vec<String>> {
    let (units, _, spelled, _) = read(path, &options, texts)?;
    let job = Job { units, options };
    let progress = Progress::start();
    let ours = RefCell::new(Vec::new());
    let settle = |listing: &Listing| {
        let config = || (&job.options.config(budget::Kill::never())).into();
        let known = ours_in(&listing.assertions, places, &spelled);
        let settled = listing.pairs.iter().zip(&known).map(|(header, known)| match known {
            Some(_) => None,
            None => Some(Answer::only(header.clone().unknown(Vec::new(), config(), 0.0))),
        });
        let settled = settled.collect();
        *ours.borrow_mut() = known;
        settled
    };
    let on_answer = |done, total| progress.done(done, total);
    let found = supervise::run_settling(&job, checking.machine(), Instant::now(), &on_answer, settle)?;
    let mut held = vec![false; places.len()];
    for (place, answer) in ours.into_inner().into_iter().zip(found.answers) {
        if let Some(place) = place {
            held[place] = answer.report.verdict == VerdictWord::Equivalent
                && answer.assertion.as_ref().and_then(|it| it.is_reached) != Some(false);
        }
    }
    Ok(held)
}

/// For each assertion of a listing the clause of ours that it is.
fn ours_in(
    headers: &[AssertionHeader],
    places: &[Option<Stands>],
    spelled: &BTreeMap<String, Spelled>,
) -> Vec<Option<usize>> {
    let mut found = vec![None; headers.len()];
    for (number, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        let is_it = |header: &AssertionHeader| {
            let (words, kind) = said(header, headers, spelled);
            let is_at = match place.form {
                Form::Ensures => header.kind == AssertionKind::Ensures && header.line == place.line,
                Form::Assert => kind == "assert" && header.line == place.line,
                // The assertion stands in the body, below the annotation.
                Form::Invariant => kind == "loop_invariant" && header.line >= place.line,
            };
            is_at && words == place.words && header.file == place.file && header.entry == place.function
        };
        let fitting = (0..headers.len()).filter(|at| found[*at].is_none() && is_it(&headers[*at]));
        if let Some(at) = fitting.min_by_key(|at| headers[*at].line) {
            found[at] = Some(number);
        }
    }
    found
}

/// Drops what follows from more telling clauses of the same moment, or from the types alone.
fn drop_implied(
    checking: &Checking<'_>,
    path: &Path,
    procedures: &[LikelyClauses],
    candidates: &mut Vec<Candidate>,
    originals: &Originals,
) {
    candidates.sort_by(|one, other| {
        let key = |it: &Candidate| (it.of, it.wish.moment, it.weight, it.wish.clause.len());
        key(one).cmp(&key(other)).then_with(|| one.wish.clause.cmp(&other.wish.clause))
    });
    let mut added: BTreeMap<String, Vec<Added>> = BTreeMap::new();
    for (number, candidate) in candidates.iter().enumerate() {
        let procedure = &procedures[candidate.of];
        let Some(original) = originals.get(&procedure.file) else { continue };
        let is_above = |other: &&Candidate| {
            other.of == candidate.of
                && other.wish.moment == candidate.wish.moment
                && !other.wish.clause.contains("\\forall")
        };
        let variables = plain_variables(procedure);
        let premises: Vec<String> =
            candidates[..number].iter().filter(is_above).map(|it| plain(&it.wish.clause)).collect();
        let clause = plain(&candidate.wish.clause);
        if clause.contains('\\') {
            continue;
        }
        let implication = Implication {
            language: original.language,
            number,
            variables: &variables,
            has_receiver: procedure.has_receiver,
            premises: &premises,
            clause: &clause,
            // Sums of variables have no undefined values, and members of Java may fail.
            is_total: true,
        };
        let Some(text) = implication.procedure() else { continue };
        let (place, text) = match original.language {
            Language::Java => (procedure.end, text),
            Language::C => (END, format!("\n{text}\n")),
        };
        added.entry(procedure.file.clone()).or_default().push(Added { place, text });
    }
    let implied = implications::ask(checking, path, &added).answers;
    let mut number = 0;
    candidates.retain(|_| {
        number += 1;
        !implied.contains_key(&(number - 1))
    });
}

/// A clause in which `\result` and `\old` are variables.
fn plain(clause: &str) -> String {
    let mut text = clause.replace("\\result", contracts::RESULT);
    while let Some(start) = text.find("\\old(") {
        let Some(end) = text[start..].find(')') else { break };
        let name = before_name(&text[start + "\\old(".len()..start + end]);
        text.replace_range(start..=start + end, &name);
    }
    text
}

fn before_name(text: &str) -> String {
    format!("{}{}", contracts::OLD, text.replace('.', "_"))
}

/// The variables of a procedure, its result, and what was before.
fn plain_variables(procedure: &LikelyClauses) -> Vec<(String, String)> {
    let mut variables = procedure.variables.clone();
    let is_plain = |name: &str| !name.contains('.');
    let before = variables.clone().into_iter().map(|(name, ty)| (before_name(&name), ty));
    variables.retain(|(name, _)| is_plain(name));
    variables.extend(before);
    variables.push((contracts::RESULT.to_owned(), procedure.result.clone()));
    variables
}

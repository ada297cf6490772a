//! Chooses functions and mutants, asks about them on several threads, and writes what was answered.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use arbitrary_source::Choices;
use arbitrary_source::Language;
use casekit::workspace;

use super::ask::Asking;
use super::changes::{Change, changes};
use super::functions::{FoundFunction, FoundText};
use super::record::Record;

/// What a campaign does.
pub(super) struct Plan {
    pub(super) paths: Vec<PathBuf>,
    pub(super) functions: usize,
    pub(super) mutants_per_function: usize,
    pub(super) max_lines: usize,
    pub(super) seed: u64,
    pub(super) jobs: usize,
    pub(super) out: PathBuf,
    pub(super) asking: Asking,
    /// Show progress, and every *equivalent* as it comes.
    pub(super) loud: bool,
}

/// A function of a file, with the mutants that were chosen.
struct Work {
    file: PathBuf,
    text: String,
    function: FoundFunction,
    mutants: Vec<(Change, usize)>,
}

/// Runs the campaign; gives all records, those of an earlier run included.
pub(super) fn run(plan: &Plan) -> Result<Vec<Record>> {
    plan.asking.prepare()?;
    let work = choose(plan)?;
    let earlier = earlier(&plan.out)?;
    let known: BTreeSet<String> = earlier.iter().map(Record::key).collect();
    let out = OpenOptions::new().create(true).append(true).open(&plan.out);
    let out = Mutex::new(out.with_context(|| format!("cannot write {}", plan.out.display()))?);
    let records = Mutex::new(earlier);
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for worker in 0..plan.jobs.max(1) {
            let (work, known, out, records, next, failure) = (&work, &known, &out, &records, &next, &failure);
            scope.spawn(move || {
                while let Some(one) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = one_function(plan, worker, one, known, out, records) {
                        *failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(error);
                        next.store(work.len(), Ordering::Relaxed);
                    }
                    progress(plan, next.load(Ordering::Relaxed).min(work.len()), work.len(), records);
                }
            });
        }
    });
    if plan.loud && std::io::stderr().is_terminal() {
        eprintln!();
    }
    match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(records.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)),
    }
}

fn earlier(out: &Path) -> Result<Vec<Record>> {
    if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let text = if out.exists() { fs::read_to_string(out)? } else { String::new() };
    Ok(text.lines().filter_map(Record::from_line).collect())
}

/// The functions, in an order that the seed determines, each with its mutants.
fn choose(plan: &Plan) -> Result<Vec<Work>> {
    let mut files = Vec::new();
    for path in &plan.paths {
        if path.is_dir() {
            files.extend(workspace::files_below(path, plan.asking.language.name())?);
        } else {
            files.push(path.clone());
        }
    }
    let mut all = Vec::new();
    let mut texts = BTreeMap::new();
    for file in files {
        // What is not UTF-8 cannot be asked about.
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let found = FoundText::new(text, plan.asking.language);
        for index in 0..found.functions.len() {
            all.push((file.clone(), index));
        }
        texts.insert(file, found);
    }
    let mut choices = Choices::new(plan.seed, 0);
    let mut work = Vec::new();
    while !all.is_empty() && work.len() < plan.functions {
        let (file, index) = all.swap_remove(choices.below(all.len()));
        let found = &texts[&file];
        let function = &found.functions[index];
        let Some(last) = function.body.clone().next_back() else { continue };
        let lines = found.line(found.tokens[last].place.start)
            - found.line(found.tokens[function.body.start].place.start);
        let mutants =
            pick(changes(found, function, plan.asking.language), plan.mutants_per_function, &mut choices);
        if lines <= plan.max_lines && !mutants.is_empty() {
            let mutants = mutants.into_iter().map(|one| (found.line(one.place.start), one));
            let mutants = mutants.map(|(line, change)| (change, line)).collect();
            work.push(Work {
                file: file.clone(),
                text: found.text.clone(),
                function: function.clone(),
                mutants,
            });
        }
    }
    Ok(work)
}

/// Some of the changes, of as many kinds as there are.
fn pick(mut from: Vec<Change>, count: usize, choices: &mut Choices) -> Vec<Change> {
    let mut picked: Vec<Change> = Vec::new();
    while picked.len() < count && !from.is_empty() {
        let used = |kind: &str| picked.iter().filter(|one| one.kind == kind).count();
        let least = from.iter().map(|one| used(one.kind)).min().unwrap_or(0);
        let kinds: BTreeSet<&str> =
            from.iter().map(|one| one.kind).filter(|kind| used(kind) == least).collect();
        let kind = choices.pick(&kinds.into_iter().collect::<Vec<_>>());
        let of_kind: Vec<usize> = (0..from.len()).filter(|index| from[*index].kind == kind).collect();
        picked.push(from.remove(choices.pick(&of_kind)));
    }
    picked
}

fn one_function(
    plan: &Plan,
    worker: usize,
    work: &Work,
    known: &BTreeSet<String>,
    out: &Mutex<File>,
    records: &Mutex<Vec<Record>>,
) -> Result<()> {
    let name = work.file.file_name().unwrap_or_default();
    let folder = plan.asking.folder.join(format!("worker-{worker}"));
    fs::create_dir_all(&folder)?;
    let mutant = folder.join(name);
    for (change, line) in &work.mutants {
        let mut record = Record {
            file: work.file.display().to_string(),
            function: work.function.name.clone(),
            line: *line,
            offset: change.place.start,
            kind: change.kind.to_owned(),
            old: work.text[change.place.clone()].to_owned(),
            new: change.replacement.clone(),
            verdict: String::new(),
            proof: String::new(),
            assumptions: Vec::new(),
            reasons: Vec::new(),
            same_code: false,
        };
        if known.contains(&record.key()) {
            continue;
        }
        fs::write(&mutant, change.apply(&work.text))?;
        if plan.asking.is_left_out(&work.file, &mutant) {
            record.verdict = "left out".to_owned();
            keep(record, out, records)?;
            continue;
        }
        let answer = plan.asking.ask(worker, &work.file, &mutant, &work.function)?;
        (record.verdict, record.proof) = (answer.verdict, answer.proof);
        (record.assumptions, record.reasons) = (answer.assumptions, answer.reasons);
        if record.verdict == "equivalent" {
            record.same_code = plan.asking.is_same_code(&work.file, &mutant);
        }
        if plan.loud && record.verdict == "equivalent" {
            println!("{}", record.show());
        } else if plan.loud && record.verdict == "internal error" {
            println!(
                "INTERNAL ERROR {}:{} {}: {}",
                record.file,
                line,
                record.function,
                record.reasons.join("; ")
            );
        }
        let is_refused = record.verdict == "refused";
        let is_unsupported = record.verdict == "unknown"
            && record.reasons.iter().all(|reason| reason.contains("not supported"));
        keep(record, out, records)?;
        // If the original cannot be read either, no mutant of it can.
        if is_refused && plan.asking.ask(worker, &work.file, &work.file, &work.function)?.verdict == "refused"
        {
            break;
        }
        // Nor is there much hope for the others if the function has something that is not supported.
        if is_unsupported {
            break;
        }
    }
    Ok(())
}

fn keep(record: Record, out: &Mutex<File>, records: &Mutex<Vec<Record>>) -> Result<()> {
    writeln!(out.lock().unwrap_or_else(std::sync::PoisonError::into_inner), "{}", record.to_line())?;
    records.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(record);
    Ok(())
}

fn progress(plan: &Plan, done: usize, all: usize, records: &Mutex<Vec<Record>>) {
    let is_terminal = std::io::stderr().is_terminal();
    if !plan.loud || !(is_terminal || done.is_multiple_of(25)) {
        return;
    }
    let records = records.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let equivalent = records.iter().filter(|record| record.verdict == "equivalent").count();
    let end = if is_terminal { "\r" } else { "\n" };
    eprint!("{done} of {all} functions, {} mutants, {equivalent} equivalent{end}", records.len());
    let _ = std::io::stderr().flush();
}

/// Which language to look for, if nobody said: the one that there are more files of.
pub(super) fn language_of(paths: &[PathBuf]) -> Result<Language> {
    let mut counts = [0, 0];
    for path in paths {
        for (count, language) in counts.iter_mut().zip([Language::C, Language::Java]) {
            let is_own = path.extension().is_some_and(|extension| extension == language.name());
            *count += workspace::files_below(path, language.name())?.len() + usize::from(is_own);
        }
    }
    Ok(if counts[1] > counts[0] { Language::Java } else { Language::C })
}

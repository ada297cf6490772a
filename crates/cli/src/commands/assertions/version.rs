//! The assertions of one version: what is known already, what is implied, and what has to be checked.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use ir::{Language, Pair, Side};
use properties::{Spelled, WrittenKind, spell_out};
use report::assertions::{AssertionReport, AssertionRun, AssertionWitness, OutcomeWord};
use report::{ReasonReport, VerdictWord};

use super::implications;
use super::keeping::{Keeping, Kept, KeptVersion};
use super::same;
use crate::compiler_flags::CompilerFlags;
use crate::gather::{Gathered, gather_spelled};
use crate::job::{Job, Unit};
use crate::numbers::number;
use crate::options::{Assertions, Held, Options, PathStrategy, RULES, RunWanted};
use crate::preprocess::PreprocessLimits;
use crate::progress::Progress;
use crate::replay;
use crate::supervise::{self, Machine, Supervised};
use crate::wire::{Answer, AssertionHeader, AssertionKind, Listing};

/// How versions are checked.
pub(crate) struct Checking<'a> {
    pub(crate) options: Options,
    pub(crate) jobs: Option<u16>,
    pub(crate) keeping: &'a mut Keeping,
}

/// A version whose assertions were checked.
pub(crate) struct CheckedVersion {
    /// Where it was read.
    pub(crate) path: PathBuf,
    pub(crate) run: AssertionRun,
    pub(crate) headers: Vec<AssertionHeader>,
    /// The inputs of the failures, in the order of the headers.
    pub(crate) inputs: Vec<Option<RunWanted>>,
    /// Whether each outcome is the same whatever other assertions do.
    pub(crate) is_alone: Vec<bool>,
    pub(crate) units: Vec<Unit>,
    pub(crate) spelled: BTreeMap<String, Spelled>,
}

/// The files of a version, with their assertions spelled out.
pub(crate) struct SpelledVersion {
    pub(crate) gathered: Gathered,
    pub(crate) spelled: BTreeMap<String, Spelled>,
}

/// Reads a version, with more text in it if that is asked for: what stands after a place of a file.
pub(crate) fn read(
    path: &Path,
    options: &Options,
    added: &BTreeMap<String, Vec<implications::Added>>,
) -> Result<SpelledVersion, Vec<String>> {
    let limits = PreprocessLimits { seconds: options.seconds, memory_mb: options.memory_mb };
    let spelled: RefCell<BTreeMap<String, Spelled>> = RefCell::default();
    let gathered =
        gather_spelled(Pair::new(path, path), &[], limits, CompilerFlags::default(), &|side, file| {
            let mut found = spell_out(file.language, &file.text, options.takes_checks());
            if let Some(added) = added.get(&file.name) {
                found.text = implications::insert(&found.text, added);
            }
            let text = found.text.clone();
            if side == Side::New {
                spelled.borrow_mut().insert(file.name.clone(), found);
            }
            text
        })?;
    Ok(SpelledVersion { gathered, spelled: spelled.into_inner() })
}

impl Checking<'_> {
    pub(crate) fn machine(&self) -> Machine {
        let cores = Machine::cores();
        Machine { jobs: self.jobs.map_or(cores, usize::from), cores }
    }

    /// Checks the assertions of one version; those of the version before it are known.
    pub(crate) fn version(
        &mut self,
        path: &Path,
        before: Option<&CheckedVersion>,
    ) -> Result<CheckedVersion, Vec<String>> {
        let SpelledVersion { gathered, spelled } = read(path, &self.options, &BTreeMap::new())?;
        let Gathered { units, mut originals, errors, mut notes, .. } = gathered;
        for (name, spelled) in &spelled {
            let not_understood = spelled.not_understood.iter();
            notes.extend(not_understood.map(|(line, why)| format!("{name}:{line}: not understood: {why}")));
            originals.insert(name.clone(), spelled.text.clone());
        }
        let key = self.version_key(&units);
        if let Some(mut kept) = key.as_ref().and_then(|key| self.keeping.version(key)) {
            kept.run.notes.retain(|note| !notes.contains(note));
            notes.append(&mut kept.run.notes);
            kept.run.notes = notes;
            kept.run.results.iter_mut().for_each(inherit);
            let KeptVersion { run, headers, inputs, is_alone } = kept;
            let path = path.to_owned();
            return Ok(CheckedVersion { path, run, headers, inputs, is_alone, units, spelled });
        }
        let mut options = self.options.clone();
        let (listing, plan) = self.plan(&units, &spelled, path, before)?;
        if let Some(assertions) = &mut options.assertions {
            assertions.known.clone_from(&plan.known);
            assertions.held.clone_from(&plan.held);
            assertions.before =
                before.filter(|_| !plan.held.is_empty()).map_or(Vec::new(), |it| it.units.clone());
        }
        let job = Job { units, options };
        let progress = Progress::start();
        let supervised = match plan.all_settled() {
            // Nothing is left to ask a worker.
            Some(answers) => Ok(Supervised { listing, answers }),
            None => supervise::run_settling(
                &job,
                self.machine(),
                Instant::now(),
                &|done, total| progress.done(done, total),
                |listing| plan.settled(listing),
            ),
        };
        let Supervised { listing, mut answers } = supervised?;
        if self.options.replay {
            replay::run_all(&mut answers, &job, &originals);
        }
        drop(progress);
        notes.extend(listing.notes.clone());
        let errors = [errors, listing.errors.clone()].concat();
        let is_listed = listing.assertions.len() == answers.len();
        let headers = if is_listed { listing.assertions.clone() } else { Vec::new() };
        let said: Vec<(String, &str)> =
            headers.iter().map(|header| said(header, &headers, &spelled)).collect();
        let fresh: Vec<(&AssertionHeader, String, &Answer)> = headers
            .iter()
            .zip(&answers)
            .enumerate()
            .filter(|(at, _)| !plan.is_known(*at) || plan.is_implied(*at))
            .map(|(at, (header, answer))| (header, said[at].0.clone(), answer))
            .collect();
        let strategy = self.strategy();
        self.keeping.keep(&fresh, strategy);
        let inputs = headers.iter().zip(&answers).map(|(header, answer)| {
            let input = answer.assertion.as_ref()?.input.clone()?;
            Some(RunWanted { procedure: header.entry.clone(), input })
        });
        let inputs = inputs.collect();
        let is_alone = answers.iter().map(|it| it.assertion.as_ref().is_some_and(|it| it.is_alone)).collect();
        let results = match is_listed {
            true => headers
                .iter()
                .zip(answers)
                .enumerate()
                .map(|(at, (header, answer))| {
                    let (inherited, is_implied) = (plan.is_inherited(at), plan.is_implied(at));
                    let mut report = report(header, answer, &said[at], inherited, is_implied);
                    for (_, spent) in plan.spent.iter().filter(|(number, _)| *number == at) {
                        report.statistics.solver_calls += spent.solver_calls;
                        report.statistics.inputs_tried += spent.inputs_tried;
                        report.statistics.steps += spent.steps;
                        report.statistics.seconds += spent.seconds;
                    }
                    report
                })
                .chain(self.lost(&headers, &spelled))
                .collect(),
            // No worker got as far as listing them.
            false => answers.into_iter().map(unplaced).collect(),
        };
        let run = AssertionRun {
            results,
            is_broken: errors.iter().any(|error| error.is_bug),
            errors: errors.into_iter().map(|error| error.message).collect(),
            notes,
            is_differential: false,
        };
        let kept = KeptVersion { run, headers, inputs, is_alone };
        if let Some(key) = key.filter(|_| is_listed) {
            self.keeping.keep_version(&key, &kept);
        }
        let KeptVersion { run, headers, inputs, is_alone } = kept;
        let path = path.to_owned();
        Ok(CheckedVersion { path, run, headers, inputs, is_alone, units: job.units, spelled })
    }

    /// The number of all that the outcomes of a version can depend on. Real runs are always done.
    fn version_key(&self, units: &[Unit]) -> Option<String> {
        if !self.keeping.is_open() || self.options.replay {
            return None;
        }
        let text = serde_json::to_string(&(units, &self.options)).ok()?;
        Some(number(&format!("{RULES} {text}")))
    }

    /// The assertions of Java that stand in no procedure that was read, as in a lambda expression: nothing is known of them.
    /// What is read of C is up to the preprocessor.
    fn lost(&self, headers: &[AssertionHeader], spelled: &BTreeMap<String, Spelled>) -> Vec<AssertionReport> {
        let mut lost = Vec::new();
        for (file, spelled) in spelled.iter().filter(|(file, _)| file.ends_with(".java")) {
            let lines: BTreeSet<u32> = spelled.written.iter().map(|written| written.line).collect();
            for line in lines.into_iter().filter(|_| self.options.function.is_none()) {
                let on_line = headers.iter().filter(|it| (&it.file, it.line) == (file, line));
                let is_written = |it: &&AssertionHeader| it.kind == AssertionKind::Assertion;
                let read: BTreeSet<(&String, usize)> =
                    on_line.filter(is_written).map(|it| (&it.function, it.number)).collect();
                let written: Vec<_> = spelled.written.iter().filter(|it| it.line == line).collect();
                let missing = written.len().saturating_sub(read.len());
                // Which of several they are cannot be told.
                let text = spelled.text.lines().nth(line as usize - 1).unwrap_or_default().trim();
                let said = |at: usize| match read.is_empty() {
                    true => (written[at].clause.clone(), "assert"),
                    false => (text.to_owned(), "macro"),
                };
                lost.extend((0..missing).map(|at| not_read(file, line, said(at))));
            }
        }
        lost
    }

    /// What need not be checked, and what is tried first.
    fn plan(
        &mut self,
        units: &[Unit],
        spelled: &BTreeMap<String, Spelled>,
        path: &Path,
        before: Option<&CheckedVersion>,
    ) -> Result<(Listing, Plan), Vec<String>> {
        let listing = self.list(units)?;
        let mut plan = Plan { settled: vec![None; listing.assertions.len()], ..Plan::default() };
        plan.inherited = vec![false; listing.assertions.len()];
        plan.known.extend(before.into_iter().flat_map(|before| before.inputs.iter().flatten().cloned()));
        let strategy = self.strategy();
        for (at, header) in listing.assertions.iter().enumerate() {
            match self.keeping.find(header, strategy) {
                Some(Kept::Outcome(answer)) => {
                    plan.settled[at] = Some(*answer);
                    plan.inherited[at] = true;
                }
                Some(Kept::Violation(answer)) => {
                    let input = answer.assertion.and_then(|it| it.input);
                    plan.known
                        .extend(input.map(|input| RunWanted { procedure: header.entry.clone(), input }));
                    plan.inherited[at] = true;
                }
                None => {}
            }
            let same = before.and_then(|before| before.same_code(header));
            if let (None, Some(answer)) = (&plan.settled[at], same) {
                plan.settled[at] = Some(answer);
                plan.inherited[at] = true;
            }
        }
        if let Some(before) = before {
            let open: Vec<usize> = (0..listing.assertions.len()).filter(|at| !plan.inherited[*at]).collect();
            let implied = implications::implied(self, &listing, &open, spelled, path, before);
            plan.spent.extend(implied.spent);
            for (at, answer) in implied.answers {
                plan.settled[at] = Some(answer);
                plan.inherited[at] = true;
                plan.implied.push(at);
            }
            if strategy == PathStrategy::Summary {
                let open: Vec<usize> =
                    (0..listing.assertions.len()).filter(|at| !plan.inherited[*at]).collect();
                let found = same::inherited(self, &listing, &open, spelled, path, before);
                for (at, answer) in found.inherited {
                    plan.settled[at] = Some(answer);
                    plan.inherited[at] = true;
                    plan.implied.push(at);
                }
                plan.known.extend(found.inputs);
                plan.spent.extend(found.spent);
            }
        }
        plan.known.dedup();
        if let Some(before) = before.filter(|_| strategy == PathStrategy::Dise) {
            plan.held = held(&listing, spelled, before);
        }
        Ok((listing, plan))
    }

    fn strategy(&self) -> PathStrategy {
        self.options.assertions.as_ref().map_or(PathStrategy::Summary, |it| it.strategy)
    }

    /// The assertions of a version, without checking any.
    fn list(&self, units: &[Unit]) -> Result<Listing, Vec<String>> {
        self.list_with(units, self.options.clone())
    }

    /// The same with other options.
    pub(crate) fn list_with(&self, units: &[Unit], options: Options) -> Result<Listing, Vec<String>> {
        let job = Job { units: units.to_vec(), options };
        let nothing = |listing: &Listing| {
            let unknown = |header: &report::PairHeader| {
                let config = (&job.options.config(budget::Kill::never())).into();
                Some(Answer::only(header.clone().unknown(Vec::new(), config, 0.0)))
            };
            listing.pairs.iter().map(unknown).collect()
        };
        let machine = Machine { jobs: 1, cores: 1 };
        let supervised = supervise::run_settling(&job, machine, Instant::now(), &|_, _| {}, nothing)?;
        Ok(supervised.listing)
    }

    /// The options for another question about assertions.
    pub(crate) fn options_with(&self, change: impl FnOnce(&mut Assertions)) -> Options {
        let mut options = self.options.clone();
        options.replay = false;
        change(options.assertions.get_or_insert_with(Assertions::plain));
        options
    }
}

impl CheckedVersion {
    /// The outcome of an assertion that rests on the same code here.
    fn same_code(&self, header: &AssertionHeader) -> Option<Answer> {
        let is_same = |(at, old): &(usize, &AssertionHeader)| {
            old.keys.exact == header.keys.exact || self.is_alone[*at] && old.keys.alone == header.keys.alone
        };
        let (at, _) = self.headers.iter().enumerate().find(is_same)?;
        let report = &self.run.results[at];
        // What fails is run again, with the lines that it has now; what is unknown is tried again.
        if report.outcome != OutcomeWord::Holds {
            return None;
        }
        let mut pair = report::PairHeader {
            function: header.entry.clone(),
            renamed_from: None,
            language: report.language.clone(),
            places: report::Versions::default(),
        }
        .unknown(Vec::new(), reported(report), 0.0);
        pair.verdict = VerdictWord::Equivalent;
        pair.assumptions.clone_from(&report.assumptions);
        let mut answer = Answer::only(pair);
        let known = answer.assertion.get_or_insert_default();
        known.is_reached = report.is_reached;
        known.is_alone = self.is_alone[at];
        Some(answer)
    }
}

fn reported(_: &AssertionReport) -> report::ReportedConfig {
    report::ReportedConfig {
        numbers: String::new(),
        exceptions: String::new(),
        strategy: "inherited".to_owned(),
    }
}

/// What is known before anything is checked.
#[derive(Default)]
struct Plan {
    settled: Vec<Option<Answer>>,
    inherited: Vec<bool>,
    implied: Vec<usize>,
    known: Vec<RunWanted>,
    held: Vec<Held>,
    /// What was spent on questions that settled nothing.
    spent: Vec<(usize, report::StatisticsReport)>,
}

/// The assertions whose clauses held in the version before.
fn held(listing: &Listing, spelled: &BTreeMap<String, Spelled>, before: &CheckedVersion) -> Vec<Held> {
    let mut held: Vec<Held> = Vec::new();
    for (at, header) in listing.assertions.iter().enumerate() {
        let (clause, _) = said(header, &listing.assertions, spelled);
        let is_taken = |old: &AssertionHeader| {
            let place = (&old.entry, old.line, old.number);
            held.iter().any(|it| (&it.entry, it.line, it.number) == place)
        };
        let results = before.run.results.iter().zip(&before.is_alone);
        let found = before.headers.iter().zip(results).find(|(old, (report, is_alone))| {
            // One that held only because another one stops runs before it says nothing where that one may be gone.
            **is_alone
                && old.entry == header.entry
                && old.function == header.function
                && old.entry == old.function
                && report.assertion == clause
                && report.outcome == OutcomeWord::Holds
                && old.kind == AssertionKind::Assertion
                && !is_taken(old)
        });
        if let Some((old, _)) = found {
            held.push(Held { at, entry: old.entry.clone(), line: old.line, number: old.number });
        }
    }
    held
}

impl Plan {
    fn settled(&self, listing: &Listing) -> Vec<Option<Answer>> {
        match listing.pairs.len() == self.settled.len() {
            true => self.settled.clone(),
            false => vec![None; listing.pairs.len()],
        }
    }

    /// All answers, if each is known.
    fn all_settled(&self) -> Option<Vec<Answer>> {
        self.settled.iter().cloned().collect()
    }

    /// Whether nothing new is found out of an assertion.
    fn is_known(&self, at: usize) -> bool {
        self.settled.get(at).is_some_and(Option::is_some)
    }

    /// Whether an outcome follows from others.
    fn is_implied(&self, at: usize) -> bool {
        self.implied.contains(&at)
    }

    fn is_inherited(&self, at: usize) -> bool {
        self.inherited.get(at).copied().unwrap_or(false)
    }
}

/// An outcome in the words of the user's sources.
fn report(
    header: &AssertionHeader,
    answer: Answer,
    (assertion, kind): &(String, &str),
    inherited: bool,
    is_implied: bool,
) -> AssertionReport {
    let mut report = unplaced(answer);
    report.function.clone_from(&header.function);
    report.entry.clone_from(&header.entry);
    report.file.clone_from(&header.file);
    report.line = header.line;
    report.assertion.clone_from(assertion);
    report.kind = (*kind).to_owned();
    report.inherited = inherited;
    if inherited && !is_implied && report.outcome != OutcomeWord::Fails {
        // The work was done before.
        report.statistics = report::StatisticsReport::default();
    }
    report
}

/// An assertion in code that was not read.
fn not_read(file: &str, line: u32, (clause, kind): (String, &str)) -> AssertionReport {
    let header = report::PairHeader {
        function: "code that was not read".to_owned(),
        renamed_from: None,
        language: Language::Java.name().to_owned(),
        places: report::Versions::default(),
    };
    let why =
        "it stands in no code that was read: what is around it is not supported, or never runs".to_owned();
    let config =
        report::ReportedConfig { numbers: String::new(), exceptions: String::new(), strategy: String::new() };
    let mut report = unplaced(Answer::only(header.unknown(vec![ReasonReport::because(why)], config, 0.0)));
    file.clone_into(&mut report.file);
    (report.line, report.assertion, report.kind) = (line, clause, kind.to_owned());
    report
}

/// Says that an outcome was known before, and cost nothing now.
fn inherit(report: &mut AssertionReport) {
    report.inherited = true;
    report.statistics = report::StatisticsReport::default();
    report.states = 0;
}

/// The clause, and what it is.
pub(crate) fn said(
    header: &AssertionHeader,
    all: &[AssertionHeader],
    spelled: &BTreeMap<String, Spelled>,
) -> (String, &'static str) {
    match &header.kind {
        AssertionKind::NoError(error) => return (format!("no {error}"), "error"),
        AssertionKind::Ensures => {
            let clause = header.clause.clone().unwrap_or_default();
            let is_invariant = spelled.get(&header.file).is_some_and(|it| it.invariants.contains(&clause));
            return (clause, if is_invariant { "invariant" } else { "ensures" });
        }
        AssertionKind::Assertion => {}
    }
    let Some(spelled) = spelled.get(&header.file) else { return (String::new(), "assert") };
    let on_line: Vec<_> = spelled.written.iter().filter(|written| written.line == header.line).collect();
    let is_beside = |other: &&AssertionHeader| {
        other.kind == AssertionKind::Assertion
            && (&other.file, other.line, &other.entry) == (&header.file, header.line, &header.entry)
    };
    // Macros make others, which cannot be told from those that are written.
    match on_line.get(header.number).filter(|_| all.iter().filter(is_beside).count() == on_line.len()) {
        Some(written) => {
            let kind = match written.kind {
                WrittenKind::Statement => "assert",
                WrittenKind::Annotation => "annotation",
                WrittenKind::LoopInvariant => "loop_invariant",
                WrittenKind::ClassInvariant => "invariant",
                WrittenKind::Check => "check",
            };
            (written.clause.clone(), kind)
        }
        None => {
            let line = spelled.text.lines().nth(header.line as usize - 1).unwrap_or_default();
            (line.trim().to_owned(), "macro")
        }
    }
}

/// An outcome without its place.
fn unplaced(answer: Answer) -> AssertionReport {
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
        states: found.states,
    }
}

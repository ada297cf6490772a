//! The store of the command: where it is, what is taken from it, and what is put there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use report::VerdictWord;
use report::assertions::AssertionRun;
use serde::{Deserialize, Serialize};
use store::{Record, Store};

use crate::options::{PathStrategy, RunWanted};
use crate::wire::{Answer, AssertionHeader};

/// The store, if there is one. What cannot be read or written costs time, and is a note.
pub(crate) struct Keeping {
    store: Option<Store>,
    notes: Vec<String>,
}

/// What a store knows of an assertion.
pub(crate) enum Kept {
    /// The outcome, which still holds.
    Outcome(Box<Answer>),
    /// An input that violates it: it is run again, since lines may have moved.
    Violation(Box<Answer>),
}

/// All that was found out about a version: a version of the same text, with the same options, has the same.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptVersion {
    pub(crate) run: AssertionRun,
    pub(crate) headers: Vec<AssertionHeader>,
    pub(crate) inputs: Vec<Option<RunWanted>>,
    pub(crate) is_alone: Vec<bool>,
}

impl Keeping {
    /// Opens the store at a path, or the usual one.
    pub(crate) fn open(path: Option<&Path>) -> Result<Keeping, String> {
        let nothing = |notes| Keeping { store: None, notes };
        let path = match path {
            Some(path) if path == Path::new("off") => return Ok(nothing(Vec::new())),
            Some(path) => path.to_owned(),
            None => match usual_place() {
                Some(place) => place,
                None => return Ok(nothing(vec!["there is no cache folder; nothing is kept".to_owned()])),
            },
        };
        match Store::open(&path) {
            Ok(store) => Ok(Keeping { store: Some(store), notes: Vec::new() }),
            Err(error) => Err(error.to_string()),
        }
    }

    /// One that keeps nothing.
    pub(crate) fn nothing() -> Keeping {
        Keeping { store: None, notes: Vec::new() }
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// What is known of an assertion.
    pub(crate) fn find(&mut self, header: &AssertionHeader, strategy: PathStrategy) -> Option<Kept> {
        let store = self.store.as_ref()?;
        let [alone, exact] = [&header.keys.alone, &header.keys.exact];
        for key in [alone.clone(), exact.clone(), format!("{exact}-{strategy:?}")] {
            let record = match store.get(&key) {
                Ok(Some(record)) => record,
                Ok(None) => continue,
                Err(error) => {
                    self.notes.push(error.to_string());
                    return None;
                }
            };
            // What is under the first key holds whatever other assertions do.
            let Ok(answer) = serde_json::from_str::<Answer>(&record.answer) else { continue };
            return Some(match answer.report.verdict {
                VerdictWord::Different => Kept::Violation(Box::new(answer)),
                VerdictWord::Equivalent | VerdictWord::Unknown => Kept::Outcome(Box::new(answer)),
            });
        }
        None
    }

    /// What is known of a whole version.
    pub(crate) fn version(&self, key: &str) -> Option<KeptVersion> {
        let answer = self.store.as_ref()?.version(key).ok()??;
        serde_json::from_str(&answer).ok()
    }

    /// Keeps all that was found out about a version, unless some of it was cut short.
    pub(crate) fn keep_version(&mut self, key: &str, found: &KeptVersion) {
        let is_cut_short = found.run.results.iter().any(|it| is_cut_short(&it.reasons));
        let Some(store) = self.store.as_mut().filter(|_| !is_cut_short && !found.run.is_broken) else {
            return;
        };
        let answer = serde_json::to_string(found).expect("outcomes should be plain data");
        if let Err(error) = store.put_version(key, &answer) {
            self.notes.push(format!("outcomes could not be kept: {error}"));
        }
    }

    /// Whether there is a store at all.
    pub(crate) fn is_open(&self) -> bool {
        self.store.is_some()
    }

    /// Keeps outcomes that were found just now.
    pub(crate) fn keep(&mut self, found: &[(&AssertionHeader, String, &Answer)], strategy: PathStrategy) {
        let Some(store) = &mut self.store else { return };
        let mut records = Vec::new();
        for (header, clause, answer) in found {
            let is_cut_short = is_cut_short(&answer.report.reasons);
            let Some(assertion) = answer.assertion.as_ref().filter(|_| !is_cut_short) else { continue };
            let mut answer: Answer = (*answer).clone();
            answer.replay = None;
            let key = match answer.report.verdict {
                // Another strategy may find more.
                VerdictWord::Unknown => format!("{}-{strategy:?}", header.keys.exact),
                _ if assertion.is_alone => header.keys.alone.clone(),
                _ => header.keys.exact.clone(),
            };
            let statistics = answer.report.statistics;
            let outcome = match answer.report.verdict {
                VerdictWord::Equivalent => "holds",
                VerdictWord::Different => "fails",
                VerdictWord::Unknown => "unknown",
            };
            let now = store::now();
            records.push(Record {
                key,
                outcome: outcome.to_owned(),
                function: header.entry.clone(),
                file: header.file.clone(),
                line: header.line,
                clause: clause.clone(),
                code: header.code.clone(),
                answer: serde_json::to_string(&answer).expect("answers should be plain data"),
                solver_calls: u64::from(statistics.solver_calls),
                steps: statistics.steps,
                seconds: statistics.seconds,
                made: now,
                used: now,
            });
        }
        if let Err(error) = store.put(&records) {
            self.notes.push(format!("outcomes could not be kept: {error}"));
        }
    }
}

/// Whether an outcome depends on the clock, or on a bug of ours: it is not worth keeping.
fn is_cut_short(reasons: &[report::ReasonReport]) -> bool {
    reasons
        .iter()
        .any(|reason| reason.breakdown.is_some() || reason.is_contradiction || reason.text.contains("time"))
}

/// The usual place: in the user's cache folder.
pub(crate) fn usual_place() -> Option<PathBuf> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = given("XDG_CACHE_HOME").or_else(|| Some(given("HOME")?.join(".cache")))?;
    let folder = cache.join("selfsame");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("assertions.sqlite"))
}

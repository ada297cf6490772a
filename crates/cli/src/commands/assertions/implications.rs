//! Property differencing where the code did not change: the clauses that follow from those that held before.
//!
//! Each is a procedure of its own, added to the new version, with the variables of the clauses as parameters:
//!
//! ```text
//! static void selfsame_implies_3(int a, int b) {
//!     boolean p = true;
//!     try { p = a > 5; } catch (Throwable t) { p = true; }
//!     if (p) assert a > 0;
//! }
//! ```
//!
//! If its assertion holds for all values of the variables, it holds at the place where the old clauses held. Where those
//! cannot be evaluated nothing is known of them, and the new clause has to hold all the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use ir::Language;
use properties::Spelled;
use report::VerdictWord;
use report::assertions::OutcomeWord;

use super::version::{CheckedVersion, Checking, SpelledVersion, read, said};
use crate::job::Job;
use crate::supervise;
use crate::wire::{Answer, AssertionHeader, AssertionKind, Listing};

/// The steps that one of these questions may take.
const EFFORT: u64 = 1_000_000;
/// How the names of these procedures begin.
const PREFIX: &str = "selfsame_implies_";

/// A text to be put after a place of a file; after its end if there is no place.
pub(crate) struct Added {
    pub(super) place: Option<(u32, u32)>,
    pub(super) text: String,
}

/// A text with more in it. Lines stay where they are.
pub(crate) fn insert(text: &str, added: &[Added]) -> String {
    let mut at: Vec<(usize, &str)> = added
        .iter()
        .map(|it| (it.place.map_or(text.len(), |place| offset(text, place)), it.text.as_str()))
        .collect();
    at.sort_by_key(|(offset, _)| *offset);
    let mut changed = String::new();
    let mut done = 0;
    for (offset, more) in at {
        changed.push_str(&text[done..offset]);
        changed.push_str(more);
        done = offset;
    }
    changed + &text[done..]
}

fn offset(text: &str, (line, column): (u32, u32)) -> usize {
    let before: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let rest = &text[before..];
    before + rest.char_indices().nth(column as usize - 1).map_or(rest.len(), |(at, _)| at)
}

/// The clauses of the new version that follow from those of the old one, by their place in the listing.
pub(super) fn implied(
    checking: &Checking<'_>,
    listing: &Listing,
    open: &[usize],
    spelled: &BTreeMap<String, Spelled>,
    path: &Path,
    before: &CheckedVersion,
) -> BTreeMap<usize, Answer> {
    let mut added: BTreeMap<String, Vec<Added>> = BTreeMap::new();
    for &at in open {
        let header = &listing.assertions[at];
        let language = listing.pairs[at].language.as_str();
        let Some(language) = Language::named(language) else { continue };
        let (clause, _) = said(header, &listing.assertions, spelled);
        let Some(premises) = premises(header, before) else { continue };
        // What may be undefined says nothing where it is.
        let is_total = |text: &str| !text.contains(['*', '[', '/', '%', '(']) && !text.contains("->");
        let implication = Implication {
            language,
            number: at,
            variables: &header.variables,
            has_receiver: header.has_receiver,
            premises: &premises,
            clause: &clause,
            is_total: premises.iter().all(|it| is_total(it)) && header.file.ends_with(".c"),
        };
        let Some(text) = implication.procedure() else { continue };
        let place = (language == Language::Java).then_some(header.end);
        added.entry(header.file.clone()).or_default().push(Added { place, text });
    }
    ask(checking, path, &added)
}

/// Asks whether clauses follow from others, by procedures that are added to a version. Those that do, by their numbers.
pub(super) fn ask(
    checking: &Checking<'_>,
    path: &Path,
    added: &BTreeMap<String, Vec<Added>>,
) -> BTreeMap<usize, Answer> {
    let mut implied = BTreeMap::new();
    if added.is_empty() {
        return implied;
    }
    let options = checking.options_with(|it| {
        it.prefix = Some(PREFIX.to_owned());
        it.known.clear();
        it.errors = false;
    });
    // Where it is not found soon, checking the clause itself is the better way.
    let effort = options.effort.min(EFFORT);
    let options = crate::options::Options { function: None, effort, ..options };
    let Ok(SpelledVersion { gathered, .. }) = read(path, &options, added) else { return implied };
    let job = Job { units: gathered.units, options };
    let Ok(found) = supervise::run(&job, checking.machine(), Instant::now(), &|_, _| {}) else {
        return implied;
    };
    for (header, mut answer) in found.listing.assertions.iter().zip(found.answers) {
        let name = header.function.split('(').next().unwrap_or_default();
        let name = name.rsplit('.').next().unwrap_or_default();
        let Some(number) = name.strip_prefix(PREFIX).and_then(|it| it.parse().ok()) else { continue };
        if answer.report.verdict == VerdictWord::Equivalent {
            answer.report.strategy = "implied".to_owned();
            let known = answer.assertion.get_or_insert_default();
            known.is_alone = true;
            known.is_reached = None;
            implied.insert(number, answer);
        }
    }
    implied
}

/// The clauses that held at the same place whatever others do, if the code around is the same.
fn premises(header: &AssertionHeader, before: &CheckedVersion) -> Option<Vec<String>> {
    if header.kind != AssertionKind::Assertion {
        return None;
    }
    let mut found = Vec::new();
    for (at, old) in before.headers.iter().enumerate() {
        let report = &before.run.results[at];
        let is_there = old.kind == AssertionKind::Assertion
            && old.entry == header.entry
            && old.function == header.function
            && old.keys.code == header.keys.code
            && old.place == header.place;
        // One that held only because another one stops runs before it says nothing where that one may be gone.
        if is_there && report.outcome == OutcomeWord::Holds && report.kind != "macro" && before.is_alone[at] {
            found.push(report.assertion.clone());
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The question whether a clause follows from others, for all values of the variables.
pub(super) struct Implication<'a> {
    pub(super) language: Language,
    /// Its number, which tells it from others.
    pub(super) number: usize,
    /// The variables that can be named, with their types; empty where there is no word for these.
    pub(super) variables: &'a [(String, String)],
    pub(super) has_receiver: bool,
    pub(super) premises: &'a [String],
    pub(super) clause: &'a str,
    /// Whether the premises have a value everywhere. Only C asks for that: exceptions can be caught.
    pub(super) is_total: bool,
}

impl Implication<'_> {
    /// The procedure that asks it; none if its variables cannot be named.
    pub(super) fn procedure(&self) -> Option<String> {
        let Implication { number, clause, .. } = self;
        let premise: String = match self.premises {
            [] if self.language == Language::C => "1".to_owned(),
            [] => "true".to_owned(),
            some => some.iter().map(|it| format!("({it})")).collect::<Vec<_>>().join(" && "),
        };
        let both = format!("{premise} {clause}");
        let words = words(&both);
        let mut parameters: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, ty) in self.variables.iter().filter(|(name, _)| words.contains(name.as_str())) {
            // A name may stand for several variables.
            if ty.is_empty() || parameters.insert(name, ty).is_some_and(|other| other != ty) {
                return None;
            }
        }
        let parameters: Vec<String> = parameters.iter().map(|(name, ty)| format!("{ty} {name}")).collect();
        let parameters = parameters.join(", ");
        match self.language {
            Language::Java => {
                let modifier = if self.has_receiver { "" } else { "static " };
                Some(format!(
                    " {modifier}void {PREFIX}{number}({parameters}) {{ boolean selfsame_p = true; try {{ selfsame_p \
                     = {premise}; }} catch (Throwable selfsame_t) {{ selfsame_p = true; }} if (selfsame_p) {{ \
                     assert {clause}; }} }}"
                ))
            }
            Language::C => {
                let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters };
                self.is_total.then(|| {
                    format!(
                        "\nvoid {PREFIX}{number}({parameters}) {{ if ({premise}) {{ if ({clause}) ; else \
                         __assert_fail(\"\", \"\", 0, \"\"); }} }}\n"
                    )
                })
            }
        }
    }
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$').collect()
}

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
//!
//! The old clauses have to mean the same in the new version: they are put into a procedure of either version, which must
//! have the same normal form, and the code around them must be the same with its names. And they have to end: of a run
//! that never came past them nothing is known.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use ir::{Language, Pair};
use properties::Spelled;
use report::assertions::OutcomeWord;
use report::{StatisticsReport, VerdictWord};

use super::version::{CheckedVersion, Checking, SpelledVersion, read, said};
use crate::job::Job;
use crate::supervise;
use crate::wire::{Answer, AssertionHeader, AssertionKind, Listing};

/// The steps that one of these questions may take.
const EFFORT: u64 = 1_000_000;
/// How the names of these procedures begin.
const PREFIX: &str = "selfsame_implies_";
/// How those begin that only have the old clauses.
const MEANING: &str = "selfsame_premises_";

/// A text to be put after a place of a file.
#[derive(Clone)]
pub(crate) struct Added {
    pub(super) place: (u32, u32),
    pub(super) text: String,
}

/// The end of a file, as a place.
pub(super) const END: (u32, u32) = (u32::MAX, 1);

/// A text with more in it. Lines stay where they are.
pub(crate) fn insert(text: &str, added: &[Added]) -> String {
    let mut at: Vec<(usize, &str)> =
        added.iter().map(|it| (offset(text, it.place), it.text.as_str())).collect();
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
) -> Implied {
    let mut candidates: BTreeMap<usize, Candidate> = BTreeMap::new();
    for &at in open {
        let header = &listing.assertions[at];
        let language = listing.pairs[at].language.as_str();
        let Some(language) = Language::named(language) else { continue };
        let (clause, _) = said(header, &listing.assertions, spelled);
        let Some(premises) = premises(header, before) else { continue };
        let places = Pair::new(
            place_of(language, premises.header, &before.spelled),
            place_of(language, header, spelled),
        );
        let (Some(old_place), Some(new_place)) = (places.old, places.new) else { continue };
        // What may be undefined says nothing where it is.
        let is_total = |text: &str| !text.contains(['*', '[', '/', '%', '(']) && !text.contains("->");
        let implication = Implication {
            language,
            number: at,
            variables: &header.variables,
            has_receiver: header.has_receiver,
            premises: &premises.texts,
            clause: &clause,
            is_total: premises.texts.iter().all(|it| is_total(it)) && header.file.ends_with(".c"),
        };
        let (Some(text), Some(meaning)) = (implication.procedure(), implication.premises_alone()) else {
            continue;
        };
        let old = (premises.header.file.clone(), Added { place: old_place, text: meaning.clone() });
        let meaning = (header.file.clone(), Added { place: new_place, text: meaning });
        let asked = (header.file.clone(), Added { place: new_place, text });
        candidates.insert(at, Candidate { old, meaning, asked });
    }
    if candidates.is_empty() {
        return Implied::default();
    }
    let by_file = |which: &dyn Fn(&Candidate) -> &(String, Added)| {
        let mut added: BTreeMap<String, Vec<Added>> = BTreeMap::new();
        for (file, text) in candidates.values().map(which) {
            added.entry(file.clone()).or_default().push(text.clone());
        }
        added
    };
    let old = meanings(checking, &before.path, &by_file(&|it| &it.old));
    let new = meanings(checking, path, &by_file(&|it| &it.meaning));
    candidates.retain(|at, _| old.contains_key(at) && old.get(at) == new.get(at));
    let mut added: BTreeMap<String, Vec<Added>> = BTreeMap::new();
    for (file, text) in candidates.into_values().map(|it| it.asked) {
        added.entry(file).or_default().push(text);
    }
    ask(checking, path, &added)
}

/// A clause that may follow, with what is put into which file: the old clauses alone, into both versions, and the question.
struct Candidate {
    old: (String, Added),
    meaning: (String, Added),
    asked: (String, Added),
}

/// Where a procedure can be put so that words mean the same as at an assertion, if anywhere.
fn place_of(
    language: Language,
    header: &AssertionHeader,
    spelled: &BTreeMap<String, Spelled>,
) -> Option<(u32, u32)> {
    if language == Language::Java {
        return Some(header.end);
    }
    // After the function, if no directive in between changes what macros are.
    let text = &spelled.get(&header.file)?.text;
    let lines: Vec<&str> = text.lines().collect();
    let (from, to) = (header.line as usize, header.end.0 as usize);
    let between = lines.get(from..to)?;
    let is_directive = |line: &&&str| line.trim_start().starts_with(['#', '%', '?']);
    let last = between.last()?;
    (last.trim() == "}" && !between.iter().any(|line| is_directive(&line)))
        .then(|| (header.end.0, last.chars().count() as u32 + 1))
}

/// What the old clauses mean in a version, as numbers of their normal forms; only of those that surely end.
fn meanings(
    checking: &Checking<'_>,
    path: &Path,
    added: &BTreeMap<String, Vec<Added>>,
) -> BTreeMap<usize, Vec<String>> {
    let options = checking.options_with(|it| {
        it.prefix = Some(MEANING.to_owned());
        it.known.clear();
        it.errors = false;
    });
    let options = crate::options::Options { function: None, ..options };
    let Ok(SpelledVersion { gathered, .. }) = read(path, &options, added) else { return BTreeMap::new() };
    let Ok(listing) = checking.list_with(&gathered.units, options) else { return BTreeMap::new() };
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut endless = BTreeSet::new();
    for header in &listing.assertions {
        let Some(number) = number_after(MEANING, &header.function) else { continue };
        found.entry(number).or_default().push(header.keys.alone.clone());
        if !header.ends {
            endless.insert(number);
        }
    }
    found.retain(|number, _| !endless.contains(number));
    found
}

/// The number in the name of a procedure that was added.
fn number_after(prefix: &str, name: &str) -> Option<usize> {
    let name = name.split('(').next().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or_default();
    name.strip_prefix(prefix).and_then(|it| it.parse().ok())
}

/// What follows, and what was spent on the rest, by the numbers of the clauses.
#[derive(Default)]
pub(super) struct Implied {
    pub(super) answers: BTreeMap<usize, Answer>,
    pub(super) spent: Vec<(usize, StatisticsReport)>,
}

/// Asks whether clauses follow from others, by procedures that are added to a version. Those that do, by their numbers.
pub(super) fn ask(checking: &Checking<'_>, path: &Path, added: &BTreeMap<String, Vec<Added>>) -> Implied {
    let mut implied = Implied::default();
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
        let Some(number) = number_after(PREFIX, &header.function) else { continue };
        if answer.report.verdict == VerdictWord::Equivalent {
            answer.report.strategy = "implied".to_owned();
            let known = answer.assertion.get_or_insert_default();
            known.is_alone = true;
            known.is_reached = None;
            implied.answers.insert(number, answer);
        } else {
            implied.spent.push((number, answer.report.statistics));
        }
    }
    implied
}

/// Clauses that held, with one of them.
struct Premises<'a> {
    header: &'a AssertionHeader,
    texts: Vec<String>,
}

/// The clauses that held at the same place whatever others do, if the code around is the same, with its names.
fn premises<'a>(header: &AssertionHeader, before: &'a CheckedVersion) -> Option<Premises<'a>> {
    if header.kind != AssertionKind::Assertion {
        return None;
    }
    let mut found: Option<Premises<'a>> = None;
    for (at, old) in before.headers.iter().enumerate() {
        let report = &before.run.results[at];
        let is_there = old.kind == AssertionKind::Assertion
            && old.entry == header.entry
            && old.function == header.function
            && old.keys.code == header.keys.code
            && old.keys.names == header.keys.names
            && old.variables == header.variables
            && old.place == header.place;
        // One that held only because another one stops runs before it says nothing where that one may be gone.
        if is_there && report.outcome == OutcomeWord::Holds && report.kind != "macro" && before.is_alone[at] {
            let texts = &mut found.get_or_insert(Premises { header: old, texts: Vec::new() }).texts;
            texts.push(report.assertion.clone());
        }
    }
    found
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
        let premise = self.premise();
        let parameters = self.parameters(&format!("{premise} {clause}"))?;
        match self.language {
            Language::Java => {
                let modifier = self.modifier();
                Some(format!(
                    " {modifier}void {PREFIX}{number}({parameters}) {{ boolean selfsame_p = true; try {{ selfsame_p \
                     = {premise}; }} catch (Throwable selfsame_t) {{ selfsame_p = true; }} if (selfsame_p) {{ \
                     assert {clause}; }} }}"
                ))
            }
            Language::C => self.is_total.then(|| {
                format!(
                    " void {PREFIX}{number}({parameters}) {{ if ({premise}) {{ if ({clause}) ; else \
                     __assert_fail(\"\", \"\", 0, \"\"); }} }}"
                )
            }),
        }
    }

    /// A procedure that asserts the premises.
    fn premises_alone(&self) -> Option<String> {
        let (number, premise) = (self.number, self.premise());
        let parameters = self.parameters(&premise)?;
        Some(match self.language {
            Language::Java => {
                let modifier = self.modifier();
                format!(" {modifier}void {MEANING}{number}({parameters}) {{ assert {premise}; }}")
            }
            Language::C => format!(
                " void {MEANING}{number}({parameters}) {{ if ({premise}) ; else __assert_fail(\"\", \"\", 0, \"\"); \
                 }}"
            ),
        })
    }

    fn premise(&self) -> String {
        match self.premises {
            [] if self.language == Language::C => "1".to_owned(),
            [] => "true".to_owned(),
            some => some.iter().map(|it| format!("({it})")).collect::<Vec<_>>().join(" && "),
        }
    }

    fn modifier(&self) -> &'static str {
        if self.has_receiver { "" } else { "static " }
    }

    /// The variables that a text names, as parameters; none if they cannot be named.
    fn parameters(&self, text: &str) -> Option<String> {
        let words = words(text);
        let mut parameters: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, ty) in self.variables.iter().filter(|(name, _)| words.contains(name.as_str())) {
            // A name may stand for several variables.
            if ty.is_empty() || parameters.insert(name, ty).is_some_and(|other| other != ty) {
                return None;
            }
        }
        let parameters: Vec<String> = parameters.iter().map(|(name, ty)| format!("{ty} {name}")).collect();
        Some(match self.language {
            Language::C if parameters.is_empty() => "void".to_owned(),
            Language::C | Language::Java => parameters.join(", "),
        })
    }
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$').collect()
}

//! Over which indices the loops of a text run, as it is written.
//!
//! `for (int i = 0; i < n; i++)` is `0 <= i < n`, `for (int x : a)` is `a[i]` for `0 <= i < a.length`. Nothing rests on this
//! being right: what is said of a range is read again by a front end, and proved.

use std::collections::BTreeMap;

use ir::Language;

use crate::source_atoms::{comparisons, has_effects, substituted};
use crate::words::{Word, closing, is_name, split, text_of, words};

/// The indices of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IndexRange {
    pub(crate) ty: String,
    pub(crate) name: String,
    from: String,
    to: String,
    /// The upper bound counts.
    is_closed: bool,
    /// A variable that is the element at the index, and what that is.
    pub(crate) element: Option<(String, Vec<Word>)>,
}

impl IndexRange {
    /// That all of them have a property.
    pub(crate) fn for_all(&self, language: Language, property: &str) -> String {
        let (ty, name) = (&self.ty, &self.name);
        match language {
            Language::Java => format!("(\\forall {ty} {name}; {}; {property})", self.range(language)),
            Language::C => format!("(\\forall {ty} {name}; {} ==> {property})", self.range(language)),
        }
    }

    /// That one of them has it.
    pub(crate) fn exists(&self, language: Language, property: &str) -> String {
        let (ty, name) = (&self.ty, &self.name);
        match language {
            Language::Java => format!("(\\exists {ty} {name}; {}; {property})", self.range(language)),
            Language::C => format!("(\\exists {ty} {name}; {} && {property})", self.range(language)),
        }
    }

    fn range(&self, language: Language) -> String {
        let IndexRange { name, from, to, .. } = self;
        let sign = if self.is_closed { "<=" } else { "<" };
        match language {
            Language::Java => format!("{from} <= {name} && {name} {sign} {to}"),
            Language::C => format!("{from} <= {name} {sign} {to}"),
        }
    }
}

/// The ranges of all loops that count, with locals that are set once replaced by what they are set to.
pub(crate) fn index_ranges(
    all: &[Word],
    locals: &BTreeMap<String, Vec<Word>>,
    language: Language,
) -> Vec<IndexRange> {
    let mut found: Vec<IndexRange> = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let is_for = word.text == "for";
        let Some(end) = closing(all, at + 1).filter(|_| is_for || word.text == "while") else { continue };
        let inside = &all[at + 2..end];
        let range = match (is_for, split(inside, &[";"]).as_slice()) {
            (true, [start, test, step]) => counted(start, test, step, all, language),
            (true, [only]) if language == Language::Java => each(only, all),
            (false, [test]) => from_before(test, &all[..at], all, language),
            _ => None,
        };
        let Some(mut range) = range else { continue };
        for bound in [&mut range.from, &mut range.to] {
            *bound = text_of(&substituted(&words(bound), locals));
            // These bind less than a comparison does.
            if bound.contains(['&', '|', '^', '=', '<', '>']) && !bound.contains("->") {
                *bound = format!("({bound})");
            }
        }
        let mentions = |text: &str| words(text).iter().any(|word| word.text == range.name);
        if !mentions(&range.from) && !mentions(&range.to) && !found.contains(&range) {
            found.push(range);
        }
    }
    found
}

/// `for (int i = 0; i < n; i++)`, or downwards.
fn counted(
    start: &[Word],
    test: &[Word],
    step: &[Word],
    all: &[Word],
    language: Language,
) -> Option<IndexRange> {
    for assigned in split(start, &[","]) {
        let Some(at) = assigned.iter().position(|word| word.text == "=") else { continue };
        let (Some(name), value) = (at.checked_sub(1).map(|at| &assigned[at]), &assigned[at + 1..]) else {
            continue;
        };
        if let Some(range) = range(&name.text, value, test, step, all, language) {
            return Some(range);
        }
    }
    None
}

/// `int i = 0; while (i < n)`.
fn from_before(test: &[Word], before: &[Word], all: &[Word], language: Language) -> Option<IndexRange> {
    let names = test.iter().filter(|word| is_name(&word.text));
    for name in names {
        let assigned = before.windows(2).rposition(|two| two[0].text == name.text && two[1].text == "=");
        let Some(at) = assigned else { continue };
        let value = split(&before[at + 2..], &[";", ","])[0];
        // Its steps are somewhere in the loop.
        if let Some(range) = range(&name.text, value, test, all, all, language) {
            return Some(range);
        }
    }
    None
}

fn range(
    name: &str,
    value: &[Word],
    test: &[Word],
    step: &[Word],
    all: &[Word],
    language: Language,
) -> Option<IndexRange> {
    let is_it = |words: &[Word]| matches!(words, [only] if only.text == name);
    let steps = |signs: [&str; 2]| {
        step.windows(2).any(|two| {
            is_it(&two[..1]) && signs.contains(&two[1].text.as_str())
                || is_it(&two[1..]) && two[0].text == signs[0]
        })
    };
    if value.is_empty() || has_effects(value) {
        return None;
    }
    for part in split(test, &["&&"]) {
        let Some(comparison) = comparisons(part).into_iter().next() else { continue };
        let signs = ["<", "<=", ">", ">=", "!="];
        let Some(at) = comparison.iter().position(|word| signs.contains(&word.text.as_str())) else {
            continue;
        };
        let (left, right) = (&comparison[..at], &comparison[at + 1..]);
        let (other, sign) = match (is_it(left), is_it(right)) {
            (true, false) => (right, comparison[at].text.as_str()),
            (false, true) => (left, turned(&comparison[at].text)),
            _ => continue,
        };
        if has_effects(other) {
            continue;
        }
        let (value, other) = (text_of(value), text_of(other));
        let (from, to, is_closed) = match sign {
            "<" | "<=" | "!=" if steps(["++", "+="]) => (value, other, sign == "<="),
            ">=" | ">" if steps(["--", "-="]) => {
                let from = if sign == ">=" { other } else { format!("{other} + 1") };
                match value.strip_suffix(" - 1") {
                    Some(end) => (from, end.to_owned(), false),
                    None => (from, value, true),
                }
            }
            _ => continue,
        };
        let from = if from == "-1 + 1" { "0".to_owned() } else { from };
        let ty = type_of(name, all, language);
        return Some(IndexRange { ty, name: name.to_owned(), from, to, is_closed, element: None });
    }
    None
}

fn turned(sign: &str) -> &str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}

/// `for (int x : a)`, with an index that the text does not name.
fn each(head: &[Word], all: &[Word]) -> Option<IndexRange> {
    let [declared, array] = split(head, &[":"])[..] else { return None };
    let element = declared.last().filter(|word| is_name(&word.text))?;
    let is_place = array.iter().all(|word| is_name(&word.text) || word.text == ".");
    let name = ["i", "j", "k"].into_iter().find(|name| !all.iter().any(|word| word.text == *name))?;
    if array.is_empty() || !is_place {
        return None;
    }
    let array_text = text_of(array);
    Some(IndexRange {
        ty: "int".to_owned(),
        name: name.to_owned(),
        from: "0".to_owned(),
        to: format!("{array_text}.length"),
        is_closed: false,
        element: Some((element.text.clone(), words(&format!("{array_text}[{name}]")))),
    })
}

/// The type of a whole number by its declaration.
fn type_of(name: &str, all: &[Word], language: Language) -> String {
    let types: &[&str] = match language {
        Language::Java => &["int", "long"],
        Language::C => &["int", "long", "short", "size_t", "unsigned"],
    };
    let declared = all.windows(2).find_map(|two| {
        types.iter().find(|ty| two[0].text == **ty && two[1].text == name).map(|ty| (*ty).to_owned())
    });
    declared.unwrap_or_else(|| "int".to_owned())
}

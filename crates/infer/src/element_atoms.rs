//! Atoms about all elements that a loop comes to: `(\forall int i; 0 <= i && i < n; a[i] >= 0)`.
//!
//! They are the conditions of the sources that name the index of a loop, for all indices of its range. Nothing rests on
//! this being right: an atom is read by a front end, and a condition made of it is proved.

use std::collections::{BTreeMap, BTreeSet};

use ir::Language;

use crate::atom::Atom;
use crate::index_ranges::{IndexRange, index_ranges};
use crate::source_atoms::{
    SourceProcedure, declared_locals, has_effects, locals_set_once, negation, source_atoms, substituted,
    tests,
};
use crate::words::{Word, closing, is_name, split, text_of, words};

/// Longer properties tell a reader nothing.
const LONGEST: usize = 70;
/// What is written is chosen before what may be.
const COST_OF_SOURCE: u32 = 14;
const COST_OF_TEMPLATE: u32 = 18;

/// The atoms about elements in the text of a procedure and of those that it calls.
pub fn element_atoms(
    procedure: &SourceProcedure,
    others: &[SourceProcedure],
    language: Language,
    has_floats: bool,
) -> Vec<Atom> {
    let all = words(&procedure.text);
    let locals = locals_set_once(&all, &procedure.parameters);
    let mut written: Vec<Vec<Word>> =
        source_atoms(procedure, others).iter().map(|text| words(text)).collect();
    let joined = |test: &Vec<Word>| split(test, &["&&", "||"]).len() > 1;
    written.extend(tests(&all).into_iter().filter(joined).map(|test| substituted(&test, &locals)));
    let mut found = Vec::new();
    for range in index_ranges(&all, &locals, language) {
        // A local that is set to an element is this element, at first.
        let mentions = |value: &[Word]| value.iter().any(|word| word.text == range.name);
        let first = declared_locals(&all, &procedure.parameters).0.into_iter();
        let first = first.filter(|(name, value)| *name != range.name && mentions(value));
        let of_element: BTreeMap<String, Vec<Word>> = first.chain(range.element.clone()).collect();
        let properties = written.iter().map(|atom| substituted(atom, &of_element));
        let properties = properties.filter(|atom| is_of_element(atom, &range)).map(|atom| text_of(&atom));
        add(&range, properties, COST_OF_SOURCE, language, has_floats, &mut found);
        let templates = elements(&all, &range)
            .into_iter()
            .flat_map(|element| ["< 0", "> 0", "== 0"].map(|what| format!("{element} {what}")));
        add(&range, templates, COST_OF_TEMPLATE, language, has_floats, &mut found);
    }
    found
}

/// Adds that all have a property, and that none has it.
fn add(
    range: &IndexRange,
    properties: impl Iterator<Item = String>,
    cost: u32,
    language: Language,
    has_floats: bool,
    found: &mut Vec<Atom>,
) {
    let known: BTreeSet<String> = found.iter().map(|atom| atom.text.clone()).collect();
    for property in properties.filter(|property| property.len() <= LONGEST) {
        let opposite = negation(&property, has_floats);
        for (all, one) in [(&opposite, &property), (&property, &opposite)] {
            let atom = Atom {
                text: range.for_all(language, &grouped(all)),
                negation: range.exists(language, &grouped(one)),
                cost: cost + (property.len() / 12) as u32,
            };
            if !known.contains(&atom.text) && !found.contains(&atom) {
                found.push(atom);
            }
        }
    }
}

/// A property that stands beside operators.
fn grouped(property: &str) -> String {
    let is_negated =
        property.starts_with("!(") && closing(&words(property), 1) == Some(words(property).len() - 1);
    match !is_negated && (property.contains("&&") || property.contains("||")) {
        true => format!("({property})"),
        false => property.to_owned(),
    }
}

/// Whether some words name the index in a place or in a call.
fn is_of_element(atom: &[Word], range: &IndexRange) -> bool {
    let is_index = |at: usize| {
        let is_member = at > 0 && matches!(atom[at - 1].text.as_str(), "." | "->");
        atom[at].text == range.name && !is_member
    };
    let mut depth = 0_i32;
    let mut is_inside = false;
    for (at, word) in atom.iter().enumerate() {
        match word.text.as_str() {
            "[" => depth += 1,
            "(" if at > 0 && (is_name(&atom[at - 1].text) || atom[at - 1].text == "*") => depth += 1,
            "]" | ")" => depth -= 1,
            _ => is_inside |= depth > 0 && is_index(at),
        }
    }
    is_inside && !has_effects(atom)
}

/// The places `a[i]` in a text, `i` being the index of a loop; an element that has a name is one.
fn elements(all: &[Word], range: &IndexRange) -> Vec<String> {
    let mut found: Vec<String> = range.element.iter().map(|(_, element)| text_of(element)).collect();
    for at in 1..all.len().saturating_sub(2) {
        let Some(end) = closing(all, at).filter(|_| all[at].text == "[" && is_name(&all[at - 1].text)) else {
            continue;
        };
        let is_plain = at < 2 || !matches!(all[at - 2].text.as_str(), "." | "->" | "new");
        let index = &all[at + 1..end];
        let names_it = index.iter().any(|word| word.text == range.name) && !has_effects(index);
        let element = text_of(&[&all[at - 1..at], &all[at..=end]].concat());
        if is_plain && names_it && !found.contains(&element) {
            found.push(element);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(language: Language, parameters: &[&str], text: &str) -> Vec<String> {
        let parameters = parameters.iter().map(|&name| name.to_owned()).collect();
        let procedure = SourceProcedure { name: "f".to_owned(), parameters, text: text.to_owned() };
        let atoms = element_atoms(&procedure, &[], language, false);
        atoms.into_iter().filter(|atom| atom.cost < COST_OF_TEMPLATE).map(|atom| atom.text).collect()
    }

    #[test]
    fn conditions_on_elements_are_asked_of_all_indices() {
        let text = "int f(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) { int x = a[i]; if (x < 0) x = 0; \
                    s += x; } return s; }";
        let found = texts(Language::Java, &["a"], text);
        assert_eq!(
            found[0], "(\\forall int i; 0 <= i && i < a.length; a[i] >= 0)",
            "x is an element at first"
        );
        let text =
            "int f(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) { if (a[i] < 0) continue; } }";
        assert_eq!(
            texts(Language::Java, &["a"], text),
            [
                "(\\forall int i; 0 <= i && i < a.length; a[i] >= 0)",
                "(\\forall int i; 0 <= i && i < a.length; a[i] < 0)"
            ]
        );
        let text =
            "int f(int *p, int n) { for (size_t k = 1; k <= n; ++k) if (p[k - 1] == 7 && n > 3) return 1; }";
        let found = texts(Language::C, &["p", "n"], text);
        assert_eq!(found[0], "(\\forall size_t k; 1 <= k <= n ==> p[k - 1] != 7)");
        assert_eq!(found[2], "(\\forall size_t k; 1 <= k <= n ==> !(p[k - 1] == 7 && n > 3))");
    }

    #[test]
    fn loops_are_written_in_many_ways() {
        let first =
            |text: &str| texts(Language::Java, &["a", "n"], text).into_iter().next().unwrap_or_default();
        let each =
            "int f(int[] a) { int s = 0; for (int x : a) { if (x == 3) continue; s += x; } return s; }";
        assert_eq!(first(each), "(\\forall int i; 0 <= i && i < a.length; a[i] != 3)");
        let down =
            "int f(int[] a, int n) { for (int i = n - 1; i >= 0; i--) if (a[i] > n) return i; return -1; }";
        assert_eq!(first(down), "(\\forall int i; 0 <= i && i < n; a[i] <= n)");
        let before =
            "int f(int[] a, int n) { int i = 0; while (i < n) { if (a[i] > n) return i; i++; } return -1; }";
        assert_eq!(first(before), "(\\forall int i; 0 <= i && i < n; a[i] <= n)");
        let text = "int f(String s) { for (int i = 0; i < s.length(); i++) if (s.charAt(i) == 'x') return i; return 0; }";
        assert_eq!(first(text), "(\\forall int i; 0 <= i && i < s.length(); s.charAt(i) != 'x')");
        let named =
            "int f(int[] a, int n) { int m = n * 2; for (int i = 0; m > i; i += 1) if (a[i] > 0) return i; }";
        assert_eq!(first(named), "(\\forall int i; 0 <= i && i < n * 2; a[i] <= 0)");
    }

    #[test]
    fn an_index_alone_is_no_element() {
        let text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; s += i; } return s; }";
        assert!(texts(Language::Java, &["n"], text).is_empty());
    }
}

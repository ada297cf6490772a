//! Atoms from the text of the versions: their own conditions, as far as these can be said of the inputs.
//!
//! Comparisons and the tests of branches are taken as they are written. Locals that are set once are replaced by what
//! they are set to, and the parameters of callees by the arguments. Nothing rests on this being right: an atom is an
//! expression that a front end reads again, and a condition made of it is proved.

use std::collections::{BTreeMap, BTreeSet};

use crate::words::{Word, closing, is_name, split, text_of, words};

/// A procedure as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceProcedure {
    /// What calls name it.
    pub name: String,
    pub parameters: Vec<String>,
    pub text: String,
}

/// How deep calls are followed.
const DEPTH: usize = 2;
/// Longer atoms tell a reader nothing.
const LONGEST: usize = 90;

const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const ASSIGNMENTS: [&str; 12] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>="];

/// The atoms in the text of a procedure and of those that it calls, in the words of its inputs.
pub fn source_atoms(procedure: &SourceProcedure, others: &[SourceProcedure]) -> Vec<String> {
    let mut found = Vec::new();
    collect(procedure, others, DEPTH, &mut found);
    let mut seen = BTreeSet::new();
    found.retain(|atom| atom.len() <= LONGEST && seen.insert(atom.clone()));
    found
}

fn collect(procedure: &SourceProcedure, others: &[SourceProcedure], depth: usize, found: &mut Vec<String>) {
    let all = words(&procedure.text);
    let locals = locals_set_once(&all, &procedure.parameters);
    let mut own: Vec<Vec<Word>> = Vec::new();
    for test in tests(&all) {
        own.extend(split(&test, &["&&", "||"]).into_iter().map(|part| stripped(part).to_vec()));
    }
    own.extend(comparisons(&all));
    for atom in own {
        let atom = substituted(&atom, &locals);
        if !atom.is_empty() && !has_effects(&atom) {
            found.push(text_of(&atom));
        }
    }
    if depth == 0 {
        return;
    }
    for (name, arguments) in calls(&all) {
        let callees = others.iter().filter(|it| it.name == name && it.parameters.len() == arguments.len());
        for callee in callees {
            let mut inner = Vec::new();
            collect(callee, others, depth - 1, &mut inner);
            let given: BTreeMap<String, Vec<Word>> =
                callee.parameters.iter().cloned().zip(arguments.iter().cloned()).collect();
            for atom in inner {
                let atom = substituted(&substituted(&words(&atom), &given), &locals);
                if !has_effects(&atom) {
                    found.push(text_of(&atom));
                }
            }
        }
    }
}

/// What branches, loops and `?:` test, and what truth values are returned.
pub(crate) fn tests(all: &[Word]) -> Vec<Vec<Word>> {
    let mut found = Vec::new();
    for (at, word) in all.iter().enumerate() {
        match word.text.as_str() {
            "if" | "while" | "for" | "switch" => {
                let Some(end) = closing(all, at + 1) else { continue };
                let inside = &all[at + 2..end];
                match (word.text.as_str(), split(inside, &[";"]).as_slice()) {
                    ("for", [_, test, _]) => found.push(test.to_vec()),
                    ("for", _) => {}
                    ("switch", _) => found.extend(cases(inside, &all[end..])),
                    _ => found.push(inside.to_vec()),
                }
            }
            "?" => found.push(test_before(all, at).to_vec()),
            "return" => {
                found.extend(Some(operand_after(all, at)).filter(|it| is_truth(it)).map(<[Word]>::to_vec))
            }
            _ => {}
        }
    }
    found
}

/// Whether some words say yes or no, by their operators.
fn is_truth(words: &[Word]) -> bool {
    let says = |word: &Word| {
        COMPARISONS.contains(&word.text.as_str()) || matches!(word.text.as_str(), "&&" | "||" | "!")
    };
    words.iter().any(says) && !words.iter().any(|word| word.text == "?")
}

/// `value == label` for the labels of a switch.
fn cases(value: &[Word], rest: &[Word]) -> Vec<Vec<Word>> {
    let body = match rest.iter().position(|word| word.text == "{") {
        Some(open) => &rest[open..=closing(rest, open).unwrap_or(rest.len() - 1)],
        None => return Vec::new(),
    };
    let mut found = Vec::new();
    for (at, word) in body.iter().enumerate().filter(|(_, word)| word.text == "case") {
        let _ = word;
        let label: Vec<Word> = body[at + 1..]
            .iter()
            .take_while(|it| !matches!(it.text.as_str(), ":" | "->" | ","))
            .cloned()
            .collect();
        found.push(compared(value, "==", &label));
    }
    found
}

/// All comparisons, with their operands.
pub(crate) fn comparisons(all: &[Word]) -> Vec<Vec<Word>> {
    let places = (0..all.len()).filter(|at| COMPARISONS.contains(&all[*at].text.as_str()));
    places.map(|at| compared(operand_before(all, at), &all[at].text, operand_after(all, at))).collect()
}

fn compared(left: &[Word], operator: &str, right: &[Word]) -> Vec<Word> {
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    let mut right = right.to_vec();
    right[0].spaced = true;
    let operator = Word { text: operator.to_owned(), spaced: true };
    [left, &[operator], &right].concat()
}

fn ends_operand(word: &Word) -> bool {
    let text = word.text.as_str();
    ASSIGNMENTS.contains(&text)
        || COMPARISONS.contains(&text)
        || matches!(text, "&&" | "||" | "?" | ":" | ";" | "," | "{" | "}" | "return" | "!" | "case")
        // An arrow between blanks belongs to a switch or a lambda of Java; C writes members without blanks.
        || (text == "->" && word.spaced)
}

fn operand_before(all: &[Word], at: usize) -> &[Word] {
    before(all, at, ends_operand)
}

/// What `?` tests: comparisons and conjunctions belong to it.
fn test_before(all: &[Word], at: usize) -> &[Word] {
    let is_inside = |text: &str| COMPARISONS.contains(&text) || matches!(text, "&&" | "||" | "!");
    before(all, at, |word| ends_operand(word) && !is_inside(&word.text))
}

fn before(all: &[Word], at: usize, ends: impl Fn(&Word) -> bool) -> &[Word] {
    let (mut start, mut depth) = (at, 0_usize);
    while start > 0 {
        match all[start - 1].text.as_str() {
            ")" | "]" => depth += 1,
            "(" | "[" if depth == 0 => break,
            "(" | "[" => depth -= 1,
            _ if depth == 0 && ends(&all[start - 1]) => break,
            _ => {}
        }
        start -= 1;
    }
    &all[start..at]
}

fn operand_after(all: &[Word], at: usize) -> &[Word] {
    let (mut end, mut depth) = (at + 1, 0_usize);
    while end < all.len() {
        match all[end].text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" if depth == 0 => break,
            ")" | "]" => depth -= 1,
            "!" if end == at + 1 => {}
            _ if depth == 0 && all[at].text != "return" && ends_operand(&all[end]) => break,
            ";" if depth == 0 => break,
            _ => {}
        }
        end += 1;
    }
    &all[at + 1..end]
}

/// Without parentheses around all of it, and without a negation before it.
pub(crate) fn stripped(part: &[Word]) -> &[Word] {
    match part {
        [first, rest @ ..] if first.text == "!" && !rest.is_empty() => match rest {
            [name] if is_name(&name.text) => rest,
            [open, ..] if open.text == "(" && closing(rest, 0) == Some(rest.len() - 1) => stripped(rest),
            _ => part,
        },
        [open, inside @ .., _] if open.text == "(" && closing(part, 0) == Some(part.len() - 1) => {
            stripped(inside)
        }
        _ => part,
    }
}

/// The locals that are declared with a value and never set again, with that value.
pub(crate) fn locals_set_once(all: &[Word], parameters: &[String]) -> BTreeMap<String, Vec<Word>> {
    let (mut values, set) = declared_locals(all, parameters);
    values.retain(|name, _| set.get(name) == Some(&1));
    values
}

/// The locals that are declared with a value, with that value, and how often names are set.
pub(crate) fn declared_locals(
    all: &[Word],
    parameters: &[String],
) -> (BTreeMap<String, Vec<Word>>, BTreeMap<String, usize>) {
    let mut values: BTreeMap<String, Vec<Word>> = BTreeMap::new();
    let mut set: BTreeMap<String, usize> = BTreeMap::new();
    for (at, word) in all.iter().enumerate().skip(1).filter(|(_, word)| is_name(&word.text)) {
        let next = all.get(at + 1).map_or("", |word| word.text.as_str());
        let before = all[at - 1].text.as_str();
        let is_changed = matches!(next, "++" | "--") || matches!(before, "++" | "--" | "&");
        if !is_changed && !ASSIGNMENTS.contains(&next) {
            continue;
        }
        *set.entry(word.text.clone()).or_insert(0) += 1;
        let is_declared = next == "=" && (is_name(before) || matches!(before, "]" | ">" | "*" | ","));
        if is_declared && before != "return" {
            values.entry(word.text.clone()).or_insert_with(|| operand_to_end(all, at + 1));
        }
    }
    values.retain(|name, value| !parameters.contains(name) && !value.is_empty() && !has_effects(value));
    (values, set)
}

/// The value that is assigned: up to the end of the declaration.
fn operand_to_end(all: &[Word], at: usize) -> Vec<Word> {
    split(&all[at + 1..], &[";", ","]).first().map(|value| value.to_vec()).unwrap_or_default()
}

/// Replaces names, a few times over; members of other things are no names.
pub(crate) fn substituted(atom: &[Word], values: &BTreeMap<String, Vec<Word>>) -> Vec<Word> {
    let mut atom = atom.to_vec();
    for _ in 0..3 {
        let mut next = Vec::new();
        let mut changed = false;
        for (at, word) in atom.iter().enumerate() {
            let is_member = at > 0 && matches!(atom[at - 1].text.as_str(), "." | "->");
            match values.get(&word.text).filter(|value| !is_member && value.len() < 40) {
                Some(value) => {
                    changed = true;
                    next.extend(replacement(value, word.spaced, atom.len() > 1));
                }
                None => next.push(word.clone()),
            }
        }
        atom = next;
        if !changed || atom.len() > 60 {
            break;
        }
    }
    atom
}

fn replacement(value: &[Word], spaced: bool, is_beside_others: bool) -> Vec<Word> {
    let bracket = |text: &str, spaced| Word { text: text.to_owned(), spaced };
    let mut value = value.to_vec();
    // A name, a member or an element.
    let is_simple = split(&value, &[".", "->"]).into_iter().all(|part| match part {
        [name, rest @ ..] if is_name(&name.text) => {
            rest.is_empty() || rest[0].text == "[" && closing(rest, 0) == Some(rest.len() - 1)
        }
        _ => false,
    });
    if is_simple || !is_beside_others || value.len() == 1 {
        value[0].spaced = spaced;
        return value;
    }
    value[0].spaced = false;
    [vec![bracket("(", spaced)], value, vec![bracket(")", false)]].concat()
}

pub(crate) fn has_effects(words: &[Word]) -> bool {
    let changes = |word: &Word| {
        ASSIGNMENTS.contains(&word.text.as_str())
            || matches!(word.text.as_str(), "++" | "--" | "new" | "{" | ";" | "?")
    };
    words.iter().any(changes)
}

/// The calls in a text: the name, and the words of each argument.
fn calls(all: &[Word]) -> Vec<(String, Vec<Vec<Word>>)> {
    let mut found = Vec::new();
    // The head of the procedure is no call of it.
    let body = all.iter().position(|word| word.text == "{").unwrap_or(0);
    for at in body..all.len().saturating_sub(1) {
        if is_name(&all[at].text)
            && all[at + 1].text == "("
            && let Some(end) = closing(all, at + 1)
        {
            let inside = &all[at + 2..end];
            let arguments = split(inside, &[","]).into_iter().map(<[Word]>::to_vec);
            found.push((
                all[at].text.clone(),
                if inside.is_empty() { Vec::new() } else { arguments.collect() },
            ));
        }
    }
    found
}

/// The negation of an atom. Comparisons are turned round where that means the same: not for floats, which may be NaN.
pub fn negation(atom: &str, has_floats: bool) -> String {
    let all = words(atom);
    let mut depth = 0_i32;
    let mut operators = Vec::new();
    let mut is_weak = false;
    for (at, word) in all.iter().enumerate() {
        match word.text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            text if depth == 0 && COMPARISONS.contains(&text) => operators.push(at),
            "&&" | "||" | "?" | "&" | "|" | "^" if depth == 0 => is_weak = true,
            _ => {}
        }
    }
    let turned = |operator: &str| match operator {
        "==" => Some("!="),
        "!=" => Some("=="),
        "<" if !has_floats => Some(">="),
        "<=" if !has_floats => Some(">"),
        ">" if !has_floats => Some("<="),
        ">=" if !has_floats => Some("<"),
        _ => None,
    };
    if let [at] = operators[..]
        && !is_weak
        && let Some(operator) = turned(&all[at].text)
    {
        let mut all = all;
        all[at].text = operator.to_owned();
        return text_of(&all);
    }
    let is_one = all.len() == 1 || (operators.is_empty() && is_postfix(&all));
    match all.as_slice() {
        [not, rest @ ..] if not.text == "!" && is_postfix(rest) => text_of(rest),
        _ if is_one => format!("!{atom}"),
        _ => format!("!({atom})"),
    }
}

/// Names, members, calls and elements: what a negation binds to as a whole.
fn is_postfix(all: &[Word]) -> bool {
    let mut depth = 0_i32;
    all.first().is_some_and(|word| is_name(&word.text))
        && all.iter().all(|word| {
            match word.text.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "." | "->" => {}
                text => return depth > 0 || is_name(text),
            }
            true
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms(parameters: &[&str], text: &str) -> Vec<String> {
        let parameters = parameters.iter().map(|name| (*name).to_owned()).collect();
        source_atoms(&SourceProcedure { name: "f".to_owned(), parameters, text: text.to_owned() }, &[])
    }

    #[test]
    fn tests_and_comparisons_are_atoms() {
        let found = atoms(
            &["a", "n"],
            "int f(int[] a, int n) { if (n > 0 && !b) return a[0]; return n == 3 ? 1 : 2; }",
        );
        for atom in ["n > 0", "b", "n == 3"] {
            assert!(found.contains(&atom.to_owned()), "{atom} should be in {found:?}");
        }
    }

    #[test]
    fn locals_that_are_set_once_are_replaced() {
        let found = atoms(
            &["x"],
            "int f(Node x) { int op = x.op; int k = 0; k++; if (op == 1 || k > 2) return 1; return 0; }",
        );
        assert!(found.contains(&"x.op == 1".to_owned()), "{found:?}");
        assert!(found.contains(&"k > 2".to_owned()), "{found:?}");
    }

    #[test]
    fn conditions_of_callees_speak_of_arguments() {
        let callee = SourceProcedure {
            name: "g".to_owned(),
            parameters: vec!["m".to_owned()],
            text: "int g(int m) { return m < 10 ? m : 10; }".to_owned(),
        };
        let caller = SourceProcedure {
            name: "f".to_owned(),
            parameters: vec!["n".to_owned()],
            text: "int f(int n) { return g(n + 1); }".to_owned(),
        };
        assert_eq!(source_atoms(&caller, &[callee]), ["(n + 1) < 10"]);
    }

    #[test]
    fn members_of_c_are_parts_of_operands() {
        let found = atoms(&["p"], "int f(struct s *p) { return p->kind == 2 ? p->size + 1 : p->size; }");
        assert_eq!(found, ["p->kind == 2"]);
    }

    #[test]
    fn labels_of_a_switch_are_comparisons() {
        let found =
            atoms(&["n"], "int f(int n) { switch (n) { case 1: return 2; case 'x': return 3; } return 0; }");
        assert!(found.contains(&"n == 1".to_owned()) && found.contains(&"n == 'x'".to_owned()), "{found:?}");
    }

    #[test]
    fn negations_are_short_where_they_can_be() {
        assert_eq!(negation("n < 0", false), "n >= 0");
        assert_eq!(negation("n < 0", true), "!(n < 0)");
        assert_eq!(negation("p == null", true), "p != null");
        assert_eq!(negation("b", false), "!b");
        assert_eq!(negation("!b", false), "b");
        assert_eq!(negation("a.isEmpty()", false), "!a.isEmpty()");
        assert_eq!(negation("a && b", false), "!(a && b)");
        assert_eq!(negation("(x & 1) == 0", false), "(x & 1) != 0");
    }
}

//! Replaces a variable by another one that was declared with the same words.

use std::collections::BTreeMap;

use super::changes::Change;
use super::functions::{FoundFunction, FoundText};
use super::lexer::TokenKind;

/// Every use of a parameter or local variable, replaced by the next one of its type that is declared before it.
pub(super) fn replacements(found: &FoundText, function: &FoundFunction) -> Vec<Change> {
    let declared = declared(found, function);
    let mut list = Vec::new();
    for index in function.body.clone() {
        let word = found.word(index);
        let Some((own_type, place)) = declared.get(word) else { continue };
        let is_member = matches!(found.word(index - 1), "." | "->");
        let is_call = found.word(index + 1) == "(";
        if *place >= index || is_member || is_call {
            continue;
        }
        let others: Vec<_> = declared
            .iter()
            .filter(|(name, (other_type, place))| **name != word && other_type == own_type && *place < index)
            .map(|(name, _)| *name)
            .collect();
        // One of them is enough; which one depends on the place, so that all get their turn.
        if !others.is_empty() {
            list.push(Change {
                kind: "variable",
                place: found.tokens[index].place.clone(),
                replacement: others[index % others.len()].to_owned(),
            });
        }
    }
    list
}

/// The names that are declared exactly once, each with the words of its type and its token.
fn declared<'a>(found: &'a FoundText, function: &FoundFunction) -> BTreeMap<&'a str, (String, usize)> {
    let mut declared: BTreeMap<&str, (String, usize)> = BTreeMap::new();
    let mut twice = Vec::new();
    for index in (function.head.start..function.head.end).chain(function.body.clone()) {
        if let Some(words) = type_before(found, index, function)
            && declared.insert(found.word(index), (words, index)).is_some()
        {
            twice.push(found.word(index));
        }
    }
    declared.retain(|name, _| !twice.contains(name));
    declared
}

/// The words of the type, if the token is a name that is declared here: `unsigned *p` gives `unsigned *`.
fn type_before(found: &FoundText, index: usize, function: &FoundFunction) -> Option<String> {
    const NO_TYPES: [&str; 9] =
        ["return", "else", "case", "goto", "new", "throw", "sizeof", "do", "instanceof"];
    let is_word = |at: usize| found.kind(at) == Some(TokenKind::Word);
    let ends = matches!(found.word(index + 1), "=" | ";" | "," | ")" | "[" | ":");
    if !is_word(index) || !ends || index == 0 {
        return None;
    }
    let first = function.head.start.min(function.body.start);
    let mut start = index;
    while start > first
        && (is_word(start - 1) || matches!(found.word(start - 1), "*" | "[" | "]" | "<" | ">"))
    {
        start -= 1;
    }
    let begins = matches!(found.word(start.checked_sub(1)?), ";" | "{" | "}" | "(" | "," | ")");
    let words: Vec<&str> =
        (start..index).map(|at| found.word(at)).filter(|word| !matches!(*word, "final" | "const")).collect();
    let is_type = words.first().is_some_and(|word| {
        word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') && !NO_TYPES.contains(word)
    });
    let suffix = if found.word(index + 1) == "[" { " []" } else { "" };
    (begins && is_type).then(|| words.join(" ") + suffix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitrary_source::Language;

    #[test]
    fn variables_are_replaced_by_others_of_their_type_that_are_declared_before() {
        let text = "int f(int a, const int *p, int b) { int c = a; p->a = *p; return b(a); }";
        let found = FoundText::new(text.to_owned(), Language::C);
        let list = replacements(&found, &found.functions[0]);
        let shown: Vec<_> =
            list.iter().map(|one| format!("{} -> {}", &text[one.place.clone()], one.replacement)).collect();
        assert_eq!(shown.len(), 2, "{shown:?}");
        assert!(shown[0] == "a -> b" && shown[1].starts_with("a -> "), "{shown:?}");
    }
}

//! `@NonNull` and its like on parameters of Java: the method requires that they are not null.
//!
//! An annotation inside a type, or on an array, may be about what is in it, and says nothing then.

use crate::tokens::{Token, tokens};
use crate::{Clause, ClauseKind, Contract, Declaration, Meaning};

const NAMES: [&str; 3] = ["NonNull", "Nonnull", "NotNull"];

/// What the annotations of a text without comments require.
pub(crate) fn annotations(text: &str) -> Vec<Contract> {
    if !NAMES.iter().any(|name| text.contains(name)) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let mut open: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "{" | "[" => open.push(at),
            ")" | "}" | "]" => {
                open.pop();
            }
            "@" => {
                let place = open.last().copied().filter(|open| tokens[*open].text == "(");
                if let Some((name, parameter)) = place.and_then(|open| parameter(&tokens, open, at)) {
                    let line = text[..token.offset].matches('\n').count() as u32 + 1;
                    found.push(contract(line, name, parameter));
                }
            }
            _ => {}
        }
    }
    found
}

/// The name of the method and of the parameter that the annotation at a place is about.
fn parameter<'t>(tokens: &[Token<'t>], open: usize, at: usize) -> Option<(&'t str, &'t str)> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let method = open.checked_sub(1).map(|before| tokens[before]).filter(Token::is_word)?.text;
    let is_statement = ["for", "catch", "try"].contains(&method);
    if is_statement || open >= 2 && text(open - 2) == "record" {
        return None;
    }
    let mut end = at + 1;
    while text(end + 1) == "." {
        end += 2;
    }
    if !NAMES.contains(&text(end)) || angles(&tokens[open..at]) != 0 {
        return None;
    }
    let mut name = None;
    for at in end + 1.. {
        match text(at) {
            "" | "[" | "..." | "(" | "@" => return None,
            ")" => break,
            "," if angles(&tokens[end..at]) == 0 => break,
            _ => name = Some(tokens[at]).filter(Token::is_word),
        }
    }
    Some((method, name?.text))
}

/// How many angle brackets are open after some tokens.
fn angles(tokens: &[Token<'_>]) -> i32 {
    let count = |token: &Token<'_>| match token.text {
        "<" => 1,
        ">" => -1,
        ">>" => -2,
        ">>>" => -3,
        _ => 0,
    };
    tokens.iter().map(count).sum()
}

fn contract(line: u32, method: &str, parameter: &str) -> Contract {
    let text = format!("{parameter} != null");
    let meaning = Meaning { expression: text.clone(), ..Meaning::default() };
    let clause = Clause { kind: ClauseKind::Requires, line, text, meaning: Ok(meaning) };
    let declaration = Declaration { line, name: method.to_owned(), is_around: true, prototype: None };
    Contract { declaration: Some(declaration), clauses: vec![clause], header: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_on_parameters_are_requirements() {
        let text = "class A {\n @NonNull String f(@NonNull String a, int b,\n @org.x.NotNull final Map<A, B> m) {\n\
                    for (@NonNull String s : a) { @NonNull String t = s; } } }";
        let found: Vec<String> = annotations(text)
            .iter()
            .map(|it| {
                let name = &it.declaration.as_ref().unwrap().name;
                format!("{name}:{} {}", it.clauses[0].line, it.clauses[0].text)
            })
            .collect();
        assert_eq!(found, ["f:2 a != null", "f:3 m != null"]);
    }

    #[test]
    fn annotations_inside_types_and_on_arrays_say_nothing() {
        let text =
            "void f(List<@NonNull A> a, Map<@NonNull A, @NonNull B> m, @NonNull A[] b, @NonNull A... c) {}";
        assert!(annotations(text).is_empty());
    }
}

//! What the static types of a piece of code rest on, in words: they choose overloads and say what a lambda computes with.
//!
//! Over-approximating: other words may mean the same types.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::syntax::is_name;

/// The types with which variables of these names are declared in a member. For `var` it is what they start with.
pub(super) fn declared_types(member: &[&str], names: &[&str]) -> String {
    let mut text = String::new();
    let mut met: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = names.iter().rev().copied().collect();
    while let Some(name) = open.pop() {
        if !met.insert(name) {
            continue;
        }
        for at in (1..member.len()).filter(|at| member[*at] == name) {
            let Some(ty) = type_before(member, at) else { continue };
            text.push_str(&format!(" {{{}}}", ty.join(" ")));
            if ty.contains(&"var") {
                let end = member[at..].iter().position(|word| matches!(*word, ";" | "{"));
                let start = &member[at..end.map_or(member.len(), |end| at + end)];
                text.push_str(&format!(" {}", start.join(" ")));
                open.extend(start.iter().filter(|word| is_name(word)));
            }
        }
    }
    text
}

/// The type of a variable, if it is declared at this place.
fn type_before<'w, 'a>(words: &'w [&'a str], at: usize) -> Option<&'w [&'a str]> {
    let is_end = |word: &str| matches!(word, ">" | ">>" | ">>>" | "]" | "...") || is_name(word);
    let follows = words.get(at + 1).copied().unwrap_or(";");
    if !is_end(words[at - 1]) || is_statement_word(words[at - 1]) || matches!(follows, "(" | "." | "->") {
        return None;
    }
    let mut start = at;
    let mut depth = 0_usize;
    while start > 0 {
        match words[start - 1] {
            ">" => depth += 1,
            ">>" => depth += 2,
            ">>>" => depth += 3,
            "<" => depth = depth.saturating_sub(1),
            "(" | ")" | ";" | "{" | "}" | "->" | ":" => break,
            "," | "&" | "|" | "?" if depth > 0 => {}
            "[" | "]" | "." | "..." => {}
            word if is_name(word) && !is_statement_word(word) => {}
            _ => break,
        }
        start -= 1;
    }
    (start < at).then(|| &words[start..at])
}

/// Words before a name that declare nothing.
fn is_statement_word(word: &str) -> bool {
    let words =
        ["return", "new", "throw", "else", "do", "case", "yield", "assert", "instanceof", "goto", "try"];
    words.contains(&word)
}

/// The statement around a part of a member, as far as words tell: from what ends the one before to its own end.
pub(super) fn statement_around<'w, 'a>(member: &'w [&'a str], part: Range<usize>) -> &'w [&'a str] {
    let mut depth = 0_usize;
    let mut start = part.start;
    while start > 0 {
        match member[start - 1] {
            "}" | ")" if member[start - 1] == ")" || depth > 0 => depth += 1,
            "(" => depth = depth.saturating_sub(1),
            "{" if depth > 0 => depth -= 1,
            ";" if depth > 0 => {}
            ";" | "{" | "}" => break,
            _ => {}
        }
        start -= 1;
    }
    let end = member[part.end..].iter().position(|word| matches!(*word, ";" | "{" | "}"));
    &member[start..end.map_or(member.len(), |end| part.end + end)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: &str = "int f ( Map < String , Integer > m , int [ ] a ) { var x = m . get ( a ) ; return m . k ( v -> v ) ; }";

    fn words() -> Vec<&'static str> {
        MEMBER.split(' ').collect()
    }

    #[test]
    fn variables_have_the_types_of_their_declarations() {
        assert_eq!(declared_types(&words(), &["m"]), " {Map < String , Integer >}");
        assert_eq!(declared_types(&words(), &["a"]), " {int [ ]}");
        assert_eq!(declared_types(&words(), &["v"]), "");
    }

    #[test]
    fn what_var_starts_with_counts() {
        let found = declared_types(&words(), &["x"]);
        assert_eq!(found, " {var} x = m . get ( a ) {int [ ]} {Map < String , Integer >}");
    }

    #[test]
    fn a_statement_goes_from_one_end_to_the_next() {
        let words = words();
        let at = words.iter().position(|word| *word == "->").unwrap();
        assert_eq!(statement_around(&words, at - 1..at + 2).join(" "), "return m . k ( v -> v )");
    }
}

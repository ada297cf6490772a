//! GNU C that the parser does not know, rewritten into C that it knows. Exact.
//!
//! ```text
//! a ?: b                      =>  a ?__first: b         lowered as a value that is computed once
//! out: int x = 1;             =>  out:; int x = 1;
//! unsigned __int128 x;        =>  __uint128_t x;        with typedefs in front for the types without C syntax
//! ```
//!
//! Columns behind a rewritten part of a line are those of the rewritten text; lines stay what they are.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::tokens::{clean, tokens};

/// Stands between `?` and `:` where the source has nothing.
pub(crate) const FIRST: &str = "__first";

/// Names of types that only the compiler knows.
pub(crate) const BUILTIN_TYPES: [&str; 6] =
    ["__int128", "__int128_t", "__uint128_t", "__float128", "__float80", "__auto_type"];

const TYPE_WORDS: [&str; 33] = [
    "int",
    "char",
    "short",
    "long",
    "float",
    "double",
    "void",
    "signed",
    "unsigned",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "static",
    "register",
    "extern",
    "typedef",
    "auto",
    "_Bool",
    "_Complex",
    "_Atomic",
    "__typeof__",
    "typeof",
    "__typeof",
    "__const",
    "__volatile__",
    "_Static_assert",
    "__extension__",
    "__signed__",
    "_Thread_local",
    "__thread",
    "restrict",
];

/// The text with what the parser does not know rewritten.
pub(crate) fn rewrite(text: &str) -> Cow<'_, str> {
    let cleaned = clean(text);
    let tokens: Vec<(usize, &str)> = tokens(&cleaned).collect();
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    let typedefs = typedef_names(&tokens);
    let word = |index: usize| tokens.get(index).map_or("", |(_, word)| *word);
    let mut builtin = false;
    for (index, (offset, token)) in tokens.iter().enumerate() {
        let end = offset + token.len();
        match *token {
            "?" if word(index + 1) == ":" => edits.push((end..end, FIRST)),
            ":" if index >= 2 && ends_label(&tokens, index) => {
                let next = word(index + 1);
                if next == "}"
                    || TYPE_WORDS.contains(&next)
                    || typedefs.contains(next) && names(word(index + 2))
                {
                    edits.push((end..end, ";"));
                }
            }
            "__int128" => {
                builtin = true;
                if let (Some((from, "unsigned")), _) | (_, Some((from, "unsigned"))) =
                    (index.checked_sub(1).map(|before| tokens[before]), tokens.get(index + 1).copied())
                {
                    edits.push((*offset..end, "__uint128_t"));
                    edits.push((from..from + "unsigned".len(), ""));
                }
                if let Some((from, "signed")) = index.checked_sub(1).map(|before| tokens[before]) {
                    edits.push((from..from + "signed".len(), ""));
                }
            }
            token if BUILTIN_TYPES.contains(&token) => builtin = true,
            _ => {}
        }
    }
    if edits.is_empty() && !builtin {
        return Cow::Borrowed(text);
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = String::with_capacity(text.len() + 64);
    if builtin {
        // On a line of its own, which the first line marker or `#line` puts right.
        result.push_str("typedef int ");
        result.push_str(&BUILTIN_TYPES.join(", "));
        result.push(';');
        if text.starts_with('#') {
            result.push('\n');
        }
    }
    let mut done = 0;
    for (range, new) in edits {
        result.push_str(&text[done..range.start]);
        result.push_str(new);
        done = range.end;
    }
    result.push_str(&text[done..]);
    Cow::Owned(result)
}

/// Whether the colon at an index ends a label: `name:`, `case 1:` or `default:`.
fn ends_label(tokens: &[(usize, &str)], index: usize) -> bool {
    let (before, start) = (tokens[index - 1].1, tokens[index - 2].1);
    if before == "default" || names(before) && matches!(start, ";" | "{" | "}" | ":" | ")" | "else") {
        return true;
    }
    // `case` comes before every `?` that could have its colon here.
    for (_, token) in tokens[..index].iter().rev() {
        match *token {
            "case" => return true,
            ";" | "{" | "}" | "?" | ":" => return false,
            _ => {}
        }
    }
    false
}

fn names(token: &str) -> bool {
    token.starts_with(|char: char| char.is_alphabetic() || char == '_')
}

/// The names that declarations with `typedef` seem to declare: words before `;`, `,` or `)`.
fn typedef_names<'t>(tokens: &[(usize, &'t str)]) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::new();
    let mut inside = false;
    let mut depth = 0_usize;
    for pair in tokens.windows(2) {
        let (token, next) = (pair[0].1, pair[1].1);
        match token {
            "typedef" => inside = true,
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => inside = false,
            _ if inside && depth == 0 && names(token) && matches!(next, ";" | "," | ")" | "[") => {
                found.insert(token);
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_parser_does_not_know_is_rewritten() {
        assert_eq!(rewrite("x = a ? b : c;"), "x = a ? b : c;");
        assert_eq!(rewrite("x = a ?: c; \"?:\""), "x = a ?__first: c; \"?:\"");
        assert_eq!(rewrite("{ out: int x; }"), "{ out:; int x; }");
        assert_eq!(rewrite("{ case 1: case 2: char y; default: }"), "{ case 1: case 2:; char y; default:; }");
        assert_eq!(rewrite("struct s { unsigned a : 3; };"), "struct s { unsigned a : 3; };");
    }
}

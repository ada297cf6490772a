//! Calls that check something and fail if it does not hold, spelled out before them.
//!
//! ```text
//! Objects.requireNonNull(name);            if (!(name != null)) throw new NullPointerException(...);
//!                                          Objects.requireNonNull(name);
//! ```
//!
//! Exact but for the message of the error: nothing is taken in files that look at messages. Only calls are taken that are the first thing that
//! a statement does, with arguments that can be evaluated twice.

use std::ops::Range;

use super::clauses::one_line;
use super::scan::{at_depth_zero, words};

/// The message of the errors that are put into the text.
pub(crate) const CHECKED: &str = "selfsame: a check of the source";

/// A check, and what it demands.
pub(super) struct Check {
    /// Where the statement starts that it is part of.
    pub(super) at: usize,
    pub(super) clauses: Vec<String>,
    /// The error with which it fails.
    pub(super) error: &'static str,
}

/// What a check demands of its arguments.
#[derive(Clone, Copy)]
enum Demand {
    NotNull,
    True,
    /// That an index lies below a length.
    Index,
}

/// Such methods by their packages, classes and names, with their errors: of Java, Guava, Commons Lang and Spring.
const CHECKS: [(&str, &str, &str, Demand, &str); 10] = [
    ("java.util", "Objects", "requireNonNull", Demand::NotNull, "NullPointerException"),
    ("java.util", "Objects", "checkIndex", Demand::Index, "IndexOutOfBoundsException"),
    ("com.google.common.base", "Preconditions", "checkNotNull", Demand::NotNull, "NullPointerException"),
    ("com.google.common.base", "Preconditions", "checkArgument", Demand::True, "IllegalArgumentException"),
    ("com.google.common.base", "Preconditions", "checkState", Demand::True, "IllegalStateException"),
    ("org.apache.commons.lang3", "Validate", "notNull", Demand::NotNull, "NullPointerException"),
    ("org.apache.commons.lang3", "Validate", "isTrue", Demand::True, "IllegalArgumentException"),
    ("org.springframework.util", "Assert", "notNull", Demand::NotNull, "IllegalArgumentException"),
    ("org.springframework.util", "Assert", "isTrue", Demand::True, "IllegalArgumentException"),
    ("org.springframework.util", "Assert", "state", Demand::True, "IllegalStateException"),
];
/// Who looks at the message of an error.
const LOOKS: [&str; 5] =
    ["getMessage", "getLocalizedMessage", "printStackTrace", "toString", "getStackTrace"];

/// The checks of a text in which comments and literals are blank, in its order; and the places of those that are not taken.
pub(super) fn checks(code: &str, text: &str) -> (Vec<Check>, Vec<(usize, String)>) {
    let (mut found, mut left) = (Vec::new(), Vec::new());
    for (at, word) in words(code) {
        let after = at + word.len();
        let is_it = |(_, class, name, ..): &&(&str, &str, &str, Demand, &str)| {
            *name == word && code[..at].ends_with(&format!("{class}.")) && code[after..].starts_with('(')
        };
        let Some((package, class, name, demand, error)) = CHECKS.iter().find(is_it) else { continue };
        let call = path_before(code, at);
        let qualified = format!("{package}.{class}");
        let is_known = code[call..at] == format!("{qualified}.")
            || code[call..at] == format!("{class}.") && code.contains(&format!("import {qualified};"));
        let is_looked_at = LOOKS.iter().any(|look| words(code).iter().any(|(_, word)| word == look));
        match check(code, text, call, after + 1, *demand).filter(|_| is_known && !is_looked_at) {
            Some(clauses) => found.push(Check { error, ..clauses }),
            None => {
                let why = match (is_known, is_looked_at) {
                    (false, _) => format!("`{class}` is not imported from `{package}`"),
                    (true, true) => "this file looks at the messages of errors".to_owned(),
                    (true, false) => {
                        format!(
                            "`{class}.{name}` is not the first thing that its statement does, with plain values"
                        )
                    }
                };
                left.push((at, why));
            }
        }
    }
    (found, left)
}

fn check(code: &str, text: &str, call: usize, after: usize, demand: Demand) -> Option<Check> {
    let close = at_depth_zero(code, after, |byte, _| byte == b')')?;
    if !code[close + 1..].trim_start().starts_with(';') {
        return None;
    }
    let start = code[..call].rfind([';', '{', '}']).map_or(0, |found| found + 1);
    if !is_first(code[start..call].trim()) || !is_in_a_body(code, start) {
        return None;
    }
    let arguments = arguments(code, after..close);
    let plain = |at: usize| {
        let range = arguments.get(at)?.clone();
        let argument = one_line(text[range].trim());
        is_path(&argument).then_some(argument)
    };
    let clauses = match demand {
        Demand::NotNull => vec![format!("{} != null", plain(0)?)],
        Demand::Index => vec![format!("{} >= 0", plain(0)?), format!("{} < {}", plain(0)?, plain(1)?)],
        Demand::True => {
            let range = arguments.first()?.clone();
            let condition = &code[range.clone()];
            if condition != &text[range.clone()] || !only_looks(condition) {
                return None;
            }
            vec![one_line(condition.trim())]
        }
    };
    let indent = code[start..].len() - code[start..].trim_start().len();
    Some(Check { at: start + indent, clauses, error: "" })
}

/// Where a qualified name starts whose last part starts at a place.
fn path_before(code: &str, at: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    at - code.as_bytes()[..at].iter().rev().take_while(|byte| is_part(byte)).count()
}

/// Whether nothing of a statement is evaluated before what follows: `return`, `x =`, `this.x =`, `String x =`.
fn is_first(before: &str) -> bool {
    const WORDS: [&str; 9] = ["case", "else", "do", "default", "assert", "throw", "yield", "new", "try"];
    let Some(target) = before.strip_suffix('=') else { return before.is_empty() || before == "return" };
    target
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_$.<>, ?".contains(&byte) || byte.is_ascii_whitespace())
        && !words(target).iter().any(|(_, word)| WORDS.contains(word))
}

/// Whether a place is among statements, and not among the members of a class.
fn is_in_a_body(code: &str, at: usize) -> bool {
    let mut depth = 0;
    for (place, byte) in code[..at].bytes().enumerate().rev() {
        match byte {
            b'}' | b')' => depth += 1,
            b'(' if depth == 0 => return false,
            b'{' if depth == 0 => {
                let head = &code[..place];
                let from = head.rfind([';', '{', '}']).map_or(0, |found| found + 1);
                let is_type = |word: &str| ["class", "interface", "enum", "record", "new"].contains(&word);
                return !words(&head[from..]).iter().any(|(_, word)| is_type(word));
            }
            b'{' | b'(' => depth -= 1,
            _ => {}
        }
    }
    false
}

fn arguments(code: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = within.start;
    while let Some(comma) = at_depth_zero(&code[..within.end], start, |byte, _| byte == b',') {
        found.push(start..comma);
        start = comma + 1;
    }
    found.push(start..within.end);
    found
}

/// Whether a text is a name, a number, or a field of a field.
fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

/// Whether a condition neither calls nor changes anything.
fn only_looks(condition: &str) -> bool {
    let plain =
        ["==", "!=", "<=", ">="].iter().fold(condition.to_owned(), |text, sign| text.replace(sign, " "));
    let calls = words(condition)
        .into_iter()
        .any(|(at, word)| condition[at + word.len()..].trim_start().starts_with('('));
    !plain.contains(['=', '{', '"', '\''])
        && !["++", "--", "->", "::", "new "].iter().any(|sign| condition.contains(sign))
        && !calls
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMPORTS: &str = "import java.util.Objects; import com.google.common.base.Preconditions; ";

    fn found(body: &str) -> Vec<(usize, Vec<String>)> {
        let code = format!("{IMPORTS}{body}");
        let found = checks(&code, &code).0.into_iter();
        found.map(|check| (check.at - IMPORTS.len(), check.clauses)).collect()
    }

    #[test]
    fn checks_are_found_at_the_start_of_statements() {
        let body = "void f() { Objects.requireNonNull(x); }";
        assert_eq!(found(body), [(11, vec!["x != null".to_owned()])]);
        let body = "A(String s) { this.s = java.util.Objects.requireNonNull(s, m); }";
        assert_eq!(found(body), [(14, vec!["s != null".to_owned()])]);
        let body = "int f() { return Objects.checkIndex(i, a.length); }";
        assert_eq!(found(body), [(10, vec!["i >= 0".to_owned(), "i < a.length".to_owned()])]);
        let body = "void f() { Preconditions.checkArgument(x > 0 && y == 1, m); }";
        assert_eq!(found(body), [(11, vec!["x > 0 && y == 1".to_owned()])]);
    }

    #[test]
    fn classes_of_the_same_name_are_others() {
        let code = "void f() { Objects.requireNonNull(x); }";
        let (taken, left) = checks(code, code);
        assert_eq!((taken.len(), left.len()), (0, 1));
    }

    #[test]
    fn a_handler_that_reads_messages_leaves_them_alone() {
        assert_eq!(found("void f() { Objects.requireNonNull(x); } void g() { e.getMessage(); }"), []);
    }

    #[test]
    fn what_runs_after_something_else_is_not_taken() {
        for body in [
            "void f() { if (c) Objects.requireNonNull(x); }",
            "void f() { for (;; Objects.requireNonNull(x)) { } }",
            "void f() { g(Objects.requireNonNull(x)); }",
            "void f() { Objects.requireNonNull(g()); }",
            "void f() { Preconditions.checkArgument(i++ > 0); }",
            "void f() { Preconditions.checkArgument(g(x)); }",
            "void f() { switch (x) { case 1: Objects.requireNonNull(x); } }",
            "class A { Object o = Objects.requireNonNull(x); }",
            "void f() { a[i++] = Objects.requireNonNull(x); }",
            "void f() { y = Objects.requireNonNull(x).z; }",
        ] {
            assert_eq!(found(body), [], "{body}");
            let code = format!("{IMPORTS}{body}");
            assert_eq!(checks(&code, &code).1.len(), 1, "{body}");
        }
    }
}

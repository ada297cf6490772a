//! Where an assertion about the end of a procedure can stand: before its only `return`, or after its last statement.
//!
//! Under-approximating: only where the text leaves no doubt.

use std::ops::Range;

use ir::Language;

use super::scope::{is_word, tokens, variables};

/// An expression that is returned may stand in an assertion if it is no longer than this.
const LONGEST_EXPRESSION: usize = 30;
/// Words that begin statements after which nothing may stand, or that control others.
const CONTROL: [&str; 14] = [
    "return", "throw", "break", "continue", "goto", "if", "else", "for", "while", "do", "switch", "case",
    "default", "yield",
];

/// Where an assertion of a clause can stand in a body, and what the clause is there.
pub(super) fn at_the_end(
    language: Language,
    code: &str,
    body: Range<usize>,
    clause: &str,
) -> Option<(usize, String)> {
    let inside = &code[body.clone()];
    let tokens = tokens(inside);
    // What was before, and quantifiers, have no words in the language; `==>` is none of our clauses.
    if clause.contains("\\old") || clause.contains("\\forall") || has_inner_bodies(language, &tokens) {
        return None;
    }
    // Parameters mean what they were at the start.
    if variables(clause).iter().any(|name| is_assigned(&tokens, name)) || tokens.iter().any(|it| it.1 == "#")
    {
        return None;
    }
    let returns: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at].1 == "return").collect();
    match returns.as_slice() {
        [] if !clause.contains("\\result") => {
            // The bracket that closes the body stands after it.
            ends_plainly(&tokens).then(|| (body.end, clause.to_owned()))
        }
        [only] => {
            let before = if *only == 0 { "{" } else { tokens[only - 1].1 };
            if !matches!(before, ";" | "{" | "}") {
                return None;
            }
            let start = tokens[*only].0;
            let end = start + inside[start..].find(';')?;
            let value = inside[start + "return".len()..end].trim();
            let clause = match clause.contains("\\result") {
                // That an expression equals what it is written as tells nothing.
                true if !is_name(value) && clause.starts_with("\\result ==") => return None,
                true if clause.contains(&format!("this.{value}")) => return None,
                true => clause.replace("\\result", &in_clause(value)?),
                false => clause.to_owned(),
            };
            Some((body.start + start, clause))
        }
        _ => None,
    }
}

/// A returned expression as part of a clause, if evaluating it once more changes nothing.
fn in_clause(value: &str) -> Option<String> {
    if is_name(value) {
        return Some(value.to_owned());
    }
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_ +-*.".contains(it);
    let is_sum = value.chars().all(is_plain) && !value.contains("++") && !value.contains("--");
    let names_some = tokens(value).iter().any(|(_, token)| is_word(token));
    // What dots lead to may be anything, and a star may be a pointer's.
    let is_sum = is_sum && names_some && !value.contains('.') && !value.starts_with('*');
    (is_sum && value.len() <= LONGEST_EXPRESSION).then(|| format!("({value})"))
}

fn is_name(text: &str) -> bool {
    is_word(text) && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// Whether there are bodies of lambdas and classes, whose returns are others.
fn has_inner_bodies(language: Language, tokens: &[(usize, &str)]) -> bool {
    let pair = |one: &str, two: &str| {
        tokens.windows(2).any(|it| it[0].1 == one && it[1].1 == two && it[0].0 + 1 == it[1].0)
    };
    let anonymous = tokens.windows(2).enumerate().any(|(at, it)| {
        it[0].1 == ")" && it[1].1 == "{" && {
            let statement =
                tokens[..at].iter().rev().take_while(|(_, token)| !matches!(*token, ";" | "{" | "}"));
            statement.into_iter().any(|(_, token)| *token == "new")
        }
    });
    match language {
        Language::Java => pair("-", ">") || anonymous || tokens.iter().any(|it| it.1 == "class"),
        Language::C => false,
    }
}

/// Whether a variable may be changed.
fn is_assigned(tokens: &[(usize, &str)], name: &str) -> bool {
    let text = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    (0..tokens.len()).filter(|at| text(*at) == name).any(|at| {
        let [one, two, three] = [1, 2, 3].map(|more| text(at + more));
        let before = [1, 2].map(|less| at.checked_sub(less).map_or("", text));
        let is_set = one == "=" && two != "="
            || matches!(one, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^") && two == "="
            || matches!((one, two), ("<", "<") | (">", ">")) && matches!(three, "=" | ">")
            || matches!((one, two), ("+", "+") | ("-", "-"));
        let is_stepped = matches!(before, ["+", "+"] | ["-", "-"]);
        // A declaration of another variable of this name counts as well, and so does an address.
        is_set || is_stepped || before[0] == "&"
    })
}

/// Whether the body ends with a plain statement, after which the end is reached.
fn ends_plainly(tokens: &[(usize, &str)]) -> bool {
    let Some(((_, ";"), rest)) = tokens.split_last() else { return false };
    let statement: Vec<&str> =
        rest.iter().rev().map(|(_, token)| *token).take_while(|it| !matches!(*it, ";" | "{" | "}")).collect();
    let count = |sign: &str| statement.iter().filter(|it| **it == sign).count();
    let is_plain = !statement.is_empty()
        && count("(") == count(")")
        && !statement.iter().any(|it| CONTROL.contains(it) || *it == ":");
    // After a loop that never ends nothing may stand.
    is_plain && !tokens.iter().any(|(_, token)| matches!(*token, "while" | "for" | "do"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(code: &str, clause: &str) -> Option<String> {
        let body = code.find('{')? + 1..code.rfind('}')?;
        let (at, clause) = at_the_end(Language::Java, code, body, clause)?;
        Some(format!("{}|{clause}|{}", &code[..at], &code[at..]))
    }

    #[test]
    fn before_the_only_return() {
        assert_eq!(
            placed("int f(int a) { int r = a; return r; }", "\\result == a").unwrap(),
            "int f(int a) { int r = a; |r == a|return r; }"
        );
        assert_eq!(
            placed("int f(int a) { return a + 1; }", "\\result > 0").unwrap(),
            "int f(int a) { |(a + 1) > 0|return a + 1; }"
        );
    }

    #[test]
    fn not_where_it_would_mean_something_else() {
        for code in [
            "int f(int a) { a = a + 1; int r = a; return r; }",
            "int f(int a) { if (a > 0) return 1; return a; }",
            "int f(int a) { if (a > 0) { g(); } else return a; }",
            "int f(int a) { return g(a); }",
            "int f(int a) { return a++; }",
            "int f(int a) { Runnable r = () -> { return; }; }",
        ] {
            assert_eq!(placed(code, "\\result == a"), None, "{code}");
        }
    }

    #[test]
    fn at_the_end_of_a_body() {
        assert_eq!(
            placed("void f(int a) { n = a; }", "this.n == a").unwrap(),
            "void f(int a) { n = a; |this.n == a|}"
        );
        for code in ["void f() { while (true) n++; }", "void f() { throw e; }", "void f() { { n = 1; } }"] {
            assert_eq!(placed(code, "this.n == 1"), None, "{code}");
        }
    }
}

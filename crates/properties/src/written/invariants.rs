//! Invariants of loops, in annotations before `while`, `for` and `do`.

use std::ops::Range;

use ir::Language;

use super::clauses::clauses;
use super::scan::at_depth_zero;

/// A loop with an invariant.
pub(super) struct Invariant {
    /// From the word of the loop to the bracket that opens its body.
    pub(super) head: Range<usize>,
    pub(super) clauses: Vec<String>,
    /// The test of the loop.
    test: Range<usize>,
    language: Language,
}

impl Invariant {
    /// The head, with a test that always holds, up to the opened body.
    pub(super) fn before(&self, head: &str) -> String {
        // A loop that tests at its end keeps its head: the invariant holds whenever its body begins.
        if self.test.is_empty() && head.starts_with("do") {
            return head.to_owned();
        }
        let always = match (self.language, head.starts_with("while")) {
            (Language::Java, true) => "true",
            (Language::C, true) => "1",
            (Language::Java | Language::C, false) => "",
        };
        let (from, to) = (self.test.start - self.head.start, self.test.end - self.head.start);
        let lines = "\n".repeat(head[from..to].matches('\n').count());
        format!("{}{always}{lines}{}", &head[..from], &head[to..])
    }

    /// The test as a statement that leaves the loop.
    pub(super) fn test(&self, text: &str) -> String {
        let test = text[self.test.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        match test.is_empty() {
            true => String::new(),
            false => format!(" if (!({test})) break;"),
        }
    }
}

/// The loops with invariants, and the annotations that are not understood.
pub(super) fn invariants(
    language: Language,
    code: &str,
    annotations: &[(Range<usize>, String)],
) -> Vec<Result<Invariant, (usize, String)>> {
    let mut found: Vec<Result<Invariant, (usize, String)>> = Vec::new();
    for (range, said) in annotations {
        let mut told = Vec::new();
        for clause in said.split(';').map(str::trim).filter(|clause| !clause.is_empty()) {
            let rest = ["loop_invariant ", "maintaining ", "loop invariant "]
                .into_iter()
                .find_map(|word| clause.strip_prefix(word));
            told.extend(rest.map(|rest| contracts::expression_in(language, rest)));
        }
        for expression in told {
            let expression = match expression {
                Ok(expression) => expression,
                Err(why) => {
                    found.push(Err((range.start, why)));
                    continue;
                }
            };
            match head(code, range.end) {
                None => found.push(Err((range.start, "it stands before no loop with braces".to_owned()))),
                Some((head, test)) => {
                    let own = contracts::code_only(language, &expression);
                    let clauses = clauses(&own, 0..expression.len());
                    let clauses: Vec<String> =
                        clauses.into_iter().map(|range| expression[range].to_owned()).collect();
                    match found.iter_mut().flatten().find(|it| it.head == head) {
                        Some(known) => known.clauses.extend(clauses),
                        None => found.push(Ok(Invariant { head, clauses, test, language })),
                    }
                }
            }
        }
    }
    found
}

/// The head of the loop that starts here, up to the bracket that opens its body.
pub(crate) fn loop_head(code: &str, from: usize) -> Option<Range<usize>> {
    head(code, from).map(|(head, _)| head)
}

/// The head of the loop that follows, and its test.
fn head(code: &str, from: usize) -> Option<(Range<usize>, Range<usize>)> {
    let start = from + (code[from..].len() - code[from..].trim_start().len());
    let rest = &code[start..];
    if let Some(after) = rest.strip_prefix("do") {
        let body = after.trim_start();
        let brace = start + rest.len() - body.len();
        return body.starts_with('{').then_some((start..brace + 1, brace + 1..brace + 1));
    }
    let is_while = rest.starts_with("while");
    if !is_while && !rest.starts_with("for") {
        return None;
    }
    let open = start + rest.find('(')?;
    let word = code[start..open].trim();
    if word != "while" && word != "for" {
        return None;
    }
    let close = at_depth_zero(code, open + 1, |byte, _| byte == b')')?;
    let brace = close + 1 + (code[close + 1..].len() - code[close + 1..].trim_start().len());
    if !code[brace..].starts_with('{') {
        return None;
    }
    let test = match is_while {
        true => open + 1..close,
        false => {
            let first = at_depth_zero(code, open + 1, |byte, _| byte == b';')?;
            let second = at_depth_zero(code, first + 1, |byte, _| byte == b';')?;
            first + 1..second
        }
    };
    Some((start..brace + 1, test))
}

//! Reads pages of version series: one program for each version, and the outcome of each assertion in it.
//!
//! ````markdown
//! ## The sign of a difference
//!
//! The subtraction wraps around, which the assertion of the second version notices.
//!
//! ```java v1
//! static int less(int a, int b) { return a < b ? 1 : 0; }
//! ```
//! ```outcomes v1
//! ```
//! ```java v2
//! static int less(int a, int b) { int d = a - b; assert d < 0 == a < b; return d; }
//! ```
//! ```outcomes v2
//! 1 d < 0 == a < b: fails feature
//! ```
//! ````
//!
//! Each line of outcomes is a line of the program, a clause, and after the last colon an outcome: `holds`, `fails` or
//! `unknown`, then the cause of a failure if there is one, `unreached` if no input gets there, and `inherited` if the outcome
//! has to follow from what was known of the version before.

use crate::blocks::{PartKind, parts};
use crate::{Language, Source};

/// A series of versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series {
    pub file: String,
    pub line: usize,
    pub name: String,
    pub language: Language,
    pub versions: Vec<Version>,
    /// More arguments of the command.
    pub arguments: Vec<String>,
}

/// One version, and what is true of its assertions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    pub source: Source,
    pub outcomes: Vec<ExpectedOutcome>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ExpectedOutcome {
    pub line: u32,
    pub clause: String,
    /// `holds`, `fails` or `unknown`.
    pub outcome: String,
    /// `feature`, `regression` or `property`.
    pub cause: Option<String>,
    pub unreached: bool,
    /// Only where this is asked for.
    pub inherited: bool,
}

/// Reads a page. Fails with the line and what is wrong there.
pub fn read_series(file: &str, text: &str) -> Result<Vec<Series>, String> {
    let mut found: Vec<Series> = Vec::new();
    let mut has_prose = true;
    for part in parts(text) {
        let fail = |what: &str| Err(format!("{file}:{}: {what}", part.line));
        match part.kind {
            PartKind::Title(_) => {}
            PartKind::CaseHeading(name) => {
                if !has_prose {
                    return fail("the series before this one needs a sentence of prose");
                }
                has_prose = false;
                let (versions, arguments) = (Vec::new(), Vec::new());
                let file = file.to_owned();
                found.push(Series {
                    file,
                    line: part.line,
                    name,
                    language: Language::Java,
                    versions,
                    arguments,
                });
            }
            PartKind::Prose => has_prose = true,
            PartKind::Block { info, text } => {
                let Some(series) = found.last_mut() else {
                    return fail("this block stands before the first `##`");
                };
                let (word, version) = info.split_once(' ').unwrap_or((&info, ""));
                let number = version.strip_prefix('v').and_then(|number| number.parse::<usize>().ok());
                match (word, number) {
                    ("java" | "c", Some(number)) if number == series.versions.len() + 1 => {
                        series.language = Language::named(word).unwrap_or(Language::Java);
                        let text = if word == "java" { in_a_class(&text) } else { text };
                        let source = Source { text, line: part.line + 1 };
                        series.versions.push(Version { source, outcomes: Vec::new() });
                    }
                    ("outcomes", Some(number)) if number == series.versions.len() => {
                        let version = series.versions.last_mut().ok_or("an outcome needs a version")?;
                        for line in text.lines().filter(|line| !line.trim().is_empty()) {
                            match outcome(line) {
                                Some(outcome) => version.outcomes.push(outcome),
                                None => return fail(&format!("`{line}` is no outcome")),
                            }
                        }
                    }
                    ("arguments", None) => {
                        series.arguments = text.split_whitespace().map(str::to_owned).collect();
                    }
                    _ => {
                        return fail(&format!(
                            "`{info}` is none of `java v1`, `c v1`, `outcomes v1`, `arguments`"
                        ));
                    }
                }
            }
        }
    }
    Ok(found)
}

fn outcome(line: &str) -> Option<ExpectedOutcome> {
    let (head, tail) = line.rsplit_once(':')?;
    let (number, clause) = head.trim().split_once(' ')?;
    let mut words = tail.split_whitespace();
    let outcome = words.next().filter(|word| matches!(*word, "holds" | "fails" | "unknown"))?.to_owned();
    let rest: Vec<&str> = words.collect();
    let cause = rest.iter().find(|word| matches!(**word, "feature" | "regression" | "property"));
    let is_known =
        |word: &&&str| matches!(**word, "feature" | "regression" | "property" | "unreached" | "inherited");
    (rest.iter().filter(is_known).count() == rest.len()).then_some(())?;
    Some(ExpectedOutcome {
        line: number.parse().ok()?,
        clause: clause.trim().to_owned(),
        outcome,
        cause: cause.map(|word| (*word).to_owned()),
        unreached: rest.contains(&"unreached"),
        inherited: rest.contains(&"inherited"),
    })
}

/// Methods alone are the inside of a class.
fn in_a_class(text: &str) -> String {
    let starts = ["class", "public class", "final class", "abstract class", "import", "package"];
    match text.lines().any(|line| starts.iter().any(|start| line.starts_with(start))) {
        true => text.to_owned(),
        false => format!("class Case {{ {text}}}\n"),
    }
}

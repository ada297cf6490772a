//! Assertions as people write them, spelled out for the front ends: one clause for each, annotations as assertions.
//!
//! ```text
//! assert a > 0 && b > 0 : m;       { assert a > 0 : m; assert b > 0 : m; }
//! //@ assert a > 0;                assert a > 0;
//! //@ loop_invariant i >= 0;
//! while (i < n) {                  while (true) { assert i >= 0; if (!(i < n)) break;
//! ```
//!
//! Exact: `a && b` evaluates `b` only where `a` holds, and so do the two assertions. Lines stay where they are, so that
//! what is said of a line is true of the text that was written. What cannot be taken apart safely is left as it is.

mod checks;
mod class_invariants;
mod clauses;
mod invariants;
mod scan;

use std::ops::Range;

use ir::Language;

pub(crate) use checks::CHECKED;
use class_invariants::Change;
use clauses::{clauses, one_line};
pub(crate) use invariants::loop_head;
use scan::{Found, statements};

/// A text whose assertions have one clause each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spelled {
    pub text: String,
    /// Its assertions, in the order of the text.
    pub written: Vec<Written>,
    /// Annotations that are not understood: the line, and why.
    pub not_understood: Vec<(u32, String)>,
    /// The invariants of classes, which became contracts of methods.
    pub invariants: Vec<String>,
}

/// One clause of an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// Where it starts in the text that was spelled out, which is where it starts in the text that was written.
    pub line: u32,
    pub clause: String,
    /// The assertion that it is a clause of: those with the same number are one.
    pub assertion: usize,
    pub kind: WrittenKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WrittenKind {
    /// A statement of the language.
    Statement,
    /// `//@ assert`.
    Annotation,
    LoopInvariant,
    /// `//@ invariant` of a class, at the end of a constructor.
    ClassInvariant,
    /// A call that fails if something does not hold.
    Check,
}

/// Spells out the assertions of a file, as it is before any preprocessor; and what calls like `Objects.requireNonNull` of
/// Java check, if that is asked for.
pub fn spell_out(language: Language, text: &str, with_checks: bool) -> Spelled {
    let code = contracts::code_only(language, text);
    let mut edits: Vec<Edit> = Vec::new();
    let mut not_understood = Vec::new();
    for found in statements(language, &code) {
        edits.push(Edit::statement(language, text, &code, &found));
    }
    let annotations = contracts::annotation_comments(language, text);
    for (range, said) in &annotations {
        match annotated(language, said) {
            Some(Ok(clauses)) => edits.push(Edit::annotation(language, text, range.clone(), clauses)),
            Some(Err(why)) => not_understood.push((line_of(text, range.start), why)),
            None => {}
        }
    }
    for found in invariants::invariants(language, &code, &annotations) {
        match found {
            Ok(invariant) => edits.push(Edit::invariant(language, text, invariant)),
            Err((at, why)) => not_understood.push((line_of(text, at), why)),
        }
    }
    if with_checks && language == Language::Java {
        let (checks, left) = checks::checks(&code, text);
        edits.extend(checks.into_iter().map(Edit::check));
        not_understood.extend(left.into_iter().map(|(at, why)| (line_of(text, at), why)));
    }
    let mut invariants = Vec::new();
    if language == Language::Java {
        let found = class_invariants::class_invariants(&code, &annotations);
        edits.extend(found.changes.into_iter().map(|change| Edit::class_invariant(language, change)));
        not_understood.extend(found.not_understood.into_iter().map(|(at, why)| (line_of(text, at), why)));
        invariants = found.clauses;
    }
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut spelled = Spelled { text: String::new(), written: Vec::new(), not_understood, invariants };
    let mut done = 0;
    for (number, edit) in edits.into_iter().enumerate() {
        // What lies in another one, as in the body of a lambda, was copied with it.
        if edit.range.start < done {
            continue;
        }
        spelled.text.push_str(&text[done..edit.range.start]);
        done = edit.range.end;
        spelled.apply(edit, number);
    }
    spelled.text.push_str(&text[done..]);
    spelled
}

/// What stands in the place of a range.
struct Edit {
    range: Range<usize>,
    kind: WrittenKind,
    pieces: Vec<Piece>,
}

enum Piece {
    Text(String),
    /// An assertion starts here.
    Assert {
        clause: String,
    },
}

impl Edit {
    /// An assertion of the language, clause by clause.
    fn statement(language: Language, text: &str, code: &str, found: &Found) -> Edit {
        let ranges = clauses(code, found.condition.clone());
        let message = found.message.clone().map(|range| text[range].trim().replace('\n', " "));
        let mut pieces = Vec::new();
        let mut at = found.range.start;
        let is_split = ranges.len() > 1 && found.is_statement;
        if is_split {
            pieces.push(Piece::Text("{ ".to_owned()));
        }
        let ranges = if is_split { ranges } else { vec![found.condition.clone()] };
        for (number, range) in ranges.iter().enumerate() {
            // The lines between two clauses.
            if number > 0 {
                pieces.push(Piece::Text("\n".repeat(text[at..range.start].matches('\n').count())));
            }
            at = range.end;
            let clause = &text[range.clone()];
            pieces.push(Piece::Assert { clause: one_line(clause) });
            pieces.push(Piece::Text(match language {
                Language::Java => match &message {
                    Some(message) => format!("assert {clause} : {message};"),
                    None => format!("assert {clause};"),
                },
                Language::C => format!("assert({clause}){}", if found.is_statement { ";" } else { "" }),
            }));
        }
        // Whatever lines are missing, such as those of the message, which stands on one.
        let lines = text[found.range.clone()].matches('\n').count();
        let missing = lines.saturating_sub(pieces.iter().map(Piece::lines).sum::<usize>());
        pieces.push(Piece::Text("\n".repeat(missing)));
        if is_split {
            pieces.push(Piece::Text(" }".to_owned()));
        }
        Edit { range: found.range.clone(), kind: WrittenKind::Statement, pieces }
    }

    /// An annotation as assertions, with as many lines.
    fn annotation(language: Language, text: &str, range: Range<usize>, clauses: Vec<String>) -> Edit {
        let mut pieces: Vec<Piece> =
            clauses.into_iter().flat_map(|clause| assertion(language, &clause)).collect();
        pieces.push(Piece::Text("\n".repeat(text[range.clone()].matches('\n').count())));
        Edit { range, kind: WrittenKind::Annotation, pieces }
    }

    /// The head of a loop with its invariant at the start of the body, and the test after it.
    fn invariant(language: Language, text: &str, found: invariants::Invariant) -> Edit {
        let head = &text[found.head.clone()];
        let mut pieces = vec![Piece::Text(found.before(head))];
        for clause in &found.clauses {
            pieces.extend(assertion(language, clause));
        }
        pieces.push(Piece::Text(found.test(text)));
        Edit { range: found.head, kind: WrittenKind::LoopInvariant, pieces }
    }
}

impl Edit {
    /// An invariant of a class, before a method or at the end of a constructor.
    fn class_invariant(language: Language, change: Change) -> Edit {
        let (at, pieces) = match change {
            Change::Contract { at, text } => (at, vec![Piece::Text(text)]),
            Change::Assertion { at, before, clause, after } => {
                let [place, text] = assertion(language, &clause);
                (at, vec![Piece::Text(before), place, text, Piece::Text(after)])
            }
        };
        Edit { range: at..at, kind: WrittenKind::ClassInvariant, pieces }
    }
}

impl Edit {
    /// What a call checks, before its statement.
    fn check(check: checks::Check) -> Edit {
        let mut pieces = Vec::new();
        for clause in check.clauses {
            pieces.push(Piece::Assert { clause: clause.clone() });
            let error = check.error;
            let fails = format!("if (!({clause})) throw new {error}(\"{CHECKED}\"); ");
            pieces.push(Piece::Text(fails));
        }
        Edit { range: check.at..check.at, kind: WrittenKind::Check, pieces }
    }
}

impl Piece {
    fn lines(&self) -> usize {
        match self {
            Piece::Text(text) => text.matches('\n').count(),
            Piece::Assert { .. } => 0,
        }
    }
}

/// An assertion of the language that the preprocessor cannot turn off.
fn assertion(language: Language, clause: &str) -> [Piece; 2] {
    let clause = one_line(clause);
    let text = match language {
        Language::Java => format!(" assert {clause};"),
        Language::C => format!(" if ({clause}) ; else __assert_fail(\"\", \"\", 0, \"\");"),
    };
    [Piece::Assert { clause }, Piece::Text(text)]
}

/// What an annotation asserts, if it does.
fn annotated(language: Language, said: &str) -> Option<Result<Vec<String>, String>> {
    let rest = said.trim().strip_prefix("assert")?;
    if !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let rest = rest.trim().trim_end_matches(';');
    Some(contracts::expression_in(language, rest).map(|expression| {
        let code = contracts::code_only(language, &expression);
        clauses(&code, 0..expression.len()).into_iter().map(|range| expression[range].to_owned()).collect()
    }))
}

impl Spelled {
    fn apply(&mut self, edit: Edit, assertion: usize) {
        let kind = edit.kind;
        for piece in edit.pieces {
            match piece {
                Piece::Text(text) => self.text.push_str(&text),
                Piece::Assert { clause } => {
                    let line = line_of(&self.text, self.text.len());
                    self.written.push(Written { line, clause, assertion, kind });
                }
            }
        }
    }
}

fn line_of(text: &str, at: usize) -> u32 {
    u32::try_from(text[..at].matches('\n').count() + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java(text: &str) -> String {
        spelled(Language::Java, text)
    }

    fn c(text: &str) -> String {
        spelled(Language::C, text)
    }

    fn spelled(language: Language, text: &str) -> String {
        let spelled = spell_out(language, text, false);
        let lines = |text: &str| text.matches('\n').count();
        assert_eq!(lines(&spelled.text), lines(text), "lines should stay where they are: {}", spelled.text);
        for written in &spelled.written {
            let line = spelled.text.lines().nth(written.line as usize - 1).unwrap_or_default();
            assert!(line.contains("assert"), "{written:?} should stand in `{line}`");
        }
        spelled.text
    }

    #[test]
    fn each_clause_is_an_assertion() {
        assert_eq!(java("assert a && b;"), "{ assert a;assert b; }");
        assert_eq!(java("assert (a && b) && c : m;"), "{ assert a : m;assert b : m;assert c : m; }");
    }

    #[test]
    fn what_cannot_be_taken_apart_is_left_as_it_is() {
        for text in [
            "assert a || b && c;",
            "assert x ? a && b : c;",
            "assert (y = a && b);",
            "assert o instanceof A p && p.f;",
        ] {
            assert!(!java(text).starts_with('{'), "{text}");
        }
    }

    #[test]
    fn comments_literals_and_directives_have_no_assertions() {
        assert!(
            spell_out(Language::Java, "// assert a && b;\nString s = \"assert a && b;\";", false)
                .written
                .is_empty()
        );
        assert!(
            spell_out(Language::C, "#define A(x) \\\n  assert(x && 1)\nint assert_it(int x);", false)
                .written
                .is_empty()
        );
    }

    #[test]
    fn lines_stay_where_they_are() {
        java("f(); assert a\n  && b\n  : \"m\"\n  + 1;\ng();");
        c("assert(a &&\n  b)\n;");
        java("//@ loop_invariant i >= 0 && i <= n;\nwhile (i\n < n) {\n}\n");
        c("/*@ loop invariant 0 <= i;\n    loop invariant i <= n; */\nfor (i = 0;\n i < n; i++) { }");
    }

    #[test]
    fn the_invariant_of_a_loop_that_tests_at_its_end_holds_when_its_body_begins() {
        assert_eq!(
            java("//@ loop_invariant i >= 0;\ndo { i++; } while (i < n);"),
            "//@ loop_invariant i >= 0;\ndo { assert i >= 0; i++; } while (i < n);"
        );
    }

    #[test]
    fn the_invariant_of_a_class_is_kept_by_public_methods_and_made_by_constructors() {
        let text = "class A { int n; //@ invariant n >= 0;\nA() { n = 1; }\npublic void f(int k) { }\nvoid g() { }\n}";
        assert_eq!(
            java(text),
            "class A { int n; //@ invariant n >= 0;\nA() { n = 1;  assert n >= 0;}\n\
             /*@ requires n >= 0; ensures n >= 0; */ public void f(int k) { }\nvoid g() { }\n}"
        );
        // A class without a constructor gets one.
        assert_eq!(
            java("class A { int n = 1;\n//@ invariant n > 0;\n}"),
            "class A { int n = 1;\n//@ invariant n > 0;\n public A() { assert n > 0; }}"
        );
        let hidden = spell_out(
            Language::Java,
            "class A { //@ invariant n > 0;\npublic int f(int n) { } A() { } }",
            false,
        );
        assert_eq!(hidden.not_understood.len(), 1);
    }

    #[test]
    fn checks_are_assertions_where_that_is_asked_for() {
        let text = "void f() {\n    y = java.util.Objects.requireNonNull(x);\n}";
        assert_eq!(java(text), text);
        let spelled = spell_out(Language::Java, text, true);
        let line = spelled.text.lines().nth(1).unwrap_or_default().trim();
        assert!(line.starts_with("if (!(x != null)) throw new NullPointerException("), "{line}");
        assert!(line.ends_with("; y = java.util.Objects.requireNonNull(x);"), "{line}");
        assert_eq!(spelled.written[0].kind, WrittenKind::Check);
    }

    #[test]
    fn an_assertion_inside_an_expression_stays_there() {
        assert_eq!(c("int y = (assert(x && z), x);"), "int y = (assert(x && z), x);");
    }
}

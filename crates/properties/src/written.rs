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

mod clauses;
mod invariants;
mod scan;

use std::ops::Range;

use ir::Language;

use clauses::{clauses, one_line};
use scan::{Found, statements};

/// A text whose assertions have one clause each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spelled {
    pub text: String,
    /// Its assertions, in the order of the text.
    pub written: Vec<Written>,
    /// Annotations that are not understood: the line, and why.
    pub not_understood: Vec<(u32, String)>,
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
}

/// Spells out the assertions of a file, as it is before any preprocessor.
pub fn spell_out(language: Language, text: &str) -> Spelled {
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
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut spelled = Spelled { text: String::new(), written: Vec::new(), not_understood };
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
        let message = found.message.clone().map(|range| text[range].replace('\n', " "));
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

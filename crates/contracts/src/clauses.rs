//! An annotation as a list of clauses.

use ir::Language;

use crate::expression::meaning;
use crate::tokens::tokens;
use crate::{Clause, ClauseKind};

/// Words of JML and ACSL that start something we do not use.
const OTHER: &str = "signals signals_only diverges when measured_by decreases variant terminates reads accessible captures
    callable invariant constraint initially represents axiom maintaining loop_invariant loop ghost set assume assert pure
    forall old allocates frees exits breaks continues returns assumes complete disjoint requires_redundantly
    ensures_redundantly";

/// Words that divide a contract into cases: what stands before and after them is not simply true of all calls.
const CASES: &str = "also behavior behaviour normal_behavior normal_behaviour exceptional_behavior
    exceptional_behaviour implies_that for_example code";

/// The clauses of an annotation. What starts with no word of a contract is none.
pub(crate) fn clauses(language: Language, lines: &[(u32, String)]) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let mut has_cases = false;
    for (line, text) in chunks(lines) {
        let words = tokens(&text);
        let Some(word) = words.iter().find(|it| !matches!(it.text, "public" | "protected" | "private"))
        else {
            continue;
        };
        let rest = text[word.offset + word.text.len()..].trim().to_owned();
        let is_of = |list: &str| list.split_whitespace().any(|it| it == word.text);
        has_cases |= is_of(CASES);
        let clause = |kind, text: String, meaning| Clause { kind, line, text, meaning };
        match kind_of(word.text) {
            Some(kind) => {
                let meaning = match kind {
                    ClauseKind::Modifies => {
                        Ok(crate::Meaning { expression: rest.clone(), ..Default::default() })
                    }
                    ClauseKind::Requires | ClauseKind::Ensures | ClauseKind::Other => {
                        meaning(language, kind, &rest)
                    }
                };
                clauses.push(clause(kind, one_line(&rest), meaning));
            }
            None if is_of(OTHER) || is_of(CASES) => {
                let why = format!("`{}` is not understood", word.text);
                clauses.push(clause(ClauseKind::Other, one_line(&text), Err(why)));
            }
            None => {}
        }
    }
    if has_cases {
        for clause in clauses.iter_mut() {
            clause.meaning = Err("it is one case of several, which are not understood".to_owned());
        }
    }
    clauses
}

fn kind_of(word: &str) -> Option<ClauseKind> {
    match word {
        "requires" | "pre" => Some(ClauseKind::Requires),
        "ensures" | "post" => Some(ClauseKind::Ensures),
        "modifies" | "assignable" | "modifiable" | "assigns" => Some(ClauseKind::Modifies),
        _ => None,
    }
}

/// A text without line ends and double blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The texts between semicolons, with the lines where they start. A line that starts with the word of a clause starts
/// one, even if somebody forgot the semicolon before it.
fn chunks(lines: &[(u32, String)]) -> Vec<(u32, String)> {
    let mut chunks: Vec<(u32, String)> = Vec::new();
    let mut open: Option<(u32, String)> = None;
    let (mut depth, mut variables) = (0_i32, 0_u32);
    for (line, text) in lines {
        let words = tokens(text);
        if depth <= 0 && words.first().is_some_and(|first| kind_of(first.text).is_some()) {
            chunks.extend(open.take());
            variables = 0;
        }
        let mut from = 0;
        for token in &words {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                // What follows the variable of a quantifier belongs to it.
                "\\forall" | "\\exists" if depth <= 0 => variables += 1,
                ";" if depth <= 0 && variables > 0 => variables -= 1,
                ";" if depth <= 0 => {
                    add(&mut open, *line, &text[from..token.offset]);
                    chunks.extend(open.take());
                    from = token.offset + 1;
                    depth = 0;
                }
                _ => {}
            }
        }
        add(&mut open, *line, &text[from..]);
    }
    chunks.extend(open);
    chunks
}

fn add(open: &mut Option<(u32, String)>, line: u32, text: &str) {
    match open {
        Some((_, before)) => {
            before.push('\n');
            before.push_str(text);
        }
        None if text.trim().is_empty() => {}
        None => *open = Some((line, text.trim_start().to_owned())),
    }
}

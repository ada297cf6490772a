//! What a comment stands before: the first words of a procedure, or something else.

use ir::Language;

use crate::Declaration;
use crate::tokens::{Token, tokens};

/// No head of a procedure is longer.
const MOST_BYTES: usize = 4000;

/// The procedure whose head starts at an offset, if that is one: a name that an opening bracket follows.
pub(crate) fn declaration(language: Language, text: &str, offset: usize) -> Option<Declaration> {
    let line = text[..offset].matches('\n').count() as u32 + 1;
    let mut end = text.len().min(offset + MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let tokens = tokens(&text[offset..end]);
    let mut name: Option<&str> = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "@" if language == Language::Java => {
                at = after_annotation(&tokens, at + 1);
                continue;
            }
            "__attribute__" | "__attribute" | "__declspec" => {
                at = after_group(&tokens, at + 1);
                name = None;
                continue;
            }
            "[" if tokens.get(at + 1).is_some_and(|next| next.text == "[") => {
                at = after_group(&tokens, at);
                continue;
            }
            "(" => {
                let name = name?.to_owned();
                let prototype = (language == Language::C).then(|| prototype(&tokens, at)).flatten();
                return Some(Declaration { line, name, is_around: false, prototype });
            }
            ";" | "{" | "}" | "=" | ")" | "#" => return None,
            _ => name = token.is_word().then_some(token.text),
        }
        at += 1;
    }
    None
}

/// The names of the parameters between the brackets that open here, if a semicolon follows. None for what has no name, or
/// is more than a name and its type.
fn prototype(tokens: &[Token<'_>], open: usize) -> Option<Vec<String>> {
    let end = after_group(tokens, open);
    let is_prototype = tokens.get(end).is_some_and(|token| token.text == ";");
    let inside = tokens.get(open + 1..end.checked_sub(1)?).filter(|_| is_prototype)?;
    if matches!(inside, []) || matches!(inside, [only] if only.text == "void") {
        return Some(Vec::new());
    }
    inside
        .split(|token| token.text == ",")
        .map(|parameter| match parameter {
            [_, .., name] if name.is_word() => Some(name.text.to_owned()),
            _ => None,
        })
        .collect()
}

/// The place after `Name.Name(...)`.
fn after_annotation(tokens: &[Token<'_>], mut at: usize) -> usize {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    at += 1;
    while text(at) == "." {
        at += 2;
    }
    if text(at) == "(" { after_group(tokens, at) } else { at }
}

/// The place after the brackets that open here.
fn after_group(tokens: &[Token<'_>], mut at: usize) -> usize {
    let mut depth = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth <= 0 {
            break;
        }
    }
    at
}

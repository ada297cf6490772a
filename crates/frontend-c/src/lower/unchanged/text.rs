//! A piece of a C file as tokens, with the names that it has in common with others.

use std::collections::BTreeSet;

use super::names::Names;
use crate::parse::Unit;
use crate::tokens::tokens;

/// A piece as tokens.
#[derive(Default)]
pub(super) struct Text {
    pub(super) tokens: String,
    pub(super) mentions: BTreeSet<String>,
    /// The functions that are mentioned without being called.
    pub(super) addressed: BTreeSet<String>,
    pub(super) calls_pointers: bool,
    /// It calls code that is not given and may call functions of the program.
    pub(super) calls_back: bool,
    /// Names that it gives to the assembler or to the linker.
    pub(super) linked: BTreeSet<String>,
    pub(super) is_around_main: bool,
}

impl Text {
    pub(super) fn of(
        unit: &Unit,
        range: std::ops::Range<usize>,
        known: &BTreeSet<String>,
        names: &Names,
    ) -> Text {
        let mut text = Text::default();
        let mut quoted = String::new();
        let mut is_linking = false;
        let whole = unit.source.whole.get(range).unwrap_or_default();
        let mut previous = "";
        let mut end = 0;
        for (at, token) in tokens(whole) {
            // `++` is one token, `+ +` are two.
            let is_second =
                matches!(token, "+" | "-") && at == end && text.tokens.ends_with(&[" ", token, " "].concat());
            end = at + token.len();
            if is_second {
                text.tokens.pop();
                text.tokens.push_str(token);
                text.tokens.push(' ');
                previous = token;
                continue;
            }
            let is_name =
                |token: &str| token.starts_with(|first: char| first.is_alphabetic() || first == '_');
            if token == "(" && (matches!(previous, ")" | "]") || is_name(previous)) {
                text.calls_back |= names.calling_back.contains(previous);
                text.calls_pointers |= !names.functions.contains(previous) && !is_keyword(previous);
            } else if names.functions.contains(previous) {
                text.addressed.insert(previous.to_owned());
            }
            if is_name(token) {
                text.mentions.insert(token.to_owned());
            } else if token.ends_with('"') {
                // Neighbours are one literal.
                quoted.push_str(token.trim_matches('"'));
            }
            if !token.ends_with('"') {
                quoted.push(' ');
            }
            is_linking |= is_linking_word(token);
            text.is_around_main |= is_around_main(token);
            text.tokens.push_str(token);
            // A name that is declared behind the piece means something else in it.
            text.tokens.push_str(if is_name(token) && !known.contains(token) { "? " } else { " " });
            previous = token;
        }
        if is_linking {
            text.linked = words(&quoted.replace("\\n", " ").replace("\\t", " ")).collect();
            let ends = |word: &String| [format!("__start_{word}"), format!("__stop_{word}")];
            let ends: Vec<String> = text.linked.iter().flat_map(ends).collect();
            text.linked.extend(ends);
            text.mentions.extend(text.linked.iter().cloned());
        }
        text
    }

    /// Whether it is a variable of one file alone, or a function with one: each file has another one. Constants are all the
    /// same. Over-approximating.
    pub(super) fn has_own_state(&self) -> bool {
        let is = |wanted: &str| self.tokens.split(' ').any(|token| token.trim_end_matches('?') == wanted);
        is("static") && (is("{") && is("(") || !is("const") || is("*"))
    }

    /// Adds what stands before a declaration and may be attributes of it.
    pub(super) fn take_attributes(&mut self, before: &Text) {
        self.mentions.extend(before.mentions.iter().cloned());
        self.linked.extend(before.linked.iter().cloned());
        self.is_around_main |= before.is_around_main;
    }
}

/// The words of a pragma or of a string literal.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned)
}

/// A word without the underscores around it: `alias` and `__alias__` are one attribute.
fn bare(word: &str) -> &str {
    word.trim_matches('_')
}

/// Words beside string literals that are names or code for the assembler or the linker.
fn is_linking_word(word: &str) -> bool {
    ["asm", "alias", "weakref", "ifunc", "Pragma", "symver", "section"].contains(&bare(word))
}

/// Attributes of what runs before `main` begins or after it ended.
fn is_around_main(word: &str) -> bool {
    ["constructor", "destructor", "section"].contains(&bare(word))
}

/// Words before a bracket that call nothing. Others only cost completeness.
fn is_keyword(word: &str) -> bool {
    let words = ["if", "while", "for", "switch", "return", "sizeof", "case", "do", "else"];
    words.contains(&word)
        || ["__attribute__", "__asm__", "asm", "__typeof__", "__extension__"].contains(&word)
}

//! The tokens of a clause or of the head of a procedure, coarsely.

/// A token, and whether a blank stands before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) text: &'t str,
    pub(crate) offset: usize,
    pub(crate) is_spaced: bool,
}

impl Token<'_> {
    /// Whether this is a name or a number.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(is_word_char)
    }
}

/// Longer operators first.
const OPERATORS: [&str; 16] =
    ["<==>", "<=!=>", "==>", "<==", ">>>", "...", "&&", "||", "<=", ">=", "==", "!=", "<<", ">>", "->", ".."];

/// The tokens of a text without comments.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let end = at + length(&text[at..], first);
        let is_spaced = text[..at].ends_with(char::is_whitespace);
        tokens.push(Token { text: &text[at..end], offset: at, is_spaced });
        at = end;
    }
    tokens
}

/// How long the token is that a text starts with.
fn length(text: &str, first: char) -> usize {
    if first == '"' || first == '\'' {
        let mut is_escaped = false;
        let end = text.char_indices().skip(1).find(|(_, char)| {
            let ends = *char == first && !is_escaped;
            is_escaped = *char == '\\' && !is_escaped;
            ends
        });
        return end.map_or(text.len(), |(at, _)| at + 1);
    }
    if first == '\\' {
        return 1 + word(&text[1..]);
    }
    if first.is_ascii_digit() {
        // The point of a number belongs to it, that of a range does not.
        let whole = word(text);
        let rest = &text[whole..];
        return match rest.starts_with('.') && !rest.starts_with("..") {
            true => whole + 1 + word(&rest[1..]),
            false => whole,
        };
    }
    if is_word_char(first) {
        return word(text);
    }
    let operator = OPERATORS.iter().find(|operator| text.starts_with(**operator));
    operator.map_or(first.len_utf8(), |operator| operator.len())
}

fn word(text: &str) -> usize {
    text.find(|char| !is_word_char(char)).unwrap_or(text.len())
}

fn is_word_char(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '$'
}

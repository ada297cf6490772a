//! Splits C and Java text into tokens, tolerantly: what is no token of the languages is a token of one character.
//!
//! Comments, blanks and preprocessor lines are left out. A token knows its place, so that text can be changed in place.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    Word,
    Number,
    Char,
    Text,
    Sign,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub place: Range<usize>,
}

/// The signs of more than one character, longest first.
const SIGNS: [&str; 27] = [
    ">>>=", "<<=", ">>=", ">>>", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "##", "\"\"\"",
];

/// The tokens of a text. With directives, lines that begin with `#` are left out, continued ones included.
pub fn tokens(text: &str, has_directives: bool) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_begins = true;
    while at < bytes.len() {
        let byte = bytes[at];
        let end = if byte == b'\n' {
            line_begins = true;
            at += 1;
            continue;
        } else if byte.is_ascii_whitespace() || byte == b'\\' {
            at += 1;
            continue;
        } else if bytes[at..].starts_with(b"//") {
            at = line_end(bytes, at);
            continue;
        } else if bytes[at..].starts_with(b"/*") {
            at = find(bytes, at + 2, b"*/").map_or(bytes.len(), |end| end + 2);
            continue;
        } else if byte == b'#' && line_begins && has_directives {
            at = line_end(bytes, at);
            continue;
        } else if bytes[at..].starts_with(b"\"\"\"") {
            let end = find(bytes, at + 3, b"\"\"\"").map_or(bytes.len(), |end| end + 3);
            (TokenKind::Text, end)
        } else if byte == b'"' || byte == b'\'' {
            let kind = if byte == b'"' { TokenKind::Text } else { TokenKind::Char };
            (kind, quoted_end(bytes, at))
        } else if byte.is_ascii_digit() || (byte == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
        {
            (TokenKind::Number, number_end(bytes, at))
        } else if is_word(byte) {
            let end = (at..bytes.len()).find(|end| !is_word(bytes[*end])).unwrap_or(bytes.len());
            (TokenKind::Word, end)
        } else {
            let sign = SIGNS.iter().find(|sign| bytes[at..].starts_with(sign.as_bytes()));
            (TokenKind::Sign, at + sign.map_or(1, |sign| sign.len()))
        };
        line_begins = false;
        tokens.push(Token { kind: end.0, place: at..end.1 });
        at = end.1;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    (from..bytes.len()).find(|at| bytes[*at..].starts_with(what))
}

/// The newline that ends a line, or the end of the text. A line that ends with a backslash goes on.
fn line_end(bytes: &[u8], from: usize) -> usize {
    let ends = |at: &usize| bytes[*at] == b'\n' && bytes[at - 1] != b'\\';
    (from + 1..bytes.len()).find(ends).unwrap_or(bytes.len())
}

/// After the closing quote; a quote that is not closed ends with its line.
fn quoted_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != bytes[from] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn number_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < bytes.len() {
        let is_exponent_sign = matches!(bytes[at], b'+' | b'-')
            && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
            && !bytes[from..].starts_with(b"0x");
        if !is_word(bytes[at]) && bytes[at] != b'.' && !is_exponent_sign {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text, true).into_iter().map(|token| &text[token.place]).collect()
    }

    #[test]
    fn signs_are_as_long_as_they_can_be() {
        assert_eq!(words("a>>>=b->c+++1.5e-3f"), ["a", ">>>=", "b", "->", "c", "++", "+", "1.5e-3f"]);
        assert_eq!(words("0xe+1"), ["0xe", "+", "1"]);
    }

    #[test]
    fn comments_and_directives_are_no_tokens_and_strings_are_one() {
        let text = "a // b\n/* c */ #d\n#define X \\\n  y\n\"e\\\"f\" # '\\''";
        assert_eq!(words(text), ["a", "\"e\\\"f\"", "#", "'\\''"]);
    }

    #[test]
    fn text_that_ends_early_is_no_trouble() {
        for text in ["\"abc", "'", "/* x", "#", "\"\\", "0x", "\"\"\"a", "é"] {
            assert!(tokens(text, true).len() <= 1, "{text}");
        }
    }
}

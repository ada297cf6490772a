//! C text as words, numbers, quoted texts, signs and what is between them. Exact: the tokens together are the text.

use std::collections::BTreeSet;

/// A piece of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// Blanks, line ends and comments.
    Space,
    /// A whole line that starts with `#`, and those that it goes on in.
    Directive,
    /// A name or a keyword.
    Word,
    Number,
    /// In quotes of either kind.
    Quoted,
    /// One character.
    Sign,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(crate) fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }

    pub(crate) fn is_space(&self) -> bool {
        self.kind == TokenKind::Space
    }
}

/// The tokens of a text; what is cut off ends with it.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut starts_line = true;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first, starts_line);
        let token = &rest[..length];
        starts_line = match kind {
            TokenKind::Space => starts_line || token.contains('\n'),
            TokenKind::Directive => true,
            _ => false,
        };
        found.push(Token { kind, text: token.to_owned() });
        rest = &rest[length..];
    }
    found
}

fn next(rest: &str, first: char, starts_line: bool) -> (TokenKind, usize) {
    let until = |is_end: fn(char) -> bool| rest.find(is_end).unwrap_or(rest.len());
    if first.is_whitespace() {
        return (TokenKind::Space, until(|c| !c.is_whitespace()));
    }
    if rest.starts_with("//") {
        return (TokenKind::Space, until(|c| c == '\n'));
    }
    if rest.starts_with("/*") {
        return (TokenKind::Space, rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    if first == '#' && starts_line {
        return (TokenKind::Directive, directive(rest));
    }
    if first == '"' || first == '\'' {
        return (TokenKind::Quoted, quoted(rest, first));
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    if first.is_ascii_digit() {
        return (TokenKind::Number, until(|c| !(c.is_alphanumeric() || c == '_' || c == '.')));
    }
    if is_part(first) {
        return (TokenKind::Word, until(|c| !(c.is_alphanumeric() || c == '_')));
    }
    (TokenKind::Sign, first.len_utf8())
}

/// Up to the line end that has no backslash before it.
fn directive(rest: &str) -> usize {
    let mut from = 0;
    while let Some(end) = rest[from..].find('\n') {
        let end = from + end;
        if !rest[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        from = end + 1;
    }
    rest.len()
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (place, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return place + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The text of tokens.
pub(crate) fn text(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

/// All words of tokens, those in directives too.
pub(crate) fn words(tokens: &[Token]) -> BTreeSet<String> {
    let inside = tokens.iter().flat_map(|token| match token.kind {
        TokenKind::Word => vec![token.text.clone()],
        TokenKind::Directive => words(&self::tokens(&token.text[1..])).into_iter().collect(),
        _ => Vec::new(),
    });
    inside.collect()
}

/// The tokens with some words renamed, in directives too; not the members of structures (`a.x`, `p->x`) if `members`
/// are left alone.
pub(crate) fn renamed(
    tokens: &[Token],
    rename: &dyn Fn(&str) -> Option<String>,
    members: bool,
) -> Vec<Token> {
    let mut result: Vec<Token> = Vec::new();
    for token in tokens {
        let mut before = result.iter().rev().filter(|token| !token.is_space());
        let is_member = match before.next() {
            Some(token) if token.is(".") => true,
            Some(token) if token.is(">") => before.next().is_some_and(|token| token.is("-")),
            _ => false,
        };
        let mut token = token.clone();
        match token.kind {
            TokenKind::Word if members || !is_member => {
                token.text = rename(&token.text).unwrap_or(token.text);
            }
            TokenKind::Directive if !token.text[1..].trim_start().starts_with("include") => {
                let inside = renamed(&self::tokens(&token.text[1..]), rename, members);
                token.text = format!("#{}", text(&inside));
            }
            _ => {}
        }
        result.push(token);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "#define N 3 \\\n  + x\nint f(int x) { /* x */ return p->x + x.x + 'x' + \"\\\"x\"[0] + 0x1; }\n";

    #[test]
    fn the_tokens_together_are_the_text() {
        assert_eq!(text(&tokens(TEXT)), TEXT);
        assert_eq!(text(&tokens("\"cut off")), "\"cut off");
        assert_eq!(text(&tokens("/* cut off")), "/* cut off");
    }

    #[test]
    fn words_are_renamed_in_directives_but_not_in_quotes_and_comments() {
        let rename = |word: &str| (word == "x").then(|| "y".to_owned());
        let all = text(&renamed(&tokens(TEXT), &rename, true));
        assert_eq!(
            all,
            "#define N 3 \\\n  + y\nint f(int y) { /* x */ return p->y + y.y + 'x' + \"\\\"x\"[0] + 0x1; }\n"
        );
        let variables = text(&renamed(&tokens("p->x + x.x - x"), &rename, false));
        assert_eq!(variables, "p->x + y.x - y");
    }
}

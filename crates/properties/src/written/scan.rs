//! Finds the `assert`s of a text in which comments and literals are blank.

use std::ops::Range;

use ir::Language;

/// An assertion of the language.
pub(super) struct Found {
    /// From `assert` to its end; in C without the semicolon where it is no statement of its own.
    pub(super) range: Range<usize>,
    pub(super) condition: Range<usize>,
    pub(super) message: Option<Range<usize>>,
    /// Whether statements can stand in its place.
    pub(super) is_statement: bool,
}

/// The assertions of a text, in its order.
pub(super) fn statements(language: Language, code: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for (at, word) in words(code) {
        if word != "assert" || in_directive(language, code, at) {
            continue;
        }
        let assertion = match language {
            Language::Java => java(code, at),
            Language::C => c(code, at),
        };
        found.extend(assertion);
    }
    found
}

/// The words of a text with their offsets.
pub(super) fn words(code: &str) -> Vec<(usize, &str)> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|byte| is_letter(**byte)).count();
        if end > at && !bytes[at].is_ascii_digit() {
            found.push((at, &code[at..end]));
        }
        at = end.max(at + 1);
    }
    found
}

/// Whether a place is in a line for the preprocessor.
fn in_directive(language: Language, code: &str, at: usize) -> bool {
    if language != Language::C {
        return false;
    }
    let mut lines = code[..at].rsplit('\n');
    let mut line = lines.next().unwrap_or("");
    loop {
        if line.trim_start().starts_with('#') {
            return true;
        }
        match lines.next() {
            Some(above) if above.trim_end().ends_with('\\') => line = above,
            _ => return false,
        }
    }
}

/// `assert condition;` or `assert condition : message;`.
fn java(code: &str, at: usize) -> Option<Found> {
    let start = at + "assert".len();
    if code[..at].trim_end().ends_with('.')
        || code[start..].trim_start().starts_with(['.', '(']) && calls(code, start)
    {
        return None;
    }
    let end = at_depth_zero(code, start, |byte, _| byte == b';')?;
    let colon = colon_of(&code[start..end]).map(|colon| start + colon);
    let condition = start..colon.unwrap_or(end);
    let message = colon.map(|colon| colon + 1..end);
    Some(Found { range: at..end + 1, condition, message, is_statement: true })
}

/// Whether what looks like `assert(...)` is a call of a method of that name: old code has those, and so have arrows.
fn calls(code: &str, after: usize) -> bool {
    let Some(open) = code[after..].find('(').map(|found| after + found) else { return false };
    if !code[after..open].trim().is_empty() {
        return false;
    }
    let close = at_depth_zero(code, open + 1, |byte, _| byte == b')');
    // The declaration of such a method has a body.
    close.is_some_and(|close| code[close + 1..].trim_start().starts_with('{'))
}

/// `assert(condition)`.
fn c(code: &str, at: usize) -> Option<Found> {
    let after = at + "assert".len();
    let open = after + code[after..].find('(')?;
    if !code[after..open].trim().is_empty() {
        return None;
    }
    let close = at_depth_zero(code, open + 1, |byte, _| byte == b')')?;
    let before = code[..at].trim_end();
    let is_after = ["", ";", "{", "}", ")", ":", "else", "do"].iter().any(|end| match *end {
        "" => before.is_empty(),
        end => before.ends_with(end),
    });
    let rest = &code[close + 1..];
    let semicolon = close + 1 + (rest.len() - rest.trim_start().len());
    let is_statement =
        is_after && !before.ends_with("(void)") && code[semicolon..].starts_with(';') && !is_declared(before);
    let end = if is_statement { semicolon + 1 } else { close + 1 };
    Some(Found { range: at..end, condition: open + 1..close, message: None, is_statement })
}

/// Whether a name stands after a type: it is a declaration.
fn is_declared(before: &str) -> bool {
    before.ends_with('*')
}

/// The first place from `start` on, outside of all brackets, where something holds.
pub(super) fn at_depth_zero(code: &str, start: usize, is_it: impl Fn(u8, usize) -> bool) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, byte) in code.bytes().enumerate().skip(start) {
        if depth == 0 && is_it(byte, at) {
            return Some(at);
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

/// The colon before the message: one that belongs to no `?`, and is none of `::`.
fn colon_of(code: &str) -> Option<usize> {
    let bytes = code.as_bytes();
    let (mut depth, mut open) = (0_i32, 0);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'?' if depth == 0 => open += 1,
            b':' if depth == 0 && (bytes.get(at + 1) == Some(&b':') || at > 0 && bytes[at - 1] == b':') => {}
            b':' if depth == 0 && open == 0 => return Some(at),
            b':' if depth == 0 => open -= 1,
            _ => {}
        }
    }
    None
}

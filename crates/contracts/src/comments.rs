//! Finds the comments that are annotations: those that start with `//@` or `/*@`.

use ir::Language;

/// The lines of a comment, or of several `//@` below each other.
pub(crate) struct Annotation {
    /// What is left of each line without marks, and its number, counted from 1.
    pub(crate) lines: Vec<(u32, String)>,
    /// The offset of the first word after it that is no comment.
    pub(crate) before: usize,
}

/// A comment of a text.
struct Comment<'t> {
    start: usize,
    end: usize,
    text: &'t str,
}

/// All annotations of a text.
pub(crate) fn annotations(language: Language, text: &str) -> Vec<Annotation> {
    let comments = comments(language, text);
    let mut found: Vec<(usize, Annotation)> = Vec::new();
    for (at, comment) in comments.iter().enumerate() {
        let is_line = comment.text.starts_with("//@");
        if !is_line && !comment.text.starts_with("/*@") {
            continue;
        }
        let line = text[..comment.start].matches('\n').count() as u32 + 1;
        let lines = lines(comment.text, line);
        match found.last_mut() {
            Some((end, above)) if is_line && text[*end..comment.start].trim().is_empty() => {
                above.lines.extend(lines);
                *end = comment.end;
            }
            _ => {
                let annotation = Annotation { lines, before: 0 };
                found.push((comment.end, annotation));
            }
        }
        if let Some((_, annotation)) = found.last_mut() {
            annotation.before = next_word(text, comment.end, &comments[at + 1..]);
        }
    }
    found.into_iter().map(|(_, annotation)| annotation).collect()
}

/// A text with blanks instead of comments.
pub(crate) fn without(language: Language, text: &str) -> String {
    let mut blank = String::with_capacity(text.len());
    let mut done = 0;
    for comment in comments(language, text) {
        blank.push_str(&text[done..comment.start]);
        let inside = text[comment.start..comment.end].bytes();
        blank.extend(inside.map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        done = comment.end;
    }
    blank.push_str(&text[done..]);
    blank
}

/// A text with blanks instead of comments and literals: every offset and line stays.
pub(crate) fn code(language: Language, text: &str) -> String {
    let without = without(language, text);
    let bytes = without.as_bytes();
    let mut blank = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = after_literal(language, bytes, at);
        if end > at + 1 {
            blank[at + 1..end - 1].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b'_');
        }
        at = end;
    }
    // What is no ASCII is a letter at best.
    blank.iter_mut().filter(|byte| !byte.is_ascii()).for_each(|byte| *byte = b'_');
    String::from_utf8(blank).unwrap_or_default()
}

/// The annotations one by one: where each stands, and what is left of it without marks.
pub(crate) fn marked(language: Language, text: &str) -> Vec<(std::ops::Range<usize>, String)> {
    let is_marked =
        |comment: &Comment<'_>| comment.text.starts_with("//@") || comment.text.starts_with("/*@");
    let inside = |comment: &Comment<'_>| {
        lines(comment.text, 1).into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    };
    let comments = comments(language, text);
    comments.iter().filter(|it| is_marked(it)).map(|it| (it.start..it.end, inside(it))).collect()
}

/// The lines of one comment without its marks, and without the comments inside it.
fn lines(comment: &str, first: u32) -> Vec<(u32, String)> {
    let inside = match comment.strip_prefix("/*") {
        Some(block) => block.strip_suffix("*/").unwrap_or(block).trim_end_matches('@'),
        None => &comment[2..],
    };
    let without_marks = |line: &str| {
        let line = line.trim_start().trim_start_matches('@');
        line.split("//").next().unwrap_or(line).trim_end().to_owned()
    };
    inside.lines().enumerate().map(|(at, line)| (first + at as u32, without_marks(line))).collect()
}

/// The first offset at or after one that is neither blank nor in a comment.
fn next_word(text: &str, from: usize, comments: &[Comment<'_>]) -> usize {
    let mut at = from;
    let mut comments = comments.iter();
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        match comments.next() {
            Some(comment) if comment.start == at => at = comment.end,
            Some(_) | None => return at,
        }
    }
}

/// All comments, in the order of the text. What stands in literals is none.
fn comments(language: Language, text: &str) -> Vec<Comment<'_>> {
    let bytes = text.as_bytes();
    let mut comments = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"/*") {
            rest[2..].windows(2).position(|pair| pair == b"*/").map_or(bytes.len(), |found| at + found + 4)
        } else if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |found| at + found)
        } else {
            at = after_literal(language, bytes, at);
            continue;
        };
        comments.push(Comment { start: at, end, text: text[at..end].trim_end() });
        at = end;
    }
    comments
}

/// The end of the literal that starts here; the next byte if none does.
fn after_literal(language: Language, bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    if quote != b'"' && quote != b'\'' {
        return start + 1;
    }
    let is_block = language == Language::Java && bytes[start..].starts_with(b"\"\"\"");
    let mut at = start + if is_block { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' if !is_block => return at,
            b'"' if is_block && bytes[at..].starts_with(b"\"\"\"") => return at + 3,
            byte if byte == quote && !is_block => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

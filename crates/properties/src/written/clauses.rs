//! The clauses of a condition: what stands between the `&&` outside of all brackets.

use std::ops::Range;

/// The clauses of a condition, by their place in the code. One if it cannot be taken apart.
pub(super) fn clauses(code: &str, condition: Range<usize>) -> Vec<Range<usize>> {
    let condition = trimmed(code, condition);
    // What `instanceof` declares is known only in the rest of the expression.
    if code[condition.clone()].contains("instanceof") {
        return vec![condition];
    }
    let inner = without_brackets(code, condition.clone());
    let Some(parts) = parts(code, inner) else { return vec![condition] };
    match parts.len() {
        0 | 1 => vec![condition],
        _ => parts.into_iter().flat_map(|part| clauses(code, part)).collect(),
    }
}

/// A text without line ends and double blanks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn trimmed(code: &str, range: Range<usize>) -> Range<usize> {
    let text = &code[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    start..(start + text.trim().len())
}

/// What stands in brackets that go around all of it.
fn without_brackets(code: &str, range: Range<usize>) -> Range<usize> {
    let range = trimmed(code, range);
    let text = &code[range.clone()];
    if !text.starts_with('(') || !text.ends_with(')') {
        return range;
    }
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && at + 1 < text.len() {
            return range;
        }
    }
    without_brackets(code, range.start + 1..range.end - 1)
}

/// What stands between `&&`. `None` if an operator that binds less tightly stands beside them.
fn parts(code: &str, range: Range<usize>) -> Option<Vec<Range<usize>>> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let (mut depth, mut start, mut at) = (0_i32, range.start, range.start);
    while at < range.end {
        let pair = [bytes[at], *bytes.get(at + 1).unwrap_or(&b' ')];
        let before = if at > range.start { bytes[at - 1] } else { b' ' };
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ if depth > 0 => {}
            b'&' if pair == *b"&&" => {
                found.push(start..at);
                start = at + 2;
                at += 1;
            }
            b'|' if pair == *b"||" => return None,
            b'?' | b',' => return None,
            b'-' if pair == *b"->" => {
                // A member in C, a lambda in Java.
                let is_member =
                    bytes.get(at + 2).is_some_and(|next| next.is_ascii_alphabetic() || *next == b'_');
                if !is_member {
                    return None;
                }
                at += 1;
            }
            b'=' if pair == *b"==" => at += 1,
            b'=' if !matches!(before, b'<' | b'>' | b'!' | b'=') => return None,
            // `<<=` and `>>=`.
            b'=' if matches!(before, b'<' | b'>') && at >= range.start + 2 && bytes[at - 2] == before => {
                return None;
            }
            _ => {}
        }
        at += 1;
    }
    found.push(start..range.end);
    Some(found.into_iter().map(|part| trimmed(code, part)).collect())
}

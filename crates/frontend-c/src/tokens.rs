//! C text as tokens, for those who look at it before there is a tree.

/// The tokens of cleaned C text, coarsely: words, literals and single characters.
pub fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let start = at;
        let first = *bytes.get(at)?;
        if first == b'"' || first == b'\'' {
            at = literal_end(bytes, at);
        } else if first.is_ascii_alphanumeric() || first == b'_' || first >= 0x80 {
            while at < bytes.len()
                && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' || bytes[at] >= 0x80)
            {
                at += 1;
            }
        } else {
            at += 1;
        }
        Some((start, &text[start..at]))
    })
}

/// The end of the string or character literal that starts here; a literal ends at its line's end at the latest.
fn literal_end(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    // Never inside a character: `\` may stand before one of several bytes.
    while at < bytes.len() && bytes[at] & 0xc0 == 0x80 {
        at += 1;
    }
    at.min(bytes.len())
}

/// Overwrites comments, line markers and pragmas with spaces.
pub fn clean(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut cleaned = bytes.to_vec();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"/*") {
            rest[2..].windows(2).position(|pair| pair == b"*/").map_or(bytes.len(), |found| at + found + 4)
        } else if rest.starts_with(b"//") || (line_start && rest[0] == b'#') {
            rest.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |found| at + found)
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            at = literal_end(bytes, at);
            line_start = false;
            continue;
        } else {
            line_start = rest[0] == b'\n' || (line_start && rest[0].is_ascii_whitespace());
            at += 1;
            continue;
        };
        for byte in &mut cleaned[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    // Whole comments and lines were overwritten, so that no character was cut.
    String::from_utf8(cleaned).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

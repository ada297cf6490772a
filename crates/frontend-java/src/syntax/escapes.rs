//! Unicode escapes: `\u000a` is a line break before anything else is read (JLS 3.3). Exact.
//!
//! Surrogates stay as they are: a Rust text cannot hold them alone, and the reader of literals knows them. So do
//! control characters, which no token but a literal can have.

use std::borrow::Cow;

/// A source text with its escapes translated, and the way back to the places in the file.
pub(crate) struct Translated<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The places just after each escape: in the translated text, and in the file.
    after_escapes: Vec<(usize, usize)>,
    /// Where the lines of the file start; empty if nothing was translated.
    line_starts: Vec<usize>,
    original: &'a str,
}

impl<'a> Translated<'a> {
    pub(crate) fn of(original: &'a str) -> Translated<'a> {
        let as_it_is = |original| Translated {
            text: Cow::Borrowed(original),
            after_escapes: Vec::new(),
            line_starts: Vec::new(),
            original,
        };
        if !original.contains("\\u") {
            return as_it_is(original);
        }
        let bytes = original.as_bytes();
        let mut text = String::with_capacity(original.len());
        let mut after_escapes = Vec::new();
        let mut copied = 0;
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at] != b'\\' {
                at += 1;
                continue;
            }
            match escape_at(original, at) {
                Some((unit, end)) => {
                    text.push_str(&original[copied..at]);
                    text.push(unit);
                    after_escapes.push((text.len(), end));
                    copied = end;
                    at = end;
                }
                // A backslash takes the next character with it, so that `\\u0041` is no escape.
                None => at += if bytes.get(at + 1) == Some(&b'\\') { 2 } else { 1 },
            }
        }
        if after_escapes.is_empty() {
            return as_it_is(original);
        }
        text.push_str(&original[copied..]);
        let breaks = original.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(index, _)| index + 1)).collect();
        Translated { text: Cow::Owned(text), after_escapes, line_starts, original }
    }

    /// The line and column in the file, from 1, of a place in the translated text; nothing if the texts are the same.
    pub(crate) fn position(&self, byte: usize) -> Option<(u32, u32)> {
        if self.line_starts.is_empty() {
            return None;
        }
        let before = self.after_escapes.partition_point(|(translated, _)| *translated <= byte);
        let original = match before.checked_sub(1).map(|index| self.after_escapes[index]) {
            Some((translated, original)) => original + (byte - translated),
            None => byte,
        };
        let line = self.line_starts.partition_point(|start| *start <= original).max(1);
        let start = self.line_starts[line - 1];
        let column = self.original.get(start..original).map_or(original - start, |text| text.chars().count());
        Some((u32::try_from(line).ok()?, u32::try_from(column + 1).ok()?))
    }
}

/// The character of the escape that starts with the backslash at a place, and where it ends.
fn escape_at(text: &str, start: usize) -> Option<(char, usize)> {
    let rest = text[start..].strip_prefix("\\u")?;
    let digits_from = text.len() - rest.trim_start_matches('u').len();
    let digits = text.get(digits_from..digits_from + 4)?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let unit = u32::from_str_radix(digits, 16).ok()?;
    let is_blank = matches!(unit, 0x09 | 0x0a | 0x0c | 0x0d);
    let only_in_literals = (unit < 0x20 && !is_blank) || unit == 0x7f || unit >= 0xfffe;
    if only_in_literals {
        return None;
    }
    Some((char::from_u32(unit)?, digits_from + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(original: &str) -> String {
        Translated::of(original).text.into_owned()
    }

    #[test]
    fn escapes_are_characters() {
        assert_eq!(text(r"a\u0041b\uuu0042c"), "aAbBc");
        assert_eq!(text(r"// \u000a x"), "// \n x");
    }

    #[test]
    fn escaped_backslashes_and_surrogates_stay() {
        assert_eq!(text(r"\\u0041"), r"\\u0041");
        assert_eq!(text(r"\\\u0041"), r"\\A");
        assert_eq!(text(r"\ud800"), r"\ud800");
        assert_eq!(text(r"'\u0000'"), r"'\u0000'");
        assert_eq!(text(r"\u00"), r"\u00");
    }

    #[test]
    fn places_are_those_of_the_file() {
        let translated = Translated::of("a \\u000a b\nc");
        let place = |what| translated.position(translated.text.find(what).unwrap());
        assert_eq!(place('a'), Some((1, 1)));
        assert_eq!(place('b'), Some((1, 10)));
        assert_eq!(place('c'), Some((2, 1)));
        assert_eq!(Translated::of("abc").position(1), None);
    }
}

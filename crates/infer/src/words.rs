//! The words of source text, as far as conditions need them: the same for Java and C.

/// A word, and whether a blank stands before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) spaced: bool,
}

const LONG: [&str; 23] = [
    ">>>=", "<<=", ">>=", ">>>", "...", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "<<",
];

/// Splits a text into words. Comments are left out.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut spaced = false;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            spaced = true;
            continue;
        }
        if let Some(end) = comment(rest) {
            rest = &rest[end..];
            spaced = true;
            continue;
        }
        let length = word_length(rest, first);
        found.push(Word { text: rest[..length].to_owned(), spaced });
        rest = &rest[length..];
        spaced = false;
    }
    found
}

fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    rest.starts_with("/*").then(|| rest[2..].find("*/").map_or(rest.len(), |end| end + 4))
}

fn word_length(rest: &str, first: char) -> usize {
    if first == '"' || first == '\'' {
        let mut escaped = false;
        for (at, letter) in rest.char_indices().skip(1) {
            match (escaped, letter) {
                (false, '\\') => escaped = true,
                (false, letter) if letter == first => return at + letter.len_utf8(),
                _ => escaped = false,
            }
        }
        return rest.len();
    }
    let is_number = first.is_ascii_digit();
    let in_word = |letter: char| {
        letter.is_alphanumeric() || letter == '_' || letter == '$' || (is_number && letter == '.')
    };
    if in_word(first) {
        return rest.find(|letter| !in_word(letter)).unwrap_or(rest.len());
    }
    LONG.iter().find(|long| rest.starts_with(**long)).map_or(first.len_utf8(), |long| long.len())
}

/// The text of some words.
pub(crate) fn text_of(words: &[Word]) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        if word.spaced && at > 0 {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_' || letter == '$')
}

/// The place of the bracket that closes the one at a place.
pub(crate) fn closing(words: &[Word], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Words split at separators that stand outside of all brackets.
pub(crate) fn split<'w>(words: &'w [Word], separators: &[&str]) -> Vec<&'w [Word]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, word) in words.iter().enumerate() {
        match word.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            text if depth == 0 && separators.contains(&text) => {
                parts.push(&words[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&words[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_without_comments() {
        let text = "if (a[i] >= 0x1F /* low */ && s != \"x y\") // end\n  p->n++;";
        assert_eq!(text_of(&words(text)), "if (a[i] >= 0x1F && s != \"x y\") p->n++;");
    }
}

//! The variables that can be named at a place, as far as the text tells.
//!
//! Under-approximating: only those with a value for certain.

use std::collections::BTreeSet;

/// Words after which no name is declared.
const NO_TYPES: [&str; 12] =
    ["return", "else", "new", "throw", "case", "goto", "do", "instanceof", "assert", "in", "sizeof", "yield"];

/// A word or a sign, with its offset.
pub(super) fn tokens(code: &str) -> Vec<(usize, &str)> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let word = bytes[at..].iter().take_while(|byte| is_letter(**byte)).count();
        if word > 0 {
            found.push((at, &code[at..at + word]));
        } else if !bytes[at].is_ascii_whitespace() {
            found.push((at, &code[at..at + 1]));
        }
        at += word.max(1);
    }
    found
}

pub(super) fn words(code: &str) -> Vec<(usize, &str)> {
    tokens(code).into_iter().filter(|(_, token)| is_word(token)).collect()
}

pub(super) fn is_word(token: &str) -> bool {
    token.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_' || it == '$')
}

/// The variables that a clause names: no members, and no words of the language.
pub(super) fn variables(clause: &str) -> BTreeSet<&str> {
    let tokens = tokens(clause);
    let mut found = BTreeSet::new();
    for (number, (_, token)) in tokens.iter().enumerate() {
        let is_member = number > 0 && matches!(tokens[number - 1].1, "." | "\\");
        if is_word(token) && !is_member && !matches!(*token, "this" | "null" | "true" | "false") {
            found.insert(*token);
        }
    }
    found
}

/// The parameters and the initialised variables that can be named at the end of a range, which starts with the
/// declaration of a procedure.
pub(super) fn names(code: &str, start: usize, end: usize) -> BTreeSet<String> {
    let tokens = tokens(&code[start..end]);
    let text = |at: usize| tokens.get(at).map_or("", |(_, token)| *token);
    let mut blocks: Vec<BTreeSet<String>> = vec![BTreeSet::new()];
    // What the heads of loops declare belongs to the next block.
    let mut pending: BTreeSet<String> = BTreeSet::new();
    let (mut brackets, mut is_declaring, mut is_body) = (0_usize, false, false);
    for at in 0..tokens.len() {
        match text(at) {
            "{" => {
                blocks.push(std::mem::take(&mut pending));
                (is_declaring, is_body) = (false, true);
            }
            "}" => {
                blocks.pop();
                is_declaring = false;
            }
            "(" => brackets += 1,
            ")" => brackets = brackets.saturating_sub(1),
            ";" => {
                is_declaring = false;
                if brackets == 0 {
                    pending.clear();
                }
            }
            word if is_word(word) && at > 0 => {
                let before = text(at - 1);
                let after_type =
                    is_word(before) && !NO_TYPES.contains(&before) || matches!(before, "]" | ">" | "*");
                let is_set = text(at + 1) == "=" && text(at + 2) != "=";
                let is_parameter = !is_body && brackets > 0 && matches!(text(at + 1), "," | ")" | "[");
                let is_next = is_declaring && before == ",";
                // After `final` or `const` stands a type.
                let after_type = after_type && !matches!(before, "final" | "const");
                if after_type && is_parameter {
                    blocks[0].insert(word.to_owned());
                } else if is_set && (after_type || is_next) {
                    is_declaring = true;
                    match brackets {
                        0 => blocks.last_mut().map(|block| block.insert(word.to_owned())),
                        _ => Some(pending.insert(word.to_owned())),
                    };
                }
            }
            _ => {}
        }
    }
    blocks.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_value_can_be_named() {
        let code = "int f(int a, final int[] b) { int s = 0, t = 1; int u; { int v = 2; } \
                    for (int i = 0; i < a; i++) { int w = s; for (int j = 0, k = 1; j < a; j++) {";
        let names = names(code, 0, code.len());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(names, ["a", "b", "i", "j", "k", "s", "t", "w"]);
    }

    #[test]
    fn a_loop_without_braces_keeps_its_variables() {
        let code = "void f() { for (int i = 0; i < 3; i++) g(i); while (h()) {";
        assert!(names(code, 0, code.len()).is_empty());
    }

    #[test]
    fn members_are_no_variables() {
        assert_eq!(variables("i <= a.length && this.n != null"), ["a", "i"].into());
    }
}

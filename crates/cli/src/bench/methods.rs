//! Guesses which method of two files is meant, where nobody says it.
//!
//! It reads words, not syntax: the front ends say later what is really there.

use ir::Pair;

use crate::job::SourceLanguage;

/// The method with this name is meant wherever there is one: what the published suites call it.
const USUAL_NAME: &str = "snippet";

/// The one method that both versions offer.
pub(crate) fn common_method(language: SourceLanguage, texts: Pair<&str>) -> Result<String, String> {
    let offered = texts.map(|text| offered(language, text));
    let mut common: Vec<&String> = offered.new.iter().filter(|name| offered.old.contains(name)).collect();
    common.sort();
    common.dedup();
    let kind = match language {
        SourceLanguage::Java => "public static method",
        SourceLanguage::C => "function",
    };
    match common.as_slice() {
        names if names.iter().any(|name| *name == USUAL_NAME) => Ok(USUAL_NAME.to_owned()),
        [name] => Ok((*name).clone()),
        [] => Err(format!("the versions have no {kind} in common")),
        names => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            Err(format!("which {kind} is meant: {}? A .jsonl suite can say it", names.join(", ")))
        }
    }
}

/// The methods that a file offers to others, by their words.
fn offered(language: SourceLanguage, text: &str) -> Vec<String> {
    let words = words(text);
    let mut found = Vec::new();
    // Where the declaration or statement began that a word belongs to, and how many braces are open.
    let (mut start, mut depth) = (0, 0_usize);
    for (index, word) in words.iter().enumerate() {
        match *word {
            "{" => (start, depth) = (index + 1, depth + 1),
            "}" => (start, depth) = (index + 1, depth.saturating_sub(1)),
            ";" => start = index + 1,
            "(" if index > start => {
                let (head, name) = (&words[start..index - 1], words[index - 1]);
                let is_offered = match language {
                    SourceLanguage::Java => ["public", "static"].iter().all(|word| head.contains(word)),
                    SourceLanguage::C => {
                        depth == 0
                            && !head.is_empty()
                            && !head.contains(&"static")
                            && has_body(&words[index..])
                    }
                };
                if is_offered && is_name(name) && !head.contains(&"=") && !head.contains(&"(") {
                    found.push(name.to_owned());
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a body follows the parameters that start here.
fn has_body(words: &[&str]) -> bool {
    words.iter().find(|word| ["{", ";", "="].contains(word)) == Some(&"{")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Names, numbers and single marks, without comments, texts and preprocessor lines.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if rest.starts_with("//") || first == '#' => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '"' | '\'' => quoted_length(rest, first),
            _ if first.is_alphanumeric() || first == '_' => {
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                words.push(&rest[..length]);
                length
            }
            _ => {
                if !first.is_whitespace() {
                    words.push(&rest[..first.len_utf8()]);
                }
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    words
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (offset, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return offset + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java(text: &str) -> Result<String, String> {
        common_method(SourceLanguage::Java, Pair::new(text, text))
    }

    #[test]
    fn the_only_public_static_method_is_meant() {
        let text = "import a.B; public class A { static int help(int a) { return g(a); } // public static int no(\n\
                    @Deprecated() public static int x = f(2);\n public static final int mid(int a) { return 1; }\n\
                    private static int more(int a) { String s = \"public static int f(\"; return 2; } }";
        assert_eq!(java(text), Ok("mid".to_owned()));
    }

    #[test]
    fn several_methods_need_the_usual_name() {
        let two = "class A { public static int f() { return 1; } public static int g() { return 1; } }";
        assert_eq!(
            java(two),
            Err("which public static method is meant: `f`, `g`? A .jsonl suite can say it".to_owned())
        );
        assert_eq!(java(&two.replace("g()", "snippet()")), Ok("snippet".to_owned()));
    }

    #[test]
    fn methods_that_only_one_version_has_are_not_meant() {
        let old = "class A { public static int f() { return 1; } public static int g() { return 1; } }";
        let new = "class A { public static int g() { return 1; } }";
        let pair = Pair::new(old, new);
        assert_eq!(common_method(SourceLanguage::Java, pair), Ok("g".to_owned()));
    }

    #[test]
    fn in_c_declarations_static_functions_and_calls_are_not_meant() {
        let text = "#define F(x) (x)\nint g(int);\nstatic int help(int a) { return g(a); }\n\
                    /* int no(int a) { } */ unsigned int *f(int a) { if (a) { return help(a); } return 0; }";
        assert_eq!(common_method(SourceLanguage::C, Pair::new(text, text)), Ok("f".to_owned()));
    }

    #[test]
    fn text_that_ends_in_the_middle_is_no_reason_to_stop() {
        for text in ["\"abc\\", "/* abc", "/*", "'", "f(", "(", "/", "}}}}", "public static int é("] {
            let _ = java(text);
        }
    }
}

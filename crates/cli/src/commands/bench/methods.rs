//! Guesses which procedure of two files is meant, where nobody says it: the one that both offer and nobody calls.
//!
//! It reads words, not syntax: the front ends say later what is really there.

use std::collections::BTreeSet;

use ir::{Language, Pair};

/// The method with this name is meant wherever there is one: what the published suites call it.
const USUAL_NAME: &str = "snippet";
/// What starts a program is meant only if there is nothing else.
const START: &str = "main";
/// Words before parentheses and braces that are no names of procedures.
const KEYWORDS: [&str; 8] = ["if", "for", "while", "switch", "catch", "synchronized", "try", "else"];

/// The one procedure of both versions that is meant.
pub(crate) fn common_method(language: Language, texts: Pair<&str>) -> Result<String, String> {
    let words = texts.map(words);
    let found = words.as_ref().map(|words| procedures(language, words));
    let mut names = common(&found, |procedure| procedure.is_offered);
    if names.is_empty() {
        names = common(&found, |_| true);
    }
    if names.len() > 1 {
        names.remove(START);
    }
    if names.contains(USUAL_NAME) {
        return Ok(USUAL_NAME.to_owned());
    }
    if names.len() > 1 {
        let uncalled: BTreeSet<&str> =
            names.iter().copied().filter(|name| !is_called(&found, name)).collect();
        if !uncalled.is_empty() {
            names = uncalled;
        }
    }
    let kind = match language {
        Language::Java => "method",
        Language::C => "function",
    };
    match names.first() {
        Some(name) if names.len() == 1 => Ok((*name).to_owned()),
        None => Err(format!("the versions have no {kind} in common")),
        Some(_) => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            let names = names.join(", ");
            Err(format!("which {kind} is meant: {names}? Say it with --function, or in a .jsonl suite"))
        }
    }
}

/// The names that both versions have.
fn common<'a>(found: &Pair<Vec<Procedure<'a>>>, counts: fn(&Procedure<'_>) -> bool) -> BTreeSet<&'a str> {
    let names = found.as_ref().map(|procedures| {
        procedures.iter().filter(|one| counts(one)).map(|one| one.name).collect::<BTreeSet<&str>>()
    });
    names.old.intersection(&names.new).copied().collect()
}

/// Whether another procedure of a version calls it. What starts the program does not count.
fn is_called(found: &Pair<Vec<Procedure<'_>>>, name: &str) -> bool {
    let all = found.old.iter().chain(&found.new);
    all.filter(|caller| caller.name != name && caller.name != START).any(|caller| caller.calls.contains(name))
}

/// A procedure with a body.
struct Procedure<'a> {
    name: &'a str,
    /// Whether others can call it: a public static method, a function with external linkage.
    is_offered: bool,
    calls: BTreeSet<&'a str>,
}

/// The procedures of a file, by their words.
fn procedures<'a>(language: Language, words: &[&'a str]) -> Vec<Procedure<'a>> {
    let mut found = Vec::new();
    // Where the declaration began that a word belongs to.
    let (mut start, mut index) = (0, 0);
    while index < words.len() {
        match words[index] {
            "{" | "}" | ";" => start = index + 1,
            "@" if language == Language::Java => {
                // An annotation says nothing here.
                index += 1;
                if words.get(index + 1) == Some(&"(") {
                    index = closing(words, index + 1);
                }
                start = index + 1;
            }
            "(" if index > start => {
                let (head, name) = (&words[start..index - 1], words[index - 1]);
                let after = closing(words, index) + 1;
                if let Some(body) = body(words, after).filter(|_| is_declared(head, name)) {
                    let end = closing(words, body);
                    let is_offered = match language {
                        Language::Java => ["public", "static"].iter().all(|word| head.contains(word)),
                        Language::C => !head.contains(&"static"),
                    };
                    let calls = calls(&words[body..end.min(words.len())]);
                    found.push(Procedure { name, is_offered, calls });
                    (index, start) = (end, end + 1);
                }
            }
            _ => {}
        }
        index += 1;
    }
    found
}

/// Whether these words before the parameters declare a procedure with a result.
fn is_declared(head: &[&str], name: &str) -> bool {
    let ends_a_type = |word: &&str| is_name(word) || ["]", ">", "*"].contains(word);
    let is_odd = |word: &&str| ["=", "(", "new", "return", "."].contains(word) || KEYWORDS.contains(word);
    let modifiers = ["public", "private", "protected", "static", "final"];
    is_name(name)
        && !KEYWORDS.contains(&name)
        && head.last().is_some_and(ends_a_type)
        && head.iter().any(|word| !modifiers.contains(word))
        && !head.iter().any(|word| is_odd(word) && *word != ".")
        && head.last() != Some(&".")
}

/// Where the body starts that may follow the parameters.
fn body(words: &[&str], after: usize) -> Option<usize> {
    let rest = words.get(after..)?;
    let offset = rest.iter().position(|word| ["{", ";", "=", ")"].contains(word))?;
    (rest[offset] == "{").then_some(after + offset)
}

/// Where the bracket is closed that opens here; the end of the text if it is not.
fn closing(words: &[&str], open: usize) -> usize {
    let closes = if words[open] == "(" { ")" } else { "}" };
    let mut depth = 0_usize;
    for (index, word) in words.iter().enumerate().skip(open) {
        if *word == words[open] {
            depth += 1;
        } else if *word == closes {
            depth -= 1;
            if depth == 0 {
                return index;
            }
        }
    }
    words.len()
}

/// The names with parentheses behind them.
fn calls<'a>(words: &[&'a str]) -> BTreeSet<&'a str> {
    let pairs = words.windows(2).filter(|pair| pair[1] == "(" && is_name(pair[0]));
    pairs.map(|pair| pair[0]).collect()
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
        common_method(Language::Java, Pair::new(text, text))
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
            Err("which method is meant: `f`, `g`? Say it with --function, or in a .jsonl suite".to_owned())
        );
        assert_eq!(java(&two.replace("g()", "snippet()")), Ok("snippet".to_owned()));
    }

    #[test]
    fn the_one_that_nobody_calls_is_meant() {
        let text = "class A { public static int g(int a) { return h(a) + g(a - 1); }\n\
                    public static int f(int a) { if (a > 0) { return g(a); } return A.h(a); }\n\
                    @Test(timeout = 3) public static int h(int[] a) throws Exception { return 1; }\n\
                    public A(int a) { f(a); } public static void main(String[] args) { f(1); } }";
        assert_eq!(java(text), Ok("f".to_owned()));
        let c = "int lib(int a) { return a; }\nint client(int a) { return lib(a) + 1; }\n";
        assert_eq!(common_method(Language::C, Pair::new(c, c)), Ok("client".to_owned()));
    }

    #[test]
    fn without_a_public_method_the_others_may_be_meant() {
        assert_eq!(
            java("class A { int twice(int a) { return one(a) * 2; } static int one(int a) { return a; } }"),
            Ok("twice".to_owned())
        );
        assert_eq!(java("class A { A(int a) { } }"), Err("the versions have no method in common".to_owned()));
        assert_eq!(java("class A { public static void main(String[] a) { } }"), Ok("main".to_owned()));
    }

    #[test]
    fn methods_that_only_one_version_has_are_not_meant() {
        let old = "class A { public static int f() { return 1; } public static int g() { return 1; } }";
        let new = "class A { public static int g() { return 1; } }";
        let pair = Pair::new(old, new);
        assert_eq!(common_method(Language::Java, pair), Ok("g".to_owned()));
    }

    #[test]
    fn in_c_declarations_static_functions_and_calls_are_not_meant() {
        let text = "#define F(x) (x)\nint g(int);\nstatic int help(int a) { return g(a); }\n\
                    /* int no(int a) { } */ unsigned int *f(int a) { if (a) { return help(a); } return 0; }";
        assert_eq!(common_method(Language::C, Pair::new(text, text)), Ok("f".to_owned()));
    }

    #[test]
    fn text_that_ends_in_the_middle_is_no_reason_to_stop() {
        for text in ["\"abc\\", "/* abc", "/*", "'", "f(", "(", "/", "}}}}", "public static int é("] {
            let _ = java(text);
        }
    }
}

//! Finds the functions of a C or Java text by its tokens, with the class that they belong to.
//!
//! A function is a name, parentheses and a block. This misses functions that macros declare, and takes nothing for a
//! function that is none: whatever selfsame cannot find by its name is left out later.

use std::ops::Range;

use arbitrary_source::Language;

use super::lexer::{Token, TokenKind, tokens};

/// A function in a text.
#[derive(Clone, Debug)]
pub struct FoundFunction {
    /// The name that selfsame knows it by: `f`, or `Class.m`.
    pub name: String,
    /// How many parameters it has, as far as commas tell.
    pub params: usize,
    /// The tokens of its head, from the result type to the last parenthesis.
    pub head: Range<usize>,
    /// The tokens between its braces.
    pub body: Range<usize>,
}

/// A text with its tokens and functions.
pub struct FoundText {
    pub text: String,
    pub tokens: Vec<Token>,
    pub functions: Vec<FoundFunction>,
}

impl FoundText {
    pub fn new(text: String, language: Language) -> FoundText {
        let tokens = tokens(&text, language == Language::C);
        let mut found = FoundText { text, tokens, functions: Vec::new() };
        found.functions = found.find(language);
        found
    }

    /// The text of a token; nothing past the last one.
    pub fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| &self.text[token.place.clone()])
    }

    pub fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The token that closes the bracket at this one.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in open..self.tokens.len() {
            match self.word(index) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The line, from 1, that a place in the text is in.
    pub fn line(&self, place: usize) -> usize {
        self.text[..place].matches('\n').count() + 1
    }

    fn find(&self, language: Language) -> Vec<FoundFunction> {
        let mut functions = Vec::new();
        // Classes around the place, with the token that closes each.
        let mut classes: Vec<(String, usize)> = Vec::new();
        let mut index = 0;
        while index < self.tokens.len() {
            while classes.last().is_some_and(|(_, end)| index > *end) {
                classes.pop();
            }
            if language == Language::Java && self.is_class(index) {
                let open = (index..self.tokens.len()).find(|at| self.word(*at) == "{");
                if let Some((open, close)) = open.and_then(|open| Some((open, self.closing(open)?))) {
                    classes.push((self.word(index + 1).to_owned(), close));
                    index = open + 1;
                    continue;
                }
            }
            match self.function_at(index, language, classes.last().map(|(name, _)| name.as_str())) {
                Some(function) => {
                    // Functions inside (of local classes) belong to this one.
                    index = function.body.end + 1;
                    functions.push(function);
                }
                // What is between braces outside of functions in C is no function.
                None if language == Language::C
                    && self.word(index) == "{"
                    && self.word(index.wrapping_sub(1)) != "\"C\"" =>
                {
                    index = self.closing(index).unwrap_or(index) + 1;
                }
                None => index += 1,
            }
        }
        functions
    }

    fn is_class(&self, index: usize) -> bool {
        matches!(self.word(index), "class" | "interface" | "enum" | "record")
            && self.kind(index + 1) == Some(TokenKind::Word)
            && (index == 0 || self.word(index - 1) != ".")
    }

    fn function_at(&self, index: usize, language: Language, class: Option<&str>) -> Option<FoundFunction> {
        const NOT_NAMES: [&str; 14] = [
            "if",
            "for",
            "while",
            "switch",
            "catch",
            "synchronized",
            "try",
            "return",
            "sizeof",
            "do",
            "else",
            "__attribute__",
            "super",
            "this",
        ];
        let name = self.word(index);
        let is_name = self.kind(index) == Some(TokenKind::Word) && !NOT_NAMES.contains(&name);
        if !is_name || self.word(index + 1) != "(" || index == 0 {
            return None;
        }
        let before = self.word(index - 1);
        let is_constructor = language == Language::Java && class == Some(name);
        let follows_type = self.kind(index - 1) == Some(TokenKind::Word)
            && !["new", "return"].contains(&before)
            || matches!(before, "*" | ">" | "]");
        if !(is_constructor && !matches!(before, "new" | ".") || follows_type) {
            return None;
        }
        let close = self.closing(index + 1)?;
        let mut open = close + 1;
        if language == Language::Java && self.word(open) == "throws" {
            while self.kind(open) == Some(TokenKind::Word) || matches!(self.word(open), "." | ",") {
                open += 1;
            }
        }
        if self.word(open) != "{" {
            return None;
        }
        let end = self.closing(open)?;
        let name = match (class, is_constructor) {
            (Some(class), true) => format!("{class}.<init>"),
            (Some(class), false) => format!("{class}.{name}"),
            (None, _) => name.to_owned(),
        };
        let head = self.head_start(index)..close + 1;
        Some(FoundFunction {
            name,
            params: self.parameter_count(index + 1, close),
            head,
            body: open + 1..end,
        })
    }

    /// Where the declaration with the name at this token begins.
    fn head_start(&self, name: usize) -> usize {
        let ends = |index: &usize| matches!(self.word(*index), ";" | "}" | "{" | ")");
        (0..name).rev().find(ends).map_or(0, |index| index + 1)
    }

    fn parameter_count(&self, open: usize, close: usize) -> usize {
        if close == open + 1 || (close == open + 2 && self.word(open + 1) == "void") {
            return 0;
        }
        let mut depth = 0;
        let mut commas = 0;
        for index in open + 1..close {
            match self.word(index) {
                "(" | "[" | "<" => depth += 1,
                ")" | "]" | ">" => depth -= 1,
                ">>" => depth -= 2,
                "," if depth == 0 => commas += 1,
                _ => {}
            }
        }
        commas + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, language: Language) -> Vec<(String, usize)> {
        let found = FoundText::new(text.to_owned(), language);
        found.functions.into_iter().map(|function| (function.name, function.params)).collect()
    }

    #[test]
    fn functions_of_c_are_found_between_everything_else() {
        let text = "struct s { int (*f)(int); };\n#define M(x) int m(x) {}\nint a(void) { if (x) { g(); } }\n\
                    static const char *b(int x, char *(*y)(int, int)) { return 0; }\nint c(int);\nint t[] = { 1 };";
        assert_eq!(names(text, Language::C), [("a".to_owned(), 0), ("b".to_owned(), 2)]);
    }

    #[test]
    fn methods_have_their_class_and_local_classes_are_not_looked_into() {
        let text = "package p; class A<T extends B> { A(int x) { this.x = x; } interface I { int g(); }\n\
                    static class B { Map<K, V> m(Map<K, List<V>> a, int b) throws X, y.Z { new C() { int n() { return 1; } }; } }\n\
                    @Q(1) public int k() { return new A(2).x; } }";
        let expected = [("A.<init>", 1), ("B.m", 2), ("A.k", 0)];
        assert_eq!(names(text, Language::Java), expected.map(|(name, params)| (name.to_owned(), params)));
    }

    #[test]
    fn text_with_brackets_that_do_not_match_is_no_trouble() {
        for text in ["int f(", "int f(int x) {", "}}}", "class A { int f() { (]", "class"] {
            assert!(names(text, Language::Java).is_empty(), "{text}");
            assert!(names(text, Language::C).is_empty(), "{text}");
        }
    }
}

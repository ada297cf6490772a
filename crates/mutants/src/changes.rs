//! All mutations of a function: small changes of its text that a test ought to notice.
//!
//! They are found by tokens alone. Some give text that is no program, and a few give a program that behaves the same
//! (`x < 8` and `x <= 7`); the first are dropped later, and the second are for a person to look at.

use std::ops::Range;

use arbitrary_source::Language;

use super::functions::{FoundFunction, FoundText};
use super::lexer::TokenKind;
use super::variables;

/// One change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub kind: &'static str,
    /// The bytes that are replaced.
    pub place: Range<usize>,
    pub replacement: String,
}

impl Change {
    pub fn apply(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.place.start], self.replacement, &text[self.place.end..])
    }
}

/// Every change of the function's body, in the order of the text.
pub fn changes(found: &FoundText, function: &FoundFunction, language: Language) -> Vec<Change> {
    let mut changes = Changes { found, language, list: Vec::new() };
    for index in function.body.clone() {
        changes.operator(index);
        changes.constant(index);
        changes.jump(index);
        changes.condition(index);
        changes.arguments(index);
        changes.element(index);
        changes.choice(index);
        changes.statement(index, function);
        changes.result(index, function);
    }
    changes.list.extend(variables::replacements(found, function));
    changes.list.sort_by_key(|change| (change.place.start, change.place.end));
    changes.list.retain(|change| found.text[change.place.clone()] != change.replacement);
    changes.list
}

struct Changes<'a> {
    found: &'a FoundText,
    language: Language,
    list: Vec<Change>,
}

impl Changes<'_> {
    fn word(&self, index: usize) -> &str {
        self.found.word(index)
    }

    fn add(&mut self, kind: &'static str, tokens: Range<usize>, replacement: String) {
        let place = self.found.tokens[tokens.start].place.start..self.found.tokens[tokens.end - 1].place.end;
        self.list.push(Change { kind, place, replacement });
    }

    /// The text from one token to before another.
    fn text(&self, tokens: Range<usize>) -> &str {
        let place = self.found.tokens[tokens.start].place.start..self.found.tokens[tokens.end - 1].place.end;
        &self.found.text[place]
    }

    fn is_operand_end(&self, index: usize) -> bool {
        match self.found.kind(index) {
            Some(TokenKind::Sign) => matches!(self.word(index), ")" | "]"),
            Some(TokenKind::Word) => !matches!(
                self.word(index),
                "return"
                    | "case"
                    | "int"
                    | "char"
                    | "void"
                    | "long"
                    | "short"
                    | "unsigned"
                    | "const"
                    | "struct"
                    | "float"
                    | "double"
            ),
            kind => kind.is_some(),
        }
    }

    fn operator(&mut self, index: usize) {
        const BINARY: [(&str, &[&str]); 28] = [
            ("+", &["-"]),
            ("-", &["+"]),
            ("*", &["+"]),
            ("/", &["*"]),
            ("%", &["*"]),
            ("<", &["<=", ">"]),
            ("<=", &["<"]),
            (">", &[">=", "<"]),
            (">=", &[">"]),
            ("==", &["!="]),
            ("!=", &["=="]),
            ("&&", &["||"]),
            ("||", &["&&"]),
            ("&", &["|"]),
            ("|", &["&"]),
            ("^", &["|"]),
            ("<<", &[">>"]),
            (">>", &["<<"]),
            (">>>", &[">>"]),
            ("+=", &["-=", "="]),
            ("-=", &["+="]),
            ("*=", &["+="]),
            ("|=", &["&=", "="]),
            ("&=", &["|="]),
            ("^=", &["|="]),
            ("<<=", &[">>="]),
            (">>=", &["<<="]),
            ("/=", &["*="]),
        ];
        let sign = self.word(index);
        match sign {
            "++" => return self.add("step reversed", index..index + 1, "--".to_owned()),
            "--" => return self.add("step reversed", index..index + 1, "++".to_owned()),
            _ => {}
        }
        if index > 0 && self.is_operand_end(index - 1) {
            let others = BINARY.iter().find(|(from, _)| *from == sign).map_or(&[][..], |(_, to)| to);
            for other in others {
                self.add("operator", index..index + 1, (*other).to_owned());
            }
        } else if matches!(sign, "!" | "-" | "~") {
            self.add("operator deleted", index..index + 1, " ".to_owned());
        }
    }

    fn constant(&mut self, index: usize) {
        let word = self.word(index).to_owned();
        match self.found.kind(index) {
            Some(TokenKind::Number) => {
                let suffix_at = word.trim_end_matches(['u', 'U', 'l', 'L']).len();
                let (digits, suffix) = word.split_at(suffix_at);
                let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
                if let Some(value) = hex.and_then(|hex| u64::from_str_radix(hex, 16).ok()) {
                    let next = if value == u64::MAX { value - 1 } else { value + 1 };
                    self.add("constant", index..index + 1, format!("0x{next:X}{suffix}"));
                } else if let Ok(value) = digits.parse::<u64>()
                    && (value == 0 || !digits.starts_with('0'))
                {
                    self.add("constant", index..index + 1, format!("{}{suffix}", value.wrapping_add(1)));
                    if value > 0 {
                        self.add("constant", index..index + 1, format!("{}{suffix}", value - 1));
                    }
                } else if let Ok(value) = digits.parse::<f64>() {
                    self.add("constant", index..index + 1, format!("{:?}", value + 1.0));
                }
            }
            Some(TokenKind::Char) if word.len() == 3 && word.as_bytes()[1].is_ascii_alphanumeric() => {
                let next = char::from(word.as_bytes()[1] ^ 1);
                if next.is_ascii_alphanumeric() {
                    self.add("constant", index..index + 1, format!("'{next}'"));
                }
            }
            Some(TokenKind::Word) if word == "true" => {
                self.add("constant", index..index + 1, "false".to_owned())
            }
            Some(TokenKind::Word) if word == "false" => {
                self.add("constant", index..index + 1, "true".to_owned())
            }
            _ => {}
        }
    }

    fn jump(&mut self, index: usize) {
        if self.word(index + 1) != ";" {
            return;
        }
        match self.word(index) {
            "break" => self.add("jump", index..index + 1, "continue".to_owned()),
            "continue" => self.add("jump", index..index + 1, "break".to_owned()),
            _ => {}
        }
    }

    fn condition(&mut self, index: usize) {
        if matches!(self.word(index), "if" | "while") && self.word(index + 1) == "(" {
            let Some(close) = self.found.closing(index + 1) else { return };
            if close > index + 2 {
                let negated = format!("(!({}))", self.text(index + 2..close));
                self.add("condition negated", index + 1..close + 1, negated);
            }
        }
    }

    /// Two arguments next to each other change places.
    fn arguments(&mut self, index: usize) {
        let is_call = self.found.kind(index) == Some(TokenKind::Word) && self.word(index + 1) == "(";
        if !is_call || matches!(self.word(index), "if" | "while" | "for" | "switch" | "return" | "sizeof") {
            return;
        }
        let Some(close) = self.found.closing(index + 1) else { return };
        let arguments = self.split(index + 2..close, ",");
        for two in arguments.windows(2) {
            let swapped = format!("{}, {}", self.text(two[1].clone()), self.text(two[0].clone()));
            if self.text(two[0].clone()) != self.text(two[1].clone()) {
                self.add("arguments swapped", two[0].start..two[1].end, swapped);
            }
        }
    }

    /// The parts between separators that are in no bracket; none of them is empty.
    fn split(&self, tokens: Range<usize>, separator: &str) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = tokens.start;
        let mut index = tokens.start;
        while index < tokens.end {
            match self.word(index) {
                "(" | "[" | "{" => index = self.found.closing(index).unwrap_or(index),
                word if word == separator => {
                    parts.push(start..index);
                    start = index + 1;
                }
                _ => {}
            }
            index += 1;
        }
        parts.push(start..tokens.end);
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// `a[i]` to `a[i + 1]`.
    fn element(&mut self, index: usize) {
        if self.word(index) != "[" || index == 0 || !self.is_operand_end(index - 1) {
            return;
        }
        let Some(close) = self.found.closing(index) else { return };
        // `int a[3]` declares an array: its length is a constant, which is changed elsewhere.
        let is_declared = index > 1 && self.found.kind(index - 2) == Some(TokenKind::Word);
        if close > index + 1 && !is_declared {
            self.add("off by one", index..close + 1, format!("[({}) + 1]", self.text(index + 1..close)));
        }
    }

    /// `c ? a : b` to `c ? b : a`.
    fn choice(&mut self, index: usize) {
        if self.word(index) != "?" || self.word(index + 1) == ":" {
            return;
        }
        let mut end = index + 1;
        while end < self.found.tokens.len() && !matches!(self.word(end), ";" | ")" | "]" | "}" | ",") {
            end = match self.word(end) {
                "(" | "[" | "{" => self.found.closing(end).unwrap_or(end) + 1,
                _ => end + 1,
            };
        }
        let parts = self.split(index + 1..end, ":");
        let nested = (index + 1..end).any(|at| self.word(at) == "?");
        if let ([first, second], false) = (parts.as_slice(), nested) {
            let swapped = format!("{} : {}", self.text(second.clone()), self.text(first.clone()));
            self.add("choice swapped", first.start..second.end, swapped);
        }
    }

    /// An assignment or call that stands alone is deleted.
    fn statement(&mut self, index: usize, function: &FoundFunction) {
        let begins =
            index == function.body.start || matches!(self.word(index - 1), ";" | "{" | "}" | ")" | "else");
        let is_word = self.found.kind(index) == Some(TokenKind::Word);
        let is_sign = matches!(self.word(index), "*" | "++" | "--" | "(");
        const OTHERS: [&str; 18] = [
            "return", "break", "continue", "goto", "throw", "if", "for", "while", "do", "switch", "case",
            "default", "else", "try", "catch", "finally", "this", "super",
        ];
        let is_other = OTHERS.contains(&self.word(index)) && self.word(index + 1) != ".";
        if !begins || !(is_word || is_sign) || is_other {
            return;
        }
        let ends = |at: &usize| matches!(self.word(*at), ";" | "{" | "}");
        let Some(end) = (index..function.body.end).find(ends) else { return };
        // Two words in a row, or a word and a type's sign before a name, declare something.
        let declares = (index..end.min(index + 2)).any(|at| {
            self.found.kind(at) == Some(TokenKind::Word) && self.found.kind(at + 1) == Some(TokenKind::Word)
        }) || (is_word && matches!(self.word(index + 1), "*" | "<" | ":"))
            || (self.word(index + 1) == "[" && self.word(index + 2) == "]");
        let in_for_head = index > function.body.start && self.is_in_parentheses(index, function);
        if self.word(end) == ";" && !declares && !in_for_head && end > index {
            self.add("statement deleted", index..end, String::new());
        }
    }

    fn is_in_parentheses(&self, index: usize, function: &FoundFunction) -> bool {
        let mut depth = 0_i32;
        for at in (function.body.start..index).rev() {
            match self.word(at) {
                ")" => depth += 1,
                "(" if depth == 0 => return true,
                "(" => depth -= 1,
                "{" | "}" if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }

    fn result(&mut self, index: usize, function: &FoundFunction) {
        if self.word(index) != "return" || self.word(index + 1) == ";" {
            return;
        }
        let Some(end) = (index..function.body.end).find(|at| self.word(*at) == ";") else { return };
        let value = self.text(index + 1..end).to_owned();
        if value.contains('{') || value.contains("->") && self.language == Language::Java {
            return;
        }
        let head: Vec<&str> = function.head.clone().map(|at| self.word(at)).collect();
        let before_name = head.iter().position(|word| *word == "(").map_or(0, |open| open.saturating_sub(1));
        let types = &head[..before_name];
        let null = if self.language == Language::Java { "null" } else { "0" };
        let other = match types.last().copied().unwrap_or("") {
            "boolean" | "bool" | "_Bool" => format!("!({value})"),
            "int" | "long" | "short" | "char" | "unsigned" | "byte" | "size_t" | "double" | "float"
            | "uint32_t" | "uint64_t" | "uint8_t" | "uint16_t" | "int32_t" | "int64_t" => {
                format!("({value}) + 1")
            }
            "void" | "" => return,
            _ if self.language == Language::Java || types.last() == Some(&"*") => null.to_owned(),
            _ => return,
        };
        // `NULL` and 0 are the same pointer.
        let is_null = other == null && matches!(value.as_str(), "NULL" | "0");
        if other != value && !is_null {
            self.add("result", index + 1..end, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(text: &str, language: Language) -> Vec<String> {
        let found = FoundText::new(text.to_owned(), language);
        let shown = |change: Change| {
            format!("{}: {} -> {}", change.kind, &text[change.place.clone()], change.replacement)
        };
        changes(&found, &found.functions[0], language).into_iter().map(shown).collect()
    }

    #[test]
    fn every_kind_of_change_is_found() {
        let text = "int f(int *a, int n) { if (n < 3) { g(a, n); } return n > 0 ? a[n] : -1; }";
        let expected = [
            "condition negated: (n < 3) -> (!(n < 3))",
            "operator: < -> <=",
            "operator: < -> >",
            "constant: 3 -> 4",
            "constant: 3 -> 2",
            "statement deleted: g(a, n) -> ",
            "arguments swapped: a, n -> n, a",
            "operator: > -> >=",
            "operator: > -> <",
            "result: n > 0 ? a[n] : -1 -> (n > 0 ? a[n] : -1) + 1",
            "constant: 0 -> 1",
            "choice swapped: a[n] : -1 -> -1 : a[n]",
            "off by one: [n] -> [(n) + 1]",
            "operator deleted: - ->  ",
            "constant: 1 -> 2",
            "constant: 1 -> 0",
        ];
        let found = mutants(text, Language::C);
        for one in expected {
            assert!(found.iter().any(|other| other == one), "{one} is not among {found:#?}");
        }
        assert_eq!(found.len(), expected.len(), "{found:#?}");
    }

    #[test]
    fn declarations_and_heads_of_loops_are_not_deleted() {
        let text = "void f() { int x = 1; T *p = q; for (i = 0; i < n; i++) { x++; } }";
        let deleted: Vec<_> =
            mutants(text, Language::C).into_iter().filter(|one| one.starts_with("statement")).collect();
        assert_eq!(deleted, ["statement deleted: x++ -> "]);
    }

    #[test]
    fn a_null_pointer_is_not_replaced_by_another_spelling_of_it() {
        let result = |value: &str| {
            mutants(&format!("char *f(char *p) {{ return {value}; }}"), Language::C)
                .into_iter()
                .find(|one| one.starts_with("result"))
        };
        assert_eq!(result("NULL"), None);
        assert_eq!(result("0"), None);
        assert_eq!(result("p").unwrap(), "result: p -> 0");
    }

    #[test]
    fn results_of_java_follow_their_type() {
        let text = |kind: &str| format!("class A {{ {kind} f() {{ return g(); }} }}");
        let result = |kind: &str| {
            mutants(&text(kind), Language::Java).into_iter().find(|one| one.starts_with("result"))
        };
        assert_eq!(result("boolean").unwrap(), "result: g() -> !(g())");
        assert_eq!(result("String").unwrap(), "result: g() -> null");
        assert_eq!(result("int").unwrap(), "result: g() -> (g()) + 1");
    }
}

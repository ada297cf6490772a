//! Where clauses can be written into a source: as assertions of the language, or as annotations.
//!
//! Text only. Whether a written clause holds, and whether the file is still a program, is for others to find out; what
//! looks doubtful here is not written.

mod returns;
mod scope;

use std::ops::Range;

use ir::Language;

use crate::likely::Moment;
use crate::written::loop_head;

/// How a clause is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// `assert` before the only `return`, or at the end of the body.
    Assert,
    /// `//@ ensures` before the procedure.
    Ensures,
    /// `//@ loop_invariant` before the loop.
    Invariant,
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Form::Assert => "assert",
            Form::Ensures => "ensures",
            Form::Invariant => "loop_invariant",
        }
    }
}

/// A clause that is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wish {
    /// Where the procedure starts and ends: line and column.
    pub start: (u32, u32),
    pub end: (u32, u32),
    pub moment: Moment,
    pub clause: String,
    pub form: Form,
}

/// A source into which clauses can be written.
pub struct Placing<'t> {
    language: Language,
    text: &'t str,
    /// The same without comments and literals.
    code: String,
}

/// What is put at an offset.
struct Insertion {
    at: usize,
    text: String,
    /// The wish that it is for.
    wish: Option<usize>,
}

impl<'t> Placing<'t> {
    pub fn of(language: Language, text: &'t str) -> Placing<'t> {
        Placing { language, text, code: contracts::code_only(language, text) }
    }

    /// The forms that a wish can have, the best first.
    pub fn forms(&self, wish: &Wish) -> Vec<Form> {
        match wish.moment {
            Moment::Loop(_) => self.invariant(wish).map(|_| Form::Invariant).into_iter().collect(),
            Moment::End => {
                let assert = self.assertion(wish).map(|_| Form::Assert);
                let ensures = self.declaration(wish).map(|_| Form::Ensures);
                assert.into_iter().chain(ensures).collect()
            }
        }
    }

    /// The text with all wishes in it, and the line and the words of each that could be written.
    pub fn written(&self, wishes: &[Wish]) -> (String, Vec<Option<(u32, String)>>) {
        let mut insertions = Vec::new();
        let mut words = vec![None; wishes.len()];
        let mut has_assert = false;
        for (number, wish) in wishes.iter().enumerate() {
            let found = match wish.form {
                Form::Assert => self.assertion(wish),
                Form::Ensures => self
                    .declaration(wish)
                    .map(|at| (at, format!("ensures {}", wish.clause), wish.clause.clone())),
                Form::Invariant => self
                    .invariant(wish)
                    .map(|at| (at, format!("loop_invariant {}", wish.clause), wish.clause.clone())),
            };
            let Some((at, said, clause)) = found else { continue };
            has_assert |= wish.form == Form::Assert;
            words[number] = Some(clause);
            let (at, text) = self.line_before(at, &said, wish.form != Form::Assert);
            insertions.push(Insertion { at, text, wish: Some(number) });
        }
        if has_assert && self.language == Language::C && !self.includes_assert() {
            insertions.push(self.include());
        }
        insertions.sort_by_key(|it| it.at);
        let mut text = String::new();
        let mut lines = vec![None; wishes.len()];
        let mut done = 0;
        for Insertion { at, text: more, wish } in insertions {
            text.push_str(&self.text[done..at]);
            done = at;
            if let Some(wish) = wish {
                lines[wish] = Some(text.matches('\n').count() as u32 + 1);
            }
            text.push_str(&more);
        }
        text.push_str(&self.text[done..]);
        let places = lines.into_iter().zip(words).map(|(line, words)| Some((line?, words?))).collect();
        (text, places)
    }

    /// What stands before an offset: a line of its own where nothing else stands before it on its line.
    fn line_before(&self, at: usize, said: &str, is_comment: bool) -> (usize, String) {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let indent = &self.text[start..at];
        if indent.trim().is_empty() {
            let mark = match is_comment {
                true => "//@ ",
                // What stands before the end of a block stands in it.
                false if self.text[at..].starts_with('}') => "    ",
                false => "",
            };
            return (start, format!("{indent}{mark}{said};{}", self.line_end()));
        }
        match is_comment {
            true => (at, format!("/*@ {said}; */ ")),
            false => (at, format!("{said}; ")),
        }
    }

    /// The offset of a place.
    fn offset(&self, (line, column): (u32, u32)) -> Option<usize> {
        let before: usize =
            self.text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
        let rest = self.text.get(before..)?;
        let (at, _) = rest.char_indices().chain([(rest.len(), ' ')]).nth(column.checked_sub(1)? as usize)?;
        Some(before + at)
    }

    /// Where the declaration of a procedure starts, if a comment can stand there.
    fn declaration(&self, wish: &Wish) -> Option<usize> {
        let at = self.offset(wish.start)?;
        let line = self.code[..at].rfind('\n').unwrap_or(0);
        let starts = self.code[at..].starts_with(|it: char| it.is_alphabetic() || it == '_' || it == '@');
        let continues = self.code[..line].trim_end_matches(['\r', '\n']).ends_with('\\');
        let before = self.code[..at].trim_end();
        let is_free =
            before.is_empty() || before.ends_with([';', '{', '}', '/']) || self.is_directive(before);
        (starts && !continues && is_free).then_some(at)
    }

    fn is_directive(&self, before: &str) -> bool {
        let line = before.rsplit('\n').next().unwrap_or_default();
        self.language == Language::C && line.trim_start().starts_with('#')
    }

    /// The body of a procedure, without its braces.
    fn body(&self, wish: &Wish) -> Option<Range<usize>> {
        let (start, end) = (self.offset(wish.start)?, self.offset(wish.end)?);
        let open = start + self.code.get(start..end)?.find('{')?;
        let close = self.code[..end].rfind('}')?;
        (open < close).then_some(open + 1..close)
    }

    /// Where an assertion about the end can stand, and what it says there: the statement and its condition.
    fn assertion(&self, wish: &Wish) -> Option<(usize, String, String)> {
        let body = self.body(wish)?;
        let (at, clause) = returns::at_the_end(self.language, &self.code, body, &wish.clause)?;
        let statement = match self.language {
            Language::Java => format!("assert {clause}"),
            Language::C => format!("assert({clause})"),
        };
        Some((at, statement, clause))
    }

    /// Where an invariant can stand.
    fn invariant(&self, wish: &Wish) -> Option<usize> {
        let Moment::Loop(line) = wish.moment else { return None };
        let body = self.body(wish)?;
        let start = self.offset((line, 1))?;
        let end = self.code[start..].find('\n').map_or(self.code.len(), |it| start + it);
        let words = scope::words(&self.code[start..end]);
        let mut loops = words.iter().filter(|(_, word)| matches!(*word, "while" | "for" | "do"));
        let (at, _) = loops.next()?;
        if loops.next().is_some() || !body.contains(&(start + at)) {
            return None;
        }
        let head = loop_head(&self.code, start + at)?;
        let declaration = self.offset(wish.start)?;
        let known = scope::names(&self.code, declaration, head.end);
        let used = scope::variables(&wish.clause);
        used.iter().all(|name| known.contains(*name)).then_some(start + at)
    }

    fn includes_assert(&self) -> bool {
        self.text.lines().any(|line| line.trim_start().starts_with('#') && line.contains("assert.h"))
    }

    /// The line that C needs for assertions.
    fn include(&self) -> Insertion {
        let first = self.code.lines().position(|line| line.trim_start().starts_with("#include"));
        let at = self.text.split_inclusive('\n').take(first.unwrap_or(0)).map(str::len).sum();
        Insertion { at, text: format!("#include <assert.h>{}", self.line_end()), wish: None }
    }

    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

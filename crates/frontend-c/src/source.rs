//! Preprocessed text and where each part of it stands in the user's files.
//!
//! The text keeps its offsets: comments and line markers are overwritten with spaces, so that an offset in the
//! cleaned text, in the parser's tree and in the preprocessor's output is the same number.

use ir::{Diagnostic, FileId, Span};

use crate::attributes::Attributes;
use crate::tokens::{clean, tokens};
use crate::{MacroUse, PlaceMacro};

/// How deeply brackets may nest. The parser and everything after it recurse over the nesting.
const MAX_NESTING: usize = 200;
/// How many tokens may stand between two separators: a bound for chains of operators.
const MAX_RUN: usize = 4000;
/// How many `else if` may follow each other, which nest in the tree.
const MAX_ELSES: usize = 5000;

/// One translation unit as text, with the way back to the user's lines.
pub(crate) struct Source {
    pub(crate) text: String,
    /// The same with everything that the parser is not shown: attributes, and code that does not parse.
    pub(crate) whole: String,
    pub(crate) attributes: Attributes,
    lines: Vec<Line>,
    files: Vec<File>,
    /// The tokens that come from macros of the compilation, by their offsets.
    macros: Vec<(usize, PlaceMacro)>,
    /// The pragmas, by their offsets.
    pragmas: Vec<(usize, String)>,
}

struct Line {
    start: usize,
    file: usize,
    number: u32,
}

struct File {
    name: String,
    system: bool,
    id: FileId,
}

impl Source {
    /// Cleans the output of the preprocessor; `name` is the file that lines before the first marker belong to.
    pub(crate) fn new(name: &str, text: &str, files: &mut Vec<String>) -> Result<Source, Diagnostic> {
        let mut cleaned = clean(text);
        let whole = cleaned.clone();
        let attributes = Attributes::take(&mut cleaned);
        let mut source = Source {
            text: cleaned,
            whole,
            attributes,
            lines: Vec::new(),
            files: Vec::new(),
            macros: Vec::new(),
            pragmas: Vec::new(),
        };
        let mut file = source.file(name, false, files);
        let mut number = 1;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            match marker(line) {
                Some((next, path, system)) if path == name || !path.starts_with('<') => {
                    file = source.file(path, system, files);
                    number = next;
                }
                Some((next, ..)) => number = next,
                None => {
                    source.attributes.pragma(start, line);
                    if line.trim_start().starts_with('#') {
                        source.pragmas.push((start, line.trim().to_owned()));
                    }
                    source.lines.push(Line { start, file, number });
                    number = number.saturating_add(1);
                }
            }
            start += line.len();
        }
        source.guard_nesting()?;
        Ok(source)
    }

    /// Notes which tokens depend on where or when the file is compiled. Lines are those of the preprocessed text; what
    /// stands before a token on its line may have been rewritten.
    pub(crate) fn note_macros(&mut self, uses: &[MacroUse]) {
        let (mut start, mut rest) = (0, uses);
        for (number, line) in self.text.split_inclusive('\n').enumerate() {
            let here = rest.iter().take_while(|found| found.line <= number).count();
            for found in &rest[..here] {
                if found.what == PlaceMacro::Any {
                    self.macros.push((0, PlaceMacro::Any));
                }
                let tokens = tokens(line).filter(|(_, token)| *token == found.token);
                self.macros.extend(tokens.map(|(at, _)| (start + at, found.what)));
            }
            rest = &rest[here..];
            start += line.len();
        }
    }

    /// The pragmas that stand in a range of the text, with their offsets.
    pub(crate) fn pragmas_in(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, &str)> {
        let inside = self.pragmas.iter().filter(move |(at, _)| range.contains(at));
        inside.map(|(at, text)| (*at, text.as_str()))
    }

    /// The macros of the compilation that a range of the text depends on.
    pub(crate) fn macros_in(&self, span: lang_c::span::Span) -> impl Iterator<Item = PlaceMacro> + '_ {
        let inside = move |at: usize| (span.start..span.end).contains(&at);
        let found = self.macros.iter().filter(move |(at, what)| inside(*at) || *what == PlaceMacro::Any);
        found.map(|(_, what)| *what)
    }

    fn file(&mut self, name: &str, system: bool, files: &mut Vec<String>) -> usize {
        if let Some(known) = self.files.iter().position(|file| file.name == name) {
            return known;
        }
        let id = files.iter().position(|file| file == name).unwrap_or_else(|| {
            files.push(name.to_owned());
            files.len() - 1
        });
        self.files.push(File { name: name.to_owned(), system, id: FileId::from_index(id) });
        self.files.len() - 1
    }

    fn line_at(&self, offset: usize) -> Option<&Line> {
        let after = self.lines.partition_point(|line| line.start <= offset);
        after.checked_sub(1).map(|index| &self.lines[index])
    }

    fn column(&self, line: &Line, offset: usize) -> u32 {
        let end = offset.min(self.text.len());
        let before = self.text.get(line.start..end).unwrap_or("");
        u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX)
    }

    /// The place of a range of offsets.
    pub(crate) fn span(&self, span: lang_c::span::Span) -> Span {
        let Some(first) = self.line_at(span.start) else { return Span::NOWHERE };
        let last =
            self.line_at(span.end).filter(|last| last.file == first.file && last.number >= first.number);
        let (end_line, end_column) = match last {
            Some(last) => (last.number, self.column(last, span.end)),
            None => (first.number, self.column(first, span.start)),
        };
        let column = self.column(first, span.start);
        Span { file: self.files[first.file].id, line: first.number, column, end_line, end_column }
    }

    /// Whether the text at an offset comes from a header of the system.
    pub(crate) fn is_system(&self, offset: usize) -> bool {
        self.line_at(offset).is_some_and(|line| self.files[line.file].system)
    }

    /// An error at an offset, in the user's file and line.
    pub(crate) fn diagnostic(&self, offset: usize, message: String) -> Diagnostic {
        let (file, line, column) = match self.line_at(offset) {
            Some(line) => (self.files[line.file].name.clone(), line.number, self.column(line, offset)),
            None => (self.files[0].name.clone(), 0, 0),
        };
        Diagnostic { file, line, column, message, help: None }
    }

    /// Makes a function definition one without parameters and result; whether there is room for it.
    pub(crate) fn replace_head(&mut self, range: &std::ops::Range<usize>) -> bool {
        let text = &self.text[range.clone()];
        let mut name = "";
        for (_, token) in tokens(text) {
            match token {
                "(" if !name.is_empty() => break,
                word if word.starts_with(|char: char| char.is_alphabetic() || char == '_') => name = word,
                _ => {}
            }
        }
        let new = format!("void {name}(void){{}}");
        let fits = !name.is_empty() && new.len() <= range.len();
        if fits {
            self.blank(range.clone());
            self.text.replace_range(range.start..range.start + new.len(), &new);
        }
        fits
    }

    /// Overwrites a range with spaces.
    pub(crate) fn blank(&mut self, range: std::ops::Range<usize>) {
        let spaces: String =
            self.text[range.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        self.text.replace_range(range, &spaces);
    }

    /// Refuses what would take the recursive parser too deep.
    fn guard_nesting(&self) -> Result<(), Diagnostic> {
        let mut run = 0_usize;
        // How many `else` follow each other inside each open bracket, and all together.
        let (mut chains, mut elses) = (vec![0_usize], 0_usize);
        let mut previous = b' ';
        for (offset, token) in tokens(&self.text) {
            run += 1;
            // A statement that no `else` follows ends its chain.
            if token != "else" && matches!(previous, b';' | b'}') {
                elses -= chains.last_mut().map_or(0, std::mem::take);
            }
            match token.as_bytes()[0] {
                b'(' | b'[' | b'{' => chains.push(0),
                b')' | b']' | b'}' if chains.len() > 1 => elses -= chains.pop().unwrap_or(0),
                _ => {}
            }
            let depth = chains.len() - 1;
            match token.as_bytes()[0] {
                b';' | b'{' | b'}' | b',' => run = 0,
                _ => {}
            }
            if token == "else" {
                elses += 1;
                if let Some(chain) = chains.last_mut() {
                    *chain += 1;
                }
            }
            if depth > MAX_NESTING || run > MAX_RUN || elses > MAX_ELSES {
                let message = "the code is nested too deeply".to_owned();
                let help = Some(match elses > MAX_ELSES {
                    true => format!("at most {MAX_ELSES} `else` may follow each other"),
                    false => format!("at most {MAX_NESTING} brackets may be open at a time"),
                });
                return Err(Diagnostic { help, ..self.diagnostic(offset, message) });
            }
            previous = token.as_bytes()[0];
        }
        Ok(())
    }
}

/// The line number and file of a line marker `# 12 "file.c" 1 3`.
pub fn line_marker(line: &str) -> Option<(u32, &str)> {
    marker(line).map(|(number, path, _)| (number, path))
}

/// The line number and file of a marker `# 12 "file.c" 1 3`, and whether the file is a header of the system.
fn marker(line: &str) -> Option<(u32, &str, bool)> {
    let rest = line.trim_end().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let (number, rest) = rest.split_once(' ')?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let (path, flags) = rest.rsplit_once('"')?;
    Some((number.parse().ok()?, path, flags.split_whitespace().any(|flag| flag == "3")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_map_to_the_users_lines_through_the_markers() {
        let mut files = Vec::new();
        let text = "# 1 \"a.h\" 1 3\nint g;\n# 7 \"a.c\" 2\nint /* c */ x;\n";
        let source = Source::new("a.c", text, &mut files).unwrap();
        let offset = text.find("x;").unwrap();
        let span = source.span(lang_c::span::Span::span(offset, offset + 1));
        assert_eq!((span.line, span.column, span.end_column), (7, 13, 14));
        assert_eq!(files, ["a.c", "a.h"]);
        assert!(source.is_system(text.find("g;").unwrap()));
        assert!(!source.is_system(offset));
        assert_eq!(source.text.len(), text.len());
    }

    #[test]
    fn nesting_without_end_is_an_error_that_names_the_place() {
        let text = "(".repeat(2_000_000);
        let error = Source::new("deep.c", &text, &mut Vec::new()).err().unwrap();
        assert_eq!((error.file.as_str(), error.line, error.column), ("deep.c", 1, 201));
    }

    #[test]
    fn many_short_chains_of_else_are_not_nested() {
        let text = format!("void f(int x) {{ {} }}", "if (x) x = 1; else { x = 2; } ".repeat(5000));
        assert!(Source::new("flat.c", &text, &mut Vec::new()).is_ok());
        let text = format!("void f(int x) {{ {} ; }}", "if (x) x = 1; else ".repeat(6000));
        assert!(Source::new("deep.c", &text, &mut Vec::new()).is_err());
    }

    #[test]
    fn a_comment_mark_in_a_literal_is_no_comment() {
        assert_eq!(clean("\"/*\" '\"' // x\n\"*/\""), "\"/*\" '\"'     \n\"*/\"");
    }
}

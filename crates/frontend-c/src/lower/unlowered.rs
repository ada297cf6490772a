//! Code that is not lowered: it may do anything to the variables that it names.
//!
//! A gap replaces statements by one that ends the run. The runs that reach it have no verdict; but the compared
//! function may run after them, and then finds the variables that the code has written. So each name in such code
//! counts as written, and its address as taken. Over-approximating: the words of the text are its names, whatever
//! they stand for there; in assembly, the words inside the strings as well.

use lang_c::span::Span;

use super::Lowerer;
use super::names::Symbol;
use crate::tokens::tokens;

impl Lowerer<'_> {
    /// The code at a place of the current unit is not lowered.
    pub(crate) fn unlowered(&mut self, span: Span) {
        let units = self.units;
        if let Some(text) = units[self.unit].source.text.get(span.start..span.end) {
            self.unlowered_text(text);
        }
    }

    pub(crate) fn unlowered_text(&mut self, text: &str) {
        let assembly = tokens(text).any(|(_, word)| matches!(word, "asm" | "__asm" | "__asm__" | "alias"));
        for (_, token) in tokens(text) {
            match token.as_bytes()[0] {
                b'"' if assembly => words(token).for_each(|word| self.may_be_written(word)),
                first if first.is_ascii_alphabetic() || first == b'_' => self.may_be_written(token),
                _ => {}
            }
        }
    }

    /// Whether code at a place of the current unit names a function of libc that frees memory.
    pub(crate) fn may_free(&self, span: Span) -> bool {
        let text = self.units[self.unit].source.text.get(span.start..span.end).unwrap_or_default();
        tokens(text).any(|(_, token)| ["free", "realloc", "reallocarray", "cfree"].contains(&token))
    }

    /// The names inside a text.
    pub(crate) fn unlowered_words(&mut self, text: &str) {
        words(text).for_each(|word| self.may_be_written(word));
    }

    /// The variable that a name stands for here may be written, and so may the one of the file that it hides.
    fn may_be_written(&mut self, name: &str) {
        let of_file = self.file_scopes.get(self.unit).and_then(|scope| scope.names.get(name));
        let found = [self.lookup(name), of_file];
        let indices: Vec<usize> = found
            .into_iter()
            .flatten()
            .filter_map(|symbol| match symbol {
                Symbol::Variable(index) => Some(*index),
                _ => None,
            })
            .collect();
        for index in indices {
            let variable = self.variables[index].name.clone();
            self.found.written.insert(variable.clone());
            self.found.addressed.insert(variable);
        }
        if let Some(Symbol::Function(key)) = self.lookup(name) {
            self.found.functions.insert(key.clone());
        }
    }
}

/// The names inside the text of a string.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_').filter(|word| !word.is_empty())
}

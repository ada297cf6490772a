//! Steps through the tokens: what comes next, what must come next, and errors that say where.

use super::ReadError;
use super::lex::TokenKind;
use super::read::Reader;
use super::words::RESERVED;
use crate::MAX_DEPTH;

impl<'t> Reader<'t> {
    /// A name, bare or quoted.
    pub(super) fn name(&mut self) -> Result<String, ReadError> {
        match self.peek() {
            TokenKind::Quoted(name) => {
                let name = name.clone();
                self.position += 1;
                Ok(name)
            }
            TokenKind::Word(word) if RESERVED.binary_search(&word.as_str()).is_err() => {
                let name = word.clone();
                self.position += 1;
                Ok(name)
            }
            _ => Err(self.error("a name should stand here")),
        }
    }

    /// A text without halves of characters.
    pub(super) fn string(&mut self) -> Result<String, ReadError> {
        let TokenKind::Text(units) = self.peek() else {
            return Err(self.error("a text in double quotes should stand here"));
        };
        let text = String::from_utf16(units);
        let text = text.map_err(|_| self.error("this text has half of a character in it"))?;
        self.position += 1;
        Ok(text)
    }

    pub(super) fn integer<N: std::str::FromStr>(&mut self) -> Result<N, ReadError> {
        let TokenKind::Number(number) = self.peek() else {
            return Err(self.error("an integer should stand here"));
        };
        let value = number.parse().map_err(|_| self.error(format!("{number} is not possible here")))?;
        self.position += 1;
        Ok(value)
    }

    /// Runs a part of the reader one level further in.
    pub(super) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(format!("the nesting is deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn peek(&self) -> &'t TokenKind {
        &self.tokens[self.position].kind
    }

    pub(super) fn peek_second(&self) -> &'t TokenKind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.position + 1).min(last)].kind
    }

    /// Whether the next token stands on the same line as the one before it.
    pub(super) fn same_line(&self) -> bool {
        self.position > 0 && self.tokens[self.position].line == self.tokens[self.position - 1].line
    }

    pub(super) fn skip(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn take(&mut self, kind: &TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.skip();
        }
        found
    }

    pub(super) fn take_punct(&mut self, punct: char) -> bool {
        self.take(&TokenKind::Punct(punct))
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Word(next) if next == word)
    }

    pub(super) fn at_words(&self, first: &str, second: &str) -> bool {
        self.at_word(first) && matches!(self.peek_second(), TokenKind::Word(next) if next == second)
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.skip();
        }
        found
    }

    pub(super) fn expect(&mut self, punct: char) -> Result<(), ReadError> {
        if self.take_punct(punct) { Ok(()) } else { Err(self.error(format!("a {punct} should stand here"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), ReadError> {
        if self.take_word(word) { Ok(()) } else { Err(self.error(format!("`{word}` should stand here"))) }
    }

    pub(super) fn expect_arrow(&mut self) -> Result<(), ReadError> {
        if self.take(&TokenKind::Arrow) { Ok(()) } else { Err(self.error("a -> should stand here")) }
    }

    /// An error at the next token.
    pub(super) fn error(&self, message: impl Into<String>) -> ReadError {
        let token = &self.tokens[self.position];
        ReadError { line: token.line, column: token.column, message: message.into() }
    }

    /// An error at the token that was just read.
    pub(super) fn error_before(&self, message: impl Into<String>) -> ReadError {
        let token = &self.tokens[self.position.saturating_sub(1)];
        ReadError { line: token.line, column: token.column, message: message.into() }
    }
}

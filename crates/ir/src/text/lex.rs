//! Cuts the text form into tokens.

use super::ReadError;
use super::words::{continues_name, starts_name};

#[derive(Clone, PartialEq, Debug)]
pub(super) enum TokenKind {
    /// A bare name or word: `proc`, `add.i32`, `int[]`.
    Word(String),
    /// A name in back quotes, which is never a word of the language.
    Quoted(String),
    /// A text in double quotes, as UTF-16.
    Text(Vec<u16>),
    /// `-12`, `0.5`, `1e-7`: as it is written.
    Number(String),
    /// What follows an `@`.
    Span(String),
    Punct(char),
    /// `->`
    Arrow,
    End,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// All tokens; the last one is `End`. Comments go from `//` to the end of the line.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ReadError> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space();
        let (line, column) = (lexer.line, lexer.column);
        let kind = lexer.token()?;
        let ended = kind == TokenKind::End;
        tokens.push(Token { kind, line, column });
        if ended {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
}

impl Lexer<'_> {
    fn skip_space(&mut self) {
        loop {
            match self.peek() {
                Some(c) if c.is_whitespace() => {
                    self.bump();
                }
                Some('/') if self.rest.starts_with("//") => drop(self.take_while(|c| c != '\n')),
                _ => return,
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind, ReadError> {
        let Some(first) = self.peek() else {
            return Ok(TokenKind::End);
        };
        let second = self.rest[first.len_utf8()..].chars().next();
        match first {
            _ if starts_name(first) => Ok(TokenKind::Word(self.word())),
            '0'..='9' => Ok(TokenKind::Number(self.number())),
            '-' if second.is_some_and(|c| c.is_ascii_digit()) => Ok(TokenKind::Number(self.number())),
            '-' if second == Some('>') => {
                self.bump();
                self.bump();
                Ok(TokenKind::Arrow)
            }
            '@' => {
                self.bump();
                Ok(TokenKind::Span(self.take_while(|c| c.is_ascii_digit() || c == ':' || c == '-')))
            }
            '"' => Ok(TokenKind::Text(self.quoted('"')?)),
            '`' => match String::from_utf16(&self.quoted('`')?) {
                Ok(name) => Ok(TokenKind::Quoted(name)),
                Err(_) => Err(self.error("this name has half of a character in it")),
            },
            '(' | ')' | '{' | '}' | ',' | ':' | '=' | '<' | '&' | '*' | '-' => {
                self.bump();
                Ok(TokenKind::Punct(first))
            }
            _ => Err(self.error(format!("no token starts with {first:?}"))),
        }
    }

    fn word(&mut self) -> String {
        let mut word = self.take_while(continues_name);
        while self.rest.starts_with("[]") {
            word.extend(self.bump());
            word.extend(self.bump());
        }
        word
    }

    fn number(&mut self) -> String {
        let mut number = String::new();
        number.extend(self.bump());
        number += &self.take_while(|c| c.is_ascii_digit());
        if self.peek() == Some('.') {
            number.extend(self.bump());
            number += &self.take_while(|c| c.is_ascii_digit());
        }
        if self.peek() == Some('e') {
            number.extend(self.bump());
            if let Some('-' | '+') = self.peek() {
                number.extend(self.bump());
            }
            number += &self.take_while(|c| c.is_ascii_digit());
        }
        number
    }

    /// What stands between two quotes.
    fn quoted(&mut self, quote: char) -> Result<Vec<u16>, ReadError> {
        self.bump();
        let mut units = Vec::new();
        loop {
            match self.peek() {
                None | Some('\n') => {
                    return Err(self.error(format!("there should be a {quote} on this line")));
                }
                Some('\\') => {
                    self.bump();
                    units.push(self.escape()?);
                }
                Some(c) => {
                    self.bump();
                    if c == quote {
                        return Ok(units);
                    }
                    units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<u16, ReadError> {
        let unit = match self.peek() {
            Some('n') => b'\n'.into(),
            Some('t') => b'\t'.into(),
            Some('r') => b'\r'.into(),
            Some(c @ ('"' | '`' | '\\')) => c as u16,
            Some('u') => {
                self.bump();
                let digits: Vec<u32> = self.rest.chars().map_while(|c| c.to_digit(16)).take(4).collect();
                if digits.len() < 4 {
                    return Err(self.error("four hexadecimal digits should follow \\u"));
                }
                for _ in &digits {
                    self.bump();
                }
                return Ok(digits.iter().fold(0, |unit, digit| unit << 4 | *digit as u16));
            }
            _ => return Err(self.error("this is no escape: \\n \\t \\r \\\" \\` \\\\ \\uXXXX are")),
        };
        self.bump();
        Ok(unit)
    }

    fn take_while(&mut self, mut accept: impl FnMut(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|c| accept(*c)) {
            taken.push(c);
            self.bump();
        }
        taken
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError { line: self.line, column: self.column, message: message.into() }
    }
}

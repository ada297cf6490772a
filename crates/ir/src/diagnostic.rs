//! What is wrong with the user's source text.

use std::fmt;

/// An error in a source file: where, what, and what to do about it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Diagnostic {
    pub file: String,
    /// From 1; 0 when the whole file is meant.
    pub line: u32,
    pub column: u32,
    /// A lower-case fragment.
    pub message: String,
    pub help: Option<String>,
}

/// How the message of an error starts that is not the user's.
const OUR_BUG: &str = "a bug of selfsame, please report it: ";

impl Diagnostic {
    /// A file that made us panic.
    pub fn bug(file: &str, what: &str) -> Diagnostic {
        Diagnostic {
            file: file.to_owned(),
            line: 0,
            column: 0,
            message: format!("{OUR_BUG}{what}"),
            help: None,
        }
    }

    /// Whether we are to blame for this, and not the file.
    pub fn is_bug(&self) -> bool {
        self.message.starts_with(OUR_BUG)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message)?,
            line => write!(f, "{}:{}:{}: {}", self.file, line, self.column, self.message)?,
        }
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// A source file as a front end gets it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
}

//! Where in the source something stands.

use crate::FileId;

/// A range of source text, in lines and columns from 1; the end is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Span {
    /// The span of things that stand nowhere, such as code that a front end adds.
    pub const NOWHERE: Span = Span { file: FileId(0), line: 0, column: 0, end_line: 0, end_column: 0 };

    pub fn is_nowhere(&self) -> bool {
        self.line == 0
    }
}

/// Something with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

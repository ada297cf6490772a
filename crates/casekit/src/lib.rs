//! Reads case files: Markdown pages with pairs of programs and the verdict that is true of each pair.
//!
//! A page is a specification that a newcomer can read; `docs/case-format.md` has the format.
//! This crate only reads, and knows where the tests find things. What a verdict means, and how it is found, is not known here.

mod blocks;
mod options;
pub mod process;
mod read;
mod series;
pub mod share;
pub mod workspace;

pub use ir::{Language, Numbers};
pub use options::Options;
pub use read::read;
pub use series::{ExpectedOutcome, Series, Version, read_series};

/// One pair of programs with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The name of the file, as it was given to [`read`].
    pub file: String,
    /// The line of the case's heading, from 1.
    pub line: usize,
    /// The heading of the page.
    pub title: String,
    /// The heading of the case, without a leading `TODO`.
    pub name: String,
    /// The verdict is what we say today, not what is true: the fix should be noticed.
    pub todo: bool,
    pub language: Language,
    pub old: Source,
    pub new: Source,
    pub options: Options,
    /// What is expected in each number model that the case speaks of; never empty.
    pub expected: Vec<(Numbers, Expected)>,
}

/// The text of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// As a compiler would get it, with as many lines as the block has before anything that was added.
    pub text: String,
    /// The line of the page on which the text starts.
    pub line: usize,
}

/// The verdict that a case demands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    Equivalent,
    Different,
    /// Unknown, with a reason that contains these words.
    Unknown(String),
}

/// What is wrong with a case file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct CaseError {
    pub file: String,
    pub line: usize,
    pub problem: Problem,
}

/// What can be wrong with a case file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    #[error("a case file starts with a `# Title`")]
    NoTitle,
    #[error("this block stands before the first `## Case`")]
    BlockOutsideCase,
    #[error("a case needs a sentence of prose that says what it shows")]
    NoProse,
    #[error("the case `{case}` has no `{block}` block")]
    Missing { case: String, block: &'static str },
    #[error("the case has a second `{0}` block")]
    Twice(String),
    #[error(
        "the info string `{0}` is none of `java old`, `java new`, `c old`, `c new`, `verdict`, `verdict math`, `options`"
    )]
    UnknownBlock(String),
    #[error("both sides of a case are in one language")]
    MixedLanguages,
    #[error("a verdict is `equivalent`, `different` or `unknown: reason`, not `{0}`")]
    BadVerdict(String),
    #[error(
        "an option is a line such as `function: f`, `numbers: math`, `bound: 8` or `effort: 40`, not `{0}`"
    )]
    BadOption(String),
    #[error("two cases of the file are called `{0}`")]
    SameName(String),
}

//! The languages that there are generators for.

use clap::ValueEnum;

/// A language of random programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Language {
    Java,
    C,
}

impl Language {
    pub fn name(self) -> &'static str {
        match self {
            Language::Java => "java",
            Language::C => "c",
        }
    }
}

//! What there is to do, as data that a worker gets from its parent.

use ir::Language;
use serde::{Deserialize, Serialize};

use crate::options::Options;

/// Two versions of a program, or of several in different languages, and what to find out about them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub units: Vec<Unit>,
    pub options: Options,
}

/// The files of one language; those of one version belong together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit {
    pub language: SourceLanguage,
    pub old: Sources,
    pub new: Sources,
}

/// The files of one version.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sources {
    pub files: Vec<Source>,
    /// A file with errors is left out, because it came from a folder and was not asked for by name.
    pub tolerant: bool,
}

/// A file, ready to be parsed: C has gone through the preprocessor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Source {
    pub name: String,
    pub text: String,
    /// What of the text comes from macros that say where and when it is compiled, in its order.
    #[serde(default)]
    pub macros: Vec<MacroUse>,
}

impl Source {
    /// A text without such macros.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), macros: Vec::new() }
    }
}

/// A token that comes from `__FILE__`, `__LINE__`, `__DATE__` or their like.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MacroUse {
    pub(crate) what: Macro,
    /// Where it starts in the text.
    pub(crate) start: usize,
    /// The token as it stands there.
    pub(crate) here: String,
    /// The token as it could be if the file were compiled elsewhere.
    pub(crate) elsewhere: String,
    /// Whether anybody can see its value.
    pub(crate) is_listed: bool,
}

impl MacroUse {
    pub(crate) fn of(
        what: Macro,
        start: usize,
        here: String,
        elsewhere: String,
        is_listed: bool,
    ) -> MacroUse {
        MacroUse { what, start, here, elsewhere, is_listed }
    }
}

/// What a macro tells of the compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Macro {
    Line,
    File,
    Time,
    /// It is not known what of the file depends on which macro.
    Any,
}

/// The languages that have a front end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum SourceLanguage {
    Java,
    C,
}

impl SourceLanguage {
    /// By the extension of a file's name.
    pub fn of_extension(extension: &str) -> Option<SourceLanguage> {
        match extension {
            "java" => Some(SourceLanguage::Java),
            "c" => Some(SourceLanguage::C),
            _ => None,
        }
    }

    pub fn in_words(self) -> &'static str {
        match self {
            SourceLanguage::Java => "Java",
            SourceLanguage::C => "C",
        }
    }
}

impl From<SourceLanguage> for Language {
    fn from(language: SourceLanguage) -> Language {
        match language {
            SourceLanguage::Java => Language::Java,
            SourceLanguage::C => Language::C,
        }
    }
}

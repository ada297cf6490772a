//! The files of two versions, as data that a worker gets from its parent.

use ir::Language;
use serde::{Deserialize, Serialize};

/// The files of one language; those of one version belong together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit {
    #[serde(with = "language")]
    pub language: Language,
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
    /// The contracts of a C file, whose comments the preprocessor took away.
    #[serde(default)]
    pub contracts: Vec<contracts::Contract>,
}

impl Source {
    /// A text without such macros.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), macros: Vec::new(), contracts: Vec::new() }
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

/// Languages go by their names.
mod language {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Language;

    pub(super) fn serialize<S: Serializer>(language: &Language, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(language.name())
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Language, D::Error> {
        let name = String::deserialize(deserializer)?;
        Language::named(&name).ok_or_else(|| D::Error::custom(format!("there is no language `{name}`")))
    }
}

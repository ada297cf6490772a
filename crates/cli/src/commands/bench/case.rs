//! A labelled pair, wherever it came from.

use std::path::PathBuf;

use ir::Pair;
use ir::{Language, Numbers};
use report::bench::{Correction, Label};
use serde::{Deserialize, Serialize};

use super::methods::common_method;
use crate::job::Source;
use crate::options::Options;

/// Two versions, and what is said to be true of them.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Where the suite has it: `pairs.jsonl:3`, or the folder.
    pub(crate) place: String,
    pub(crate) suite: String,
    /// The row of the tables that it counts for, within its suite; often empty.
    pub(crate) group: String,
    /// Unique in its suite.
    pub(crate) name: String,
    /// As the suite says it; there may be no front end for it.
    pub(crate) language: String,
    /// Empty where the suite does not say it, until it was guessed.
    pub(crate) function: String,
    /// The numbers that the label was given for in the first place.
    pub(crate) numbers: Numbers,
    pub(crate) truth: Truth,
    /// Why it has no label at all, where the suite shows it.
    pub(crate) unlabelled: Option<&'static str>,
    /// Set where `--labels` changed a label.
    pub(crate) corrected: Option<Correction>,
    /// How many calls in a row the client makes, where the suite says so.
    pub(crate) calls: Option<u32>,
    pub(crate) texts: Pair<Source>,
    /// Where the includes of C are looked for.
    pub(crate) folders: Pair<Option<PathBuf>>,
    /// The options of `check` that this pair asks for; the run sets the others.
    pub(crate) options: Options,
    /// Why it cannot be run at all.
    pub(crate) problem: Option<String>,
}

/// The labels of a pair, for each kind of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Truth {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) math: Option<Label>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) machine: Option<Label>,
}

impl Truth {
    /// The same label whatever the numbers.
    pub(crate) fn any(label: Label) -> Truth {
        Truth { math: Some(label), machine: Some(label) }
    }

    pub(crate) fn of(self, numbers: Numbers) -> Option<Label> {
        match numbers {
            Numbers::Math => self.math,
            Numbers::Machine => self.machine,
        }
    }
}

impl Case {
    /// Settles which procedure is compared: the one that was asked for, the suite's, or the one that can be guessed.
    pub(crate) fn settle_function(&mut self, asked: Option<&str>) {
        if let Some(asked) = asked {
            self.function = asked.to_owned();
        }
        let Some(language) = Language::named(&self.language) else {
            self.problem = Some(format!("selfsame does not read the language `{}`", self.language));
            return;
        };
        if self.function.is_empty() && self.problem.is_none() {
            match common_method(language, self.texts.as_ref().map(|source| source.text.as_str())) {
                Ok(function) => self.function = function,
                Err(problem) => self.problem = Some(problem),
            }
        }
    }

    pub(crate) fn full_name(&self) -> String {
        format!("{}/{}", self.suite, self.name)
    }

    /// `suite/group`, or the suite alone.
    pub(crate) fn full_group(&self) -> String {
        match self.group.as_str() {
            "" => self.suite.clone(),
            group => format!("{}/{group}", self.suite),
        }
    }
}

/// The folders above the method: `Bess` of `Bess/bessi/Eq`. Shorter names have none.
pub(crate) fn group_of(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    parts[..parts.len().saturating_sub(2)].join("/")
}

#[cfg(test)]
mod tests {
    use super::group_of;

    #[test]
    fn the_group_is_what_stands_above_the_method() {
        assert_eq!(group_of("Bess/bessi/Eq"), "Bess");
        assert_eq!(group_of("a/b/c/NEq"), "a/b");
        assert_eq!(group_of("loop/unswitch"), "");
        assert_eq!(group_of("mid"), "");
    }
}

//! A labelled pair, wherever it came from.

use std::path::PathBuf;

use check::Numbers;
use ir::Pair;
use report::bench::Label;
use serde::{Deserialize, Serialize};

use crate::job::{Options, Source};

/// Two versions, and what is said to be true of them.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) suite: String,
    /// The row of the tables that it counts for, within its suite; often empty.
    pub(crate) group: String,
    /// Unique in its suite.
    pub(crate) name: String,
    /// As the suite says it; there may be no front end for it.
    pub(crate) language: String,
    pub(crate) function: String,
    /// The numbers that the label was given for in the first place.
    pub(crate) numbers: Numbers,
    pub(crate) truth: Truth,
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
    pub(crate) fn full_name(&self) -> String {
        format!("{}/{}", self.suite, self.name)
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

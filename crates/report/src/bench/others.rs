//! What others measured on the same pairs or groups: results of other tools, and the figures of papers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::model::{CaseReport, Label, Score};
use crate::model::VerdictWord;

/// A tool that did not run here.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct OtherTool {
    pub name: String,
    /// By the full name of the pair.
    pub results: BTreeMap<String, OtherResult>,
    pub figures: Vec<OtherFigure>,
}

/// What the tool said of one pair.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct OtherResult {
    pub verdict: VerdictWord,
    pub seconds: Option<f64>,
}

/// What is published of a group of pairs with one label.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OtherFigure {
    /// As `suite/group`; none for all pairs.
    pub group: Option<String>,
    pub label: Label,
    pub solved: usize,
    /// How many more were solved up to a bound.
    pub bounded: usize,
    /// How many pairs there were.
    pub of: Option<usize>,
    pub mean_seconds: Option<f64>,
}

impl OtherTool {
    /// The tool's result for a pair, measured by the label. None where it has none.
    pub(crate) fn result(&self, case: &CaseReport) -> Option<(Score, Option<f64>)> {
        let result = self.results.get(&case.full_name())?;
        let score = match (result.verdict, case.label) {
            (VerdictWord::Equivalent, Label::Equivalent) | (VerdictWord::Different, Label::Different) => {
                Score::Solved
            }
            (VerdictWord::Unknown, _) => Score::Unknown,
            (VerdictWord::Equivalent, Label::Different) | (VerdictWord::Different, Label::Equivalent) => {
                Score::Wrong
            }
        };
        Some((score, result.seconds))
    }

    /// What is published of a group, or of all pairs.
    pub(crate) fn figure(&self, group: Option<&str>, label: Label) -> Option<&OtherFigure> {
        self.figures.iter().find(|figure| figure.group.as_deref() == group && figure.label == label)
    }
}

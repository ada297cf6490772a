//! Explanations as plain data.

use serde::{Deserialize, Serialize};

use crate::model::Versions;

/// Why two versions differ.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Explanation {
    /// What the difference comes from, as a sentence.
    pub cause: Option<String>,
    /// What both versions do where they differ. The conditions are disjoint; where none holds they do the same.
    pub table: Option<Vec<EffectRow>>,
    /// Why there is no table.
    pub no_table: Option<String>,
    pub paths: Vec<PathPair>,
}

/// What both versions do under a condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EffectRow {
    pub condition: String,
    pub effects: Versions<String>,
    /// The path of an input that meets the condition, by its place among the paths.
    pub path: Option<usize>,
}

impl EffectRow {
    /// The condition for people.
    pub(super) fn when(&self) -> &str {
        match self.condition.as_str() {
            "true" | "1" => "always",
            condition => condition,
        }
    }
}

/// The ways of both versions through their sources on one input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathPair {
    /// The call in the notation of the language.
    pub call: String,
    pub outcomes: Versions<String>,
    /// The files in which the procedures stand.
    pub files: Versions<String>,
    pub rows: Vec<PathRow>,
    /// Whether the runs went on for longer than is shown.
    pub is_cut: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathRow {
    Steps(Box<StepRow>),
    /// So many rows that are left out.
    Elided(usize),
}

/// What both versions do at the same time, or one of them alone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StepRow {
    pub steps: Versions<Option<Step>>,
    /// Whether the lines are not the same in both versions, or do not mean the same.
    pub changed: bool,
    /// Whether the values are not the same.
    pub differs: bool,
    /// Whether the versions part here.
    pub parts: bool,
}

/// A line that was executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// How many calls are open around it.
    pub depth: u32,
    pub seen: Vec<Seen>,
    /// The source line; filled in where the sources are.
    #[serde(default)]
    pub text: String,
}

/// Something that happened on a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seen {
    pub kind: SeenKind,
    /// The variable or place of a value; empty for anything else.
    pub name: String,
    pub value: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeenKind {
    /// A variable or place has this value now.
    Value,
    /// A condition holds or does not.
    Branch,
    Returns,
    Prints,
    /// An exception or an error.
    Fails,
    /// Anything else, in words.
    Note,
}

impl Seen {
    /// `n = 3`, `returns 3`, `true`.
    pub fn text(&self) -> String {
        let value = &self.value;
        match self.kind {
            SeenKind::Value => format!("{} = {value}", self.name),
            SeenKind::Returns if value.is_empty() => "returns".to_owned(),
            SeenKind::Returns => format!("returns {value}"),
            SeenKind::Prints => format!("prints {value}"),
            SeenKind::Branch | SeenKind::Fails | SeenKind::Note => value.clone(),
        }
    }
}

impl Explanation {
    /// The files of all lines.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let rows = self.paths.iter().flat_map(|path| &path.rows);
        rows.flat_map(|row| match row {
            PathRow::Steps(row) => [row.steps.old.as_ref(), row.steps.new.as_ref()],
            PathRow::Elided(_) => [None, None],
        })
        .flatten()
        .map(|step| step.file.as_str())
    }

    /// Fills in the source lines. `source` gives the text of a file, where it is at hand.
    pub fn add_texts<'a>(&mut self, source: &dyn Fn(&str) -> Option<&'a str>) {
        for path in &mut self.paths {
            for row in &mut path.rows {
                let PathRow::Steps(row) = row else { continue };
                for step in [&mut row.steps.old, &mut row.steps.new].into_iter().flatten() {
                    let place = (step.line as usize).saturating_sub(1);
                    let line = source(&step.file).and_then(|text| text.lines().nth(place));
                    step.text = line.unwrap_or_default().trim().to_owned();
                }
                let words = |step: &Step| step.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                if let Versions { old: Some(old), new: Some(new) } = &row.steps {
                    row.changed |= words(old) != words(new) && old.text.len() + new.text.len() > 0;
                }
            }
        }
    }
}

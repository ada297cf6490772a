//! From the parts of a page to its cases.

use crate::blocks::{Part, PartKind, parts};
use crate::{Case, CaseError, Expected, Language, Numbers, Options, Problem, Source};

/// Reads all cases of a file. `file` is only a name, for errors and reports.
pub fn read(file: &str, text: &str) -> Result<Vec<Case>, CaseError> {
    let mut cases: Vec<Case> = Vec::new();
    let mut title = None;
    let mut draft: Option<Draft> = None;
    for part in parts(text) {
        let line = part.line;
        let error = |(line, problem)| CaseError { file: file.to_owned(), line, problem };
        match part.kind {
            PartKind::Title(text) => title = title.or(Some(text)),
            PartKind::CaseHeading(name) => {
                let title = title.clone().ok_or_else(|| error((line, Problem::NoTitle)))?;
                finish(draft.replace(Draft::new(title, name, line)), file, &mut cases).map_err(error)?;
            }
            PartKind::Prose | PartKind::Block { .. } => match &mut draft {
                Some(draft) => draft.add(part).map_err(error)?,
                None if part.kind == PartKind::Prose => {}
                None => return Err(error((line, Problem::BlockOutsideCase))),
            },
        }
    }
    let error = |(line, problem)| CaseError { file: file.to_owned(), line, problem };
    if title.is_none() {
        return Err(error((1, Problem::NoTitle)));
    }
    finish(draft, file, &mut cases).map_err(error)?;
    Ok(cases)
}

fn finish(draft: Option<Draft>, file: &str, cases: &mut Vec<Case>) -> Result<(), (usize, Problem)> {
    let Some(draft) = draft else { return Ok(()) };
    let case = draft.finish(file)?;
    if cases.iter().any(|other| other.name == case.name) {
        return Err((case.line, Problem::SameName(case.name)));
    }
    cases.push(case);
    Ok(())
}

/// A case whose blocks are still arriving.
struct Draft {
    title: String,
    name: String,
    line: usize,
    has_prose: bool,
    old: Option<(Language, Source)>,
    new: Option<(Language, Source)>,
    verdict: Option<Expected>,
    math_verdict: Option<Expected>,
    options: Option<Options>,
}

impl Draft {
    fn new(title: String, name: String, line: usize) -> Draft {
        Draft {
            title,
            name,
            line,
            has_prose: false,
            old: None,
            new: None,
            verdict: None,
            math_verdict: None,
            options: None,
        }
    }

    fn add(&mut self, part: Part) -> Result<(), (usize, Problem)> {
        let line = part.line;
        let PartKind::Block { info, text } = part.kind else {
            self.has_prose = true;
            return Ok(());
        };
        let words: Vec<&str> = info.split_whitespace().collect();
        let is_new = match words.as_slice() {
            ["java", "old"] => set(&mut self.old, (Language::Java, source(Language::Java, &text, line))),
            ["java", "new"] => set(&mut self.new, (Language::Java, source(Language::Java, &text, line))),
            ["c", "old"] => set(&mut self.old, (Language::C, source(Language::C, &text, line))),
            ["c", "new"] => set(&mut self.new, (Language::C, source(Language::C, &text, line))),
            ["verdict"] => set(&mut self.verdict, verdict(&text).map_err(|problem| (line + 1, problem))?),
            ["verdict", "math"] => {
                set(&mut self.math_verdict, verdict(&text).map_err(|problem| (line + 1, problem))?)
            }
            ["options"] => {
                let parsed = Options::parse(&text).map_err(|(index, problem)| (line + 1 + index, problem))?;
                set(&mut self.options, parsed)
            }
            _ => return Err((line, Problem::UnknownBlock(info))),
        };
        if is_new { Ok(()) } else { Err((line, Problem::Twice(info))) }
    }

    fn finish(self, file: &str) -> Result<Case, (usize, Problem)> {
        let line = self.line;
        let missing = |block| (line, Problem::Missing { case: self.name.clone(), block });
        let (language, old) = self.old.ok_or_else(|| missing("old"))?;
        let (new_language, new) = self.new.ok_or_else(|| missing("new"))?;
        let verdict = self.verdict.ok_or_else(|| missing("verdict"))?;
        if language != new_language {
            return Err((line, Problem::MixedLanguages));
        }
        if !self.has_prose {
            return Err((line, Problem::NoProse));
        }
        let options = self.options.unwrap_or_default();
        let mut expected = vec![(options.numbers.unwrap_or(Numbers::Machine), verdict)];
        expected.extend(self.math_verdict.map(|verdict| (Numbers::Math, verdict)));
        let todo_name = self.name.strip_prefix("TODO").map(|rest| rest.trim_start_matches([':', ' ']));
        Ok(Case {
            file: file.to_owned(),
            line,
            title: self.title,
            name: todo_name.unwrap_or(&self.name).to_owned(),
            todo: todo_name.is_some(),
            language,
            old,
            new,
            options,
            expected,
        })
    }
}

/// Fills a slot; false if it was full.
fn set<T>(slot: &mut Option<T>, value: T) -> bool {
    let is_new = slot.is_none();
    *slot = Some(value);
    is_new
}

fn verdict(text: &str) -> Result<Expected, Problem> {
    match text.trim() {
        "equivalent" => Ok(Expected::Equivalent),
        "different" => Ok(Expected::Different),
        other => match other.strip_prefix("unknown:") {
            Some(reason) if !reason.trim().is_empty() => Ok(Expected::Unknown(reason.trim().to_owned())),
            _ => Err(Problem::BadVerdict(other.to_owned())),
        },
    }
}

/// A block's text as a compiler would get it.
///
/// Java members without a class around them are put into a `class Case`, on the same lines.
fn source(language: Language, text: &str, fence_line: usize) -> Source {
    let text = match language {
        Language::Java if !declares_top_level_type(text) => format!("class Case {{ {text}}}\n"),
        Language::Java | Language::C => text.to_owned(),
    };
    Source { text, line: fence_line + 1 }
}

/// Whether a line starts, without indentation, like a whole Java file would.
/// (`static class Point` is a member, and goes into the class `Case`.)
fn declares_top_level_type(java: &str) -> bool {
    let starts = ["import ", "package ", "class ", "public class ", "final class ", "abstract class "];
    java.lines().any(|line| starts.iter().any(|start| line.starts_with(start)))
}

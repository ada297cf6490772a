//! Explanations for people at a terminal.

use super::columns;
use super::model::{EffectRow, Explanation, PathPair};
use crate::model::{PairReport, RunReport, VerdictWord};
use crate::paint::{Colour, Style};
use crate::text::{around, conditions, headline, line, sum};

/// The whole report: an explanation for each pair that is different, a line for each other one.
pub fn render(run: &RunReport, explanations: &[Option<Explanation>], style: Style) -> String {
    let mut text = String::new();
    for (at, report) in run.results.iter().enumerate() {
        text += &headline(report, style);
        match (report.verdict, explanations.get(at).and_then(Option::as_ref)) {
            (VerdictWord::Different, Some(explanation)) => text += &pair(report, explanation, style),
            (VerdictWord::Unknown, _) => {
                for reason in &report.reasons {
                    line(&mut text, &format!("  {}", reason.text));
                }
            }
            _ => {}
        }
    }
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text + &around(run, style) + &sum(run)
}

fn pair(report: &PairReport, explanation: &Explanation, style: Style) -> String {
    let mut text = conditions(report);
    if let Some(cause) = &explanation.cause {
        line(&mut text, &format!("  {}", style.paint(Colour::Bold, cause)));
    }
    match (&explanation.table, &explanation.no_table) {
        (Some(rows), _) => text += &table(rows),
        (None, Some(why)) => line(&mut text, &format!("  no table of conditions: {why}")),
        (None, None) => {}
    }
    for path in &explanation.paths {
        text.push('\n');
        text += &one_path(path, explanation, style);
    }
    for assumption in &report.assumptions {
        line(&mut text, &format!("  assuming: {assumption}"));
    }
    text.push('\n');
    text
}

/// Whether the versions differ on all inputs.
pub(super) fn is_always(rows: &[EffectRow]) -> bool {
    rows.iter().any(|row| row.when() == "always")
}

/// `condition | old effect | new effect`.
fn table(rows: &[EffectRow]) -> String {
    let mut cells = vec![["when".to_owned(), "old".to_owned(), "new".to_owned()]];
    cells.extend(
        rows.iter().map(|row| [row.when().to_owned(), row.effects.old.clone(), row.effects.new.clone()]),
    );
    if !is_always(rows) {
        cells.push(["otherwise".to_owned(), "the same".to_owned(), String::new()]);
    }
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut text = String::from("\n");
    for row in &cells {
        let said = format!("  {:<first$}  {:<second$}  {}", row[0], row[1], row[2]);
        line(&mut text, said.trim_end());
    }
    text
}

fn one_path(path: &PathPair, explanation: &Explanation, style: Style) -> String {
    let mut text = String::new();
    let rows = explanation.table.iter().flatten();
    let index = explanation.paths.iter().position(|other| std::ptr::eq(other, path));
    let mut conditions = rows.filter(|row| row.path.is_some() && row.path == index);
    let when = conditions.next().map(|row| format!("  (when {})", row.when())).unwrap_or_default();
    let when = if when == "  (when always)" { String::new() } else { when };
    line(&mut text, &format!("  {}{when}", style.paint(Colour::Bold, &path.call)));
    line(&mut text, &format!("    old: {}", path.outcomes.old));
    line(&mut text, &format!("    new: {}", path.outcomes.new));
    text += &columns::render(&path.rows, [&path.files.old, &path.files.new], style);
    if path.is_cut {
        line(&mut text, "    the runs go on; only their beginning is shown");
    }
    text
}

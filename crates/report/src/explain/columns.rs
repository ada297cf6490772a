//! Two columns of text: the lines of both versions with the values below them.

use super::model::{PathRow, Seen, Step, StepRow};
use crate::paint::{Colour, Style};

/// The most columns that each side gets, and the fewest.
const WIDEST: usize = 58;
const NARROWEST: usize = 24;

/// The rows of a path, each with the sign between the sides.
pub(super) fn render(rows: &[PathRow], files: [&str; 2], style: Style) -> String {
    let steps = || rows.iter().filter_map(|row| if let PathRow::Steps(row) = row { Some(row) } else { None });
    let all = || steps().flat_map(|row| [&row.steps.old, &row.steps.new]).flatten();
    let digits = all().map(|step| step.line.to_string().len()).max().unwrap_or(1);
    let olds = steps().filter_map(|row| row.steps.old.as_ref());
    let widths = olds.flat_map(|step| cell_lines(step, digits)).map(|line| line.chars().count());
    let width = widths.chain([files[0].chars().count()]).max().unwrap_or(0).clamp(NARROWEST, WIDEST);
    let mut text = String::new();
    let mut put = |lead: &str, old: &str, sign: char, new: &str| {
        let line = format!("{lead} {} {sign} {}", padded(old, width), padded(new, WIDEST));
        text.push_str(line.trim_end());
        text.push('\n');
    };
    put("   ", files[0], ' ', files[1]);
    let mut before: [Option<String>; 2] = [None, None];
    for row in rows {
        let PathRow::Steps(row) = row else {
            let PathRow::Elided(count) = row else { continue };
            put("   ", &format!("… {count} steps"), ' ', "");
            continue;
        };
        let entered = [(&row.steps.old, 0), (&row.steps.new, 1)].map(|(step, side)| {
            let name = step.as_ref().map(|step| step.function.clone());
            let is_new = name.is_some() && before[side].is_some() && name != before[side];
            before[side] = name.clone().or_else(|| before[side].clone());
            name.filter(|_| is_new).map(|name| format!("in {name}")).unwrap_or_default()
        });
        if entered.iter().any(|name| !name.is_empty()) {
            put("   ", &entered[0], ' ', &entered[1]);
        }
        let old = row.steps.old.as_ref().map(|step| cell_lines(step, digits)).unwrap_or_default();
        let new = row.steps.new.as_ref().map(|step| cell_lines(step, digits)).unwrap_or_default();
        for at in 0..old.len().max(new.len()) {
            let cell = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
            let sign = if at == 0 { sign(row) } else { ' ' };
            let lead = if at == 0 && row.parts { ">>>" } else { "   " };
            put(lead, &cell(&old), sign, &cell(&new));
        }
        if row.parts {
            put("   ", "^ here the versions part", ' ', "");
        }
    }
    coloured(&text, style)
}

fn sign(row: &StepRow) -> char {
    match (&row.steps.old, &row.steps.new) {
        (Some(_), None) => '<',
        (None, Some(_)) => '>',
        _ if row.changed => '|',
        _ if row.differs => '≠',
        _ => '=',
    }
}

/// A line of the source, and the values below it.
fn cell_lines(step: &Step, digits: usize) -> Vec<String> {
    let mut lines = vec![format!("{:>digits$} {}", step.line, step.text.replace('\t', " "))];
    let indent = " ".repeat(digits + 3);
    let mut line = String::new();
    for said in step.seen.iter().map(Seen::text) {
        let room = WIDEST - indent.len();
        if !line.is_empty() && line.chars().count() + 2 + said.chars().count() > room {
            lines.push(format!("{indent}{line}"));
            line.clear();
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&said);
    }
    if !line.is_empty() {
        lines.push(format!("{indent}{line}"));
    }
    lines
}

/// Cut off or filled up to a width. What would disturb a terminal is left out.
fn padded(text: &str, width: usize) -> String {
    let text: String = text.trim_end().chars().filter(|c| !c.is_control()).collect();
    match text.chars().count() <= width {
        true => format!("{text:<width$}"),
        false => text.chars().take(width - 1).chain(['…']).collect(),
    }
}

/// The row where the versions part stands out.
fn coloured(text: &str, style: Style) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        let stands_out = line.starts_with(">>>") || line.contains("^ here the versions part");
        shown += &if stands_out { style.paint(Colour::Yellow, line) } else { line.to_owned() };
        shown.push('\n');
    }
    shown
}

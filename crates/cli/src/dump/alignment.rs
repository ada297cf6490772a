//! What `--dump alignment` shows: the source lines of a pair side by side, with a mark in the middle.
//!
//! A worker finds out which lines go together; the lines themselves are with the parent, because a worker sees C only
//! after the preprocessor.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::RangeInclusive;

use align::{LineMatch, Row, StatementLines, side_by_side, statement_lines};
use check::Subject;
use ir::Pair;
use report::{PairHeader, Versions};

use crate::wire::AlignedPair;

/// The most columns that each side gets.
const WIDEST: usize = 60;

impl AlignedPair {
    pub(crate) fn new(pair: Pair<Subject<'_>>) -> AlignedPair {
        let found = statement_lines(pair.map(|subject| (subject.program, subject.procedure)));
        let matches = found.matches.iter().map(|it| (it.lines.old, it.lines.new, it.is_common));
        AlignedPair {
            names: pair.map(|subject| subject.procedure().name.clone()).into(),
            header: PairHeader::new(pair),
            matches: matches.collect(),
            moved: found.moved.into(),
        }
    }

    /// Both sides in columns. `sources` has the texts of the files as they were written.
    pub(crate) fn render(&self, sources: &BTreeMap<String, String>) -> String {
        let mut text = self.title();
        let sides = Pair::new(&self.header.places.old, &self.header.places.new).map(|place| {
            let place = place.as_ref()?;
            Some(Side::new(&place.file, sources.get(&place.file)?, place.line..=place.end_line))
        });
        let Pair { old: Some(old), new: Some(new) } = sides else {
            text.push_str("  the source is not at hand\n\n");
            return text;
        };
        let statements = StatementLines {
            matches: self
                .matches
                .iter()
                .map(|(old, new, is_common)| LineMatch {
                    lines: Pair::new(*old, *new),
                    is_common: *is_common,
                })
                .collect(),
            moved: Pair::new(self.moved.old.clone(), self.moved.new.clone()),
        };
        let ranges = Pair::new(old.range.clone(), new.range.clone());
        let rows =
            side_by_side(&statements, ranges, Pair::new(&|line| old.text(line), &|line| new.text(line)));
        put_rows(&mut text, &old, &new, &rows);
        text.push('\n');
        text
    }

    fn title(&self) -> String {
        match &self.names {
            Versions { old, new } if old == new => format!("{new}\n"),
            Versions { old, new } => format!("{old} -> {new}\n"),
        }
    }
}

/// The lines of one version.
struct Side<'a> {
    file: &'a str,
    lines: Vec<&'a str>,
    range: RangeInclusive<u32>,
    /// How many columns all lines have before their text.
    margin: usize,
    /// How many columns the texts need.
    width: usize,
}

impl<'a> Side<'a> {
    fn new(file: &'a str, source: &'a str, range: RangeInclusive<u32>) -> Side<'a> {
        let lines: Vec<&str> = source.lines().collect();
        // A range never reaches beyond the file, whatever a `#line` of the source claims.
        let last = (*range.end()).min(u32::try_from(lines.len()).unwrap_or(u32::MAX));
        let mut side = Side { file, lines, range: *range.start()..=last, margin: 0, width: 0 };
        let texts = side.range.clone().map(|line| side.text(line));
        let margins = texts.filter(|it| !it.trim().is_empty()).map(|it| it.len() - it.trim_start().len());
        side.margin = margins.min().unwrap_or(0);
        let widths = side.range.clone().map(|line| side.text(line).trim_end().chars().count());
        side.width = widths.chain([file.chars().count()]).max().unwrap_or(0).min(WIDEST);
        side
    }

    /// A line without its margin, tabs as blanks.
    fn text(&self, line: u32) -> String {
        let place = (line as usize).checked_sub(1);
        let text = place.and_then(|place| self.lines.get(place)).unwrap_or(&"");
        text.replace('\t', "    ").chars().skip(self.margin).filter(|c| !c.is_control()).collect()
    }
}

fn put_rows(text: &mut String, old: &Side<'_>, new: &Side<'_>, rows: &[Row]) {
    let digits = rows.iter().flat_map(|row| [row.lines.old, row.lines.new]).flatten().max().unwrap_or(0);
    let digits = digits.to_string().len();
    let cell = |side: &Side<'_>, line: Option<u32>| match line {
        Some(line) => format!("{line:>digits$} {}", padded(&side.text(line), side.width)),
        None => " ".repeat(digits + 1 + side.width),
    };
    let title = |side: &Side<'_>| format!("{} {}", " ".repeat(digits), padded(side.file, side.width));
    let mut put = |old: String, mark: char, new: String| {
        let line = format!("  {old} {mark} {new}");
        writeln!(text, "{}", line.trim_end()).expect("writing to a string should not fail");
    };
    put(title(old), ' ', title(new));
    for row in rows {
        put(cell(old, row.lines.old), row.mark.sign(), cell(new, row.lines.new));
    }
}

/// Cut off or filled up to a width.
fn padded(text: &str, width: usize) -> String {
    let text = text.trim_end();
    match text.chars().count() <= width {
        true => format!("{text:<width$}"),
        false => text.chars().take(width - 1).chain(['…']).collect(),
    }
}

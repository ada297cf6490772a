//! The lines in which two versions of a procedure differ, as a small diff.
//!
//! By the words of the lines alone: what only changed its indentation or is blank is left out.

use std::ops::RangeInclusive;

use align::common_subsequence;

use crate::model::{Place, Versions};
use crate::paint::{Colour, Style};

/// How many lines are shown.
const SHOWN: usize = 20;

/// The changed lines with their numbers, the old ones first where some were replaced. Empty if there are none, or if a
/// source is not at hand.
pub(crate) fn render<'a>(
    places: &Versions<Option<Place>>,
    source: &dyn Fn(&str) -> Option<&'a str>,
    style: Style,
) -> String {
    let (Some(old), Some(new)) = (&places.old, &places.new) else {
        return String::new();
    };
    let (Some(old_text), Some(new_text)) = (source(&old.file), source(&new.file)) else {
        return String::new();
    };
    let changed =
        changed(&lines(old_text, old.line..=old.end_line), &lines(new_text, new.line..=new.end_line));
    if changed.is_empty() {
        return String::new();
    }
    let digits = changed.iter().map(|line| line.number).max().unwrap_or(0).to_string().len();
    let mut text = String::new();
    for (sign, place) in [("---", old), ("+++", new)] {
        let title = format!("{sign} {}:{}", place.file, place.line);
        text += &format!("{}\n", style.paint(Colour::Dim, &title));
    }
    for line in changed.iter().take(SHOWN) {
        let shown = format!("{} {:>digits$} {}", line.sign, line.number, printable(line.text));
        text += &format!("{}\n", style.paint(line.colour(), shown.trim_end()));
    }
    if changed.len() > SHOWN {
        text += &format!("… and {} more\n", changed.len() - SHOWN);
    }
    text
}

/// A line that only one version has.
struct Changed<'a> {
    sign: char,
    number: usize,
    text: &'a str,
}

impl Changed<'_> {
    fn colour(&self) -> Colour {
        if self.sign == '-' { Colour::Red } else { Colour::Green }
    }
}

/// The lines of a range with their numbers, without blank ones.
fn lines(text: &str, range: RangeInclusive<u32>) -> Vec<(usize, &str)> {
    let first = (*range.start() as usize).max(1);
    let count = (*range.end() as usize + 1).saturating_sub(first);
    let numbered = text.lines().enumerate().skip(first - 1).take(count);
    numbered.map(|(place, line)| (place + 1, line)).filter(|(_, line)| !line.trim().is_empty()).collect()
}

fn changed<'a>(old: &[(usize, &'a str)], new: &[(usize, &'a str)]) -> Vec<Changed<'a>> {
    let words =
        |lines: &[(usize, &'a str)]| -> Vec<&'a str> { lines.iter().map(|(_, line)| line.trim()).collect() };
    let common = common_subsequence(&words(old), &words(new));
    let mut changed = Vec::new();
    let (mut old_start, mut new_start) = (0, 0);
    for (old_end, new_end) in common.into_iter().chain([(old.len(), new.len())]) {
        for (sign, lines) in [('-', &old[old_start..old_end]), ('+', &new[new_start..new_end])] {
            changed.extend(lines.iter().map(|(number, text)| Changed { sign, number: *number, text }));
        }
        (old_start, new_start) = (old_end + 1, new_end + 1);
    }
    changed
}

/// Tabs as blanks, and nothing that could steer a terminal.
fn printable(line: &str) -> String {
    line.replace('\t', "    ").chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(old: &str, new: &str, expected: Expect) {
        let place = |file: &str, text: &str| {
            let end_line = u32::try_from(text.lines().count()).unwrap();
            Some(Place { file: file.to_owned(), line: 1, column: 1, end_line, end_column: 1 })
        };
        let places = Versions { old: place("old.c", old), new: place("new.c", new) };
        let source = |file: &str| Some(if file == "old.c" { old } else { new });
        expected.assert_eq(&render(&places, &source, Style::Plain));
    }

    #[test]
    fn lines_that_differ_are_shown_with_their_numbers() {
        check(
            "int f(int a) {\n\tint b = 1;\n  return a;\n}\n",
            "int f(int a) {\n\n    return a;\n  log();\n}\n",
            expect![[r#"
                --- old.c:1
                +++ new.c:1
                - 2     int b = 1;
                + 4   log();
            "#]],
        );
    }

    #[test]
    fn nothing_is_shown_of_equal_words() {
        check("f() {\n}\n", "f() {\n\n  }\n", expect![""]);
    }

    #[test]
    fn a_long_difference_is_cut_off() {
        let old: String = (0..15).map(|it| format!("a{it};\n")).collect();
        let new: String = (0..15).map(|it| format!("b{it};\n")).collect();
        let places =
            |end_line| Some(Place { file: String::new(), line: 1, column: 1, end_line, end_column: 1 });
        let both = format!("{old}{new}");
        let new_place = Some(Place { line: 16, ..places(30).unwrap() });
        let text = render(&Versions { old: places(15), new: new_place }, &|_| Some(&both), Style::Plain);
        assert_eq!(text.lines().count(), 2 + SHOWN + 1);
        assert!(text.ends_with("+ 20 b4;\n… and 10 more\n"), "{text}");
    }
}

//! Lines of the user's source with a remark at the place in question.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::model::Place;
use crate::paint::Style;

/// A place with the remark that belongs to it.
pub(crate) struct Remark<'a> {
    pub(crate) place: &'a Place,
    pub(crate) label: &'a str,
}

/// The first lines of the places, one below the other. Places whose source is not at hand are left out.
pub(crate) fn render<'a>(
    remarks: &[Remark<'a>],
    source: &dyn Fn(&str) -> Option<&'a str>,
    style: Style,
) -> String {
    let mut group = Group::with_level(Level::NOTE);
    for remark in remarks {
        let Some(line) = source(&remark.place.file).and_then(|text| line_of(text, remark.place.line)) else {
            continue;
        };
        let annotation = AnnotationKind::Primary.span(marked(line, remark.place)).label(remark.label);
        group = group.element(
            Snippet::source(line)
                .line_start(remark.place.line as usize)
                .path(remark.place.file.as_str())
                .annotation(annotation),
        );
    }
    if group.is_empty() {
        return String::new();
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    renderer.render(&[group])
}

fn line_of(text: &str, line: u32) -> Option<&str> {
    text.lines().nth((line as usize).checked_sub(1)?)
}

/// The part of the place that lies on its first line, without blanks and an opening brace at its end.
fn marked(line: &str, place: &Place) -> Range<usize> {
    let start = boundary(line, (place.column as usize).saturating_sub(1));
    let end = match place.end_line == place.line {
        true => boundary(line, (place.end_column as usize).saturating_sub(1)),
        false => line.len(),
    };
    let text = line[start..end.max(start)].trim_end();
    // The header of a procedure says enough; its body may be on the same line.
    let text = text.split('{').next().unwrap_or(text).trim_end();
    start..start + text.len()
}

/// The byte offset at which a character starts; the end of the line if it has fewer.
fn boundary(line: &str, characters: usize) -> usize {
    line.char_indices().nth(characters).map_or(line.len(), |(offset, _)| offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let place = Place { file: String::new(), line: 1, column: 2, end_line: 1, end_column: 3 };
        assert_eq!(marked("äöü", &place), 2..4);
        assert_eq!(boundary("äöü", 99), 6);
    }

    #[test]
    fn a_place_beyond_the_text_is_left_out() {
        let place = Place { file: "a".to_owned(), line: 7, column: 1, end_line: 7, end_column: 2 };
        let remark = Remark { place: &place, label: "here" };
        assert_eq!(render(&[remark], &|_| Some("one line"), Style::Plain), "");
    }
}

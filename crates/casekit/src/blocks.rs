//! Markdown to the parts that a case file is made of: headings, prose and fenced blocks, with their lines.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

/// A part of a case file, and the line on which it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) line: usize,
    pub(crate) kind: PartKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    Title(String),
    CaseHeading(String),
    /// Paragraphs, lists, deeper headings: what a reader reads.
    Prose,
    /// A fenced block; the text starts on the line after the fence.
    Block {
        info: String,
        text: String,
    },
}

/// Splits a page into its parts, in order.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    let lines = LineTable::new(text);
    let mut parts = Vec::new();
    let mut collecting: Option<(usize, Collecting)> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                collecting = Some((lines.line(range.start), Collecting::Heading(level, String::new())));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let block = Collecting::Block { info: info.trim().to_owned(), text: String::new() };
                collecting = Some((lines.line(range.start), block));
            }
            Event::Start(Tag::Paragraph) => {
                parts.push(Part { line: lines.line(range.start), kind: PartKind::Prose })
            }
            Event::Text(piece) | Event::Code(piece) => {
                if let Some((_, collecting)) = &mut collecting {
                    collecting.push(&piece);
                }
            }
            Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock) => {
                if let Some((line, collected)) = collecting.take() {
                    parts.push(Part { line, kind: collected.finish() });
                }
            }
            _ => {}
        }
    }
    parts
}

/// A heading or block whose text is still arriving in pieces.
enum Collecting {
    Heading(HeadingLevel, String),
    Block { info: String, text: String },
}

impl Collecting {
    fn push(&mut self, piece: &str) {
        match self {
            Collecting::Heading(_, text) | Collecting::Block { text, .. } => text.push_str(piece),
        }
    }

    fn finish(self) -> PartKind {
        match self {
            Collecting::Heading(HeadingLevel::H1, text) => PartKind::Title(text.trim().to_owned()),
            Collecting::Heading(HeadingLevel::H2, text) => PartKind::CaseHeading(text.trim().to_owned()),
            Collecting::Heading(..) => PartKind::Prose,
            Collecting::Block { info, text } => PartKind::Block { info, text },
        }
    }
}

/// Byte offsets to lines.
struct LineTable {
    starts: Vec<usize>,
}

impl LineTable {
    fn new(text: &str) -> LineTable {
        let after_newlines = text.match_indices('\n').map(|(offset, _)| offset + 1);
        LineTable { starts: std::iter::once(0).chain(after_newlines).collect() }
    }

    /// The line of an offset, from 1.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }
}

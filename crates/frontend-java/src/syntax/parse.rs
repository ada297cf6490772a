//! From source text to syntax: runs tree-sitter, reports what it could not read, and starts the reader.

use std::collections::BTreeSet;

use ir::{Diagnostic, FileId, SourceFile, Span};
use tree_sitter::{Node, Parser, Tree};

use super::escapes::Translated;
use super::{Nameless, Unit, Words};

/// How deep syntax may be nested. Deeper statements and expressions are unsupported:
/// every later stage recurses over the nesting, and must not run out of stack.
pub(super) const MAX_DEPTH: usize = 300;
/// How many `else if` may be open at a time besides.
pub(super) const MAX_ARMS: usize = 5000;

/// Longer lines count columns in bytes, so that the cost stays linear.
const MAX_COUNTED_COLUMN: usize = 4096;

/// After this many errors a file is not worth listing more.
const MAX_ERRORS: usize = 20;

/// Parses a file, or says what is wrong with it.
pub(crate) fn parse(file: &SourceFile, id: FileId) -> Result<Unit, Vec<Diagnostic>> {
    let mut parser = Parser::new();
    let failure = |message: &str| {
        vec![Diagnostic {
            file: file.name.clone(),
            line: 0,
            column: 0,
            message: message.to_owned(),
            help: None,
        }]
    };
    if file.text.len() > u32::MAX as usize {
        return Err(failure("the file is too large"));
    }
    if let Err(error) = parser.set_language(&tree_sitter_java::LANGUAGE.into()) {
        return Err(failure(&format!("the Java grammar does not load: {error}")));
    }
    let translated = Translated::of(&file.text);
    let Some(tree) = parser.parse(&*translated.text, None) else {
        return Err(failure("the parser gave up"));
    };
    let errors = syntax_errors(&tree, file, &translated);
    if !errors.is_empty() {
        return Err(errors);
    }
    let lost_names = BTreeSet::new();
    let mut reader =
        Reader { text: &translated.text, translated: &translated, file: id, depth: 0, arms: 0, lost_names };
    let mut unit = reader.unit(tree.root_node());
    unit.lost_names = reader.lost_names;
    unit.nameless = Nameless::of(&tree, &translated.text);
    let place = |node: Node<'_>| position(&translated, node.start_byte(), node.start_position());
    unit.words = Words::of(&tree, &translated.text, &place);
    Ok(unit)
}

/// Parses a part of the library model, which has no errors.
#[cfg_attr(not(test), allow(dead_code, reason = "the build script uses it"))]
pub(crate) fn parse_model(text: &str) -> Unit {
    let file = SourceFile { name: "the library model".to_owned(), text: text.to_owned() };
    match parse(&file, FileId(0)) {
        Ok(unit) => Unit { words: Words::default(), ..unit },
        Err(errors) => unreachable!("the library model should parse: {errors:?}"),
    }
}

/// All places that the grammar could not make sense of, in order. Walks without recursion.
fn syntax_errors(tree: &Tree, file: &SourceFile, translated: &Translated<'_>) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    if !tree.root_node().has_error() {
        return errors;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            errors.push(describe_error(node, file, translated));
            if errors.len() >= MAX_ERRORS {
                break;
            }
        }
        let descend = node.has_error() && !node.is_error();
        if descend && cursor.goto_first_child() {
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
    errors
}

fn describe_error(node: Node<'_>, file: &SourceFile, translated: &Translated<'_>) -> Diagnostic {
    let (line, column) = position(translated, node.start_byte(), node.start_position());
    let message = if node.is_missing() {
        format!("expected `{}`", node.kind())
    } else {
        let text = translated.text.get(node.byte_range()).unwrap_or("");
        let first_line = text.trim_start().lines().next().unwrap_or("").trim_end();
        match first_line.chars().take(41).collect::<String>() {
            shown if shown.is_empty() => "unexpected end of input".to_owned(),
            shown if shown.chars().count() > 40 => {
                format!("unexpected `{}...`", shown.chars().take(40).collect::<String>())
            }
            shown => format!("unexpected `{shown}`"),
        }
    };
    Diagnostic { file: file.name.clone(), line, column, message, help: None }
}

/// Line and column from 1, the column in characters.
fn position(translated: &Translated<'_>, byte: usize, point: tree_sitter::Point) -> (u32, u32) {
    if let Some(position) = translated.position(byte) {
        return position;
    }
    let text = &translated.text;
    let line = u32::try_from(point.row + 1).unwrap_or(u32::MAX);
    let start = byte.saturating_sub(point.column);
    let column = match text.get(start..byte) {
        Some(before) if before.len() <= MAX_COUNTED_COLUMN => before.chars().count(),
        _ => point.column,
    };
    (line, u32::try_from(column + 1).unwrap_or(u32::MAX))
}

/// Reads the syntax tree of one file.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// The way back to the places in the file.
    translated: &'a Translated<'a>,
    pub(super) file: FileId,
    /// How deep the node that is being read is nested.
    pub(super) depth: usize,
    pub(super) arms: usize,
    /// The names in what was not read.
    lost_names: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn span(&self, node: Node<'_>) -> Span {
        let (line, column) = position(self.translated, node.start_byte(), node.start_position());
        let (end_line, end_column) = position(self.translated, node.end_byte(), node.end_position());
        Span { file: self.file, line, column, end_line, end_column }
    }

    /// Notes all names in code that is not read. Walks without recursion.
    pub(super) fn lose(&mut self, node: Node<'_>) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if node.child_count() == 0 && node.is_named() {
                self.lost_names.insert(self.text(node).to_owned());
            }
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor).filter(|child| !is_comment(*child)));
        }
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// The children that are not comments or punctuation.
    pub(super) fn children<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|child| !is_comment(*child)).collect()
    }

    pub(super) fn fields<'t>(&self, node: Node<'t>, name: &str) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.children_by_field_name(name, &mut cursor)
            .filter(|child| child.is_named() && !is_comment(*child))
            .collect()
    }

    pub(super) fn field<'t>(&self, node: Node<'t>, name: &str) -> Option<Node<'t>> {
        self.fields(node, name).into_iter().next()
    }
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "line_comment" | "block_comment")
}

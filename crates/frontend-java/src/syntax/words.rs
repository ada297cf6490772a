//! The words of a file in their order, without comments, and which of them make up which declaration.
//!
//! They tell whether code is written as it was; what it means is not known here.

use std::collections::BTreeSet;

use ir::Span;

use super::plain::Plain;
use tree_sitter::{Node, Tree, TreeCursor};

/// What a file is made of.
#[derive(Clone, Default, Debug)]
pub(crate) struct Words {
    /// The text of the file, and after it the numbers of locals.
    text: String,
    words: Vec<Word>,
    /// Words that stand where only a type can.
    types: BTreeSet<(u32, u32)>,
    pub(crate) declarations: Vec<Declaration>,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    line: u32,
    column: u32,
    start: u32,
    end: u32,
    /// What it is in the words of a method as they mean.
    plain: PlainWord,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlainWord {
    AsWritten,
    /// A number of a local, between two places of the text.
    Local(u32, u32),
    /// It means nothing.
    Dropped,
    /// It belongs to a `throws` clause.
    Throws,
}

/// A member of a class, or what a class says of itself before its body.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// The class it stands in, with its outer classes; for a class itself its own.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) kind: DeclarationKind,
    first: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum DeclarationKind {
    /// A method, or a constructor, which has the name of its class.
    Method,
    /// A field, a constant of an enum, or an initialiser, which has the name of its class.
    Value,
    /// What stands before the body of a class.
    Header,
}

impl Words {
    /// The words of a tree; `place` gives the line and column of a node.
    pub(super) fn of(tree: &Tree, text: &str, place: &dyn Fn(Node<'_>) -> (u32, u32)) -> Words {
        let mut words = Words { text: text.to_owned(), ..Words::default() };
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let is_whole = matches!(node.kind(), "string_literal" | "character_literal")
                || matches!(node.kind(), "line_comment" | "block_comment")
                || node.child_count() == 0;
            if is_whole {
                words.add(node, place);
            }
            if (is_whole || !cursor.goto_first_child()) && !goes_on(&mut cursor) {
                break;
            }
        }
        let plain = words.declare(tree.root_node());
        words.make_plain(&plain);
        words
    }

    fn add(&mut self, node: Node<'_>, place: &dyn Fn(Node<'_>) -> (u32, u32)) {
        if matches!(node.kind(), "line_comment" | "block_comment") || node.byte_range().is_empty() {
            return;
        }
        let (line, column) = place(node);
        let number = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        if node.kind() == "type_identifier" {
            self.types.insert((number(node.start_byte()), number(node.end_byte())));
        }
        self.words.push(Word {
            line,
            column,
            start: number(node.start_byte()),
            end: number(node.end_byte()),
            plain: PlainWord::AsWritten,
        });
    }

    /// Finds the declarations of a file. Bodies of methods are not looked into.
    fn declare(&mut self, root: Node<'_>) -> Plain {
        let mut plain = Plain::default();
        let mut open: Vec<(Node<'_>, String)> = vec![(root, String::new())];
        while let Some((node, class)) = open.pop() {
            let mut cursor = node.walk();
            let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
            for child in children {
                if matches!(child.kind(), "method_declaration" | "constructor_declaration") {
                    plain.add_method(child, &self.text);
                }
                self.declare_one(child, &class, &mut open);
            }
        }
        plain
    }

    /// Notes what words mean; numbers of locals are appended to the text, behind a character that no source has.
    fn make_plain(&mut self, plain: &Plain) {
        let number = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        let mut places: Vec<(u32, u32)> = Vec::new();
        for index in 0..plain.locals.values().map(|index| index + 1).max().unwrap_or(0) {
            let start = self.text.len();
            self.text.push_str(&format!("\u{1}{index}"));
            places.push((number(start), number(self.text.len())));
        }
        for word in &mut self.words {
            let start = word.start as usize;
            let local = plain.locals.get(&start).and_then(|index| places.get(*index));
            word.plain = match local {
                _ if plain.dropped.contains(&start) => PlainWord::Dropped,
                _ if plain.throws.contains(&start) => PlainWord::Throws,
                Some((start, end)) => PlainWord::Local(*start, *end),
                None => PlainWord::AsWritten,
            };
        }
    }

    fn declare_one<'t>(&mut self, node: Node<'t>, class: &str, open: &mut Vec<(Node<'t>, String)>) {
        let name = |node: Node<'_>| node.child_by_field_name("name").map(|name| self.text_of(name));
        match node.kind() {
            "method_declaration" | "annotation_type_element_declaration" => {
                let name = name(node).unwrap_or_default();
                self.push(class, name, DeclarationKind::Method, node.byte_range());
            }
            "constructor_declaration" | "compact_constructor_declaration" => {
                self.push(class, simple(class), DeclarationKind::Method, node.byte_range());
            }
            "block" | "static_initializer" => {
                self.push(class, simple(class), DeclarationKind::Value, node.byte_range());
            }
            "field_declaration" | "constant_declaration" | "local_variable_declaration" => {
                let mut cursor = node.walk();
                let names: Vec<String> =
                    node.children_by_field_name("declarator", &mut cursor).filter_map(name).collect();
                for name in names {
                    self.push(class, name, DeclarationKind::Value, node.byte_range());
                }
            }
            "enum_constant" => {
                let name = name(node).unwrap_or_default();
                self.push(class, name, DeclarationKind::Value, node.byte_range());
            }
            "enum_body_declarations" => open.push((node, class.to_owned())),
            "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration" => {
                let name = name(node).unwrap_or_default();
                let own = if class.is_empty() { name.clone() } else { format!("{class}.{name}") };
                let body = node.child_by_field_name("body");
                let end = body.map_or(node.end_byte(), |body| body.start_byte());
                self.push(&own, name, DeclarationKind::Header, node.start_byte()..end);
                open.extend(body.map(|body| (body, own)));
            }
            _ => {}
        }
    }

    fn push(&mut self, class: &str, name: String, kind: DeclarationKind, bytes: std::ops::Range<usize>) {
        let place = |byte: usize| self.words.partition_point(|word| (word.start as usize) < byte);
        let (first, end) = (place(bytes.start), place(bytes.end));
        self.declarations.push(Declaration { class: class.to_owned(), name, kind, first, end });
    }

    fn text_of(&self, node: Node<'_>) -> String {
        self.text.get(node.byte_range()).unwrap_or("").to_owned()
    }

    /// Whether a comment of the file may be a contract.
    pub(crate) fn has_contracts(&self) -> bool {
        self.text.contains("//@") || self.text.contains("/*@")
    }

    /// The words of a declaration.
    pub(crate) fn declared(&self, declaration: &Declaration) -> Vec<&str> {
        self.texts(declaration.first, declaration.end)
    }

    /// The words of a declaration as they mean: locals of a method by number, and without what means nothing. What it
    /// `throws` is left out.
    pub(crate) fn plain(&self, declaration: &Declaration) -> Vec<&str> {
        let words = self.words.get(declaration.first..declaration.end).unwrap_or(&[]);
        let text = |word: &Word| match word.plain {
            PlainWord::AsWritten => self.text.get(word.start as usize..word.end as usize),
            PlainWord::Local(start, end) => self.text.get(start as usize..end as usize),
            PlainWord::Dropped | PlainWord::Throws => None,
        };
        words.iter().filter_map(text).collect()
    }

    /// The words of the `throws` clause of a method.
    pub(crate) fn thrown_by(&self, declaration: &Declaration) -> Vec<&str> {
        let words = self.words.get(declaration.first..declaration.end).unwrap_or(&[]);
        let words = words.iter().filter(|word| word.plain == PlainWord::Throws);
        words.filter_map(|word| self.text.get(word.start as usize..word.end as usize)).collect()
    }

    /// The declaration that begins at a place.
    pub(crate) fn declared_at(&self, span: &Span) -> Option<&Declaration> {
        let before = |word: &Word| (word.line, word.column) < (span.line, span.column);
        let first = self.words.partition_point(before);
        self.declarations.iter().find(|declaration| declaration.first == first)
    }

    /// Where a declaration begins.
    #[cfg(test)]
    pub(crate) fn span_of(&self, declaration: &Declaration) -> Span {
        let Word { line, column, .. } = self.words[declaration.first];
        Span { file: ir::FileId(0), line, column, end_line: line, end_column: column }
    }

    /// All words of the file, in order.
    pub(crate) fn all(&self) -> Vec<&str> {
        self.texts(0, self.words.len())
    }

    /// The names of types that the file mentions where only a type can stand.
    pub(crate) fn types(&self) -> BTreeSet<&str> {
        let text = |(start, end): &(u32, u32)| self.text.get(*start as usize..*end as usize);
        self.types.iter().filter_map(text).collect()
    }

    /// All names that the file mentions.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names = self.texts(0, self.words.len());
        names.retain(|word| is_name(word));
        names.sort_unstable();
        names.dedup();
        names
    }

    fn texts(&self, first: usize, end: usize) -> Vec<&str> {
        let words = self.words.get(first..end).unwrap_or(&[]);
        words.iter().filter_map(|word| self.text.get(word.start as usize..word.end as usize)).collect()
    }
}

/// Goes to the next node that is not below this one.
fn goes_on(cursor: &mut TreeCursor<'_>) -> bool {
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
    }
}

/// The last name of a class with its outer classes.
fn simple(class: &str) -> String {
    class.rsplit('.').next().unwrap_or(class).to_owned()
}

/// Whether a word is a name; keywords look like names.
pub(crate) fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '$')
}

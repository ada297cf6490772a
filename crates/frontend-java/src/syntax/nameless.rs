//! Classes that no name leads to: anonymous and local ones, and what lambdas and method references make.
//!
//! They are not in the table of classes, but their objects are in fields and variables like others. What is kept of them
//! here tells where such an object may be. Over-approximates: parents go by their simple names.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tree_sitter::{Node, Tree};

/// All of a file.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Nameless {
    pub(crate) classes: Vec<NamelessClass>,
    /// How many parameters the lambda expressions have.
    pub(crate) lambdas: BTreeSet<usize>,
    pub(crate) has_method_references: bool,
}

/// A class in the midst of code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NamelessClass {
    /// The name that is known around it, if it has one.
    pub(crate) name: Option<String>,
    /// The simple names of the classes and interfaces above it.
    pub(crate) parents: Vec<String>,
    /// The names of the methods that it declares.
    pub(crate) methods: BTreeSet<String>,
}

impl Nameless {
    /// Walks without recursion.
    pub(super) fn of(tree: &Tree, text: &str) -> Nameless {
        let mut found = Nameless::default();
        let mut open = vec![(tree.root_node(), false)];
        while let Some((node, in_code)) = open.pop() {
            found.add(node, in_code, text);
            let in_code = in_code || !is_member_path(node.kind());
            let mut cursor = node.walk();
            open.extend(node.named_children(&mut cursor).map(|child| (child, in_code)));
        }
        found
    }

    pub(crate) fn add_all(&mut self, other: Nameless) {
        self.classes.extend(other.classes);
        self.lambdas.extend(other.lambdas);
        self.has_method_references |= other.has_method_references;
    }

    fn add(&mut self, node: Node<'_>, in_code: bool, text: &str) {
        match node.kind() {
            "lambda_expression" => {
                self.lambdas.insert(arity(node));
            }
            "method_reference" => self.has_method_references = true,
            "object_creation_expression" => {
                if let Some(body) = child_of_kind(node, "class_body") {
                    let parent = node.child_by_field_name("type").map(|ty| simple_name(ty, text));
                    let parents = parent.into_iter().collect();
                    self.classes.push(NamelessClass { name: None, parents, methods: methods(body, text) });
                }
            }
            "class_declaration" | "interface_declaration" | "enum_declaration" | "record_declaration"
                if in_code =>
            {
                let name = node.child_by_field_name("name").map(|name| text_of(name, text));
                let body = node.child_by_field_name("body");
                let methods = body.map(|body| methods(body, text)).unwrap_or_default();
                self.classes.push(NamelessClass { name, parents: parents(node, text), methods });
            }
            _ => {}
        }
    }
}

/// Whether the classes in it are read like those of the file.
fn is_member_path(kind: &str) -> bool {
    matches!(
        kind,
        "program"
            | "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "class_body"
            | "interface_body"
            | "enum_body"
            | "enum_body_declarations"
    )
}

fn arity(lambda: Node<'_>) -> usize {
    let Some(parameters) = lambda.child_by_field_name("parameters") else { return 0 };
    if parameters.kind() == "identifier" {
        return 1;
    }
    let mut cursor = parameters.walk();
    let is_parameter =
        |node: &Node<'_>| matches!(node.kind(), "identifier" | "formal_parameter" | "spread_parameter");
    parameters.named_children(&mut cursor).filter(is_parameter).count()
}

/// The names of the methods in a body; those of classes in it do not count.
fn methods(body: Node<'_>, text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "method_declaration" => {
                    names.extend(child.child_by_field_name("name").map(|name| text_of(name, text)));
                }
                "enum_body_declarations" => open.push(child),
                _ => {}
            }
        }
    }
    names
}

fn parents(class: Node<'_>, text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut cursor = class.walk();
    let lists = class
        .named_children(&mut cursor)
        .filter(|child| matches!(child.kind(), "superclass" | "super_interfaces" | "extends_interfaces"));
    let mut open: Vec<Node<'_>> = lists.collect();
    while let Some(node) = open.pop() {
        match node.kind() {
            "superclass" | "super_interfaces" | "extends_interfaces" | "type_list" => {
                let mut cursor = node.walk();
                open.extend(node.named_children(&mut cursor));
            }
            "line_comment" | "block_comment" => {}
            _ => names.push(simple_name(node, text)),
        }
    }
    names
}

/// The last name of `a.b.C<T>`, which is the class itself.
fn simple_name(ty: Node<'_>, text: &str) -> String {
    let mut node = ty;
    loop {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let is_name = |part: &&Node<'_>| {
            matches!(part.kind(), "type_identifier" | "scoped_type_identifier" | "generic_type")
        };
        match (node.kind(), parts.iter().rev().find(is_name)) {
            ("type_identifier", _) | (_, None) => return text_of(node, text),
            (_, Some(part)) => node = *part,
        }
    }
}

fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() == kind)
}

fn text_of(node: Node<'_>, text: &str) -> String {
    text.get(node.byte_range()).unwrap_or("").to_owned()
}

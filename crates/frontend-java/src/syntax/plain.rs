//! The words of methods as they mean: locals by number instead of by name, without what means nothing.
//!
//! Left out are `throws` clauses, `final` of methods and of parameters, which are never constants of the compiler, `this.`
//! before a member, and parentheses around operators that belong together anyway. What a function throws may tell which
//! types are inferred for it: `throws` clauses are kept aside.
//! Exact: methods whose words are the same after this are the same up to the names of their locals. Where it is not sure
//! what a name is, as with patterns and with classes in a method that may use its locals, its words are as written.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

/// What is said in another way, by the bytes at which words begin.
#[derive(Default, Debug)]
pub(super) struct Plain {
    /// Names of locals, and which local of their method it is.
    pub(super) locals: BTreeMap<usize, usize>,
    /// Words that mean nothing.
    pub(super) dropped: BTreeSet<usize>,
    /// Words of `throws` clauses.
    pub(super) throws: BTreeSet<usize>,
}

impl Plain {
    /// Reads a method or constructor.
    pub(super) fn add_method(&mut self, method: Node<'_>, text: &str) {
        let mut cursor = method.walk();
        let throws = method.children(&mut cursor).find(|child| child.kind() == "throws");
        if let Some(throws) = throws {
            leaves(throws, &mut |leaf| {
                self.throws.insert(leaf.start_byte());
            });
        }
        let mut reader = Reader { text, plain: Plain::default(), scope: Vec::new(), count: 0 };
        reader.drop_final(method);
        let parts = ["parameters", "body"].map(|field| method.child_by_field_name(field));
        if reader.read(parts.into_iter().flatten().collect()).is_some() {
            self.locals.append(&mut reader.plain.locals);
            self.dropped.append(&mut reader.plain.dropped);
        }
    }
}

/// Goes through a method with the locals that can be seen.
struct Reader<'t> {
    text: &'t str,
    plain: Plain,
    scope: Vec<(&'t str, usize)>,
    count: usize,
}

/// What is left to do, the last first.
enum Step<'n> {
    Visit(Node<'n>),
    Declare(Node<'n>),
    /// Visits nodes in a scope of their own.
    Inside(Vec<Step<'n>>),
    /// Forgets all locals after the first ones.
    Close(usize),
}

impl<'t> Reader<'t> {
    /// Nothing if it is not sure what some name is.
    fn read(&mut self, parts: Vec<Node<'_>>) -> Option<()> {
        let mut open: Vec<Step<'_>> = parts.into_iter().rev().map(Step::Visit).collect();
        while let Some(step) = open.pop() {
            match step {
                Step::Visit(node) => self.visit(node, &mut open)?,
                Step::Declare(name) => self.declare(name)?,
                Step::Inside(steps) => {
                    open.push(Step::Close(self.scope.len()));
                    open.extend(steps.into_iter().rev());
                }
                Step::Close(length) => self.scope.truncate(length),
            }
        }
        Some(())
    }

    fn declare(&mut self, name: Node<'_>) -> Option<()> {
        if name.kind() != "identifier" {
            return None;
        }
        self.plain.locals.insert(name.start_byte(), self.count);
        self.scope.push((self.name(name), self.count));
        self.count += 1;
        Some(())
    }

    fn name(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn local(&self, node: Node<'_>) -> Option<usize> {
        let name = self.name(node);
        self.scope.iter().rev().find(|(local, _)| *local == name).map(|(_, number)| *number)
    }

    /// Steps for what stands in a node, in order.
    fn visit<'n>(&mut self, node: Node<'n>, open: &mut Vec<Step<'n>>) -> Option<()> {
        let steps = match node.kind() {
            "identifier" => {
                if let Some(number) = self.local(node) {
                    self.plain.locals.insert(node.start_byte(), number);
                }
                return Some(());
            }
            // A type is never a local; where the parser takes one for a type, it is not sure.
            "type_identifier" => return self.local(node).is_none().then_some(()),
            "marker_annotation" | "annotation" => return Some(()),
            kind if is_class(kind) => return (!self.captures(node)).then_some(()),
            kind if is_unsure(kind) => return None,
            "instanceof_expression" if is_pattern(node) => return None,
            "block" | "constructor_body" | "for_statement" | "switch_block" | "switch_rule" => {
                vec![Step::Inside(self.all(node))]
            }
            "formal_parameter" | "catch_formal_parameter" => self.parameter(node)?,
            "spread_parameter" => {
                self.drop_final(node);
                self.all(node)
            }
            "inferred_parameters" => named(node).map(Step::Declare).collect(),
            "lambda_expression" => {
                let parameters = node.child_by_field_name("parameters")?;
                let first = match parameters.kind() {
                    "identifier" => Step::Declare(parameters),
                    _ => Step::Visit(parameters),
                };
                vec![Step::Inside(vec![first, Step::Visit(node.child_by_field_name("body")?)])]
            }
            "catch_clause" => vec![Step::Inside(self.all(node))],
            "enhanced_for_statement" => self.for_each(node)?,
            "try_with_resources_statement" => self.try_with(node),
            "resource" | "variable_declarator" => self.declarator(node),
            "switch_label" => {
                let mut names = named(node).filter(|child| child.kind() == "identifier");
                // A constant of an enum or a local: only types tell.
                if names.any(|name| self.local(name).is_some()) {
                    return None;
                }
                self.all(node)
            }
            "labeled_statement" => named(node).skip(1).map(Step::Visit).collect(),
            "break_statement" | "continue_statement" => return Some(()),
            "method_invocation" => {
                let name = node.child_by_field_name("name")?;
                if node.child_by_field_name("type_arguments").is_none() {
                    self.drop_this(node, name);
                }
                named(node).filter(|child| *child != name).map(Step::Visit).collect()
            }
            "field_access" => {
                let name = node.child_by_field_name("field")?;
                self.drop_this(node, name);
                named(node).filter(|child| *child != name).map(Step::Visit).collect()
            }
            "method_reference" => {
                let last = node.child(node.child_count().checked_sub(1)?)?;
                named(node).filter(|child| *child != last).map(Step::Visit).collect()
            }
            _ => self.all(node),
        };
        // From above: asking a node for its parent costs as much as it is deep.
        for child in named(node).filter(|child| child.kind() == "parenthesized_expression") {
            self.drop_parentheses(child, node);
        }
        open.extend(steps.into_iter().rev());
        Some(())
    }

    /// Whether a class in a method has a name in it that is one of a local around: which of the two it is, or a member
    /// that it inherits, is not known. Over-approximating. The words of such a class are as written.
    fn captures(&self, class: Node<'_>) -> bool {
        let mut found = false;
        leaves(class, &mut |leaf| found |= self.local(leaf).is_some());
        found
    }

    fn all<'n>(&self, node: Node<'n>) -> Vec<Step<'n>> {
        named(node).map(Step::Visit).collect()
    }

    fn parameter<'n>(&mut self, node: Node<'n>) -> Option<Vec<Step<'n>>> {
        self.drop_final(node);
        let name = node.child_by_field_name("name")?;
        let types = named(node).filter(|child| *child != name).map(Step::Visit);
        Some(types.chain([Step::Declare(name)]).collect())
    }

    /// The name of a declarator can be seen in its own value.
    fn declarator<'n>(&self, node: Node<'n>) -> Vec<Step<'n>> {
        let name = node.child_by_field_name("name");
        let [value, others] = [true, false].map(|is_value| {
            let value = node.child_by_field_name("value");
            let children = named(node).filter(move |child| (Some(*child) == value) == is_value);
            children.filter(|child| Some(*child) != name).map(Step::Visit).collect::<Vec<_>>()
        });
        others.into_iter().chain(name.map(Step::Declare)).chain(value).collect()
    }

    /// The variable of a loop over elements is seen in the body, not where the elements come from.
    fn for_each<'n>(&mut self, node: Node<'n>) -> Option<Vec<Step<'n>>> {
        self.drop_final(node);
        let [name, body] = [node.child_by_field_name("name")?, node.child_by_field_name("body")?];
        let others = named(node).filter(|child| *child != name && *child != body).map(Step::Visit);
        let steps = others.chain([Step::Declare(name), Step::Visit(body)]).collect();
        Some(vec![Step::Inside(steps)])
    }

    /// Resources are seen in the body, not in handlers.
    fn try_with<'n>(&self, node: Node<'n>) -> Vec<Step<'n>> {
        let is_handler = |child: &Node<'_>| matches!(child.kind(), "catch_clause" | "finally_clause");
        let inside = named(node).filter(|child| !is_handler(child)).map(Step::Visit).collect();
        [Step::Inside(inside)].into_iter().chain(named(node).filter(is_handler).map(Step::Visit)).collect()
    }

    /// Drops `final`, which says nothing of a variable that has no initialiser of its own.
    fn drop_final(&mut self, node: Node<'_>) {
        let modifiers = named(node).filter(|child| child.kind() == "modifiers");
        for modifiers in modifiers {
            let mut cursor = modifiers.walk();
            let words = modifiers.children(&mut cursor).filter(|word| word.kind() == "final");
            self.plain.dropped.extend(words.map(|word| word.start_byte()));
        }
    }

    /// Drops parentheses that do not tell what belongs together.
    fn drop_parentheses(&mut self, node: Node<'_>, parent: Node<'_>) {
        let Some(inner) = named(node).next() else { return };
        let is_operand = binding(inner).is_some_and(|inner| {
            let is_left = parent.child_by_field_name("left") == Some(node);
            binding(parent).is_some_and(|outer| inner > outer || inner == outer && is_left)
        });
        let is_condition = parent.kind() == "ternary_expression"
            && parent.child_by_field_name("condition") == Some(node)
            && binding(inner).is_some();
        let is_whole = matches!(parent.kind(), "return_statement" | "variable_declarator" | "argument_list")
            || parent.kind() == "assignment_expression" && parent.child_by_field_name("right") == Some(node);
        // Those around `c ? a : b` may change its type: javac 17 takes `int` and `float` apart only without them.
        let is_whole = is_whole && binding(inner).is_some();
        if is_operand || is_condition || is_whole {
            let last = node.child_count().checked_sub(1).and_then(|last| node.child(last));
            let ends = [node.child(0), last].into_iter().flatten();
            self.plain.dropped.extend(ends.map(|end| end.start_byte()));
        }
    }

    /// Drops `this.` before a member of the class, which its name means as well: locals of that name are numbers.
    fn drop_this(&mut self, node: Node<'_>, name: Node<'_>) {
        let object = node.child_by_field_name("object").filter(|object| object.kind() == "this");
        let dot = object.and_then(|object| object.next_sibling()).filter(|dot| dot.kind() == ".");
        let next = dot.and_then(|dot| dot.next_sibling());
        if let (Some(object), Some(dot), true) = (object, dot, next == Some(name)) {
            self.plain.dropped.extend([object.start_byte(), dot.start_byte()]);
        }
    }
}

/// How strongly an operator with two operands binds (JLS 15.17 to 15.24); nothing for anything else.
fn binding(node: Node<'_>) -> Option<usize> {
    const WEAK_TO_STRONG: [&[&str]; 10] = [
        &["||"],
        &["&&"],
        &["|"],
        &["^"],
        &["&"],
        &["==", "!="],
        &["<", ">", "<=", ">="],
        &["<<", ">>", ">>>"],
        &["+", "-"],
        &["*", "/", "%"],
    ];
    let operator = node.child_by_field_name("operator").filter(|_| node.kind() == "binary_expression")?;
    WEAK_TO_STRONG.iter().position(|operators| operators.contains(&operator.kind()))
}

/// The children of a node that are not punctuation, and no comments.
fn named<'n>(node: Node<'n>) -> impl Iterator<Item = Node<'n>> {
    let mut cursor = node.walk();
    let children: Vec<Node<'n>> = node.named_children(&mut cursor).collect();
    children.into_iter().filter(|child| !matches!(child.kind(), "line_comment" | "block_comment"))
}

/// A class in a method, with a name or without.
fn is_class(kind: &str) -> bool {
    kind.ends_with("_declaration") && kind != "local_variable_declaration" || kind == "class_body"
}

/// Code in which a name is seen where only conditions tell, or that is not expected in a method.
fn is_unsure(kind: &str) -> bool {
    kind.ends_with("_body") && kind != "constructor_body"
        || kind.ends_with("_pattern")
        || matches!(kind, "pattern" | "guard" | "template_expression" | "scoped_identifier" | "ERROR")
}

fn is_pattern(node: Node<'_>) -> bool {
    ["name", "pattern"].iter().any(|field| node.child_by_field_name(field).is_some())
}

fn leaves<'n>(node: Node<'n>, visit: &mut dyn FnMut(Node<'n>)) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if node.child_count() == 0 {
            visit(node);
        }
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor));
    }
}

//! Reads statements.

use tree_sitter::Node;

use super::parse::{MAX_ARMS, MAX_DEPTH, Reader};
use super::{CatchClause, Expr, ExprKind, Stmt, StmtKind, Switch, SwitchGroup, TypeRef};

impl Reader<'_> {
    /// The statements of a block or constructor body.
    pub(super) fn block(&mut self, node: Node<'_>) -> Vec<Stmt> {
        self.children(node).into_iter().map(|child| self.stmt(child)).collect()
    }

    pub(super) fn stmt(&mut self, node: Node<'_>) -> Stmt {
        let span = self.span(node);
        self.depth += 1;
        let kind = if self.depth > MAX_DEPTH {
            StmtKind::Unsupported(format!("code nested deeper than {MAX_DEPTH} levels"))
        } else {
            self.stmt_kind(node)
        };
        self.depth -= 1;
        if matches!(kind, StmtKind::Unsupported(_)) {
            self.lose(node);
        }
        Stmt { kind, span }
    }

    /// What follows `else`. An `else if` is no deeper than its `if` to those who read it, but it is in the tree.
    fn alternative(&mut self, node: Node<'_>) -> Stmt {
        if node.kind() != "if_statement" || self.arms == MAX_ARMS {
            return self.stmt(node);
        }
        self.arms += 1;
        self.depth -= 1;
        let stmt = self.stmt(node);
        self.depth += 1;
        self.arms -= 1;
        stmt
    }

    fn stmt_kind(&mut self, node: Node<'_>) -> StmtKind {
        match node.kind() {
            "block" => StmtKind::Block(self.block(node)),
            ";" => StmtKind::Empty,
            "local_variable_declaration" => self.local(node),
            "expression_statement" => match self.children(node).first() {
                Some(expr) if expr.kind() == "switch_expression" => self.switch_stmt(*expr),
                Some(expr) => StmtKind::Expr(self.expr(*expr)),
                None => StmtKind::Empty,
            },
            "switch_expression" => self.switch_stmt(node),
            "if_statement" => StmtKind::If {
                condition: self.required(node, "condition"),
                then: self.boxed(node, "consequence"),
                otherwise: self.field(node, "alternative").map(|branch| Box::new(self.alternative(branch))),
            },
            "while_statement" => StmtKind::While {
                condition: self.required(node, "condition"),
                body: self.boxed(node, "body"),
            },
            "do_statement" => {
                StmtKind::Do { body: self.boxed(node, "body"), condition: self.required(node, "condition") }
            }
            "for_statement" => StmtKind::For {
                init: self.fields(node, "init").into_iter().map(|init| self.for_init(init)).collect(),
                condition: self.field(node, "condition").map(|condition| self.expr(condition)),
                update: self.fields(node, "update").into_iter().map(|update| self.expr(update)).collect(),
                body: self.boxed(node, "body"),
            },
            "enhanced_for_statement" => {
                let ty = self.field(node, "type").map_or(TypeRef::Var, |ty| self.type_ref(ty));
                StmtKind::ForEach {
                    ty: self.with_dimensions(ty, node),
                    name: self.name_of(node),
                    value: self.required(node, "value"),
                    body: self.boxed(node, "body"),
                }
            }
            "labeled_statement" => match self.children(node).as_slice() {
                [label, body] => StmtKind::Labeled {
                    label: self.text(*label).to_owned(),
                    body: Box::new(self.stmt(*body)),
                },
                // The empty statement has no name in the grammar.
                _ => StmtKind::Empty,
            },
            "break_statement" => StmtKind::Break(self.label_of(node)),
            "continue_statement" => StmtKind::Continue(self.label_of(node)),
            "yield_statement" => match self.children(node).first() {
                Some(value) => StmtKind::Yield(self.expr(*value)),
                None => StmtKind::Empty,
            },
            "return_statement" => {
                StmtKind::Return(self.children(node).first().map(|value| self.expr(*value)))
            }
            "throw_statement" => match self.children(node).first() {
                Some(value) => StmtKind::Throw(self.expr(*value)),
                None => StmtKind::Empty,
            },
            "assert_statement" => {
                let mut parts = self.children(node).into_iter();
                match parts.next() {
                    Some(condition) => StmtKind::Assert {
                        condition: self.expr(condition),
                        message: parts.next().map(|message| self.expr(message)),
                    },
                    None => StmtKind::Empty,
                }
            }
            "try_statement" => self.try_stmt(node),
            "try_with_resources_statement" => StmtKind::Unsupported("`try` with resources".to_owned()),
            "synchronized_statement" => StmtKind::Unsupported("`synchronized`".to_owned()),
            "explicit_constructor_invocation" => {
                if self.field(node, "object").is_some() {
                    return StmtKind::Unsupported("a qualified call of a superclass constructor".to_owned());
                }
                let is_super = self.field(node, "constructor").is_some_and(|target| target.kind() == "super");
                let args = self.field(node, "arguments").map(|args| self.exprs(args)).unwrap_or_default();
                StmtKind::ConstructorCall { is_super, args }
            }
            "class_declaration" | "interface_declaration" | "enum_declaration" | "record_declaration" => {
                StmtKind::Unsupported(format!("the local class `{}`", self.name_of(node)))
            }
            other => StmtKind::Unsupported(format!("the statement `{other}`")),
        }
    }

    fn local(&mut self, node: Node<'_>) -> StmtKind {
        let ty = self.field(node, "type").map_or(TypeRef::Var, |ty| self.type_ref(ty));
        let is_final = self.modifiers(node).is_final;
        let mut locals: Vec<Stmt> = Vec::new();
        for declarator in self.fields(node, "declarator") {
            let kind = StmtKind::Local {
                is_final,
                ty: self.with_dimensions(ty.clone(), declarator),
                name: self.name_of(declarator),
                init: self.field(declarator, "value").map(|value| self.expr(value)),
            };
            locals.push(Stmt { kind, span: self.span(declarator) });
        }
        match locals.len() {
            1 => locals.swap_remove(0).kind,
            _ => StmtKind::Sequence(locals),
        }
    }

    fn for_init(&mut self, node: Node<'_>) -> Stmt {
        let span = self.span(node);
        let kind = match node.kind() {
            "local_variable_declaration" => self.local(node),
            _ => StmtKind::Expr(self.expr(node)),
        };
        Stmt { kind, span }
    }

    fn try_stmt(&mut self, node: Node<'_>) -> StmtKind {
        let body = self.field(node, "body").map(|body| self.block(body)).unwrap_or_default();
        let mut catches = Vec::new();
        let mut finally = None;
        for child in self.children(node) {
            match child.kind() {
                "catch_clause" => catches.push(self.catch(child)),
                "finally_clause" => {
                    finally = self.children(child).first().map(|block| self.block(*block));
                }
                _ => {}
            }
        }
        StmtKind::Try { body, catches, finally }
    }

    fn catch(&mut self, node: Node<'_>) -> CatchClause {
        let mut clause = CatchClause { types: Vec::new(), name: String::new(), body: Vec::new() };
        for child in self.children(node) {
            match child.kind() {
                "catch_formal_parameter" => {
                    clause.name = self.name_of(child);
                    for part in self.children(child) {
                        if part.kind() == "catch_type" {
                            let types = self.children(part);
                            clause.types.extend(types.into_iter().map(|ty| self.type_ref(ty)));
                        }
                    }
                }
                "block" => clause.body = self.block(child),
                _ => {}
            }
        }
        clause
    }

    fn switch_stmt(&mut self, node: Node<'_>) -> StmtKind {
        StmtKind::Switch(self.switch(node))
    }

    pub(super) fn switch(&mut self, node: Node<'_>) -> Switch {
        let subject = Box::new(self.required(node, "condition"));
        let groups = match self.field(node, "body") {
            Some(body) => self.children(body).into_iter().map(|group| self.switch_group(group)).collect(),
            None => Vec::new(),
        };
        Switch { subject, groups }
    }

    fn switch_group(&mut self, node: Node<'_>) -> SwitchGroup {
        let arrow = node.kind() == "switch_rule";
        let mut group = SwitchGroup {
            labels: Vec::new(),
            is_default: false,
            arrow,
            body: Vec::new(),
            is_value: false,
            unsupported: None,
            span: self.span(node),
        };
        for child in self.children(node) {
            if child.kind() != "switch_label" {
                group.is_value = arrow && child.kind() == "expression_statement";
                group.body.push(self.stmt(child));
                continue;
            }
            let labels = self.children(child);
            group.is_default |= labels.is_empty();
            for label in labels {
                match label.kind() {
                    "pattern" | "guard" => {
                        group.unsupported = Some("a pattern in `case`".to_owned());
                        self.lose(label);
                    }
                    // `case null, default` reads `default` as a name.
                    "identifier" if self.text(label) == "default" => group.is_default = true,
                    _ => group.labels.push(self.expr(label)),
                }
            }
        }
        group
    }

    fn label_of(&self, node: Node<'_>) -> Option<String> {
        self.children(node).first().map(|label| self.text(*label).to_owned())
    }

    fn boxed(&mut self, node: Node<'_>, field: &str) -> Box<Stmt> {
        // An empty statement `;` has no name in the grammar, so that it is not found as a named child.
        match self.field(node, field) {
            Some(child) => Box::new(self.stmt(child)),
            None => Box::new(Stmt { kind: StmtKind::Empty, span: self.span(node) }),
        }
    }

    /// The expression in a field that the grammar demands.
    pub(super) fn required(&mut self, node: Node<'_>, field: &str) -> Expr {
        match self.field(node, field) {
            Some(child) => self.expr(child),
            None => Expr {
                kind: ExprKind::Unsupported(format!("`{}` without its {field}", node.kind())),
                span: self.span(node),
            },
        }
    }
}

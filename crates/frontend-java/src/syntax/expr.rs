//! Reads expressions.

use tree_sitter::Node;

use super::decl::is_type;
use super::operators::{compound_op, is_operator};
use super::parse::{MAX_DEPTH, Reader};
use super::{Expr, ExprKind, Literal, TypeRef, literal};

impl Reader<'_> {
    pub(super) fn exprs(&mut self, node: Node<'_>) -> Vec<Expr> {
        self.children(node).into_iter().map(|child| self.expr(child)).collect()
    }

    pub(super) fn expr(&mut self, node: Node<'_>) -> Expr {
        let span = self.span(node);
        self.depth += 1;
        let is_too_deep = self.depth > MAX_DEPTH;
        let kind = if is_too_deep {
            ExprKind::Unsupported(format!("code nested deeper than {MAX_DEPTH} levels"))
        } else {
            self.expr_kind(node)
        };
        self.depth -= 1;
        // What stands in brackets was lost when it was read, and may be long.
        let is_lost = node.kind() == "parenthesized_expression" && !is_too_deep;
        if matches!(kind, ExprKind::Unsupported(_)) && !is_lost {
            self.lose(node);
        }
        Expr { kind, span }
    }

    fn expr_kind(&mut self, node: Node<'_>) -> ExprKind {
        let text = self.text(node);
        match node.kind() {
            "decimal_integer_literal"
            | "hex_integer_literal"
            | "octal_integer_literal"
            | "binary_integer_literal" => literal_or(literal::integer(text), text),
            "decimal_floating_point_literal" | "hex_floating_point_literal" => {
                literal_or(literal::floating(text), text)
            }
            "true" => ExprKind::Literal(Literal::Boolean(true)),
            "false" => ExprKind::Literal(Literal::Boolean(false)),
            "null_literal" => ExprKind::Literal(Literal::Null),
            "character_literal" => literal_or(literal::character(text), text),
            "string_literal" => literal_or(literal::string(text), text),
            "identifier" => ExprKind::Name(text.to_owned()),
            "this" => ExprKind::This,
            "super" => ExprKind::Super,
            "parenthesized_expression" => match self.children(node).first() {
                Some(inner) => self.expr(*inner).kind,
                None => ExprKind::Unsupported("empty parentheses".to_owned()),
            },
            kind if is_operator(kind) => self.operators(node),
            "assignment_expression" => self.assignment(node),
            "ternary_expression" => ExprKind::Conditional {
                condition: Box::new(self.required(node, "condition")),
                then: Box::new(self.required(node, "consequence")),
                otherwise: Box::new(self.required(node, "alternative")),
            },
            "field_access" => self.field_access(node),
            "array_access" => ExprKind::Index {
                array: Box::new(self.required(node, "array")),
                index: Box::new(self.required(node, "index")),
            },
            "method_invocation" => self.call(node),
            "object_creation_expression" => self.creation(node),
            "array_creation_expression" => self.array_creation(node),
            "array_initializer" => ExprKind::ArrayInit { ty: None, elements: self.exprs(node) },
            "switch_expression" => ExprKind::Switch(self.switch(node)),
            "lambda_expression" => ExprKind::Unsupported("a lambda expression".to_owned()),
            "method_reference" => ExprKind::Unsupported("a method reference".to_owned()),
            "class_literal" => ExprKind::Unsupported("a class literal".to_owned()),
            other => ExprKind::Unsupported(format!("the expression `{other}`")),
        }
    }

    fn operator(&self, node: Node<'_>) -> String {
        node.child_by_field_name("operator")
            .map(|operator| self.text(operator).to_owned())
            .unwrap_or_default()
    }

    fn assignment(&mut self, node: Node<'_>) -> ExprKind {
        let lhs = Box::new(self.required(node, "left"));
        let rhs = Box::new(self.required(node, "right"));
        let operator = self.operator(node);
        match operator.strip_suffix('=') {
            Some("") => ExprKind::Assign { lhs, rhs },
            Some(op) => match compound_op(op) {
                Some(op) => ExprKind::Compound { op, lhs, rhs },
                None => ExprKind::Unsupported(format!("the operator `{operator}`")),
            },
            None => ExprKind::Unsupported(format!("the operator `{operator}`")),
        }
    }

    fn field_access(&mut self, node: Node<'_>) -> ExprKind {
        let Some(field) = self.field(node, "field") else {
            return ExprKind::Unsupported("a field access without a field".to_owned());
        };
        let object = self.required(node, "object");
        if field.kind() == "this" {
            return match object.kind {
                ExprKind::Name(name) => ExprKind::OuterThis(name),
                _ => ExprKind::Unsupported("a qualified `this`".to_owned()),
            };
        }
        if self.children(node).len() > 2 {
            return ExprKind::Unsupported("a qualified `super`".to_owned());
        }
        ExprKind::Field { object: Box::new(object), name: self.text(field).to_owned() }
    }

    fn call(&mut self, node: Node<'_>) -> ExprKind {
        let target = self.field(node, "object").map(|object| Box::new(self.expr(object)));
        let is_super = |child: &Node<'_>| child.kind() == "super";
        let supers = self.children(node).iter().filter(|child| is_super(child)).count();
        if supers > 0 && !matches!(target.as_deref(), Some(Expr { kind: ExprKind::Super, .. })) {
            return ExprKind::Unsupported("a qualified `super`".to_owned());
        }
        let args = self.field(node, "arguments").map(|args| self.exprs(args)).unwrap_or_default();
        ExprKind::Call { target, name: self.name_of(node), args }
    }

    fn creation(&mut self, node: Node<'_>) -> ExprKind {
        let children = self.children(node);
        if children.iter().any(|child| child.kind() == "class_body") {
            return ExprKind::Unsupported("an anonymous class".to_owned());
        }
        if node.child(0).is_some_and(|first| first.kind() != "new") {
            return ExprKind::Unsupported("a qualified `new`".to_owned());
        }
        let Some(ty) = self.field(node, "type") else {
            return ExprKind::Unsupported("`new` without a type".to_owned());
        };
        let args = self.field(node, "arguments").map(|args| self.exprs(args)).unwrap_or_default();
        ExprKind::New { ty: self.type_ref(ty), args }
    }

    fn array_creation(&mut self, node: Node<'_>) -> ExprKind {
        let Some(element) = self.children(node).into_iter().find(|child| is_type(child.kind())) else {
            return ExprKind::Unsupported("`new` without a type".to_owned());
        };
        let mut ty = self.type_ref(element);
        let mut dims = Vec::new();
        for dimension in self.fields(node, "dimensions") {
            if dimension.kind() == "dimensions" {
                ty = self.arrays_of(ty, dimension);
                continue;
            }
            ty = TypeRef::Array(Box::new(ty));
            if let Some(length) = self.children(dimension).last() {
                dims.push(self.expr(*length));
            }
        }
        match self.field(node, "value") {
            Some(value) => ExprKind::ArrayInit { ty: Some(ty), elements: self.exprs(value) },
            None => ExprKind::NewArray { ty, dims },
        }
    }
}

fn literal_or(literal: Option<Literal>, text: &str) -> ExprKind {
    match literal {
        Some(literal) => ExprKind::Literal(literal),
        None => ExprKind::Unsupported(format!("the literal `{}`", text.chars().take(40).collect::<String>())),
    }
}

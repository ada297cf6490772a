//! Sizes of arrays that do something when they are evaluated, as in `int a[n++]`: they are not supported.
//!
//! The sizes of parameters, of local types and of pointers to arrays leave nothing in the lowered code, but a compiler
//! evaluates them. Over-approximating: sizes that are never evaluated, as those in declarations of functions, count too.

use lang_c::ast;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::expr::{is_assignment, is_step};
use super::{Lowered, Lowerer};

impl<'a> Lowerer<'a> {
    /// Refuses a function with such a size in its head or body.
    pub(crate) fn check_sizes(&mut self, node: &'a Node<ast::FunctionDefinition>) -> Lowered<()> {
        let mut sizes = Sizes::default();
        sizes.visit_function_definition(&node.node, &node.span);
        for (size, does_something) in sizes.found {
            // Constants of enums are names, too.
            if does_something || self.constant_int(size).is_err() {
                return self.gap("the size of an array that does something or may fail", size.span);
            }
        }
        Ok(())
    }
}

/// Whether evaluating an initialiser twice is something else than doing it once.
pub(crate) fn does_something(node: &Node<ast::Initializer>) -> bool {
    let mut effects = Effects::default();
    effects.visit_initializer(&node.node, &node.span);
    effects.does_something
}

/// Finds the sizes that may do something or fail, and whether they surely are no constants.
#[derive(Default)]
struct Sizes<'ast> {
    found: Vec<(&'ast Node<ast::Expression>, bool)>,
}

impl<'ast> Visit<'ast> for Sizes<'ast> {
    fn visit_array_size(&mut self, node: &'ast ast::ArraySize, span: &'ast Span) {
        if let ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) = node {
            let mut effects = Effects::default();
            effects.visit_expression(&size.node, &size.span);
            if effects.does_something || effects.may_fail {
                self.found.push((size, effects.does_something));
            }
        }
        visit::visit_array_size(self, node, span);
    }
}

/// What the evaluation of an expression may do beside giving a value.
#[derive(Default)]
struct Effects {
    does_something: bool,
    /// A pointer is followed, or something is divided by what a name stands for.
    may_fail: bool,
}

impl<'ast> Visit<'ast> for Effects {
    fn visit_expression(&mut self, node: &'ast ast::Expression, span: &'ast Span) {
        match node {
            ast::Expression::Call(_) | ast::Expression::Statement(_) | ast::Expression::VaArg(_) => {
                self.does_something = true;
            }
            ast::Expression::Member(member) => {
                self.may_fail |= member.node.operator.node == ast::MemberOperator::Indirect;
            }
            _ => {}
        }
        visit::visit_expression(self, node, span);
    }

    fn visit_unary_operator_expression(
        &mut self,
        node: &'ast ast::UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        match node.operator.node {
            ast::UnaryOperator::Indirection => self.may_fail = true,
            ref operator => self.does_something |= is_step(operator),
        }
        visit::visit_unary_operator_expression(self, node, span);
    }

    fn visit_binary_operator_expression(
        &mut self,
        node: &'ast ast::BinaryOperatorExpression,
        span: &'ast Span,
    ) {
        use ast::BinaryOperator as Op;
        match node.operator.node {
            Op::Index => self.may_fail = true,
            Op::Divide | Op::Modulo | Op::ShiftLeft | Op::ShiftRight => {
                let mut names = Names::default();
                names.visit_expression(&node.rhs.node, &node.rhs.span);
                self.may_fail |= names.found;
            }
            ref operator => self.does_something |= is_assignment(operator),
        }
        visit::visit_binary_operator_expression(self, node, span);
    }

    // What `sizeof` asks about is not evaluated; the sizes of arrays in it are looked at on their own.
    fn visit_sizeofval(&mut self, _node: &'ast ast::SizeOfVal, _span: &'ast Span) {}
    fn visit_sizeofty(&mut self, _node: &'ast ast::SizeOfTy, _span: &'ast Span) {}
}

/// Finds names that stand for values.
#[derive(Default)]
struct Names {
    found: bool,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_expression(&mut self, node: &'ast ast::Expression, span: &'ast Span) {
        self.found |= matches!(node, ast::Expression::Identifier(_));
        visit::visit_expression(self, node, span);
    }

    fn visit_sizeofval(&mut self, _node: &'ast ast::SizeOfVal, _span: &'ast Span) {}
    fn visit_sizeofty(&mut self, _node: &'ast ast::SizeOfTy, _span: &'ast Span) {}
}

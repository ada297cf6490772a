//! Statements.

use ir::{LabelId, Stmt, StmtKind};
use lang_c::ast;
use lang_c::span::Node;

use super::cleanup::Kept;
use super::{Gap, Lowered, Lowerer};
use crate::{build, effects};

/// Where `break` and `continue` lead. A `switch` has only the first.
#[derive(Clone, Copy)]
pub(crate) struct Jumps {
    pub(crate) leave: LabelId,
    pub(crate) next: Option<Next>,
    /// What is still there after a jump.
    pub(crate) kept: Kept,
}

#[derive(Clone, Copy)]
pub(crate) enum Next {
    /// The loop itself starts again.
    Loop(LabelId),
    /// The rest of the body is left; what follows goes on to the next round.
    Body(LabelId),
}

/// A longer chain of `else if` does not nest in the IR.
const MAX_CHAIN: usize = 16;

impl<'a> Lowerer<'a> {
    /// Lowers a statement; what is not modelled becomes a statement that says so.
    pub(crate) fn lower_statement(&mut self, node: &'a Node<ast::Statement>) {
        let outer = self.body.span;
        let start = self.body.out.len();
        self.body.span = Some(self.span(node.span));
        if let Err(gap) = self.try_statement(node) {
            self.body.out.truncate(start);
            let gap = self.lost(gap, node.span);
            self.body.out.push(gap);
        }
        self.body.span = outer;
    }

    /// The statement instead of code that is not lowered.
    pub(crate) fn lost(&mut self, gap: Gap, code: lang_c::span::Span) -> Stmt {
        self.unlowered(code);
        let gap = self.gap_statement(gap);
        if !self.may_free(code) {
            return gap;
        }
        // The run ends before anything is freed, but whoever takes the code for unknown must know.
        let span = gap.span;
        let free = Stmt { kind: StmtKind::Free { object: build::null() }, span };
        let kind = StmtKind::If { condition: build::boolean(true), then: vec![gap], otherwise: vec![free] };
        Stmt { kind, span }
    }

    /// A statement that ends the run where something is not modelled.
    pub(crate) fn gap_statement(&self, gap: Gap) -> Stmt {
        let span = if gap.span.is_nowhere() { self.here() } else { gap.span };
        Stmt { kind: StmtKind::Unsupported { what: gap.what }, span }
    }

    fn try_statement(&mut self, node: &'a Node<ast::Statement>) -> Lowered<()> {
        match &node.node {
            ast::Statement::Expression(None) => Ok(()),
            ast::Statement::Expression(Some(expr)) => self.lower_effect(expr),
            ast::Statement::Compound(items) => {
                self.scoped(|this| {
                    this.lower_items(items);
                    this.end_block();
                });
                Ok(())
            }
            ast::Statement::Labeled(_) => {
                self.lower_labelled(node);
                Ok(())
            }
            ast::Statement::If(statement) => self.lower_if(statement),
            ast::Statement::Switch(statement) => self.lower_switch(statement),
            ast::Statement::While(statement) => self.lower_while(statement),
            ast::Statement::DoWhile(statement) => self.lower_do_while(statement),
            ast::Statement::For(statement) => self.lower_for(statement),
            ast::Statement::Goto(label) => self.lower_goto(&label.node.name, node.span),
            ast::Statement::Continue => {
                let next = self.body.jumps.iter().rev().find_map(|jumps| Some((jumps.next?, jumps.kept)));
                let Some((next, kept)) = next else {
                    return self.gap("`continue` outside a loop", node.span);
                };
                self.clean_up_to(kept)?;
                self.emit(match next {
                    Next::Loop(label) => StmtKind::Continue(label),
                    Next::Body(label) => StmtKind::Break(label),
                });
                Ok(())
            }
            ast::Statement::Break => match self.body.jumps.last().copied() {
                Some(jumps) => {
                    self.clean_up_to(jumps.kept)?;
                    self.emit(StmtKind::Break(jumps.leave));
                    Ok(())
                }
                None => self.gap("`break` outside a loop", node.span),
            },
            ast::Statement::Return(value) => self.lower_return(value.as_deref()),
            ast::Statement::Asm(_) => self.gap("inline assembly", node.span),
        }
    }

    fn lower_return(&mut self, value: Option<&'a Node<ast::Expression>>) -> Lowered<()> {
        match (value, self.body.result.clone()) {
            (Some(value), Some(ty)) => {
                let value = self.lower_converted(value, &ty)?;
                self.end_function(Some(value))?;
            }
            (Some(value), None) => {
                self.lower_effect(value)?;
                self.end_function(None)?;
            }
            (None, Some(ty)) => {
                // Undefined only if the caller uses the value.
                let ty = self.value_type(&ty);
                self.assume("a return statement without a value returns 0");
                self.clean_up_from(0)?;
                self.emit(StmtKind::Return(Some(super::tables::zero_of(&ty))));
            }
            (None, None) => self.end_function(None)?,
        }
        Ok(())
    }

    fn lower_if(&mut self, node: &'a Node<ast::IfStatement>) -> Lowered<()> {
        if let Some(condition) = self.assertion(&node.node) {
            let condition = self.lower_condition(condition)?;
            self.assume(ir::ASSERTIONS_IN_C);
            let error = self.error("assertion failed");
            self.emit(StmtKind::Assert { condition, error });
            return Ok(());
        }
        if node.node.else_statement.is_none() && is_conjunction(&node.node.condition) {
            return self.lower_conjunction(&node.node.condition, &node.node.then_statement);
        }
        if chain_length(node) > MAX_CHAIN {
            return self.lower_chain(node);
        }
        let condition = self.lower_condition(&node.node.condition)?;
        let (then, ()) = self.block(|this| this.lower_statement(&node.node.then_statement));
        let otherwise = match &node.node.else_statement {
            Some(statement) => self.block(|this| this.lower_statement(statement)).0,
            None => Vec::new(),
        };
        if !then.is_empty() || !otherwise.is_empty() {
            self.emit(StmtKind::If { condition, then, otherwise });
        }
        Ok(())
    }

    /// A long `else if` chain, one after the other instead of one inside the other:
    /// each part that runs leaves the scope around all of them.
    fn lower_chain(&mut self, node: &'a Node<ast::IfStatement>) -> Lowered<()> {
        let label = self.new_label();
        let (body, result) = self.block(|this| {
            let mut link = node;
            loop {
                let condition = this.lower_condition(&link.node.condition)?;
                let (mut then, ()) = this.block(|this| this.lower_statement(&link.node.then_statement));
                if effects::falls_through(&then) {
                    let (leave, ()) = this.block(|this| this.emit(StmtKind::Break(label)));
                    then.extend(leave);
                }
                this.emit(StmtKind::If { condition, then, otherwise: Vec::new() });
                match link.node.else_statement.as_deref() {
                    None => return Ok(()),
                    Some(Node { node: ast::Statement::If(next), .. }) => {
                        this.body.span = Some(this.span(next.span));
                        link = next;
                    }
                    Some(last) => {
                        this.lower_statement(last);
                        return Ok(());
                    }
                }
            }
        });
        result?;
        self.emit_scope(label, body);
        Ok(())
    }

    /// `if (a && b) s`: one inside the other, where `b` needs checks of its own.
    fn lower_conjunction(
        &mut self,
        condition: &'a Node<ast::Expression>,
        then: &'a Node<ast::Statement>,
    ) -> Lowered<()> {
        let ast::Expression::BinaryOperator(binary) = &condition.node else {
            let condition = self.lower_condition(condition)?;
            let (then, ()) = self.block(|this| this.lower_statement(then));
            if !then.is_empty() {
                self.emit(StmtKind::If { condition, then, otherwise: Vec::new() });
            }
            return Ok(());
        };
        let left = self.lower_condition(&binary.node.lhs)?;
        let (mut inner, right) = self.block(|this| this.lower_condition(&binary.node.rhs));
        let right = match right {
            Ok(right) => right,
            Err(gap) => {
                self.unlowered(then.span);
                let then = vec![self.lost(gap, binary.node.rhs.span)];
                self.emit(StmtKind::If { condition: left, then, otherwise: Vec::new() });
                return Ok(());
            }
        };
        let (then, ()) = self.block(|this| this.lower_statement(then));
        if inner.is_empty() {
            if !then.is_empty() {
                self.emit(StmtKind::If { condition: build::and(left, right), then, otherwise: Vec::new() });
            }
            return Ok(());
        }
        let span = self.here();
        if !then.is_empty() {
            inner.push(Stmt { kind: StmtKind::If { condition: right, then, otherwise: Vec::new() }, span });
        }
        self.emit(StmtKind::If { condition: left, then: inner, otherwise: Vec::new() });
        Ok(())
    }

    /// The condition of `if (c) ; else __assert_fail(…)`, which is what `assert(c)` expands to.
    fn assertion(&self, node: &'a ast::IfStatement) -> Option<&'a Node<ast::Expression>> {
        let otherwise = node.else_statement.as_ref()?;
        if let (ast::Statement::Expression(None), ast::Statement::Expression(Some(expr))) =
            (&node.then_statement.node, &otherwise.node)
            && let ast::Expression::Call(call) = &expr.node
            && let ast::Expression::Identifier(name) = &call.node.callee.node
            && name.node.name == "__assert_fail"
        {
            return Some(&node.condition);
        }
        None
    }

    /// Lowers the body of a loop; where `continue` must run something after it, the body is a scope to leave.
    fn loop_body(&mut self, jumps: Jumps, node: &'a Node<ast::Statement>) {
        self.body.jumps.push(jumps);
        self.body.loop_depth += 1;
        match jumps.next {
            Some(Next::Body(label)) => {
                let (body, ()) = self.block(|this| this.lower_statement(node));
                self.emit_scope(label, body);
            }
            _ => self.lower_statement(node),
        }
        self.body.loop_depth -= 1;
        self.body.jumps.pop();
    }

    /// The statements as a scope, if something leaves it by its label.
    pub(crate) fn emit_scope(&mut self, label: LabelId, body: ir::Block) {
        if effects::breaks_to(&body, label) {
            self.emit(StmtKind::Scope { label, body });
        } else {
            self.body.out.extend(body);
        }
    }

    fn lower_while(&mut self, node: &'a Node<ast::WhileStatement>) -> Lowered<()> {
        let label = self.new_label();
        let (body, condition) = self.block(|this| {
            this.leave_unless(&node.node.expression, label)?;
            let jumps = Jumps { leave: label, next: Some(Next::Loop(label)), kept: this.kept() };
            this.loop_body(jumps, &node.node.statement);
            Ok(())
        });
        condition?;
        self.emit(StmtKind::Loop { label, body });
        Ok(())
    }

    fn lower_do_while(&mut self, node: &'a Node<ast::DoWhileStatement>) -> Lowered<()> {
        let label = self.new_label();
        let next = self.new_label();
        let once = matches!(self.constant_int(&node.node.expression), Ok(0));
        let (mut body, condition) = self.block(|this| {
            let jumps = Jumps { leave: label, next: Some(Next::Body(next)), kept: this.kept() };
            this.loop_body(jumps, &node.node.statement);
            if once { Ok(()) } else { this.leave_unless(&node.node.expression, label) }
        });
        if let Err(gap) = condition {
            body.push(self.lost(gap, node.node.expression.span));
        }
        if once {
            self.emit_scope(label, body);
        } else {
            self.emit(StmtKind::Loop { label, body });
        }
        Ok(())
    }

    fn lower_for(&mut self, node: &'a Node<ast::ForStatement>) -> Lowered<()> {
        self.scoped(|this| {
            match &node.node.initializer.node {
                ast::ForInitializer::Empty | ast::ForInitializer::StaticAssert(_) => {}
                ast::ForInitializer::Expression(expr) => this.lower_effect(expr)?,
                ast::ForInitializer::Declaration(declaration) => {
                    let outer = this.body.span;
                    this.lower_declaration(declaration);
                    this.body.span = outer;
                }
            }
            let label = this.new_label();
            let (body, result) = this.block(|this| this.for_body(node, label));
            result?;
            this.emit(StmtKind::Loop { label, body });
            this.end_block();
            Ok(())
        })
    }

    fn for_body(&mut self, node: &'a Node<ast::ForStatement>, label: LabelId) -> Lowered<()> {
        if let Some(condition) = &node.node.condition {
            self.leave_unless(condition, label)?;
        }
        let next = match &node.node.step {
            Some(_) => Next::Body(self.new_label()),
            None => Next::Loop(label),
        };
        self.loop_body(Jumps { leave: label, next: Some(next), kept: self.kept() }, &node.node.statement);
        if let Some(step) = &node.node.step {
            let outer = self.body.span;
            self.body.span = Some(self.span(step.span));
            let start = self.body.out.len();
            if let Err(gap) = self.lower_effect(step) {
                self.body.out.truncate(start);
                let gap = self.lost(gap, step.span);
                self.body.out.push(gap);
            }
            self.body.span = outer;
        }
        Ok(())
    }
}

/// How many `if` follow each other by `else`.
fn chain_length(node: &Node<ast::IfStatement>) -> usize {
    let mut length = 1;
    let mut link = node;
    while let Some(Node { node: ast::Statement::If(next), .. }) = link.node.else_statement.as_deref() {
        length += 1;
        link = next;
    }
    length
}

fn is_conjunction(node: &Node<ast::Expression>) -> bool {
    matches!(&node.node, ast::Expression::BinaryOperator(binary)
        if binary.node.operator.node == ast::BinaryOperator::LogicalAnd)
}

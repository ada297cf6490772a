//! `switch`, old and new, as a statement and as an expression (JLS 14.11, 15.28). Exact.
//!
//! Without fall-through a switch is a chain of branches. With it, the groups are nested scopes:
//! the dispatch leaves as many scopes as lead to the first statement of its group, and each group runs into the next.

use ir::{Const, Expr as IrExpr, Scalar, Span, StmtKind as IrStmtKind};

use super::body::{Body, Value, binary, or};
use super::convert::convert_primitive;
use super::foreign::Wanted;
use super::jumps::{Frame, FrameKind};
use super::stmt::LONGEST_CHAIN;
use crate::syntax::{Expr, ExprKind, Primitive, Stmt, StmtKind, Switch, SwitchGroup};
use crate::types::Ty;

/// What javac makes of these is neither what the language says nor the same at all places.
const ROUNDED: &str = "a `switch` with an `int` or `long` and a `float` as results";

impl<'a> Body<'_, 'a> {
    pub(super) fn switch_stmt(&mut self, switch: &'a Switch, names: Vec<String>) {
        let Some(subject) = self.switch_subject(switch) else { return };
        let end = self.new_label();
        let kind = FrameKind::Block { end, is_switch: true };
        self.frames.push(Frame { names, kind });
        let (_, block) = self.in_block(|body| {
            body.in_scope(|body| body.dispatch(switch, &subject, &|body, group| body.group_body(group)));
        });
        self.close_block(end, block);
    }

    /// A switch expression. Where no type is expected, its type comes from a first lowering that is thrown away.
    pub(super) fn switch_value(&mut self, switch: &'a Switch, span: Span, expected: Option<&Ty>) -> Value {
        let key = (span, self.class);
        let ty = match (expected, self.cx.switch_types.get(&key)) {
            (Some(ty), _) => ty.clone(),
            (None, Some(ty)) => ty.clone(),
            (None, None) => {
                let ty = self.standalone_type(switch);
                self.cx.switch_types.insert(key, ty.clone());
                ty
            }
        };
        if ty == Ty::Unknown(ROUNDED.to_owned()) {
            return self.unsupported(ROUNDED);
        }
        let Some(subject) = self.switch_subject(switch) else {
            return self.zero(&ty);
        };
        let result = match ty {
            Ty::Void | Ty::Unknown(_) => None,
            _ => Some((self.temp_for(&ty), ty.clone())),
        };
        self.switch_with_result(switch, &subject, result.clone());
        match result {
            Some((local, ty)) => Value::new(IrExpr::Local(local), ty),
            None => Value::constant(Const::Null, ty),
        }
    }

    /// The type of all results together (JLS 15.28.1). Constants of type `int` come last: they fit into a narrower
    /// type only if that is the type of all others.
    fn standalone_type(&mut self, switch: &'a Switch) -> Ty {
        let is_int_constant = |value: &Value| value.is_constant && value.ty == Ty::Primitive(Primitive::Int);
        let results = self.trial_results(switch);
        let rounds = super::conditional::rounds(&results);
        let (constants, others): (Vec<Value>, Vec<Value>) = results.into_iter().partition(is_int_constant);
        let mut results = others.into_iter().chain(constants);
        let Some(first) = results.next() else { return Ty::Unknown("?".to_owned()) };
        let Some(second) = results.next() else { return first.ty };
        let mut common = self.common_type(&first, &second);
        for value in results {
            // What is common to several results is not a constant.
            let so_far = Value::new(IrExpr::Local(ir::LocalId(0)), common);
            common = self.common_type(&so_far, &value);
        }
        if rounds && common == Ty::Primitive(Primitive::Float) {
            return Ty::Unknown(ROUNDED.to_owned());
        }
        common
    }

    /// Whether the results of a switch expression have several types.
    pub(super) fn has_mixed_results(&mut self, switch: &'a Switch, span: Span) -> bool {
        let key = (span, self.class);
        if let Some(known) = self.cx.mixed_switches.get(&key) {
            return *known;
        }
        let results = self.trial_results(switch);
        // What unknown code gives may be of any type.
        let mixed = results.windows(2).any(|pair| pair[0].ty != pair[1].ty || pair[0].ty == Ty::of_result());
        self.cx.mixed_switches.insert(key, mixed);
        mixed
    }

    /// The values of all results, from a lowering whose code is thrown away.
    fn trial_results(&mut self, switch: &'a Switch) -> Vec<Value> {
        let locals = self.locals.len();
        let (labels, temps) = (self.next_label, self.next_temp);
        let assumptions = self.assumptions.len();
        let pending_errors = self.cx.pending_errors.len();
        let scopes = self.scopes.clone();
        let (results, _) = self.in_block(|body| match body.switch_subject(switch) {
            Some(subject) => body.switch_with_result(switch, &subject, None),
            None => Vec::new(),
        });
        self.locals.truncate(locals);
        self.next_label = labels;
        self.next_temp = temps;
        self.assumptions.truncate(assumptions);
        self.cx.pending_errors.truncate(pending_errors);
        self.scopes = scopes;
        results
    }

    /// Lowers a switch expression; gives the values of all its results, for their types.
    fn switch_with_result(
        &mut self,
        switch: &'a Switch,
        subject: &Value,
        result: Option<(ir::LocalId, Ty)>,
    ) -> Vec<Value> {
        let end = self.new_label();
        let kind = FrameKind::SwitchValue { end, result, types: Vec::new() };
        self.frames.push(Frame { names: Vec::new(), kind });
        let (_, block) = self.in_block(|body| {
            body.in_scope(|body| {
                body.dispatch(switch, subject, &|body, group| match group.body.as_slice() {
                    [Stmt { kind: StmtKind::Expr(expr), .. }] if group.is_value => {
                        let value = body.operand(expr, &Wanted::Value);
                        body.yield_value(value);
                    }
                    // In a switch expression a nested switch after an arrow is a value, too.
                    [Stmt { kind: StmtKind::Switch(inner), span }] if group.is_value => {
                        let value = body.switch_value(inner, *span, None);
                        body.yield_value(value);
                    }
                    _ => body.group_body(group),
                });
            });
        });
        let frame = self.frames.pop();
        self.emit_scope(end, block);
        match frame {
            Some(Frame { kind: FrameKind::SwitchValue { types, .. }, .. }) => types,
            _ => Vec::new(),
        }
    }

    fn group_body(&mut self, group: &'a SwitchGroup) {
        self.stmts(&group.body);
    }

    /// The value that is switched on, checked and in a form that can be compared several times.
    fn switch_subject(&mut self, switch: &'a Switch) -> Option<Value> {
        let subject = self.expr(&switch.subject);
        if subject.ty.is_unknown() {
            return None;
        }
        if let Some(what) = switch.groups.iter().find_map(|group| group.unsupported.clone()) {
            self.unsupported(what);
            return None;
        }
        let is_enum = matches!(subject.ty, Ty::Class(class) if self.is_enum(class));
        if subject.ty.numeric().is_none() && subject.ty != Ty::Text && !is_enum {
            self.unsupported("a `switch` on this type");
            return None;
        }
        let subject = self.unbox(subject);
        let subject = match subject.expr {
            IrExpr::Local(_) | IrExpr::Const(_) => subject,
            _ => self.saved(subject),
        };
        // A group may change the variable before the next test: the tests come first in all forms made here.
        self.check_not_null(&subject);
        Some(subject)
    }

    fn dispatch(
        &mut self,
        switch: &'a Switch,
        subject: &Value,
        lower_body: &dyn Fn(&mut Self, &'a SwitchGroup),
    ) {
        let last = switch.groups.len().saturating_sub(1);
        let falls = switch
            .groups
            .iter()
            .enumerate()
            .any(|(index, group)| !group.arrow && index != last && !ends_abruptly(&group.body));
        if falls {
            self.dispatch_with_fall_through(switch, subject, lower_body);
        } else {
            self.dispatch_as_branches(switch, subject, lower_body);
        }
    }

    /// `if (s == 1 || s == 2) {...} else if ... else default`.
    fn dispatch_as_branches(
        &mut self,
        switch: &'a Switch,
        subject: &Value,
        lower_body: &dyn Fn(&mut Self, &'a SwitchGroup),
    ) {
        let mut branches = Vec::new();
        let mut default = Vec::new();
        for group in &switch.groups {
            let test = self.group_test(group, subject);
            let (_, block) = self.in_block(|body| {
                body.at(group.span, |body| {
                    if group.arrow {
                        body.in_scope(|body| lower_body(body, group));
                    } else {
                        lower_body(body, group);
                    }
                });
            });
            let block = self.without_last_break(block);
            if group.is_default {
                default = block;
            } else if let Some(test) = test {
                branches.push((test, block, group.span));
            }
        }
        if switch.groups.iter().all(|group| !group.is_default) && self.is_switch_value() {
            (_, default) = self.in_block(Self::never_here);
        }
        if branches.len() > LONGEST_CHAIN {
            return self.one_after_the_other(branches, default);
        }
        let chain = branches.into_iter().rev().fold(default, |otherwise, (condition, then, span)| {
            vec![ir::Stmt { kind: IrStmtKind::If { condition, then, otherwise }, span }]
        });
        self.block.extend(chain);
    }

    /// Many branches without nesting: each that runs leaves the scope around all of them.
    fn one_after_the_other(&mut self, branches: Vec<(IrExpr, ir::Block, Span)>, default: ir::Block) {
        let label = self.new_label();
        let stmt = |kind, span| ir::Stmt { kind, span };
        let mut body: ir::Block = Vec::new();
        for (condition, mut then, span) in branches {
            then.push(stmt(IrStmtKind::Break(label), span));
            body.push(stmt(IrStmtKind::If { condition, then, otherwise: Vec::new() }, span));
        }
        body.extend(default);
        self.emit(IrStmtKind::Scope { label, body });
    }

    /// The place where a switch expression without default would go on: Java demands that it lists all constants.
    fn never_here(&mut self) {
        self.emit(IrStmtKind::Assume { condition: IrExpr::Const(Const::Bool(false)) });
    }

    /// The innermost frame is that of this switch.
    fn is_switch_value(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { kind: FrameKind::SwitchValue { .. }, .. }))
    }

    /// A `break` out of this switch at the end of a branch goes where the branch goes anyway.
    fn without_last_break(&mut self, mut block: ir::Block) -> ir::Block {
        let end = match self.frames.last() {
            Some(Frame {
                kind: FrameKind::Block { end, .. } | FrameKind::SwitchValue { end, .. }, ..
            }) => *end,
            _ => return block,
        };
        if matches!(block.last(), Some(ir::Stmt { kind: IrStmtKind::Break(label), .. }) if *label == end) {
            block.pop();
        }
        block
    }

    fn dispatch_with_fall_through(
        &mut self,
        switch: &'a Switch,
        subject: &Value,
        lower_body: &dyn Fn(&mut Self, &'a SwitchGroup),
    ) {
        let labels: Vec<ir::LabelId> = switch.groups.iter().map(|_| self.new_label()).collect();
        let (_, mut block) = self.in_block(|body| {
            let mut default = None;
            for (group, label) in switch.groups.iter().zip(&labels) {
                if group.is_default {
                    default = Some(*label);
                }
                if let Some(condition) = body.group_test(group, subject) {
                    let then = vec![ir::Stmt { kind: IrStmtKind::Break(*label), span: group.span }];
                    body.at(group.span, |body| {
                        body.emit(IrStmtKind::If { condition, then, otherwise: Vec::new() });
                    });
                }
            }
            match default {
                Some(label) => body.emit(IrStmtKind::Break(label)),
                None if body.is_switch_value() => body.never_here(),
                None => body.break_to(None),
            }
        });
        for (group, label) in switch.groups.iter().zip(labels) {
            let (_, outer) = self.in_block(|body| {
                body.emit(IrStmtKind::Scope { label, body: block });
                body.at(group.span, |body| lower_body(body, group));
            });
            block = outer;
        }
        self.block.extend(block);
    }

    /// Whether the subject equals one of a group's labels.
    fn group_test(&mut self, group: &'a SwitchGroup, subject: &Value) -> Option<IrExpr> {
        let tests: Vec<IrExpr> = group.labels.iter().map(|label| self.label_test(label, subject)).collect();
        tests.into_iter().reduce(or)
    }

    fn label_test(&mut self, label: &'a Expr, subject: &Value) -> IrExpr {
        let lhs = subject.expr.clone();
        if let Ty::Class(class) = subject.ty {
            let name = match &label.kind {
                ExprKind::Name(name) | ExprKind::Field { name, .. } => name,
                _ => "",
            };
            return match self.enum_constant(class, name) {
                Some(constant) => IrExpr::SameRef { lhs: Box::new(lhs), rhs: Box::new(constant.expr) },
                None => {
                    self.unsupported("a `case` that is not an enum constant");
                    IrExpr::Const(Const::Bool(false))
                }
            };
        }
        let value = self.expr(label);
        if subject.ty == Ty::Text && value.ty == Ty::Text {
            return IrExpr::SameText { lhs: Box::new(lhs), rhs: Box::new(value.expr) };
        }
        match (subject.ty.numeric(), value.ty.numeric()) {
            (Some(ty), Some(from)) => {
                let scalar: Scalar = ty.scalar();
                binary(ir::BinaryOp::Eq, scalar, lhs, convert_primitive(value.expr, from, ty))
            }
            _ => {
                self.unsupported("a `case` of another type");
                IrExpr::Const(Const::Bool(false))
            }
        }
    }
}

/// Whether the statements surely do not run into what follows them. Under-approximating.
fn ends_abruptly(stmts: &[Stmt]) -> bool {
    match stmts.last().map(|stmt| &stmt.kind) {
        Some(
            StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(_)
            | StmtKind::Throw(_)
            | StmtKind::Yield(_),
        ) => true,
        Some(StmtKind::Block(inner)) => ends_abruptly(inner),
        Some(StmtKind::If { then, otherwise: Some(otherwise), .. }) => {
            ends_abruptly(std::slice::from_ref(&**then)) && ends_abruptly(std::slice::from_ref(&**otherwise))
        }
        _ => false,
    }
}

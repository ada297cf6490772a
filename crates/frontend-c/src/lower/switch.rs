//! `switch`: one `if` for each group of cases, in order, so that falling through goes on to the next.
//!
//! ```text
//! switch (x) { case 1: a; case 2: b; break; default: c; }
//!
//! scope S {
//!   if x == 1 { a; fall = true }
//!   if fall || x == 2 { b; break S }
//!   if !(x == 1 || x == 2) { c }
//! }
//! ```

use ir::{Expr, IntType, LocalId, Scalar, StmtKind, Type};
use lang_c::ast;
use lang_c::span::Node;

use super::stmt::Jumps;
use super::{Lowered, Lowerer};
use crate::types::CType;
use crate::{build, effects};

/// The statements between two groups of labels.
struct Segment<'a> {
    labels: Vec<CaseLabel>,
    items: Vec<Item<'a>>,
}

enum CaseLabel {
    Values(i128, i128),
    Default,
}

#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
    Block(&'a Node<ast::BlockItem>),
    Statement(&'a Node<ast::Statement>),
}

impl<'a> Lowerer<'a> {
    pub(crate) fn lower_switch(&mut self, node: &'a Node<ast::SwitchStatement>) -> Lowered<()> {
        let value = self.lower_expr(&node.node.expression)?;
        let ty = value.ty.promoted();
        let CType::Int(int) = ty else {
            return self.gap("a switch over something that is no integer", node.span);
        };
        let value = self.convert(value, &ty)?;
        // The cases must not see what the statements in between do to the variable.
        let value = self.save(value.expr, &ty);
        self.scoped(|this| {
            this.leave_anywhere();
            let segments = this.segments(&node.node.statement, int)?;
            let items = segments.iter().flat_map(|segment| &segment.items);
            let has_labels = items.clone().any(|item| super::goto::has_label(*item));
            let label = this.new_label();
            this.body.jumps.push(Jumps { leave: label, next: None, kept: this.kept() });
            let (body, ()) = this.block(|this| {
                this.with_skipped(true, has_labels, |this| this.lower_segments(&segments, int, &value));
            });
            this.body.jumps.pop();
            this.emit_scope(label, body);
            Ok(())
        })
    }

    fn segments(&mut self, body: &'a Node<ast::Statement>, int: IntType) -> Lowered<Vec<Segment<'a>>> {
        let mut items = Vec::new();
        match &body.node {
            ast::Statement::Compound(list) => items.extend(list.iter().map(Item::Block)),
            _ => items.push(Item::Statement(body)),
        }
        let mut segments = vec![Segment { labels: Vec::new(), items: Vec::new() }];
        for item in items {
            let mut item = item;
            while let Some((label, statement)) = case_label(item) {
                let label = match &label.node {
                    ast::Label::Case(value) => {
                        let value = int.wrap(self.constant_int(value)?);
                        CaseLabel::Values(value, value)
                    }
                    ast::Label::CaseRange(range) => CaseLabel::Values(
                        int.wrap(self.constant_int(&range.node.low)?),
                        int.wrap(self.constant_int(&range.node.high)?),
                    ),
                    ast::Label::Default | ast::Label::Identifier(_) => CaseLabel::Default,
                };
                match segments.last_mut() {
                    Some(last) if last.items.is_empty() => last.labels.push(label),
                    _ => segments.push(Segment { labels: vec![label], items: Vec::new() }),
                }
                item = Item::Statement(statement);
            }
            if let Some(span) = inner_case(item) {
                return self.gap("a case label inside another statement", span);
            }
            if let Some(last) = segments.last_mut() {
                last.items.push(item);
            }
        }
        Ok(segments)
    }

    fn lower_segments(&mut self, segments: &[Segment<'a>], int: IntType, value: &Expr) {
        let mut fell: Option<LocalId> = None;
        let mut falling = false;
        for (index, segment) in segments.iter().enumerate() {
            let matches = |label: &CaseLabel| match label {
                CaseLabel::Values(low, high) => in_case(int, value, *low, *high),
                CaseLabel::Default => build::not(any_case(segments, int, value)),
            };
            let mut condition = any_of(segment.labels.iter().map(matches).collect());
            if falling && let Some(fell) = fell {
                condition = build::or(Expr::Local(fell), condition);
            }
            // Statements before the first label never run, but declare names.
            let (mut then, ()) = self.block(|this| this.lower_switch_items(&segment.items));
            if segment.labels.is_empty() {
                continue;
            }
            let last = index + 1 == segments.len();
            let falls = effects::falls_through(&then);
            if falls && !last && !(segments[index + 1..].iter().all(|segment| segment.items.is_empty())) {
                let local = match fell {
                    Some(local) => local,
                    None => {
                        let local = self.temp(Type::Bool);
                        self.emit(StmtKind::Assign { local, value: build::boolean(false) });
                        fell = Some(local);
                        local
                    }
                };
                let (set, ()) = self.block(|this| {
                    this.emit(StmtKind::Assign { local, value: build::boolean(true) });
                });
                then.extend(set);
                falling = true;
            } else if !falls {
                // What fell into this segment did not come out of it.
                falling = false;
            }
            if !then.is_empty() {
                self.emit(StmtKind::If { condition, then, otherwise: Vec::new() });
            }
        }
    }
}

/// Whether the value belongs to some case.
fn any_case(segments: &[Segment<'_>], int: IntType, value: &Expr) -> Expr {
    let labels = segments.iter().flat_map(|segment| &segment.labels);
    let cases = labels.filter_map(|label| match label {
        CaseLabel::Values(low, high) => Some(in_case(int, value, *low, *high)),
        CaseLabel::Default => None,
    });
    any_of(cases.collect())
}

/// Whether one of the conditions holds; nested evenly, since a switch may have hundreds of cases.
fn any_of(mut conditions: Vec<Expr>) -> Expr {
    match conditions.len() {
        0 => build::boolean(false),
        1 => conditions.remove(0),
        count => {
            let second = conditions.split_off(count / 2);
            build::or(any_of(conditions), any_of(second))
        }
    }
}

fn in_case(int: IntType, value: &Expr, low: i128, high: i128) -> Expr {
    if low == high {
        return build::eq(Scalar::Int(int), value.clone(), build::int(int, low));
    }
    let from = build::le(int, build::int(int, low), value.clone());
    build::and(from, build::le(int, value.clone(), build::int(int, high)))
}

/// The case label that an item starts with, and the statement after it.
fn case_label<'a>(item: Item<'a>) -> Option<(&'a Node<ast::Label>, &'a Node<ast::Statement>)> {
    let statement = match item {
        Item::Block(node) => match &node.node {
            ast::BlockItem::Statement(statement) => statement,
            _ => return None,
        },
        Item::Statement(statement) => statement,
    };
    match &statement.node {
        ast::Statement::Labeled(labeled) if !matches!(labeled.node.label.node, ast::Label::Identifier(_)) => {
            Some((&labeled.node.label, &labeled.node.statement))
        }
        _ => None,
    }
}

/// A case label of this switch that stands deeper inside the item.
fn inner_case(item: Item<'_>) -> Option<lang_c::span::Span> {
    let statement = match item {
        Item::Block(node) => match &node.node {
            ast::BlockItem::Statement(statement) => statement,
            _ => return None,
        },
        Item::Statement(statement) => statement,
    };
    case_inside(statement)
}

fn case_inside(node: &Node<ast::Statement>) -> Option<lang_c::span::Span> {
    match &node.node {
        ast::Statement::Labeled(labeled) => match labeled.node.label.node {
            ast::Label::Identifier(_) => case_inside(&labeled.node.statement),
            _ => Some(node.span),
        },
        ast::Statement::Compound(items) => items.iter().find_map(|item| match &item.node {
            ast::BlockItem::Statement(statement) => case_inside(statement),
            _ => None,
        }),
        ast::Statement::If(statement) => case_inside(&statement.node.then_statement)
            .or_else(|| statement.node.else_statement.as_ref().and_then(|inner| case_inside(inner))),
        ast::Statement::While(statement) => case_inside(&statement.node.statement),
        ast::Statement::DoWhile(statement) => case_inside(&statement.node.statement),
        ast::Statement::For(statement) => case_inside(&statement.node.statement),
        _ => None,
    }
}

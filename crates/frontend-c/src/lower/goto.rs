//! `goto`: out of blocks and forwards as leaving a scope, backwards as starting a loop again.
//!
//! ```text
//! { a; if (x) goto out; b; out: c; }        =>  scope out { a; if x { break out }; b }; c
//! { again: a; if (x) goto again; b; }       =>  loop again { a; if x { continue again }; break again }; b
//! ```
//!
//! Where the two cross, the list becomes a loop over its labelled parts with a variable that says where to start.
//! Jumps into a block from outside are gaps.

use ir::{BinaryOp, Block, Expr, IntType, LabelId, LocalId, Scalar, StmtKind, Type};
use lang_c::ast;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::switch::Item;
use super::{Lowered, Lowerer};
use crate::{build, effects};

/// How to get to a label.
#[derive(Clone)]
pub(crate) enum Jump {
    Leave(LabelId),
    Again(LabelId),
    /// Sets the variable to the number of the part, and starts the loop again.
    Part(LocalId, usize, LabelId),
}

/// An item of a block without its labels.
struct Entry<'a> {
    labels: Vec<&'a str>,
    item: Item<'a>,
    /// The labels that it jumps to.
    gotos: Vec<String>,
}

/// A range of entries that becomes a scope (for jumps forwards to its end) or a loop (backwards to its start).
#[derive(Clone)]
struct Interval {
    name: String,
    forward: bool,
    from: usize,
    to: usize,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn lower_items(&mut self, items: &'a [Node<ast::BlockItem>]) {
        let items: Vec<Item<'a>> = items.iter().map(Item::Block).collect();
        let entries: Vec<Entry<'a>> = items.iter().map(|item| entry(*item)).collect();
        let has_labels = entries.iter().any(|entry| !entry.labels.is_empty());
        let goes_back = intervals(&entries).iter().any(|interval| !interval.forward);
        self.with_skipped(has_labels, goes_back, |this| this.lower_switch_items(&items));
    }

    /// Lowers the items of a block. Variables whose declarations a jump may skip live from the entry of the block on.
    /// Those that a jump may pass again stay the same objects.
    pub(crate) fn with_skipped(&mut self, jumps: bool, goes_back: bool, lower: impl FnOnce(&mut Self)) {
        let start = self.body.out.len();
        let outer_goes_back = std::mem::replace(&mut self.body.goes_back, goes_back);
        let outer = std::mem::replace(&mut self.body.skipped, jumps.then(Vec::new));
        lower(self);
        let skipped = std::mem::replace(&mut self.body.skipped, outer);
        self.body.goes_back = outer_goes_back;
        self.body.out.splice(start..start, skipped.into_iter().flatten());
    }

    pub(crate) fn lower_labelled(&mut self, node: &'a Node<ast::Statement>) {
        self.lower_switch_items(&[Item::Statement(node)]);
    }

    pub(crate) fn lower_switch_items(&mut self, items: &[Item<'a>]) {
        let entries: Vec<Entry<'a>> = items.iter().map(|item| entry(*item)).collect();
        if entries.iter().all(|entry| entry.labels.is_empty()) {
            entries.iter().for_each(|entry| self.lower_item(entry.item));
            return;
        }
        match nested(intervals(&entries)) {
            Some(intervals) => self.lower_range(&entries, 0, entries.len(), intervals),
            None => self.lower_parts(&entries),
        }
    }

    fn lower_item(&mut self, item: Item<'a>) {
        match item {
            Item::Statement(statement) => self.lower_statement(statement),
            Item::Block(node) => match &node.node {
                ast::BlockItem::Statement(statement) => self.lower_statement(statement),
                ast::BlockItem::StaticAssert(_) => {}
                ast::BlockItem::Declaration(declaration) => {
                    let outer = self.body.span;
                    self.lower_declaration(declaration);
                    self.body.span = outer;
                }
            },
        }
    }

    fn lower_range(&mut self, entries: &[Entry<'a>], from: usize, to: usize, mut intervals: Vec<Interval>) {
        let mut at = from;
        while at < to {
            let outermost = intervals
                .iter()
                .enumerate()
                .filter(|(_, interval)| interval.from == at && interval.to <= to)
                .max_by_key(|(_, interval)| interval.to)
                .map(|(index, _)| index);
            let Some(index) = outermost else {
                self.lower_item(entries[at].item);
                at += 1;
                continue;
            };
            let interval = intervals.remove(index);
            let label = self.new_label();
            let jump = if interval.forward { Jump::Leave(label) } else { Jump::Again(label) };
            self.body.labelled.push((interval.name.clone(), jump, self.kept()));
            let inner = intervals.clone();
            let (body, ()) = self.block(|this| this.lower_range(entries, at, interval.to, inner));
            self.body.labelled.pop();
            self.emit_interval(&interval, label, body);
            at = interval.to;
        }
    }

    fn emit_interval(&mut self, interval: &Interval, label: LabelId, mut body: Block) {
        if interval.forward {
            self.emit_scope(label, body);
        } else if effects::continues_to(&body, label) {
            let (leave, ()) = self.block(|this| this.emit(StmtKind::Break(label)));
            if effects::falls_through(&body) {
                body.extend(leave);
            }
            self.emit(StmtKind::Loop { label, body });
        } else {
            self.body.out.extend(body);
        }
    }

    /// The general way: a loop over the labelled parts.
    fn lower_parts(&mut self, entries: &[Entry<'a>]) {
        let mut starts = vec![0];
        starts.extend((1..entries.len()).filter(|index| !entries[*index].labels.is_empty()));
        let part = self.temp(Type::I32);
        let label = self.new_label();
        let known = self.body.labelled.len();
        for (number, start) in starts.iter().enumerate() {
            for name in &entries[*start].labels {
                let jump = Jump::Part(part, number, label);
                self.body.labelled.push(((*name).to_owned(), jump, self.kept()));
            }
        }
        self.emit(StmtKind::Assign { local: part, value: build::int(IntType::I32, 0) });
        let (body, ()) = self.block(|this| {
            for (number, start) in starts.iter().enumerate() {
                let end = starts.get(number + 1).copied().unwrap_or(entries.len());
                let (then, ()) = this
                    .block(|this| entries[*start..end].iter().for_each(|entry| this.lower_item(entry.item)));
                let number = build::int(IntType::I32, number as i128);
                let condition =
                    build::binary(BinaryOp::Le, Scalar::Int(IntType::I32), Expr::Local(part), number, false);
                this.emit(StmtKind::If { condition, then, otherwise: Vec::new() });
            }
            this.emit(StmtKind::Break(label));
        });
        self.body.labelled.truncate(known);
        self.emit(StmtKind::Loop { label, body });
    }

    pub(crate) fn lower_goto(&mut self, name: &str, span: Span) -> Lowered<()> {
        let labelled = self.body.labelled.iter().rev().find(|(known, ..)| known == name);
        let (jump, kept) = labelled.map(|(_, jump, kept)| (jump.clone(), *kept)).unzip();
        if let Some(kept) = kept {
            self.clean_up_to(kept)?;
        }
        match jump {
            Some(Jump::Leave(label)) => self.emit(StmtKind::Break(label)),
            Some(Jump::Again(label)) => self.emit(StmtKind::Continue(label)),
            Some(Jump::Part(local, number, label)) => {
                let value = build::int(IntType::I32, number as i128);
                self.emit(StmtKind::Assign { local, value });
                self.emit(StmtKind::Continue(label));
            }
            None => return self.gap(format!("a jump into a block, to `{name}`"), span),
        }
        Ok(())
    }
}

/// Whether a jump may lead to an item.
pub(crate) fn has_label(item: Item<'_>) -> bool {
    !entry(item).labels.is_empty()
}

fn entry<'a>(item: Item<'a>) -> Entry<'a> {
    let mut labels = Vec::new();
    let mut item = item;
    loop {
        let statement = match item {
            Item::Statement(statement) => statement,
            Item::Block(node) => match &node.node {
                ast::BlockItem::Statement(statement) => statement,
                _ => break,
            },
        };
        match &statement.node {
            ast::Statement::Labeled(labeled) => match &labeled.node.label.node {
                ast::Label::Identifier(name) => labels.push(name.node.name.as_str()),
                _ => break,
            },
            _ => break,
        }
        if let ast::Statement::Labeled(labeled) = &statement.node {
            item = Item::Statement(&labeled.node.statement);
        }
    }
    let mut finder = GotoFinder::default();
    match item {
        Item::Statement(node) => finder.visit_statement(&node.node, &node.span),
        Item::Block(node) => finder.visit_block_item(&node.node, &node.span),
    }
    Entry { labels, item, gotos: finder.names }
}

/// The scopes and loops that the jumps between entries need.
fn intervals(entries: &[Entry<'_>]) -> Vec<Interval> {
    let mut result = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        for name in &entry.labels {
            let jumps = |entry: &Entry<'_>| entry.gotos.iter().any(|goto| goto == name);
            if let Some(from) = entries[..at].iter().position(jumps) {
                result.push(Interval { name: (*name).to_owned(), forward: true, from, to: at });
            }
            if let Some(last) = entries[at..].iter().rposition(jumps) {
                result.push(Interval {
                    name: (*name).to_owned(),
                    forward: false,
                    from: at,
                    to: at + last + 1,
                });
            }
        }
    }
    result
}

/// Widens intervals until each two are apart or one is in the other; none if jumps lead into a loop.
fn nested(mut intervals: Vec<Interval>) -> Option<Vec<Interval>> {
    loop {
        let mut changed = false;
        for first in 0..intervals.len() {
            for second in 0..intervals.len() {
                let (a, b) = (intervals[first].clone(), intervals[second].clone());
                if !(a.from < b.from && b.from < a.to && a.to < b.to) {
                    continue;
                }
                // A scope may start earlier, a loop may end later.
                if b.forward {
                    intervals[second].from = a.from;
                } else if !a.forward {
                    intervals[first].to = b.to;
                } else {
                    return None;
                }
                changed = true;
            }
        }
        if !changed {
            return Some(intervals);
        }
    }
}

#[derive(Default)]
struct GotoFinder {
    names: Vec<String>,
}

impl<'ast> Visit<'ast> for GotoFinder {
    fn visit_statement(&mut self, node: &'ast ast::Statement, span: &'ast Span) {
        if let ast::Statement::Goto(label) = node {
            self.names.push(label.node.name.clone());
        }
        visit::visit_statement(self, node, span);
    }
}

//! `break`, `continue`, `yield` and `return`, through the `finally` blocks on their way (JLS 14.20.2).
//!
//! A jump out of a `try` with `finally` writes down where it goes and leaves the `try`; after the `finally` block
//! the jump goes on. So the block stands once, and what it throws or returns wins, as Java says. Exact.

use ir::{Const, Expr, IntType, LabelId, LocalId, Scalar, StmtKind};

use super::body::{Body, Value, binary, i32_const};
use crate::types::Ty;

/// A place that jumps can go to, or must pass.
pub(super) struct Frame {
    /// The labels that the source gives to the statement.
    pub(super) names: Vec<String>,
    pub(super) kind: FrameKind,
}

pub(super) enum FrameKind {
    /// `next` is where `continue` goes: the loop itself, or the end of a scope around its body.
    Loop { end: LabelId, next: Jump, continues: bool },
    /// A switch statement, or a labelled statement that is not a loop.
    Block { end: LabelId, is_switch: bool },
    /// A switch expression; `yield` assigns the result. The types of all results are collected.
    SwitchValue { end: LabelId, result: Option<(LocalId, Ty)>, types: Vec<Value> },
    /// A `try` with `finally`: jumps leave through `scope` with their number in `code`.
    Finally { scope: LabelId, code: LocalId, result: Option<LocalId>, pending: Vec<(Option<usize>, Jump)> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Jump {
    Break(LabelId),
    Continue(LabelId),
    Return,
}

impl Body<'_, '_> {
    pub(super) fn break_to(&mut self, name: Option<&str>) {
        let target = self.frames.iter().enumerate().rev().find_map(|(index, frame)| {
            let matches = match (&frame.kind, name) {
                (_, Some(name)) => frame.names.iter().any(|label| label == name),
                (FrameKind::Loop { .. }, None) => true,
                (FrameKind::Block { is_switch, .. }, None) => *is_switch,
                (FrameKind::SwitchValue { .. } | FrameKind::Finally { .. }, None) => false,
            };
            if !matches {
                return None;
            }
            match &frame.kind {
                FrameKind::Loop { end, .. } | FrameKind::Block { end, .. } => Some((index, *end)),
                FrameKind::SwitchValue { .. } | FrameKind::Finally { .. } => None,
            }
        });
        match target {
            Some((index, end)) => self.jump(Some(index), Jump::Break(end)),
            None => {
                self.unsupported("a `break` without its target");
            }
        }
    }

    pub(super) fn continue_to(&mut self, name: Option<&str>) {
        let target =
            self.frames.iter_mut().enumerate().rev().find_map(|(index, frame)| match &mut frame.kind {
                FrameKind::Loop { next, continues, .. }
                    if name.is_none_or(|name| frame.names.iter().any(|label| label == name)) =>
                {
                    *continues = true;
                    Some((index, *next))
                }
                _ => None,
            });
        match target {
            Some((index, next)) => self.jump(Some(index), next),
            None => {
                self.unsupported("a `continue` without its target");
            }
        }
    }

    /// Gives a switch expression its result and leaves it.
    pub(super) fn yield_value(&mut self, value: Value) {
        let target =
            self.frames.iter_mut().enumerate().rev().find_map(|(index, frame)| match &mut frame.kind {
                FrameKind::SwitchValue { end, result, types } => {
                    types.push(value.clone());
                    Some((index, *end, result.clone()))
                }
                _ => None,
            });
        let Some((index, end, result)) = target else {
            self.unsupported("a `yield` outside of a switch expression");
            return;
        };
        if let Some((local, ty)) = result {
            let value = self.convert(value, &ty);
            self.emit(StmtKind::Assign { local, value: value.expr });
        }
        self.jump(Some(index), Jump::Break(end));
    }

    pub(super) fn return_value(&mut self, value: Option<Value>) {
        let finally = self.frames.iter().rposition(|frame| matches!(frame.kind, FrameKind::Finally { .. }));
        let Some(finally) = finally else {
            self.emit(StmtKind::Return(value.map(|value| value.expr)));
            return;
        };
        if let Some(value) = value {
            let local = match &self.frames[finally].kind {
                FrameKind::Finally { result: Some(local), .. } => *local,
                _ => self.temp_for(&value.ty),
            };
            if let FrameKind::Finally { result, .. } = &mut self.frames[finally].kind {
                *result = Some(local);
            }
            self.emit(StmtKind::Assign { local, value: value.expr });
        }
        self.jump(None, Jump::Return);
    }

    /// Emits a jump to a frame (or out of the procedure), by way of the innermost `finally` in between.
    fn jump(&mut self, target: Option<usize>, jump: Jump) {
        let first = target.map_or(0, |target| target + 1);
        let finally = (first..self.frames.len())
            .rev()
            .find(|index| matches!(self.frames[*index].kind, FrameKind::Finally { .. }));
        if let Some(FrameKind::Finally { scope, code, pending, .. }) =
            finally.map(|index| &mut self.frames[index].kind)
        {
            let known = pending.iter().position(|exit| *exit == (target, jump));
            let number = known.unwrap_or_else(|| {
                pending.push((target, jump));
                pending.len() - 1
            });
            let (scope, code) = (*scope, *code);
            let number = i32::try_from(number + 1).unwrap_or(i32::MAX);
            self.emit(StmtKind::Assign { local: code, value: i32_const(number) });
            self.emit(StmtKind::Break(scope));
            return;
        }
        match jump {
            Jump::Break(label) => self.emit(StmtKind::Break(label)),
            Jump::Continue(label) => self.emit(StmtKind::Continue(label)),
            Jump::Return => self.emit(StmtKind::Return(None)),
        }
    }

    /// After a `finally` block: the jumps that were under way go on.
    pub(super) fn resume_jumps(&mut self, frame: Frame) {
        let FrameKind::Finally { code, result, pending, .. } = frame.kind else { return };
        for (index, (target, jump)) in pending.into_iter().enumerate() {
            let number = i32::try_from(index + 1).unwrap_or(i32::MAX);
            let (_, then) = self.in_block(|body| match (jump, result) {
                (Jump::Return, Some(local)) => {
                    let ty = body.result.clone();
                    body.return_value(Some(Value::new(Expr::Local(local), ty)));
                }
                (Jump::Return, None) => body.return_value(None),
                _ => body.jump(target, jump),
            });
            self.emit(StmtKind::If { condition: has_code(code, number), then, otherwise: Vec::new() });
        }
    }
}

/// Whether the local that holds the pending exit has this number.
pub(super) fn has_code(code: LocalId, number: i32) -> Expr {
    let number = Expr::Const(Const::Int(IntType::I32, number.into()));
    binary(ir::BinaryOp::Eq, Scalar::Int(IntType::I32), Expr::Local(code), number)
}

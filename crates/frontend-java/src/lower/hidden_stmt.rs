//! Statements that are not looked into: functions of what they can see, which say what they leave in variables and
//! whether they return.
//!
//! ```text
//! try { n = in.read(); } catch (IOException e) { return -1; }
//!
//! call `code`(n, in)   left = `code left`()   if left { return `code result`() }   n = `code 0`()
//! ```
//!
//! The second kind of calls asks the state of the world that the first one left. Over-approximating in proofs.

use ir::{Access, Expr as IrExpr, LocalId, StmtKind as IrStmtKind};

use super::body::{Body, Value};
use super::foreign::{Outside, Wanted};
use super::hidden::{Piece, is_hidden_gap};
use crate::syntax::{Stmt, StmtKind};
use crate::types::Ty;

impl<'a> Body<'_, 'a> {
    /// Hides a statement whose lowering, which starts there, lost something; leaves it as it is where that does not work.
    pub(super) fn hide_lost(&mut self, stmt: &'a Stmt, start: usize) {
        let is_lost = |lowered: &ir::Stmt| match &lowered.kind {
            IrStmtKind::Unsupported { .. } => is_hidden_gap(lowered),
            IrStmtKind::Try { .. } => self.cx.dropped_handlers.contains(&lowered.span),
            IrStmtKind::Scope { body, .. } => body.iter().any(|stmt| {
                matches!(stmt.kind, IrStmtKind::Try { .. }) && self.cx.dropped_handlers.contains(&stmt.span)
            }),
            _ => false,
        };
        if !may_be_hidden(stmt) || !self.block[start..].iter().any(is_lost) {
            return;
        }
        let Some(piece) = self.piece(&stmt.span, true) else { return };
        let Some(completes) = stmt.can_complete() else { return };
        if jumps_out(stmt, &piece.words) || (piece.makes_nameless && self.gives_given(&piece)) {
            return;
        }
        let lowered = self.block.split_off(start);
        if !self.hide_stmt(piece, completes) {
            self.block.truncate(start);
            self.block.extend(lowered);
        }
    }

    /// Whether a piece of code assigns or returns objects of given classes: nameless ones are not among those.
    fn gives_given(&self, piece: &Piece<'a>) -> bool {
        let is_given = |ty: &Ty| match ty {
            Ty::Class(class) => *class != self.cx.table.object,
            Ty::Array(_) => true,
            _ => false,
        };
        piece.assigned.iter().any(|place| is_given(&piece.captured[*place].ty)) || is_given(&self.result)
    }

    fn hide_stmt(&mut self, piece: Piece<'a>, completes: bool) -> bool {
        let mut assigned: Vec<(LocalId, Ty)> = Vec::new();
        for place in &piece.assigned {
            match &piece.captured[*place] {
                Value { expr: IrExpr::Local(local), ty, .. } if !ty.is_unknown() => {
                    assigned.push((*local, ty.clone()));
                }
                _ => return false,
            }
        }
        let returns = piece.words.contains(&"return");
        if self.result.is_unknown() {
            return false;
        }
        let outside = self.outside(piece, Access::Writes);
        let (stem, short_name) = (outside.stem.clone(), outside.short_name.clone());
        if self.call_outside(outside, &Wanted::Nothing).ty.is_unknown() {
            return false;
        }
        let answer = |body: &mut Self, what: &str, ty: Ty| {
            let outside = Outside {
                stem: format!("{stem} {what}"),
                short_name: short_name.clone(),
                access: Access::Asks,
                is_doubtful: true,
                args: Vec::new(),
                has_receiver: false,
            };
            body.call_outside(outside, &Wanted::Type(ty))
        };
        let values: Vec<Value> = assigned
            .iter()
            .enumerate()
            .map(|(number, (_, ty))| answer(self, &number.to_string(), ty.clone()))
            .collect();
        for ((local, _), value) in assigned.iter().zip(values) {
            self.emit(IrStmtKind::Assign { local: *local, value: value.expr });
        }
        if returns {
            let left = answer(self, "left", Ty::BOOLEAN);
            let (_, then) = self.in_block(|body| {
                let result = body.result.clone();
                let value = (result != Ty::Void).then(|| answer(body, "result", result));
                body.return_value(value);
            });
            if completes {
                self.emit(IrStmtKind::If { condition: left.expr, then, otherwise: Vec::new() });
            } else {
                self.block.extend(then);
            }
        } else if !completes {
            let error = self.cx.foreign_error();
            self.emit(IrStmtKind::Throw { error, message: None });
        }
        true
    }
}

/// Whether a statement is one that makes no variables for what comes after it.
fn may_be_hidden(stmt: &Stmt) -> bool {
    !matches!(
        stmt.kind,
        StmtKind::Local { .. }
            | StmtKind::Sequence(_)
            | StmtKind::ConstructorCall { .. }
            | StmtKind::Yield(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::If { .. }
    )
}

/// Whether a statement may go to a label or loop around it.
fn jumps_out(stmt: &Stmt, words: &[&str]) -> bool {
    let is_loop = matches!(
        stmt.kind,
        StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::For { .. } | StmtKind::ForEach { .. }
    );
    words.windows(2).any(|pair| match pair {
        ["break" | "continue", ";"] => !is_loop,
        ["break" | "continue" | "yield", _] => true,
        _ => false,
    })
}

//! Writes procedures out where they are called.
//!
//! Exact: the program does what it did, as far as it is not stopped for the depth of its calls.

use crate::outline::rename_assigned;
use crate::{
    Const, Expr, LabelId, Local, LocalId, ProcId, Procedure, Program, Span, Stmt, StmtKind, blocks_mut,
    for_each_expr_mut, for_each_stmt, for_each_stmt_mut,
};

/// The procedure with all calls of some others written out, once each; `None` if it has no such calls.
///
/// What is written out may call them again: that is left as it is.
pub fn inline_calls(program: &Program, id: ProcId, wanted: &dyn Fn(ProcId) -> bool) -> Option<Procedure> {
    let mut procedure = program.procedure(id).clone();
    let mut body = procedure.body.take()?;
    let mut inlining = Inlining { program, next_label: first_free_label(&body), procedure, wanted, count: 0 };
    inlining.block(&mut body);
    let count = inlining.count;
    let procedure = Procedure { body: Some(body), ..inlining.procedure };
    (count > 0).then_some(procedure)
}

/// The first number that no loop or scope has as its label.
pub fn first_free_label(body: &[Stmt]) -> usize {
    let mut next = 0;
    for_each_stmt(body, &mut |stmt| {
        if let StmtKind::Loop { label, .. } | StmtKind::Scope { label, .. } = &stmt.kind {
            next = next.max(label.index() + 1);
        }
    });
    next
}

struct Inlining<'p> {
    program: &'p Program,
    /// The caller without its body.
    procedure: Procedure,
    next_label: usize,
    wanted: &'p dyn Fn(ProcId) -> bool,
    count: usize,
}

impl Inlining<'_> {
    fn block(&mut self, block: &mut [Stmt]) {
        for stmt in block {
            for inner in blocks_mut(&mut stmt.kind) {
                self.block(inner);
            }
            let StmtKind::Call { local, callee, args } = &stmt.kind else { continue };
            let callee = *callee;
            if (self.wanted)(callee) && self.program.procedure(callee).body.is_some() {
                stmt.kind = self.written_out(*local, callee, &args.clone(), stmt.span);
                self.count += 1;
            }
        }
    }

    /// The body of a procedure in place of a call: parameters and locals have new names, and `return` leaves a scope.
    fn written_out(
        &mut self,
        result: Option<LocalId>,
        callee: ProcId,
        args: &[Expr],
        span: Span,
    ) -> StmtKind {
        let callee = self.program.procedure(callee);
        let first = self.procedure.locals.len();
        let moved = |local: LocalId| LocalId::from_index(first + local.index());
        let locals = callee.locals.iter();
        let prefix = format!("${}.{first}", callee.short_name);
        self.procedure.locals.extend(
            locals.map(|local| Local { name: format!("{prefix}.{}", local.name), ty: local.ty.clone() }),
        );
        for text in &callee.assumptions {
            if !self.procedure.assumptions.contains(text) {
                self.procedure.assumptions.push(text.clone());
            }
        }
        let scope = LabelId::from_index(self.next_label);
        let labels = self.next_label + 1;
        let mut body = callee.body.clone().unwrap_or_default();
        self.next_label = labels + first_free_label(&body);
        for_each_expr_mut(&mut body, &mut |expr| {
            if let Expr::Local(local) = expr {
                *local = moved(*local);
            }
        });
        for_each_stmt_mut(&mut body, &mut |stmt| {
            rename_assigned(&mut stmt.kind, &moved);
            move_labels(&mut stmt.kind, labels);
        });
        leave_instead(&mut body, result, scope);
        leave_last_loop(&mut body, scope);
        let mut code = Vec::new();
        for (at, local) in callee.locals.iter().enumerate() {
            let value = args.get(at).cloned().unwrap_or_else(|| Expr::Const(Const::zero(&local.ty)));
            let local = LocalId::from_index(first + at);
            code.push(Stmt { kind: StmtKind::Assign { local, value }, span });
        }
        code.extend(body);
        StmtKind::Scope { label: scope, body: code }
    }
}

fn move_labels(kind: &mut StmtKind, by: usize) {
    match kind {
        StmtKind::Loop { label, .. }
        | StmtKind::Scope { label, .. }
        | StmtKind::Break(label)
        | StmtKind::Continue(label) => *label = LabelId::from_index(label.index() + by),
        _ => {}
    }
}

/// Puts the result into a local and leaves the scope where a procedure returned.
fn leave_instead(block: &mut Vec<Stmt>, result: Option<LocalId>, scope: LabelId) {
    let mut at = 0;
    while at < block.len() {
        for inner in blocks_mut(&mut block[at].kind) {
            leave_instead(inner, result, scope);
        }
        if let StmtKind::Return(value) = &mut block[at].kind {
            let value = value.take();
            block[at].kind = StmtKind::Break(scope);
            if let (Some(local), Some(value)) = (result, value) {
                let span = block[at].span;
                block.insert(at, Stmt { kind: StmtKind::Assign { local, value }, span });
                at += 1;
            }
        }
        at += 1;
    }
}

/// Who leaves the last statement, a loop, leaves the scope.
fn leave_last_loop(body: &mut [Stmt], scope: LabelId) {
    if let Some(Stmt { kind: StmtKind::Loop { label, body }, .. }) = body.last_mut() {
        let label = *label;
        for_each_stmt_mut(body, &mut |stmt| {
            if stmt.kind == StmtKind::Break(scope) {
                stmt.kind = StmtKind::Break(label);
            }
        });
    }
}

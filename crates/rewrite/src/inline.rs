//! Writes procedures out where they are called.
//!
//! Exact: the program does what it did, as far as it is not stopped for the depth of its calls.

use ir::{
    Const, Expr, LabelId, Local, LocalId, ProcId, Procedure, Program, Span, Stmt, StmtKind, blocks_mut,
    first_free_label, for_each_label_mut, for_each_local_mut, for_each_stmt, for_each_stmt_mut,
};

use crate::validated;

/// The program with all calls of some procedures written out, once each, within some others.
///
/// What is written out may call them again: that is left as it is. `None` if there are no such calls, or a procedure
/// would have more statements than `most_statements`.
pub fn inline_calls(
    program: &Program,
    within: &[ProcId],
    wanted: &dyn Fn(ProcId) -> bool,
    most_statements: usize,
) -> Option<Program> {
    let mut inlined = program.clone();
    let mut changed = false;
    for id in within {
        let Some(procedure) = with_inlined_calls(program, *id, wanted) else { continue };
        let mut count = 0;
        for_each_stmt(procedure.body.as_deref().unwrap_or_default(), &mut |_| count += 1);
        if count > most_statements {
            return None;
        }
        inlined.procedures[id.index()] = procedure;
        changed = true;
    }
    changed.then(|| validated(inlined, "inlining"))
}

/// The procedure with the calls written out; `None` if it has none.
fn with_inlined_calls(program: &Program, id: ProcId, wanted: &dyn Fn(ProcId) -> bool) -> Option<Procedure> {
    let mut procedure = program.procedure(id).clone();
    let mut body = procedure.body.take()?;
    let mut inlining = Inlining { program, next_label: first_free_label(&body), procedure, wanted, count: 0 };
    inlining.block(&mut body);
    let count = inlining.count;
    let procedure = Procedure { body: Some(body), ..inlining.procedure };
    (count > 0).then_some(procedure)
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
        for_each_local_mut(&mut body, &mut |local| *local = moved(*local));
        for_each_label_mut(&mut body, &mut |label| *label = LabelId::from_index(label.index() + labels));
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

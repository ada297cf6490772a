//! Instrumentation for traces: a call of an unknown procedure before every iteration, which the interpreter records.
//!
//! Exact: the procedures are pure and their results are not used.

use ir::{Expr, Local, ProcId, Procedure, Program, Span, Stmt, StmtKind, type_of};

use crate::validated;

/// A loop, and what is told of its state before each iteration.
#[derive(Clone, Debug)]
pub struct LoopHead<'p> {
    pub procedure: ProcId,
    pub stmt: &'p Stmt,
    /// The name of the unknown procedure, which no other has.
    pub name: String,
    /// What it is called with.
    pub state: Vec<Expr>,
}

/// The program with a call at the head of each of these loops. Loops that it does not have are left out.
pub fn observe_loops(program: &Program, heads: &[LoopHead<'_>]) -> Program {
    let mut observed = program.clone();
    for head in heads {
        let Some(place) = place_of(program, head) else { continue };
        let callee = ProcId::from_index(observed.procedures.len());
        let procedure = observer(program, head);
        observed.procedures.push(procedure);
        let kind = StmtKind::Call { local: None, callee, args: head.state.clone() };
        let call = Stmt { kind, span: Span::NOWHERE };
        let Some(body) = &mut observed.procedures[head.procedure.index()].body else { continue };
        insert(body, place, call, program.procedures.len());
    }
    validated(observed, "instrumentation")
}

/// The unknown procedure that sees a loop's state.
fn observer(program: &Program, head: &LoopHead<'_>) -> Procedure {
    let within = program.procedure(head.procedure);
    let typed = head.state.iter().map(|value| type_of(value, within, program)).enumerate();
    let locals: Vec<Local> = typed.map(|(at, ty)| Local { name: format!("p{at}"), ty }).collect();
    Procedure {
        name: head.name.clone(),
        short_name: head.name.clone(),
        params: locals.len(),
        locals,
        result: None,
        body: None,
        // Looking on changes nothing.
        external: ir::External { access: ir::Access::Pure, library: false },
        span: Span::NOWHERE,
        assumptions: Vec::new(),
    }
}

/// The number of a loop among the statements of its procedure.
fn place_of(program: &Program, head: &LoopHead<'_>) -> Option<usize> {
    let body = program.procedure(head.procedure).body.as_ref()?;
    let (mut number, mut found) = (0, None);
    ir::for_each_stmt(body, &mut |stmt| {
        if std::ptr::eq(stmt, head.stmt) {
            found = Some(number);
        }
        number += 1;
    });
    found
}

/// Puts a call before the body of the loop with this number; calls of observers, which come from `first` on, do not
/// count.
fn insert(body: &mut [Stmt], place: usize, call: Stmt, first: usize) {
    let (mut number, mut call) = (0, Some(call));
    ir::for_each_stmt_mut(body, &mut |stmt| {
        if matches!(stmt.kind, StmtKind::Call { callee, .. } if callee.index() >= first) {
            return;
        }
        if number == place
            && let StmtKind::Loop { body, .. } = &mut stmt.kind
        {
            body.splice(0..0, call.take());
        }
        number += 1;
    });
}

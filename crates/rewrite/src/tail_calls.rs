//! Recursion that only repeats becomes a loop: calls of itself that are the last thing a procedure does.
//!
//! ```text
//! proc f(n, s) { if n = 0 { return s } return f(n - 1, s + n) }
//! proc f(n, s) { loop { if n = 0 { return s } (n, s) = (n - 1, s + n) } }
//! ```
//!
//! Where the result of the call goes into a sum, product or the like first, the loop collects these:
//! `return n + f(n - 1)` adds `n` to what every `return` gives. The operators are associative and commutative.
//! Exact: the loop does what the recursion did, as far as it is not stopped for the depth of its calls.

use ir::{
    BinaryOp, Const, Expr, IntType, LabelId, Local, LocalId, ProcId, Procedure, Program, Scalar, Span, Stmt,
    StmtKind, assigned_locals, blocks_mut, first_free_label, for_each_expr, for_each_stmt, for_each_subexpr,
};

use crate::validated;

/// The program with a loop instead of a procedure's calls of itself; `None` if there are none, or some that are not the
/// last thing it does.
pub fn eliminate_tail_calls(program: &Program, id: ProcId) -> Option<Program> {
    let procedure = without_tail_calls(program, id)?;
    let mut program = program.clone();
    program.procedures[id.index()] = procedure;
    Some(validated(program, "tail-call elimination"))
}

fn without_tail_calls(program: &Program, id: ProcId) -> Option<Procedure> {
    let mut procedure = program.procedure(id).clone();
    let mut body = procedure.body.take()?;
    if !calls(&body, id) {
        return None;
    }
    if procedure.result.is_none() {
        body.push(Stmt { kind: StmtKind::Return(None), span: procedure.span });
    }
    return_inside(&mut body, id);
    let again = LabelId::from_index(first_free_label(&body));
    let collected = operator_of(&body, id)?;
    if collected.is_some() && has_try(&body) {
        return None;
    }
    let (params, locals) = (procedure.params, procedure.locals.clone());
    let mut fresh = |name: String, ty| {
        procedure.locals.push(Local { name, ty });
        LocalId::from_index(procedure.locals.len() - 1)
    };
    let next = locals[..params].iter().map(|local| fresh(format!("$next.{}", local.name), local.ty.clone()));
    let next: Vec<LocalId> = next.collect();
    let collected = collected.map(|(op, ty)| Collected {
        op,
        ty,
        local: fresh("$collected".to_owned(), ir::Type::Int(ty)),
    });
    let mut turning = Turning { id, again, next, collected, turned: 0 };
    turning.block(&mut body);
    if turning.turned == 0 || calls(&body, id) {
        return None;
    }
    let span = procedure.span;
    // Every call starts with its locals zeroed.
    let zeroed = locals
        .iter()
        .enumerate()
        .skip(params)
        .map(|(at, local)| assign(LocalId::from_index(at), Expr::Const(Const::zero(&local.ty)), span));
    let mut code = leading_assumptions(&mut body);
    let repeated = zeroed.chain(body).collect();
    if let Some(Collected { op, ty, local }) = turning.collected {
        code.push(assign(local, Expr::Const(Const::int(ty, neutral(op)?)), span));
    }
    code.push(Stmt { kind: StmtKind::Loop { label: again, body: repeated }, span });
    procedure
        .assumptions
        .push(format!("the recursion of `{}` does not run out of stack", procedure.short_name));
    Some(Procedure { body: Some(code), ..procedure })
}

/// Moves a `return` at the end of a block into the branches before it, where these call the procedure: so a call that is
/// the last thing before it is followed by it. Exact.
fn return_inside(block: &mut Vec<Stmt>, id: ProcId) {
    if let [.., Stmt { kind: StmtKind::Assign { local, value }, .. }, last] = block.as_mut_slice()
        && last.kind == StmtKind::Return(Some(Expr::Local(*local)))
    {
        last.kind = StmtKind::Return(Some(value.clone()));
        block.remove(block.len() - 2);
    }
    let [.., before, last] = block.as_mut_slice() else { return };
    if !matches!(last.kind, StmtKind::Return(_)) || !calls(std::slice::from_ref(before), id) {
        return;
    }
    let mut branches = match &mut before.kind {
        StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
        StmtKind::Scope { body, .. } => vec![body],
        _ => return,
    };
    for branch in &mut branches {
        branch.push(last.clone());
        return_inside(branch, id);
    }
}

/// Takes out what is assumed at the start of things that stay as they are: once is enough.
fn leading_assumptions(body: &mut Vec<Stmt>) -> Vec<Stmt> {
    let mut changed = Vec::new();
    for_each_stmt(body, &mut |stmt| changed.extend(assigned_locals(&stmt.kind)));
    let stays = |stmt: &Stmt| {
        let StmtKind::Assume { .. } = &stmt.kind else { return false };
        let mut stays = true;
        for_each_expr(std::slice::from_ref(stmt), &mut |expr| {
            stays &= match expr {
                Expr::Local(local) => !changed.contains(local),
                Expr::Const(_) | Expr::SameRef { .. } | Expr::Unary { .. } | Expr::Binary { .. } => true,
                _ => false,
            };
        });
        stays
    };
    let count = body.iter().take_while(|stmt| stays(stmt)).count();
    body.drain(..count).collect()
}

/// What results are collected by.
#[derive(Clone, Copy)]
struct Collected {
    op: BinaryOp,
    ty: IntType,
    local: LocalId,
}

struct Turning {
    id: ProcId,
    again: LabelId,
    /// What the parameters become.
    next: Vec<LocalId>,
    collected: Option<Collected>,
    turned: usize,
}

impl Turning {
    fn block(&mut self, block: &mut Vec<Stmt>) {
        let mut at = 0;
        while at < block.len() {
            // Inside of `try` a call is not the last thing: its failures are caught.
            if !matches!(block[at].kind, StmtKind::Try { .. }) {
                for inner in blocks_mut(&mut block[at].kind) {
                    self.block(inner);
                }
            }
            let span = block[at].span;
            if let Some((args, added)) = tail_call(&block[at..], self.id) {
                let code = self.next_round(&args, added, span);
                let length = code.len();
                block.splice(at..at + 2, code);
                at += length;
                self.turned += 1;
                continue;
            }
            if let (Some(Collected { op, ty, local }), StmtKind::Return(Some(value))) =
                (self.collected, &mut block[at].kind)
            {
                let lhs = Box::new(Expr::Local(local));
                *value = Expr::Binary { op, ty: Scalar::Int(ty), lhs, rhs: Box::new(value.clone()) };
            }
            at += 1;
        }
    }

    fn next_round(&self, args: &[Expr], added: Option<Expr>, span: Span) -> Vec<Stmt> {
        let mut code = Vec::new();
        if let (Some(Collected { op, ty, local }), Some(added)) = (self.collected, added) {
            let lhs = Box::new(Expr::Local(local));
            let sum = Expr::Binary { op, ty: Scalar::Int(ty), lhs, rhs: Box::new(added) };
            code.push(assign(local, sum, span));
        }
        // What is handed on as it is stays as it is.
        let changes = |at: usize| args[at] != Expr::Local(LocalId::from_index(at));
        for (next, arg) in
            self.next.iter().zip(args).enumerate().filter(|(at, _)| changes(*at)).map(|it| it.1)
        {
            code.push(assign(*next, arg.clone(), span));
        }
        for (at, next) in self.next.iter().enumerate().filter(|(at, _)| changes(*at)) {
            code.push(assign(LocalId::from_index(at), Expr::Local(*next), span));
        }
        code.push(Stmt { kind: StmtKind::Continue(self.again), span });
        code
    }
}

fn assign(local: LocalId, value: Expr, span: Span) -> Stmt {
    Stmt { kind: StmtKind::Assign { local, value }, span }
}

/// The arguments of a call of itself that is followed by nothing but `return`, and what its result is added to.
fn tail_call(statements: &[Stmt], id: ProcId) -> Option<(Vec<Expr>, Option<Expr>)> {
    let [call, then, ..] = statements else { return None };
    let (StmtKind::Call { local, callee, args }, StmtKind::Return(value)) = (&call.kind, &then.kind) else {
        return None;
    };
    if *callee != id {
        return None;
    }
    let added = match (local, value) {
        (_, None) => None,
        (Some(local), Some(Expr::Local(returned))) if local == returned => None,
        (Some(local), Some(Expr::Binary { lhs, rhs, .. })) => Some(added_to(*local, lhs, rhs)?),
        _ => return None,
    };
    Some((args.clone(), added))
}

/// The operand that is not the local, if it can be computed before the call as well.
fn added_to(local: LocalId, lhs: &Expr, rhs: &Expr) -> Option<Expr> {
    let is_local = |expr: &Expr| *expr == Expr::Local(local);
    let other = match (is_local(lhs), is_local(rhs)) {
        (true, false) => rhs,
        (false, true) => lhs,
        _ => return None,
    };
    let mut can_move = true;
    for_each_subexpr(other, &mut |expr| {
        can_move &= match expr {
            Expr::Local(used) => *used != local,
            Expr::Const(_) | Expr::Unary { .. } | Expr::Convert { .. } => true,
            // What has no meaning under `math` numbers must not come before a call that fails.
            Expr::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. } => is_divisor(rhs),
            Expr::Binary { op: BinaryOp::Shl | BinaryOp::Shr, .. } => false,
            Expr::Binary { .. } => true,
            _ => false,
        };
    });
    can_move.then(|| other.clone())
}

/// Whether division by this always has a meaning.
fn is_divisor(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(Const::Int(_, value)) if *value != 0)
}

/// The one operator that the results of calls go into: `Some(None)` if they are returned as they are.
fn operator_of(body: &[Stmt], id: ProcId) -> Option<Option<(BinaryOp, IntType)>> {
    let mut found: Vec<Option<(BinaryOp, IntType)>> = Vec::new();
    let mut look = |list: &[Stmt]| {
        for at in 0..list.len() {
            let Some((_, Some(_))) = tail_call(&list[at..], id) else { continue };
            let StmtKind::Return(Some(Expr::Binary { op, ty, .. })) = &list[at + 1].kind else { continue };
            let operator = match ty {
                Scalar::Int(ty) if neutral(*op).is_some() => Some((*op, *ty)),
                _ => None,
            };
            if !found.contains(&operator) {
                found.push(operator);
            }
        }
    };
    look(body);
    for_each_stmt(body, &mut |stmt| ir::blocks(&stmt.kind).into_iter().for_each(|block| look(block)));
    match found.as_slice() {
        [] => Some(None),
        [Some(operator)] => Some(Some(*operator)),
        _ => None,
    }
}

/// What an operator leaves as it is, if its operands can be taken in any order.
fn neutral(op: BinaryOp) -> Option<i128> {
    match op {
        BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor => Some(0),
        BinaryOp::Mul => Some(1),
        _ => None,
    }
}

fn has_try(body: &[Stmt]) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |stmt| found |= matches!(stmt.kind, StmtKind::Try { .. }));
    found
}

fn calls(body: &[Stmt], id: ProcId) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |stmt| {
        found |= matches!(&stmt.kind, StmtKind::Call { callee, .. } if *callee == id);
    });
    found
}

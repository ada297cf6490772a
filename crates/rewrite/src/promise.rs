//! What procedures promise of their end: as a question, and as a fact at calls.
//!
//! A *promise* is a procedure that runs another one, its *owner*, and says whether something holds afterwards:
//!
//! ```text
//! proc after(n) { old = total; r = f(n); return r == old + n }
//! ```
//!
//! [`kept`] makes two procedures of it that do the same exactly if the promise is always kept. [`use_promises`] lets all
//! calls of the owner go to a procedure that assumes it
//!
//! ```text
//! proc f.promise(n) { m = met(n); if m { old = total }; r = f(n); if m { assume r == old + n }; return r }
//! ```
//!
//! written out where it is called.
//!
//! Exact if the promise is kept, and under-approximating otherwise. While promises are proved, calls assume them: a run that
//! breaks one, and of all these one with the fewest calls below it, still is a difference.

use ir::{
    Block, Catch, CatchKind, Const, Expr, LabelId, Local, LocalId, ProcId, Procedure, Program, Stmt,
    StmtKind, Type, for_each_stmt_mut,
};

use crate::restrict::Met;
use crate::validated;

/// The promises of one procedure, for the inputs that meet a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promises {
    pub owner: ProcId,
    pub condition: Option<ProcId>,
    pub promises: Vec<ProcId>,
}

/// A promise, taken apart: what comes before the call, the call, what comes after it, and what that gives.
struct Parts {
    before: Block,
    call: Stmt,
    after: Block,
    holds: Expr,
}

/// Whether a procedure is a promise as it has to be: it calls the owner once, and ends with what holds.
pub fn is_promise(program: &Program, promise: ProcId, owner: ProcId) -> bool {
    parts(program.procedure(promise), owner).is_some()
}

/// The program with the call of the owner left out of a promise: what is left must only look.
pub fn without_owner(program: &Program, promise: ProcId, owner: ProcId) -> Option<Program> {
    let Parts { before, after, holds, .. } = parts(program.procedure(promise), owner)?;
    let mut program = program.clone();
    let procedure = &mut program.procedures[promise.index()];
    let end = Stmt { kind: StmtKind::Return(Some(holds)), span: procedure.span };
    procedure.body = Some(before.into_iter().chain(after).chain([end]).collect());
    Some(validated(program, "leaving out a call"))
}

fn parts(procedure: &Procedure, owner: ProcId) -> Option<Parts> {
    let body = procedure.body.as_ref()?;
    let is_owner = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Call { callee, .. } if *callee == owner);
    let at = body.iter().position(is_owner)?;
    let (last, all) = body.split_last()?;
    let StmtKind::Return(Some(holds)) = &last.kind else { return None };
    let (before, after) = (all[..at].to_vec(), all[at + 1..].to_vec());
    let mut others = 0;
    for block in [&before, &after] {
        ir::for_each_stmt(block, &mut |stmt| {
            others += usize::from(is_owner(stmt) || matches!(stmt.kind, StmtKind::Return(_)));
        });
    }
    (others == 0).then(|| Parts { before, call: body[at].clone(), after, holds: holds.clone() })
}

/// Two programs, and a procedure in each: they do the same exactly if the promise is always kept where the condition holds.
/// `None` if that is no promise.
pub fn kept(
    program: &Program,
    promise: ProcId,
    owner: ProcId,
    condition: Option<ProcId>,
) -> Option<[(Program, ProcId); 2]> {
    let Parts { before, call, after, holds } = parts(program.procedure(promise), owner)?;
    let asked = |is_asked: bool| {
        let mut program = program.clone();
        // A copy that nobody else calls: what proofs say of all calls of the owner is not about this one.
        let original = program.procedure(owner);
        let once = Procedure { name: format!("{}.once", original.name), ..original.clone() };
        program.procedures.push(once);
        let once = ProcId::from_index(program.procedures.len() - 1);
        let mut call = call.clone();
        if let StmtKind::Call { callee, .. } = &mut call.kind {
            *callee = once;
        }
        let mut procedure = check_procedure(&program, promise, owner);
        let span = procedure.span;
        let stmt = |kind| Stmt { kind, span };
        let [is_told, is_kept] = [0, 1].map(|_| fresh(&mut procedure, Type::Bool));
        let set = |local, value| stmt(StmtKind::Assign { local, value });
        // What fails does not tell whether the promise is kept.
        let attempt = |body: Block, local| {
            let body = body.into_iter().chain([set(local, truth(true))]).collect();
            let catch = Catch { kind: CatchKind::Any, message: None, body: vec![set(local, truth(false))] };
            stmt(StmtKind::Try { body, catches: vec![catch] })
        };
        let ty = program.procedure(promise).result.clone().unwrap_or(Type::Bool);
        let local = fresh(&mut procedure, ty.clone());
        let told = [after.clone(), vec![set(local, holds.clone())]].concat();
        let is_met = Met { condition: promise, ty, may_fail: true, params: 0 }.is_met(local);
        let run = vec![
            call,
            attempt(told, is_told),
            set(is_kept, choice(Expr::Local(is_told), is_met, truth(false))),
        ];
        let mut body = assumed(&program, &mut procedure, condition);
        body.push(set(is_kept, truth(false)));
        body.push(attempt(before.clone(), is_told));
        body.push(stmt(StmtKind::If { condition: Expr::Local(is_told), then: run, otherwise: Vec::new() }));
        // Nothing else differs.
        let value = if is_asked { Expr::Local(is_kept) } else { truth(true) };
        body.push(stmt(StmtKind::Return(Some(value))));
        procedure.body = Some(body);
        program.procedures.push(procedure);
        let id = ProcId::from_index(program.procedures.len() - 1);
        (validated(program, "asking for a promise"), id)
    };
    Some([asked(true), asked(false)])
}

/// The same for a condition that has to hold whenever a procedure makes one of its calls, for the inputs that meet a
/// condition of its own. Calls are counted in the order of the text. Both end at the first call that breaks it.
pub fn met_at_call(
    program: &Program,
    caller: ProcId,
    own: Option<ProcId>,
    (at, condition): (usize, ProcId),
) -> [(Program, ProcId); 2] {
    let asked = |is_asked: bool| {
        let mut program = program.clone();
        let original = program.procedure(caller);
        let mut body = original.body.clone().unwrap_or_default();
        let mut procedure = Procedure {
            name: format!("{}.calls", original.name),
            result: Some(Type::Bool),
            body: None,
            ..original.clone()
        };
        let met = Met::of(&program, condition);
        let label = LabelId::from_index(ir::first_free_label(&body));
        leave_by(&mut body, label);
        let is_kept = fresh(&mut procedure, Type::Bool);
        let mut guard = Guard { met, at, count: 0, is_kept, label };
        guard.block(&mut body, &mut procedure);
        let span = procedure.span;
        let stmt = |kind| Stmt { kind, span };
        let mut whole = assumed(&program, &mut procedure, own);
        whole.push(stmt(StmtKind::Assign { local: is_kept, value: truth(true) }));
        whole.push(stmt(StmtKind::Scope { label, body }));
        // Nothing else differs.
        let value = if is_asked { Expr::Local(is_kept) } else { truth(true) };
        whole.push(stmt(StmtKind::Return(Some(value))));
        procedure.body = Some(whole);
        program.procedures.push(procedure);
        let id = ProcId::from_index(program.procedures.len() - 1);
        (validated(program, "asking for a condition at a call"), id)
    };
    [asked(true), asked(false)]
}

/// Instead of returning, leaves a scope. The value was computed, and nobody looks at it.
fn leave_by(body: &mut Block, label: LabelId) {
    for_each_stmt_mut(body, &mut |stmt| {
        if matches!(stmt.kind, StmtKind::Return(_)) {
            stmt.kind = StmtKind::Break(label);
        }
    });
}

/// A test before one call.
struct Guard {
    met: Met,
    at: usize,
    count: usize,
    is_kept: LocalId,
    label: LabelId,
}

impl Guard {
    fn block(&mut self, body: &mut Block, procedure: &mut Procedure) {
        let mut guarded = Vec::new();
        for mut stmt in std::mem::take(body) {
            for inner in ir::blocks_mut(&mut stmt.kind) {
                self.block(inner, procedure);
            }
            if let StmtKind::Call { args, .. } = &stmt.kind {
                if self.count == self.at {
                    guarded.extend(self.test(args, procedure, stmt.span));
                }
                self.count += 1;
            }
            guarded.push(stmt);
        }
        *body = guarded;
    }

    fn test(&self, args: &[Expr], procedure: &mut Procedure, span: ir::Span) -> Block {
        let Guard { met, is_kept, label, .. } = self;
        let local = met.fresh_local(procedure);
        let stmt = |kind| Stmt { kind, span };
        let args = args[args.len().saturating_sub(met.params)..].to_vec();
        let call = StmtKind::Call { local: Some(local), callee: met.condition, args };
        let unmet = StmtKind::Assign { local, value: Expr::Const(Const::zero(&met.ty)) };
        let catch = Catch { kind: CatchKind::Any, message: None, body: vec![stmt(unmet)] };
        let broken = StmtKind::Assign { local: *is_kept, value: truth(false) };
        let otherwise = vec![stmt(broken), stmt(StmtKind::Break(*label))];
        vec![
            stmt(StmtKind::Try { body: vec![stmt(call)], catches: vec![catch] }),
            stmt(StmtKind::If { condition: met.is_met(local), then: Vec::new(), otherwise }),
        ]
    }
}

/// The program in which all calls of procedures with promises assume these. Procedures of conditions and promises
/// themselves are left as they are.
pub fn use_promises(program: &Program, promises: &[Promises]) -> Program {
    let mut rewritten = program.clone();
    let mut redirected = Vec::new();
    for it in promises.iter().filter(|it| !it.promises.is_empty()) {
        let mut next = it.owner;
        for promise in it.promises.iter().rev() {
            let Some(procedure) = assuming(&rewritten, it, *promise, next) else { continue };
            rewritten.procedures.push(procedure);
            next = ProcId::from_index(rewritten.procedures.len() - 1);
        }
        redirected.push((it.owner, next));
    }
    for procedure in rewritten.procedures.iter_mut().take(program.procedures.len()) {
        if procedure.is_condition() {
            continue;
        }
        let Some(body) = &mut procedure.body else { continue };
        for_each_stmt_mut(body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &mut stmt.kind
                && let Some((_, to)) = redirected.iter().find(|(owner, _)| owner == callee)
            {
                *callee = *to;
            }
        });
    }
    written_out(validated(rewritten, "using promises"), program.procedures.len())
}

/// No procedure grows beyond this.
const MOST_STATEMENTS: usize = 20_000;

/// The program with the procedures from a number on written out where they are called: a proof that hides calls of them
/// behind symbols would not see what they assume.
fn written_out(program: Program, first: usize) -> Program {
    let mut program = program;
    let is_added = |id: ProcId| id.index() >= first;
    let others: Vec<ProcId> =
        (0..first).map(ProcId::from_index).filter(|id| program.procedure(*id).body.is_some()).collect();
    // Each of them calls those before it.
    for _ in first..program.procedures.len() {
        match crate::inline_calls(&program, &others, &is_added, MOST_STATEMENTS) {
            Some(next) => program = next,
            None => break,
        }
    }
    program
}

/// Runs the owner, or what stands for it, and assumes that the promise was kept.
fn assuming(
    program: &Program,
    Promises { owner, condition, .. }: &Promises,
    promise: ProcId,
    callee: ProcId,
) -> Option<Procedure> {
    let owner = *owner;
    let Parts { before, call, after, holds } = parts(program.procedure(promise), owner)?;
    let mut procedure = check_procedure(program, promise, owner);
    let number = program.procedures.len();
    procedure.name = format!("{}.promise{}", program.procedure(owner).name, number);
    procedure.result = program.procedure(owner).result.clone();
    let span = procedure.span;
    let StmtKind::Call { local, args, .. } = call.kind else { return None };
    let local = match &procedure.result {
        Some(ty) => Some(local.unwrap_or_else(|| {
            procedure.locals.push(Local { name: "$result".to_owned(), ty: ty.clone() });
            LocalId::from_index(procedure.locals.len() - 1)
        })),
        None => None,
    };
    let ty = program.procedure(promise).result.clone().unwrap_or(Type::Bool);
    let told = fresh(&mut procedure, ty.clone());
    let kept = Met { condition: promise, ty, may_fail: true, params: 0 }.is_met(told);
    // What tells the promise may use the same local again.
    let result = procedure.result.clone().map(|ty| fresh(&mut procedure, ty));
    let stmt = |kind| Stmt { kind, span };
    let mut body = Vec::new();
    let is_met = condition.map(|condition| {
        let condition = Met::of(program, condition);
        let met = condition.fresh_local(&mut procedure);
        body.extend(condition.evaluate(&procedure, met));
        condition.is_met(met)
    });
    // There is one call whether the condition is met or not, and nothing that no run executes.
    let where_met = |then: Block| match &is_met {
        _ if then.is_empty() => Vec::new(),
        Some(condition) => {
            vec![stmt(StmtKind::If { condition: condition.clone(), then, otherwise: Vec::new() })]
        }
        None => then,
    };
    body.extend(where_met(before));
    body.push(stmt(StmtKind::Call { local, callee, args }));
    if let (Some(result), Some(local)) = (result, local) {
        body.push(stmt(StmtKind::Assign { local: result, value: Expr::Local(local) }));
    }
    let mut told_by = after;
    told_by.push(stmt(StmtKind::Assign { local: told, value: holds }));
    told_by.push(stmt(StmtKind::Assume { condition: kept }));
    body.extend(where_met(told_by));
    body.push(stmt(StmtKind::Return(result.map(Expr::Local))));
    procedure.body = Some(body);
    Some(procedure)
}

/// A procedure with the locals of a promise, under the name of the owner.
fn check_procedure(program: &Program, promise: ProcId, owner: ProcId) -> Procedure {
    let owner = program.procedure(owner);
    Procedure {
        name: format!("{}.after", owner.name),
        short_name: owner.short_name.clone(),
        result: Some(Type::Bool),
        body: None,
        span: owner.span,
        ..program.procedure(promise).clone()
    }
}

/// What assumes that the inputs meet a condition.
fn assumed(program: &Program, procedure: &mut Procedure, condition: Option<ProcId>) -> Block {
    let Some(condition) = condition else { return Vec::new() };
    let condition = Met::of(program, condition);
    let met = condition.fresh_local(procedure);
    let mut body = condition.evaluate(procedure, met);
    let assume = StmtKind::Assume { condition: condition.is_met(met) };
    body.push(Stmt { kind: assume, span: procedure.span });
    body
}

fn fresh(procedure: &mut Procedure, ty: Type) -> LocalId {
    let name = format!("$told{}", procedure.locals.len());
    procedure.locals.push(Local { name, ty });
    LocalId::from_index(procedure.locals.len() - 1)
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::If { condition: Box::new(condition), then: Box::new(then), otherwise: Box::new(otherwise) }
}

fn truth(value: bool) -> Expr {
    Expr::Const(Const::Bool(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "program java
error Bad
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 0 }
  t = call f(sub.i32(n, 1))
  return t
}
proc met(n: i32) -> bool { return lt.i32(n, 9) }
proc after(n: i32) -> bool {
  var r: i32
  r = call f(n)
  return eq.i32(r, 0)
}
proc twice(n: i32) -> bool {
  var r: i32
  r = call f(n)
  r = call f(r)
  return eq.i32(r, 0)
}
proc hidden(n: i32) -> bool {
  var r: i32
  if le.i32(n, 0) { r = call f(n) }
  return eq.i32(r, 0)
}
";

    const F: ProcId = ProcId(0);
    const MET: ProcId = ProcId(1);
    const AFTER: ProcId = ProcId(2);

    fn program() -> Program {
        ir::read_program(TEXT).expect("the program should be well-formed")
    }

    #[test]
    fn a_promise_calls_its_owner_exactly_once() {
        let program = program();
        let are = [2, 3, 4].map(|id| is_promise(&program, ProcId(id), F));
        assert_eq!(are, [true, false, false]);
        let without = without_owner(&program, AFTER, F).expect("it is a promise");
        assert!(!ir::reachable(&without, AFTER).contains(&F));
    }

    #[test]
    fn calls_assume_what_was_promised_and_are_not_doubled() {
        let promises = Promises { owner: F, condition: Some(MET), promises: vec![AFTER] };
        let used = use_promises(&program(), &[promises]);
        let text = ir::print(&used);
        let body = text.split("proc ").find(|it| it.starts_with("f(")).expect("f should be there");
        assert_eq!(body.matches("call f(").count(), 1, "{body}");
        assert_eq!(body.matches("assume ").count(), 1, "{body}");
        assert_eq!(body.matches("call met(").count(), 1, "{body}");
    }

    #[test]
    fn questions_differ_in_what_they_give() {
        let questions = kept(&program(), AFTER, F, Some(MET)).expect("it is a promise");
        let last = questions.map(|(program, id)| {
            let body = program.procedure(id).body.clone().unwrap_or_default();
            body.last().map(|stmt| stmt.kind.clone())
        });
        assert_ne!(last[0], last[1]);
        assert_eq!(last[1], Some(StmtKind::Return(Some(truth(true)))));
    }
}

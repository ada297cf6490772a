//! A procedure restricted to the inputs that meet a condition: a procedure of the same parameters says which these are.
//!
//! ```text
//! proc f(n) { A }      proc f(n) { assume met(n); A }
//! ```
//!
//! A run of the condition that fails means that the input does not meet it.
//!
//! Where `f` can be called again while it runs, the calls must not be restricted. They go to a copy that tells the
//! inputs apart, so that induction can be used for those that meet the condition and for no others:
//!
//! ```text
//! proc f(n)        { assume met(n); return f.same(n) }
//! proc f.same(n)   { if not met(n) { return 0 } A' }
//! proc f.either(n) { if met(n) { return f.same(n) } else { return f.other(n) } }
//! proc f.other(n)  { A' }
//! ```
//!
//! where `A'` calls `f.either` instead of `f`, as everything else does. This is the rule of conditional equivalence
//! (Kawaguchi, Lahiri, Rebelo 2010): a call is the common function of both versions where the condition holds for its
//! arguments, and each version's own elsewhere. Nobody calls `f.same` with other arguments; that it gives zero then makes
//! it the same function of both versions if they do the same under the condition.
//! Exact: on inputs that meet the condition `f` does what it did.

use std::collections::{BTreeMap, BTreeSet};

use ir::{
    BinaryOp, Block, Catch, CatchKind, Const, Expr, Local, LocalId, ProcId, Procedure, Program, Span, Stmt,
    StmtKind, Type, for_each_stmt, for_each_stmt_mut,
};

use crate::validated;

/// The program with a procedure restricted to the inputs on which the condition, a procedure with the same parameters,
/// gives true, or a number that is not 0.
pub fn restrict(program: &Program, id: ProcId, condition: ProcId) -> Program {
    let mut program = program.clone();
    let condition = Met::of(&program, condition);
    if ir::recursive_procedures(&program).contains(&id) {
        tell_calls_apart(&mut program, id, &condition);
    }
    add_assumption(&mut program, id, &condition);
    validated(program, "restricting a procedure")
}

/// The program in which no run counts that runs a procedure on inputs that do not meet a condition: calls as well.
pub fn assume(program: &Program, id: ProcId, condition: ProcId) -> Program {
    let mut program = program.clone();
    let condition = Met::of(&program, condition);
    add_assumption(&mut program, id, &condition);
    validated(program, "assuming a condition")
}

fn add_assumption(program: &mut Program, id: ProcId, condition: &Met) {
    let procedure = &mut program.procedures[id.index()];
    let Some(body) = procedure.body.take() else { return };
    let met = condition.fresh_local(procedure);
    let mut restricted = condition.evaluate(procedure, met);
    let assumed = StmtKind::Assume { condition: condition.is_met(met) };
    restricted.push(Stmt { kind: assumed, span: procedure.span });
    restricted.extend(body);
    procedure.body = Some(restricted);
}

/// The program in which a procedure fails with an error before it calls another one with what does not meet a condition.
pub fn demand_at_calls(
    program: &Program,
    caller: ProcId,
    (callee, condition): (ProcId, ProcId),
    error: ir::ErrorId,
) -> Program {
    let mut program = program.clone();
    let condition = Met::of(&program, condition);
    let procedure = &mut program.procedures[caller.index()];
    let Some(mut body) = procedure.body.take() else { return program };
    let met = condition.fresh_local(procedure);
    condition.demand(&mut body, procedure, (callee, met), error);
    procedure.body = Some(body);
    validated(program, "demanding a condition")
}

/// The program in which all calls of a procedure tell the inputs that meet a condition from the others. The procedure
/// itself is not restricted.
pub fn tell_apart(program: &Program, id: ProcId, condition: ProcId) -> Program {
    let mut rewritten = program.clone();
    let condition = Met::of(program, condition);
    let original = program.procedure(id).clone();
    tell_calls_apart(&mut rewritten, id, &condition);
    // Nobody calls it but the outside.
    rewritten.procedures[id.index()] = original;
    validated(rewritten, "telling calls apart")
}

/// The program with one more procedure, of the same parameters as a condition: whether the condition holds, and does not
/// fail.
pub fn holds(program: &Program, condition: ProcId) -> (Program, ProcId) {
    let met = Met::of(program, condition);
    with_test(program, condition, |procedure| {
        let local = met.fresh_local(procedure);
        let mut body = met.evaluate(procedure, local);
        body.push(Stmt { kind: StmtKind::Return(Some(met.is_met(local))), span: procedure.span });
        body
    })
}

/// The same for what never holds.
pub fn never(program: &Program, condition: ProcId) -> (Program, ProcId) {
    with_test(program, condition, |procedure| {
        let no = Expr::Const(Const::Bool(false));
        vec![Stmt { kind: StmtKind::Return(Some(no)), span: procedure.span }]
    })
}

fn with_test(
    program: &Program,
    condition: ProcId,
    body: impl FnOnce(&mut Procedure) -> Block,
) -> (Program, ProcId) {
    let mut program = program.clone();
    let like = program.procedure(condition);
    let mut procedure = Procedure {
        name: format!("{}.holds", like.name),
        short_name: "holds".to_owned(),
        locals: like.parameters().to_vec(),
        result: Some(Type::Bool),
        body: None,
        assumptions: Vec::new(),
        ..like.clone()
    };
    procedure.body = Some(body(&mut procedure));
    program.procedures.push(procedure);
    let id = ProcId::from_index(program.procedures.len() - 1);
    (validated(program, "testing a condition"), id)
}

/// Adds `f.same`, `f.either` and `f.other`, and lets all calls go there.
fn tell_calls_apart(program: &mut Program, id: ProcId, condition: &Met) {
    let [same, either, other] = [0, 1, 2].map(|at| ProcId::from_index(program.procedures.len() + at));
    for procedure in program.procedures.iter_mut() {
        let Some(body) = &mut procedure.body else { continue };
        for_each_stmt_mut(body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &mut stmt.kind
                && *callee == id
            {
                *callee = either;
            }
        });
    }
    let original = program.procedure(id).clone();
    program.procedures.push(guarded(&original, condition));
    program.procedures.push(dispatch(&original, same, other, condition));
    program.procedures.push(Procedure { name: format!("{}.other", original.name), ..original.clone() });
    let mut subject = Procedure { locals: original.parameters().to_vec(), body: None, ..original };
    let result = result_local(&mut subject);
    let span = subject.span;
    subject.body = Some(vec![
        call(&subject, same, result, span),
        Stmt { kind: StmtKind::Return(result.map(Expr::Local)), span },
    ]);
    program.procedures[id.index()] = subject;
}

/// The procedure `f.other` that has the same body as this `f.same`, and how many statements stand before that body here.
pub fn other_copy(program: &Program, same: ProcId) -> Option<(ProcId, usize)> {
    let name = program.procedure(same).name.strip_suffix(".same")?;
    let other = program.procedure_named(&format!("{name}.other"))?;
    let [guarded, plain] = [same, other].map(|id| program.procedure(id).body.as_deref());
    let (guarded, plain) = (guarded?, plain?);
    let (before, body) = guarded.split_at(guarded.len().checked_sub(plain.len())?);
    let is_met = |local: &Local| local.name.starts_with("$met");
    let is_ours = program.procedure(same).locals.iter().any(is_met) && !before.is_empty();
    let mut count = 0;
    for_each_stmt(before, &mut |_| count += 1);
    (is_ours && body == plain).then_some((other, count))
}

/// `f.same`: what the procedure does where the condition holds.
fn guarded(original: &Procedure, condition: &Met) -> Procedure {
    let mut procedure = Procedure { name: format!("{}.same", original.name), ..original.clone() };
    let met = condition.fresh_local(&mut procedure);
    let span = procedure.span;
    let zero = procedure.result.as_ref().map(|ty| Expr::Const(Const::zero(ty)));
    let leave = Stmt { kind: StmtKind::Return(zero), span };
    let choice = StmtKind::If { condition: condition.is_met(met), then: Vec::new(), otherwise: vec![leave] };
    let mut body = condition.evaluate(&procedure, met);
    body.push(Stmt { kind: choice, span });
    body.extend(procedure.body.take().unwrap_or_default());
    Procedure { body: Some(body), ..procedure }
}

/// A local for what a procedure gives, if it gives something.
fn result_local(procedure: &mut Procedure) -> Option<LocalId> {
    let ty = procedure.result.clone()?;
    procedure.locals.push(Local { name: "$result".to_owned(), ty });
    Some(LocalId::from_index(procedure.locals.len() - 1))
}

fn dispatch(original: &Procedure, id: ProcId, other: ProcId, condition: &Met) -> Procedure {
    let mut procedure = Procedure {
        name: format!("{}.either", original.name),
        locals: original.parameters().to_vec(),
        body: None,
        assumptions: Vec::new(),
        ..original.clone()
    };
    let met = condition.fresh_local(&mut procedure);
    let result = result_local(&mut procedure);
    let span = procedure.span;
    let call = |callee: ProcId| vec![call(&procedure, callee, result, span)];
    let choice = StmtKind::If { condition: condition.is_met(met), then: call(id), otherwise: call(other) };
    let mut body = condition.evaluate(&procedure, met);
    body.push(Stmt { kind: choice, span });
    body.push(Stmt { kind: StmtKind::Return(result.map(Expr::Local)), span });
    Procedure { body: Some(body), ..procedure }
}

/// The procedure of a condition, the type of what it gives, and whether it may fail.
pub(crate) struct Met {
    pub(crate) condition: ProcId,
    pub(crate) ty: Type,
    pub(crate) may_fail: bool,
    /// How many parameters it has: a constructor's object is none.
    pub(crate) params: usize,
}

impl Met {
    pub(crate) fn of(program: &Program, condition: ProcId) -> Met {
        let ty = program.procedure(condition).result.clone().unwrap_or(Type::Bool);
        Met {
            condition,
            ty,
            may_fail: !ir::effects(program, condition).raises.is_empty(),
            params: program.procedure(condition).params,
        }
    }

    pub(crate) fn fresh_local(&self, procedure: &mut Procedure) -> LocalId {
        let name = format!("$met{}", procedure.locals.len());
        procedure.locals.push(Local { name, ty: self.ty.clone() });
        LocalId::from_index(procedure.locals.len() - 1)
    }

    /// Sets a local to what the condition gives; to its zero if the condition fails.
    pub(crate) fn evaluate(&self, procedure: &Procedure, met: LocalId) -> Block {
        let args = (0..procedure.params).map(|at| Expr::Local(LocalId::from_index(at))).collect();
        self.evaluate_with(args, met, procedure.span)
    }

    /// Lets a block fail before calls whose arguments do not meet the condition.
    fn demand(
        &self,
        block: &mut Block,
        within: &Procedure,
        (callee, met): (ProcId, LocalId),
        error: ir::ErrorId,
    ) {
        for mut stmt in std::mem::take(block) {
            for inner in ir::blocks_mut(&mut stmt.kind) {
                self.demand(inner, within, (callee, met), error);
            }
            if let StmtKind::Call { callee: called, args, .. } = &stmt.kind
                && *called == callee
            {
                block.extend(self.evaluate_with(args.clone(), met, within.span));
                let fail = Stmt { kind: StmtKind::Throw { error, message: None }, span: within.span };
                let choice =
                    StmtKind::If { condition: self.is_met(met), then: Vec::new(), otherwise: vec![fail] };
                block.push(Stmt { kind: choice, span: within.span });
            }
            block.push(stmt);
        }
    }

    /// The same for other arguments than the parameters of a procedure.
    fn evaluate_with(&self, mut args: Vec<Expr>, met: LocalId, span: Span) -> Block {
        args.drain(..args.len().saturating_sub(self.params));
        let asked = Stmt { kind: StmtKind::Call { local: Some(met), callee: self.condition, args }, span };
        if !self.may_fail {
            return vec![asked];
        }
        let unmet = StmtKind::Assign { local: met, value: Expr::Const(Const::zero(&self.ty)) };
        let catch = Catch { kind: CatchKind::Any, message: None, body: vec![Stmt { kind: unmet, span }] };
        let body = vec![asked];
        vec![Stmt { kind: StmtKind::Try { body, catches: vec![catch] }, span }]
    }

    /// Sets one local to whether the condition holds, and one to whether it does not; neither if it fails.
    fn evaluate_both(&self, procedure: &mut Procedure, yes: LocalId, no: LocalId) -> Block {
        let met = self.fresh_local(procedure);
        let span = procedure.span;
        let set = |local, value| Stmt { kind: StmtKind::Assign { local, value }, span };
        let catch = Catch {
            kind: CatchKind::Any,
            message: None,
            body: vec![set(yes, truth(false)), set(no, truth(false))],
        };
        let body = vec![
            call(procedure, self.condition, Some(met), span),
            set(yes, self.is_met(met)),
            set(no, choice(self.is_met(met), truth(false), truth(true))),
        ];
        vec![Stmt { kind: StmtKind::Try { body, catches: vec![catch] }, span }]
    }

    /// Whether the condition holds, after it was evaluated.
    pub(crate) fn is_met(&self, met: LocalId) -> Expr {
        match &self.ty {
            Type::Int(ty) => Expr::Binary {
                op: BinaryOp::Ne,
                ty: ir::Scalar::Int(*ty),
                lhs: Box::new(Expr::Local(met)),
                rhs: Box::new(Expr::Const(Const::int(*ty, 0))),
            },
            _ => Expr::Local(met),
        }
    }
}

/// Calls a procedure with all parameters of another one.
fn call(procedure: &Procedure, callee: ProcId, local: Option<LocalId>, span: Span) -> Stmt {
    let args = (0..procedure.params).map(|at| Expr::Local(LocalId::from_index(at))).collect();
    Stmt { kind: StmtKind::Call { local, callee, args }, span }
}

/// A literal of a condition: the procedure of an atom, and whether it is to hold.
pub type ConditionLiteral = (ProcId, bool);

/// The program with one more condition: whether all literals of one of the cubes hold, or, if it is negated, of none.
/// A literal whose atom fails does not hold.
pub fn combine(program: &Program, cubes: &[Vec<ConditionLiteral>], is_negated: bool) -> (Program, ProcId) {
    let atoms: BTreeSet<ProcId> = cubes.iter().flatten().map(|(atom, _)| *atom).collect();
    let Some(first) = atoms.first() else {
        unreachable!("a combination should have an atom");
    };
    with_test(program, *first, |procedure| {
        let mut body = Vec::new();
        let mut known = BTreeMap::new();
        for atom in &atoms {
            let met = Met::of(program, *atom);
            let [yes, no] = ["$yes", "$no"].map(|name| {
                let name = format!("{name}{}", known.len());
                procedure.locals.push(Local { name, ty: Type::Bool });
                LocalId::from_index(procedure.locals.len() - 1)
            });
            body.extend(met.evaluate_both(procedure, yes, no));
            known.insert(*atom, (yes, no));
        }
        let literal = |(atom, is_positive): &ConditionLiteral| {
            let (yes, no) = known[atom];
            Expr::Local(if *is_positive { yes } else { no })
        };
        let all = |cube: &Vec<ConditionLiteral>| {
            cube.iter().rev().fold(truth(true), |rest, it| choice(literal(it), rest, truth(false)))
        };
        let any = cubes.iter().rev().fold(truth(false), |rest, cube| choice(all(cube), truth(true), rest));
        let value = if is_negated { choice(any, truth(false), truth(true)) } else { any };
        body.push(Stmt { kind: StmtKind::Return(Some(value)), span: procedure.span });
        body
    })
}

fn truth(value: bool) -> Expr {
    Expr::Const(Const::Bool(value))
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::If { condition: Box::new(condition), then: Box::new(then), otherwise: Box::new(otherwise) }
}

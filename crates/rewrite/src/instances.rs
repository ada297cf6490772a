//! What holds of all inputs of a procedure for every number, said of the indices of its loops.
//!
//! ```text
//! proc f(a) {                      proc f(a) {
//!   i = 0                            i = 0
//!   loop { ... load(a, i) ... }      loop { if not positive(a, i) { return 0 } ... load(a, i) ... }
//! }                                }
//! ```
//!
//! Where a condition says `positive(a, i)` of all `i`, no run of an input that meets it leaves so: proofs need not follow
//! the loop that asks for each number. It is no `assume`, so that the iterations of loops can be compared by themselves;
//! other inputs are compared as well, and versions in step leave together. Parameters are taken as they were at the start. After a statement that
//! may change what the condition looks at, nothing is assumed any more.
//! The condition asks for the numbers of its range, and an instance is asked for others as well: `a[i]` may fail there. An
//! instance that fails says nothing, and one that may not end is not used.
//! Over-approximating the procedure for the inputs that meet the condition: these do what they did, and others are left.

use std::collections::BTreeSet;

use ir::{
    Block, Catch, CatchKind, Const, Effects, Expr, Local, LocalId, ProcId, Procedure, Program, Scalar, Span,
    Stmt, StmtKind, Type, Written,
};

use crate::restrict::{Met, restrict};
use crate::validated;

/// How the locals begin that say whether an instance holds.
pub(crate) const INSTANCE: &str = "$instance";

/// The program in which the loops of a procedure go on only where an instance of a condition holds for their indices, and
/// whose start assumes it for the number 0; `None` for recursion, and where an instance has a loop or calls itself. The
/// instance is a procedure with one more parameter, of a number, and holds
/// for every number on all inputs that count.
/// `names` are those of the indices; a version that reads no element leaves its loops as the other one does.
pub fn assume_instances(
    program: &Program,
    id: ProcId,
    instance: ProcId,
    names: &BTreeSet<String>,
) -> Option<Program> {
    let procedure = program.procedure(id);
    let given = program.procedure(instance);
    let number = given.parameters().last().map(|local| local.ty.clone())?;
    let is_fit = given.params == procedure.params + 1 && matches!(number, Type::Int(_));
    if !is_fit || ir::recursive_procedures(program).contains(&id) || may_not_end(program, instance) {
        return None;
    }
    let looked_at = ir::effects(program, instance);
    let body = procedure.body.as_deref()?;
    let mut rewritten = Instances {
        program,
        procedure: procedure.clone(),
        met: Met::of(program, instance),
        number: number.scalar()?,
        indices: named(procedure, names),
        looked_at,
        at_start: Vec::new(),
        unchanged: None,
    };
    rewritten.keep_parameters(body);
    let body = rewritten.block(body, None);
    let span = procedure.span;
    let mut whole = Vec::new();
    for (at, local) in rewritten.at_start.iter().enumerate().filter(|(at, local)| local.index() != *at) {
        let value = Expr::Local(LocalId::from_index(at));
        whole.push(Stmt { kind: StmtKind::Assign { local: *local, value }, span });
    }
    whole.extend(rewritten.unchanged.map(|unchanged| set(unchanged, true, span)));
    whole.extend(body);
    let mut program = program.clone();
    program.procedures[id.index()] = Procedure { body: Some(whole), ..rewritten.procedure };
    let at_zero = at_zero(&program, &rewritten.met, number.scalar()?);
    program.procedures.push(at_zero);
    let at_zero = ProcId::from_index(program.procedures.len() - 1);
    Some(restrict(&validated(program, "assuming instances"), id, at_zero))
}

/// Whether a procedure has a loop or recursion, or leaves out runs by more than that an object is there.
fn may_not_end(program: &Program, id: ProcId) -> bool {
    let recursive = ir::recursive_procedures(program);
    ir::reachable(program, id).into_iter().any(|callee| {
        let procedure = program.procedure(callee);
        let body = procedure.body.as_deref().unwrap_or_default();
        let mut leaves_out = false;
        ir::for_each_stmt(body, &mut |stmt| {
            leaves_out |= matches!(&stmt.kind, StmtKind::Assume { condition } if !is_about_this(program, procedure, condition));
        });
        leaves_out || recursive.contains(&callee) || ir::has_loop(body)
    })
}

/// Whether an assumption of Java is only about what a parameter refers to: methods have an object.
fn is_about_this(program: &Program, procedure: &Procedure, condition: &Expr) -> bool {
    let mut is_it = program.language == ir::Language::Java;
    let mut parameters = 0;
    ir::for_each_subexpr(condition, &mut |part| match part {
        Expr::Local(local) => {
            parameters += usize::from(local.index() < procedure.params);
            is_it &= local.index() < procedure.params
                && matches!(procedure.locals[local.index()].ty, Type::Ref(_));
        }
        Expr::Const(value) => is_it &= *value == Const::Null,
        Expr::Load { .. } | Expr::Global(_) | Expr::Length { .. } | Expr::HasShape { .. } => is_it = false,
        _ => {}
    });
    is_it && parameters == 1
}

/// What is taken for what a condition gives where its evaluation tells nothing: that it holds.
fn holds(ty: &Type) -> Expr {
    Expr::Const(match ty {
        Type::Int(int) => Const::int(*int, 1),
        _ => Const::Bool(true),
    })
}

/// A call of an instance, which says nothing where it fails: the condition was not asked for this number.
fn asked(met: &Met, args: Vec<Expr>, holds_at: LocalId, span: Span) -> Stmt {
    let stmt = |kind: StmtKind| Stmt { kind, span };
    let call = stmt(StmtKind::Call { local: Some(holds_at), callee: met.condition, args });
    if !met.may_fail {
        return call;
    }
    let body = vec![stmt(StmtKind::Assign { local: holds_at, value: holds(&met.ty) })];
    let catch = Catch { kind: CatchKind::Any, message: None, body };
    stmt(StmtKind::Try { body: vec![call], catches: vec![catch] })
}

/// A condition with the parameters of a procedure: the instance for the number 0.
fn at_zero(program: &Program, met: &Met, number: Scalar) -> Procedure {
    let given = program.procedure(met.condition);
    let params = given.params - 1;
    let mut locals = given.parameters()[..params].to_vec();
    let result = LocalId::from_index(locals.len());
    locals.push(Local { name: "$holds".to_owned(), ty: given.result.clone().unwrap_or(Type::Bool) });
    let mut args: Vec<Expr> = (0..params).map(|at| Expr::Local(LocalId::from_index(at))).collect();
    args.push(Expr::Const(Const::zero(&number.into())));
    let stmt = |kind: StmtKind| Stmt { kind, span: given.span };
    Procedure {
        name: format!("{}.at 0", given.name),
        short_name: format!("{}.at 0", given.short_name),
        locals,
        params,
        body: Some(vec![
            asked(met, args, result, given.span),
            stmt(StmtKind::Return(Some(Expr::Local(result)))),
        ]),
        assumptions: Vec::new(),
        ..given.clone()
    }
}

/// The whole numbers with these names.
fn named(procedure: &Procedure, names: &BTreeSet<String>) -> BTreeSet<LocalId> {
    let is_it = |local: &Local| matches!(local.ty, Type::Int(_)) && names.contains(&local.name);
    let found = procedure.locals.iter().enumerate().filter(|(_, local)| is_it(local));
    found.map(|(at, _)| LocalId::from_index(at)).collect()
}

/// The names of the whole numbers that say which cell is read, of those cells that a condition looks at, and which
/// character of a text.
pub fn index_names(program: &Program, id: ProcId, instance: ProcId) -> BTreeSet<String> {
    let (procedure, looked_at) = (program.procedure(id), ir::effects(program, instance));
    let body = procedure.body.as_deref().unwrap_or_default();
    let mut found = BTreeSet::new();
    let mut add = |expr: &Expr| {
        ir::for_each_subexpr(expr, &mut |part| {
            if let Expr::Local(local) = part {
                let Local { name, ty } = &procedure.locals[local.index()];
                found.extend(matches!(ty, Type::Int(_)).then(|| name.clone()));
            }
        });
    };
    ir::for_each_expr(body, &mut |expr| match expr {
        Expr::Load { region, index: Some(index), .. } if looked_at.reads_regions.contains(region) => {
            add(index);
        }
        Expr::Intrinsic { function: ir::Intrinsic::TextAt, args } => args.iter().for_each(&mut add),
        _ => {}
    });
    found
}

struct Instances<'a> {
    program: &'a Program,
    procedure: Procedure,
    met: Met,
    /// The type of the number that an instance is about.
    number: Scalar,
    indices: BTreeSet<LocalId>,
    looked_at: Effects,
    /// For each parameter, where its value at the start is.
    at_start: Vec<LocalId>,
    /// Whether nothing that the condition looks at was changed so far, if something may change it.
    unchanged: Option<LocalId>,
}

impl Instances<'_> {
    fn fresh(&mut self, name: &str, ty: Type) -> LocalId {
        let name = format!("{name}{}", self.procedure.locals.len());
        self.procedure.locals.push(Local { name, ty });
        LocalId::from_index(self.procedure.locals.len() - 1)
    }

    /// Gives parameters that are assigned a second name, and a mark to what changes what the condition looks at.
    fn keep_parameters(&mut self, body: &[Stmt]) {
        let mut assigned = BTreeSet::new();
        let mut may_change = false;
        ir::for_each_stmt(body, &mut |stmt| {
            assigned.extend(ir::assigned_locals(&stmt.kind));
            may_change |= self.changes(stmt);
        });
        for at in 0..self.procedure.params {
            let local = LocalId::from_index(at);
            let kept = match assigned.contains(&local) {
                true => self.fresh("$start", self.procedure.locals[at].ty.clone()),
                false => local,
            };
            self.at_start.push(kept);
        }
        self.unchanged = may_change.then(|| self.fresh("$unchanged", Type::Bool));
    }

    /// Whether a statement itself may change what the condition looks at.
    fn changes(&self, stmt: &Stmt) -> bool {
        let looked_at = &self.looked_at;
        match ir::written(&stmt.kind) {
            None => false,
            Some(Written::Global(global)) => looked_at.reads_globals.contains(&global),
            Some(Written::Cells(region)) => looked_at.reads_regions.contains(&region),
            Some(Written::Length) => looked_at.reads_lengths,
            Some(Written::Callee(callee)) => {
                let effects = ir::effects(self.program, callee);
                !effects.writes_globals.is_disjoint(&looked_at.reads_globals)
                    || !effects.writes_regions.is_disjoint(&looked_at.reads_regions)
                    || effects.frees && looked_at.reads_lengths
                    || effects.calls_out
            }
        }
    }

    /// A block with what is known of the indices of its loops; `of_loop` are those that the loop around it assigns.
    fn block(&mut self, block: &[Stmt], of_loop: Option<&BTreeSet<LocalId>>) -> Block {
        let mut rewritten = Vec::new();
        for (at, stmt) in block.iter().enumerate() {
            if let Some(unchanged) = self.unchanged.filter(|_| self.changes(stmt)) {
                rewritten.push(set(unchanged, false, stmt.span));
            }
            let mut kind = stmt.kind.clone();
            let is_loop = matches!(kind, StmtKind::Loop { .. });
            for inside in ir::blocks_mut(&mut kind) {
                if is_loop {
                    let assigned = self.assigned_indices(inside);
                    let mut body: Block =
                        assigned.iter().flat_map(|index| self.assume(*index, stmt.span)).collect();
                    body.extend(self.block(inside, Some(&assigned)));
                    *inside = body;
                } else {
                    *inside = self.block(inside, of_loop);
                }
            }
            rewritten.push(Stmt { kind, span: stmt.span });
            // The next iteration tells of what is assigned last.
            let is_last = at + 1 == block.len();
            if let StmtKind::Assign { local, .. } = &stmt.kind
                && of_loop.is_some_and(|indices| indices.contains(local))
                && !is_last
            {
                rewritten.extend(self.assume(*local, stmt.span));
            }
        }
        rewritten
    }

    /// The indices that a loop assigns.
    fn assigned_indices(&self, body: &[Stmt]) -> BTreeSet<LocalId> {
        let mut assigned = BTreeSet::new();
        ir::for_each_stmt(body, &mut |stmt| assigned.extend(ir::assigned_locals(&stmt.kind)));
        assigned.intersection(&self.indices).copied().collect()
    }

    /// Assumes the instance for a number.
    fn assume(&mut self, index: LocalId, span: Span) -> Block {
        let holds = self.fresh(INSTANCE, self.met.ty.clone());
        let mut args: Vec<Expr> = self.at_start.iter().map(|local| Expr::Local(*local)).collect();
        let number = Expr::Local(index);
        args.push(match self.procedure.locals[index.index()].ty.scalar() {
            Some(from) if from != self.number => {
                Expr::Convert { from, to: self.number, arg: Box::new(number) }
            }
            _ => number,
        });
        let stmt = |kind: StmtKind| Stmt { kind, span };
        let asked = asked(&self.met, args, holds, span);
        let zero = self.procedure.result.as_ref().map(|ty| Expr::Const(Const::zero(ty)));
        let assumed = stmt(StmtKind::If {
            condition: self.met.is_met(holds),
            then: Vec::new(),
            otherwise: vec![stmt(StmtKind::Return(zero))],
        });
        match self.unchanged {
            None => vec![asked, assumed],
            Some(unchanged) => vec![stmt(StmtKind::If {
                condition: Expr::Local(unchanged),
                then: vec![asked, assumed],
                otherwise: Vec::new(),
            })],
        }
    }
}

fn set(local: LocalId, value: bool, span: Span) -> Stmt {
    Stmt { kind: StmtKind::Assign { local, value: Expr::Const(Const::Bool(value)) }, span }
}

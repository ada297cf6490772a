//! What is special about the `main` of a C program: its arguments, and that nothing is left after it.
//!
//! ```text
//! main(argc, argv) { A; exit(3) }
//!     =>  assume argv has argc strings and a null;  scope { A; status = 3 };  variables = initial values;  return status
//! ```
//!
//! Where a function that `main` calls may end the program with a status that is not constant, which it shows to the
//! outside world, so does every other end of both versions: `call exit(status); throw exit` instead of the `return`.
//!
//! Exact for programs whose end nobody watches: what unknown code might look at later stays as it is.

use std::collections::BTreeSet;

use crate::{
    Access, BinaryOp, Block, Catch, CatchKind, Cells, Const, ErrorId, Expr, External, IntType, LabelId,
    Local, LocalId, Pair, ProcId, Procedure, Program, RegionId, Scalar, ShapeId, Span, StaticId, Stmt,
    StmtKind, Target, Type, UnaryOp, for_each_stmt, reachable,
};

/// Of so many arguments the IR says that they are there; of all others the inputs do.
const ARGUMENTS: i128 = 4;

/// How `main` gets its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MainArguments {
    /// The shape of the array of strings, the region of its pointers, and the cells of an element.
    pub strings: ShapeId,
    pub pointers: RegionId,
    pub cells: usize,
    /// The shape of a string.
    pub characters: ShapeId,
}

/// How a procedure gets the arguments of a program, if it has parameters as `main` has them.
pub fn main_arguments(program: &Program, main: ProcId) -> Option<MainArguments> {
    let parameters = program.procedure(main).parameters();
    let (Some(count), Some(strings)) = (parameters.first(), parameters.get(1)) else { return None };
    let strings = pointed_to(&strings.ty)?;
    let Cells::Indexed(regions) = &program.shape(strings).cells else { return None };
    let pointers = *regions.first()?;
    let characters = pointed_to(&program.region(pointers).value)?;
    let is_text = program.cell_type(characters, 0) == Some(&Type::Int(IntType::I8));
    let fits = count.ty == Type::I32 && is_text;
    fits.then_some(MainArguments { strings, pointers, cells: regions.len(), characters })
}

fn pointed_to(ty: &Type) -> Option<ShapeId> {
    match ty {
        Type::Record(parts) => match parts.as_slice() {
            [Type::Ref(Target::Shape(shape)), Type::Int(_)] => Some(*shape),
            _ => None,
        },
        _ => None,
    }
}

/// Lets `main` take for granted what is true of the arguments of every program.
pub(crate) fn assume_arguments(program: &mut Program, main: ProcId) {
    let Some(arguments) = main_arguments(program, main) else { return };
    let (count, strings) = (Expr::Local(LocalId(0)), Expr::Local(LocalId(1)));
    let count = Expr::Convert {
        from: Scalar::Int(IntType::I32),
        to: Scalar::Int(IntType::I64),
        arg: Box::new(count),
    };
    let (object, offset) = (get(strings.clone(), 0), get(strings, 1));
    let cells = arguments.cells as i128;
    let cell = |place: Expr| add(offset.clone(), binary(BinaryOp::Mul, place, long(cells)));
    let string = |place: Expr| {
        let index = Some(Box::new(cell(place)));
        get(Expr::Load { region: arguments.pointers, object: Box::new(object.clone()), index }, 0)
    };
    let length = Expr::Length { object: Box::new(object.clone()), ty: IntType::I64 };
    let mut known = vec![
        assume(binary(BinaryOp::Le, long(0), count.clone())),
        assume(not(same(object.clone(), Expr::Const(Const::Null)))),
    ];
    for (index, variable) in program.statics.iter().enumerate() {
        if variable.shape == arguments.strings {
            let variable = Expr::Const(Const::Static(StaticId::from_index(index)));
            known.push(assume(not(same(object.clone(), variable))));
        }
    }
    known.push(assume(binary(BinaryOp::Eq, length, cell(add(count.clone(), long(1))))));
    known.push(assume(same(string(count.clone()), Expr::Const(Const::Null))));
    for place in 0..ARGUMENTS {
        let is_there = assume(not(same(string(long(place)), Expr::Const(Const::Null))));
        let condition = binary(BinaryOp::Lt, long(place), count.clone());
        known.push(StmtKind::If {
            condition,
            then: vec![at(is_there, Span::NOWHERE)],
            otherwise: Vec::new(),
        });
    }
    let procedure = &mut program.procedures[main.index()];
    let span = procedure.span;
    if let Some(body) = &mut procedure.body {
        body.splice(0..0, known.into_iter().map(|kind| at(kind, span)));
    }
}

/// Lets both versions of `main` end in one way: by a status, with nothing left of the variables.
/// `reset` makes the statements that give variables their initial values again.
pub(crate) fn end_alike(
    programs: Pair<&mut Program>,
    mains: Pair<ProcId>,
    has_variables: bool,
    mut reset: impl FnMut(&mut Program, ProcId) -> Vec<StmtKind>,
) {
    let Pair { old, new } = programs;
    let versions = [(&*old, mains.old), (&*new, mains.new)];
    let is_seen = versions.iter().any(|(program, main)| is_seen_later(program, *main));
    let has_exits = versions
        .iter()
        .any(|(program, main)| !exits_of(program, *main).is_empty() || calls_exit(program, *main));
    let gives_status =
        versions.iter().all(|(program, main)| program.procedure(*main).result == Some(Type::I32));
    let is_shown = versions.iter().any(|(program, main)| callees_exit(program, *main));
    if !gives_status || !(has_exits || is_shown || has_variables && !is_seen) {
        return;
    }
    for (program, main) in [(old, mains.old), (new, mains.new)] {
        let variables = if is_seen { Vec::new() } else { reset(program, main) };
        end_by_status(program, main, variables, is_shown);
    }
}

/// Whether code that is not there may look at memory after the end of a program: what it registers is called then.
fn is_seen_later(program: &Program, main: ProcId) -> bool {
    reachable(program, main).into_iter().any(|id| {
        let procedure = program.procedure(id);
        procedure.body.is_none() && procedure.external.access.writes_memory()
    })
}

/// The errors that are calls of `exit`, with their status, that `main` and what it calls may fail with.
fn exits_of(program: &Program, main: ProcId) -> BTreeSet<(ErrorId, i128)> {
    let mut exits = BTreeSet::new();
    for id in reachable(program, main) {
        for_each_stmt(program.procedure(id).body.as_deref().unwrap_or(&[]), &mut |stmt| {
            if let StmtKind::Throw { error, .. } = stmt.kind
                && let Some(status) = exit_status(program.error(error))
            {
                exits.insert((error, status));
            }
        });
    }
    exits
}

fn exit_status(error: &str) -> Option<i128> {
    error.strip_prefix("exit(")?.strip_suffix(')')?.parse().ok()
}

/// Whether something that `main` calls may end the program with a status that is not constant.
fn callees_exit(program: &Program, main: ProcId) -> bool {
    reachable(program, main).into_iter().any(|id| id != main && calls_exit(program, id))
}

fn calls_exit(program: &Program, id: ProcId) -> bool {
    let mut calls = false;
    for_each_stmt(program.procedure(id).body.as_deref().unwrap_or(&[]), &mut |stmt| {
        calls |= status_shown(program, stmt).is_some();
    });
    calls
}

/// The status of a call of `exit` that is not constant.
fn status_shown<'a>(program: &Program, stmt: &'a Stmt) -> Option<&'a Expr> {
    let StmtKind::Call { callee, args, .. } = &stmt.kind else { return None };
    let callee = program.procedure(*callee);
    (callee.body.is_none() && callee.name == "exit").then(|| args.first()).flatten()
}

fn end_by_status(program: &mut Program, main: ProcId, variables: Vec<StmtKind>, is_shown: bool) {
    let span = program.procedure(main).span;
    let body = program.procedures[main.index()].body.take().unwrap_or_default();
    let label = LabelId::from_index(crate::first_free_label(&body));
    let status = LocalId::from_index(program.procedure(main).locals.len());
    let body = with_status(program, body, status, label);
    program.procedures[main.index()].body = Some(body);
    let exits = exits_of(program, main);
    let body = program.procedures[main.index()].body.take().unwrap_or_default();
    program.procedures[main.index()].locals.push(Local { name: "$status".to_owned(), ty: Type::I32 });
    let variables: Block = variables.into_iter().map(|kind| at(kind, span)).collect();
    let mut catches: Vec<Catch> = exits
        .into_iter()
        .map(|(error, code)| Catch {
            kind: CatchKind::Errors(vec![error]),
            message: None,
            body: leave(Expr::Const(Const::Int(IntType::I32, code)), status, label, span),
        })
        .collect();
    let mut last = variables.clone();
    if is_shown {
        let (callee, error) = (exit_procedure(program), exit_error(program));
        let throw = at(StmtKind::Throw { error, message: None }, span);
        // The status was shown where the error was raised.
        let body = variables.into_iter().chain([throw.clone()]).collect();
        catches.push(Catch { kind: CatchKind::Errors(vec![error]), message: None, body });
        let call = StmtKind::Call { local: None, callee, args: vec![Expr::Local(status)] };
        last.extend([at(call, span), throw]);
    } else {
        last.push(at(StmtKind::Return(Some(Expr::Local(status))), span));
    }
    let inner = if catches.is_empty() { body } else { vec![at(StmtKind::Try { body, catches }, span)] };
    let mut whole = vec![at(StmtKind::Scope { label, body: inner }, span)];
    whole.extend(last);
    program.procedures[main.index()].body = Some(whole);
}

/// What stands for `exit` with a status that is not constant; a version without it gets it.
fn exit_procedure(program: &mut Program) -> ProcId {
    let known = program.procedure_named("exit").filter(|id| program.procedure(*id).body.is_none());
    known.unwrap_or_else(|| {
        program.procedures.push(Procedure {
            name: "exit".to_owned(),
            short_name: "exit".to_owned(),
            params: 1,
            locals: vec![Local { name: "status".to_owned(), ty: Type::I32 }],
            result: None,
            body: None,
            external: External { access: Access::World, library: false },
            span: Span::NOWHERE,
            assumptions: Vec::new(),
        });
        ProcId::from_index(program.procedures.len() - 1)
    })
}

fn exit_error(program: &mut Program) -> ErrorId {
    let known = program.errors.iter().position(|error| error == "exit");
    ErrorId::from_index(known.unwrap_or_else(|| {
        program.errors.push("exit".to_owned());
        program.errors.len() - 1
    }))
}

/// The statements with their ends turned into a status and a jump.
fn with_status(program: &Program, block: Block, status: LocalId, label: LabelId) -> Block {
    let mut result: Block = Vec::new();
    for mut stmt in block {
        let span = stmt.span;
        match stmt.kind {
            StmtKind::Return(value) => {
                let value = value.unwrap_or(Expr::Const(Const::Int(IntType::I32, 0)));
                result.extend(leave(value, status, label, span));
                continue;
            }
            StmtKind::Throw { error, .. } => {
                let shown = result.last().and_then(|last| status_shown(program, last)).cloned();
                match (exit_status(program.error(error)), shown, program.error(error) == "exit") {
                    (Some(code), _, _) => {
                        let code = Expr::Const(Const::Int(IntType::I32, code));
                        result.extend(leave(code, status, label, span));
                        continue;
                    }
                    (None, Some(code), true) => {
                        result.pop();
                        result.extend(leave(code, status, label, span));
                        continue;
                    }
                    _ => {}
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                let then = with_status(program, then, status, label);
                let otherwise = with_status(program, otherwise, status, label);
                stmt.kind = StmtKind::If { condition, then, otherwise };
            }
            StmtKind::Loop { label: own, body } => {
                let body = with_status(program, body, status, label);
                stmt.kind = StmtKind::Loop { label: own, body };
            }
            StmtKind::Scope { label: own, body } => {
                let body = with_status(program, body, status, label);
                stmt.kind = StmtKind::Scope { label: own, body };
            }
            _ => {}
        }
        result.push(stmt);
    }
    result
}

fn leave(value: Expr, status: LocalId, label: LabelId, span: Span) -> Block {
    vec![at(StmtKind::Assign { local: status, value }, span), at(StmtKind::Break(label), span)]
}

fn at(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

fn assume(condition: Expr) -> StmtKind {
    StmtKind::Assume { condition }
}

fn long(value: i128) -> Expr {
    Expr::Const(Const::Int(IntType::I64, value))
}

fn add(lhs: Expr, rhs: Expr) -> Expr {
    binary(BinaryOp::Add, lhs, rhs)
}

fn binary(op: BinaryOp, lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary { op, ty: Scalar::Int(IntType::I64), lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

fn not(arg: Expr) -> Expr {
    Expr::Unary { op: UnaryOp::Not, ty: Scalar::Bool, arg: Box::new(arg) }
}

fn same(lhs: Expr, rhs: Expr) -> Expr {
    Expr::SameRef { lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

fn get(record: Expr, index: u32) -> Expr {
    Expr::Get { record: Box::new(record), index }
}

//! Everything in this crate works on the deepest program that is valid, within half the stack of a process.

use ir::{
    Block, Const, ControlFlow, Expr, IntType, Local, LocalId, MAX_DEPTH, Pair, ProcId, Program, Scalar, Span,
    Stmt, StmtKind, Type, UnaryOp, constants, effects, normalise, print, read_program, same_code, size,
    validate,
};

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NOWHERE }
}

/// A procedure with a statement at the bottom of nested blocks.
fn program(levels: usize, bottom: Expr, wrap: fn(Block) -> StmtKind) -> Program {
    let assign = stmt(StmtKind::Assign { local: LocalId(0), value: bottom });
    let body = (0..levels).fold(vec![assign], |block, _| vec![stmt(wrap(block))]);
    let mut program = read_program("program c proc f(x: i32) {}").unwrap();
    program.procedures[0].body = Some(body);
    program
}

fn negated(levels: usize) -> Expr {
    let ty = Scalar::Int(IntType::I32);
    (0..levels).fold(Expr::Local(LocalId(0)), |arg, _| Expr::Unary {
        op: UnaryOp::Neg,
        ty,
        arg: Box::new(arg),
    })
}

fn check(program: &Program) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(4 << 20);
        thread.spawn_scoped(scope, || check_here(program)).expect("a thread should start");
    });
}

fn check_here(program: &Program) {
    let pair = Pair::new(program, program).map(|program| (program, ProcId(0)));
    assert_eq!(validate(program), Ok(()));
    assert_eq!(read_program(&print(program)).as_ref(), Ok(program));
    assert_eq!(validate(&normalise(program, ProcId(0))), Ok(()));
    assert!(same_code(pair));
    assert!(effects(program, ProcId(0)).prints.is_empty());
    assert!(size(program, ProcId(0)).statements > 0);
    assert!(constants(program, ProcId(0)).texts.is_empty());
    assert!(ControlFlow::of(program, ProcId(0)).graph.node_count() > 2);
}

#[test]
fn expressions_may_be_as_deep_as_the_limit() {
    check(&program(0, negated(MAX_DEPTH - 2), |_| unreachable!()));
}

#[test]
fn branches_may_be_as_deep_as_the_limit() {
    check(&program(MAX_DEPTH - 2, negated(0), |block| StmtKind::If {
        condition: Expr::Const(Const::Bool(true)),
        then: block,
        otherwise: Vec::new(),
    }));
    check(&program(MAX_DEPTH - 2, negated(0), |block| StmtKind::If {
        condition: Expr::Const(Const::Bool(true)),
        then: Vec::new(),
        otherwise: block,
    }));
    check(&program(MAX_DEPTH - 2, negated(0), |body| StmtKind::Try { body, catches: Vec::new() }));
    let one_more = program(MAX_DEPTH - 1, negated(0), |body| StmtKind::Try { body, catches: Vec::new() });
    assert_eq!(validate(&one_more).unwrap_err()[0].message, "the body nests too deep");
}

#[test]
fn types_and_constants_may_be_as_deep_as_the_limit() {
    let mut deep = program(0, negated(0), |_| unreachable!());
    let ty = (0..MAX_DEPTH - 1).fold(Type::I32, |ty, _| Type::Record(vec![ty]));
    let initial = Const::zero(&ty);
    deep.globals.push(ir::Global {
        name: "g".to_owned(),
        ty: ty.clone(),
        initial,
        constant: false,
        private: false,
        fixed: false,
    });
    deep.procedures[0].locals.push(Local { name: "y".to_owned(), ty });
    let value = Expr::Global(ir::GlobalId(0));
    let assign = stmt(StmtKind::Assign { local: LocalId(1), value });
    deep.procedures[0].body.as_mut().unwrap().push(assign);
    check(&deep);
}

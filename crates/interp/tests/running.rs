//! Whole procedures: calls, loops, failures, the heap, the outside world, and the limits.

use interp::{Ending, Input, Limits, Machine, Numbers, Value};
use ir::{
    BinaryOp, Block, Const, Expr, IntType, LabelId, Language, Local, LocalId, ProcId, Procedure, Program, Scalar, Span,
    Stmt, StmtKind, Type,
};

const INT: Scalar = Scalar::Int(IntType::I32);

fn local(index: u32) -> Expr {
    Expr::Local(LocalId(index))
}

fn int(value: i32) -> Expr {
    Expr::Const(Const::i32(value))
}

fn binary(op: BinaryOp, lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary { op, ty: INT, lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::NOWHERE }
}

fn assign(index: u32, value: Expr) -> Stmt {
    stmt(StmtKind::Assign { local: LocalId(index), value })
}

fn procedure(params: usize, locals: usize, body: Block) -> Program {
    let mut program = Program::new(Language::Java);
    let local = |index: usize| Local { name: format!("x{index}"), ty: Type::I32 };
    program.procedures.push(Procedure {
        name: "f".to_owned(),
        short_name: "f".to_owned(),
        params,
        locals: (0..locals).map(local).collect(),
        result: Some(Type::I32),
        body: Some(body),
        span: Span::NOWHERE,
        assumptions: Vec::new(),
    });
    program
}

fn run(program: &Program, args: &[i128]) -> Ending {
    let input = Input { args: args.iter().map(|arg| Value::Int(*arg)).collect(), ..Input::default() };
    Machine::new(program, Numbers::Machine).run(ProcId(0), &input, &Limits::USUAL).ending
}

#[test]
fn a_loop_ends_by_its_jump() {
    let label = LabelId(0);
    let exit = StmtKind::If {
        condition: binary(BinaryOp::Le, local(0), int(0)),
        then: vec![stmt(StmtKind::Break(label))],
        otherwise: vec![],
    };
    let body = vec![
        stmt(exit),
        assign(1, binary(BinaryOp::Add, local(1), local(0))),
        assign(0, binary(BinaryOp::Sub, local(0), int(1))),
    ];
    let body = vec![stmt(StmtKind::Loop { label, body }), stmt(StmtKind::Return(Some(local(1))))];
    let program = procedure(1, 2, body);
    assert_eq!(run(&program, &[10]), Ending::Returned(Some(Value::Int(55))));
    assert_eq!(run(&program, &[-1]), Ending::Returned(Some(Value::Int(0))));
    assert_eq!(run(&program, &[1_000_000]), Ending::OutOfSteps);
}

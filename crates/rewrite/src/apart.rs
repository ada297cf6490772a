//! A procedure restricted to inputs on which pointers lead to different objects.
//!
//! ```text
//! proc f(p, q) { A }      proc f(p, q) { assume p is null or not in the object of q; A }
//! ```
//!
//! Exact: on such inputs the procedure does what it did. Calls of it are not restricted.

use ir::{
    BinaryOp, Const, Expr, LocalId, ProcId, Procedure, Program, Scalar, StaticId, Stmt, StmtKind, Type,
};

use crate::restrict::restrict;
use crate::validated;

/// What a pointer is apart from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Other {
    /// What another parameter points to.
    Parameter(usize),
    Static(StaticId),
}

/// The program with a procedure restricted to inputs on which the first of each two is null, or leads to another object
/// than the second. Parameters go by their place; pointers are records that begin with a reference.
pub fn keep_apart(program: &Program, id: ProcId, apart: &[(usize, Other)]) -> Program {
    let is_apart = |(pointer, other): &(usize, Other)| {
        let object = object_of(*pointer);
        let other = match other {
            Other::Parameter(place) => object_of(*place),
            Other::Static(id) => Expr::Const(Const::Static(*id)),
        };
        either(same(object.clone(), Expr::Const(Const::Null)), not(same(object, other)))
    };
    let Some(condition) = apart.iter().map(is_apart).reduce(both) else { return program.clone() };
    let mut program = program.clone();
    if ir::recursive_procedures(&program).contains(&id) {
        let like = program.procedure(id);
        let test = Procedure {
            name: format!("{}.apart", like.name),
            short_name: "apart".to_owned(),
            locals: like.parameters().to_vec(),
            result: Some(Type::Bool),
            body: Some(vec![Stmt { kind: StmtKind::Return(Some(condition)), span: like.span }]),
            assumptions: Vec::new(),
            ..like.clone()
        };
        let test_id = ProcId::from_index(program.procedures.len());
        program.procedures.push(test);
        return restrict(&program, id, test_id);
    }
    let procedure = &mut program.procedures[id.index()];
    let span = procedure.span;
    if let Some(body) = &mut procedure.body {
        body.insert(0, Stmt { kind: StmtKind::Assume { condition }, span });
    }
    validated(program, "keeping pointers apart")
}

fn object_of(parameter: usize) -> Expr {
    let record = Box::new(Expr::Local(LocalId::from_index(parameter)));
    Expr::Get { record, index: 0 }
}

fn same(lhs: Expr, rhs: Expr) -> Expr {
    Expr::SameRef { lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

fn not(arg: Expr) -> Expr {
    Expr::Unary { op: ir::UnaryOp::Not, ty: Scalar::Bool, arg: Box::new(arg) }
}

fn either(lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary { op: BinaryOp::Or, ty: Scalar::Bool, lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

fn both(lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary { op: BinaryOp::And, ty: Scalar::Bool, lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

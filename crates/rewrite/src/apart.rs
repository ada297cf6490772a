//! A procedure restricted to inputs on which pointers lead to different objects.
//!
//! ```text
//! proc f(p, q) { A }      proc f(p, q) { assume p is null or not in the object of q; A }
//! ```
//!
//! Exact: on such inputs the procedure does what it did. Calls of it are not restricted.

use ir::{
    BinaryOp, Const, Expr, GlobalId, IntType, LocalId, ProcId, Procedure, Program, RegionId, Scalar,
    StaticId, Stmt, StmtKind, Type,
};

use crate::restrict::restrict;
use crate::validated;

/// Where a pointer of the inputs is: a record that begins with a reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pointer {
    /// By the place of the parameter.
    Parameter(usize),
    Global(GlobalId),
    /// A cell of what a parameter points to, counted from there.
    Behind {
        parameter: usize,
        cell: u64,
        region: RegionId,
    },
    /// A cell of a static object.
    Within {
        object: StaticId,
        cell: u64,
        region: RegionId,
    },
}

/// What a pointer is apart from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Other {
    /// What another pointer leads to. One that is in the same cell is no other pointer.
    Pointer(Pointer),
    Static(StaticId),
}

/// The program with a procedure restricted to inputs on which the first of each two is null, or leads to another object
/// than the second. Pointers that are not there, because what they would be in ends before, are apart.
pub fn keep_apart(program: &Program, id: ProcId, apart: &[(Pointer, Other)]) -> Program {
    let is_apart = |(pointer, other): &(Pointer, Other)| {
        let object = object_of(*pointer);
        let (place, is_elsewhere) = match other {
            Other::Pointer(other) => (Some(*other), is_another_cell(*pointer, *other)),
            Other::Static(_) => (None, truth(true)),
        };
        let other = match other {
            Other::Pointer(other) => object_of(*other),
            Other::Static(id) => Expr::Const(Const::Static(*id)),
        };
        let apart = either(same(object.clone(), Expr::Const(Const::Null)), not(same(object, other)));
        let apart = where_there(is_elsewhere, apart);
        let apart = place.map_or(apart.clone(), |place| where_there(is_there(place), apart));
        where_there(is_there(*pointer), apart)
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

fn object_of(pointer: Pointer) -> Expr {
    let record = match pointer {
        Pointer::Parameter(place) => parameter(place),
        Pointer::Global(id) => Expr::Global(id),
        Pointer::Behind { region, .. } | Pointer::Within { region, .. } => {
            let (object, index) = cell_of(pointer);
            Expr::Load { region, object: Box::new(object), index: Some(Box::new(index)) }
        }
    };
    get(record, 0)
}

fn parameter(place: usize) -> Expr {
    Expr::Local(LocalId::from_index(place))
}

/// The object and the index of the cell that a pointer is in; parameters and globals are in none.
fn cell_of(pointer: Pointer) -> (Expr, Expr) {
    match pointer {
        Pointer::Behind { parameter: place, cell, .. } => {
            let index = long(BinaryOp::Add, get(parameter(place), 1), number(cell));
            (get(parameter(place), 0), index)
        }
        Pointer::Within { object, cell, .. } => (Expr::Const(Const::Static(object)), number(cell)),
        Pointer::Parameter(_) | Pointer::Global(_) => (Expr::Const(Const::Null), number(0)),
    }
}

/// Whether the cell that a pointer would be in exists.
fn is_there(pointer: Pointer) -> Expr {
    let Pointer::Behind { .. } = pointer else { return truth(true) };
    let (object, index) = cell_of(pointer);
    let length = Expr::Length { object: Box::new(object.clone()), ty: IntType::I64 };
    let is_in = both(long(BinaryOp::Le, number(0), index.clone()), long(BinaryOp::Lt, index, length));
    choice(same(object, Expr::Const(Const::Null)), truth(false), is_in)
}

fn is_another_cell(pointer: Pointer, other: Pointer) -> Expr {
    let is_cell = |it: &Pointer| matches!(it, Pointer::Behind { .. } | Pointer::Within { .. });
    if !is_cell(&pointer) || !is_cell(&other) {
        return truth(pointer != other);
    }
    let ((object, index), (other, at)) = (cell_of(pointer), cell_of(other));
    not(both(same(object, other), long(BinaryOp::Eq, index, at)))
}

/// A condition that need hold only where another one does, and that has a meaning only there.
fn where_there(condition: Expr, then: Expr) -> Expr {
    if condition == truth(true) { then } else { choice(condition, then, truth(true)) }
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::If { condition: Box::new(condition), then: Box::new(then), otherwise: Box::new(otherwise) }
}

fn get(record: Expr, index: u32) -> Expr {
    Expr::Get { record: Box::new(record), index }
}

fn long(op: BinaryOp, lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary { op, ty: Scalar::Int(IntType::I64), lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

fn number(value: u64) -> Expr {
    Expr::Const(Const::Int(IntType::I64, value.into()))
}

fn truth(value: bool) -> Expr {
    Expr::Const(Const::Bool(value))
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

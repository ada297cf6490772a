//! The types of expressions.

use crate::{Expr, Procedure, Program, Type};

/// The type of an expression of a procedure. Exact for valid programs, but for what references point to;
/// panics on expressions that the validator would reject.
pub fn type_of(expr: &Expr, procedure: &Procedure, program: &Program) -> Type {
    match expr {
        Expr::Const(value) => value.ty(),
        Expr::Local(local) => procedure.local(*local).ty.clone(),
        Expr::Global(global) => program.global(*global).ty.clone(),
        Expr::Unary { ty, .. } => Type::from(*ty),
        Expr::Binary { op, .. } if op.is_comparison() => Type::Bool,
        Expr::Binary { ty, .. } => Type::from(*ty),
        Expr::Convert { to, .. } => Type::from(*to),
        Expr::If { then, .. } => type_of(then, procedure, program),
        Expr::SameRef { .. } | Expr::SameText { .. } | Expr::SameMap { .. } => Type::Bool,
        Expr::Load { region, .. } => program.region(*region).value.clone(),
        Expr::Length { ty, .. } => Type::Int(*ty),
        Expr::HasShape { .. } => Type::Bool,
        Expr::Record(fields) => {
            Type::Record(fields.iter().map(|field| type_of(field, procedure, program)).collect())
        }
        Expr::Get { record, index } => match type_of(record, procedure, program) {
            Type::Record(mut fields) => fields.swap_remove(*index as usize),
            other => panic!("`get` should have a record as its operand, not a {other:?}"),
        },
        Expr::Select { map, .. } => match type_of(map, procedure, program) {
            Type::Map(_, value) => *value,
            other => panic!("`select` should have a map as its operand, not a {other:?}"),
        },
        Expr::Update { map, .. } => type_of(map, procedure, program),
        Expr::Overflows { .. } | Expr::Fits { .. } => Type::Bool,
        Expr::Intrinsic { function, .. } => function.signature().result,
    }
}

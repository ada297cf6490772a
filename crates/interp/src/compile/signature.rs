//! Which types operators take. Checked again here, so that a run never depends on who validated the program.

use ir::{BinaryOp, Scalar, UnaryOp};

pub(super) fn unary_takes(op: UnaryOp, ty: Scalar) -> bool {
    match op {
        UnaryOp::Not => ty == Scalar::Bool,
        UnaryOp::Neg => ty != Scalar::Bool,
        UnaryOp::BitNot => matches!(ty, Scalar::Int(_)),
    }
}

pub(super) fn binary_takes(op: BinaryOp, ty: Scalar) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => ty != Scalar::Bool,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !matches!(ty, Scalar::Float(_)),
        BinaryOp::Shl | BinaryOp::Shr => matches!(ty, Scalar::Int(_)),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => true,
    }
}

pub(super) fn converts(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        (Scalar::Bool, Scalar::Float(_)) | (Scalar::Int(_) | Scalar::Float(_), Scalar::Bool) => false,
        (Scalar::Bool, Scalar::Bool | Scalar::Int(_)) => true,
        (Scalar::Int(_) | Scalar::Float(_), Scalar::Int(_) | Scalar::Float(_)) => true,
    }
}

//! Builds IR expressions, folding what is constant in both number models. Exact.
//!
//! `1 + 1` becomes `2` everywhere. `4294967295u + 1u` wraps in machine numbers and does not in mathematical ones,
//! so it is folded only where C itself asks for a constant (`wrap`): an array length, a `case`, an initial value.

use ir::{BinaryOp, Const, Expr, FloatType, IntType, Scalar, UnaryOp};

pub(crate) fn int(ty: IntType, value: i128) -> Expr {
    Expr::Const(Const::Int(ty, ty.wrap(value)))
}

pub(crate) fn i64(value: u64) -> Expr {
    int(IntType::I64, i128::from(value))
}

pub(crate) fn boolean(value: bool) -> Expr {
    Expr::Const(Const::Bool(value))
}

pub(crate) fn null() -> Expr {
    Expr::Const(Const::Null)
}

pub(crate) fn null_pointer() -> Expr {
    Expr::Const(Const::Record(vec![Const::Null, Const::Int(IntType::I64, 0)]))
}

/// Whether evaluating the expression again costs nothing and says the same.
pub(crate) fn is_simple(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Local(_) => true,
        Expr::Get { record, .. } => is_simple(record),
        Expr::Record(fields) => fields.iter().all(is_simple),
        _ => false,
    }
}

pub(crate) fn constant_int(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Const(Const::Int(_, value)) => Some(*value),
        Expr::Const(Const::Bool(value)) => Some(i128::from(*value)),
        _ => None,
    }
}

pub(crate) fn not(arg: Expr) -> Expr {
    match arg {
        Expr::Const(Const::Bool(value)) => boolean(!value),
        Expr::Unary { op: UnaryOp::Not, arg, .. } => *arg,
        Expr::Binary { op: BinaryOp::Eq, ty, lhs, rhs } => Expr::Binary { op: BinaryOp::Ne, ty, lhs, rhs },
        Expr::Binary { op: BinaryOp::Ne, ty, lhs, rhs } => Expr::Binary { op: BinaryOp::Eq, ty, lhs, rhs },
        // For integers only: a comparison with NaN is false both ways.
        Expr::Binary { op: BinaryOp::Lt, ty: ty @ Scalar::Int(_), lhs, rhs } => {
            Expr::Binary { op: BinaryOp::Le, ty, lhs: rhs, rhs: lhs }
        }
        Expr::Binary { op: BinaryOp::Le, ty: ty @ Scalar::Int(_), lhs, rhs } => {
            Expr::Binary { op: BinaryOp::Lt, ty, lhs: rhs, rhs: lhs }
        }
        arg => Expr::Unary { op: UnaryOp::Not, ty: Scalar::Bool, arg: Box::new(arg) },
    }
}

pub(crate) fn and(lhs: Expr, rhs: Expr) -> Expr {
    match (lhs, rhs) {
        (Expr::Const(Const::Bool(true)), other) | (other, Expr::Const(Const::Bool(true))) => other,
        (Expr::Const(Const::Bool(false)), _) | (_, Expr::Const(Const::Bool(false))) => boolean(false),
        (lhs, rhs) => raw(BinaryOp::And, Scalar::Bool, lhs, rhs),
    }
}

pub(crate) fn or(lhs: Expr, rhs: Expr) -> Expr {
    match (lhs, rhs) {
        (Expr::Const(Const::Bool(false)), other) | (other, Expr::Const(Const::Bool(false))) => other,
        (Expr::Const(Const::Bool(true)), _) | (_, Expr::Const(Const::Bool(true))) => boolean(true),
        (lhs, rhs) => raw(BinaryOp::Or, Scalar::Bool, lhs, rhs),
    }
}

pub(crate) fn if_else(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match condition {
        Expr::Const(Const::Bool(true)) => then,
        Expr::Const(Const::Bool(false)) => otherwise,
        condition => {
            Expr::If { condition: Box::new(condition), then: Box::new(then), otherwise: Box::new(otherwise) }
        }
    }
}

pub(crate) fn same_ref(lhs: Expr, rhs: Expr) -> Expr {
    match (&lhs, &rhs) {
        (
            Expr::Const(a @ (Const::Null | Const::Static(_))),
            Expr::Const(b @ (Const::Null | Const::Static(_))),
        ) => boolean(a == b),
        (Expr::Local(a), Expr::Local(b)) if a == b => boolean(true),
        _ => Expr::SameRef { lhs: Box::new(lhs), rhs: Box::new(rhs) },
    }
}

pub(crate) fn is_null(object: Expr) -> Expr {
    same_ref(object, null())
}

pub(crate) fn get(record: Expr, index: u32) -> Expr {
    match record {
        Expr::Record(mut fields) => fields.swap_remove(index as usize),
        Expr::Const(Const::Record(mut fields)) => Expr::Const(fields.swap_remove(index as usize)),
        record => Expr::Get { record: Box::new(record), index },
    }
}

/// The object and the offset of a pointer.
pub(crate) fn parts(pointer: Expr) -> (Expr, Expr) {
    (get(pointer.clone(), 0), get(pointer, 1))
}

pub(crate) fn pointer(object: Expr, offset: Expr) -> Expr {
    match (object, offset) {
        (Expr::Const(object), Expr::Const(offset)) => Expr::Const(Const::Record(vec![object, offset])),
        // The whole pointer again, taken apart and put together.
        (Expr::Get { record: a, index: 0 }, Expr::Get { record: b, index: 1 }) if a == b => *a,
        (object, offset) => Expr::Record(vec![object, offset]),
    }
}

pub(crate) fn length(object: Expr) -> Expr {
    Expr::Length { object: Box::new(object), ty: IntType::I64 }
}

fn raw(op: BinaryOp, ty: Scalar, lhs: Expr, rhs: Expr) -> Expr {
    Expr::Binary { op, ty, lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

/// An operator on two values of a type.
pub(crate) fn binary(op: BinaryOp, ty: Scalar, lhs: Expr, rhs: Expr, wrap: bool) -> Expr {
    if let (Expr::Const(a), Expr::Const(b)) = (&lhs, &rhs)
        && let Some(folded) = fold(op, ty, a, b, wrap)
    {
        return Expr::Const(folded);
    }
    if let Scalar::Int(_) = ty {
        match (op, constant_int(&lhs), constant_int(&rhs)) {
            (BinaryOp::Add, Some(0), _) | (BinaryOp::Mul, Some(1), _) => return rhs,
            (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) | (BinaryOp::Mul | BinaryOp::Div, _, Some(1)) => {
                return lhs;
            }
            _ => {}
        }
    }
    raw(op, ty, lhs, rhs)
}

pub(crate) fn add(ty: IntType, lhs: Expr, rhs: Expr) -> Expr {
    binary(BinaryOp::Add, Scalar::Int(ty), lhs, rhs, false)
}

pub(crate) fn mul(ty: IntType, lhs: Expr, rhs: Expr) -> Expr {
    binary(BinaryOp::Mul, Scalar::Int(ty), lhs, rhs, false)
}

pub(crate) fn eq(ty: Scalar, lhs: Expr, rhs: Expr) -> Expr {
    binary(BinaryOp::Eq, ty, lhs, rhs, false)
}

pub(crate) fn lt(ty: IntType, lhs: Expr, rhs: Expr) -> Expr {
    binary(BinaryOp::Lt, Scalar::Int(ty), lhs, rhs, false)
}

pub(crate) fn le(ty: IntType, lhs: Expr, rhs: Expr) -> Expr {
    binary(BinaryOp::Le, Scalar::Int(ty), lhs, rhs, false)
}

pub(crate) fn unary(op: UnaryOp, ty: Scalar, arg: Expr, wrap: bool) -> Expr {
    let folded = match (op, ty, &arg) {
        (UnaryOp::Not, ..) => return not(arg),
        (UnaryOp::Neg, Scalar::Int(ty), Expr::Const(Const::Int(_, value))) => in_range(ty, -value, wrap),
        (UnaryOp::BitNot, Scalar::Int(ty), Expr::Const(Const::Int(_, value))) => in_range(ty, !value, wrap),
        // The sign of a zero is lost in the reals, so that its negation stays an operation.
        (UnaryOp::Neg, _, Expr::Const(Const::F64(bits))) if wrap || f64::from_bits(*bits) != 0.0 => {
            Some(Const::f64(-f64::from_bits(*bits)))
        }
        (UnaryOp::Neg, _, Expr::Const(Const::F32(bits))) if wrap || f32::from_bits(*bits) != 0.0 => {
            Some(Const::f32(-f32::from_bits(*bits)))
        }
        _ => None,
    };
    folded.map_or_else(|| Expr::Unary { op, ty, arg: Box::new(arg) }, Expr::Const)
}

fn in_range(ty: IntType, value: i128, wrap: bool) -> Option<Const> {
    (wrap || ty.contains(value)).then(|| Const::Int(ty, ty.wrap(value)))
}

fn fold(op: BinaryOp, ty: Scalar, lhs: &Const, rhs: &Const, wrap: bool) -> Option<Const> {
    match (lhs, rhs, ty) {
        (Const::Int(_, a), Const::Int(_, b), Scalar::Int(ty)) => fold_ints(op, ty, *a, *b, wrap),
        (Const::Bool(a), Const::Bool(b), Scalar::Bool) => match op {
            BinaryOp::And => Some(Const::Bool(a & b)),
            BinaryOp::Or => Some(Const::Bool(a | b)),
            BinaryOp::Xor | BinaryOp::Ne => Some(Const::Bool(a ^ b)),
            BinaryOp::Eq => Some(Const::Bool(a == b)),
            _ => None,
        },
        (Const::F64(a), Const::F64(b), _) if wrap => {
            fold_floats(op, f64::from_bits(*a), f64::from_bits(*b), Const::f64)
        }
        (Const::F32(a), Const::F32(b), _) if wrap => {
            // One operation on doubles, rounded once more, is the operation on floats (double has more than
            // twice the digits).
            let narrow = |value: f64| Const::f32(value as f32);
            fold_floats(op, f64::from(f32::from_bits(*a)), f64::from(f32::from_bits(*b)), narrow)
        }
        _ => None,
    }
}

fn fold_ints(op: BinaryOp, ty: IntType, a: i128, b: i128, wrap: bool) -> Option<Const> {
    let shift = u32::try_from(b).ok().filter(|count| *count < u32::from(ty.width));
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div if b != 0 => a / b,
        BinaryOp::Rem if b != 0 => a % b,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a << shift?,
        BinaryOp::Shr => a >> shift?,
        BinaryOp::Eq => return Some(Const::Bool(a == b)),
        BinaryOp::Ne => return Some(Const::Bool(a != b)),
        BinaryOp::Lt => return Some(Const::Bool(a < b)),
        BinaryOp::Le => return Some(Const::Bool(a <= b)),
        BinaryOp::Div | BinaryOp::Rem => return None,
    };
    in_range(ty, value, wrap)
}

fn fold_floats(op: BinaryOp, a: f64, b: f64, make: impl Fn(f64) -> Const) -> Option<Const> {
    Some(match op {
        BinaryOp::Add => make(a + b),
        BinaryOp::Sub => make(a - b),
        BinaryOp::Mul => make(a * b),
        BinaryOp::Div => make(a / b),
        BinaryOp::Eq => Const::Bool(a == b),
        BinaryOp::Ne => Const::Bool(a != b),
        BinaryOp::Lt => Const::Bool(a < b),
        BinaryOp::Le => Const::Bool(a <= b),
        _ => return None,
    })
}

/// A conversion between scalar types; the value of a float that becomes an integer has been checked to fit.
pub(crate) fn convert(from: Scalar, to: Scalar, arg: Expr, wrap: bool) -> Expr {
    if from == to {
        return arg;
    }
    if let Expr::Const(constant) = &arg
        && let Some(folded) = fold_conversion(constant, to, wrap)
    {
        return Expr::Const(folded);
    }
    // Back from a wider type: the value never changed.
    if let (Expr::Convert { from: Scalar::Int(inner), arg: value, .. }, Scalar::Int(wide)) = (&arg, from)
        && to == Scalar::Int(*inner)
        && wide.width > inner.width
    {
        return (**value).clone();
    }
    // Through a type that holds all values: the way does not matter.
    if let Expr::Convert { from: Scalar::Int(inner), arg: value, .. } = &arg
        && let (Scalar::Int(middle), Scalar::Int(_)) = (from, to)
        && middle.contains(IntType::min(*inner))
        && middle.contains(IntType::max(*inner))
    {
        return convert(Scalar::Int(*inner), to, (**value).clone(), wrap);
    }
    Expr::Convert { from, to, arg: Box::new(arg) }
}

fn fold_conversion(constant: &Const, to: Scalar, wrap: bool) -> Option<Const> {
    match (constant, to) {
        (Const::Bool(value), Scalar::Int(ty)) => Some(Const::Int(ty, i128::from(*value))),
        (Const::Int(_, value), Scalar::Int(ty)) => in_range(ty, *value, wrap),
        (Const::Int(_, value), Scalar::Float(FloatType::F64)) => {
            let float = *value as f64;
            (wrap || float as i128 == *value).then(|| Const::f64(float))
        }
        (Const::Int(_, value), Scalar::Float(FloatType::F32)) => {
            let float = *value as f32;
            (wrap || float as i128 == *value).then(|| Const::f32(float))
        }
        (Const::F64(bits), Scalar::Float(FloatType::F32)) => {
            let (double, float) = (f64::from_bits(*bits), f64::from_bits(*bits) as f32);
            // Under mathematical numbers a constant is its shortest decimal, which must stay the same number.
            (wrap || format!("{double:?}") == format!("{float:?}")).then(|| Const::f32(float))
        }
        (Const::F32(bits), Scalar::Float(FloatType::F64)) => {
            let (float, double) = (f32::from_bits(*bits), f64::from(f32::from_bits(*bits)));
            (wrap || format!("{double:?}") == format!("{float:?}")).then(|| Const::f64(double))
        }
        (Const::F64(bits), Scalar::Int(ty)) => truncated(f64::from_bits(*bits), ty),
        (Const::F32(bits), Scalar::Int(ty)) => truncated(f64::from(f32::from_bits(*bits)), ty),
        _ => None,
    }
}

fn truncated(value: f64, ty: IntType) -> Option<Const> {
    let cut = value.trunc();
    (cut.is_finite() && ty.contains(cut as i128)).then_some(Const::Int(ty, cut as i128))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_number_models_agree_on_is_folded() {
        let max = int(IntType::U32, 0xffff_ffff);
        let one = int(IntType::U32, 1);
        let sum = |wrap| binary(BinaryOp::Add, Scalar::Int(IntType::U32), max.clone(), one.clone(), wrap);
        assert!(matches!(sum(false), Expr::Binary { .. }));
        assert_eq!(sum(true), int(IntType::U32, 0));
        let tenth = Expr::Const(Const::f64(0.1));
        let narrow = convert(Scalar::Float(FloatType::F64), Scalar::Float(FloatType::F32), tenth, false);
        assert_eq!(narrow, Expr::Const(Const::f32(0.1)));
    }
}

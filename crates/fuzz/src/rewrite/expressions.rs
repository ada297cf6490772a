//! Rewrites of one expression into another with the same value and the same failures.

use arbitrary_source::Choices;

use super::sites::at_random_expr;
use crate::effects::{Effects, of_expr};
use crate::tree::{Binary, Expr, Kind, Tree, Ty, Unary};

/// Changes nothing but what it computes.
fn quiet(effects: &Effects) -> bool {
    effects.writes.is_empty() && !effects.prints && !effects.allocates
}

/// `a + b` to `b + a`, where at most one of both can fail and none has effects.
/// `a && b` only where none can fail.
pub(crate) fn commute(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |tree, expr, _| {
        let Kind::Binary(op, a, b) = &mut expr.kind else { return false };
        let effects = (of_expr(tree, a), of_expr(tree, b));
        let lazy = matches!(op, Binary::Both | Binary::Either);
        let fails = usize::from(effects.0.fails) + usize::from(effects.1.fails);
        let applies = op.commutes() && quiet(&effects.0) && quiet(&effects.1) && fails <= usize::from(!lazy);
        if applies {
            std::mem::swap(a, b);
        }
        applies
    })
}

/// `a < b` to `b > a`, where at most one of both can fail and none has effects.
pub(crate) fn mirror_comparison(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |tree, expr, _| {
        let Kind::Binary(op, a, b) = &mut expr.kind else { return false };
        let mirrored = match op {
            Binary::Lt => Binary::Gt,
            Binary::Gt => Binary::Lt,
            Binary::Le => Binary::Ge,
            Binary::Ge => Binary::Le,
            _ => return false,
        };
        let effects = (of_expr(tree, a), of_expr(tree, b));
        let applies = quiet(&effects.0) && quiet(&effects.1) && !(effects.0.fails && effects.1.fails);
        if applies {
            *op = mirrored;
            std::mem::swap(a, b);
        }
        applies
    })
}

/// `a < b` to `!(a >= b)`; equality of anything, order of integers only, because of NaN.
pub(crate) fn negate_comparison(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| {
        let Kind::Binary(op, a, _) = &mut expr.kind else { return false };
        let opposite = match op {
            Binary::Eq => Binary::Ne,
            Binary::Ne => Binary::Eq,
            Binary::Lt => Binary::Ge,
            Binary::Ge => Binary::Lt,
            Binary::Gt => Binary::Le,
            Binary::Le => Binary::Gt,
            _ => return false,
        };
        if matches!(op, Binary::Eq | Binary::Ne) || a.ty.is_integer() {
            *op = opposite;
            *expr = Expr::negated(expr.take());
            return true;
        }
        false
    })
}

/// `a && b` to `!(!a || !b)`, and back one level: `!(a && b)` to `!a || !b`.
pub(crate) fn de_morgan(tree: &mut Tree, choices: &mut Choices) -> bool {
    fn dual(expr: &mut Expr) -> bool {
        let Kind::Binary(op @ (Binary::Both | Binary::Either), a, b) = &mut expr.kind else { return false };
        *op = if *op == Binary::Both { Binary::Either } else { Binary::Both };
        **a = Expr::negated(a.take());
        **b = Expr::negated(b.take());
        true
    }
    at_random_expr(tree, choices, &mut |_, expr, _| {
        if let Kind::Unary(Unary::Not, inner) = &mut expr.kind {
            let applies = dual(inner);
            if applies {
                *expr = inner.take();
            }
            return applies;
        }
        let applies = dual(expr);
        if applies {
            *expr = Expr::negated(expr.take());
        }
        applies
    })
}

/// `!!c` to `c` and back.
pub(crate) fn double_negation(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| {
        if expr.ty != Ty::Bool {
            return false;
        }
        if let Kind::Unary(Unary::Not, inner) = &mut expr.kind
            && let Kind::Unary(Unary::Not, inner) = &mut inner.kind
        {
            *expr = inner.take();
        } else {
            *expr = Expr::negated(Expr::negated(expr.take()));
        }
        true
    })
}

/// `c` to `c == true`, `c != false` or `c ? true : false`.
pub(crate) fn compare_with_truth(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, choices| {
        if expr.ty != Ty::Bool {
            return false;
        }
        let inner = expr.take();
        let truth = |value| Expr::constant(Ty::Bool, value);
        *expr = match choices.below(3) {
            0 => Expr::binary(Binary::Eq, inner, truth(1)),
            1 => Expr::binary(Binary::Ne, inner, truth(0)),
            _ => Expr::new(Ty::Bool, Kind::Cond(Box::new(inner), Box::new(truth(1)), Box::new(truth(0)))),
        };
        true
    })
}

/// `i < 5` to `i <= 4` and the like, for integers and small constants.
pub(crate) fn shift_a_bound(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| {
        let Kind::Binary(op, a, b) = &mut expr.kind else { return false };
        let Kind::Const(bound) = &mut b.kind else { return false };
        if !a.ty.is_integer() {
            return false;
        }
        let (other, by) = match op {
            Binary::Lt => (Binary::Le, -1),
            Binary::Le => (Binary::Lt, 1),
            Binary::Gt => (Binary::Ge, 1),
            Binary::Ge => (Binary::Gt, -1),
            _ => return false,
        };
        *op = other;
        *bound += by;
        true
    })
}

/// `c ? a : b` to `!c ? b : a`.
pub(crate) fn swap_choice(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| {
        let Kind::Cond(condition, a, b) = &mut expr.kind else { return false };
        **condition = Expr::negated(condition.take());
        std::mem::swap(a, b);
        true
    })
}

/// `x * 2` to `x + x` or, for integers, `x << 1`; and `x + x` to `x * 2`. `x` has no effects.
pub(crate) fn double(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |tree, expr, choices| {
        let Kind::Binary(op, a, b) = &mut expr.kind else { return false };
        if !quiet(&of_expr(tree, a)) || a.ty == Ty::Bool {
            return false;
        }
        let two = if a.ty == Ty::Double { 8 } else { 2 };
        if *op == Binary::Add && a == b {
            *expr = Expr::binary(Binary::Mul, a.take(), Expr::constant(expr.ty, two));
            return true;
        }
        if *op != Binary::Mul || b.kind != Kind::Const(two) {
            return false;
        }
        let once = a.take();
        *expr = if once.ty.is_integer() && choices.percent(50) {
            Expr::binary(Binary::Shl, once, Expr::constant(Ty::Int, 1))
        } else {
            Expr::binary(Binary::Add, once.clone(), once)
        };
        true
    })
}

/// `a - b` to `a + (-b)` and `a + b` to `a - (-b)`.
pub(crate) fn add_the_negative(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| {
        let Kind::Binary(op, _, b) = &mut expr.kind else { return false };
        let other = match op {
            Binary::Add => Binary::Sub,
            Binary::Sub => Binary::Add,
            _ => return false,
        };
        *op = other;
        **b = Expr::unary(Unary::Neg, b.take());
        true
    })
}

/// `(a + b) + c` to `a + (b + c)`, for integers and truth values: the order of evaluation stays.
pub(crate) fn associate(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| {
        if expr.ty == Ty::Double {
            return false;
        }
        let Kind::Binary(outer, left, c) = &mut expr.kind else { return false };
        let outer = *outer;
        let Kind::Binary(inner, a, b) = &mut left.kind else { return false };
        if outer != *inner || !outer.commutes() || outer.is_comparison() {
            return false;
        }
        *expr = Expr::binary(outer, a.take(), Expr::binary(outer, b.take(), c.take()));
        true
    })
}

/// `k * (a + b)` to `k * a + k * b`, for integers, where `k` cannot fail and has no effects.
pub(crate) fn distribute(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |tree, expr, _| {
        let ty = expr.ty;
        let Kind::Binary(Binary::Mul, k, sum) = &mut expr.kind else { return false };
        let Kind::Binary(op @ (Binary::Add | Binary::Sub), a, b) = &mut sum.kind else { return false };
        let op = *op;
        if !ty.is_integer() || !of_expr(tree, k).is_pure() {
            return false;
        }
        let left = Expr::binary(Binary::Mul, (**k).clone(), a.take());
        *expr = Expr::binary(op, left, Expr::binary(Binary::Mul, k.take(), b.take()));
        true
    })
}

/// `-a` to `~a + 1` or `0 - a`, for integers.
pub(crate) fn negate_by_bits(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, choices| {
        let Kind::Unary(Unary::Neg, a) = &mut expr.kind else { return false };
        if !a.ty.is_integer() {
            return false;
        }
        let (ty, inner) = (a.ty, a.take());
        *expr = if choices.percent(50) {
            Expr::binary(Binary::Add, Expr::unary(Unary::BitNot, inner), Expr::constant(ty, 1))
        } else {
            Expr::binary(Binary::Sub, Expr::constant(ty, 0), inner)
        };
        true
    })
}

/// `a + b` of `int` to `(int) ((long) a + (long) b)`: the low bits are the same, and so are the numbers.
pub(crate) fn compute_in_long(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| {
        if expr.ty != Ty::Int {
            return false;
        }
        let Kind::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b) = &mut expr.kind else {
            return false;
        };
        for part in [a, b] {
            **part = Expr::new(Ty::Long, Kind::Cast(Box::new(part.take())));
        }
        expr.ty = Ty::Long;
        *expr = Expr::new(Ty::Int, Kind::Cast(Box::new(expr.take())));
        true
    })
}

/// `a` to `a + 0`, `a * 1`, `0 + a`, and back, for integers.
pub(crate) fn neutral_element(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, choices| {
        if !expr.ty.is_integer() {
            return false;
        }
        let (ty, inner) = (expr.ty, expr.take());
        let (op, value) =
            choices.pick(&[(Binary::Add, 0), (Binary::Sub, 0), (Binary::Mul, 1), (Binary::Or, 0)]);
        *expr = Expr::binary(op, inner, Expr::constant(ty, value));
        true
    })
}

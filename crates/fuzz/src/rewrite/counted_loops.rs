//! Rewrites of loops that count: peel the last iteration, unroll with a remainder, reverse, interchange, closed forms.

use arbitrary_source::Choices;

use super::counted::{Counted, commutes, update};
use super::sites::at_random_stmt;
use crate::effects::of_expr;
use crate::tree::{Binary, Block, Expr, For, Kind, Stmt, Tree, Ty};

/// `for (i = a; i < n; i++) b` to `if (a < n) { for (i = a; i < n - 1; i++) b  i = n - 1; b }`.
/// Behind the guard, `n - 1` is not below `a` and does not wrap around.
pub(crate) fn peel_last(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(counted) = counted_at(tree, block, position) else { return false };
        if !counted.is_straight(tree) {
            return false;
        }
        let one = Expr::constant(counted.ty(), 1);
        let last = Expr::binary(Binary::Sub, counted.limit.clone(), one);
        let mut inside = vec![counted.between(counted.first.clone(), last.clone())];
        inside.extend(counted.body_at(tree, last));
        block[position] = Stmt::If(counted.is_entered(), inside, Block::new());
        true
    })
}

/// `for (i = a; i < n; i++) b` to a loop with several copies of `b` and a loop for the rest.
pub(crate) fn unroll_with_remainder(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some(counted) = counted_at(tree, block, position) else { return false };
        let Some(unrolled) = unrolled(tree, &counted, choices) else { return false };
        block.splice(position..=position, unrolled);
        true
    })
}

/// `i = a; while (i < n && (long) n - (long) i >= k) { b b … i = i + k; } while (i < n) { b i = i + 1; }`.
/// The difference of two `int` is exact in `long`; of two `long` with `0 <= i < n` too. It says that the next `k - 1`
/// numbers are below `n`, so that neither they nor the steps wrap around.
pub(crate) fn unrolled(tree: &mut Tree, counted: &Counted, choices: &mut Choices) -> Option<Block> {
    let is_small = matches!(counted.first.kind, Kind::Const(first) if first >= 0);
    if !counted.is_straight(tree) || (counted.ty() == Ty::Long && !is_small) {
        return None;
    }
    let ty = counted.ty();
    let copies = choices.between(2, 3) as i64;
    let step_once = choices.percent(50);
    let counter = tree.fresh("i");
    let variable = || Expr::var(ty, &counter);
    let plus = |by: i64| {
        let sum = Expr::binary(Binary::Add, variable(), Expr::constant(ty, by));
        if by == 0 { variable() } else { sum }
    };
    let mut many = Block::new();
    for copy in 0..copies {
        many.extend(counted.body_at(tree, plus(if step_once { copy } else { 0 })));
        if !step_once {
            many.push(Stmt::Assign(variable(), plus(1)));
        }
    }
    if step_once {
        many.push(Stmt::Assign(variable(), plus(copies)));
    }
    let mut rest = counted.body_at(tree, variable());
    rest.push(Stmt::Assign(variable(), plus(1)));
    let below = Expr::binary(Binary::Lt, variable(), counted.limit.clone());
    let left = Expr::binary(Binary::Sub, Expr::long(counted.limit.clone()), Expr::long(variable()));
    let enough = Expr::binary(Binary::Ge, left, Expr::constant(Ty::Long, copies));
    Some(vec![
        Stmt::Let(counter.clone(), counted.first.clone()),
        Stmt::While(Expr::binary(Binary::Both, below.clone(), enough), many),
        Stmt::While(below, rest),
    ])
}

/// `for (i = a; i < n; i++) b` to `for (j = n; j > a; j--) { i = j - 1; b }` where the iterations may go in any order.
/// `j - 1` is not below `a`, so that nothing wraps around.
pub(crate) fn reverse(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(counted) = counted_at(tree, block, position) else { return false };
        if !commutes(tree, &counted.body) {
            return false;
        }
        block[position] = reversed(tree, &counted);
        true
    })
}

/// The same iterations, the last one first.
pub(crate) fn reversed(tree: &mut Tree, counted: &Counted) -> Stmt {
    down(tree, counted, |counter| {
        let one = Expr::constant(counter.ty, 1);
        Expr::binary(Binary::Sub, counter, one)
    })
}

/// `for (i = a; i < n; i++) b` to `for (j = n; j > a; j--) { i = a + (n - j); b }`: the same iterations in the same
/// order. The difference may wrap around when `a` is negative, and the sum wraps back; with `a = 0` there is none.
pub(crate) fn count_down(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(counted) = counted_at(tree, block, position) else { return false };
        let (first, limit) = (counted.first.clone(), counted.limit.clone());
        block[position] = down(tree, &counted, |counter| {
            let gone = Expr::binary(Binary::Sub, limit, counter);
            if first.kind == Kind::Const(0) { gone } else { Expr::binary(Binary::Add, first, gone) }
        });
        true
    })
}

/// A loop from the limit down to the first number; `index` says what the old counter is then.
fn down(tree: &mut Tree, counted: &Counted, index: impl FnOnce(Expr) -> Expr) -> Stmt {
    let counter = tree.fresh("j");
    let variable = Expr::var(counted.ty(), &counter);
    let body = counted.body_at(tree, index(variable.clone()));
    let condition = Expr::binary(Binary::Gt, variable.clone(), counted.first.clone());
    let step = Expr::binary(Binary::Sub, variable, Expr::constant(counted.ty(), 1));
    Stmt::For(Box::new(For { counter, start: counted.limit.clone(), condition, step, body }))
}

/// `for (i …) for (j …) b` to `for (j …) for (i …) b`, where neither head depends on the other loop and the
/// iterations of `b` may go in any order. Both loops count, so that both end.
pub(crate) fn interchange(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(Stmt::For(parts)) = block.get(position) else { return false };
        let Some(inner) = parts.body.first().and_then(|stmt| Counted::of(tree, stmt)) else { return false };
        if Counted::of(tree, &block[position]).is_none() || !commutes(tree, &inner.body) {
            return false;
        }
        match interchanged(tree, &block[position]) {
            Some(changed) => block[position] = changed,
            None => return false,
        }
        true
    })
}

/// Two loops, one directly in the other, the other way round: where the inner head does not use the outer counter.
pub(crate) fn interchanged(tree: &Tree, stmt: &Stmt) -> Option<Stmt> {
    let Stmt::For(outer) = stmt else { return None };
    let [Stmt::For(inner)] = outer.body.as_slice() else { return None };
    let uses = [&inner.start, &inner.condition, &inner.step]
        .into_iter()
        .any(|expr| of_expr(tree, expr).reads.contains(&outer.counter));
    if uses {
        return None;
    }
    let swapped = For { body: inner.body.clone(), ..(**outer).clone() };
    Some(Stmt::For(Box::new(For { body: vec![Stmt::For(Box::new(swapped))], ..(**inner).clone() })))
}

/// A loop that only adds or flips to what it computes, `n - a` times; see `closed_form_of`.
pub(crate) fn closed_form(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(counted) = counted_at(tree, block, position) else { return false };
        let Some(closed) = closed_form_of(tree, &counted) else { return false };
        block[position] = Stmt::If(counted.is_entered(), vec![closed], Block::new());
        true
    })
}

/// What a loop that is entered does to its only variable.
///
/// | body | all iterations | why |
/// |---|---|---|
/// | `x = x + k`, `x - k` | `x + (n - a) * k` | a product is a repeated sum, modulo any power of two too |
/// | `x = x ^ k` | `x ^ k` if `n - a` is odd | wrapping keeps the lowest bit |
/// | `x = x + i`, `a` small | `x + (n - a) * (a + n - 1) / 2` | in `long`, where `int` factors do not wrap around, cut off at the end |
pub(crate) fn closed_form_of(tree: &Tree, counted: &Counted) -> Option<Stmt> {
    let [Stmt::Assign(place, value)] = counted.body.as_slice() else { return None };
    let (name, op, operand) = update(place, value)?;
    let Kind::Binary(sign @ (Binary::Add | Binary::Sub | Binary::Xor), ..) = value.kind else { return None };
    let (first, limit) = (counted.first.clone(), counted.limit.clone());
    let effects = of_expr(tree, &operand);
    if operand == counted.variable() && op == Binary::Add && counted.ty() == Ty::Int {
        let Kind::Const(start @ 0..=1000) = first.kind else { return None };
        let long = |value| Expr::constant(Ty::Long, value);
        let times = Expr::binary(Binary::Sub, Expr::long(limit.clone()), long(start));
        let ends = Expr::binary(Binary::Add, Expr::long(limit), long(start - 1));
        let sum = Expr::binary(Binary::Div, Expr::binary(Binary::Mul, times, ends), long(2));
        let sum = if place.ty == Ty::Int { Expr::new(Ty::Int, Kind::Cast(Box::new(sum))) } else { sum };
        return Some(Stmt::Assign(place.clone(), Expr::binary(sign, place.clone(), sum)));
    }
    if !effects.is_pure() || effects.reads.contains(&name) || effects.reads.contains(&counted.counter) {
        return None;
    }
    let wide = |expr: Expr| if place.ty == Ty::Long { Expr::long(expr) } else { expr };
    if place.ty == Ty::Int && counted.ty() == Ty::Long {
        return None;
    }
    let times = Expr::binary(Binary::Sub, wide(limit), wide(first));
    if op == Binary::Xor {
        let lowest = Expr::binary(Binary::And, times, Expr::constant(place.ty, 1));
        let odd = Expr::binary(Binary::Ne, lowest, Expr::constant(place.ty, 0));
        let flip = Stmt::Assign(place.clone(), Expr::binary(Binary::Xor, place.clone(), operand));
        return Some(Stmt::If(odd, vec![flip], Block::new()));
    }
    let product = Expr::binary(Binary::Mul, times, operand);
    Some(Stmt::Assign(place.clone(), Expr::binary(sign, place.clone(), product)))
}

fn counted_at(tree: &Tree, block: &Block, position: usize) -> Option<Counted> {
    Counted::of(tree, block.get(position)?)
}

//! Rewrites of what loops do in each iteration: unswitch, fuse, sink, reduce products to sums, walk by pointers.

use std::collections::BTreeSet;

use arbitrary_source::Choices;

use super::counted::Counted;
use super::sites::at_random_stmt;
use super::statements::mentions;
use crate::effects::{Effects, always_jumps, of_block, of_expr};
use crate::tree::{
    Binary, Block, Expr, For, Kind, Stmt, Tree, Ty, for_each_expr_in, own_blocks, rename, rename_in,
};

/// `loop { s if (c) t else u v }` to `if (c) loop { s t v } else loop { s u v }`, where `c` cannot fail and reads
/// nothing that the loop writes.
pub(crate) fn unswitch(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(stmt @ (Stmt::While(..) | Stmt::DoWhile(..) | Stmt::For(_))) = block.get(position) else {
            return false;
        };
        let writes = of_block(tree, std::slice::from_ref(stmt)).writes;
        let mut sides = [stmt.clone(), stmt.clone()];
        let mut switch = None;
        for (side, stmt) in sides.iter_mut().enumerate() {
            let Some(body) = own_blocks(stmt).pop() else { return false };
            let place = body.iter().position(|stmt| is_fixed_choice(tree, stmt, &writes));
            let Some(place) = place else { return false };
            let Stmt::If(condition, then, otherwise) = body[place].clone() else { return false };
            body.splice(place..=place, if side == 0 { then } else { otherwise });
            switch = Some(condition);
        }
        let Some(condition) = switch else { return false };
        let [then, otherwise] = sides;
        let then = tree.copy(&vec![then]);
        block[position] = Stmt::If(condition, then, vec![otherwise]);
        true
    })
}

/// A choice that is the same in all iterations; what follows can be reached from both branches.
fn is_fixed_choice(tree: &Tree, stmt: &Stmt, writes: &BTreeSet<String>) -> bool {
    let Stmt::If(condition, then, otherwise) = stmt else { return false };
    let effects = of_expr(tree, condition);
    let is_fixed = effects.is_pure() && effects.reads.is_disjoint(writes);
    is_fixed && !always_jumps(then) && !always_jumps(otherwise)
}

/// `for (i …) s for (j …) t` to `for (i …) { s t }`, for the same head: neither part fails, jumps or touches what the
/// other writes, at most one prints, and what the head reads is not written.
pub(crate) fn fuse(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let (Some(Stmt::For(one)), Some(Stmt::For(other))) = (block.get(position), block.get(position + 1))
        else {
            return false;
        };
        let mut same = (**other).clone();
        for expr in [&mut same.start, &mut same.condition, &mut same.step] {
            rename_in(expr, &other.counter, &one.counter);
        }
        rename(&mut same.body, &other.counter, &one.counter);
        let has_same_head =
            same.start == one.start && same.condition == one.condition && same.step == one.step;
        if !has_same_head || !may_share_head(tree, one, &one.body, &same.body) {
            return false;
        }
        let mut fused = (**one).clone();
        fused.body.extend(same.body);
        block[position] = Stmt::For(Box::new(fused));
        block.remove(position + 1);
        true
    })
}

/// Whether two bodies do the same one after the other in each iteration and in loops of their own. The head must not
/// fail or have effects either, because it is evaluated twice.
fn may_share_head(tree: &Tree, head: &For, one: &Block, other: &Block) -> bool {
    let effects = [of_block(tree, one), of_block(tree, other)];
    let of_head: Vec<Effects> =
        [&head.start, &head.condition, &head.step].into_iter().map(|expr| of_expr(tree, expr)).collect();
    let is_calm = |effects: &Effects| !effects.fails && !effects.jumps();
    let touches_head = |part: &Effects| {
        part.writes.contains(&head.counter)
            || of_head.iter().any(|head| part.writes.iter().any(|name| head.reads.contains(name)))
    };
    effects.iter().all(is_calm)
        && of_head.iter().all(Effects::is_pure)
        && !effects[0].interferes(&effects[1])
        && !(effects[0].prints && effects[1].prints)
        && !effects.iter().any(touches_head)
}

/// `v = e; loop b` to `loop { v = e; b }`, where only `b` uses `v`, nothing in the loop writes it or what `e` reads,
/// and `e` cannot fail and makes no object.
pub(crate) fn sink(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(Stmt::Let(name, value)) = block.get(position) else { return false };
        let (name, value) = (name.clone(), value.clone());
        let after = block.split_off((position + 2).min(block.len()));
        let is_used_after = mentions(&after, &name);
        block.extend(after);
        let Some(stmt @ (Stmt::While(..) | Stmt::DoWhile(..) | Stmt::For(_))) = block.get_mut(position + 1)
        else {
            return false;
        };
        let effects = of_expr(tree, &value);
        let writes = of_block(tree, std::slice::from_ref(stmt)).writes;
        let mut head = stmt.clone();
        own_blocks(&mut head).into_iter().for_each(Vec::clear);
        let is_stable = !writes.contains(&name) && effects.reads.is_disjoint(&writes);
        let is_null = value.ty.is_reference() && matches!(value.kind, Kind::Const(_));
        if !effects.is_pure() || !is_stable || is_used_after || is_null || mentions(&vec![head], &name) {
            return false;
        }
        for body in own_blocks(stmt) {
            body.insert(0, Stmt::Let(name.clone(), value.clone()));
        }
        block.remove(position);
        true
    })
}

/// `for (i = a; c; i = i ± s) { … i * k … }` to `p = a * k; for (…) { … p … p = p ± s * k; }`; without `continue`, which
/// would miss the last part. `p` is `i * k` in every iteration, modulo any power of two too. The counter itself can
/// be followed this way, with `k = 1`.
pub(crate) fn reduce_strength(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some(Stmt::For(parts)) = block.get(position) else { return false };
        let mut parts = (**parts).clone();
        let ty = parts.start.ty;
        let variable = Expr::var(ty, &parts.counter);
        let effects = of_block(tree, &parts.body);
        let Some((sign, by)) = constant_step(&parts) else { return false };
        let is_plain = of_expr(tree, &parts.start).is_pure() && !effects.writes.contains(&parts.counter);
        if !is_plain || effects.continues || always_jumps(&parts.body) {
            return false;
        }
        let mut found = Vec::new();
        for_each_expr_in(&mut parts.body, &mut |expr| {
            found.extend(factor(expr, &variable).filter(|_| expr.ty == ty));
        });
        if found.is_empty() {
            return false;
        }
        let chosen = choices.pick(&found);
        let name = tree.fresh("p");
        let product = Expr::var(ty, &name);
        for_each_expr_in(&mut parts.body, &mut |expr| {
            if factor(expr, &variable) == Some(chosen) {
                *expr = product.clone();
            }
        });
        let step = Expr::constant(ty, by * chosen);
        parts.body.push(Stmt::Assign(product.clone(), Expr::binary(sign, product, step)));
        let first = Expr::binary(Binary::Mul, parts.start.clone(), Expr::constant(ty, chosen));
        block[position] = Stmt::For(Box::new(parts));
        block.insert(position, Stmt::Let(name, first));
        true
    })
}

/// By which constant a counter is stepped, and whether up or down.
fn constant_step(parts: &For) -> Option<(Binary, i64)> {
    let Kind::Binary(sign @ (Binary::Add | Binary::Sub), counter, by) = &parts.step.kind else { return None };
    match by.kind {
        Kind::Const(by) if **counter == Expr::var(parts.start.ty, &parts.counter) => Some((*sign, by)),
        _ => None,
    }
}

/// The constant `k` of `i * k`; 1 for `i`.
fn factor(expr: &Expr, variable: &Expr) -> Option<i64> {
    match &expr.kind {
        Kind::Var(_) if expr == variable => Some(1),
        Kind::Binary(Binary::Mul, a, b) => match (&a.kind, &b.kind) {
            (Kind::Const(k), _) if **b == *variable => Some(*k),
            (_, Kind::Const(k)) if **a == *variable => Some(*k),
            _ => None,
        },
        _ => None,
    }
}

/// In C: `for (i = a; i < n; i++) { … x[i] … }` to `p = x + a; for (…) { … p[0] … p = p + 1; }`, for an array that the
/// loop does not change. Pointers may leave their array as long as they are not used.
pub(crate) fn walk_by_pointer(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some(counted) = block.get(position).and_then(|stmt| Counted::of(tree, stmt)) else {
            return false;
        };
        let effects = of_block(tree, &counted.body);
        if tree.is_java || effects.continues {
            return false;
        }
        let mut body = counted.body.clone();
        let variable = counted.variable();
        let mut arrays = Vec::new();
        for_each_expr_in(&mut body, &mut |expr| match &expr.kind {
            Kind::Index(array, index) if **index == variable => match &array.kind {
                Kind::Var(name) if !effects.writes.contains(name) => arrays.push(name.clone()),
                _ => {}
            },
            _ => {}
        });
        if arrays.is_empty() {
            return false;
        }
        let array = Expr::var(Ty::Ints, &choices.pick(&arrays));
        let name = tree.fresh("p");
        let pointer = Expr::var(Ty::Ints, &name);
        let here = Kind::Index(Box::new(pointer.clone()), Box::new(Expr::constant(Ty::Int, 0)));
        for_each_expr_in(&mut body, &mut |expr| {
            if expr.kind == Kind::Index(Box::new(array.clone()), Box::new(variable.clone())) {
                expr.kind = here.clone();
            }
        });
        let next = Expr::binary(Binary::Add, pointer.clone(), Expr::constant(Ty::Int, 1));
        body.push(Stmt::Assign(pointer, next));
        let walk = Counted { body, ..counted };
        block[position] = walk.between(walk.first.clone(), walk.limit.clone());
        let first = Expr::binary(Binary::Add, array, walk.first);
        block.insert(position, Stmt::Let(name, first));
        true
    })
}

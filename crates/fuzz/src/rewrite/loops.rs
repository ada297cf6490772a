//! Rewrites of loops: `for` against `while`, peeling, unrolling, splitting, hoisting.

use arbitrary_source::Choices;

use super::sites::at_random_stmt;
use super::statements::always_true;
use super::variables::harmless;
use crate::effects::{Effects, always_jumps, of_block, of_expr};
use crate::tree::{Binary, Block, Expr, For, Kind, Stmt, Tree, Ty, for_each_expr_in, own_blocks};

/// `s` to `while (true) { s break; }`: where `s` declares nothing, does not jump to a loop around it, and may get to
/// its end.
pub(crate) fn wrap_in_loop(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(stmt) = block.get(position) else { return false };
        let inside = vec![stmt.clone()];
        let effects = of_block(tree, &inside);
        if matches!(stmt, Stmt::Let(..)) || effects.breaks || effects.continues || always_jumps(&inside) {
            return false;
        }
        let body = [inside, vec![Stmt::Break]].concat();
        block[position] = Stmt::While(always_true(Ty::Int), body);
        true
    })
}

/// The parts of a `for` that make up the same `while`; only without `continue`, which would skip the step.
fn as_while(tree: &Tree, parts: &For) -> Option<(Stmt, Expr, Block)> {
    if of_block(tree, &parts.body).continues || always_jumps(&parts.body) {
        return None;
    }
    let start = Stmt::Let(parts.counter.clone(), parts.start.clone());
    let counter = Expr::var(parts.start.ty, &parts.counter);
    let body = [parts.body.clone(), vec![Stmt::Assign(counter, parts.step.clone())]].concat();
    Some((start, parts.condition.clone(), body))
}

/// The loop at a position, as the statement before it (if any), its condition and its body.
pub(super) fn loop_at(tree: &Tree, block: &Block, position: usize) -> Option<(Vec<Stmt>, Expr, Block)> {
    match block.get(position)? {
        Stmt::While(condition, body) => Some((Vec::new(), condition.clone(), body.clone())),
        Stmt::For(parts) => {
            as_while(tree, parts).map(|(start, condition, body)| (vec![start], condition, body))
        }
        _ => None,
    }
}

/// `for (i = a; c; i = s) b` to `i = a; while (c) { b i = s; }`, without `continue` in the body.
pub(crate) fn for_as_while(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some((start, condition, body)) = loop_at(tree, block, position) else { return false };
        if start.is_empty() {
            return false;
        }
        let replacement = [start, vec![Stmt::While(condition, body)]].concat();
        block.splice(position..=position, replacement);
        true
    })
}

/// `while (c) b` to `if (c) { b while (c) b }`, without `break` and `continue` in the body.
pub(crate) fn peel(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some((mut replacement, condition, body)) = loop_at(tree, block, position) else { return false };
        let effects = of_block(tree, &body);
        if effects.breaks || effects.continues || always_jumps(&body) {
            return false;
        }
        let mut first = tree.copy(&body);
        first.push(Stmt::While(condition.clone(), body));
        replacement.push(Stmt::If(condition, first, Block::new()));
        block.splice(position..=position, replacement);
        true
    })
}

/// `while (c) b` to `while (c) { b if (!c) break; b }`, with one or two more copies of `b`.
pub(crate) fn unroll(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some((mut replacement, condition, body)) = loop_at(tree, block, position) else { return false };
        if always_jumps(&body) {
            return false;
        }
        let leave = Stmt::If(Expr::negated(condition.clone()), vec![Stmt::Break], Block::new());
        let mut copies = body.clone();
        for _ in 0..choices.between(1, 2) {
            copies.push(leave.clone());
            copies.extend(tree.copy(&body));
        }
        replacement.push(Stmt::While(condition, copies));
        block.splice(position..=position, replacement);
        true
    })
}

/// `while (c) b` to `while (c && d) b while (c) b` for any `d` that cannot fail, without `break` in the body and
/// effects in the condition.
pub(crate) fn split_range(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, choices| {
        let Some((mut replacement, condition, body)) = loop_at(tree, block, position) else { return false };
        let effects = of_expr(tree, &condition);
        if of_block(tree, &body).breaks || !effects.writes.is_empty() || effects.prints {
            return false;
        }
        let counter = match block.get(position) {
            Some(Stmt::For(parts)) => Expr::var(parts.start.ty, &parts.counter),
            _ => harmless(tree, around.function, choices),
        };
        let limit = Expr::constant(counter.ty, choices.below(4) as i64);
        let further = Expr::binary(choices.pick(&[Binary::Lt, Binary::Ne]), counter, limit);
        let copy = tree.copy(&body);
        let both = Expr::binary(Binary::Both, condition.clone(), further);
        replacement.push(Stmt::While(both, body));
        replacement.push(Stmt::While(condition, copy));
        block.splice(position..=position, replacement);
        true
    })
}

/// `for (…) { s t }` to `for (…) s for (…) t`: neither part fails, jumps or touches what the other writes, at most one
/// prints, and what the loop's head reads is not written.
pub(crate) fn split_body(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some(Stmt::For(parts)) = block.get(position) else { return false };
        if parts.body.len() < 2 {
            return false;
        }
        let at = choices.between(1, parts.body.len() - 1);
        let (one, other) = (parts.body[..at].to_vec(), parts.body[at..].to_vec());
        let effects = [of_block(tree, &one), of_block(tree, &other)];
        let head = Stmt::For(Box::new(For { body: Block::new(), ..(**parts).clone() }));
        let reads_of_head = of_block(tree, &[head]).reads;
        let is_calm = |effects: &Effects| !effects.fails && !effects.jumps();
        let touches_head =
            effects.iter().any(|part| part.writes.iter().any(|name| reads_of_head.contains(name)));
        let both_print = effects[0].prints && effects[1].prints;
        if !effects.iter().all(is_calm) || effects[0].interferes(&effects[1]) || both_print || touches_head {
            return false;
        }
        let (first, second) =
            (For { body: one, ..(**parts).clone() }, For { body: other, ..(**parts).clone() });
        let second = tree.copy(&vec![Stmt::For(Box::new(second))]);
        block[position] = Stmt::For(Box::new(first));
        let after = position + 1;
        block.splice(after..after, second);
        true
    })
}

/// An expression of a loop's body that cannot fail and reads nothing that the loop writes goes before the loop.
pub(crate) fn hoist(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some(stmt @ (Stmt::While(..) | Stmt::For(_))) = block.get_mut(position) else { return false };
        let writes = of_block(tree, std::slice::from_ref(stmt)).writes;
        let mut found: Vec<Expr> = Vec::new();
        for body in own_blocks(stmt) {
            for_each_expr_in(body, &mut |expr| {
                let effects = of_expr(tree, expr);
                let is_compound = !matches!(expr.kind, Kind::Const(_) | Kind::Var(_) | Kind::Call(..));
                if is_compound && effects.is_pure() && effects.reads.is_disjoint(&writes) {
                    found.push(expr.clone());
                }
            });
        }
        if found.is_empty() {
            return false;
        }
        let hoisted = choices.pick(&found);
        let name = tree.fresh("t");
        for body in own_blocks(stmt) {
            for_each_expr_in(body, &mut |expr| {
                if *expr == hoisted {
                    *expr = Expr::var(hoisted.ty, &name);
                }
            });
        }
        block.insert(position, Stmt::Let(name, hoisted));
        true
    })
}

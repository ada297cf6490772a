//! Rewrites of how loops are left: tests before, inside and after the body, exits as flags, returns after the loop.

use arbitrary_source::Choices;

use super::loops::loop_at;
use super::sites::at_random_stmt;
use super::statements::always_true;
use crate::effects::{always_jumps, of_block, of_expr};
use crate::tree::{Binary, Block, Expr, Stmt, Tree, Ty, own_blocks};

/// `while (c) b` to `if (c) do b while (c);`: `continue` goes to the condition in both.
pub(crate) fn test_after(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some((mut replacement, condition, body)) = loop_at(tree, block, position) else { return false };
        if always_jumps(&body) {
            return false;
        }
        let again = vec![Stmt::DoWhile(body, condition.clone())];
        replacement.push(Stmt::If(condition, again, Block::new()));
        block.splice(position..=position, replacement);
        true
    })
}

/// `while (c) b` to `while (true) { if (!c) break; b }`: `continue` goes to the test in both.
pub(crate) fn test_inside(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some((mut replacement, condition, body)) = loop_at(tree, block, position) else { return false };
        replacement.push(Stmt::While(always_true(Ty::Int), [vec![unless(condition)], body].concat()));
        block.splice(position..=position, replacement);
        true
    })
}

/// `while (c) { s t }` to `if (c) { s while (true) { t if (!c) break; s } }`: where `s` declares nothing and neither
/// breaks nor continues, and `t` does not continue (it would miss the test).
pub(crate) fn rotate(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some((mut replacement, condition, mut body)) = loop_at(tree, block, position) else {
            return false;
        };
        if body.len() < 2 || always_jumps(&body) {
            return false;
        }
        let second = body.split_off(choices.between(1, body.len() - 1));
        let effects = of_block(tree, &body);
        let declares = body.iter().any(|stmt| matches!(stmt, Stmt::Let(..)));
        if effects.breaks || effects.continues || declares || of_block(tree, &second).continues {
            return false;
        }
        let mut inside = tree.copy(&body);
        let around = [second, vec![unless(condition.clone())], body].concat();
        inside.push(Stmt::While(always_true(Ty::Int), around));
        replacement.push(Stmt::If(condition, inside, Block::new()));
        block.splice(position..=position, replacement);
        true
    })
}

fn unless(condition: Expr) -> Stmt {
    Stmt::If(Expr::negated(condition), vec![Stmt::Break], Block::new())
}

/// `while (c) { s if (d) { t break; } u }` to
/// `done = false; while (!done && c) { s if (d) { t done = true; } else u }`.
/// A `for` makes one step more, which must not fail; its condition is not evaluated again.
pub(crate) fn exit_as_flag(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let step_fails = match block.get(position) {
            Some(Stmt::For(parts)) => !of_expr(tree, &parts.step).is_pure(),
            Some(Stmt::While(..)) => false,
            _ => return false,
        };
        if step_fails {
            return false;
        }
        let flag = tree.fresh("done");
        let done = Expr::var(Ty::Bool, &flag);
        let Some(stmt) = block.get_mut(position) else { return false };
        for body in own_blocks(stmt) {
            let exit = body.iter().position(|stmt| {
                matches!(stmt, Stmt::If(_, then, otherwise)
                    if otherwise.is_empty() && matches!(then.last(), Some(Stmt::Break)))
            });
            let Some(exit) = exit else { return false };
            let rest = body.split_off(exit + 1);
            if let Some(Stmt::If(_, then, otherwise)) = body.last_mut() {
                then.pop();
                then.push(Stmt::Assign(done.clone(), Expr::constant(Ty::Bool, 1)));
                *otherwise = rest;
            }
        }
        let condition = match stmt {
            Stmt::While(condition, _) => condition,
            Stmt::For(parts) => &mut parts.condition,
            _ => return false,
        };
        *condition = Expr::binary(Binary::Both, Expr::negated(done), condition.take());
        block.insert(position, Stmt::Let(flag, Expr::constant(Ty::Bool, 0)));
        true
    })
}

/// `loop { s if (d) { t return e; } u }` to
/// `loop { s if (d) { t result = e; left = true; break; } u } if (left) return result;`.
pub(crate) fn return_after(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, _| {
        let Some(stmt @ (Stmt::While(..) | Stmt::DoWhile(..) | Stmt::For(_))) = block.get_mut(position)
        else {
            return false;
        };
        let result = tree.functions[around.function].result;
        let (left, value) = (tree.fresh("left"), tree.fresh("result"));
        let mut found = false;
        for exit in own_blocks(stmt).into_iter().flatten() {
            let Stmt::If(_, then, _) = exit else { continue };
            let Some(Stmt::Return(returned)) = then.last().cloned() else { continue };
            then.pop();
            if let (Some(ty), Some(returned)) = (result, returned) {
                then.push(Stmt::Assign(Expr::var(ty, &value), returned));
            }
            then.push(Stmt::Assign(Expr::var(Ty::Bool, &left), Expr::constant(Ty::Bool, 1)));
            then.push(Stmt::Break);
            found = true;
            break;
        }
        if !found {
            return false;
        }
        let back = Stmt::Return(result.map(|ty| Expr::var(ty, &value)));
        let after = Stmt::If(Expr::var(Ty::Bool, &left), vec![back], Block::new());
        block.insert(position + 1, after);
        block.insert(position, Stmt::Let(left, Expr::constant(Ty::Bool, 0)));
        if let Some(ty) = result {
            block.insert(position, Stmt::Let(value, Expr::constant(ty, 0)));
        }
        true
    })
}

//! Rewrites of statements: their order, branches and conditions, dead code.

use arbitrary_source::Choices;

use super::sites::at_random_stmt;
use super::variables::harmless;
use crate::effects::{always_jumps, of_expr, of_stmt, writes_only_locals};
use crate::tree::{Binary, Block, Expr, Kind, Stmt, Tree, Ty, for_each_expr_in};

/// `s; t` to `t; s`: neither jumps, neither writes what the other touches, at most one prints, and where one may fail
/// (or not end), the other cannot and leaves nothing that could be seen then.
pub(crate) fn reorder(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, _| {
        let (Some(one), Some(other)) = (block.get(position), block.get(position + 1)) else { return false };
        let effects = [of_stmt(tree, one), of_stmt(tree, other)];
        let [one, other] = &effects;
        let is_silent = |effects: &_| !around.in_try && writes_only_locals(tree, effects);
        let clash = one.jumps()
            || other.jumps()
            || one.interferes(other)
            || (one.prints && other.prints)
            || (one.fails && (other.fails || other.prints || !is_silent(other)))
            || (other.fails && (one.prints || !is_silent(one)));
        if !clash {
            block.swap(position, position + 1);
        }
        !clash
    })
}

/// `if (a && b) s` to `if (a) { if (b) s }`, and with `||` and `else` by copying the branch.
pub(crate) fn split_condition(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(Stmt::If(condition, then, otherwise)) = block.get_mut(position) else { return false };
        let Kind::Binary(op @ (Binary::Both | Binary::Either), a, b) = &mut condition.kind else {
            return false;
        };
        let (a, b) = (a.take(), b.take());
        let replacement = if *op == Binary::Both {
            let copy = tree.copy(otherwise);
            let inner = Stmt::If(b, std::mem::take(then), copy);
            Stmt::If(a, vec![inner], std::mem::take(otherwise))
        } else {
            let copy = tree.copy(then);
            let inner = Stmt::If(b, copy, std::mem::take(otherwise));
            Stmt::If(a, std::mem::take(then), vec![inner])
        };
        block[position] = replacement;
        true
    })
}

/// `if (a) { if (b) s }` to `if (a && b) s`, where neither has an `else`.
pub(crate) fn merge_conditions(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, _| {
        let Some(Stmt::If(a, then, otherwise)) = block.get_mut(position) else { return false };
        let [Stmt::If(b, inner, inner_otherwise)] = then.as_mut_slice() else { return false };
        if !otherwise.is_empty() || !inner_otherwise.is_empty() {
            return false;
        }
        let condition = Expr::binary(Binary::Both, a.take(), b.take());
        block[position] = Stmt::If(condition, std::mem::take(inner), Block::new());
        true
    })
}

/// `if (c) { …jump } else { s } t` to `if (c) { …jump } s t` and back, where the branch always jumps.
pub(crate) fn guard_clause(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, choices| {
        let rest = block.len().saturating_sub(position + 1);
        let Some(Stmt::If(_, then, otherwise)) = block.get_mut(position) else { return false };
        if !always_jumps(then) {
            return false;
        }
        if !otherwise.is_empty() {
            let otherwise = std::mem::take(otherwise);
            let tail = block.split_off(position + 1);
            // What follows a jump cannot be reached, which Java forbids.
            if always_jumps(&otherwise) && !tail.is_empty() {
                block.extend(otherwise);
                return true;
            }
            block.extend(otherwise);
            block.extend(tail);
            return true;
        }
        if rest == 0 {
            return false;
        }
        let count = choices.between(1, rest);
        // The whole rest, or variables that are declared there would be missing after it.
        let tail = block.split_off(position + 1);
        if count < rest && !tail[..count].iter().any(|stmt| matches!(stmt, Stmt::Let(..))) {
            let (moved, kept) = tail.split_at(count);
            // Only the guarded branch is left out of what is kept, because it jumps.
            set_otherwise(&mut block[position], moved.to_vec());
            block.extend(kept.to_vec());
        } else {
            set_otherwise(&mut block[position], tail);
        }
        true
    })
}

fn set_otherwise(stmt: &mut Stmt, block: Block) {
    if let Stmt::If(_, _, otherwise) = stmt {
        *otherwise = block;
    }
}

/// The last `if (c) s` of a loop body to `if (!c) continue; s`.
pub(crate) fn continue_as_guard(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, _, around, _| {
        if !around.is_loop_body {
            return false;
        }
        let Some(Stmt::If(condition, then, otherwise)) = block.last_mut() else { return false };
        if !otherwise.is_empty() {
            return false;
        }
        let (condition, then) = (Expr::negated(condition.take()), std::mem::take(then));
        block.pop();
        block.push(Stmt::If(condition, vec![Stmt::Continue], Block::new()));
        block.extend(then);
        true
    })
}

/// `if (c) s else t` to `if (!c) t else s`.
pub(crate) fn swap_branches(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, _| {
        let Some(Stmt::If(condition, then, otherwise)) = block.get_mut(position) else { return false };
        *condition = Expr::negated(condition.take());
        std::mem::swap(then, otherwise);
        true
    })
}

/// A statement under a condition that is never true, or a branch without statements.
pub(crate) fn dead_code(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, choices| {
        if position > 0 && always_jumps(&block[..position].to_vec()) {
            return false;
        }
        let value = harmless(tree, around.function, choices);
        let dead = match choices.below(3) {
            1 if !tree.overflow_fails => {
                let copy = block.get(position).cloned().filter(|stmt| !matches!(stmt, Stmt::Let(..)));
                let dead = copy.map(|stmt| tree.copy(&vec![stmt])).unwrap_or_default();
                let zero = Expr::constant(value.ty, 0);
                // A square is 0 or 1 modulo 4, wrapped or not.
                let square = Expr::binary(Binary::Mul, value.clone(), value);
                let low = Expr::binary(Binary::And, square, Expr::constant(zero.ty, 3));
                let two = Expr::constant(zero.ty, 2);
                Stmt::If(Expr::binary(Binary::Eq, low, two), dead, Block::new())
            }
            0 | 1 => {
                let condition = Expr::binary(Binary::Ne, value.clone(), value);
                Stmt::If(condition, vec![Stmt::Print("dead".to_owned(), None)], Block::new())
            }
            _ => {
                let zero = Expr::constant(value.ty, 0);
                Stmt::If(Expr::binary(Binary::Lt, value, zero), Block::new(), Block::new())
            }
        };
        block.insert(position, dead);
        true
    })
}

/// `if (c) x = a; else x = b;` to `x = c ? a : b;` and back, for a variable.
pub(crate) fn choice_or_branch(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| match block.get_mut(position) {
        Some(Stmt::If(condition, then, otherwise)) => {
            let [Stmt::Assign(place, a)] = then.as_mut_slice() else { return false };
            let [Stmt::Assign(other, b)] = otherwise.as_mut_slice() else { return false };
            if place != other || !matches!(place.kind, Kind::Var(_)) {
                return false;
            }
            let kind = Kind::Cond(Box::new(condition.take()), Box::new(a.take()), Box::new(b.take()));
            let place = place.take();
            let value = Expr::new(place.ty, kind);
            block[position] = Stmt::Assign(place, value);
            true
        }
        Some(Stmt::Assign(place, value)) => {
            let Kind::Cond(condition, a, b) = &mut value.kind else { return false };
            let quiet = matches!(place.kind, Kind::Var(_)) && of_expr(tree, condition).writes.is_empty();
            if !quiet {
                return false;
            }
            let then = vec![Stmt::Assign(place.clone(), a.take())];
            let otherwise = vec![Stmt::Assign(place.clone(), b.take())];
            block[position] = Stmt::If(condition.take(), then, otherwise);
            true
        }
        _ => false,
    })
}

/// `if (c) s else t; u` to `if (c) { s u } else { t u }`, where neither branch always jumps and `u` declares nothing
/// that is used after it.
pub(crate) fn move_tail_into_branches(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let rest = block.len().saturating_sub(position + 1);
        let Some(Stmt::If(_, then, otherwise)) = block.get(position) else { return false };
        if rest == 0 || always_jumps(then) || always_jumps(otherwise) {
            return false;
        }
        let whole = choices.percent(40);
        let moved: Block =
            if whole { block.split_off(position + 1) } else { vec![block.remove(position + 1)] };
        if !whole && matches!(moved[0], Stmt::Let(..)) {
            block.insert(position + 1, moved[0].clone());
            return false;
        }
        let copy = tree.copy(&moved);
        if let Some(Stmt::If(_, then, otherwise)) = block.get_mut(position) {
            then.extend(moved);
            otherwise.extend(copy);
        }
        true
    })
}

/// Whether a name is used in a block.
pub(super) fn mentions(block: &Block, name: &str) -> bool {
    let mut found = false;
    for_each_expr_in(&mut block.clone(), &mut |expr| found |= expr.kind == Kind::Var(name.to_owned()));
    found
}

/// A `true` that the reader has to compute.
pub(super) fn always_true(ty: Ty) -> Expr {
    Expr::binary(Binary::Lt, Expr::constant(ty, 1), Expr::constant(ty, 2))
}

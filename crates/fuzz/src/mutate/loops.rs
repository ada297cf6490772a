//! Small changes of loops that usually change behaviour: ends, steps, exits, and rewrites without what makes them right.

use arbitrary_source::Choices;

use crate::rewrite::counted::{Counted, update};
use crate::rewrite::counted_loops::{closed_form_of, interchanged, reversed, unrolled};
use crate::sites::at_random_stmt;
use crate::tree::{Binary, Block, Expr, Kind, Stmt, Tree, for_each_stmt, own_blocks};

/// The limit of a loop, one more or one less.
pub(super) fn limit_off_by_one(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, choices| {
        let Some(condition) = block.get_mut(position).and_then(condition) else { return false };
        // The counter stands in the first of several conditions.
        let comparison = match &mut condition.kind {
            Kind::Binary(Binary::Both, first, _) => first,
            _ => condition,
        };
        match &mut comparison.kind {
            Kind::Binary(op, _, limit) if op.is_comparison() && limit.ty.is_integer() => {
                off_by_one(limit, choices);
                true
            }
            _ => false,
        }
    })
}

/// The start of a loop, one more or one less.
pub(super) fn start_off_by_one(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, choices| match block.get_mut(position) {
        Some(Stmt::For(parts)) => {
            off_by_one(&mut parts.start, choices);
            true
        }
        _ => false,
    })
}

fn off_by_one(expr: &mut Expr, choices: &mut Choices) {
    let op = choices.pick(&[Binary::Add, Binary::Sub]);
    *expr = match expr.kind {
        Kind::Const(value) if op == Binary::Add => Expr::constant(expr.ty, value + 1),
        Kind::Const(value) => Expr::constant(expr.ty, value - 1),
        _ => Expr::binary(op, expr.clone(), Expr::constant(expr.ty, 1)),
    };
}

/// Another step: 2 for 1, or 1 for another constant.
pub(super) fn other_step(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, _| {
        let Some(Stmt::For(parts)) = block.get_mut(position) else { return false };
        let Kind::Binary(_, _, by) = &mut parts.step.kind else { return false };
        let Kind::Const(by) = &mut by.kind else { return false };
        *by = if *by == 1 { 2 } else { 1 };
        true
    })
}

/// A loop that may end earlier, or later.
pub(super) fn other_condition(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, choices| {
        let weaker = choices.percent(40);
        let inputs: Vec<_> = tree.functions[around.function].params.clone();
        let numbers: Vec<_> = inputs.into_iter().filter(|(_, ty)| ty.is_integer()).collect();
        let Some(condition) = block.get_mut(position).and_then(condition) else { return false };
        let variable = match &condition.kind {
            Kind::Binary(op, counter, _) if op.is_comparison() && counter.ty.is_integer() => {
                (**counter).clone()
            }
            _ if numbers.is_empty() => return false,
            _ => {
                let (name, ty) = choices.pick(&numbers);
                Expr::var(ty, &name)
            }
        };
        let value = Expr::constant(variable.ty, choices.between(0, 5) as i64);
        let (join, op) = if weaker { (Binary::Either, Binary::Lt) } else { (Binary::Both, Binary::Ne) };
        let further = Expr::binary(op, variable, value);
        *condition = Expr::binary(join, condition.take(), further);
        true
    })
}

fn condition(stmt: &mut Stmt) -> Option<&mut Expr> {
    match stmt {
        Stmt::While(condition, _) | Stmt::DoWhile(_, condition) => Some(condition),
        Stmt::For(parts) => Some(&mut parts.condition),
        _ => None,
    }
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::While(..) | Stmt::DoWhile(..) | Stmt::For(_))
}

/// A way out of a loop, one statement earlier or later.
pub(super) fn moved_exit(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, around, _| {
        let is_exit = |stmt: Option<&Stmt>| {
            matches!(stmt, Some(Stmt::If(_, then, _))
                if matches!(then.last(), Some(Stmt::Break | Stmt::Continue | Stmt::Return(_))))
        };
        let is_let = |stmt: Option<&Stmt>| matches!(stmt, None | Some(Stmt::Let(..)));
        let (one, other) = (block.get(position), block.get(position + 1));
        let applies = around.is_loop_body
            && is_exit(one) != is_exit(other)
            && !is_let(one)
            && !is_let(other)
            && !matches!(other, Some(Stmt::Return(_) | Stmt::Break | Stmt::Continue | Stmt::Throw(_)));
        if applies {
            block.swap(position, position + 1);
        }
        applies
    })
}

/// A variable that a loop updates starts anew in each iteration.
pub(super) fn reset_inside(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, choices| {
        let Some(stmt) = block.get_mut(position).filter(|stmt| is_loop(stmt)) else { return false };
        let mut updated = Vec::new();
        for body in own_blocks(stmt) {
            let mut declared = Vec::new();
            for_each_stmt(body, &mut |stmt| declared.extend(super::super::tree::declared_name(stmt)));
            for_each_stmt(body, &mut |stmt| {
                if let Stmt::Assign(place, value) = stmt
                    && let Some((name, ..)) = update(place, value)
                    && !declared.contains(&name)
                {
                    updated.push(place.clone());
                }
            });
        }
        if updated.is_empty() {
            return false;
        }
        let place = choices.pick(&updated);
        let zero = Expr::constant(place.ty, 0);
        for body in own_blocks(stmt) {
            body.insert(0, Stmt::Assign(place.clone(), zero.clone()));
        }
        true
    })
}

/// Unrolled, without the loop for what is left.
pub(super) fn no_remainder(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some(counted) = counted_at(tree, block, position) else { return false };
        let Some(mut unrolled) = unrolled(tree, &counted, choices) else { return false };
        unrolled.pop();
        block.splice(position..=position, unrolled);
        true
    })
}

/// Two loops, one in the other, the other way round, whatever they do.
pub(super) fn swapped_loops(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(swapped) = block.get(position).and_then(|stmt| interchanged(tree, stmt)) else {
            return false;
        };
        block[position] = swapped;
        true
    })
}

/// The last iteration first, whatever the loop does.
pub(super) fn backwards(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(counted) = counted_at(tree, block, position) else { return false };
        block[position] = reversed(tree, &counted);
        true
    })
}

/// The test only after the body, or a closed form also for a loop that is not entered.
pub(super) fn no_guard(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        if let Some(counted) = counted_at(tree, block, position) {
            let Some(closed) = closed_form_of(tree, &counted) else { return false };
            block[position] = closed;
            return true;
        }
        let Some(Stmt::While(condition, body)) = block.get_mut(position) else { return false };
        let (condition, body) = (condition.take(), std::mem::take(body));
        block[position] = Stmt::DoWhile(body, condition);
        true
    })
}

/// The last iteration left out.
pub(super) fn lost_iteration(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(counted) = counted_at(tree, block, position) else { return false };
        let last = Expr::binary(Binary::Sub, counted.limit.clone(), Expr::constant(counted.ty(), 1));
        let shorter = counted.between(counted.first.clone(), last);
        block[position] = Stmt::If(counted.is_entered(), vec![shorter], Block::new());
        true
    })
}

fn counted_at(tree: &Tree, block: &Block, position: usize) -> Option<Counted> {
    Counted::of(tree, block.get(position)?)
}

//! A loop becomes a function that calls itself.

use arbitrary_source::Choices;

use super::functions::free_variables;
use super::loops::loop_at;
use super::sites::at_random_stmt;
use super::statements::mentions;
use crate::effects::{is_local, of_block};
use crate::tree::{Block, Expr, Function, Kind, Stmt, Tree, Ty, declared_name, for_each_stmt, rename};

/// `while (c) b` to `x = f(x, …)` with `f(x, …) { if (!c) return x; b return f(x, …); }`: where the loop does not jump
/// out and at most one local variable that it writes is used after it. (In a `try`, that only if it cannot fail: a
/// failure would lose the new value.)
pub(crate) fn loop_as_recursion(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, _| {
        let Some((start, condition, body)) = loop_at(tree, block, position) else { return false };
        let whole = vec![Stmt::While(condition.clone(), body.clone())];
        let effects = of_block(tree, &whole);
        let inside = of_block(tree, &body);
        if effects.jumps() || inside.breaks || inside.continues {
            return false;
        }
        let mut declared = Vec::new();
        for_each_stmt(&mut whole.clone(), &mut |stmt| declared.extend(declared_name(stmt)));
        // What is declared right here and not used any more need not come back.
        let before: Vec<String> = block[..position].iter().chain(&start).filter_map(declared_name).collect();
        let rest = block[position + 1..].to_vec();
        let is_dead = |name: &String| before.contains(name) && !mentions(&rest, name);
        let written: Vec<&String> = effects
            .writes
            .iter()
            .filter(|name| is_local(tree, name) && !declared.contains(name) && !is_dead(name))
            .collect();
        let lost = effects.fails && around.in_try;
        if written.len() > usize::from(!lost) {
            return false;
        }
        let free = free_variables(tree, &whole, &declared);
        let result = written.first().map(|name| Expr::var(free[*name], name));
        let name = tree.fresh("loop");
        let args: Vec<Expr> = free.iter().map(|(name, ty)| Expr::var(*ty, name)).collect();
        let ty = result.as_ref().map(|result| result.ty);
        let call = Expr::new(ty.unwrap_or(Ty::Int), Kind::Call(name.clone(), args));
        let again = match ty {
            Some(_) => Stmt::Return(Some(call.clone())),
            None => Stmt::Eval(call.clone()),
        };
        let leave = Stmt::If(Expr::negated(condition), vec![Stmt::Return(result.clone())], Block::new());
        let mut function = tree.copy(&[vec![leave], body, vec![again]].concat());
        let mut params = Vec::new();
        for (free, ty) in &free {
            let param = tree.fresh("q");
            rename(&mut function, free, &param);
            params.push((param, *ty));
        }
        tree.functions.insert(around.function, Function { name, params, result: ty, body: function });
        let replacement = match result {
            Some(result) => Stmt::Assign(result, call),
            None => Stmt::Eval(call),
        };
        block.splice(position..=position, start.into_iter().chain([replacement]));
        true
    })
}

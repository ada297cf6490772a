//! Rewrites over functions: rename, extract, inline.

use std::collections::BTreeMap;

use arbitrary_source::Choices;

use super::sites::at_random_stmt;
use super::statements::mentions;
use super::variables::take_out;
use crate::effects::{is_local, of_block};
use crate::tree::{
    Block, Expr, Function, Kind, Stmt, Tree, Ty, declared_name, for_each_expr_in, for_each_stmt, rename,
};

/// Another name for a helper.
pub(crate) fn rename_function(tree: &mut Tree, choices: &mut Choices) -> bool {
    if tree.functions.len() < 2 {
        return false;
    }
    let index = choices.below(tree.functions.len() - 1);
    let fresh = tree.fresh("f");
    let old = std::mem::replace(&mut tree.functions[index].name, fresh.clone());
    for function in &mut tree.functions {
        for_each_expr_in(&mut function.body, &mut |expr| {
            if let Kind::Call(name, _) = &mut expr.kind
                && *name == old
            {
                *name = fresh.clone();
            }
        });
    }
    true
}

/// Some statements become a function: they do not jump, declare nothing that is used after them, and write at most one
/// variable from outside, which becomes the result. (In a `try`, that only if they cannot fail: a failure would lose
/// the new value.)
pub(crate) fn extract_function(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, choices| {
        if position >= block.len() {
            return false;
        }
        let end = choices.between(position + 1, (position + 3).min(block.len()));
        let slice = block[position..end].to_vec();
        let rest = block[end..].to_vec();
        let effects = of_block(tree, &slice);
        if effects.jumps() {
            return false;
        }
        let mut declared = Vec::new();
        for_each_stmt(&mut slice.clone(), &mut |stmt| declared.extend(declared_name(stmt)));
        let written: Vec<&String> =
            effects.writes.iter().filter(|name| is_local(tree, name) && !declared.contains(name)).collect();
        let lost = effects.fails && around.in_try;
        if declared.iter().any(|name| mentions(&rest, name)) || written.len() > usize::from(!lost) {
            return false;
        }
        let free = free_variables(tree, &slice, &declared);
        let result = written.first().map(|name| (free[*name], (*name).clone()));
        let call = outline(tree, around.function, slice, &free, result.clone());
        let replacement = match result {
            Some((ty, name)) => Stmt::Assign(Expr::var(ty, &name), call),
            None => Stmt::Eval(call),
        };
        block.splice(position..end, [replacement]);
        true
    })
}

/// An expression becomes a function, where it could become a variable.
pub(crate) fn extract_expression(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, choices| {
        let Some(stmt) = block.get_mut(position) else { return false };
        let Some((name, value)) = take_out(tree, stmt, choices) else { return false };
        let ty = value.ty;
        let body = vec![Stmt::Return(Some(value))];
        let free = free_variables(tree, &body, &[]);
        let call = outline(tree, around.function, body, &free, None);
        let function = tree.functions.iter_mut().find(|function| is_call_of(&call, &function.name));
        function.expect("the function was just added").result = Some(ty);
        block.insert(position, Stmt::Let(name, Expr { ty, ..call }));
        true
    })
}

fn is_call_of(expr: &Expr, function: &str) -> bool {
    matches!(&expr.kind, Kind::Call(name, _) if name == function)
}

/// The local variables that statements use but do not declare, with their types.
pub(super) fn free_variables(tree: &Tree, block: &Block, declared: &[String]) -> BTreeMap<String, Ty> {
    let mut free = BTreeMap::new();
    for_each_expr_in(&mut block.clone(), &mut |expr| {
        if let Kind::Var(name) = &expr.kind
            && is_local(tree, name)
            && !declared.contains(name)
        {
            free.insert(name.clone(), expr.ty);
        }
    });
    free
}

/// Makes a function of statements, and the call that does what they did.
fn outline(
    tree: &mut Tree,
    before: usize,
    body: Block,
    free: &BTreeMap<String, Ty>,
    result: Option<(Ty, String)>,
) -> Expr {
    let mut body = tree.copy(&body);
    let mut params = Vec::new();
    let mut returned = result.clone().map(|(_, name)| name);
    for (name, ty) in free {
        let param = tree.fresh("q");
        rename(&mut body, name, &param);
        if returned.as_ref() == Some(name) {
            returned = Some(param.clone());
        }
        params.push((param, *ty));
    }
    let ty = result.map(|(ty, _)| ty);
    if let (Some(ty), Some(name)) = (ty, &returned) {
        body.push(Stmt::Return(Some(Expr::var(ty, name))));
    }
    let name = tree.fresh("x");
    tree.functions.insert(before, Function { name: name.clone(), params, result: ty, body });
    let args = free.iter().map(|(name, ty)| Expr::var(*ty, name)).collect();
    Expr::new(ty.unwrap_or(Ty::Int), Kind::Call(name, args))
}

/// A call that is a whole statement becomes the body of the function, if that returns at its end only.
pub(crate) fn inline_function(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let call = match block.get(position) {
            Some(Stmt::Let(_, call) | Stmt::Eval(call)) => call,
            Some(Stmt::Assign(place, call)) if matches!(place.kind, Kind::Var(_)) => call,
            _ => return false,
        };
        let Kind::Call(name, args) = &call.kind else { return false };
        let Some(function) = tree.function(name).cloned() else { return false };
        let (mut body, returned) = match function.body.split_last() {
            Some((Stmt::Return(value), rest)) => (rest.to_vec(), value.clone()),
            _ => (function.body.clone(), None),
        };
        if of_block(tree, &body).returns || returned.is_some() != function.result.is_some() {
            return false;
        }
        let args = args.clone();
        body.push(Stmt::Return(returned));
        let mut body = tree.copy(&body);
        let mut inlined = Block::new();
        for ((param, _), arg) in function.params.iter().zip(args) {
            let fresh = tree.fresh("n");
            rename(&mut body, param, &fresh);
            inlined.push(Stmt::Let(fresh, arg));
        }
        let Some(Stmt::Return(returned)) = body.pop() else { return false };
        inlined.extend(body);
        match (block.remove(position), returned) {
            (Stmt::Let(name, _), Some(value)) => inlined.push(Stmt::Let(name, value)),
            (Stmt::Assign(place, _), Some(value)) => inlined.push(Stmt::Assign(place, value)),
            // The value is not used, but computing it may fail.
            (_, Some(value)) => inlined.push(Stmt::Let(tree.fresh("u"), value)),
            (_, None) => {}
        }
        block.splice(position..position, inlined);
        true
    })
}

//! Rewrites of variables: extract, inline, rename, copy.

use arbitrary_source::Choices;

use super::sites::at_random_stmt;
use crate::effects::{Effects, always_jumps, of_block, of_expr};
use crate::tree::{
    Binary, Block, Expr, Kind, Stmt, Tree, Ty, declared_name, for_each_expr_in, for_each_stmt, operands,
    own_exprs, rename, rename_in,
};

/// `s(e)` to `t = e; s(t)`: where nothing that is evaluated before `e` writes what it reads, and, if `e` may fail or
/// has effects, where it is always evaluated and nothing before it can fail or has effects.
/// Not for conditions of loops, which are evaluated again.
pub(crate) fn extract(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, choices| {
        let Some(stmt) = block.get_mut(position) else { return false };
        let Some((name, value)) = take_out(tree, stmt, choices) else { return false };
        block.insert(position, Stmt::Let(name, value));
        true
    })
}

/// Takes a random expression out of a statement that can be evaluated before it, and puts a new variable in its place.
pub(super) fn take_out(tree: &mut Tree, stmt: &mut Stmt, choices: &mut Choices) -> Option<(String, Expr)> {
    if matches!(stmt, Stmt::While(..) | Stmt::DoWhile(..) | Stmt::For(_)) {
        return None;
    }
    let (count, _) = walk(tree, stmt, None);
    let chosen = (count > 0).then(|| choices.below(count))?;
    let (_, value) = walk(tree, stmt, Some(chosen));
    let name = tree.fresh("t");
    for expr in own_exprs(stmt) {
        rename_in(expr, PLACEHOLDER, &name);
    }
    Some((name, value?))
}

/// Counts the expressions that can be taken out; takes the chosen one.
fn walk(tree: &Tree, stmt: &mut Stmt, chosen: Option<usize>) -> (usize, Option<Expr>) {
    let skip_root = matches!(stmt, Stmt::Assign(..) | Stmt::Eval(_));
    let mut walk = Walk { tree, before: Effects::default(), position: 0, chosen, found: None };
    for (index, expr) in own_exprs(stmt).into_iter().enumerate() {
        walk.visit(expr, false, skip_root && index == 0);
    }
    (walk.position, walk.found)
}

const PLACEHOLDER: &str = "?";

/// Goes over expressions in the order of evaluation and counts those that can be taken out.
struct Walk<'a> {
    tree: &'a Tree,
    /// What was evaluated before.
    before: Effects,
    position: usize,
    chosen: Option<usize>,
    found: Option<Expr>,
}

impl Walk<'_> {
    fn visit(&mut self, expr: &mut Expr, conditional: bool, skip: bool) {
        if self.found.is_some() {
            return;
        }
        let own = of_expr(self.tree, expr);
        let applies = !self.before.interferes(&own)
            && (own.is_pure() || (!conditional && self.before.is_pure()))
            && !matches!(expr.kind, Kind::NewInts(_) | Kind::Const(_));
        if applies && !skip {
            if self.chosen == Some(self.position) {
                let ty = expr.ty;
                self.found = Some(std::mem::replace(expr, Expr::var(ty, PLACEHOLDER)));
                return;
            }
            self.position += 1;
        }
        let before = self.before.clone();
        let lazy = match &expr.kind {
            Kind::Binary(Binary::Both | Binary::Either, ..) | Kind::Cond(..) => 1,
            _ => usize::MAX,
        };
        for (index, operand) in operands(expr).into_iter().enumerate() {
            self.visit(operand, conditional || index >= lazy, false);
        }
        if skip {
            // A place: what it reads is read, but it is written only after everything.
            return;
        }
        self.before = before;
        self.before.reads.extend(own.reads);
        self.before.writes.extend(own.writes);
        self.before.fails |= own.fails;
        self.before.prints |= own.prints;
        self.before.allocates |= own.allocates;
    }
}

/// `v = e; … v …` to `… e …`: where `e` cannot fail, has no effects, and nothing after it writes `v` or what `e` reads.
pub(crate) fn inline(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| {
        let Some(Stmt::Let(name, value)) = block.get(position) else { return false };
        let (name, value) = (name.clone(), value.clone());
        let effects = of_expr(tree, &value);
        let rest = of_block(tree, &block[position + 1..]);
        let is_stable =
            !rest.writes.contains(&name) && !effects.reads.iter().any(|read| rest.writes.contains(read));
        let is_null = value.ty.is_reference() && matches!(value.kind, Kind::Const(_));
        if !effects.is_pure() || !is_stable || is_null {
            return false;
        }
        block.remove(position);
        let mut tail = block.split_off(position);
        for_each_expr_in(&mut tail, &mut |expr| {
            if expr.kind == Kind::Var(name.clone()) {
                *expr = value.clone();
            }
        });
        block.extend(tail);
        true
    })
}

/// A new variable that nobody reads, with a value that cannot fail.
pub(crate) fn unused(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, choices| {
        if position > 0 && always_jumps(&block[..position].to_vec()) {
            return false;
        }
        let value = harmless(tree, around.function, choices);
        let name = tree.fresh("u");
        block.insert(position, Stmt::Let(name, value));
        true
    })
}

/// A number that can be computed anywhere in a function.
pub(super) fn harmless(tree: &Tree, function: usize, choices: &mut Choices) -> Expr {
    let visible = tree.functions[function].params.iter().chain(&tree.globals);
    let numbers: Vec<_> = visible.filter(|(_, ty)| ty.is_integer()).cloned().collect();
    if numbers.is_empty() {
        return Expr::constant(Ty::Int, 1);
    }
    let (name, ty) = choices.pick(&numbers);
    let op = if tree.overflow_fails {
        Binary::Xor
    } else {
        choices.pick(&[Binary::Add, Binary::Mul, Binary::Xor])
    };
    Expr::binary(op, Expr::var(ty, &name), Expr::constant(ty, choices.between(2, 9) as i64))
}

/// Another name for a parameter or a local variable.
pub(crate) fn rename_local(tree: &mut Tree, choices: &mut Choices) -> bool {
    let function = choices.below(tree.functions.len());
    let names = locals(tree, function);
    if names.is_empty() {
        return false;
    }
    let fresh = tree.fresh("r");
    rename_everywhere(tree, function, &choices.pick(&names), &fresh);
    true
}

/// Two variables of a function exchange their names.
pub(crate) fn swap_names(tree: &mut Tree, choices: &mut Choices) -> bool {
    let function = choices.below(tree.functions.len());
    let names = locals(tree, function);
    if names.len() < 2 {
        return false;
    }
    let (one, other) = (choices.pick(&names), choices.pick(&names));
    if one == other {
        return false;
    }
    rename_everywhere(tree, function, &one, PLACEHOLDER);
    rename_everywhere(tree, function, &other, &one);
    rename_everywhere(tree, function, PLACEHOLDER, &other);
    true
}

fn locals(tree: &mut Tree, function: usize) -> Vec<String> {
    let function = &mut tree.functions[function];
    let mut names: Vec<String> = function.params.iter().map(|(name, _)| name.clone()).collect();
    for_each_stmt(&mut function.body, &mut |stmt| names.extend(declared_name(stmt)));
    names
}

fn rename_everywhere(tree: &mut Tree, function: usize, from: &str, to: &str) {
    let function = &mut tree.functions[function];
    for (name, _) in &mut function.params {
        if name == from {
            *name = to.to_owned();
        }
    }
    rename(&mut function.body, from, to);
}

/// The body works on a copy of a parameter, which is a value of its own.
pub(crate) fn copy_parameter(tree: &mut Tree, choices: &mut Choices) -> bool {
    let function = choices.below(tree.functions.len());
    if tree.functions[function].params.is_empty() {
        return false;
    }
    let (name, ty) = choices.pick(&tree.functions[function].params);
    let copy = tree.fresh("k");
    let body: &mut Block = &mut tree.functions[function].body;
    rename(body, &name, &copy);
    body.insert(0, Stmt::Let(copy, Expr::var(ty, &name)));
    true
}

//! Loops that count, and bodies whose iterations may go in any order: what the rewrites of such loops ask.

use std::collections::{BTreeMap, BTreeSet};

use crate::effects::{always_jumps, of_block, of_expr};
use crate::tree::{Binary, Block, Expr, For, Kind, Stmt, Tree, Ty, rename};

/// `for (i = first; i < limit; i = i + 1) body`, where both ends can be computed at any time during the loop and the
/// body leaves the counter alone.
///
/// The counter never wraps around, because it is below the limit whenever it is stepped: the body runs once for each
/// number from the first up to the limit, in machine numbers as in mathematical ones.
pub(crate) struct Counted {
    pub(crate) counter: String,
    pub(crate) first: Expr,
    pub(crate) limit: Expr,
    pub(crate) body: Block,
}

impl Counted {
    /// The loop that a statement is, if it is one that counts.
    pub(crate) fn of(tree: &Tree, stmt: &Stmt) -> Option<Counted> {
        let Stmt::For(parts) = stmt else { return None };
        let For { counter, start, condition, step, body } = &**parts;
        let ty = start.ty;
        let variable = Expr::var(ty, counter);
        let Kind::Binary(Binary::Lt, left, limit) = &condition.kind else { return None };
        let by_one = Expr::binary(Binary::Add, variable.clone(), Expr::constant(ty, 1));
        let counts = ty.is_integer() && **left == variable && limit.ty == ty && *step == by_one;
        let writes = of_block(tree, body).writes;
        let is_fixed = |expr: &Expr| {
            let effects = of_expr(tree, expr);
            effects.is_pure() && effects.reads.is_disjoint(&writes) && !effects.reads.contains(counter)
        };
        let applies = counts && is_fixed(start) && is_fixed(limit) && !writes.contains(counter);
        (applies && !always_jumps(body)).then(|| Counted {
            counter: counter.clone(),
            first: start.clone(),
            limit: (**limit).clone(),
            body: body.clone(),
        })
    }

    pub(crate) fn ty(&self) -> Ty {
        self.first.ty
    }

    pub(crate) fn variable(&self) -> Expr {
        Expr::var(self.ty(), &self.counter)
    }

    /// Whether there is an iteration at all.
    pub(crate) fn is_entered(&self) -> Expr {
        Expr::binary(Binary::Lt, self.first.clone(), self.limit.clone())
    }

    /// The loop again, with other ends.
    pub(crate) fn between(&self, first: Expr, limit: Expr) -> Stmt {
        let condition = Expr::binary(Binary::Lt, self.variable(), limit);
        let step = Expr::binary(Binary::Add, self.variable(), Expr::constant(self.ty(), 1));
        let (counter, body) = (self.counter.clone(), self.body.clone());
        Stmt::For(Box::new(For { counter, start: first, condition, step, body }))
    }

    /// The body for one value of the counter, with names of its own.
    pub(crate) fn body_at(&self, tree: &mut Tree, index: Expr) -> Block {
        let mut body = tree.copy(&self.body);
        let counter = tree.fresh("i");
        rename(&mut body, &self.counter, &counter);
        body.insert(0, Stmt::Let(counter, index));
        body
    }

    /// Whether the body goes on to its end, or leaves the function.
    pub(crate) fn is_straight(&self, tree: &Tree) -> bool {
        let effects = of_block(tree, &self.body);
        !effects.breaks && !effects.continues
    }
}

/// Whether the iterations of a body may go in any order, in wrapping and in mathematical integers: it only updates
/// variables by one associative and commutative operation each, with values that read none of these variables and
/// cannot fail.
pub(crate) fn commutes(tree: &Tree, body: &[Stmt]) -> bool {
    let mut found = Updates::default();
    found.block(tree, body) && found.reads.iter().all(|name| !found.updated.contains_key(name))
}

#[derive(Default)]
struct Updates {
    /// With what each variable is updated; differences count as sums.
    updated: BTreeMap<String, Binary>,
    reads: BTreeSet<String>,
    declared: BTreeSet<String>,
}

impl Updates {
    fn block(&mut self, tree: &Tree, block: &[Stmt]) -> bool {
        block.iter().all(|stmt| self.stmt(tree, stmt))
    }

    fn stmt(&mut self, tree: &Tree, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let(name, value) => {
                self.declared.insert(name.clone());
                self.value(tree, value)
            }
            Stmt::If(condition, then, otherwise) => {
                self.value(tree, condition) && self.block(tree, then) && self.block(tree, otherwise)
            }
            Stmt::Assign(place, value) => {
                let Some((name, op, operand)) = update(place, value) else { return false };
                let known = *self.updated.entry(name.clone()).or_insert(op);
                known == op && !self.declared.contains(&name) && self.value(tree, &operand)
            }
            _ => false,
        }
    }

    fn value(&mut self, tree: &Tree, value: &Expr) -> bool {
        let effects = of_expr(tree, value);
        let is_pure = effects.is_pure();
        self.reads.extend(effects.reads);
        is_pure
    }
}

/// `x = x op e` of an integer: the variable, the operation and the operand.
pub(crate) fn update(place: &Expr, value: &Expr) -> Option<(String, Binary, Expr)> {
    let (Kind::Var(name), Kind::Binary(op, a, b)) = (&place.kind, &value.kind) else { return None };
    if !place.ty.is_integer() {
        return None;
    }
    let class = match op {
        Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor => *op,
        Binary::Sub => Binary::Add,
        _ => return None,
    };
    if **a == *place {
        Some((name.clone(), class, (**b).clone()))
    } else if **b == *place && *op == class {
        Some((name.clone(), class, (**a).clone()))
    } else {
        None
    }
}

//! Random places in a tree, and what surrounds them.

use arbitrary_source::Choices;

use super::tree::{Block, Expr, Kind, Stmt, Tree, for_each_block, operands, own_blocks, own_exprs};

/// How many places are looked at before a change is given up.
const TRIES: usize = 24;

/// What is around a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    pub(crate) function: usize,
    /// Inside a `try` of the function: someone may see what a failure leaves behind in local variables.
    pub(crate) in_try: bool,
    pub(crate) is_loop_body: bool,
}

/// Tries a change at random statements: it gets the tree as it was, the block, the position
/// in it, and says whether it applied. Positions up to the length of the block are tried.
pub(crate) fn at_random_stmt(
    tree: &mut Tree,
    choices: &mut Choices,
    change: &mut dyn FnMut(&mut Tree, &mut Block, usize, Surroundings, &mut Choices) -> bool,
) -> bool {
    (0..TRIES).any(|_| {
        let function = random_function(tree, choices);
        let name = tree.functions[function].name.clone();
        let mut body = tree.functions[function].body.clone();
        let mut count = 0;
        for_each_block(&mut body, &mut |_| count += 1);
        let around = Surroundings { function, in_try: false, is_loop_body: false };
        let mut left = choices.below(count);
        let changed = in_block(&mut body, around, &mut left, &mut |block, around| {
            let position = choices.below(block.len() + 1);
            change(tree, block, position, around, choices)
        });
        // The change may have added functions before this one.
        let position = tree.functions.iter().position(|function| function.name == name);
        tree.functions[position.expect("functions are not removed")].body = body;
        changed == Some(true)
    })
}

/// Tries a change at random expressions; what is assigned to is not one, but its parts are.
pub(crate) fn at_random_expr(
    tree: &mut Tree,
    choices: &mut Choices,
    change: &mut dyn FnMut(&mut Tree, &mut Expr, &mut Choices) -> bool,
) -> bool {
    (0..2 * TRIES).any(|_| {
        let function = random_function(tree, choices);
        let mut body = tree.functions[function].body.clone();
        let mut count = 0;
        exprs(&mut body, &mut |_| {
            count += 1;
            false
        });
        let mut changed = false;
        if count > 0 {
            let mut left = choices.below(count);
            exprs(&mut body, &mut |expr| {
                if left == 0 {
                    changed = change(tree, expr, choices);
                    return true;
                }
                left -= 1;
                false
            });
        }
        tree.functions[function].body = body;
        changed
    })
}

/// The function that is compared, or one that it calls.
fn random_function(tree: &Tree, choices: &mut Choices) -> usize {
    let last = tree.functions.len() - 1;
    if choices.percent(70) { last } else { choices.below(last + 1) }
}

fn in_block(
    block: &mut Block,
    around: Surroundings,
    left: &mut usize,
    act: &mut dyn FnMut(&mut Block, Surroundings) -> bool,
) -> Option<bool> {
    if *left == 0 {
        return Some(act(block, around));
    }
    *left -= 1;
    for stmt in block {
        let inside = Surroundings {
            in_try: around.in_try || matches!(stmt, Stmt::Try(_)),
            is_loop_body: matches!(stmt, Stmt::While(..) | Stmt::DoWhile(..) | Stmt::For(_)),
            ..around
        };
        for inner in own_blocks(stmt) {
            if let Some(result) = in_block(inner, inside, left, act) {
                return Some(result);
            }
        }
    }
    None
}

/// Visits all expressions until one visit says that it is enough.
fn exprs(block: &mut Block, visit: &mut dyn FnMut(&mut Expr) -> bool) -> bool {
    for stmt in block {
        // A place stays a place, and a call for its effects has no value.
        let skip_root = matches!(stmt, Stmt::Assign(..) | Stmt::Eval(_));
        for (index, expr) in own_exprs(stmt).into_iter().enumerate() {
            if below(expr, skip_root && index == 0, visit) {
                return true;
            }
        }
        for inner in own_blocks(stmt) {
            if exprs(inner, visit) {
                return true;
            }
        }
    }
    false
}

fn below(expr: &mut Expr, skip: bool, visit: &mut dyn FnMut(&mut Expr) -> bool) -> bool {
    let whole = matches!(expr.kind, Kind::NewInts(_));
    (!skip && !whole && visit(expr)) || operands(expr).into_iter().any(|operand| below(operand, false, visit))
}

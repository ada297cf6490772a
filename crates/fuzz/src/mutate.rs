//! Small changes that usually change behaviour. Whether they did is found out by running both programs.

mod loops;

use arbitrary_source::Choices;

use super::generate::{EXCEPTIONS, WORDS};
use super::sites::{at_random_expr, at_random_stmt};
use super::tree::{Binary, Block, Expr, Kind, Stmt, Tree, Ty};

/// A way to change a program.
#[derive(Clone, Copy)]
pub(crate) struct Mutation {
    pub(crate) name: &'static str,
    pub(crate) apply: fn(&mut Tree, &mut Choices) -> bool,
}

const fn mutation(name: &'static str, apply: fn(&mut Tree, &mut Choices) -> bool) -> Mutation {
    Mutation { name, apply }
}

pub(crate) const MUTATIONS: [Mutation; 19] = [
    mutation("operator", operator),
    mutation("constant", constant),
    mutation("condition", condition),
    mutation("bound", bound),
    mutation("deleted statement", delete),
    mutation("doubled statement", double),
    mutation("swapped operands", swap_operands),
    mutation("array index", array_index),
    mutation("printed text", printed_text),
    mutation("exception kind", exception_kind),
    mutation("swapped statements", swap_statements),
    mutation("other variable", other_variable),
    mutation("other target", other_target),
    mutation("other jump", other_jump),
    mutation("dropped branch", drop_branch),
    mutation("other field", other_field),
    mutation("new assignment", new_assignment),
    mutation("moved out of loop", move_out_of_loop),
    mutation("moved into loop", move_into_loop),
];

/// Mutations of loops.
pub(crate) const LOOP_MUTATIONS: [Mutation; 11] = [
    mutation("limit off by one", loops::limit_off_by_one),
    mutation("start off by one", loops::start_off_by_one),
    mutation("other step", loops::other_step),
    mutation("other loop condition", loops::other_condition),
    mutation("moved exit", loops::moved_exit),
    mutation("reset inside", loops::reset_inside),
    mutation("no remainder", loops::no_remainder),
    mutation("swapped loops", loops::swapped_loops),
    mutation("backwards", loops::backwards),
    mutation("no guard", loops::no_guard),
    mutation("lost iteration", loops::lost_iteration),
];

/// Applies a random mutation; its name, if one applied. To programs that are all loops, mostly one of loops.
pub(crate) fn apply_one(tree: &mut Tree, choices: &mut Choices, mostly_loops: bool) -> Option<&'static str> {
    for _ in 0..12 {
        let mutation = if mostly_loops && choices.percent(70) {
            choices.pick(&LOOP_MUTATIONS)
        } else {
            let all = MUTATIONS.iter().chain(&LOOP_MUTATIONS);
            let index = choices.below(all.clone().count());
            *all.clone().nth(index).expect("the index is in range")
        };
        if (mutation.apply)(tree, choices) {
            return Some(mutation.name);
        }
    }
    None
}

fn operator(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, choices| {
        let Kind::Binary(op, a, _) = &mut expr.kind else { return false };
        let others: &[Binary] = match op {
            Binary::Add | Binary::Sub | Binary::Mul => &[Binary::Add, Binary::Sub, Binary::Mul],
            Binary::Div | Binary::Rem => &[Binary::Div, Binary::Rem],
            Binary::And | Binary::Or | Binary::Xor => &[Binary::And, Binary::Or, Binary::Xor],
            Binary::Shl | Binary::Shr => &[Binary::Shl, Binary::Shr],
            Binary::Both | Binary::Either => &[Binary::Both, Binary::Either],
            Binary::Eq | Binary::Ne if !a.ty.is_number() => &[Binary::Eq, Binary::Ne],
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne => {
                &[Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge, Binary::Eq, Binary::Ne]
            }
        };
        let other = choices.pick(others);
        std::mem::replace(op, other) != other
    })
}

fn constant(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, choices| {
        let Kind::Const(value) = &mut expr.kind else { return false };
        match expr.ty {
            Ty::Bool => *value = 1 - *value,
            Ty::Int | Ty::Long | Ty::Double => *value += choices.pick(&[1, -1, 1, -1, 10]),
            Ty::Ints | Ty::Node => return false,
        }
        true
    })
}

fn condition(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, choices| {
        if expr.ty != Ty::Bool {
            return false;
        }
        *expr = match choices.below(4) {
            0 => Expr::constant(Ty::Bool, choices.below(2) as i64),
            _ => Expr::negated(expr.take()),
        };
        true
    })
}

fn bound(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| {
        let Kind::Binary(op, _, _) = &mut expr.kind else { return false };
        *op = match op {
            Binary::Lt => Binary::Le,
            Binary::Le => Binary::Lt,
            Binary::Gt => Binary::Ge,
            Binary::Ge => Binary::Gt,
            _ => return false,
        };
        true
    })
}

fn delete(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, _| {
        let last = position + 1 == block.len();
        match block.get(position) {
            None | Some(Stmt::Let(..)) => false,
            // What gives the result must stay, for the compiler's sake.
            Some(Stmt::Return(_)) if last => false,
            Some(_) => {
                block.remove(position);
                true
            }
        }
    })
}

fn double(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, _, _| match block.get(position) {
        Some(
            stmt @ (Stmt::Assign(..) | Stmt::Print(..) | Stmt::Eval(_) | Stmt::While(..) | Stmt::For(_)),
        ) => {
            let copy = tree.copy(&vec![stmt.clone()]);
            block.splice(position..position, copy);
            true
        }
        _ => false,
    })
}

fn swap_operands(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |_, expr, _| match &mut expr.kind {
        Kind::Binary(op, a, b) if !op.commutes() && a.ty == b.ty && a != b => {
            std::mem::swap(a, b);
            true
        }
        Kind::Cond(_, a, b) if a != b => {
            std::mem::swap(a, b);
            true
        }
        Kind::Call(_, args) if args.len() >= 2 && args[0].ty == args[1].ty && args[0] != args[1] => {
            args.swap(0, 1);
            true
        }
        _ => false,
    })
}

fn array_index(tree: &mut Tree, choices: &mut Choices) -> bool {
    let shift = |index: &mut Expr, choices: &mut Choices| {
        let by = Expr::constant(Ty::Int, choices.pick(&[1, -1]));
        *index = Expr::binary(Binary::Add, index.take(), by);
    };
    if choices.percent(50) {
        return at_random_stmt(tree, choices, &mut |_, block, position, _, choices| {
            let Some(Stmt::Assign(place, _)) = block.get_mut(position) else { return false };
            let Kind::Index(_, index) = &mut place.kind else { return false };
            shift(index, choices);
            true
        });
    }
    at_random_expr(tree, choices, &mut |_, expr, choices| {
        let Kind::Index(_, index) = &mut expr.kind else { return false };
        shift(index, choices);
        true
    })
}

fn printed_text(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, choices| {
        let Some(Stmt::Print(word, value)) = block.get_mut(position) else { return false };
        if choices.percent(20) && value.is_some() {
            *value = None;
            return true;
        }
        let other = choices.pick(&WORDS).to_owned();
        std::mem::replace(word, other.clone()) != other
    })
}

fn exception_kind(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, choices| {
        let other = choices.pick(&EXCEPTIONS).to_owned();
        match block.get_mut(position) {
            Some(Stmt::Throw(exception)) => std::mem::replace(exception, other.clone()) != other,
            Some(Stmt::Try(parts)) if parts.catches.len() == 1 => {
                std::mem::replace(&mut parts.catches[0].0, other.clone()) != other
            }
            _ => false,
        }
    })
}

fn swap_statements(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, _| {
        let movable = |stmt: Option<&Stmt>| {
            stmt.is_some_and(|stmt| {
                !matches!(stmt, Stmt::Return(_) | Stmt::Throw(_) | Stmt::Break | Stmt::Continue)
            })
        };
        let applies = movable(block.get(position)) && movable(block.get(position + 1));
        if applies {
            block.swap(position, position + 1);
        }
        applies
    })
}

/// A parameter or global of this type.
fn visible(tree: &Tree, function: usize, ty: Ty, choices: &mut Choices) -> Option<Expr> {
    let all = tree.functions[function].params.iter().chain(&tree.globals);
    let found: Vec<_> = all.filter(|(_, other)| *other == ty).cloned().collect();
    (!found.is_empty()).then(|| Expr::var(ty, &choices.pick(&found).0))
}

fn other_variable(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_expr(tree, choices, &mut |tree, expr, choices| {
        let Kind::Var(_) = expr.kind else { return false };
        // Where the expression stands in a helper, the program is not accepted and not used.
        let function = tree.functions.len() - 1;
        match visible(tree, function, expr.ty, choices) {
            Some(other) => std::mem::replace(expr, other.clone()) != other,
            None => false,
        }
    })
}

fn other_target(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, choices| {
        let Some(Stmt::Assign(place, _)) = block.get_mut(position) else { return false };
        match visible(tree, around.function, place.ty, choices) {
            Some(other) if !other.ty.is_reference() => std::mem::replace(place, other.clone()) != other,
            _ => false,
        }
    })
}

fn other_jump(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, _| {
        let Some(stmt) = block.get_mut(position) else { return false };
        *stmt = match stmt {
            Stmt::Break => Stmt::Continue,
            Stmt::Continue => Stmt::Break,
            _ => return false,
        };
        true
    })
}

fn drop_branch(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, choices| match block.get_mut(position) {
        Some(Stmt::If(_, _, otherwise)) if !otherwise.is_empty() => {
            *otherwise = Block::new();
            true
        }
        Some(Stmt::If(_, then, _)) if choices.percent(40) => {
            let then = std::mem::take(then);
            block.splice(position..=position, then);
            true
        }
        Some(Stmt::Try(parts)) => {
            let body = std::mem::take(&mut parts.body);
            block.splice(position..=position, body);
            true
        }
        _ => false,
    })
}

fn other_field(tree: &mut Tree, choices: &mut Choices) -> bool {
    let swap = |expr: &mut Expr| match &mut expr.kind {
        Kind::Field(_, name) if ["x", "z"].contains(name) => {
            *name = if *name == "x" { "z" } else { "x" };
            true
        }
        _ => false,
    };
    if choices.percent(50) {
        return at_random_stmt(
            tree,
            choices,
            &mut |_, block, position, _, _| match block.get_mut(position) {
                Some(Stmt::Assign(place, _)) => swap(place),
                _ => false,
            },
        );
    }
    at_random_expr(tree, choices, &mut |_, expr, _| swap(expr))
}

fn new_assignment(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |tree, block, position, around, choices| {
        let ty = choices.pick(&[Ty::Int, Ty::Int, Ty::Long]);
        let Some(variable) = visible(tree, around.function, ty, choices) else { return false };
        let value = match choices.below(3) {
            0 => Expr::binary(Binary::Mul, variable.clone(), Expr::constant(ty, 2)),
            1 => Expr::constant(ty, 3),
            _ => Expr::binary(Binary::Add, variable.clone(), Expr::constant(ty, 1)),
        };
        block.insert(position, Stmt::Assign(variable, value));
        true
    })
}

fn move_out_of_loop(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, choices| {
        let Some(Stmt::While(_, body)) = block.get_mut(position) else {
            let Some(Stmt::For(parts)) = block.get_mut(position) else { return false };
            let Some(stmt) = take_movable(&mut parts.body) else { return false };
            block.insert(position + choices.below(2), stmt);
            return true;
        };
        let Some(stmt) = take_movable(body) else { return false };
        block.insert(position + choices.below(2), stmt);
        true
    })
}

fn take_movable(body: &mut Block) -> Option<Stmt> {
    let movable = matches!(body.last(), Some(Stmt::Assign(..) | Stmt::Print(..) | Stmt::Eval(_)));
    if movable && body.len() > 1 { body.pop() } else { None }
}

fn move_into_loop(tree: &mut Tree, choices: &mut Choices) -> bool {
    at_random_stmt(tree, choices, &mut |_, block, position, _, _| {
        if !matches!(block.get(position + 1), Some(Stmt::Assign(..) | Stmt::Print(..) | Stmt::Eval(_))) {
            return false;
        }
        let next = block[position + 1].clone();
        match block.get_mut(position) {
            Some(Stmt::While(_, body)) => body.push(next),
            Some(Stmt::For(parts)) => parts.body.push(next),
            _ => return false,
        }
        block.remove(position + 1);
        true
    })
}

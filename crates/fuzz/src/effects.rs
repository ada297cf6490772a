//! What statements and expressions read, write and may do besides. Over-approximating.
//!
//! Variables go by their names; all elements of arrays are one thing, `[]`, and each field is one, as `.x`.
//! A pointer of C may lead to a global variable, so that elements stand for the globals, too.
//! That a C program has undefined behaviour counts as failing.

use std::collections::BTreeSet;

use super::tree::{Binary, Block, Expr, FIELDS, Kind, Stmt, Tree, Ty, Unary, for_each_expr_in};

#[derive(Clone, Default, Debug)]
pub(crate) struct Effects {
    pub(crate) reads: BTreeSet<String>,
    pub(crate) writes: BTreeSet<String>,
    /// May end with an error, or not at all.
    pub(crate) fails: bool,
    pub(crate) prints: bool,
    /// May go elsewhere than to its end: the jumps of loops that are inside do not count.
    pub(crate) breaks: bool,
    pub(crate) continues: bool,
    pub(crate) returns: bool,
    /// Makes an object: doing it twice is not the same as doing it once.
    pub(crate) allocates: bool,
}

impl Effects {
    pub(crate) fn jumps(&self) -> bool {
        self.breaks || self.continues || self.returns
    }

    /// Computes a value and nothing else, whatever the state.
    pub(crate) fn is_pure(&self) -> bool {
        self.writes.is_empty() && !self.fails && !self.prints && !self.jumps() && !self.allocates
    }

    /// Whether one may touch what the other writes.
    pub(crate) fn interferes(&self, other: &Effects) -> bool {
        let touches = |one: &Effects, other: &Effects| {
            one.writes.iter().any(|name| other.reads.contains(name) || other.writes.contains(name))
        };
        touches(self, other) || touches(other, self)
    }

    fn add(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.fails |= other.fails;
        self.prints |= other.prints;
        self.breaks |= other.breaks;
        self.continues |= other.continues;
        self.returns |= other.returns;
        self.allocates |= other.allocates;
    }
}

/// Whether all names that are written are local variables.
pub(crate) fn writes_only_locals(tree: &Tree, effects: &Effects) -> bool {
    effects.writes.iter().all(|name| is_local(tree, name))
}

pub(crate) fn is_local(tree: &Tree, name: &str) -> bool {
    name != "[]" && !name.starts_with('.') && !tree.is_global(name)
}

pub(crate) fn of_expr(tree: &Tree, expr: &Expr) -> Effects {
    let mut effects = Effects::default();
    expr_into(tree, expr, &mut effects);
    effects
}

pub(crate) fn of_stmt(tree: &Tree, stmt: &Stmt) -> Effects {
    let mut effects = Effects::default();
    stmt_into(tree, stmt, &mut effects);
    effects
}

pub(crate) fn of_block(tree: &Tree, block: &[Stmt]) -> Effects {
    let mut effects = Effects::default();
    block.iter().for_each(|stmt| stmt_into(tree, stmt, &mut effects));
    effects
}

/// Whether no run gets past the end of the block.
pub(crate) fn always_jumps(block: &Block) -> bool {
    match block.last() {
        Some(Stmt::Break | Stmt::Continue | Stmt::Return(_) | Stmt::Throw(_)) => true,
        Some(Stmt::If(_, then, otherwise)) => always_jumps(then) && always_jumps(otherwise),
        _ => false,
    }
}

fn expr_into(tree: &Tree, expr: &Expr, effects: &mut Effects) {
    match &expr.kind {
        Kind::Const(_) => {}
        Kind::Var(name) => {
            effects.reads.insert(name.clone());
        }
        Kind::Unary(op, a) => {
            effects.fails |= tree.overflow_fails && *op == Unary::Neg && a.ty.is_integer();
            expr_into(tree, a, effects);
        }
        Kind::Cast(a) => expr_into(tree, a, effects),
        Kind::Length(a) => {
            effects.fails = true;
            expr_into(tree, a, effects);
        }
        Kind::Field(a, name) => {
            effects.fails = true;
            effects.reads.insert(format!(".{name}"));
            expr_into(tree, a, effects);
        }
        Kind::Binary(op, a, b) => {
            let divides = matches!(op, Binary::Div | Binary::Rem) && a.ty != Ty::Double;
            let shifts = matches!(op, Binary::Shl | Binary::Shr);
            let harmless = match &b.kind {
                Kind::Const(value) if divides => ![0, -1].contains(value),
                Kind::Const(value) if shifts => (0..31).contains(value),
                _ => !divides && !shifts,
            };
            let overflows = matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl);
            effects.fails |= !harmless || (tree.overflow_fails && overflows && a.ty.is_integer());
            expr_into(tree, a, effects);
            expr_into(tree, b, effects);
        }
        Kind::Cond(a, b, c) => {
            for part in [a, b, c] {
                expr_into(tree, part, effects);
            }
        }
        Kind::Index(a, b) => {
            effects.fails = true;
            effects.reads.extend(elements(tree));
            expr_into(tree, a, effects);
            expr_into(tree, b, effects);
        }
        Kind::Call(name, args) => {
            args.iter().for_each(|arg| expr_into(tree, arg, effects));
            effects.add(of_call(tree, name));
        }
        Kind::NewInts(_) | Kind::NewNode => effects.allocates = true,
    }
}

/// What an access to an element may touch.
fn elements(tree: &Tree) -> Vec<String> {
    let globals = tree.globals.iter().filter(|_| !tree.is_java).map(|(name, _)| name.clone());
    globals.chain(["[]".to_owned()]).collect()
}

/// What a call does besides evaluating its arguments.
fn of_call(tree: &Tree, name: &str) -> Effects {
    if name == ITSELF {
        return Effects { fails: true, ..Effects::default() };
    }
    let Some(position) = tree.functions.iter().position(|function| function.name == name) else {
        return anything(tree);
    };
    // What a function calls stands before it or is itself, but for circles of several functions.
    let before = Tree {
        is_java: tree.is_java,
        overflow_fails: tree.overflow_fails,
        globals: tree.globals.clone(),
        functions: tree.functions[..position].to_vec(),
        names: tree.names,
    };
    let mut body = tree.functions[position].body.clone();
    // A function that calls itself does, all calls together, what its body does.
    for_each_expr_in(&mut body, &mut |expr| {
        if let Kind::Call(callee, _) = &mut expr.kind
            && callee == name
        {
            *callee = ITSELF.to_owned();
        }
    });
    let mut effects = of_block(&before, &body);
    effects.reads.retain(|name| !is_local(tree, name));
    effects.writes.retain(|name| !is_local(tree, name));
    effects.returns = false;
    effects
}

const ITSELF: &str = "";

/// All that a function could do.
fn anything(tree: &Tree) -> Effects {
    let globals = tree.globals.iter().map(|(name, _)| name.clone());
    let fields = FIELDS.iter().map(|(name, _)| format!(".{name}"));
    let all: BTreeSet<String> = globals.chain(fields).chain(["[]".to_owned()]).collect();
    Effects {
        reads: all.clone(),
        writes: all,
        fails: true,
        prints: true,
        allocates: true,
        ..Effects::default()
    }
}

fn stmt_into(tree: &Tree, stmt: &Stmt, effects: &mut Effects) {
    match stmt {
        Stmt::Let(name, value) => {
            expr_into(tree, value, effects);
            effects.writes.insert(name.clone());
        }
        Stmt::Assign(place, value) => {
            expr_into(tree, value, effects);
            place_into(tree, place, effects);
        }
        Stmt::If(condition, then, otherwise) => {
            expr_into(tree, condition, effects);
            effects.add(of_block(tree, then));
            effects.add(of_block(tree, otherwise));
        }
        Stmt::While(condition, body) | Stmt::DoWhile(body, condition) => {
            expr_into(tree, condition, effects);
            effects.add(of_loop(tree, body));
        }
        Stmt::For(parts) => {
            for expr in [&parts.start, &parts.condition, &parts.step] {
                expr_into(tree, expr, effects);
            }
            effects.writes.insert(parts.counter.clone());
            effects.add(of_loop(tree, &parts.body));
        }
        Stmt::Break => effects.breaks = true,
        Stmt::Continue => effects.continues = true,
        Stmt::Return(value) => {
            value.iter().for_each(|value| expr_into(tree, value, effects));
            effects.returns = true;
        }
        // As good as a jump: it never gets to its end.
        Stmt::Throw(_) => {
            effects.fails = true;
            effects.returns = true;
        }
        Stmt::Try(parts) => {
            effects.add(of_block(tree, &parts.body));
            parts.catches.iter().for_each(|(_, block)| effects.add(of_block(tree, block)));
            effects.add(of_block(tree, &parts.finally));
        }
        Stmt::Print(_, value) => {
            value.iter().for_each(|value| expr_into(tree, value, effects));
            effects.prints = true;
        }
        Stmt::Eval(call) => expr_into(tree, call, effects),
    }
}

fn of_loop(tree: &Tree, body: &Block) -> Effects {
    let mut effects = of_block(tree, body);
    effects.breaks = false;
    effects.continues = false;
    effects.fails = true;
    effects
}

fn place_into(tree: &Tree, place: &Expr, effects: &mut Effects) {
    match &place.kind {
        Kind::Var(name) => {
            effects.writes.insert(name.clone());
        }
        Kind::Index(array, index) => {
            effects.fails = true;
            effects.writes.extend(elements(tree));
            expr_into(tree, array, effects);
            expr_into(tree, index, effects);
        }
        Kind::Field(object, name) => {
            effects.fails = true;
            effects.writes.insert(format!(".{name}"));
            expr_into(tree, object, effects);
        }
        _ => effects.fails = true,
    }
}

//! Whether statements can change what an expression evaluates to.
//! Over-approximating: every write to the heap counts for every load.

use ir::{Block, Expr, LocalId, Stmt, StmtKind};

/// Whether the value of the expression may be another one after the statements than before.
pub(crate) fn may_change(stmts: &[Stmt], expr: &Expr) -> bool {
    let reads = Reads::of(expr);
    stmts.iter().any(|stmt| writes(stmt, &reads))
}

/// What an expression depends on.
#[derive(Default)]
struct Reads {
    locals: Vec<LocalId>,
    globals: bool,
    heap: bool,
}

impl Reads {
    fn of(expr: &Expr) -> Reads {
        let mut reads = Reads::default();
        reads.add(expr);
        reads
    }

    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Local(local) => self.locals.push(*local),
            Expr::Global(_) => self.globals = true,
            Expr::Load { .. } | Expr::Length { .. } => self.heap = true,
            _ => {}
        }
        for_each_child(expr, &mut |child| self.add(child));
    }
}

fn writes(stmt: &Stmt, reads: &Reads) -> bool {
    let any = |block: &Block| block.iter().any(|stmt| writes(stmt, reads));
    match &stmt.kind {
        StmtKind::Assign { local, .. } => reads.locals.contains(local),
        StmtKind::New { local, .. } => reads.locals.contains(local),
        StmtKind::AssignGlobal { .. } => reads.globals,
        StmtKind::Store { .. } | StmtKind::Free { .. } => reads.heap,
        StmtKind::Call { local, .. } => {
            reads.heap || reads.globals || local.is_some_and(|local| reads.locals.contains(&local))
        }
        StmtKind::If { then, otherwise, .. } => any(then) || any(otherwise),
        StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => any(body),
        StmtKind::Try { body, catches } => any(body) || catches.iter().any(|catch| any(&catch.body)),
        StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Throw { .. }
        | StmtKind::Check { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Print { .. }
        | StmtKind::Unsupported { .. } => false,
    }
}

/// Calls a function on the direct parts of an expression.
pub(crate) fn for_each_child<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match expr {
        Expr::Const(_) | Expr::Local(_) | Expr::Global(_) => {}
        Expr::Unary { arg, .. } | Expr::Convert { arg, .. } | Expr::Fits { arg, .. } => visit(arg),
        Expr::Binary { lhs, rhs, .. }
        | Expr::SameRef { lhs, rhs }
        | Expr::SameText { lhs, rhs }
        | Expr::SameMap { lhs, rhs }
        | Expr::Overflows { lhs, rhs, .. } => {
            visit(lhs);
            visit(rhs);
        }
        Expr::If { condition, then, otherwise } => {
            visit(condition);
            visit(then);
            visit(otherwise);
        }
        Expr::Load { object, index, .. } => {
            visit(object);
            if let Some(index) = index {
                visit(index);
            }
        }
        Expr::Length { object, .. } | Expr::HasShape { object, .. } => visit(object),
        Expr::Record(fields) => fields.iter().for_each(visit),
        Expr::Get { record, .. } => visit(record),
        Expr::Select { map, key } => {
            visit(map);
            visit(key);
        }
        Expr::Update { map, key, value } => {
            visit(map);
            visit(key);
            visit(value);
        }
        Expr::Intrinsic { args, .. } => args.iter().for_each(visit),
    }
}

/// Whether control can go on after the block.
pub(crate) fn falls_through(block: &[Stmt]) -> bool {
    block.iter().all(|stmt| match &stmt.kind {
        StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Throw { .. }
        | StmtKind::Unsupported { .. } => false,
        StmtKind::If { then, otherwise, .. } => falls_through(then) || falls_through(otherwise),
        StmtKind::Loop { label, body } => breaks_to(body, *label),
        StmtKind::Scope { label, body } => falls_through(body) || breaks_to(body, *label),
        _ => true,
    })
}

/// Whether the block has a jump out of the loop or scope with this label.
pub(crate) fn breaks_to(block: &[Stmt], target: ir::LabelId) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break(label) => *label == target,
        StmtKind::If { then, otherwise, .. } => breaks_to(then, target) || breaks_to(otherwise, target),
        StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => breaks_to(body, target),
        StmtKind::Try { body, catches } => {
            breaks_to(body, target) || catches.iter().any(|catch| breaks_to(&catch.body, target))
        }
        _ => false,
    })
}

/// Whether the block starts the next round of the loop with this label by a jump.
pub(crate) fn continues_to(block: &[Stmt], target: ir::LabelId) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Continue(label) => *label == target,
        StmtKind::If { then, otherwise, .. } => continues_to(then, target) || continues_to(otherwise, target),
        StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => continues_to(body, target),
        _ => false,
    })
}

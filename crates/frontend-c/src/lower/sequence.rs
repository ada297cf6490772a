//! Where C leaves the order of evaluation open: of the operands of an operator, of arguments, of the sides of an
//! assignment. We evaluate from left to right, and say so where another order could do something else.
//!
//! Nothing is said of `f() + g()` if neither of both changes what the other one looks at.
//! Over-approximating: the order is said to matter more often than it does.

use std::collections::BTreeSet;

use ir::{Block, BlockEffects, Effects, Expr, LocalId, ProcId, Program, Span, Stmt, StmtKind};

use super::Lowerer;

/// Two parts of an expression that C may evaluate in any order: what each does, and what it gives.
pub(crate) struct Unsequenced {
    first: Block,
    second: Block,
}

impl Lowerer<'_> {
    /// Notes two parts whose statements begin at these places of the block, if one of them does anything.
    pub(crate) fn note_unsequenced(&mut self, begin: usize, start: usize, values: [&[&Expr]; 2]) {
        let (first, second) = (&self.body.out[begin..start], &self.body.out[start..]);
        if self.is_model() || !(does_something(first) || does_something(second)) {
            return;
        }
        let [first, second] = [(first, values[0]), (second, values[1])].map(|(stmts, values)| {
            let values = values
                .iter()
                .map(|value| Stmt { kind: StmtKind::Return(Some((*value).clone())), span: Span::NOWHERE });
            stmts.iter().cloned().chain(values).collect()
        });
        self.body.unsequenced.push(Unsequenced { first, second });
    }
}

/// Says of procedures that an order is taken for granted, now that the effects of all callees are known.
pub(crate) fn assume_order(program: &mut Program, noted: &[(ProcId, Vec<Unsequenced>)]) {
    let mut effects = BlockEffects::new(program);
    let mut depends =
        |parts: &[Unsequenced]| parts.iter().any(|one| order_matters(program, &mut effects, one));
    let depending: Vec<ProcId> =
        noted.iter().filter(|(_, parts)| depends(parts)).map(|(procedure, _)| *procedure).collect();
    for procedure in depending {
        program.procedures[procedure.index()].assumptions.push(ir::LEFT_TO_RIGHT.to_owned());
    }
}

/// Whether statements may do more than computing a value: checks and temporary variables are no such thing.
fn does_something(stmts: &[Stmt]) -> bool {
    let mut found = false;
    ir::for_each_stmt(stmts, &mut |stmt| {
        found |= ir::written(&stmt.kind).is_some()
            || matches!(
                &stmt.kind,
                StmtKind::Print { .. } | StmtKind::Throw { .. } | StmtKind::Assign { .. }
            );
    });
    found
}

/// What one part looks at and changes.
struct Part {
    effects: Effects,
    read: BTreeSet<LocalId>,
    assigned: BTreeSet<LocalId>,
    /// It may end the run in a defined way, such as by `exit`.
    may_end: bool,
}

impl Part {
    fn of(program: &Program, effects: &mut BlockEffects<'_>, stmts: &[Stmt]) -> Part {
        let effects = effects.of(stmts);
        let (mut read, mut assigned) = (BTreeSet::new(), BTreeSet::new());
        ir::for_each_expr(stmts, &mut |expr| {
            if let Expr::Local(local) = expr {
                read.insert(*local);
            }
        });
        ir::for_each_stmt(stmts, &mut |stmt| assigned.extend(ir::assigned_locals(&stmt.kind)));
        let may_end = effects.raises.iter().any(|error| !ir::is_undefined(program.error(*error)));
        Part { effects, read, assigned, may_end }
    }

    /// Whether this part changes what the other one looks at or changes.
    fn disturbs(&self, other: &Part) -> bool {
        let (mine, theirs) = (&self.effects, &other.effects);
        let looks_at_memory = !theirs.reads_regions.is_empty() || !theirs.writes_regions.is_empty();
        let is_seen = !theirs.writes_globals.is_empty()
            || !theirs.writes_regions.is_empty()
            || !theirs.prints.is_empty()
            || theirs.calls_out
            || other.may_end;
        !self.assigned.is_disjoint(&other.read)
            || !self.assigned.is_disjoint(&other.assigned)
            || !mine.writes_globals.is_disjoint(&theirs.reads_globals)
            || !mine.writes_globals.is_disjoint(&theirs.writes_globals)
            || !mine.writes_regions.is_disjoint(&theirs.reads_regions)
            || !mine.writes_regions.is_disjoint(&theirs.writes_regions)
            || (mine.frees && looks_at_memory)
            || !mine.prints.is_disjoint(&theirs.prints)
            || (mine.calls_out && (theirs.calls_out || !theirs.prints.is_empty()))
            || (self.may_end && is_seen)
    }
}

fn order_matters(program: &Program, effects: &mut BlockEffects<'_>, parts: &Unsequenced) -> bool {
    let first = Part::of(program, effects, &parts.first);
    let second = Part::of(program, effects, &parts.second);
    first.disturbs(&second) || second.disturbs(&first)
}

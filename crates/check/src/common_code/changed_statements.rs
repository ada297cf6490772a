//! The statements of both versions that changed, by `align`'s account of it.

use std::collections::BTreeSet;

use align::MatchKind;
use interp::Mark;
use ir::{Pair, ProcId, Program, Side, Span, StmtKind};

use super::CommonCode;

/// A changed statement of a version, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChangedStatement {
    pub(crate) mark: Mark,
    pub(crate) span: Span,
    /// The statement of the source that it is, or of which it is a copy: a restricted procedure has two of each.
    pub(crate) original: Mark,
}

impl CommonCode<'_> {
    /// The changed statements of all procedures that the versions reach: those without a partner, with one that is not
    /// the same, or at another place. What stands nowhere in the source was added by a front end and is left out.
    pub(crate) fn changed_statements(&self) -> Pair<Vec<ChangedStatement>> {
        let programs = self.programs;
        let mut changed = Pair { old: Vec::new(), new: Vec::new() };
        for procedure in &self.procedures {
            let Some(alignment) = procedure.alignment() else { continue };
            let differ = alignment.matches.iter().filter(|it| it.kind == MatchKind::Changed || it.moved);
            let (old, new): (BTreeSet<usize>, BTreeSet<usize>) = differ.map(|it| (it.old, it.new)).unzip();
            let old = old.into_iter().chain(alignment.deleted.iter().copied()).collect();
            let new = new.into_iter().chain(alignment.inserted.iter().copied()).collect();
            add(&mut changed.old, (programs.old, procedure.ids.old), &old);
            add(&mut changed.new, (programs.new, procedure.ids.new), &new);
        }
        let root = self.procedures[0].ids;
        for side in [Side::Old, Side::New] {
            let (program, other) = (*programs.get(side), *programs.get(side.other()));
            let is_paired = |id: &ProcId| self.procedures.iter().any(|it| it.ids.get(side) == id);
            let alone = ir::reachable(program, *root.get(side));
            for id in alone.into_iter().filter(|id| !is_paired(id)) {
                if !is_known(program, id, other) {
                    let count = statement_spans(program, id).len();
                    add(changed.get_mut(side), (program, id), &(0..count).collect());
                }
            }
        }
        changed
    }
}

/// Whether the other version has the procedure too, although it does not reach it.
fn is_known(program: &Program, id: ProcId, other: &Program) -> bool {
    let named = other.procedure_named(&program.procedure(id).name);
    named.is_some_and(|same| ir::same_code(Pair { old: (program, id), new: (other, same) }))
}

fn add(
    changed: &mut Vec<ChangedStatement>,
    (program, procedure): (&Program, ProcId),
    statements: &BTreeSet<usize>,
) {
    if program.procedure(procedure).span.is_nowhere() {
        return;
    }
    let spans = statement_spans(program, procedure);
    let copy = rewrite::other_copy(program, procedure);
    for statement in statements.iter().copied() {
        if let Some(span) = spans.get(statement).filter(|span| !span.is_nowhere()) {
            let mark = Mark { procedure, statement };
            let original = match copy {
                Some((procedure, before)) if statement >= before => {
                    Mark { procedure, statement: statement - before }
                }
                Some(_) | None => mark,
            };
            changed.push(ChangedStatement { mark, span: *span, original });
        }
    }
}

/// Where the statements of a procedure stand, in the order of `ir::for_each_stmt`. Behind the guards of a front end, which
/// stand where what they guard stands, is no code of the source.
fn statement_spans(program: &Program, procedure: ProcId) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut guard = None;
    let body = program.procedure(procedure).body.as_deref().unwrap_or_default();
    ir::for_each_stmt(body, &mut |stmt| {
        let is_behind_guard = matches!(stmt.kind, StmtKind::Unsupported { .. }) && guard == Some(stmt.span);
        spans.push(if is_behind_guard { Span::NOWHERE } else { stmt.span });
        guard = matches!(&stmt.kind, StmtKind::If { .. }).then_some(stmt.span);
    });
    spans
}

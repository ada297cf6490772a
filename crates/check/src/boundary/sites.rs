//! The calls in two procedures whose own code is the same.

use ir::{Pair, ProcId, Span, Stmt, StmtKind, blocks, for_each_stmt_mut};
use rewrite::RunPath;

use ir::Subject;

/// A call that stands at the same place in both versions.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) path: RunPath,
    pub(super) callees: Pair<ProcId>,
}

impl Site {
    /// Whether the call is among the statements, or inside one of them.
    pub(super) fn is_in(&self, run: &RunPath) -> bool {
        let place = match self.path.inside.get(run.inside.len()) {
            Some((statement, _)) => *statement,
            None => self.path.first,
        };
        self.path.inside.starts_with(&run.inside) && (run.first..run.first + run.length).contains(&place)
    }
}

/// The calls of two procedures that are not proved, in the order of the text; `None` if the procedures differ in more
/// than what they call. Whether their expressions are the same is left to the comparison at the end.
pub(super) fn sites(
    pair: Pair<Subject<'_>>,
    is_proved: &mut dyn FnMut(Pair<ProcId>) -> bool,
) -> Option<Vec<Site>> {
    let procedures = pair.map(|subject| subject.procedure());
    let (old, new) = (procedures.old.body.as_ref()?, procedures.new.body.as_ref()?);
    let mut found = Vec::new();
    walk(Pair { old, new }, &mut Vec::new(), &mut found)?;
    found.retain(|site| !is_proved(site.callees));
    Some(found)
}

/// Whether two bodies are written alike, whatever they call. A guess that costs little: numbers of variables may mean
/// something else in the other version.
pub(super) fn same_but_for_callees(pair: Pair<Subject<'_>>) -> bool {
    let bare = pair.map(|subject| {
        let mut body = subject.procedure().body.clone().unwrap_or_default();
        for_each_stmt_mut(&mut body, &mut |stmt| {
            stmt.span = Span::NOWHERE;
            if let StmtKind::Call { callee, .. } = &mut stmt.kind {
                *callee = ProcId::from_index(0);
            }
        });
        body
    });
    bare.old == bare.new
}

fn walk(lists: Pair<&Vec<Stmt>>, inside: &mut Vec<(usize, usize)>, found: &mut Vec<Site>) -> Option<()> {
    if lists.old.len() != lists.new.len() {
        return None;
    }
    for (place, (old, new)) in lists.old.iter().zip(lists.new).enumerate() {
        if std::mem::discriminant(&old.kind) != std::mem::discriminant(&new.kind) {
            return None;
        }
        if let (StmtKind::Call { callee: old, .. }, StmtKind::Call { callee: new, .. }) =
            (&old.kind, &new.kind)
        {
            let path = RunPath { inside: inside.clone(), first: place, length: 1 };
            found.push(Site { path, callees: Pair { old: *old, new: *new } });
        }
        let inner = Pair { old: blocks(&old.kind), new: blocks(&new.kind) };
        if inner.old.len() != inner.new.len() {
            return None;
        }
        for (number, (old, new)) in inner.old.into_iter().zip(inner.new).enumerate() {
            inside.push((place, number));
            walk(Pair { old, new }, inside, found)?;
            inside.pop();
        }
    }
    Some(())
}

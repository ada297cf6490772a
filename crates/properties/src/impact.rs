//! The statements of a procedure that a change has an impact on, as DiSE defines them.
//!
//! Changed statements are found by the text of both versions without their assertions. What depends on them through data
//! or control, and all that those statements depend on, is impacted. A call of a procedure that is not the same any more
//! is changed; so is what follows a statement that is gone.
//!
//! Over-approximating: there may be statements in it that no change can be seen in.

use std::collections::BTreeSet;

use ir::{Dependences, Pair, ProcId, Program, Span, Stmt, StmtKind, for_each_stmt};

use crate::relevant::{CodePlace, place, without_assertions};
use crate::site::{Site, site_of};

/// What a change means for an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impact {
    /// Whether the assertion depends on a change.
    pub on_site: bool,
    /// The impacted statements of the new version, by their places.
    pub spans: BTreeSet<Span>,
    /// The changed ones among them.
    pub changed: BTreeSet<Span>,
}

/// What the change between two versions of a procedure means for an assertion that both have. None if it does not stand at
/// the same place of the code that both have.
pub fn impact(versions: Pair<(&Program, ProcId)>, sites: Pair<&Site>) -> Option<Impact> {
    let (changed, matched) = changed(versions);
    let places = versions.zip(sites).map(|((program, id), site)| place(program, id, site));
    if places.old.len() != places.new.len()
        || !places.old.iter().zip(&places.new).all(|(old, new)| is_same_place(old, new, &matched))
    {
        return None;
    }
    let site = sites.new;
    let (program, procedure) = versions.new;
    let body = program.procedure(procedure).body.as_deref().unwrap_or_default();
    let mut statements: Vec<&Stmt> = Vec::new();
    for_each_stmt(body, &mut |stmt| statements.push(stmt));
    let numbers = |is_it: &dyn Fn(&Stmt) -> bool| -> BTreeSet<usize> {
        statements.iter().enumerate().filter(|(_, stmt)| is_it(stmt)).map(|(at, _)| at).collect()
    };
    let changed_numbers = numbers(&|stmt| changed.contains(&stmt.span));
    let dependences = Dependences::of(program, procedure);
    let forward = dependences.forward(&changed_numbers);
    let impacted = dependences.backward(&forward);
    let sites = numbers(&|stmt| site_of(program, stmt).as_ref() == Some(site));
    let on_site = sites.iter().any(|at| forward.contains(at)) || sites.is_empty();
    let spans = impacted.iter().map(|at| statements[*at].span).collect();
    Some(Impact { on_site, spans, changed })
}

/// Whether two places have the same common statements before and around them.
fn is_same_place(old: &CodePlace, new: &CodePlace, matched: &[(usize, usize)]) -> bool {
    let is_matched = |((old, at_old), (new, at_new)): (&(usize, usize), &(usize, usize))| {
        at_old == at_new && matched.contains(&(*old, *new))
    };
    old.inside.len() == new.inside.len()
        && old.inside.iter().zip(&new.inside).all(is_matched)
        && matched.iter().all(|(at_old, at_new)| (*at_old < old.before) == (*at_new < new.before))
}

/// The places of the new version's statements that the old one does not have, and the statements that both have.
fn changed(versions: Pair<(&Program, ProcId)>) -> (BTreeSet<Span>, Vec<(usize, usize)>) {
    let plain = versions.map(|(program, id)| (without_assertions(program), id));
    let heads = plain.as_ref().map(|(program, id)| heads(program, *id));
    let same = |callees: &[ProcId], other: &[ProcId]| {
        let pairs = callees.iter().zip(other);
        pairs.into_iter().all(|(old, new)| {
            let pair = Pair::new((&plain.old.0, *old), (&plain.new.0, *new));
            old_and_new_are_the_same(pair)
        })
    };
    let texts = heads.as_ref().map(|heads| heads.iter().map(|head| &head.text).collect::<Vec<_>>());
    let mut found = BTreeSet::new();
    let mut next = Pair::new(0, 0);
    let end = (heads.old.len(), heads.new.len());
    let matched = common(&texts.old, &texts.new);
    for (at_old, at_new) in matched.iter().copied().chain([end]) {
        found.extend(heads.new[next.new..at_new].iter().map(|head| head.span));
        let is_gone = at_old > next.old;
        if let Some(head) = heads.new.get(at_new) {
            let is_same = heads.old.get(at_old).is_some_and(|old| same(&old.callees, &head.callees));
            if is_gone || !is_same {
                found.insert(head.span);
            }
        }
        next = Pair::new(at_old + 1, at_new + 1);
    }
    (found, matched)
}

fn old_and_new_are_the_same(pair: Pair<(&Program, ProcId)>) -> bool {
    let external = pair.map(|(program, id)| program.procedure(id).body.is_none());
    match (external.old, external.new) {
        (true, true) => pair.old.0.procedure(pair.old.1).name == pair.new.0.procedure(pair.new.1).name,
        (false, false) => ir::same_code(pair),
        (true, false) | (false, true) => false,
    }
}

/// A statement without what is inside of it.
struct Head {
    text: String,
    span: Span,
    callees: Vec<ProcId>,
}

fn heads(program: &Program, id: ProcId) -> Vec<Head> {
    let procedure = program.procedure(id);
    let mut heads = Vec::new();
    for_each_stmt(procedure.body.as_deref().unwrap_or_default(), &mut |stmt| {
        let callees = match &stmt.kind {
            StmtKind::Call { callee, .. } => vec![*callee],
            _ => Vec::new(),
        };
        heads.push(Head { text: ir::print_stmt_head(program, procedure, stmt), span: stmt.span, callees });
    });
    heads
}

/// The longest list of common elements, by their places in both.
fn common(old: &[&String], new: &[&String]) -> Vec<(usize, usize)> {
    let (rows, columns) = (old.len() + 1, new.len() + 1);
    let mut lengths = vec![0_u32; rows * columns];
    for row in (0..old.len()).rev() {
        for column in (0..new.len()).rev() {
            lengths[row * columns + column] = match old[row] == new[column] {
                true => lengths[(row + 1) * columns + column + 1] + 1,
                false => lengths[(row + 1) * columns + column].max(lengths[row * columns + column + 1]),
            };
        }
    }
    let mut found = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < old.len() && column < new.len() {
        if old[row] == new[column] {
            found.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if lengths[(row + 1) * columns + column] >= lengths[row * columns + column + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    found
}

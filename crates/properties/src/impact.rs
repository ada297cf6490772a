//! The statements of a procedure that a change has an impact on, as DiSE defines them.
//!
//! Changed statements are found by the text of both versions without their assertions. A call of a procedure that is not
//! the same any more is changed; where a statement is gone, the one around it is. What depends on changed statements
//! through data or control, and all that those statements depend on, is impacted.
//!
//! A run of the new version that executes no changed statement is a run of the old one, with the same values.
//! Over-approximating: there may be statements in it that no change can be seen in.

use std::collections::BTreeSet;

use ir::{Dependences, Pair, ProcId, Program, Span, Stmt, StmtKind, for_each_stmt};

use crate::relevant::{CodePlace, place, without_assertions};
use crate::site::{Site, site_of};
use crate::surroundings::{declarations, meaning};

/// What a change means for an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impact {
    /// Whether the assertion depends on a change.
    pub on_site: bool,
    /// The impacted statements of the new version, by their places.
    pub spans: BTreeSet<Span>,
    /// The changed ones.
    pub changed: BTreeSet<Span>,
}

/// What the change between two versions of a procedure means for an assertion that both have. None if it does not stand at
/// the same place of the code that both have, if its words mean something else, or if the change has no place: every run
/// may be another one.
pub fn impact(versions: Pair<(&Program, ProcId)>, sites: Pair<&Site>) -> Option<Impact> {
    let meanings = versions.zip(sites).map(|((program, id), site)| meaning(program, id, site));
    let declared = versions.map(|(program, id)| declarations(program, id));
    // What only one of them names stands in a statement that changed.
    let is_declared_alike =
        declared.old.iter().all(|(name, text)| declared.new.get(name).is_none_or(|other| other == text));
    let params = versions.map(|(program, id)| program.procedure(id).params);
    if meanings.old != meanings.new || !is_declared_alike || params.old != params.new {
        return None;
    }
    let Changes { changed, matched } = changes(versions)?;
    let places = versions.zip(sites).map(|((program, id), site)| place(program, id, site));
    let is_there = |(old, new): (&CodePlace, &CodePlace)| is_same_place(old, new, &matched);
    if places.old.len() != places.new.len() || !places.old.iter().zip(&places.new).all(is_there) {
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
    let mut spans = BTreeSet::new();
    for at in impacted {
        spans.insert(statements[at].span);
        // What a call does is not told apart: all that it may run is impacted with it.
        if let StmtKind::Call { callee, .. } = &statements[at].kind {
            for id in ir::reachable(program, *callee) {
                let body = program.procedure(id).body.as_deref().unwrap_or_default();
                for_each_stmt(body, &mut |stmt| {
                    spans.insert(stmt.span);
                });
            }
        }
    }
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

/// What changed between two versions of a procedure.
struct Changes {
    /// The places of changed statements of the new version.
    changed: BTreeSet<Span>,
    /// The statements that both have, by their numbers.
    matched: Vec<(usize, usize)>,
}

/// What changed, if that has places in the new version.
fn changes(versions: Pair<(&Program, ProcId)>) -> Option<Changes> {
    let plain = versions.map(|(program, id)| (without_assertions(program), id));
    let heads = plain.as_ref().map(|(program, id)| heads(program, *id));
    let has_same_callees = |old: &Head, new: &Head| {
        let mut callees = old.callees.iter().zip(&new.callees);
        callees.all(|(old, new)| is_the_same(Pair::new((&plain.old.0, *old), (&plain.new.0, *new))))
    };
    let texts = heads.as_ref().map(|heads| heads.iter().map(|head| &head.text).collect::<Vec<_>>());
    let mut matched = common(&texts.old, &texts.new);
    let mut changed = BTreeSet::new();
    for (old, new) in &matched {
        if !has_same_callees(&heads.old[*old], &heads.new[*new]) {
            changed.insert(heads.new[*new].span);
        }
    }
    let mut next = Pair::new(0, 0);
    let mut gone = Vec::new();
    for (at_old, at_new) in matched.clone().into_iter().chain([(heads.old.len(), heads.new.len())]) {
        changed.extend(heads.new[next.new..at_new].iter().map(|head| head.span));
        gone.push((next.old..at_old, next.new..at_new));
        next = Pair::new(at_old + 1, at_new + 1);
    }
    for (old, new) in gone {
        // What took the place of something stands for it.
        let is_replaced = old.len() == new.len()
            && old.clone().zip(new.clone()).all(|(old_at, new_at)| {
                match (heads.old[old_at].around, heads.new[new_at].around) {
                    (None, None) => true,
                    (Some((old_around, at_old)), Some((new_around, at_new))) => {
                        let is_pair = matched.contains(&(old_around, new_around));
                        let is_replaced = old.contains(&old_around)
                            && new.contains(&new_around)
                            && old_around - old.start == new_around - new.start;
                        at_old == at_new && (is_pair || is_replaced)
                    }
                    (Some(_), None) | (None, Some(_)) => false,
                }
            });
        if is_replaced {
            matched.extend(old.zip(new));
            continue;
        }
        for at in old.clone() {
            match heads.old[at].around {
                // Wherever the run was before, it misses something now.
                None => return None,
                Some((around, _)) if old.contains(&around) => {}
                Some((around, _)) => {
                    let (_, new) = matched.iter().find(|(old, _)| *old == around)?;
                    changed.insert(heads.new[*new].span);
                }
            }
        }
    }
    Some(Changes { changed, matched })
}

fn is_the_same(pair: Pair<(&Program, ProcId)>) -> bool {
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
    /// The statement that it stands in, by its number, and in which block of it.
    around: Option<(usize, usize)>,
}

fn heads(program: &Program, id: ProcId) -> Vec<Head> {
    let mut heads = Vec::new();
    let body = program.procedure(id).body.as_deref().unwrap_or_default();
    add_heads(program, id, body, None, &mut heads);
    heads
}

fn add_heads(
    program: &Program,
    id: ProcId,
    block: &[Stmt],
    around: Option<(usize, usize)>,
    heads: &mut Vec<Head>,
) {
    for stmt in block {
        let callees = match &stmt.kind {
            StmtKind::Call { callee, .. } => vec![*callee],
            _ => Vec::new(),
        };
        let text = ir::print_stmt_head(program, program.procedure(id), stmt);
        let number = heads.len();
        heads.push(Head { text, span: stmt.span, callees, around });
        for (at, inner) in ir::blocks(&stmt.kind).into_iter().enumerate() {
            add_heads(program, id, inner, Some((number, at)), heads);
        }
    }
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

//! Runs of statements around a call in which a difference of the callee may die, the smallest first.
//!
//! A guess: what is not a boundary is found out by comparing. On every level, from the list that the call stands in
//! outwards, a run may begin at the call or where what goes into it is computed, and may end where what comes out of it
//! is used for the last time. A loop is broken up on the way: the lists in it are one pass through it.

use std::collections::BTreeSet;

use ir::{Expr, LocalId, Stmt, assigned_locals, for_each_expr, for_each_stmt};
use rewrite::RunPath;

use super::Site;

/// The candidates around a call, the whole body last.
pub(super) fn around(site: &Site, body: &[Stmt]) -> Vec<RunPath> {
    let mut runs: Vec<RunPath> = Vec::new();
    let mut path = site.path.clone();
    loop {
        if let Some(list) = path.list(body) {
            runs.extend(on_level(&path, list));
        }
        let Some((statement, _)) = path.inside.pop() else { break };
        path.first = statement;
    }
    let size = |run: &RunPath| run.statements(body).map_or(0, size_of);
    let mut seen = BTreeSet::new();
    runs.retain(|run| seen.insert(run.clone()));
    runs.sort_by_cached_key(|run| (size(run), std::cmp::Reverse(run.inside.len()), run.clone()));
    runs
}

/// The runs in one list around a statement of it.
fn on_level(at: &RunPath, list: &[Stmt]) -> Vec<RunPath> {
    let here = at.first;
    let mut ends = BTreeSet::from([here, (here + 1).min(list.len() - 1), list.len() - 1]);
    ends.extend(last_use(list, here));
    let mut runs = Vec::new();
    for end in ends {
        let mut starts = BTreeSet::from([here, 0]);
        starts.extend(sources(list, here, end));
        for start in starts {
            let run = RunPath { inside: at.inside.clone(), first: start, length: end + 1 - start };
            runs.push(run);
        }
    }
    runs
}

/// Where what a statement assigns is read for the last time in its list.
fn last_use(list: &[Stmt], here: usize) -> Option<usize> {
    let assigned = assigned_in(&list[here..=here]);
    (here + 1..list.len()).rev().find(|place| !assigned.is_disjoint(&read_in(&list[*place..=*place])))
}

/// Where the statements stand that what the run reads comes from: the first, and those nearest to the run.
fn sources(list: &[Stmt], start: usize, end: usize) -> Vec<usize> {
    let mut wanted = read_in(&list[start..=end]);
    let mut found = Vec::new();
    for place in (0..start).rev() {
        let stmt = &list[place..=place];
        if !assigned_in(stmt).is_disjoint(&wanted) {
            wanted.extend(read_in(stmt));
            found.push(place);
        }
    }
    let first = found.last().copied();
    // Runs that begin one statement earlier hardly differ: every other one will do.
    found.into_iter().take(2 * NEAREST).step_by(2).chain(first).collect()
}

/// Sources of a run that are tried as its start.
const NEAREST: usize = 4;

fn assigned_in(statements: &[Stmt]) -> BTreeSet<LocalId> {
    let mut locals = BTreeSet::new();
    for_each_stmt(statements, &mut |stmt| locals.extend(assigned_locals(&stmt.kind)));
    locals
}

fn read_in(statements: &[Stmt]) -> BTreeSet<LocalId> {
    let mut locals = BTreeSet::new();
    for_each_expr(statements, &mut |expr| {
        if let Expr::Local(local) = expr {
            locals.insert(*local);
        }
    });
    locals
}

fn size_of(statements: &[Stmt]) -> usize {
    let mut size = 0;
    for_each_stmt(statements, &mut |_| size += 1);
    size
}

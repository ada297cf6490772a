//! The code that the outcome of an assertion rests on.
//!
//! What can only run after the site is left out, and so are assignments, stores and output that nothing before the site
//! depends on, and decisions between nothing else. Whatever can end a run, or keep it from ending, stays. So two programs with the same relevant code have
//! the same runs up to the site, with the same values in all that the assertion reads.
//!
//! Exact: the outcome of the assertion is the same in the program and in its relevant code. The code is not the smallest.

mod unread;

use std::collections::BTreeSet;

use ir::{Block, Dependences, ProcId, Program, Span, Stmt, StmtKind, for_each_stmt};

use crate::ending::{VIOLATED, fail_at, turn_off};
use crate::site::{Site, SiteKind, is_one_of, site_of};

/// The relevant code of an assertion as seen from a procedure, in normal form: procedure 0 of the result.
pub fn relevant(program: &Program, procedure: ProcId, site: &Site) -> Program {
    // Other places may look the same, and which line it is says nothing.
    let sites = std::slice::from_ref(site);
    let marked = fail_at(reduced(program, procedure, sites), sites, VIOLATED);
    ir::normalise(&marked, procedure)
}

/// The program in which a procedure has only the code that is relevant to some assertions.
pub(crate) fn reduced(program: &Program, procedure: ProcId, sites: &[Site]) -> Program {
    let mut program = program.clone();
    if !ir::is_recursive(&program, procedure) {
        let like = program.clone();
        if let Some(body) = &mut program.procedures[procedure.index()].body
            && body.iter().any(|stmt| leads_there(&like, stmt, sites))
        {
            cut_after(&like, body, sites, false);
        }
    }
    unread::without_unread(&mut program, procedure);
    drop_unneeded(&mut program, procedure, sites);
    program
}

/// A program in which no assertion but one ends a run. What is computed for the others is left out where that changes
/// nothing else.
pub fn stripped(program: &Program, site: &Site) -> Program {
    stripped_but(program, std::slice::from_ref(site))
}

/// The same for several.
pub(crate) fn stripped_but(program: &Program, sites: &[Site]) -> Program {
    let like = program.clone();
    let mut program = program.clone();
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else { continue };
        let others = droppable(&like, body, |other| !sites.contains(other));
        drop_within(body, &others);
        ir::for_each_stmt_mut(body, &mut |stmt| turn_off(&like, stmt, sites));
    }
    program
}

/// A program without its assertions, and without what is computed for them alone.
pub fn without_assertions(program: &Program) -> Program {
    let like = program.clone();
    let mut program = program.clone();
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else { continue };
        let all = droppable(&like, body, |_| true);
        drop_within(body, &all);
    }
    program
}

/// Where a site stands among the statements that belong to no assertion.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CodePlace {
    /// How many of them stand before it.
    pub before: usize,
    /// Those that it stands in, by their number, and in which block of each.
    pub inside: Vec<(usize, usize)>,
}

/// Where a site stands in a procedure; copies of it stand at several places.
pub fn place(program: &Program, procedure: ProcId, site: &Site) -> Vec<CodePlace> {
    let body = program.procedure(procedure).body.as_deref().unwrap_or_default();
    let assertions = droppable(program, body, |_| true);
    let mut finder =
        PlaceFinder { program, site, assertions, count: 0, inside: Vec::new(), found: Vec::new() };
    finder.block(body);
    finder.found
}

struct PlaceFinder<'a> {
    program: &'a Program,
    site: &'a Site,
    assertions: Vec<Span>,
    count: usize,
    inside: Vec<(usize, usize)>,
    found: Vec<CodePlace>,
}

impl PlaceFinder<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            if site_of(self.program, stmt).as_ref() == Some(self.site) {
                self.found.push(CodePlace { before: self.count, inside: self.inside.clone() });
            }
            let is_code = !self.assertions.iter().any(|span| is_within(stmt.span, *span));
            let number = self.count;
            self.count += usize::from(is_code);
            for (at, inner) in ir::blocks(&stmt.kind).into_iter().enumerate() {
                if is_code {
                    self.inside.push((number, at));
                }
                self.block(inner);
                if is_code {
                    self.inside.pop();
                }
            }
        }
    }
}

/// The places of the assertions of a block whose evaluation changes nothing but what it needs itself.
fn droppable(program: &Program, body: &[Stmt], is_meant: impl Fn(&Site) -> bool) -> Vec<Span> {
    let mut spans = BTreeSet::new();
    for_each_stmt(body, &mut |stmt| {
        if let Some(site) = site_of(program, stmt)
            && site.kind == SiteKind::Assertion
            && is_meant(&site)
        {
            spans.insert(site.span);
        }
    });
    spans.into_iter().filter(|span| only_looks(program, body, *span)).collect()
}

/// Whether the statements within a span change nothing that others see.
fn only_looks(program: &Program, body: &[Stmt], span: Span) -> bool {
    let mut is_quiet = true;
    let (mut assigned, mut read) = (BTreeSet::new(), BTreeSet::new());
    for_each_stmt(body, &mut |stmt| {
        if !is_within(stmt.span, span) {
            ir::for_each_part(&stmt.kind, &mut |part| {
                ir::for_each_subexpr(part, &mut |expr| {
                    if let ir::Expr::Local(local) = expr {
                        read.insert(*local);
                    }
                });
            });
            return;
        }
        assigned.extend(ir::assigned_locals(&stmt.kind));
        is_quiet &= match &stmt.kind {
            StmtKind::Assign { .. }
            | StmtKind::If { .. }
            | StmtKind::Scope { .. }
            | StmtKind::Break(_)
            | StmtKind::Check { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Throw { .. } => true,
            StmtKind::Call { callee, .. } => {
                let effects = ir::effects(program, *callee);
                effects.writes_globals.is_empty()
                    && effects.writes_regions.is_empty()
                    && effects.prints.is_empty()
                    && effects.allocates.is_empty()
                    && !effects.frees
                    && !effects.calls_out
            }
            StmtKind::AssignGlobal { .. }
            | StmtKind::Store { .. }
            | StmtKind::New { .. }
            | StmtKind::Free { .. }
            | StmtKind::Loop { .. }
            | StmtKind::Continue(_)
            | StmtKind::Return(_)
            | StmtKind::Try { .. }
            | StmtKind::Assume { .. }
            | StmtKind::Print { .. }
            | StmtKind::Unsupported { .. } => false,
        };
    });
    is_quiet && assigned.is_disjoint(&read)
}

pub(crate) fn is_within(inner: Span, outer: Span) -> bool {
    !inner.is_nowhere()
        && inner.file == outer.file
        && (outer.line, outer.column) <= (inner.line, inner.column)
        && (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
}

fn drop_within(block: &mut Block, spans: &[Span]) {
    block.retain(|stmt| !spans.iter().any(|span| is_within(stmt.span, *span)));
    for stmt in block {
        ir::blocks_mut(&mut stmt.kind).into_iter().for_each(|inner| drop_within(inner, spans));
    }
}

/// Whether a statement is one of some sites, or contains one or a call that may lead there.
fn leads_there(program: &Program, stmt: &Stmt, sites: &[Site]) -> bool {
    let mut found = false;
    for_each_stmt(std::slice::from_ref(stmt), &mut |inner| {
        found |= is_one_of(program, inner, sites);
        if let StmtKind::Call { callee, .. } = &inner.kind {
            found |= ir::reachable(program, *callee).into_iter().any(|id| {
                let mut is_there = false;
                let body = program.procedure(id).body.as_deref().unwrap_or_default();
                for_each_stmt(body, &mut |stmt| is_there |= is_one_of(program, stmt, sites));
                is_there
            });
        }
    });
    found
}

/// Leaves out what can only run after the sites. Inside a loop anything may run before it.
fn cut_after(program: &Program, block: &mut Block, sites: &[Site], in_loop: bool) {
    if in_loop {
        return;
    }
    let Some(last) = block.iter().rposition(|stmt| leads_there(program, stmt, sites)) else {
        // The other way of a conditional: nothing after it leads there.
        block.clear();
        return;
    };
    block.truncate(last + 1);
    let is_loop = |kind: &StmtKind| matches!(kind, StmtKind::Loop { .. } | StmtKind::Try { .. });
    let stmt = &mut block[last];
    if is_one_of(program, stmt, sites) {
        return;
    }
    let in_loop = is_loop(&stmt.kind);
    for inner in ir::blocks_mut(&mut stmt.kind) {
        cut_after(program, inner, sites, in_loop);
    }
}

/// Leaves out statements without influence on what stays.
fn drop_unneeded(program: &mut Program, procedure: ProcId, sites: &[Site]) {
    let body = program.procedure(procedure).body.as_deref().unwrap_or_default();
    let mut statements: Vec<&Stmt> = Vec::new();
    for_each_stmt(body, &mut |stmt| statements.push(stmt));
    // What a call below leaves in memory is read by the call around it, which is the same code.
    let is_recursive = ir::is_recursive(program, procedure);
    let stays = |stmt: &Stmt| !may_go(program, stmt) || is_recursive && changes_memory(stmt);
    let kept: BTreeSet<usize> = statements
        .iter()
        .enumerate()
        .filter(|(_, stmt)| stays(stmt) || is_one_of(program, stmt, sites))
        .map(|(at, _)| at)
        .collect();
    let around = around(&statements);
    let dependences = Dependences::of(program, procedure);
    let mut needed = dependences.backward(&kept);
    // Whatever stands around something that is needed decides about it.
    loop {
        let all: BTreeSet<usize> =
            needed.iter().flat_map(|at| around[*at]).chain(needed.iter().copied()).collect();
        if all == needed {
            break;
        }
        needed = dependences.backward(&all);
    }
    let mut count = 0;
    let body = program.procedures[procedure.index()].body.as_mut();
    if let Some(body) = body {
        retain(body, &mut count, &needed);
    }
}

/// For each statement the one that it stands in, by its number.
fn around(statements: &[&Stmt]) -> Vec<Option<usize>> {
    let mut found = vec![None; statements.len()];
    for (at, stmt) in statements.iter().enumerate() {
        let mut inside = 0;
        for_each_stmt(std::slice::from_ref(*stmt), &mut |_| inside += 1);
        // The statements inside follow it; the nearest one around comes last.
        found[at + 1..at + inside].iter_mut().for_each(|it| *it = Some(at));
    }
    found
}

fn retain(block: &mut Block, count: &mut usize, needed: &BTreeSet<usize>) {
    let mut kept = Vec::new();
    for mut stmt in std::mem::take(block) {
        let at = *count;
        *count += 1;
        for inner in ir::blocks_mut(&mut stmt.kind) {
            retain(inner, count, needed);
        }
        if needed.contains(&at) {
            kept.push(stmt);
        }
    }
    *block = kept;
}

/// Whether a statement, or one inside of it, leaves something behind when the procedure returns.
fn changes_memory(stmt: &Stmt) -> bool {
    let mut changes = false;
    for_each_stmt(std::slice::from_ref(stmt), &mut |inner| {
        changes |= matches!(
            inner.kind,
            StmtKind::AssignGlobal { .. }
                | StmtKind::Store { .. }
                | StmtKind::New { .. }
                | StmtKind::Print { .. }
        );
    });
    changes
}

/// Whether a statement can be left out if nobody needs what it does: it neither ends a run nor keeps it from ending.
fn may_go(program: &Program, stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assign { .. }
        | StmtKind::AssignGlobal { .. }
        | StmtKind::Store { .. }
        | StmtKind::New { .. }
        | StmtKind::Print { .. } => true,
        // A condition has no effects: where nobody needs what it decides about, nobody needs it.
        StmtKind::If { then, otherwise, .. } => {
            site_of(program, stmt).is_none()
                && then.iter().chain(otherwise).all(|inner| may_go(program, inner))
        }
        StmtKind::Call { callee, .. } => {
            program.procedure(*callee).body.is_none()
                && !program.procedure(*callee).external.access.changes_world()
        }
        StmtKind::Assert { condition, .. } => *condition == ir::Expr::Const(ir::Const::Bool(true)),
        StmtKind::Free { .. }
        | StmtKind::Loop { .. }
        | StmtKind::Scope { .. }
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Throw { .. }
        | StmtKind::Try { .. }
        | StmtKind::Check { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Unsupported { .. } => false,
    }
}

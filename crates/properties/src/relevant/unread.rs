//! Leaves out what is written to memory and globals that nothing reads, in a procedure and all that it calls.
//!
//! Exact for whatever a run computes, decides and ends with: a store has no other effect than that somebody may read it.

use std::collections::BTreeSet;

use ir::{Block, Expr, GlobalId, ProcId, Program, RegionId, Stmt, StmtKind};

/// What somebody reads.
#[derive(Default, PartialEq)]
struct Read {
    regions: BTreeSet<RegionId>,
    globals: BTreeSet<GlobalId>,
}

/// The program without the stores and assignments that a procedure does for nobody.
pub(super) fn without_unread(program: &mut Program, procedure: ProcId) {
    let reachable = ir::reachable(program, procedure);
    let looks_around = |id: &ProcId| {
        let it = program.procedure(*id);
        it.body.is_none() && it.external.access.reads_memory()
    };
    if reachable.iter().any(looks_around) {
        return;
    }
    let mut read = Read::default();
    loop {
        let mut more = Read::default();
        for id in &reachable {
            let body = program.procedure(*id).body.as_deref().unwrap_or_default();
            ir::for_each_stmt(body, &mut |stmt| {
                if !read.is_for_nobody(&stmt.kind) {
                    more.add(stmt);
                }
            });
        }
        if more == read {
            break;
        }
        read = more;
    }
    for id in reachable {
        if let Some(body) = &mut program.procedures[id.index()].body {
            drop_unread(body, &read);
        }
    }
}

impl Read {
    /// Whether a statement only writes what is not read.
    fn is_for_nobody(&self, kind: &StmtKind) -> bool {
        match kind {
            StmtKind::Store { region, .. } => !self.regions.contains(region),
            StmtKind::AssignGlobal { global, .. } => !self.globals.contains(global),
            _ => false,
        }
    }

    fn add(&mut self, stmt: &Stmt) {
        ir::for_each_part(&stmt.kind, &mut |part| {
            ir::for_each_subexpr(part, &mut |expr| match expr {
                Expr::Load { region, .. } => {
                    self.regions.insert(*region);
                }
                Expr::Global(global) => {
                    self.globals.insert(*global);
                }
                _ => {}
            });
        });
    }
}

fn drop_unread(block: &mut Block, read: &Read) {
    block.retain(|stmt| !read.is_for_nobody(&stmt.kind));
    for stmt in block {
        ir::blocks_mut(&mut stmt.kind).into_iter().for_each(|inner| drop_unread(inner, read));
    }
}

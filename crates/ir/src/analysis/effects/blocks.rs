//! The effects of many blocks of one program. What a procedure does is found once, whoever calls it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Effects, add_effects, close_statics, external_effects};
use crate::{ProcId, Program, Stmt, StmtKind, calls_of, for_each_stmt};

/// Gives the same as [`super::block_effects`], over-approximating like it.
pub struct BlockEffects<'a> {
    program: &'a Program,
    /// What procedures do themselves, and what they call. Of unknown code only the name is noted.
    own: BTreeMap<ProcId, (Effects, Vec<ProcId>)>,
    /// What they do with all their callees.
    all: BTreeMap<ProcId, Effects>,
}

impl<'a> BlockEffects<'a> {
    pub fn new(program: &'a Program) -> BlockEffects<'a> {
        BlockEffects { program, own: BTreeMap::new(), all: BTreeMap::new() }
    }

    /// What statements and all that they call may do.
    pub fn of(&mut self, statements: &[Stmt]) -> Effects {
        let mut effects = Effects::default();
        add_effects(statements, &mut effects);
        let mut callees = BTreeSet::new();
        for_each_stmt(statements, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = stmt.kind {
                callees.insert(callee);
            }
        });
        for callee in callees {
            effects.add(self.with_callees(callee));
        }
        for external in effects.externals.clone() {
            external_effects(self.program, external, &mut effects);
        }
        close_statics(self.program, &mut effects);
        effects
    }

    fn with_callees(&mut self, id: ProcId) -> &Effects {
        if !self.all.contains_key(&id) {
            let mut effects = Effects::default();
            let mut seen = BTreeSet::from([id]);
            let mut open = vec![id];
            while let Some(next) = open.pop() {
                let (own, callees) = self.own(next);
                effects.add(own);
                open.extend(callees.iter().filter(|callee| seen.insert(**callee)));
            }
            self.all.insert(id, effects);
        }
        &self.all[&id]
    }

    fn own(&mut self, id: ProcId) -> &(Effects, Vec<ProcId>) {
        let program = self.program;
        self.own.entry(id).or_insert_with(|| {
            let mut effects = Effects::default();
            match &program.procedure(id).body {
                Some(body) => add_effects(body, &mut effects),
                None => {
                    effects.externals.insert(id);
                }
            }
            (effects, calls_of(program, id).to_vec())
        })
    }
}

impl Effects {
    /// Adds what something else may do.
    fn add(&mut self, other: &Effects) {
        let Effects {
            reads_globals,
            writes_globals,
            reads_regions,
            writes_regions,
            reads_lengths,
            reads_shapes,
            frees,
            statics,
            allocates,
            externals,
            calls_out,
            raises,
            prints,
            assumes,
            unsupported,
            loops,
            recursive,
        } = other;
        self.reads_globals.extend(reads_globals);
        self.writes_globals.extend(writes_globals);
        self.reads_regions.extend(reads_regions);
        self.writes_regions.extend(writes_regions);
        self.statics.extend(statics);
        self.allocates.extend(allocates);
        self.externals.extend(externals);
        self.raises.extend(raises);
        self.prints.extend(prints);
        self.reads_lengths |= reads_lengths;
        self.reads_shapes |= reads_shapes;
        self.frees |= frees;
        self.calls_out |= calls_out;
        self.assumes |= assumes;
        self.unsupported |= unsupported;
        self.loops |= loops;
        self.recursive |= recursive;
    }
}

//! Which loops of the two versions go together. A guess: what is said of them must be proved.

use std::collections::BTreeSet;

use ir::{Fragment, Pair, ProcId, Program, RegionId, Stmt, StmtKind, Subject, interfaces};
use symbolic::LoopShape;

use super::CommonCode;
use super::statements::ProcedurePair;

impl<'a> CommonCode<'a> {
    /// All loops, those that go together in pairs: as the alignment says, and what is left over by the order of the
    /// text. A loop that goes with none stands alone.
    pub(crate) fn loop_pairs(&self, pair: Pair<Subject<'a>>) -> Vec<Pair<Option<LoopShape<'a>>>> {
        let written = written_regions(pair);
        let effects = pair.map(|subject| ir::effects(subject.program, subject.procedure));
        let makes_objects =
            [&effects.old, &effects.new].iter().any(|effects| effects.frees || !effects.allocates.is_empty());
        let mut found = Vec::new();
        for procedure in &self.procedures {
            for (old, new) in pairs_of(procedure) {
                let statements = procedure.all_statements();
                let shape = |program: &'a Program, id: ProcId, stmt: &'a Stmt, around| {
                    let fragment =
                        Fragment { program, procedure: id, statements: std::slice::from_ref(stmt) };
                    let both = Pair { old: fragment, new: fragment };
                    let interface = interfaces(both, Pair { old: around, new: around }, &mut |_| true)?.old;
                    // Lengths and shapes are taken to be those of the inputs.
                    if interface.asks_objects && makes_objects {
                        return None;
                    }
                    let is_written = |region: RegionId| written.contains(&program.region(region).name);
                    LoopShape::new(program, id, stmt, &interface, &is_written).ok()
                };
                let (programs, ids, around) = (self.programs, procedure.ids, &procedure.around);
                let old = old.and_then(|at| shape(programs.old, ids.old, statements.old[at], &around.old));
                let new = new.and_then(|at| shape(programs.new, ids.new, statements.new[at], &around.new));
                if old.is_some() || new.is_some() {
                    found.push(Pair { old, new });
                }
            }
        }
        found
    }
}

fn pairs_of(procedure: &ProcedurePair<'_>) -> Vec<(Option<usize>, Option<usize>)> {
    let statements = procedure.all_statements();
    let loops = statements.map(|statements| {
        let all = statements.iter().enumerate();
        all.filter(|(_, stmt)| matches!(stmt.kind, StmtKind::Loop { .. }))
            .map(|(number, _)| number)
            .collect::<Vec<_>>()
    });
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for &old in &loops.old {
        if let Some(new) = procedure.partner(old)
            && loops.new.contains(&new)
        {
            pairs.push((old, new));
        }
    }
    let is_free_old = |old: &&usize| !pairs.iter().any(|(taken, _)| taken == *old);
    let is_free_new = |new: &&usize| !pairs.iter().any(|(_, taken)| taken == *new);
    let left_old: Vec<usize> = loops.old.iter().filter(is_free_old).copied().collect();
    let left_new: Vec<usize> = loops.new.iter().filter(is_free_new).copied().collect();
    let by_order = left_old.into_iter().zip(left_new);
    pairs.extend(by_order.filter(|(old, new)| procedure.loop_depth(*old) == procedure.new_loop_depth(*new)));
    let alone_old = loops.old.iter().filter(|old| !pairs.iter().any(|(taken, _)| taken == *old));
    let alone_new = loops.new.iter().filter(|new| !pairs.iter().any(|(_, taken)| taken == *new));
    let alone: Vec<(Option<usize>, Option<usize>)> =
        alone_old.map(|old| (Some(*old), None)).chain(alone_new.map(|new| (None, Some(*new)))).collect();
    pairs.sort_unstable();
    pairs.into_iter().map(|(old, new)| (Some(old), Some(new))).chain(alone).collect()
}

/// The names of the regions that either version may write to.
fn written_regions(pair: Pair<Subject<'_>>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for subject in [pair.old, pair.new] {
        let effects = ir::effects(subject.program, subject.procedure);
        names.extend(effects.writes_regions.iter().map(|id| subject.program.region(*id).name.clone()));
        for shape in effects.allocates {
            let (ir::Cells::Fields(regions) | ir::Cells::Indexed(regions)) =
                &subject.program.shape(shape).cells;
            names.extend(regions.iter().map(|id| subject.program.region(*id).name.clone()));
        }
    }
    names
}

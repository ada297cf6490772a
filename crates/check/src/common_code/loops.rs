//! Which loops of the two versions go together. A guess: what is said of them must be proved.

use std::collections::BTreeSet;

use ir::{Fragment, Pair, ProcId, Program, RegionId, Stmt, StmtKind, interfaces};
use symbolic::LoopShape;

use super::CommonCode;
use super::statements::ProcedurePair;
use crate::Subject;

impl<'a> CommonCode<'a> {
    /// Loops that go together: as the alignment says, and what is left over by the order of the text.
    pub(crate) fn loop_pairs(&self, pair: Pair<Subject<'a>>) -> Vec<Pair<LoopShape<'a>>> {
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
                let shapes = (
                    shape(self.programs.old, procedure.ids.old, statements.old[old], &procedure.around.old),
                    shape(self.programs.new, procedure.ids.new, statements.new[new], &procedure.around.new),
                );
                if let (Some(old), Some(new)) = shapes {
                    found.push(Pair { old, new });
                }
            }
        }
        found
    }
}

fn pairs_of(procedure: &ProcedurePair<'_>) -> Vec<(usize, usize)> {
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
    pairs.sort_unstable();
    pairs
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

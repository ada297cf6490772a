//! The changed statements of a pair, for analyses that follow what changes influence.
//!
//! Over-approximating: a statement counts as unchanged only if it is the same code, on locals that go together
//! everywhere, and calls what is the same code.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Fragment, LocalId, Pair, Program, Stmt, StmtKind, same_statements};

use super::CommonCode;

/// What changed in the compared procedures themselves. Statements go by their number in the order of the text.
pub(crate) struct Changes<'a> {
    pub(crate) statements: Pair<Vec<&'a Stmt>>,
    /// For each statement that did not change, the old one with the new one.
    pub(crate) unchanged: Vec<Pair<usize>>,
    pub(crate) changed: Pair<BTreeSet<usize>>,
    /// Whether a jump changed: then what runs at all may have changed anywhere.
    pub(crate) jumps_changed: bool,
}

impl<'a> CommonCode<'a> {
    /// The changes of the pair itself, what it calls counted as part of the calls.
    pub(crate) fn changes(&self) -> Changes<'a> {
        let procedure = &self.procedures[0];
        let statements = procedure.all_statements();
        let ids = procedure.ids;
        let matched: Vec<Pair<usize>> = (0..statements.old.len())
            .filter_map(|old| Some(Pair { old, new: procedure.partner(old)? }))
            .collect();
        let targets = statements.as_ref().map(|statements| jump_targets(statements));
        let goes_together: BTreeSet<Pair<usize>> = matched.iter().copied().collect();
        let programs = self.programs;
        let mut same_jumps: BTreeSet<Pair<usize>> = BTreeSet::new();
        let mut same_heads: Vec<(Pair<usize>, Vec<Pair<LocalId>>)> = Vec::new();
        for pair in matched {
            let heads = Pair { old: head(statements.old[pair.old]), new: head(statements.new[pair.new]) };
            let jumps = programs.zip(heads.as_ref()).map(|(program, head)| jump(program, head));
            // Breaks and continues have no value: if they are not the same, they go elsewhere.
            let has_value = matches!(heads.old.kind, StmtKind::Return(_) | StmtKind::Throw { .. });
            if has_value && jumps.old == jumps.new {
                same_jumps.insert(pair);
            }
            let fragments = programs.zip(ids).zip(heads.as_ref()).map(|((program, procedure), head)| {
                Fragment { program, procedure, statements: std::slice::from_ref(head) }
            });
            let goes_to = Pair { old: targets.old.get(&pair.old), new: targets.new.get(&pair.new) };
            if let Pair { old: Some(&old), new: Some(&new) } = goes_to
                && !goes_together.contains(&Pair { old, new })
            {
                continue;
            }
            let locals = same_statements(fragments, &mut |callees| self.same_code.is_same(callees));
            same_heads.extend(locals.map(|locals| (pair, locals)));
        }
        let params = programs.old.procedure(ids.old).params;
        let partners = partners(params, &same_heads);
        same_heads.retain(|(_, locals)| locals.iter().all(|pair| partners.get(&pair.old) == Some(&pair.new)));
        let unchanged: Vec<Pair<usize>> = same_heads.into_iter().map(|(pair, _)| pair).collect();
        let mut changed =
            statements.as_ref().map(|statements| (0..statements.len()).collect::<BTreeSet<usize>>());
        for pair in &unchanged {
            changed.old.remove(&pair.old);
            changed.new.remove(&pair.new);
        }
        let is_same = |side: fn(&Pair<usize>) -> usize, number: usize| {
            same_jumps.iter().chain(&unchanged).any(|pair| side(pair) == number)
        };
        let jumps = statements.as_ref().zip(programs).map(|(statements, program)| {
            let jumps = statements.iter().enumerate().filter(|(_, stmt)| jump(program, stmt).is_some());
            jumps.map(|(number, _)| number).collect::<Vec<usize>>()
        });
        let jumps_changed = jumps.old.iter().any(|number| !is_same(|pair| pair.old, *number))
            || jumps.new.iter().any(|number| !is_same(|pair| pair.new, *number));
        Changes { statements, unchanged, changed, jumps_changed }
    }
}

/// For each break and continue the number of the loop or scope that it names.
fn jump_targets(statements: &[&Stmt]) -> BTreeMap<usize, usize> {
    let mut labels = BTreeMap::new();
    let mut targets = BTreeMap::new();
    for (number, stmt) in statements.iter().enumerate() {
        match &stmt.kind {
            StmtKind::Loop { label, .. } | StmtKind::Scope { label, .. } => {
                labels.insert(*label, number);
            }
            StmtKind::Break(label) | StmtKind::Continue(label) => {
                targets.extend(labels.get(label).map(|target| (number, *target)));
            }
            _ => {}
        }
    }
    targets
}

/// Where a jump goes, without the value that it takes along.
fn jump(program: &Program, stmt: &Stmt) -> Option<String> {
    match &stmt.kind {
        StmtKind::Return(_) => Some("return".to_owned()),
        StmtKind::Throw { error, .. } => Some(format!("throw {}", program.error(*error))),
        // To which loop is told by the comparison of whole statements.
        StmtKind::Break(_) => Some("break".to_owned()),
        StmtKind::Continue(_) => Some("continue".to_owned()),
        _ => None,
    }
}

/// A statement without what is inside it.
fn head(stmt: &Stmt) -> Stmt {
    let mut head = stmt.clone();
    for block in ir::blocks_mut(&mut head.kind) {
        block.clear();
    }
    head
}

/// Which locals go together everywhere: parameters by their place, others as most statements say.
fn partners(params: usize, same: &[(Pair<usize>, Vec<Pair<LocalId>>)]) -> BTreeMap<LocalId, LocalId> {
    let mut votes: BTreeMap<Pair<LocalId>, usize> = BTreeMap::new();
    for pair in same.iter().flat_map(|(_, locals)| locals) {
        *votes.entry(*pair).or_default() += 1;
    }
    let mut partners: BTreeMap<LocalId, LocalId> =
        (0..params).map(LocalId::from_index).map(|param| (param, param)).collect();
    let mut taken: BTreeSet<LocalId> = partners.values().copied().collect();
    let mut order: Vec<(Pair<LocalId>, usize)> = votes.into_iter().collect();
    order.sort_by_key(|(pair, count)| (std::cmp::Reverse(*count), *pair));
    for (pair, _) in order {
        if !partners.contains_key(&pair.old) && taken.insert(pair.new) {
            partners.insert(pair.old, pair.new);
        }
    }
    partners
}

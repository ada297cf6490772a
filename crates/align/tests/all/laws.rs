//! What holds for every alignment, tried on random procedures and changed copies of them.

use std::collections::{BTreeMap, BTreeSet};

use align::{Alignment, MatchKind, align_statements};
use arbitrary_ir::{Config, Random, program};
use ir::{Block, Expr, LabelId, LocalId, Pair, ProcId, Program, Span, Stmt, StmtKind};

const SEEDS: u64 = 150;
const MAIN: ProcId = ProcId(0);

fn config(unsupported: bool) -> Config {
    Config { statements: 25, unsupported, ..Config::everything() }
}

fn body(program: &Program) -> &Block {
    program.procedure(MAIN).body.as_ref().unwrap()
}

fn statements(program: &Program) -> Vec<&Stmt> {
    let mut found = Vec::new();
    ir::for_each_stmt(body(program), &mut |stmt| found.push(stmt));
    found
}

fn align(old: &Program, new: &Program) -> Alignment {
    align_statements(Pair::new((old, MAIN), (new, MAIN)))
}

/// A copy with some changes: statements deleted, repeated, exchanged and wrapped, constants changed, locals renamed.
fn changed(original: &Program, random: &mut Random, times: usize) -> Program {
    let mut copy = original.clone();
    for _ in 0..times {
        let procedure = &mut copy.procedures[0];
        let mut blocks = 0;
        let mut count = |_: &mut Block| blocks += 1;
        for_each_block(procedure.body.as_mut().unwrap(), &mut count);
        let (chosen, mut place) = (random.below(blocks), 0);
        let change = random.below(6);
        for_each_block(procedure.body.as_mut().unwrap(), &mut |block| {
            if place == chosen && !block.is_empty() {
                change_block(block, change, random);
            }
            place += 1;
        });
        if change == 5 {
            let local = random.below(procedure.locals.len());
            procedure.locals[local].name.push('r');
        }
    }
    copy
}

fn for_each_block(block: &mut Block, visit: &mut dyn FnMut(&mut Block)) {
    visit(block);
    for stmt in block {
        for inner in ir::blocks_mut(&mut stmt.kind) {
            for_each_block(inner, visit);
        }
    }
}

fn change_block(block: &mut Block, change: usize, random: &mut Random) {
    let place = random.below(block.len());
    match change {
        0 => {
            block.remove(place);
        }
        1 => {
            let copy = block[place].clone();
            block.insert(random.below(block.len() + 1), copy);
        }
        2 => {
            let other = random.below(block.len());
            block.swap(place, other);
        }
        3 => {
            let wrapped = block.remove(place);
            let condition = Expr::Const(ir::Const::Bool(true));
            let kind = StmtKind::If { condition, then: vec![wrapped], otherwise: Vec::new() };
            block.insert(place, Stmt { kind, span: Span::NOWHERE });
        }
        4 => ir::for_each_expr_mut(block, &mut |expr| {
            if let Expr::Const(ir::Const::Int(ty, value)) = expr
                && random.one_in(4)
            {
                *value = ty.wrap(*value + 1);
            }
        }),
        _ => {}
    }
}

fn random_pairs(seed: u64) -> Vec<Pair<Program>> {
    let mut random = Random::new(seed);
    let original = program(seed, &config(seed.is_multiple_of(5)));
    [1, 3, 10].map(|times| Pair::new(original.clone(), changed(&original, &mut random, times))).into()
}

#[test]
fn a_procedure_is_all_common_with_itself() {
    for seed in 0..SEEDS {
        let program = program(seed, &config(false));
        let alignment = align(&program, &program);
        assert_eq!(alignment.matches.len(), statements(&program).len());
        for found in &alignment.matches {
            assert!(
                found.old == found.new && found.kind == MatchKind::Common && !found.moved,
                "{seed} {found:?}"
            );
        }
        assert!(alignment.deleted.is_empty() && alignment.inserted.is_empty());
    }
}

#[test]
fn every_statement_is_matched_once_or_not_at_all() {
    for pair in (0..SEEDS).flat_map(random_pairs) {
        let counts = pair.as_ref().map(|program| statements(program).len());
        let alignment = align(&pair.old, &pair.new);
        assert!(alignment.matches.is_sorted_by_key(|found| found.old));
        let old = alignment.matches.iter().map(|found| found.old).chain(alignment.deleted.iter().copied());
        let new = alignment.matches.iter().map(|found| found.new).chain(alignment.inserted.iter().copied());
        let (mut old, mut new): (Vec<_>, Vec<_>) = (old.collect(), new.collect());
        old.sort_unstable();
        new.sort_unstable();
        assert_eq!(old, (0..counts.old).collect::<Vec<_>>());
        assert_eq!(new, (0..counts.new).collect::<Vec<_>>());
    }
}

#[test]
fn exchanged_versions_match_about_as_much() {
    let (mut there, mut back) = (0, 0);
    for pair in (0..SEEDS).flat_map(random_pairs) {
        let sizes =
            Pair::new(align(&pair.old, &pair.new), align(&pair.new, &pair.old)).map(|it| it.matches.len());
        assert!(sizes.old.abs_diff(sizes.new) <= 3 + sizes.old / 5, "{sizes:?}");
        there += sizes.old;
        back += sizes.new;
    }
    assert!(there.abs_diff(back) * 100 <= there, "{there} {back}");
}

#[test]
fn small_changes_leave_most_statements_common() {
    let (mut common, mut all) = (0, 0);
    for pair in (0..SEEDS).map(|seed| random_pairs(seed).swap_remove(0)) {
        let alignment = align(&pair.old, &pair.new);
        common += alignment.matches.iter().filter(|found| found.kind == MatchKind::Common).count();
        all += statements(&pair.old).len();
    }
    assert!(common * 10 >= all * 8, "{common} of {all}");
}

#[test]
fn common_statements_are_equal_under_one_renaming() {
    for pair in (0..SEEDS).flat_map(random_pairs) {
        let both = pair.as_ref().map(statements);
        let mut locals = Bijection::new();
        let mut labels = Bijection::new();
        for found in align(&pair.old, &pair.new).matches {
            if found.kind != MatchKind::Common {
                continue;
            }
            let variables = Pair::new(both.old[found.old], both.new[found.new]).map(variables);
            assert_eq!(variables.old.0.len(), variables.new.0.len());
            assert_eq!(variables.old.1.len(), variables.new.1.len());
            locals.extend(variables.old.0, variables.new.0);
            labels.extend(variables.old.1, variables.new.1);
            let renamed = renamed(both.old[found.old], &locals, &labels);
            assert_eq!(renamed, renamed_to_itself(both.new[found.new]));
        }
        for (old, new) in &locals.new_of {
            let types = (&pair.old.procedure(MAIN).local(*old).ty, &pair.new.procedure(MAIN).local(*new).ty);
            assert_eq!(types.0, types.1);
        }
    }
}

#[test]
fn what_is_all_common_and_did_not_move_is_the_same_code() {
    let mut same = 0;
    for pair in (0..SEEDS).flat_map(random_pairs) {
        let alignment = align(&pair.old, &pair.new);
        let is_same = alignment.deleted.is_empty()
            && alignment.inserted.is_empty()
            && alignment.matches.iter().all(|found| found.kind == MatchKind::Common && !found.moved);
        if is_same && !ir::effects(&pair.old, MAIN).unsupported {
            assert!(ir::same_code(Pair::new((&pair.old, MAIN), (&pair.new, MAIN))));
            same += 1;
        }
    }
    assert!(same > 50, "only {same}");
}

#[test]
fn renaming_all_locals_is_no_change() {
    for seed in 0..SEEDS {
        let old = program(seed, &config(false));
        let mut new = old.clone();
        for local in &mut new.procedures[0].locals {
            local.name = format!("other_{}", local.name.trim_start_matches('$'));
        }
        let alignment = align(&old, &new);
        let common = alignment.matches.iter().filter(|found| found.kind == MatchKind::Common && !found.moved);
        assert_eq!(common.count(), statements(&old).len(), "seed {seed}");
    }
}

struct Bijection<T> {
    new_of: BTreeMap<T, T>,
    taken: BTreeSet<T>,
}

impl<T: Ord + Copy + std::fmt::Debug> Bijection<T> {
    fn new() -> Bijection<T> {
        Bijection { new_of: BTreeMap::new(), taken: BTreeSet::new() }
    }

    fn extend(&mut self, old: Vec<T>, new: Vec<T>) {
        for (old, new) in old.into_iter().zip(new) {
            match self.new_of.get(&old) {
                Some(known) => assert_eq!(*known, new, "one variable has two partners"),
                None => {
                    assert!(self.taken.insert(new), "two variables have one partner");
                    self.new_of.insert(old, new);
                }
            }
        }
    }
}

/// All uses of locals and labels, in order.
fn variables(stmt: &Stmt) -> (Vec<LocalId>, Vec<LabelId>) {
    let (mut locals, mut labels) = (Vec::new(), Vec::new());
    let mut copy = vec![stmt.clone()];
    rename(&mut copy, &mut |local| locals.push(*local), &mut |label| labels.push(*label));
    (locals, labels)
}

fn renamed(stmt: &Stmt, locals: &Bijection<LocalId>, labels: &Bijection<LabelId>) -> Block {
    let mut copy = vec![stmt.clone()];
    rename(&mut copy, &mut |local| *local = locals.new_of[local], &mut |label| *label = labels.new_of[label]);
    copy
}

fn renamed_to_itself(stmt: &Stmt) -> Block {
    let mut copy = vec![stmt.clone()];
    rename(&mut copy, &mut |_| {}, &mut |_| {});
    copy
}

/// Visits all locals and labels, and forgets all spans.
fn rename(block: &mut Block, local: &mut dyn FnMut(&mut LocalId), label: &mut dyn FnMut(&mut LabelId)) {
    ir::for_each_stmt_mut(block, &mut |stmt| {
        stmt.span = Span::NOWHERE;
        for part in ir::parts_mut(&mut stmt.kind) {
            ir::for_each_subexpr_mut(part, &mut |expr| {
                if let Expr::Local(id) = expr {
                    local(id);
                }
            });
        }
        match &mut stmt.kind {
            StmtKind::Assign { local: id, .. }
            | StmtKind::New { local: id, .. }
            | StmtKind::Call { local: Some(id), .. } => local(id),
            StmtKind::Loop { label: id, .. }
            | StmtKind::Scope { label: id, .. }
            | StmtKind::Break(id)
            | StmtKind::Continue(id) => label(id),
            StmtKind::Try { catches, .. } => {
                catches.iter_mut().filter_map(|catch| catch.message.as_mut()).for_each(&mut *local);
            }
            _ => {}
        }
    });
}

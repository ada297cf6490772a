//! Rewritten programs do what they did: the law of the crate `rewrite`.

use crate::random_input::{for_interpreter, random_input};
use crate::{config, first_seed, programs};
use arbitrary_ir::Random;
use interp::Comparison;
use ir::Numbers;
use ir::{Pair, ProcId, Program, Stmt, StmtKind};
use rewrite::{LoopHead, RunPath};
use smt::Terms;

#[test]
fn inlined_programs_do_the_same() {
    let count = assert_rewriting(&arbitrary_ir::Config::everything(), |_, program| {
        let mut changed = None;
        for _ in 0..3 {
            let current = changed.as_ref().unwrap_or(program);
            let Some(next) = rewrite::inline_calls(current, &[ProcId(0)], &|_| true, usize::MAX) else {
                break;
            };
            changed = Some(next);
        }
        changed
    });
    assert!(count > 20, "{count} programs with calls are too few");
}

#[test]
fn outlined_programs_do_the_same() {
    let count = assert_rewriting(&arbitrary_ir::Config::everything(), outline_somewhere);
    assert!(count > 20, "{count} programs with outlined statements are too few");
}

#[test]
fn outlined_programs_with_loops_and_jumps_do_the_same() {
    let count = assert_rewriting(&with_loops(), outline_somewhere);
    assert!(count > 20, "{count} programs with outlined statements are too few");
}

#[test]
fn programs_with_rotated_loops_do_the_same() {
    let count = assert_rewriting(&with_loops(), |_, program| rewrite::rotate_loops(program));
    assert!(count > 20, "{count} programs with rotated loops are too few");
}

#[test]
fn programs_with_unrotated_loops_do_the_same() {
    // Loops of random programs test at their start, so that they are rotated first.
    let count = assert_rewriting(&with_loops(), |_, program| {
        rewrite::unrotate_loops(&rewrite::rotate_loops(program)?)
    });
    assert!(count > 20, "{count} programs with loops rotated twice are too few");
}

#[test]
fn observed_programs_do_the_same() {
    let count = assert_rewriting(&with_loops(), |_, program| {
        let procedure = program.procedure(ProcId(0));
        let mut heads = Vec::new();
        ir::for_each_stmt(procedure.body.as_deref()?, &mut |stmt| {
            if matches!(stmt.kind, StmtKind::Loop { .. }) {
                let state = (0..procedure.params).map(|at| ir::Expr::Local(ir::LocalId::from_index(at)));
                let (name, state) = (format!("$head {}", heads.len()), state.collect());
                heads.push(LoopHead { procedure: ProcId(0), stmt, name, state });
            }
        });
        (!heads.is_empty()).then(|| rewrite::observe_loops(program, &heads))
    });
    assert!(count > 20, "{count} programs with observed loops are too few");
}

#[test]
fn programs_with_observed_statements_do_the_same() {
    let count = assert_rewriting(&with_loops(), |_, program| {
        let all = (0..program.procedures.len()).map(ProcId::from_index).collect();
        let (observed, sites) = rewrite::observe_statements(program, &all, &|_| false);
        (!sites.is_empty()).then_some(observed)
    });
    assert!(count > 20, "{count} programs with observed statements are too few");
}

fn with_loops() -> arbitrary_ir::Config {
    arbitrary_ir::Config { statements: 20, ..arbitrary_ir::Config::integers() }
}

/// Compares random programs with what a rewriting makes of them; how many it changed.
fn assert_rewriting(
    generator: &arbitrary_ir::Config,
    mut rewriting: impl FnMut(&mut Random, &Program) -> Option<Program>,
) -> usize {
    let mut count = 0;
    for seed in first_seed()..first_seed() + programs() {
        let program = arbitrary_ir::program(seed, generator);
        let mut random = Random::new(seed ^ 0x0071_11e5);
        let Some(changed) = rewriting(&mut random, &program) else { continue };
        assert_same(seed, &program, &changed, Numbers::Machine);
        count += 1;
    }
    count
}

#[test]
fn recursion_that_only_repeats_is_a_loop() {
    for numbers in [Numbers::Machine, Numbers::Math] {
        for (text, is_turned) in RECURSIVE {
            let program = ir::read_program(text).expect("the program should be well-formed");
            let Some(changed) = rewrite::eliminate_tail_calls(&program, ProcId(0)) else {
                assert!(!is_turned, "a loop should do for\n{text}");
                continue;
            };
            assert!(is_turned, "no loop does for\n{text}");
            assert_same(0, &program, &changed, numbers);
        }
    }
}

const RECURSIVE: [(&str, bool); 9] = [
    // The parameters change at once.
    (
        "program java
proc f(a: i32, b: i32) -> i32 {
  var t: i32
  if le.i32(b, 0) { return a }
  t = call f(sub.i32(b, 1), sub.i32(and.i32(a, 7), 2))
  return t
}
",
        true,
    ),
    // Locals start as zero in every call.
    (
        "program java
proc f(a: i32, b: i32) -> i32 {
  var t: i32
  var seen: i32
  if lt.i32(a, 0) { seen = 5 }
  if le.i32(b, 0) { return seen }
  t = call f(neg.i32(a), sub.i32(and.i32(b, 15), 1))
  return t
}
",
        true,
    ),
    // What is added is taken before the parameters change.
    (
        "program java
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 3 }
  if eq.i32(and.i32(n, 1), 0) {
    t = call f(sub.i32(and.i32(n, 31), 1))
    return t
  }
  t = call f(sub.i32(and.i32(n, 31), 1))
  return add.i32(mul.i32(n, 5), t)
}
",
        true,
    ),
    // What follows the branches is nothing but the end.
    (
        "program java
proc f(n: i32) -> i32 {
  var t: i32
  var u: i32
  if le.i32(n, 0) { u = 1 } else {
    t = call f(sub.i32(and.i32(n, 15), 1))
    u = add.i32(rem.i32(n, 10), t)
  }
  return u
}
",
        true,
    ),
    // A shift that may have no meaning has to wait for the call, which may fail.
    (
        "program java
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 1 }
  t = call f(sub.i32(and.i32(n, 15), 1))
  return add.i32(shl.i32(1, n), t)
}
",
        false,
    ),
    // Sums and products do not mix.
    (
        "program java
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 3 }
  if eq.i32(and.i32(n, 1), 0) {
    t = call f(sub.i32(and.i32(n, 31), 1))
    return mul.i32(2, t)
  }
  t = call f(sub.i32(and.i32(n, 31), 1))
  return add.i32(n, t)
}
",
        false,
    ),
    // A difference depends on the order.
    (
        "program java
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 3 }
  t = call f(sub.i32(and.i32(n, 31), 1))
  return sub.i32(n, t)
}
",
        false,
    ),
    // What is done with the result may have a name.
    (
        "program java
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 3 }
  t = call f(sub.i32(and.i32(n, 31), 1))
  t = mul.i32(t, 3)
  return t
}
",
        true,
    ),
    // Something is done with the result first that the order matters for.
    (
        "program java
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 3 }
  t = call f(sub.i32(and.i32(n, 31), 1))
  t = sub.i32(n, t)
  return t
}
",
        false,
    ),
];

/// Runs both programs on random inputs.
fn assert_same(seed: u64, program: &Program, changed: &Program, numbers: Numbers) {
    assert_eq!(ir::validate(changed), Ok(()), "seed {seed}:\n{}", ir::print(changed));
    let pair = Pair::new(program, changed);
    let inputs =
        symbolic::inputs(&mut Terms::new(), pair.map(|program| (program, ProcId(0))), &config(numbers));
    let machines = pair.map(|program| interp::Machine::new(program, numbers));
    let mut random = Random::new(seed ^ 0x0071_11e5);
    for _ in 0..10 {
        let input = for_interpreter(&random_input(&mut random, &inputs, program.language));
        let runs = machines.as_ref().map(|machine| machine.run(ProcId(0), &input, &interp::Limits::USUAL));
        if let Comparison::Different(difference) = interp::compare(&runs.old, &runs.new) {
            panic!("seed {seed}, {difference:?} on {input:?}:\n{}", ir::print(changed))
        }
    }
}

/// The program with some statements of procedure 0 in a procedure of their own, a few times over.
fn outline_somewhere(random: &mut Random, program: &Program) -> Option<Program> {
    let (program, mut moved) = (&rewrite::hoist_uses(program), None);
    for round in 0..6 {
        let current: &Program = moved.as_ref().unwrap_or(program);
        let path = random_run(random, current.procedure(ProcId(0)).body.as_ref()?);
        let both = Pair::new((current, ProcId(0)), (current, ProcId(0)));
        if let Some(pair) = rewrite::outline(both, &path, &format!("part{round}")) {
            moved = Some(pair.new.program);
        }
    }
    moved
}

fn random_run(random: &mut Random, body: &[Stmt]) -> RunPath {
    let (mut list, mut inside) = (body, Vec::new());
    loop {
        let first = random.below(list.len().max(1));
        let inner = list.get(first).map(|stmt| ir::blocks(&stmt.kind)).unwrap_or_default();
        if inner.is_empty() || random.below(3) == 0 {
            let length = 1 + random.below((list.len() - first).max(1));
            return RunPath { inside, first, length: length.min(list.len() - first) };
        }
        let block = random.below(inner.len());
        inside.push((first, block));
        list = inner[block];
    }
}

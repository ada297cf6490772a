//! Calls written out, and calls of itself turned into a loop: the program does what it did.

use crate::random_input::{for_interpreter, random_input};
use crate::{config, first_seed, programs};
use interp::Comparison;
use ir::Numbers;
use ir::generate::{self, Random};
use ir::{Pair, ProcId, Program};
use smt::Terms;

#[test]
fn programs_with_calls_written_out_do_the_same() {
    let mut written_out = 0;
    for seed in first_seed()..first_seed() + programs() {
        let program = generate::program(seed, &generate::Config::everything());
        let mut changed = program.clone();
        for round in 0..3 {
            let Some(procedure) = ir::inline_calls(&changed, ProcId(0), &|_| true) else { break };
            changed.procedures[0] = procedure;
            written_out += usize::from(round == 0);
        }
        assert_same(seed, &program, &changed, Numbers::Machine);
    }
    assert!(written_out > 20, "{written_out} programs with calls are too few");
}

#[test]
fn recursion_that_only_repeats_is_a_loop() {
    for numbers in [Numbers::Machine, Numbers::Math] {
        for (text, is_turned) in RECURSIVE {
            let program = ir::read_program(text).expect("the program should be well-formed");
            let Some(procedure) = ir::without_tail_calls(&program, ProcId(0)) else {
                assert!(!is_turned, "a loop should do for\n{text}");
                continue;
            };
            assert!(is_turned, "no loop does for\n{text}");
            let mut changed = program.clone();
            changed.procedures[0] = procedure;
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

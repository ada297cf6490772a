//! Procedures that are restricted to the inputs of a condition do what they did on these, and nothing else counts.

use crate::config;
use crate::random_input::{for_interpreter, random_input};
use arbitrary_ir::Random;
use interp::{Comparison, Limits, Machine};
use ir::{Numbers, Pair, ProcId};
use smt::Terms;

/// Programs whose first procedure is restricted by the second.
const PROGRAMS: [&str; 3] = [
    "program java
proc f(n: i32) -> i32 { return mul.i32(n, n) }
proc met(n: i32) -> bool { return lt.i32(n, 5) }
",
    // Calls of itself go on for inputs that do not meet the condition.
    "program java
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 3 }
  t = call f(sub.i32(and.i32(n, 31), 1))
  return sub.i32(n, t)
}
proc met(n: i32) -> bool { return eq.i32(and.i32(n, 1), 0) }
",
    // A condition that fails is not met; in C it is a number.
    "program c
error Division
proc f(n: i32) -> i32 {
  var t: i32
  if le.i32(n, 0) { return 1 }
  t = call f(sub.i32(and.i32(n, 15), 2))
  return add.i32(t, n)
}
proc met(n: i32) -> i32 {
  check ne.i32(n, 3) else Division
  return and.i32(n, 6)
}
",
];

const F: ProcId = ProcId(0);
const MET: ProcId = ProcId(1);

#[test]
fn restricted_procedures_do_the_same_where_they_count() {
    for text in PROGRAMS {
        let program = ir::read_program(text).expect("the program should be well-formed");
        let restricted = rewrite::restrict(&program, F, MET);
        let (tested, holds) = rewrite::holds(&program, MET);
        let (both, original) =
            (Machine::new(&restricted, Numbers::Machine), Machine::new(&program, Numbers::Machine));
        let test = Machine::new(&tested, Numbers::Machine);
        let (mut counted, mut left_out) = (0, 0);
        for input in inputs(&program) {
            let is_met = test.run(holds, &input, &Limits::USUAL);
            let runs =
                Pair::new(original.run(F, &input, &Limits::USUAL), both.run(F, &input, &Limits::USUAL));
            let counts = is_met.ending == interp::Ending::Returned(Some(interp::Value::Bool(true)));
            match interp::compare(&runs.old, &runs.new) {
                Comparison::Same => {
                    assert!(counts, "{input:?} does not meet the condition of\n{text}");
                    counted += 1;
                }
                Comparison::Incomparable(_) if !counts => left_out += 1,
                other => panic!("{other:?} on {input:?} of\n{text}"),
            }
        }
        assert!(counted > 0 && left_out > 0, "{counted} and {left_out} inputs are too few of\n{text}");
    }
}

#[test]
fn calls_are_not_restricted() {
    for text in &PROGRAMS[1..] {
        let program = ir::read_program(text).expect("the program should be well-formed");
        let restricted = rewrite::restrict(&program, F, MET);
        let either = restricted.procedure_named("f.either").expect("calls should go to a copy");
        let machines = Pair::new(&program, &restricted).map(|it| Machine::new(it, Numbers::Machine));
        for input in inputs(&program) {
            let runs = Pair::new(
                machines.old.run(F, &input, &Limits::USUAL),
                machines.new.run(either, &input, &Limits::USUAL),
            );
            assert!(
                matches!(interp::compare(&runs.old, &runs.new), Comparison::Same),
                "{input:?} of\n{text}"
            );
        }
    }
}

fn inputs(program: &ir::Program) -> Vec<interp::Input> {
    let pair = Pair::new((program, F), (program, F));
    let inputs = symbolic::inputs(&mut Terms::new(), pair, &config(Numbers::Machine));
    let mut random = Random::new(7);
    (0..60).map(|_| for_interpreter(&random_input(&mut random, &inputs, program.language))).collect()
}

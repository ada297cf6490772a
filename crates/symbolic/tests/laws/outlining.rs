//! Uses moved to calls, and statements into procedures of their own: the program does what it did.

use crate::random_input::{for_interpreter, random_input};
use crate::{config, first_seed, programs};
use interp::Comparison;
use ir::Numbers;
use ir::generate::{self, Random};
use ir::{Pair, ProcId, Program, RunPath, Stmt};
use smt::Terms;

#[test]
fn outlined_programs_do_the_same_on_machine_numbers() {
    check(Numbers::Machine, &generate::Config::everything());
}

#[test]
fn outlined_programs_with_loops_and_jumps_do_the_same() {
    check(Numbers::Machine, &generate::Config { statements: 20, ..generate::Config::integers() });
}

fn check(numbers: Numbers, generator: &generate::Config) {
    let (mut compared, mut outlined) = (0, 0);
    for seed in first_seed()..first_seed() + programs() {
        let program = generate::program(seed, generator);
        let mut random = Random::new(seed ^ 0x0071_11e5);
        let hoisted = ir::hoist_uses(&program);
        let Some(moved) = outline_somewhere(&mut random, &hoisted) else { continue };
        outlined += 1;
        assert_eq!(ir::validate(&moved), Ok(()), "seed {seed}:\n{}", ir::print(&moved));
        let pair = Pair::new(&program, &moved);
        let inputs =
            symbolic::inputs(&mut Terms::new(), pair.map(|program| (program, ProcId(0))), &config(numbers));
        let machines = pair.map(|program| interp::Machine::new(program, numbers));
        for _ in 0..10 {
            let input = for_interpreter(&random_input(&mut random, &inputs, program.language));
            let runs =
                machines.as_ref().map(|machine| machine.run(ProcId(0), &input, &interp::Limits::USUAL));
            match interp::compare(&runs.old, &runs.new) {
                Comparison::Same => compared += 1,
                Comparison::Incomparable(_) => {}
                Comparison::Different(difference) => {
                    panic!("seed {seed}, {difference:?} on {input:?}:\n{}", ir::print(&moved))
                }
            }
        }
    }
    assert!(outlined > 20 && compared > 100, "{outlined} programs and {compared} runs are too few");
}

/// The program with some statements of procedure 0 in a procedure of their own, a few times over.
fn outline_somewhere(random: &mut Random, program: &Program) -> Option<Program> {
    let mut moved = None;
    for round in 0..6 {
        let current: &Program = moved.as_ref().unwrap_or(program);
        let path = random_run(random, current.procedure(ProcId(0)).body.as_ref()?);
        let both = Pair::new((current, ProcId(0)), (current, ProcId(0)));
        if let Some(pair) = ir::outline(both, &path, &format!("part{round}")) {
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

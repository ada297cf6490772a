//! Laws: on random programs and random inputs a summary says what the interpreter does, in both number models.

mod agree;
mod operators;
mod outside;
mod pairs;
mod paths;
mod random_input;
mod restricting;
mod rewriting;

use std::collections::BTreeMap;

use arbitrary_ir::Random;
use budget::{Budget, Kill, Steps};
use ir::Numbers;
use ir::{Pair, ProcId, Program};
use smt::{Assignment, Terms};
use symbolic::{Config, Inputs, ModelReader, Stopped, Summary};

use agree::{Outcome, agree};
use random_input::{for_interpreter, for_terms, random_input};

const INPUTS_PER_PROGRAM: usize = 10;

fn config(numbers: Numbers) -> Config {
    Config {
        numbers,
        bound: 6,
        concrete_limit: 200,
        total: false,
        sqrt_axioms: true,
        any_inputs: false,
        errors: symbolic::Errors::default(),
        max_terms: 200_000,
        budget: Budget::new(Steps::of_seconds(20), Kill::never()),
        stop: smt::StopFlag::default(),
    }
}

fn summarized(program: &Program, config: &Config) -> (Terms, Inputs, Result<Summary, Stopped>) {
    let mut terms = Terms::new();
    let inputs = symbolic::inputs(&mut terms, Pair::new((program, ProcId(0)), (program, ProcId(0))), config);
    let summary = symbolic::summarize(&mut terms, program, ProcId(0), &inputs, config);
    (terms, inputs, summary)
}

/// Compares many programs; how many runs had each outcome.
fn compare_programs(
    numbers: Numbers,
    generator: &arbitrary_ir::Config,
    seeds: std::ops::Range<u64>,
) -> BTreeMap<Outcome, usize> {
    let mut outcomes = BTreeMap::new();
    let mut failures = Vec::new();
    for seed in seeds {
        let program = arbitrary_ir::program(seed, generator);
        let (terms, inputs, summary) = summarized(&program, &config(numbers));
        let Ok(summary) = summary else { continue };
        let machine = interp::Machine::new(&program, numbers);
        let mut random = Random::new(seed ^ 0x5eed);
        for case in 0..INPUTS_PER_PROGRAM {
            let input = random_input(&mut random, &inputs, program.language);
            let seen =
                machine.run_seeing_outside(ProcId(0), &for_interpreter(&input), &interp::Limits::USUAL);
            let variables = for_terms(&terms, &inputs, &input);
            let functions = outside::external_functions(&terms, &inputs, &program, &seen, false);
            match agree(&terms, &inputs, &summary, &seen.0, &Assignment { variables, functions }) {
                Ok(outcome) => *outcomes.entry(outcome).or_insert(0) += 1,
                Err(what) => failures.push(format!("seed {seed}, input {case}: {what}\n  {input:?}")),
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} disagreements, the first ones:\n{}",
        failures.len(),
        failures[..failures.len().min(5)].join("\n")
    );
    outcomes
}

/// How many programs of each kind: `SELFSAME_LAWS=5000` looks longer.
fn programs() -> u64 {
    std::env::var("SELFSAME_LAWS").ok().and_then(|count| count.parse().ok()).unwrap_or(150)
}

fn first_seed() -> u64 {
    std::env::var("SELFSAME_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

fn check(numbers: Numbers, generator: &arbitrary_ir::Config) {
    let outcomes = compare_programs(numbers, generator, first_seed()..first_seed() + programs());
    eprintln!("{numbers:?}: {outcomes:?}");
    let of = |outcome| outcomes.get(&outcome).copied().unwrap_or(0);
    let all: usize = outcomes.values().sum();
    assert!(of(Outcome::Same) * 4 > all, "too few runs were compared in full: {outcomes:?}");
}

#[test]
fn summaries_of_integer_programs_agree_with_machine_runs() {
    check(Numbers::Machine, &arbitrary_ir::Config::integers());
}

#[test]
fn summaries_of_integer_programs_agree_with_math_runs() {
    check(Numbers::Math, &arbitrary_ir::Config::integers());
}

#[test]
fn summaries_of_all_programs_agree_with_machine_runs() {
    check(Numbers::Machine, &arbitrary_ir::Config::everything());
}

#[test]
fn summaries_of_programs_with_heaps_agree_with_machine_runs() {
    let generator = arbitrary_ir::Config { heap: true, records: true, ..arbitrary_ir::Config::integers() };
    check(Numbers::Machine, &generator);
}

#[test]
fn summaries_of_programs_with_heaps_and_floats_agree_with_math_runs() {
    let generator = arbitrary_ir::Config {
        special_floats: false,
        transcendental: false,
        bits: false,
        unguarded: false,
        ..arbitrary_ir::Config::everything()
    };
    check(Numbers::Math, &generator);
}

#[test]
fn summaries_of_long_programs_agree_with_machine_runs() {
    let generator = arbitrary_ir::Config {
        procedures: 5,
        statements: 40,
        unsupported: false,
        ..arbitrary_ir::Config::everything()
    };
    check(Numbers::Machine, &generator);
}

#[test]
fn inputs_are_read_back_from_models() {
    let generator = arbitrary_ir::Config { records: true, texts: true, ..arbitrary_ir::Config::everything() };
    for numbers in [Numbers::Machine, Numbers::Math] {
        for seed in 0..programs() {
            let program = arbitrary_ir::program(seed, &generator);
            let mut terms = Terms::new();
            let pair = Pair::new((&program, ProcId(0)), (&program, ProcId(0)));
            let inputs = symbolic::inputs(&mut terms, pair, &config(numbers));
            let input = random_input(&mut Random::new(seed), &inputs, program.language);
            let variables = for_terms(&terms, &inputs, &input);
            let assignment = Assignment { variables, functions: BTreeMap::new() };
            let reader = ModelReader::new(&mut terms, &inputs);
            let read = reader.read(&mut |terms, asked| terms.evaluate_all(asked, &assignment));
            assert!(read.complete, "seed {seed}: {input:?}");
            // What is read may number the objects in another way, and leaves out those that nothing points to:
            // it must be the same input when it is written again and read again.
            let again =
                Assignment { variables: for_terms(&terms, &inputs, &read), functions: BTreeMap::new() };
            let reader = ModelReader::new(&mut terms, &inputs);
            let reread = reader.read(&mut |terms, asked| terms.evaluate_all(asked, &again));
            assert_eq!(read, reread, "seed {seed}");
            assert!(read.objects.len() <= input.objects.len());
        }
    }
}

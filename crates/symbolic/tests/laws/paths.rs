//! Laws of guided runs: the path that an input takes says what the interpreter does on every input that takes it.

use arbitrary_ir::Random;
use ir::Numbers;
use ir::{Pair, ProcId};
use smt::{Assignment, Terms, Value};
use symbolic::{Followed, Guide, follow};

use crate::agree::{Outcome, agree, facts_hold};
use crate::outside::external_functions;
use crate::random_input::{for_interpreter, for_terms, random_input};
use crate::{INPUTS_PER_PROGRAM, config, first_seed, programs};

/// How many pairs of a path and an input that takes it were compared.
#[derive(Default, Debug)]
struct Compared {
    own: usize,
    others: usize,
    in_full: usize,
}

fn compare(numbers: Numbers, generator: &arbitrary_ir::Config) -> Compared {
    let mut compared = Compared::default();
    for seed in first_seed()..first_seed() + programs() {
        let program = arbitrary_ir::program(seed, generator);
        let mut terms = Terms::new();
        let config = config(numbers);
        let pair = Pair::new((&program, ProcId(0)), (&program, ProcId(0)));
        let inputs = symbolic::inputs(&mut terms, pair, &config);
        let machine = interp::Machine::new(&program, numbers);
        let mut random = Random::new(seed ^ 0x5eed);
        let all: Vec<_> = (0..INPUTS_PER_PROGRAM)
            .map(|_| {
                let input = random_input(&mut random, &inputs, program.language);
                let limits = &interp::Limits::USUAL;
                let seen = machine.run_seeing_outside(ProcId(0), &for_interpreter(&input), limits);
                let variables = for_terms(&terms, &inputs, &input);
                let functions = external_functions(&terms, &inputs, &program, &seen, true);
                (seen.0, Assignment { variables, functions })
            })
            // TODO: objects that unknown code makes have other numbers in terms than in runs.
            .filter(|(run, _)| run.external_calls.iter().all(|call| call.made.is_none()))
            .collect();
        for (number, (_, values)) in all.iter().enumerate() {
            let guide = Guide { values: values.clone(), given: Vec::new(), guesses: false };
            let followed = follow(&mut terms, &program, ProcId(0), &inputs, &config, &guide);
            let Ok(Followed { summary, taken, .. }) = followed else { continue };
            for (other, (run, values)) in all.iter().enumerate() {
                let words = format!("seed {seed}, path of input {number}, input {other}");
                // The facts of one path are asserted together with those of all others.
                if let Err(what) = facts_hold(&terms, &inputs, &summary, values) {
                    panic!("{words}: {what}");
                }
                let on_path = terms.evaluate_all(&taken, values);
                if on_path.iter().any(|value| *value != Some(Value::Bool(true))) {
                    assert_ne!(other, number, "{words}: an input should take its own path");
                    continue;
                }
                match agree(&terms, &inputs, &summary, run, values) {
                    Err(what) => panic!("{words}: {what}"),
                    Ok(outcome) => compared.in_full += usize::from(outcome == Outcome::Same),
                }
                *(if other == number { &mut compared.own } else { &mut compared.others }) += 1;
            }
        }
    }
    eprintln!("{numbers:?}: {compared:?}");
    compared
}

fn check(numbers: Numbers, generator: &arbitrary_ir::Config) {
    let compared = compare(numbers, generator);
    let all = compared.own + compared.others;
    assert!(compared.others > 0 && compared.in_full * 4 > all, "too few runs were compared: {compared:?}");
}

#[test]
fn paths_of_integer_programs_agree_with_machine_runs() {
    check(Numbers::Machine, &arbitrary_ir::Config::integers());
}

#[test]
fn paths_of_integer_programs_agree_with_math_runs() {
    check(Numbers::Math, &arbitrary_ir::Config::integers());
}

#[test]
fn paths_of_all_programs_agree_with_machine_runs() {
    check(Numbers::Machine, &arbitrary_ir::Config::everything());
}

#[test]
fn paths_of_long_programs_agree_with_machine_runs() {
    let generator = arbitrary_ir::Config {
        procedures: 5,
        statements: 40,
        unsupported: false,
        ..arbitrary_ir::Config::everything()
    };
    check(Numbers::Machine, &generator);
}

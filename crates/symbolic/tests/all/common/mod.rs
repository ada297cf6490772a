//! Summaries of programs in text form.

use ir::{Pair, ProcId, Program};
use smt::{Assignment, Term, Terms, Value};

use budget::{Budget, Kill, Steps};
use ir::Numbers;
use symbolic::{Config, Inputs, Summary};

pub(crate) fn config(numbers: Numbers) -> Config {
    Config {
        numbers,
        bound: 5,
        concrete_limit: 2_000,
        total: false,
        any_inputs: false,
        errors: symbolic::Errors::default(),
        sqrt_axioms: true,
        max_terms: 2_000_000,
        budget: Budget::new(Steps::of_seconds(60), Kill::never()),
        stop: smt::StopFlag::default(),
    }
}

pub(crate) fn read(source: &str) -> Program {
    let program = ir::read_program(source).unwrap_or_else(|error| panic!("{error}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}"));
    program
}

/// A summary with its arena.
pub(crate) struct Case {
    pub(crate) terms: Terms,
    pub(crate) inputs: Inputs,
    pub(crate) summary: Summary,
}

/// The summary of the only procedure with a body, or of `f`.
pub(crate) fn summary_of(source: &str, config: &Config) -> Case {
    Case::of(&read(source), "f", config)
}

impl Case {
    pub(crate) fn of(program: &Program, name: &str, config: &Config) -> Case {
        let mut terms = Terms::new();
        let procedure: ProcId = program.procedure_named(name).expect("the procedure should be there");
        let inputs =
            symbolic::inputs(&mut terms, Pair::new((program, procedure), (program, procedure)), config);
        let summary = symbolic::summarize(&mut terms, program, procedure, &inputs, config).expect("no limit");
        Case { terms, inputs, summary }
    }

    fn value(&self, term: Term, variables: &[(&str, i64)]) -> Value {
        let number = |n: i64| match self.inputs.numbers {
            Numbers::Machine => Value::bit_vec(n as i128 as u128, 32),
            Numbers::Math => Value::Int(n.into()),
        };
        let variables = variables.iter().map(|(name, n)| ((*name).to_owned(), number(*n))).collect();
        let assignment = Assignment { variables, functions: Default::default() };
        self.terms.evaluate(term, &assignment).expect("the value should be known")
    }

    pub(crate) fn truth(&self, term: Term, variables: &[(&str, i64)]) -> bool {
        self.value(term, variables).as_bool().expect("a boolean")
    }

    pub(crate) fn result(&self, variables: &[(&str, i64)]) -> i64 {
        let result =
            self.summary.result.as_ref().and_then(|result| result.scalar()).expect("a scalar result");
        match self.value(result, variables) {
            Value::Int(number) => i64::try_from(number).expect("a small number"),
            value => value.as_signed().and_then(|n| i64::try_from(n).ok()).expect("a small number"),
        }
    }
}

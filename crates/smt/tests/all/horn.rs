//! Horn clauses: predicates that are found, clauses that cannot be met, and answers that are none.

use crate::common::program;
use budget::{Budget, Kill, Steps};
use smt::{
    Answer, Application, Clause, Definition, Encoding, Floats, HornAnswer, HornQuery, Limits, Solver,
    SolverConfig, Sort, StopFlag, Term, Terms, UnknownReason, solve_horn,
};
use std::time::Instant;

fn config() -> Option<SolverConfig> {
    Some(SolverConfig { program: program()?, memory_mb: 1000 })
}

fn enough() -> Budget {
    Budget::new(Steps::of_seconds(30), Kill::never())
}

fn of(args: &[Term]) -> Application {
    Application { predicate: 0, args: args.to_vec() }
}

/// `i` counts from 0 up to `n` in steps of one and `j` in steps of `step`; at the end `j` must be twice `n`.
fn counting(terms: &mut Terms, step: i64) -> HornQuery {
    let [i, j, n] = ["i", "j", "n"].map(|name| terms.var(name, &Sort::Int));
    let (zero, one, two, step) = (terms.int(0), terms.int(1), terms.int(2), terms.int(step));
    let (next_i, next_j) = (terms.add(&[i, one]), terms.add(&[j, step]));
    let (positive, goes_on) = (terms.le(zero, n), terms.lt(i, n));
    let leaves = terms.not(goes_on);
    let twice = terms.mul(&[two, n]);
    let right = terms.eq(j, twice);
    let wrong = terms.not(right);
    HornQuery {
        predicates: vec![vec![Sort::Int; 3]],
        clauses: vec![
            Clause { uses: vec![], conditions: vec![positive], head: Some(of(&[zero, zero, n])) },
            Clause {
                uses: vec![of(&[i, j, n])],
                conditions: vec![goes_on],
                head: Some(of(&[next_i, next_j, n])),
            },
            Clause { uses: vec![of(&[i, j, n])], conditions: vec![leaves, wrong], head: None },
        ],
    }
}

#[test]
fn a_predicate_that_is_found_meets_every_clause() {
    let Some(config) = config() else { return };
    let mut terms = Terms::new();
    let query = counting(&mut terms, 2);
    let answer = solve_horn(&mut terms, &query, &config, &enough(), &StopFlag::default())
        .expect("the solver should answer");
    let HornAnswer::Solved(definitions) = answer else { panic!("a predicate was expected, not {answer:?}") };
    let mut solver = Solver::start(config).expect("the solver should start");
    for clause in &query.clauses {
        assert!(is_met(&mut terms, &mut solver, clause, &definitions), "{clause:?} should be met");
    }
}

fn is_met(terms: &mut Terms, solver: &mut Solver, clause: &Clause, definitions: &[Definition]) -> bool {
    let mut conditions = clause.conditions.clone();
    for used in &clause.uses {
        conditions.push(definitions[used.predicate].at(terms, &used.args));
    }
    if let Some(head) = &clause.head {
        let holds = definitions[head.predicate].at(terms, &head.args);
        conditions.push(terms.not(holds));
    }
    let encoding = Encoding { floats: Floats::Symbols };
    let limits = Limits { budget: enough(), stop: StopFlag::default(), steps: None, encoding };
    solver.check(terms, &conditions, &[], &limits).expect("the solver should answer") == Answer::Unsat
}

#[test]
fn clauses_that_no_predicate_meets_are_refuted() {
    let Some(config) = config() else { return };
    let mut terms = Terms::new();
    let query = counting(&mut terms, 3);
    let answer = solve_horn(&mut terms, &query, &config, &enough(), &StopFlag::default())
        .expect("the solver should answer");
    assert_eq!(answer, HornAnswer::Refuted);
}

#[test]
fn a_raised_flag_ends_the_search() {
    let Some(config) = config() else { return };
    let mut terms = Terms::new();
    let query = counting(&mut terms, 2);
    let stop = StopFlag::default();
    stop.raise();
    let answer = solve_horn(&mut terms, &query, &config, &enough(), &stop);
    assert_eq!(answer.expect("the solver should answer"), HornAnswer::Unknown(UnknownReason::Killed));
}

#[test]
fn a_budget_that_is_used_up_ends_the_search() {
    let Some(config) = config() else { return };
    let mut terms = Terms::new();
    let query = counting(&mut terms, 2);
    let few = Budget::new(Steps::new(50), Kill::never());
    let answer = solve_horn(&mut terms, &query, &config, &few, &StopFlag::default());
    assert_eq!(answer.expect("the solver should answer"), HornAnswer::Unknown(UnknownReason::Steps));
    assert!(few.is_over());
}

#[test]
fn the_clock_kills_the_search() {
    let Some(config) = config() else { return };
    let mut terms = Terms::new();
    let query = counting(&mut terms, 2);
    let killed = Budget::new(Steps::MAX, Kill::at(Instant::now()));
    let answer = solve_horn(&mut terms, &query, &config, &killed, &StopFlag::default())
        .expect("the solver should answer");
    assert_eq!(answer, HornAnswer::Unknown(UnknownReason::Killed));
}

#[test]
fn predicates_of_floats_are_not_looked_for() {
    let Some(config) = config() else { return };
    let mut terms = Terms::new();
    let query = HornQuery { predicates: vec![vec![Sort::Float(smt::FloatFormat::F64)]], clauses: vec![] };
    let answer = solve_horn(&mut terms, &query, &config, &enough(), &StopFlag::default())
        .expect("the solver should answer");
    assert!(matches!(answer, HornAnswer::Unknown(UnknownReason::Incomplete(_))), "not {answer:?}");
}

#[test]
fn an_unknown_function_is_any_value_and_the_same_one_within_a_clause() {
    let Some(config) = config() else { return };
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Int);
    let image = terms.apply("f", &[x], &Sort::Int);
    let zero = terms.int(0);
    let (positive, negative) = (terms.lt(zero, image), terms.lt(image, zero));
    let is_refuted = |terms: &mut Terms, conditions: &[Term]| {
        let start = Clause { uses: vec![], conditions: conditions.to_vec(), head: Some(of(&[x])) };
        let end = Clause { uses: vec![of(&[x])], conditions: vec![], head: None };
        let query = HornQuery { predicates: vec![vec![Sort::Int]], clauses: vec![start, end] };
        let answer = solve_horn(terms, &query, &config, &enough(), &StopFlag::default())
            .expect("the solver should answer");
        answer == HornAnswer::Refuted
    };
    assert!(is_refuted(&mut terms, &[positive]));
    assert!(!is_refuted(&mut terms, &[positive, negative]));
}

#[test]
fn maps_and_conditions_can_be_arguments() {
    let Some(config) = config() else { return };
    let mut terms = Terms::new();
    let map_sort = Sort::array(Sort::Int, Sort::Int);
    let (map, flag) = (terms.var("map", &map_sort), terms.var("flag", &Sort::Bool));
    let (at, seven) = (terms.var("at", &Sort::Int), terms.int(7));
    let written = terms.store(map, at, seven);
    let cell = terms.select(map, at);
    let is_seven = terms.eq(cell, seven);
    let yes = terms.bool(true);
    let not_seven = terms.not(is_seven);
    let start = Clause { uses: vec![], conditions: vec![], head: Some(of(&[written, at, yes])) };
    let end = Clause { uses: vec![of(&[map, at, flag])], conditions: vec![not_seven], head: None };
    let query =
        HornQuery { predicates: vec![vec![map_sort, Sort::Int, Sort::Bool]], clauses: vec![start, end] };
    let answer = solve_horn(&mut terms, &query, &config, &enough(), &StopFlag::default())
        .expect("the solver should answer");
    assert!(matches!(answer, HornAnswer::Solved(_)), "not {answer:?}");
}

//! What is asked about two versions, and what needs no asking.

use crate::common::{config, read};
use ir::Pair;
use smt::{Answer, Encoding, Floats, Limits, Solver, SolverConfig, StopFlag, Term, Terms};
use std::path::PathBuf;

use budget::{Budget, Kill, Steps};
use ir::Numbers;
use symbolic::{Inputs, Question};

const POINTS: &str = "program java
error Null
region P.x: i32
region P.y: i32
region P.next: ref P
region int[]: i32 -> i32
shape P: fields(P.x, P.y, P.next)
shape int[]: indexed(int[])
global Counter.n: i32 = 0
";

struct Asked {
    terms: Terms,
    inputs: Inputs,
    question: Question,
}

fn ask(old: &str, new: &str, numbers: Numbers) -> Asked {
    let mut terms = Terms::new();
    let programs = Pair::new(read(&format!("{POINTS}{old}")), read(&format!("{POINTS}{new}")));
    let pair = programs
        .as_ref()
        .map(|program| (program, program.procedure_named("f").expect("there should be an f")));
    let config = config(numbers);
    let inputs = symbolic::inputs(&mut terms, pair, &config);
    let summaries = pair.map(|(program, procedure)| {
        symbolic::summarize(&mut terms, program, procedure, &inputs, &config).expect("no limit")
    });
    let question = symbolic::where_they_differ(
        &mut terms,
        &inputs,
        &summaries.old,
        &summaries.new,
        false,
        symbolic::Errors::default(),
    );
    Asked { terms, inputs, question }
}

impl Asked {
    /// What the difference simplified to.
    fn differ(&self) -> Option<bool> {
        self.terms.as_bool(self.question.differ)
    }

    /// Sees whether some input makes the versions differ. Says so and does nothing where there is no solver.
    #[track_caller]
    fn expect_difference(mut self, expected: bool) {
        let ours = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/solver/z3");
        let program = std::env::var_os("SELFSAME_SOLVER").map_or(ours, PathBuf::from);
        if !program.is_file() {
            eprintln!(
                "skipped: there is no solver at {}; `cargo xtask setup` fetches one",
                program.display()
            );
            return;
        }
        let mut conditions: Vec<Term> = self.question.assumptions.clone();
        conditions.extend([self.question.differ, self.terms.not(self.question.unfinished)]);
        let mut solver =
            Solver::start(SolverConfig { program, memory_mb: 1000 }).expect("the solver should start");
        let budget = Budget::new(Steps::of_seconds(60), Kill::never());
        let limits = Limits {
            budget,
            stop: StopFlag::default(),
            steps: None,
            encoding: Encoding { floats: Floats::Ieee },
        };
        match solver.check(&self.terms, &conditions, &[], &limits).expect("the solver should answer") {
            Answer::Sat(_) => assert!(expected, "the versions should not differ"),
            Answer::Unsat => assert!(!expected, "the versions should differ"),
            Answer::Unknown(reason) => panic!("the solver gave up: {reason:?}"),
        }
    }
}

#[test]
fn writes_to_different_fields_commute() {
    let asked = ask(
        "proc f(p: ref P) { store P.x(p) = 1 store P.y(p) = 2 }",
        "proc f(q: ref P) { store P.y(q) = 2 store P.x(q) = 1 }",
        Numbers::Machine,
    );
    assert_eq!(asked.differ(), Some(false));
}

#[test]
fn writes_to_one_field_of_two_objects_commute_unless_the_objects_are_one() {
    let (old, new) = ("store P.x(p) = 1 store P.x(q) = 2", "store P.x(q) = 2 store P.x(p) = 1");
    let asked = ask(
        &format!("proc f(p: ref P, q: ref P) {{ {old} }}"),
        &format!("proc f(p: ref P, q: ref P) {{ {new} }}"),
        Numbers::Machine,
    );
    asked.expect_difference(true);
    let apart = |body| format!("proc f(p: ref P, q: ref P) {{ assume not(same_ref(p, q)) {body} }}");
    for numbers in [Numbers::Machine, Numbers::Math] {
        ask(&apart(old), &apart(new), numbers).expect_difference(false);
    }
}

#[test]
fn garbage_is_not_compared() {
    let asked = ask(
        "proc f(p: ref P) -> i32 { var t: ref P t = new P store P.x(t) = 3 return load P.x(t) }",
        "proc f(p: ref P) -> i32 { return 3 }",
        Numbers::Machine,
    );
    assert_eq!(asked.differ(), Some(false));
}

#[test]
fn new_objects_that_are_returned_are_compared() {
    let with = |x| format!("proc f() -> ref P {{ var t: ref P t = new P store P.x(t) = {x} return t }}");
    assert_eq!(ask(&with(3), &with(3), Numbers::Machine).differ(), Some(false));
    ask(&with(3), &with(4), Numbers::Machine).expect_difference(true);
}

#[test]
fn new_objects_that_inputs_point_to_are_compared() {
    let with = |x| {
        format!(
            "proc f(p: ref P) {{
               var t: ref P
               var u: ref P
               check not(same_ref(p, null)) else Null
               t = new P
               u = new P
               store P.next(t) = u
               store P.y(u) = {x}
               store P.next(p) = t
             }}"
        )
    };
    assert_eq!(ask(&with(3), &with(3), Numbers::Machine).differ(), Some(false));
    ask(&with(3), &with(4), Numbers::Machine).expect_difference(true);
}

#[test]
fn an_input_is_not_changed_behind_the_end_of_its_array() {
    let at = |index| {
        format!(
            "proc f(a: ref int[], i: i32) {{
               check not(same_ref(a, null)) else Null
               check and(le.i32(0, i), lt.i32(i, length.i32(a))) else Null
               store int[](a, {index}) = 1
             }}"
        )
    };
    ask(&at("i"), &at("add.i32(i, 0)"), Numbers::Machine).expect_difference(false);
    ask(&at("i"), &at("0"), Numbers::Math).expect_difference(true);
}

#[test]
fn errors_globals_and_output_are_observed() {
    let with = |body: &str| format!("proc f(n: i32) {{ {body} }}");
    let pairs = [
        ("check lt.i32(n, 5) else Null", ""),
        ("Counter.n = add.i32(Counter.n, 1)", ""),
        ("print \"a\"", "print \"b\""),
    ];
    for (old, new) in pairs {
        let asked = ask(&with(old), &with(new), Numbers::Machine);
        asked.expect_difference(true);
        let swapped = ask(&with(new), &with(old), Numbers::Machine);
        swapped.expect_difference(true);
    }
}

#[test]
fn an_assumption_on_one_side_leaves_out_its_runs() {
    let asked = ask(
        "proc f(n: i32) -> i32 { return n }",
        "proc f(n: i32) -> i32 { assume eq.i32(n, 3) return 3 }",
        Numbers::Math,
    );
    asked.expect_difference(false);
}

#[test]
fn other_parameters_cannot_be_compared() {
    let asked = ask("proc f(n: i32) {}", "proc f(n: i64) {}", Numbers::Machine);
    assert_eq!(asked.inputs.mismatches, ["parameter `n` has another type in the new version"]);
    assert_eq!(asked.terms.as_bool(asked.question.unfinished), Some(true));
    let asked = ask("proc f(n: i32) {}", "proc f() {}", Numbers::Machine);
    assert_eq!(asked.terms.as_bool(asked.question.unfinished), Some(true));
}

#[test]
fn external_calls_in_another_order_are_different() {
    let with = |first, second| {
        format!(
            "extern proc beep() -> i32
             extern proc boop() -> i32
             proc f() {{ var t: i32 t = call {first}() t = call {second}() }}"
        )
    };
    assert_eq!(ask(&with("beep", "boop"), &with("beep", "boop"), Numbers::Machine).differ(), Some(false));
    ask(&with("beep", "boop"), &with("boop", "beep"), Numbers::Machine).expect_difference(true);
}

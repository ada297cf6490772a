//! Which coupling invariants are proved of two loops, and which are not: a pair that must hold and one that must not for
//! templates, Houdini, ranking, stuttering and reversal.

use std::cell::Cell;

use budget::{Budget, Kill, Steps};
use ir::{Fragment, Numbers, Pair, ProcId, Program, Side, Stmt, StmtKind, Subject, Surroundings};
use query::{Client, Reach};
use relate::{Arithmetic, Construction, Failure, Grouping, LoopProduct, Proved, Refutations, Traces};
use smt::{StopFlag, Terms};
use symbolic::{Abstraction, Config, LoopShape, SymValue};

/// How the loops are run side by side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Lockstep,
    Stuttering,
    /// The loop of the new version from its end to its start.
    Reversed,
}

/// What is proved of the only loops of two versions of `f`; `None` if they cannot be run this way.
fn relate(numbers: Numbers, run: Run, total: bool, old: &str, new: &str) -> Option<Result<Proved, Failure>> {
    let programs = Pair::new(old, new).map(|text| {
        let text = format!("program java\n{text}");
        ir::read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    });
    let pair = programs.as_ref().map(|program| Subject::new(program, ProcId(0)));
    let shapes = [pair.map(|subject| only_loop(subject).map(|stmt| shape(subject.program, stmt)))];
    let mut hidden = Pair { old: Abstraction::nothing(), new: Abstraction::nothing() };
    for side in [Side::Old, Side::New] {
        if let Some(shape) = shapes[0].get(side) {
            hidden.get_mut(side).step_over(shape, 0, &format!("loop0.{}", side.name()), 0);
        }
    }
    let mut terms = Terms::new();
    let config = config(numbers, total);
    let inputs = symbolic::inputs(&mut terms, pair.map(|it| (it.program, it.procedure)), &config);
    let summaries = pair.zip(hidden.as_ref()).map(|(it, hidden)| {
        symbolic::summarize_hiding(&mut terms, it.program, it.procedure, &inputs, &config, hidden)
            .unwrap_or_else(|_| panic!("small programs should have summaries"))
    });
    let traces = Traces::of(pair, &shapes, numbers);
    let construction = Construction {
        shapes: &shapes,
        hidden: hidden.as_ref(),
        grouping: Grouping::OneToOne,
        traces: &traces,
        inputs: &inputs,
        config: config.clone(),
    };
    let all = terms.bool(true);
    let uses = summaries.as_ref().map(|summary| summary.loops.as_slice());
    let loops = construction.product_loops(&mut terms, uses, all).expect("the loops should have a product");
    let variables = symbolic::input_variables(&terms, &inputs);
    let arguments = inputs.args.iter().filter_map(|arg| match arg.value {
        SymValue::Scalar(term) => Some(term),
        SymValue::Record(_) => None,
    });
    let left_out = Cell::new(false);
    let mut product = LoopProduct {
        loops,
        inputs: variables,
        assumptions: inputs.assumptions.clone(),
        arguments: arguments.collect(),
        traces: Some(&traces),
        arithmetic: Arithmetic::ExactProducts,
        reach: Reach::All,
        left_out: &left_out,
        refuted: Refutations::default(),
        budget: config.budget.clone(),
        terms: &mut terms,
    };
    let mut client = client();
    let applies = match run {
        Run::Lockstep => true,
        Run::Stuttering => product.stutter(),
        Run::Reversed => product.reverse_loops(Side::New, &mut client),
    };
    applies.then(|| {
        product.guess(&mut client)?;
        product.prove(&shapes, &mut client)
    })
}

fn only_loop(subject: Subject<'_>) -> Option<&Stmt> {
    subject.procedure().body.iter().flatten().find(|stmt| matches!(stmt.kind, StmtKind::Loop { .. }))
}

fn shape<'a>(program: &'a Program, stmt: &'a Stmt) -> LoopShape<'a> {
    let fragment = Fragment { program, procedure: ProcId(0), statements: std::slice::from_ref(stmt) };
    let around = Surroundings::of(program, ProcId(0));
    let both = (Pair { old: fragment, new: fragment }, Pair { old: &around, new: &around });
    let interface = ir::interfaces(both.0, both.1, &mut |_| true).expect("a loop has an interface").old;
    LoopShape::new(program, ProcId(0), stmt, &interface, &|_| true)
        .unwrap_or_else(|_| panic!("the statement should be a loop"))
}

fn config(numbers: Numbers, total: bool) -> Config {
    Config {
        numbers,
        bound: 3,
        concrete_limit: 100,
        total,
        sqrt_axioms: false,
        any_inputs: false,
        errors: symbolic::Errors::default(),
        max_terms: 200_000,
        budget: Budget::new(Steps::of_seconds(30), Kill::never()),
        stop: StopFlag::default(),
    }
}

fn client() -> Client {
    let solver = casekit::workspace::find_solver(&casekit::workspace::root());
    Client::new(query::Config {
        solver: Some(solver.expect("a solver should be there: run `cargo xtask setup`")),
        memory_mb: 1024,
        budget: Budget::new(Steps::of_seconds(30), Kill::never()),
        stop: StopFlag::default(),
        keep_obligations: false,
    })
}

/// A procedure that counts `i` up to `n` and does something in each iteration.
fn counting(locals: &str, step: &str) -> String {
    format!(
        "proc f(n: i32, b: i32) -> i32 {{ var i: i32 {locals} loop L0 {{ if le.i32(n, i) {{ break L0 }} {step} i = add.i32(i, 1) }} return i }}\n"
    )
}

/// The invariants of two loops in lockstep that count alike and compute `s` in some way.
fn invariants(numbers: Numbers, old: &str, new: &str) -> String {
    let (old, new) = (counting("var s: i32", old), counting("var s: i32", new));
    let proved = relate(numbers, Run::Lockstep, false, &old, &new).expect("lockstep is always possible");
    let proved = proved.expect("the loops should be in lockstep");
    proved.invariants.into_iter().flat_map(|found| found.invariants).collect::<Vec<_>>().join("; ")
}

#[test]
fn values_that_are_always_equal() {
    for numbers in [Numbers::Machine, Numbers::Math] {
        let found = invariants(numbers, "s = add.i32(s, b)", "s = add.i32(b, s)");
        assert!(found.contains("old.s = new.s"), "{found}");
        // They are equal only before the first iteration, and where b is 0.
        let found = invariants(numbers, "s = add.i32(s, b)", "s = sub.i32(s, b)");
        assert!(!found.contains("old.s = new.s"), "{found}");
    }
}

#[test]
fn products_against_repeated_sums() {
    let closed_form = "s = mul.i32(add.i32(i, 1), b)";
    let found = invariants(Numbers::Math, closed_form, "s = add.i32(s, b)");
    assert!(found.contains("new.s = (old.b * new.i)"), "{found}");
    let found = invariants(Numbers::Math, closed_form, "s = add.i32(s, add.i32(b, 1))");
    assert!(!found.contains("new.s = (old.b * new.i)"), "{found}");
}

#[test]
fn loops_that_do_not_end_together_are_not_in_lockstep() {
    let short = counting("", "");
    let long = short.replace("le.i32(n, i)", "lt.i32(n, i)");
    let result = relate(Numbers::Math, Run::Lockstep, false, &short, &long).expect("lockstep is possible");
    assert_eq!(result.err(), Some(Failure::NotInLockstep));
}

#[test]
fn stuttering_lets_the_shorter_loop_wait() {
    let short = counting("", "");
    let long = short.replace("le.i32(n, i)", "lt.i32(n, i)");
    let result = relate(Numbers::Math, Run::Stuttering, false, &short, &long).expect("they can wait");
    assert!(result.is_ok(), "{:?}", result.err());
}

#[test]
fn reversal_needs_iterations_that_commute() {
    let down = |step: &str| {
        format!(
            "proc f(n: i32, b: i32) -> i32 {{ var i: i32 var s: i32 i = sub.i32(n, 1) loop L0 {{ if lt.i32(i, 0) {{ break L0 }} {step} i = sub.i32(i, 1) }} return s }}\n"
        )
    };
    let up = |step: &str| counting("var s: i32", step).replace("return i", "return s");
    let reversed = |step: &str| relate(Numbers::Math, Run::Reversed, false, &up(step), &down(step));
    assert!(reversed("s = add.i32(s, i)").is_some());
    // The last iteration decides, so that their order matters.
    assert!(reversed("s = i").is_none());
}

#[test]
fn ranking_proves_that_a_loop_alone_ends() {
    let none = "proc f(n: i32, b: i32) -> i32 { var i: i32 return i }\n";
    let facts = |looping: &str| {
        let proved = relate(Numbers::Math, Run::Lockstep, true, looping, none);
        proved.expect("lockstep is possible").expect("one loop is in lockstep with none").facts.len()
    };
    let ends = counting("", "");
    let forever = ends.replace("i = add.i32(i, 1)", "i = add.i32(i, 0)");
    // That it ends is one fact more.
    assert!(facts(&ends) > facts(&forever));
}

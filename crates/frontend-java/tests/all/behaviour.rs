//! Runs Java programs in the interpreter and compares what they print with what the real Java printed.
//!
//! Each file in `java` has static methods `t..` without parameters; its `.out` has, for each of them by name,
//! the output of OpenJDK 17 (with assertions enabled) and how the method ended.

use std::fmt::Write as _;

use interp::{Ending, Input, Limits, Machine};
use ir::Numbers;

const LIMITS: Limits =
    Limits { steps: 100_000_000, memory_cells: 10_000_000, call_depth: 3_000, output: 1_000_000 };

/// What the test methods of a program print and how they end, one after the other.
fn transcript(name: &str, text: &str) -> String {
    let file = ir::SourceFile { name: name.to_owned(), text: text.to_owned() };
    let program = frontend_java::lower(&[file]).expect("the program should parse");
    let machine = Machine::new(&program, Numbers::Machine);
    let mut tests: Vec<(&str, ir::ProcId)> = (0..)
        .map(ir::ProcId)
        .zip(&program.procedures)
        .filter(|(_, procedure)| procedure.params == 0 && procedure.short_name.starts_with('t'))
        .filter(|(_, procedure)| procedure.body.is_some())
        .map(|(id, procedure)| (procedure.short_name.as_str(), id))
        .collect();
    tests.sort();
    let mut transcript = String::new();
    for (name, id) in tests {
        let run = machine.run(id, &Input::default(), &LIMITS);
        let ending = match run.ending {
            Ending::Returned(_) => "ok".to_owned(),
            Ending::Failed { error } => error,
            other => format!("{other:?}"),
        };
        let output = String::from_utf16_lossy(&run.written[0]);
        writeln!(transcript, "== {name}\n{output}-> {ending}").expect("writing to a string should not fail");
    }
    transcript
}

#[track_caller]
fn agrees_with_java(name: &str, text: &str, expected: &str) {
    let actual = transcript(name, text);
    for (line, (actual, expected)) in (1..).zip(actual.lines().zip(expected.lines())) {
        assert_eq!(actual, expected, "line {line} of what {name} prints should be as Java prints it");
    }
    assert_eq!(
        actual.lines().count(),
        expected.lines().count(),
        "{name} should print as many lines as in Java"
    );
}

#[test]
fn operators_loops_switches_and_exceptions_behave_as_in_java() {
    agrees_with_java(
        "Operators.java",
        include_str!("java/Operators.java"),
        include_str!("java/Operators.out"),
    );
}

#[test]
fn objects_enums_records_and_arrays_behave_as_in_java() {
    agrees_with_java("Objects.java", include_str!("java/Objects.java"), include_str!("java/Objects.out"));
}

#[test]
fn the_library_model_behaves_as_the_library() {
    agrees_with_java("Library.java", include_str!("java/Library.java"), include_str!("java/Library.out"));
}

#[test]
fn evaluation_order_hiding_and_unwinding_are_as_in_java() {
    agrees_with_java("Order.java", include_str!("java/Order.java"), include_str!("java/Order.out"));
}

#[test]
fn operators_bind_as_in_java() {
    agrees_with_java(
        "Precedence.java",
        include_str!("java/Precedence.java"),
        include_str!("java/Precedence.out"),
    );
}

#[test]
fn constructors_inner_classes_and_dispatch_behave_as_in_java() {
    agrees_with_java(
        "Construction.java",
        include_str!("java/Construction.java"),
        include_str!("java/Construction.out"),
    );
}

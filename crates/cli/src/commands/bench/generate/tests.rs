//! What the generators make, run against what it was made of.

use interp::{Ending, Input, Limits, Machine, Value};

use super::*;

const LIBRARY: &str =
    "int lib(int a);\nint limit = 3;\nint lib(int a) { if (a > limit) { return limit; } return a; }\n";

fn file(client: &str) -> String {
    format!("{LIBRARY}{client}\n")
}

const STRAIGHT: &str =
    "int client(int x, int y) { int s = 0; for (int i = 0; i < y; i++) { s += lib(x + i); } return s; }";
const EARLY: &str = "int client(int x) { if (x < 0) { return -1; } limit = limit + 1; return lib(x); }";

/// What `client` returns for these arguments, with the globals as they are declared.
fn run(text: &str, args: &[i128]) -> i128 {
    let file = frontend_c::Preprocessed::new("merged.c", text);
    let options = frontend_c::Options::default();
    let program =
        frontend_c::lower(&[file], &options).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let is_client = |procedure: &ir::Procedure| procedure.short_name == "client";
    let index = program.procedures.iter().position(is_client).expect("there is a client");
    let machine = Machine::new(&program, ir::Numbers::Machine);
    let args = args.iter().map(|value| Value::Int(*value)).collect();
    let input = Input { args, ..Input::default() };
    match machine.run(ir::ProcId::from_index(index), &input, &Limits::USUAL).ending {
        Ending::Returned(Some(Value::Int(value))) => value,
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn calls_in_a_row_add_the_results_of_the_client() {
    let one = file(STRAIGHT);
    let three = merge::calls(&one, "client", 3).unwrap();
    let apart = run(&one, &[1, 4]) + run(&one, &[2, 2]) + run(&one, &[0, 5]);
    assert_eq!(run(&three, &[1, 4, 2, 2, 0, 5]), apart, "{three}");
    assert_eq!(three.matches("lib(").count(), 2 + 3, "each copy calls the one library: {three}");
    assert_eq!(run(&merge::calls(&one, "client", 1).unwrap(), &[1, 4]), run(&one, &[1, 4]));
}

#[test]
fn a_client_that_returns_early_is_called() {
    let two = merge::calls(&file(EARLY), "client", 2).unwrap();
    assert_eq!(run(&two, &[-5, 9]), -1 + 4, "{two}");
    assert_eq!(run(&two, &[9, 9]), 4 + 5, "the second call sees what the first one wrote: {two}");
}

#[test]
fn merged_clients_keep_their_own_libraries() {
    let (one, other) = (file(STRAIGHT), file(EARLY).replace("limit = 3", "limit = 7"));
    let both = [(one.as_str(), "client"), (other.as_str(), "client")];
    let merged = merge::merge(both, MergeKind::Sequential, "client").unwrap();
    assert_eq!(run(&merged, &[1, 4, 20]), run(&one, &[1, 4]) + run(&other, &[20]), "{merged}");
    let nested = merge::merge(both, MergeKind::Nested, "client").unwrap();
    let inner = run(&one, &[-2, 3]);
    assert_eq!(run(&nested, &[-2, 3]), run(&other, &[inner]), "{nested}");
}

#[test]
fn what_cannot_be_merged_is_refused() {
    assert!(merge::calls("int f(int x) { return x; }", "client", 2).is_err());
    let pointer = "int *client(int *p) { return p; }";
    assert!(merge::calls(pointer, "client", 2).is_err(), "pointers cannot be added");
    let captured = "#define NEXT (x + 1)\nint client(int x) { return NEXT; }";
    assert!(merge::calls(captured, "client", 2).is_err(), "the macro would lose its parameter");
    let nothing = "int client(void) { return 1; }";
    let both = [(nothing, "client"), (nothing, "client")];
    assert!(merge::merge(both, MergeKind::Nested, "client").is_err());
    assert!(merge::merge(both, MergeKind::Sequential, "client").is_ok());
}

#[test]
fn a_return_under_a_condition_is_not_the_end() {
    let unbraced = "int client(int x) { int r = 0; if (x > 0) r = 2; else return r - 1; return r; }";
    let two = merge::calls(unbraced, "client", 2).unwrap();
    assert_eq!(run(&two, &[-1, 5]), -1 + 2, "{two}");
    let only = "int client(int x) { while (x > 0) return x; }";
    let two = merge::calls(only, "client", 2).unwrap();
    assert_eq!(run(&two, &[3, 5]), 8, "{two}");
}

#[test]
fn only_equivalent_parts_are_equivalent_together() {
    let line = |label: Label| Line {
        suite: "s".to_owned(),
        group: None,
        case: "c".to_owned(),
        language: "c".to_owned(),
        function: "client".to_owned(),
        numbers: "machine".to_owned(),
        truth: Truth { math: None, machine: Some(label) },
        calls: None,
        old_name: "old.c".to_owned(),
        new_name: "new.c".to_owned(),
        old: file(STRAIGHT),
        new: file(STRAIGHT),
        args: Vec::new(),
    };
    let label = |one, other| two(&line(one), &line(other), MergeKind::Sequential).unwrap().truth.machine;
    assert_eq!(label(Label::Equivalent, Label::Equivalent), Some(Label::Equivalent));
    assert_eq!(label(Label::Equivalent, Label::Different), Some(Label::Different));
    assert_eq!(
        two(&line(Label::Equivalent), &line(Label::Equivalent), MergeKind::Nested).unwrap().truth.math,
        None
    );
    assert_eq!(calls(&line(Label::Equivalent), 4).unwrap().calls, Some(4));
}

//! Calls in the midst of a run that are written down: what they were given, and how they ended.

use std::collections::BTreeSet;

use crate::support::{input, int, program};
use interp::{Ending, Input, Limits, Machine, ObjectValue, Recorded, RecordedCall, Value, Wanted};
use ir::Numbers;
use ir::ProcId;

/// Runs the first procedure of a program and writes down all calls of the second.
fn record(text: &str, input: &Input, wanted: &Wanted) -> Recorded {
    let program = program(text);
    let machine = Machine::new(&program, Numbers::Machine);
    let (run, recorded) = machine.run_recording(ProcId(0), input, &Limits::USUAL, wanted);
    assert_eq!(run, machine.run(ProcId(0), input, &Limits::USUAL), "writing down should not change the run");
    recorded
}

fn second(names: &[&str], fields: &[&str]) -> Wanted {
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    Wanted {
        procedures: [(ProcId(1), own(names))].into(),
        fields: own(fields),
        most_calls: 100,
        most_cells: 10_000,
    }
}

fn ending(call: &RecordedCall) -> &Ending {
    &call.run.as_ref().expect("the call should be over").ending
}

fn returned(value: i128) -> Ending {
    Ending::Returned(Some(int(value)))
}

const RECURSIVE: &str = "program java
proc f(n: i32) -> i32 {
  var s: i32
  s = call sum(n)
  n = call sum(0)
  return s
}
proc sum(n: i32) -> i32 {
  var s: i32
  if le.i32(n, 0) {
    return 0
  }
  s = call sum(sub.i32(n, 1))
  return add.i32(s, n)
}";

#[test]
fn calls_are_in_the_order_in_which_they_begin_and_know_the_one_around_them() {
    let recorded = record(RECURSIVE, &input(&[int(2)]), &second(&[], &[]));
    let calls: Vec<_> =
        recorded.calls.iter().map(|call| (&call.input.args[0], call.inside, ending(call))).collect();
    let (zero, one, three) = (returned(0), returned(1), returned(3));
    assert_eq!(
        calls,
        [
            (&int(2), None, &three),
            (&int(1), Some(0), &one),
            (&int(0), Some(1), &zero),
            (&int(0), None, &zero)
        ]
    );
    assert!(recorded.is_complete);
}

#[test]
fn what_is_too_much_is_left_out_and_said_to_be() {
    let few = Wanted { most_calls: 2, ..second(&[], &[]) };
    let recorded = record(RECURSIVE, &input(&[int(2)]), &few);
    assert_eq!((recorded.calls.len(), recorded.is_complete), (2, false));
    let little = Wanted { most_cells: 3, ..second(&[], &[]) };
    let recorded = record(RECURSIVE, &input(&[int(2)]), &little);
    assert!(!recorded.is_complete && recorded.calls.iter().any(|call| call.run.is_none()));
}

#[test]
fn a_call_may_fail_and_print_before_the_failure_is_caught() {
    let text = "program java
error E
proc f(n: i32) -> i32 {
  print \"before\"
  try {
    n = call g(n)
  } catch E {
    n = 7
  }
  return n
}
proc g(n: i32) -> i32 {
  print \"in g\"
  n = call h(n)
  return n
}
proc h(n: i32) -> i32 {
  throw E
}";
    let recorded = record(text, &input(&[int(1)]), &second(&[], &[]));
    assert_eq!(ending(&recorded.calls[0]), &Ending::Failed { error: "E".to_owned() });
    let output = &recorded.calls[0].run.as_ref().unwrap().written[0];
    assert_eq!(String::from_utf16_lossy(output), "in g");
}

#[test]
fn a_call_that_never_ends_is_told_from_those_that_repeat() {
    // In the first program the loop is in the call, in the second around it.
    let inside = "program java
proc f(n: i32) {
  call g(n)
}
proc g(n: i32) {
  loop L0 {
    n = add.i32(n, 0)
  }
}";
    let recorded = record(inside, &input(&[int(1)]), &second(&[], &[]));
    assert_eq!(ending(&recorded.calls[0]), &Ending::Endless);
    let around = "program java
proc f(n: i32) {
  loop L0 {
    call g(n)
  }
}
proc g(n: i32) {
  loop L1 {
    n = add.i32(n, 1)
    if lt.i32(5, n) {
      return
    }
  }
}";
    let recorded = record(around, &input(&[int(1)]), &second(&[], &[]));
    let runs = recorded.calls.iter().filter_map(|call| call.run.as_ref());
    assert!(runs.clone().count() > 0);
    assert!(runs.clone().all(|run| run.ending == Ending::Returned(None)));
}

const BOXES: &str = "program java
region Box.value: i32
region Box.next: ref Box
shape Box: fields(Box.value, Box.next)
global seen: i32 = 3
global other: i32 = 4
proc f(b: ref Box) -> ref Box {
  var x: ref Box
  x = new Box
  store Box.next(x) = b
  x = call g(x)
  return x
}
proc g(b: ref Box) -> ref Box {
  var x: ref Box
  store Box.value(load Box.next(b)) = 9
  seen = 5
  x = new Box
  return x
}";

#[test]
fn objects_are_numbered_from_the_arguments_on() {
    let argument = ObjectValue::with_fields("Box", vec![int(1), Value::NULL]);
    let input = Input { objects: vec![argument], ..input(&[Value::object(0)]) };
    let recorded = record(BOXES, &input, &second(&["seen"], &["Box.value", "Box.next"]));
    let call = &recorded.calls[0];
    assert_eq!(call.input.args, [Value::object(0)]);
    let values = |objects: &[ObjectValue]| -> Vec<Vec<Value>> {
        objects.iter().map(|object| object.cells.clone()).collect()
    };
    // The fields by name: `next` stands before `value`.
    let before = [vec![Value::object(1), int(0)], vec![Value::NULL, int(1)]];
    assert_eq!(values(&call.input.objects), before);
    let run = call.run.as_ref().unwrap();
    assert_eq!((run.input_objects, &run.ending), (2, &Ending::Returned(Some(Value::object(2)))));
    let after = [vec![Value::object(1), int(0)], vec![Value::NULL, int(9)], vec![Value::NULL, int(0)]];
    assert_eq!(values(&run.objects), after);
    assert_eq!(call.input.globals, [("seen".to_owned(), int(3))].into());
    assert_eq!(run.globals, [("seen".to_owned(), int(5))].into());
}

#[test]
fn fields_that_are_not_wanted_are_not_followed() {
    let argument = ObjectValue::with_fields("Box", vec![int(1), Value::NULL]);
    let input = Input { objects: vec![argument], ..input(&[Value::object(0)]) };
    let recorded = record(BOXES, &input, &second(&[], &["Box.value"]));
    assert_eq!(recorded.calls[0].input.objects.len(), 1);
    assert_eq!(recorded.calls[0].input.objects[0].fields, ["Box.value"]);
}

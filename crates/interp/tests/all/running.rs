//! Whole procedures: loops, calls, failures, the heap, the outside world.

use std::collections::BTreeMap;

use crate::support::{input, int, program, run, run_with};
use interp::{Ending, Input, Limits, Machine, ObjectValue, RefValue, Value};
use ir::Numbers;
use ir::ProcId;

fn returned(value: i128) -> Ending {
    Ending::Returned(Some(int(value)))
}

fn failed(error: &str) -> Ending {
    Ending::Failed { error: error.to_owned() }
}

const SUM: &str = "program java
proc f(n: i32) -> i32 {
  var s: i32
  loop L0 {
    if le.i32(n, 0) {
      break L0
    }
    s = add.i32(s, n)
    n = sub.i32(n, 1)
  }
  return s
}";

#[test]
fn a_loop_ends_by_its_jump() {
    assert_eq!(run(SUM, &[int(10)]).ending, returned(55));
    assert_eq!(run(SUM, &[int(-1)]).ending, returned(0));
}

#[test]
fn jumps_name_the_loop_or_scope_they_leave() {
    let text = "program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    i = add.i32(i, 1)
    loop L1 {
      s = add.i32(s, 1)
      if lt.i32(i, n) {
        continue L0
      }
      break L0
    }
  }
  scope L2 {
    if eq.i32(n, 3) {
      break L2
    }
    s = add.i32(s, 100)
  }
  return s
}";
    assert_eq!(run(text, &[int(3)]).ending, returned(3));
    assert_eq!(run(text, &[int(5)]).ending, returned(105));
}

#[test]
fn locals_start_as_zero_and_a_function_without_a_return_gives_zero() {
    let text = "program c
proc f() -> (i32, text, ref any) {
  var p: (i32, text, ref any)
  p = record(5, \"a\", null)
}";
    let zero = Value::Record(vec![int(0), Value::Text(None), Value::NULL]);
    assert_eq!(run(text, &[]).ending, Ending::Returned(Some(zero)));
}

#[test]
fn a_record_can_be_built_from_its_own_parts() {
    let text = "program c
proc f(p: (i32, i32)) -> (i32, i32) {
  p = record(get.1(p), get.0(p))
  p = if(lt.i32(get.0(p), get.1(p)), record(get.1(p), get.0(p)), p)
  return p
}";
    let pair = |a, b| Value::Record(vec![int(a), int(b)]);
    assert_eq!(run(text, &[pair(1, 2)]).ending, Ending::Returned(Some(pair(2, 1))));
    assert_eq!(run(text, &[pair(2, 1)]).ending, Ending::Returned(Some(pair(2, 1))));
}

#[test]
fn calls_pass_values_and_recursion_works() {
    let text = "program java
proc fib(n: i32) -> i32 {
  var a: i32
  var b: i32
  if lt.i32(n, 2) {
    return n
  }
  a = call fib(sub.i32(n, 1))
  b = call fib(sub.i32(n, 2))
  return add.i32(a, b)
}";
    assert_eq!(run(text, &[int(20)]).ending, returned(6765));
}

const TRY: &str = "program java
error A
error B
proc f(n: i32) -> i32 {
  var m: text
  var r: i32
  try {
    try {
      call g(n)
      r = 1
    } catch A as m {
      r = add.i32(10, text_length(m))
      check ne.i32(n, 3) else B
    }
  } catch B as m {
    r = if(same_text(m, null_text), 20, 21)
  } catch any {
    r = 30
  }
  return r
}
proc g(n: i32) {
  if eq.i32(n, 0) {
    throw A(\"abc\")
  }
  if eq.i32(n, 1) {
    throw B
  }
  if eq.i32(n, 3) {
    throw A(\"\")
  }
}";

#[test]
fn failures_go_to_the_innermost_handler_that_takes_them() {
    assert_eq!(run(TRY, &[int(0)]).ending, returned(13));
    assert_eq!(run(TRY, &[int(1)]).ending, returned(20));
    assert_eq!(run(TRY, &[int(2)]).ending, returned(1));
    // The second failure comes from inside a handler, which does not catch its own failures.
    assert_eq!(run(TRY, &[int(3)]).ending, returned(20));
}

#[test]
fn a_failure_that_nobody_catches_ends_the_run_and_keeps_all_effects() {
    let text = "program java
error Div
global n: i32 = 0
proc f(d: i32) -> i32 {
  n = 7
  print \"before\"
  check ne.i32(d, 0) else Div
  return div.i32(100, d)
}";
    let run = run(text, &[int(0)]);
    assert_eq!(run.ending, failed("Div"));
    assert_eq!(run.globals["n"], int(7));
    assert_eq!(String::from_utf16_lossy(&run.written[0]), "before");
    assert_eq!(crate::support::run(text, &[int(7)]).ending, returned(14));
}

#[test]
fn asserts_fail_assumes_exclude_and_unsupported_ends() {
    let text = "program c
error E
proc f(n: i32) -> i32 {
  assert ne.i32(n, 0) else E
  assume ne.i32(n, 1)
  if eq.i32(n, 2) {
    unsupported \"goto\"
  }
  return n
}";
    assert_eq!(run(text, &[int(0)]).ending, failed("E"));
    assert_eq!(run(text, &[int(1)]).ending, Ending::Excluded);
    let what = "goto".to_owned();
    assert_eq!(run(text, &[int(2)]).ending, Ending::Unsupported { what, span: ir::Span::NOWHERE });
    assert_eq!(run(text, &[int(3)]).ending, returned(3));
}

const LIST: &str = "program java
region Node.value: i32
region Node.next: ref Node
region int[]: i32 -> i32
abstract shape Object: fields()
shape Node: fields(Node.value, Node.next) < Object
shape int[]: indexed(int[]) < Object
proc f(a: ref int[], tail: ref Node) -> ref Node {
  var i: i32
  var n: ref Node
  i = length.i32(a)
  loop L0 {
    if le.i32(i, 0) {
      break L0
    }
    i = sub.i32(i, 1)
    n = new Node
    store Node.value(n) = load int[](a, i)
    store Node.next(n) = tail
    tail = n
  }
  store int[](a, 0) = 99
  return tail
}";

#[test]
fn objects_of_the_input_and_new_ones_live_in_one_heap() {
    let mut input = input(&[Value::object(0), Value::object(1)]);
    input.objects.push(ObjectValue::indexed("int[]", vec![int(1), int(2)]));
    input.objects.push(ObjectValue::with_fields("Node", vec![int(3), Value::object(1)]));
    let run = run_with(LIST, Numbers::Machine, &input, &Limits::USUAL);
    assert_eq!(run.ending, Ending::Returned(Some(Value::object(3))));
    assert_eq!(run.input_objects, 2);
    assert_eq!(run.objects[0].cells, [int(99), int(2)]);
    assert_eq!(run.objects[1].cells, [int(3), Value::object(1)]);
    assert_eq!(run.objects[2].cells, [int(2), Value::object(1)]);
    assert_eq!(run.objects[3].cells, [int(1), Value::object(2)]);
    assert_eq!(run.objects[3].fields, ["Node.value", "Node.next"]);
}

#[test]
fn fields_of_the_input_are_found_by_name() {
    let text = "program java
region P.x: i32
region P.y: i32
shape P: fields(P.x, P.y)
proc f(p: ref P) -> i32 {
  return sub.i32(load P.x(p), load P.y(p))
}";
    let object = |names: &[&str], cells: &[i128]| ObjectValue {
        shape: "P".to_owned(),
        length: None,
        cells: cells.iter().map(|cell| int(*cell)).collect(),
        fields: names.iter().map(|name| (*name).to_owned()).collect(),
    };
    let with = |object| {
        run_with(
            text,
            Numbers::Machine,
            &Input { objects: vec![object], ..input(&[Value::object(0)]) },
            &Limits::USUAL,
        )
    };
    assert_eq!(with(object(&[], &[5, 3])).ending, returned(2));
    assert_eq!(with(object(&["P.y", "P.x"], &[5, 3])).ending, returned(-2));
    assert_eq!(with(object(&["P.y", "P.z"], &[5, 3])).ending, returned(-5));
    assert!(matches!(with(object(&[], &[5])).ending, Ending::Broken { .. }));
}

#[test]
fn has_shape_takes_the_shapes_themselves_and_null_has_none() {
    let text = "program java
abstract shape Object: fields()
shape A: fields() < Object
shape B: fields() < A, Object
proc f(o: ref Object) -> bool {
  return has_shape(o, B)
}
proc g(o: ref Object) -> bool {
  return has_shape(o, B, A)
}";
    let machine = Machine::new(&program(text), Numbers::Machine);
    let mut input = input(&[Value::object(0)]);
    input.objects.push(ObjectValue::with_fields("A", vec![]));
    let answer = |procedure, input: &Input| machine.run(ProcId(procedure), input, &Limits::USUAL).ending;
    assert_eq!(answer(0, &input), Ending::Returned(Some(Value::Bool(false))));
    assert_eq!(answer(1, &input), Ending::Returned(Some(Value::Bool(true))));
    input.args[0] = Value::NULL;
    assert_eq!(answer(1, &input), Ending::Returned(Some(Value::Bool(false))));
}

const STRUCTS: &str = "program c
region i32: i64 -> i32
region ptr: i64 -> (ref any, i64)
shape pair[]: indexed(i32, ptr)
static table: pair[](4) = {1, (null, 0), 2, (&table, 3)}
const static constant: pair[](2) = {5, (null, 0)}
proc f(i: i64) -> i32 {
  var p: (ref any, i64)
  p = load ptr(&table, i)
  store ptr(&table, i) = record(&constant, 1)
  return add.i32(load i32(&constant, 0), load i32(get.0(p), sub.i64(get.1(p), 1)))
}";

#[test]
fn cells_of_structs_take_turns_between_regions() {
    let run = run(STRUCTS, &[int(3)]);
    assert_eq!(run.ending, returned(7));
    let pointer =
        |name: &str, offset| Value::Record(vec![Value::Ref(RefValue::Static(name.to_owned())), int(offset)]);
    let null = Value::Record(vec![Value::NULL, int(0)]);
    assert_eq!(run.statics["table"], [int(1), null, int(2), pointer("constant", 1)]);
    assert!(!run.statics.contains_key("constant"));
}

#[test]
fn inputs_set_globals_and_statics_that_are_not_constant() {
    let mut input = input(&[int(1)]);
    let pointer = Value::Record(vec![Value::Ref(RefValue::Static("table".to_owned())), int(1)]);
    let cells = vec![int(40), pointer.clone(), int(2), pointer];
    input.statics = BTreeMap::from([("table".to_owned(), cells.clone()), ("constant".to_owned(), cells)]);
    assert_eq!(run_with(STRUCTS, Numbers::Machine, &input, &Limits::USUAL).ending, returned(45));
}

#[test]
fn loads_without_their_checks_break_the_run() {
    let broken = |args: &[Value]| matches!(run(LIST, args).ending, Ending::Broken { .. });
    assert!(broken(&[Value::NULL, Value::NULL]));
    assert!(
        matches!(run(STRUCTS, &[int(2)]).ending, Ending::Broken { .. }),
        "the cell is in the other region"
    );
    assert!(matches!(run(STRUCTS, &[int(-1)]).ending, Ending::Broken { .. }));
    assert!(matches!(run(STRUCTS, &[int(4)]).ending, Ending::Broken { .. }));
}

#[test]
fn freed_objects_have_length_minus_one() {
    let text = "program c
region i32: i64 -> i32
shape i32[]: indexed(i32)
proc f() -> i64 {
  var p: ref any
  p = new i32[](3)
  free p
  free null
  return length.i64(p)
}";
    assert_eq!(run(text, &[]).ending, returned(-1));
}

#[test]
fn inputs_that_do_not_fit_break_the_run() {
    let broken = |args: &[Value]| matches!(run(SUM, args).ending, Ending::Broken { .. });
    assert!(broken(&[]));
    assert!(broken(&[int(1 << 40)]));
    assert!(broken(&[Value::Bool(true)]));
    assert!(matches!(run(LIST, &[Value::object(7), Value::NULL]).ending, Ending::Broken { .. }));
}

#[test]
fn maps_are_values() {
    let text = "program java
global m: map(i32 -> i32) = map(i32 -> 0)
proc f(k: i32) -> bool {
  var a: map(i32 -> i32)
  a = update(m, 3, 5)
  m = update(update(a, 4, 6), 3, select(m, 100))
  return same_map(m, update(map(i32 -> 0), k, 6))
}";
    let run = run(text, &[int(4)]);
    assert_eq!(run.ending, Ending::Returned(Some(Value::Bool(true))));
    let Value::Map(map) = &run.globals["m"] else { panic!("m should be a map") };
    assert_eq!(map.entries, [(int(4), int(6))]);
    assert_eq!(crate::support::run(text, &[int(5)]).ending, Ending::Returned(Some(Value::Bool(false))));
}

#[test]
fn maps_with_an_entry_at_every_key_hide_their_default() {
    let text = "program java
proc f(a: i32, b: i32) -> bool {
  var m: map(bool -> i32)
  var n: map(bool -> i32)
  m = update(update(map(bool -> 1), true, a), false, b)
  n = update(update(map(bool -> 2), false, b), true, a)
  return same_map(m, n)
}";
    for (a, b) in [(5, 6), (1, 2), (2, 1), (1, 1)] {
        assert_eq!(run(text, &[int(a), int(b)]).ending, Ending::Returned(Some(Value::Bool(true))), "{a} {b}");
    }
}

const WORLD: &str = "program c
extern proc read(key: i32) -> i32
extern proc tell(o: ref any)
";

#[test]
fn external_procedures_are_functions_of_their_arguments_and_the_past() {
    let calls = |body: &str| {
        let text = format!(
            "{WORLD}proc f() -> i64 {{\n  var a: i32\n  var b: i32\n{body}\n  return or.i64(shl.i64(convert.i32.i64(a), 32), convert.u32.i64(convert.i32.u32(b)))\n}}"
        );
        let machine = Machine::new(&program(&text), Numbers::Machine);
        machine.run(ProcId(2), &input(&[]), &Limits::USUAL)
    };
    let twice = calls("a = call read(1)\n b = call read(1)");
    assert_eq!(twice.ending, calls("a = call read(1)\n b = call read(1)").ending);
    assert_ne!(twice.ending, calls("a = call read(2)\n b = call read(1)").ending);
    assert_ne!(twice.external_calls[0].result, twice.external_calls[1].result, "the world has changed");
    assert_eq!(twice.external_calls.len(), 2);
    assert_eq!(twice.external_calls[0].args, [int(1)]);
}

#[test]
fn the_world_does_not_see_the_order_of_allocation() {
    let text = |first: &str, second: &str| {
        format!(
            "{WORLD}shape S: fields()\nproc f() -> i32 {{\n  var a: ref S\n  var b: ref S\n  var r: i32
  {first} = new S\n  {second} = new S\n  call tell(a)\n  r = call read(0)\n  call tell(b)\n  return r\n}}"
        )
    };
    let result = |text: String| {
        Machine::new(&program(&text), Numbers::Machine).run(ProcId(2), &input(&[]), &Limits::USUAL)
    };
    assert_eq!(result(text("a", "b")).ending, result(text("b", "a")).ending);
}

#[test]
fn the_world_does_not_see_the_order_in_which_texts_are_made() {
    let text = |first: &str, second: &str| {
        format!(
            "program java\nproc f(n: i32) -> i32 {{\n  var m: map(text -> i32)\n  var s: text\n  var r: i32
  s = text_of_int.i32({first})\n  s = text_of_int.i32({second})
  m = update(update(m, text_of_int.i32(n), 1), text_of_int.i32(add.i32(n, 1)), 2)
  r = call tell(m)\n  return r\n}}\nextern proc tell(m: map(text -> i32)) -> i32"
        )
    };
    let (old, new) = (text("n", "add.i32(n, 1)"), text("add.i32(n, 1)", "n"));
    for n in [5, 9, 99, -1] {
        assert_eq!(run(&old, &[int(n)]).external_calls, run(&new, &[int(n)]).external_calls);
    }
}

#[test]
fn the_ways_taken_at_branches_are_recorded() {
    let few = run(SUM, &[int(0)]).branches;
    let more = run(SUM, &[int(3)]).branches;
    assert_eq!(few.iter().collect::<Vec<_>>(), [(0, true)]);
    assert_eq!(more.iter().collect::<Vec<_>>(), [(0, false), (0, true)]);
    let mut seen = few.clone();
    assert!(seen.add(&more));
    assert!(!seen.add(&few));
    assert_eq!(seen.len(), 2);
}

//! Comparisons of runs: what is the same, what is different, and of what nothing can be said.

use crate::support::{input, int, run, run_with};
use interp::{Comparison, Ending, Input, Limits, ObjectValue, Run, Value, What, compare};
use ir::Numbers;

fn what(old: &Run, new: &Run) -> What {
    match compare(old, new) {
        Comparison::Different(difference) => difference.what,
        other => panic!("expected a difference, not {other:?}"),
    }
}

fn is_same(old: &Run, new: &Run) -> bool {
    compare(old, new) == Comparison::Same
}

fn is_incomparable(old: &Run, new: &Run) -> bool {
    matches!(compare(old, new), Comparison::Incomparable(_))
}

const NODES: &str = "program java
error E
region N.v: i32
region N.a: ref N
region N.b: ref N
shape N: fields(N.v, N.a, N.b)
global g: ref N = null
";

/// A run of a body with two nodes of the input in `p` and `q`.
fn nodes(body: &str) -> Run {
    let text =
        format!("{NODES}proc f(p: ref N, q: ref N) -> ref N {{\n  var x: ref N\n  var y: ref N\n{body}\n}}");
    let node = |value| ObjectValue::with_fields("N", vec![int(value), Value::NULL, Value::NULL]);
    let input = Input { objects: vec![node(1), node(2)], ..input(&[Value::object(0), Value::object(1)]) };
    run_with(&text, Numbers::Machine, &input, &Limits::USUAL)
}

#[test]
fn the_order_of_allocation_does_not_matter() {
    let old = nodes("x = new N\n y = new N\n store N.v(x) = 5\n store N.a(x) = y\n return x");
    let new = nodes("y = new N\n x = new N\n store N.a(x) = y\n store N.v(x) = 5\n return x");
    assert_ne!(old.objects, new.objects);
    assert!(is_same(&old, &new));
}

#[test]
fn objects_that_nobody_can_reach_do_not_matter() {
    let old = nodes("x = new N\n store N.v(x) = 7\n x = null\n return q");
    assert!(is_same(&old, &nodes("return q")));
}

#[test]
fn one_object_in_two_places_is_not_two_objects() {
    let shared = nodes("x = new N\n y = new N\n store N.a(x) = y\n store N.b(x) = y\n return x");
    let copies = nodes("x = new N\n y = new N\n store N.a(x) = y\n y = new N\n store N.b(x) = y\n return x");
    assert_eq!(what(&shared, &copies), What::Heap("the result.b".to_owned()));
    assert_eq!(what(&copies, &shared), What::Heap("the result.b".to_owned()));
    assert!(is_same(&copies, &copies));
}

#[test]
fn cycles_are_walked_once() {
    let short = nodes("x = new N\n store N.a(x) = x\n return x");
    let long = nodes("x = new N\n y = new N\n store N.a(x) = y\n store N.a(y) = x\n return x");
    assert!(is_same(&short, &short));
    assert!(is_same(&long, &nodes("y = new N\n x = new N\n store N.a(y) = x\n store N.a(x) = y\n return x")));
    assert!(matches!(what(&short, &long), What::Heap(_)));
}

#[test]
fn objects_of_the_input_keep_their_identity() {
    assert_eq!(what(&nodes("return p"), &nodes("return q")), What::Result);
    assert_eq!(what(&nodes("return p"), &nodes("x = new N\n store N.v(x) = 1\n return x")), What::Result);
    assert_eq!(what(&nodes("return p"), &nodes("return null")), What::Result);
    let written = nodes("store N.v(q) = 3\n return p");
    assert_eq!(what(&nodes("return p"), &written), What::Heap("input object 1.v".to_owned()));
}

#[test]
fn values_in_globals_are_followed() {
    let stored = |value: i32| nodes(&format!("x = new N\n store N.v(x) = {value}\n g = x\n return p"));
    assert!(is_same(&stored(1), &stored(1)));
    assert_eq!(what(&stored(1), &stored(2)), What::Heap("g.v".to_owned()));
    assert_eq!(what(&stored(1), &nodes("return p")), What::Global("g".to_owned()));
}

#[test]
fn errors_are_compared_by_name() {
    let fails = |error: &str, message: &str| {
        run(&format!("program java\nerror A\nerror B\nproc f() {{\n  throw {error}(\"{message}\")\n}}"), &[])
    };
    assert!(is_same(&fails("A", "one"), &fails("A", "two")));
    assert_eq!(what(&fails("A", ""), &fails("B", "")), What::Error);
    let returns = run("program java\nproc f() {\n}", &[]);
    let Comparison::Different(difference) = compare(&fails("A", ""), &returns) else { panic!("they differ") };
    assert_eq!((difference.old.as_str(), difference.new.as_str()), ("fails with A", "returns"));
}

#[test]
fn results_are_compared_by_their_bits() {
    let result =
        |ty: &str, expr: &str| run(&format!("program c\nproc f() -> {ty} {{\n  return {expr}\n}}"), &[]);
    assert!(is_same(&result("f64", "nan"), &result("f64", "div.f64(0.0, 0.0)")));
    assert_eq!(what(&result("f64", "0.0"), &result("f64", "-0.0")), What::Result);
    assert_eq!(what(&result("text", "\"\""), &result("text", "null_text")), What::Result);
    assert!(is_same(&result("i32", "1"), &result("i64", "1")));
    assert!(is_incomparable(&result("i32", "1"), &result("f64", "1.0")));
}

#[test]
fn output_and_external_calls_are_observable() {
    let prints = |text: &str| run(&format!("program c\nproc f() {{\n  print \"{text}\"\n}}"), &[]);
    assert_eq!(what(&prints("a"), &prints("b")), What::Written(ir::Stream::Output));
    let calls = |body: &str| {
        run(&format!("program c\nproc f() {{\n{body}\n}}\nextern proc a(x: i32)\nextern proc b(x: i32)"), &[])
    };
    assert!(is_same(&calls("call a(1)"), &calls("call a(1)")));
    assert_eq!(what(&calls("call a(1)"), &calls("call a(2)")), What::ExternalCalls);
    assert_eq!(what(&calls("call a(1)\n call b(1)"), &calls("call b(1)\n call a(1)")), What::ExternalCalls);
    assert_eq!(what(&calls("call a(1)"), &calls("")), What::ExternalCalls);
}

#[test]
fn runs_that_did_not_end_say_nothing() {
    let ended = |ending| Run { ending, ..run("program c\nproc f() {\n}", &[]) };
    let good = ended(Ending::Returned(None));
    let endings = [
        Ending::Endless,
        Ending::OutOfSteps,
        Ending::OutOfMemory,
        Ending::TooDeep,
        Ending::TooMuchOutput,
        Ending::Excluded,
        Ending::Unsupported { what: String::new(), span: ir::Span::NOWHERE },
        Ending::Undecided { why: String::new() },
        Ending::Broken { what: String::new() },
    ];
    assert_eq!(interp::one_ends(&good, &ended(Ending::Endless)).map(|found| found.what), Some(What::Ends));
    assert_eq!(interp::one_ends(&ended(Ending::Endless), &good).map(|found| found.what), Some(What::Ends));
    assert_eq!(interp::one_ends(&ended(Ending::OutOfSteps), &good), None);
    assert_eq!(interp::one_ends(&ended(Ending::Endless), &ended(Ending::Endless)), None);
    for ending in endings {
        assert!(is_incomparable(&ended(ending.clone()), &good), "{ending:?}");
        assert!(is_incomparable(&good, &ended(ending.clone())), "{ending:?}");
    }
}

#[test]
fn fields_and_globals_of_one_version_only_make_the_runs_incomparable() {
    let old = nodes("return p");
    let text = NODES
        .replace("shape N: fields(N.v, N.a, N.b)", "region N.c: i32\nshape N: fields(N.c, N.b, N.a, N.v)");
    let object = |value| ObjectValue {
        fields: old.objects[0].fields.clone(),
        cells: vec![int(value), Value::NULL, Value::NULL],
        ..old.objects[0].clone()
    };
    let input = Input { objects: vec![object(1), object(2)], ..input(&[Value::object(0), Value::object(1)]) };
    let run = |body: &str| {
        let text = format!("{text}proc f(p: ref N, q: ref N) -> ref N {{\n{body}\n}}");
        run_with(&text, Numbers::Machine, &input, &Limits::USUAL)
    };
    assert!(is_incomparable(&old, &run("return p")));
    assert_eq!(what(&old, &run("store N.v(p) = 8\n return p")), What::Heap("input object 0.v".to_owned()));
}

#[test]
fn maps_are_compared_as_functions() {
    let map =
        |expr: &str| run(&format!("program java\nproc f() -> map(i32 -> i32) {{\n  return {expr}\n}}"), &[]);
    let old = map("update(update(map(i32 -> 0), 1, 2), 3, 4)");
    assert!(is_same(&old, &map("update(update(map(i32 -> 0), 3, 4), 1, 2)")));
    assert_eq!(what(&old, &map("update(map(i32 -> 0), 1, 2)")), What::Result);
    assert_eq!(what(&old, &map("update(update(map(i32 -> 9), 1, 2), 3, 4)")), What::Result);
}

#[test]
fn reals_are_different_only_when_their_enclosures_are_disjoint() {
    let real = |expr: &str| {
        let text = format!("program c\nproc f() -> f64 {{\n  return {expr}\n}}");
        run_with(&text, Numbers::Math, &input(&[]), &Limits::USUAL)
    };
    assert!(is_same(&real("div.f64(1.0, 3.0)"), &real("sub.f64(1.0, div.f64(2.0, 3.0))")));
    assert_eq!(what(&real("div.f64(1.0, 3.0)"), &real("0.3333333333333333")), What::Result);
    assert_eq!(what(&real("sin.f64(1.0)"), &real("cos.f64(1.0)")), What::Result);
    assert!(is_incomparable(&real("sin.f64(1.0)"), &real("sin.f64(1.0)")), "only exact numbers are the same");
    assert!(is_incomparable(&real("div.f64(1.0, 0.0)"), &real("1.0")));
}

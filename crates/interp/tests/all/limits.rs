//! Every run ends, whatever the program does, and without using up our memory or stack.

use std::fmt::Write;

use crate::support::{input, int, program, run, run_with};
use interp::{Ending, Limits, Machine, Value};
use ir::Numbers;
use ir::ProcId;

#[test]
fn endless_loops_and_recursions_are_stopped() {
    let counting = "program c\nproc f() {\n  var n: i64\n  loop L0 {\n    n = add.i64(n, 1)\n  }\n}";
    let ended = run(counting, &[]);
    assert_eq!(ended.ending, Ending::OutOfSteps);
    assert_eq!(ended.steps, Limits::USUAL.steps);
    let deep = "program c\nproc f(n: i32) -> i32 {\n  n = call f(n)\n  return n\n}";
    assert_eq!(run(deep, &[int(0)]).ending, Ending::TooDeep);
}

#[test]
fn a_repeated_state_is_an_endless_run() {
    let still = "program c\nproc f() {\n  loop L0 {}\n}";
    assert_eq!(run(still, &[]).ending, Ending::Endless);
    let round = "program c\nproc f(x: i32) {
  loop L0 {
    x = rem.i32(add.i32(x, 1), 1000)
    if lt.i32(x, 0) { break L0 }
  }
}";
    assert_eq!(run(round, &[int(0)]).ending, Ending::Endless);
    assert_eq!(run(round, &[int(-5)]).ending, Ending::Returned(None));
}

#[test]
fn a_loop_that_changes_only_objects_or_asks_the_world_is_not_taken_for_endless() {
    let cells = "program c
region int: i64 -> i32
shape int: indexed(int)
proc f() {
  var a: ref any
  a = new int(2)
  loop L0 {
    store int(a, 1) = add.i32(load int(a, 1), 1)
    if eq.i32(load int(a, 1), 30000) { break L0 }
  }
}";
    assert_eq!(run(cells, &[]).ending, Ending::Returned(None));
    let globals = "program c\nglobal g: i32 = 0\nproc f() {
  loop L0 {
    global g = add.i32(global g, 1)
    if eq.i32(global g, 30000) { break L0 }
  }
}";
    assert_eq!(run(globals, &[]).ending, Ending::Returned(None));
    let world = "program c\nproc f() {
  loop L0 {
    call tick()
  }
}
extern proc tick()";
    assert!(!matches!(run(world, &[]).ending, Ending::Endless | Ending::Returned(_)));
}

#[test]
fn deep_recursion_within_the_limit_is_fine() {
    let text = "program c
proc f(n: i32) -> i32 {
  var r: i32
  if eq.i32(n, 0) {
    return 0
  }
  r = call f(sub.i32(n, 1))
  return add.i32(r, 1)
}";
    let limits = Limits { steps: 100_000_000, call_depth: 1_000_001, ..Limits::USUAL };
    let run = run_with(text, Numbers::Machine, &input(&[int(1_000_000)]), &limits);
    assert_eq!(run.ending, Ending::Returned(Some(int(1_000_000))));
}

#[test]
fn huge_objects_are_refused_before_they_are_made() {
    let text = "program java
region int[]: i64 -> i32
shape int[]: indexed(int[])
proc f(n: i64) {
  var a: ref any
  loop L0 {
    a = new int[](n)
  }
}";
    assert_eq!(run(text, &[int(i64::MAX.into())]).ending, Ending::OutOfMemory);
    assert_eq!(run(text, &[int(100)]).ending, Ending::OutOfMemory);
    assert_eq!(run(text, &[int(0)]).ending, Ending::OutOfMemory);
}

#[test]
fn growing_texts_maps_and_outputs_are_stopped() {
    let texts = "program java\nproc f() {\n  var s: text\n  s = \"ab\"\n  loop L0 {\n    s = text_concat(s, s)\n  }\n}";
    assert_eq!(run(texts, &[]).ending, Ending::OutOfMemory);
    let maps = "program java
proc f() {
  var m: map(i32 -> i32)
  var i: i32
  loop L0 {
    i = add.i32(i, 1)
    m = update(m, i, i)
  }
}";
    assert_eq!(run(maps, &[]).ending, Ending::OutOfMemory);
    let output = "program java\nproc f() {\n  var n: i32\n  loop L0 {\n    n = add.i32(n, 1)\n    print \"abc\"\n  }\n}";
    let ended = run(output, &[]);
    assert_eq!(ended.ending, Ending::TooMuchOutput);
    assert!(ended.written[0].len() <= Limits::USUAL.output);
}

#[test]
fn results_that_share_their_parts_do_not_use_up_our_memory() {
    let text = "program java
region text[]: i32 -> text
shape text[]: indexed(text[])
proc f() -> ref text[] {
  var a: ref text[]
  var s: text
  var i: i32
  s = \"0123456789\"
  loop L0 {
    s = text_concat(s, s)
    if lt.i32(100000, text_length(s)) {
      break L0
    }
  }
  a = new text[](10000)
  loop L1 {
    if eq.i32(i, 10000) {
      break L1
    }
    store text[](a, i) = s
    i = add.i32(i, 1)
  }
  return a
}";
    assert_eq!(run(text, &[]).ending, Ending::OutOfMemory);
}

#[test]
fn many_external_calls_with_long_texts_are_stopped() {
    let text = "program c
proc f() {
  var s: text
  s = text_fixed.f64(1.5, 50000)
  loop L0 {
    call tell(s)
  }
}
extern proc tell(s: text)";
    assert_eq!(run(text, &[]).ending, Ending::OutOfMemory);
}

#[test]
fn growing_numbers_are_stopped() {
    let text = "program java
proc f(x: i32) -> i32 {
  loop L0 {
    x = mul.i32(x, x)
  }
}
proc g(x: f64) {
  loop L0 {
    x = mul.f64(x, x)
  }
}";
    let machine = Machine::new(&program(text), Numbers::Math);
    assert_eq!(machine.run(ProcId(0), &input(&[int(3)]), &Limits::USUAL).ending, Ending::OutOfMemory);
    let limits = Limits { steps: 20_000, ..Limits::USUAL };
    for start in [2.0, 1.1, 0.3] {
        let ending = machine.run(ProcId(1), &input(&[Value::f64(start)]), &limits).ending;
        assert!(matches!(ending, Ending::OutOfSteps | Ending::Endless), "{ending:?}");
    }
}

#[test]
fn precisions_and_lengths_of_texts_are_bounded() {
    let text = "program c\nproc f(n: i32) -> i32 {\n  return text_length(text_fixed.f64(1.5, n))\n}";
    assert_eq!(run(text, &[int(5_000)]).ending, Ending::Returned(Some(int(5_002))));
    assert_eq!(run(text, &[int(2_000_000_000)]).ending, Ending::OutOfMemory);
}

#[test]
fn deep_nesting_ends_the_path_that_reaches_it_and_not_the_process() {
    use ir::{
        Const, Expr, Language, Local, LocalId, Procedure, Program, Scalar, Span, Stmt, StmtKind, Type,
        UnaryOp,
    };
    let mut expr = Expr::Const(Const::i32(0));
    for _ in 0..20_000 {
        expr = Expr::Unary { op: UnaryOp::Neg, ty: Scalar::Int(ir::IntType::I32), arg: Box::new(expr) };
    }
    let stmt = |kind| Stmt { kind, span: Span::NOWHERE };
    let deep = stmt(StmtKind::Return(Some(expr)));
    let condition = Expr::Local(LocalId(0));
    let body = vec![stmt(StmtKind::If { condition, then: vec![deep], otherwise: vec![] })];
    let mut program = Program::new(Language::C);
    program.procedures.push(Procedure {
        name: "f".to_owned(),
        short_name: "f".to_owned(),
        params: 1,
        locals: vec![Local { name: "b".to_owned(), ty: Type::Bool }],
        result: Some(Type::I32),
        external: ir::External::default(),
        body: Some(body),
        span: Span::NOWHERE,
        assumptions: vec![],
    });
    let machine = Machine::new(&program, Numbers::Machine);
    let ending = |flag| machine.run(ProcId(0), &input(&[Value::Bool(flag)]), &Limits::USUAL).ending;
    assert!(matches!(ending(true), Ending::Unsupported { .. }));
    assert_eq!(ending(false), Ending::Returned(Some(int(0))));
    // Dropping the expression would recurse as deeply as it is nested.
    std::mem::forget(program);
}

#[test]
fn the_deepest_nesting_allowed_compiles_on_a_small_stack() {
    let mut text = String::from("program c\nproc f(x: i32) -> i32 {\n  return ");
    for _ in 0..ir::MAX_DEPTH - 20 {
        text.push_str("add.i32(x, ");
    }
    text.push('1');
    text.push_str(&")".repeat(ir::MAX_DEPTH - 20));
    text.push_str("\n}");
    let program = program(&text);
    let compile = move || {
        Machine::new(&program, Numbers::Machine).run(ProcId(0), &input(&[int(1)]), &Limits::USUAL).ending
    };
    let thread =
        std::thread::Builder::new().stack_size(1 << 20).spawn(compile).expect("the thread should start");
    let depth = ir::MAX_DEPTH as i128;
    assert_eq!(
        thread.join().expect("compiling should not overflow"),
        Ending::Returned(Some(int(depth - 19)))
    );
}

#[test]
fn many_constants_are_not_copied_on_every_call() {
    let mut text = String::from("program c\nproc f(x: i32) -> i32 {\n");
    let mut expected = 0;
    for constant in 1..200 {
        writeln!(text, "  x = add.i32(x, {constant})").expect("writing to a string should not fail");
        expected += constant;
    }
    text.push_str("  return x\n}");
    assert_eq!(run(&text, &[int(0)]).ending, Ending::Returned(Some(int(expected))));
}

//! How many IR operations a second the interpreter executes; the throughput that criterion shows is that number.
//!
//! An operation is what counts as a step: an operator, a load or store, a jump, a call. Run with
//! `cargo bench -p benches`.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use interp::{Ending, Input, Limits, Machine, ObjectValue, Value};
use ir::Numbers;
use ir::{ProcId, read_program};

const LIMITS: Limits = Limits { steps: 1 << 40, memory_cells: 1 << 24, call_depth: 3_000, output: 1 << 20 };

const COLLATZ: &str = "program java
proc f(n: i32) -> i32 {
  var steps: i32
  var x: i64
  loop L0 {
    if le.i32(n, 1) {
      break L0
    }
    x = convert.i32.i64(n)
    loop L1 {
      if eq.i64(x, 1) {
        break L1
      }
      if eq.i64(and.i64(x, 1), 0) {
        x = shr.i64(x, 1)
      } else {
        x = add.i64(mul.i64(x, 3), 1)
      }
      steps = add.i32(steps, 1)
    }
    n = sub.i32(n, 1)
  }
  return steps
}";

const SIEVE: &str = "program java
error Bounds
region int[]: i32 -> i32
shape int[]: indexed(int[])
proc f(n: i32) -> i32 {
  var a: ref int[]
  var i: i32
  var j: i32
  var count: i32
  a = new int[](n)
  i = 2
  loop L0 {
    if le.i32(n, i) {
      break L0
    }
    check and(le.i32(0, i), lt.i32(i, length.i32(a))) else Bounds
    if eq.i32(load int[](a, i), 0) {
      count = add.i32(count, 1)
      j = add.i32(i, i)
      loop L1 {
        if le.i32(n, j) {
          break L1
        }
        check and(le.i32(0, j), lt.i32(j, length.i32(a))) else Bounds
        store int[](a, j) = 1
        j = add.i32(j, i)
      }
    }
    i = add.i32(i, 1)
  }
  return count
}";

const FIB: &str = "program java
proc f(n: i32) -> i32 {
  var a: i32
  var b: i32
  if lt.i32(n, 2) {
    return n
  }
  a = call f(sub.i32(n, 1))
  b = call f(sub.i32(n, 2))
  return add.i32(a, b)
}";

const FLOATS: &str = "program c
proc f(n: i32) -> f64 {
  var x: f64
  x = 1.5
  loop L0 {
    if le.i32(n, 0) {
      break L0
    }
    x = sub.f64(mul.f64(mul.f64(3.9, x), sub.f64(1.0, mul.f64(x, 0.5))), div.f64(x, 7.0))
    n = sub.i32(n, 1)
  }
  return x
}";

fn operations(criterion: &mut Criterion) {
    let cases = [
        ("collatz", COLLATZ, Numbers::Machine, 2_000),
        ("sieve", SIEVE, Numbers::Machine, 20_000),
        ("fib", FIB, Numbers::Machine, 20),
        ("floats", FLOATS, Numbers::Machine, 20_000),
        ("collatz", COLLATZ, Numbers::Math, 2_000),
        ("sieve", SIEVE, Numbers::Math, 20_000),
        ("fib", FIB, Numbers::Math, 20),
    ];
    let mut group = criterion.benchmark_group("operations");
    for (name, text, numbers, arg) in cases {
        let program = read_program(text).expect("the benchmark should be a program");
        let machine = Machine::new(&program, numbers);
        let input = Input { args: vec![Value::Int(arg)], ..Input::default() };
        let run = machine.run(ProcId(0), &input, &LIMITS);
        assert!(matches!(run.ending, Ending::Returned(_)), "{:?}", run.ending);
        group.throughput(Throughput::Elements(run.steps));
        group.bench_function(BenchmarkId::new(name, format!("{numbers:?}")), |bencher| {
            bencher.iter(|| machine.run(ProcId(0), black_box(&input), &LIMITS).steps);
        });
    }
    group.finish();
}

/// Many runs of a small procedure, as the search for differences makes them.
fn short_runs(criterion: &mut Criterion) {
    let program = read_program(SIEVE).expect("the benchmark should be a program");
    let machine = Machine::new(&program, Numbers::Machine);
    let objects = vec![ObjectValue::indexed("int[]", vec![Value::Int(1); 4])];
    let input = Input { args: vec![Value::Int(3)], objects, ..Input::default() };
    let mut group = criterion.benchmark_group("runs");
    group.throughput(Throughput::Elements(1));
    group.bench_function("short", |bencher| {
        bencher.iter(|| machine.run(ProcId(0), black_box(&input), &LIMITS).steps);
    });
    group.finish();
}

criterion_group!(benches, operations, short_runs);
criterion_main!(benches);

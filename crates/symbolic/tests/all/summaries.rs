//! What summaries look like: their size, what is cut, and what needs no solver.

use crate::common::{Case, config, read, summary_of};
use ir::Numbers;
use smt::Value;
use symbolic::CutKind;

/// `n` conditionals one after the other, each of which changes `x`.
fn chain_of_ifs(n: usize) -> String {
    let branches: String = (0..n)
        .map(|i| format!("if lt.i32(p, {i}) {{ x = add.i32(x, {i}) }} else {{ x = mul.i32(x, 3) }}\n"))
        .collect();
    format!("program java\nproc f(p: i32) -> i32 {{\nvar x: i32\nx = p\n{branches}return x\n}}")
}

/// `n` checks of array accesses and writes one after the other.
fn chain_of_stores(n: usize) -> String {
    let stores: String = (0..n)
        .map(|i| {
            format!(
                "check lt.i32({i}, length.i32(a)) else Out
                 if lt.i32(load int[](a, {i}), x) {{ store int[](a, {i}) = x }}
                 x = add.i32(x, load int[](a, {i}))\n"
            )
        })
        .collect();
    format!(
        "program java\nerror Out\nregion int[]: i32 -> i32\nshape int[]: indexed(int[])
         proc f(a: ref int[], x: i32) -> i32 {{\ncheck not(same_ref(a, null)) else Out\n{stores}return x\n}}"
    )
}

#[test]
fn terms_grow_linearly_where_paths_join() {
    for source in [chain_of_ifs, chain_of_stores] {
        let sizes: Vec<usize> = [20, 40, 80]
            .map(|n| {
                let case = summary_of(&source(n), &config(Numbers::Machine));
                case.terms.len()
            })
            .to_vec();
        let (first, second) = (sizes[1] - sizes[0], sizes[2] - sizes[1]);
        assert!(second <= first * 5 / 2, "sizes for 20, 40 and 80: {sizes:?}");
    }
}

const SUM: &str = "program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    s = add.i32(s, i)
    i = add.i32(i, 1)
  }
  return s
}";

#[test]
fn exactly_the_iterations_beyond_the_bound_are_cut() {
    for numbers in [Numbers::Machine, Numbers::Math] {
        let mut config = config(numbers);
        config.bound = 4;
        let case = summary_of(SUM, &config);
        assert_eq!(case.summary.cut.len(), 1);
        assert_eq!(case.summary.cut[0].what, CutKind::Loop);
        assert_eq!(case.summary.cut[0].procedure, "f");
        for n in -2..8 {
            let is_cut = case.truth(case.summary.cut[0].guard, &[("arg.n", n)]);
            assert_eq!(is_cut, n > 4, "n = {n}");
            if !is_cut {
                let expected = if n > 0 { n * (n - 1) / 2 } else { 0 };
                assert_eq!(case.result(&[("arg.n", n)]), expected);
            }
        }
    }
}

#[test]
fn a_loop_that_counts_to_a_constant_is_not_cut() {
    let source = SUM.replace("le.i32(n, i)", "le.i32(100, i)");
    let case = summary_of(&source, &config(Numbers::Machine));
    assert!(case.summary.cut.is_empty());
    assert_eq!(
        case.terms.as_const(case.summary.result.as_ref().unwrap().scalar().unwrap()),
        Some(&Value::bit_vec(4950, 32))
    );
}

#[test]
fn a_loop_that_counts_to_a_constant_may_be_left_before() {
    let source = "program java
        region int[]: i32 -> i32
        shape int[]: indexed(int[])
        proc f(a: ref int[], k: i32) -> i32 {
          var i: i32
          loop L0 {
            if le.i32(20, i) { break L0 }
            if eq.i32(load int[](a, i), k) { return i }
            i = add.i32(i, 1)
          }
          return -1
        }";
    assert!(summary_of(source, &config(Numbers::Machine)).summary.cut.is_empty());
}

#[test]
fn a_test_that_never_changes_does_not_keep_a_loop_going() {
    let source = "program java
        proc f(n: i32) -> i32 {
          var i: i32
          var mode: i32
          mode = 3
          loop L0 {
            if eq.i32(mode, 4) { break L0 }
            if le.i32(n, i) { return i }
            i = add.i32(i, 1)
          }
          return -1
        }";
    let case = summary_of(source, &config(Numbers::Machine));
    assert_eq!(case.summary.cut.len(), 1);
    assert!(case.terms.len() < 500, "the loop should stop at the bound");
}

const FACTORIAL: &str = "program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return 1 }
  r = call f(sub.i32(n, 1))
  return mul.i32(n, r)
}
proc g() -> i32 {
  var r: i32
  r = call f(10)
  return r
}";

#[test]
fn exactly_the_recursion_beyond_the_bound_is_cut() {
    let mut config = config(Numbers::Math);
    config.bound = 3;
    let case = summary_of(FACTORIAL, &config);
    assert_eq!(case.summary.cut.len(), 1);
    assert_eq!(case.summary.cut[0].what, CutKind::Recursion);
    for n in -1..6 {
        assert_eq!(case.truth(case.summary.cut[0].guard, &[("arg.n", n)]), n > 3, "n = {n}");
    }
    assert_eq!(case.result(&[("arg.n", 3)]), 6);
}

#[test]
fn recursion_on_constants_is_followed_to_its_end() {
    let program = read(FACTORIAL);
    let case = Case::of(&program, "g", &config(Numbers::Machine));
    assert!(case.summary.cut.is_empty());
    assert_eq!(case.result(&[]), 3_628_800);
}

#[test]
fn recursion_that_never_ends_is_cut_without_running_out_of_stack() {
    let source = "program java
        proc f(n: i32) -> i32 {
          var r: i32
          scope L0 { scope L1 { scope L2 { scope L3 { r = call f(add.i32(n, 1)) } } } }
          return r
        }";
    let mut config = config(Numbers::Machine);
    for limit in [2_000, 1_000_000] {
        config.concrete_limit = limit;
        let case = summary_of(source, &config);
        assert_eq!(case.summary.cut.len(), 1);
        assert!(case.summary.endings.is_empty());
    }
}

#[test]
fn repeated_checks_of_the_same_thing_are_made_once() {
    let source = "program java
        error Null
        region P.x: i32
        shape P: fields(P.x)
        proc f(p: ref P) -> i32 {
          check not(same_ref(p, null)) else Null
          store P.x(p) = 1
          check not(same_ref(p, null)) else Null
          return load P.x(p)
        }";
    let mut case = summary_of(source, &config(Numbers::Machine));
    let (returned, failed) = (case.summary.endings[&None], case.summary.endings[&Some("Null".to_owned())]);
    assert_eq!(case.terms.not(returned), failed);
    assert_eq!(case.result(&[("arg.p", 5)]), 1);
}

#[test]
fn a_new_object_is_not_one_of_the_inputs() {
    let source = "program java
        region P.x: i32
        region P.next: ref P
        shape P: fields(P.x, P.next)
        proc f(p: ref P) -> bool {
          var q: ref P
          q = new P
          store P.x(q) = 7
          return or(same_ref(p, q), same_ref(load P.next(p), q))
        }";
    let case = summary_of(source, &config(Numbers::Machine));
    let result = case.summary.result.as_ref().unwrap().scalar().unwrap();
    assert_eq!(case.terms.as_bool(result), Some(false));
}

#[test]
fn what_is_unknown_is_listed() {
    let source = "program java
        extern world proc rand() -> i32
        proc f(x: f64, n: i32) -> f64 {
          var r: i32
          r = call rand()
          return mul.f64(sin.f64(x), convert.i32.f64(and.i32(n, r)))
        }";
    let machine = Case::of(&read(source), "f", &config(Numbers::Machine));
    assert_eq!(machine.summary.abstractions, ["extern.rand", "extern.rand.world", "sin.f64"]);
    let math = Case::of(&read(source), "f", &config(Numbers::Math));
    assert_eq!(math.summary.abstractions, ["and.math", "extern.rand", "extern.rand.world", "sin.math"]);
}

#[test]
fn unsupported_source_costs_only_the_paths_that_reach_it() {
    let source = "program java
        proc f(n: i32) -> i32 {
          if lt.i32(n, 0) { unsupported \"goto\" }
          return n
        }";
    let case = summary_of(source, &config(Numbers::Machine));
    assert_eq!(case.summary.unsupported.len(), 1);
    assert_eq!(case.summary.unsupported[0].what, "goto");
    assert!(case.truth(case.summary.unsupported[0].guard, &[("arg.n", -1)]));
    assert!(!case.truth(case.summary.unsupported[0].guard, &[("arg.n", 0)]));
}

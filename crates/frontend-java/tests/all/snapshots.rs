//! The IR of small pieces of Java, as a reader of `--dump ir` sees it.

use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let file = ir::SourceFile { name: "A.java".to_owned(), text: text.to_owned() };
    let program = frontend_java::lower(&[file]).expect("the program should parse");
    let mut printed = String::new();
    for (index, procedure) in program.procedures.iter().enumerate() {
        if !procedure.span.is_nowhere() {
            printed.push_str(&ir::print_procedure(&program, ir::ProcId::from_index(index)));
            printed.push('\n');
        }
    }
    expected.assert_eq(&printed);
}

#[test]
fn a_division_is_checked_before_it_is_made() {
    check(
        "int f(int a, int b) { return a / b + a % 2; }",
        expect![[r#"
        proc f(a: i32, b: i32) -> i32 {
          check ne.i32(b, 0) else ArithmeticException
          return add.i32(div.i32(a, b), rem.i32(a, 2))
        }

    "#]],
    );
}

#[test]
fn a_for_loop_with_continue_runs_its_update() {
    check(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; s += i; } return s; }",
        expect![[r#"
            proc f(n: i32) -> i32 {
              var s: i32
              var i: i32
              s = 0
              i = 0
              loop L0 {
                if not(lt.i32(i, n)) {
                  break L0
                }
                scope L1 {
                  if eq.i32(i, 3) {
                    break L1
                  }
                  s = add.i32(s, i)
                }
                i = add.i32(i, 1)
              }
              return s
            }

        "#]],
    );
}

#[test]
fn an_element_is_checked_for_null_and_bounds() {
    check(
        "void f(int[] a, int i) { a[i] += a[i + 1]; }",
        expect![[r#"
        proc f(a: ref int[], i: i32) {
          check not(same_ref(a, null)) else NullPointerException
          check and(le.i32(0, i), lt.i32(i, length.i32(a))) else ArrayIndexOutOfBoundsException
          check not(same_ref(a, null)) else NullPointerException
          check and(le.i32(0, add.i32(i, 1)), lt.i32(add.i32(i, 1), length.i32(a))) else ArrayIndexOutOfBoundsException
          store int[](a, i) = add.i32(load int[](a, i), load int[](a, add.i32(i, 1)))
        }

    "#]],
    );
}

#[test]
fn operands_are_saved_when_a_later_one_changes_them() {
    check(
        "int f(int x) { return x + x++ * x; }",
        expect![[r#"
        proc f(x: i32) -> i32 {
          var $t0: i32
          var $t1: i32
          $t1 = x
          $t0 = x
          x = add.i32($t0, 1)
          return add.i32($t1, mul.i32($t0, x))
        }

    "#]],
    );
}

#[test]
fn a_finally_block_stands_once_and_exits_go_on_after_it() {
    check(
        "int f(int x) { try { if (x > 0) return 10 / x; x = 1; } finally { System.out.println(x); } return x; }",
        expect![[r#"
            proc f(x: i32) -> i32 {
              var $t0: i32
              var $t1: (text, bool, ref any)
              var $t2: i32
              $t0 = 0
              scope L0 {
                try {
                  if lt.i32(0, x) {
                    check ne.i32(x, 0) else ArithmeticException
                    $t2 = div.i32(10, x)
                    $t0 = 1
                    break L0
                  }
                  x = 1
                } catch ArithmeticException as $t1 {
                  $t0 = -5
                }
              }
              print text_concat(text_of_int.i32(x), "\n")
              if eq.i32($t0, 1) {
                return $t2
              }
              if eq.i32($t0, -5) {
                throw ArithmeticException($t1)
              }
              return x
            }

        "#]],
    );
}

#[test]
fn a_virtual_call_tests_the_class() {
    check(
        "abstract class S { abstract int a(); } class P extends S { int a() { return 1; } } class Q extends S { int a() { return 2; } } class M { static int f(S s) { return s.a(); } }",
        expect![[r#"
            assuming "`this` is not null"
            proc P.a as a(this: ref P) -> i32 {
              assume not(same_ref(this, null))
              return 1
            }

            assuming "`this` is not null"
            proc Q.a as a(this: ref Q) -> i32 {
              assume not(same_ref(this, null))
              return 2
            }

            assuming "objects are of the classes that the program defines"
            proc M.f as f(s: ref S) -> i32 {
              var $t0: i32
              var $t1: i32
              var $t2: i32
              check not(same_ref(s, null)) else NullPointerException
              if has_shape(s, P) {
                $t2 = call P.a(s)
                $t0 = $t2
              } else {
                $t1 = call Q.a(s)
                $t0 = $t1
              }
              return $t0
            }

        "#]],
    );
}

#[test]
fn a_switch_with_fall_through_is_nested_scopes() {
    check(
        "int f(int x) { int r = 0; switch (x) { case 1: r += 1; case 2: r += 2; break; default: r = 9; } return r; }",
        expect![[r#"
            proc f(x: i32) -> i32 {
              var r: i32
              r = 0
              scope L0 {
                scope L3 {
                  scope L2 {
                    scope L1 {
                      if eq.i32(x, 1) {
                        break L1
                      }
                      if eq.i32(x, 2) {
                        break L2
                      }
                      break L3
                    }
                    r = add.i32(r, 1)
                  }
                  r = add.i32(r, 2)
                  break L0
                }
                r = 9
              }
              return r
            }

        "#]],
    );
}

#[test]
fn short_circuits_stay_expressions_where_nothing_can_fail() {
    check(
        "boolean f(int x, int[] a) { return x > 0 && x < 5 || a != null && a.length > x; }",
        expect![[r#"
        proc f(x: i32, a: ref int[]) -> bool {
          var $t0: bool
          var $t1: bool
          $t1 = and(lt.i32(0, x), lt.i32(x, 5))
          if not($t1) {
            $t0 = not(same_ref(a, null))
            if $t0 {
              check not(same_ref(a, null)) else NullPointerException
              $t0 = lt.i32(x, length.i32(a))
            }
            $t1 = $t0
          }
          return $t1
        }

    "#]],
    );
}

#[test]
fn concatenation_writes_null_as_a_word() {
    check(
        "String f(String s, char c, double d) { return s + c + 1 + d; }",
        expect![[r#"
        proc f(s: text, c: u16, d: f64) -> text {
          return text_concat(text_concat(text_concat(if(same_text(s, null_text), "null", s), text_of_char(c)), "1"), text_of_float.f64(d))
        }

    "#]],
    );
}

#[test]
fn library_functions_are_put_in_place() {
    check(
        "double f(int a, double d) { return Math.sqrt(d) + Math.abs(a) + Math.max(d, 1); }",
        expect![[r#"
        proc f(a: i32, d: f64) -> f64 {
          return add.f64(add.f64(sqrt.f64(d), convert.i32.f64(if(lt.i32(a, 0), neg.i32(a), a))), if(ne.f64(d, d), d, if(and(eq.f64(d, 0.0), eq.f64(1.0, 0.0)), add.f64(d, 1.0), if(le.f64(1.0, d), d, 1.0))))
        }

    "#]],
    );
}

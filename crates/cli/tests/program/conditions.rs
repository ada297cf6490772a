//! Conditions on the inputs: given with `--under`, and found by `when`.

use crate::support::{Workplace, verdicts};
use serde_json::Value;

const OLD: &str = "class A { static int f(int n) { return n * 2; } static int g(int n) { return n; } }\n";
const NEW: &str =
    "class A { static int f(int n) { return n < 0 ? 7 : n * 2; } static int g(int n) { return n; } }\n";

fn java(old: &str, new: &str) -> Workplace {
    let place = Workplace::new();
    place.write("old/A.java", old).write("new/A.java", new);
    place
}

fn c(old: &str, new: &str) -> Workplace {
    let place = Workplace::new();
    place.write("old/a.c", old).write("new/a.c", new);
    place
}

fn under(place: &Workplace, conditions: &[&str]) -> (Option<i32>, String) {
    let mut arguments = vec!["check", "old/A.java", "new/A.java"];
    conditions.iter().for_each(|condition| arguments.extend(["--under", condition]));
    let ran = place.run(&arguments);
    (ran.code, ran.stdout + &ran.stderr)
}

#[test]
fn a_condition_is_for_one_procedure_for_all_or_in_a_file() {
    let place = java(OLD, NEW);
    for conditions in
        [vec!["n >= 0"], vec!["f: n >= 0"], vec!["A.f: n > -5", "f: n != -1 && n != -2 && n >= -2"]]
    {
        let (code, text) = under(&place, &conditions);
        assert_eq!(code, Some(0), "{conditions:?}: {text}");
    }
    assert_eq!(under(&place, &["g: n >= 0"]).0, Some(1));
    place.write("conditions", "# for negative numbers it was changed\n\nf: n >= 0\n");
    let (code, text) = under(&place, &["@conditions"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("only inputs that meet the condition `n >= 0` are compared"), "{text}");
    place.write("conditions", "# for negative numbers it was changed\n\nf: n > > 0\n");
    let (code, text) = under(&place, &["@conditions"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("--under @conditions:3: 'n > > 0': column 5: "), "{text}");
}

#[test]
fn what_is_wrong_with_a_condition_is_said() {
    let place = java(OLD, NEW);
    for (condition, message) in [
        ("n >", "--under 'n >': column 4: "),
        ("m > 0", "the unknown name `m`"),
        ("n++ > 0", "a condition must not change anything"),
        ("n > 0 && n < 0", "no input of `A.f` meets it"),
        ("h: n > 0", "neither version has a procedure called `h`"),
        ("", "a condition is empty"),
        ("@nowhere", "--under @nowhere: "),
        ("n > 0); } void x() { int y = (1", "it is not one expression"),
        ("n", "--under 'n' for `A.f`: "),
    ] {
        let (code, text) = under(&place, &[condition]);
        assert_eq!(code, Some(2), "{condition}: {text}");
        assert!(text.contains(message), "{condition}: {text}");
    }
    let place = c("int f(int n) { return n; }\n", "int f(int n) { return n + (n == 3); }\n");
    for (condition, message) in [
        ("n >", "--under 'n >'"),
        ("n > 0; n", "column 6: unexpected `;`"),
        ("n > 0) || (1", "column 6: unexpected `)`"),
        ("m > 0", "m"),
        ("n = 4", "a condition must not change anything"),
    ] {
        let ran = place.run(&["check", "old/a.c", "new/a.c", "--under", condition]);
        assert_eq!(ran.code, Some(2), "{condition}: {} {}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(message), "{condition}: {}", ran.stderr);
    }
}

#[test]
fn a_condition_may_use_the_old_names_of_parameters_or_the_new_ones() {
    let place =
        java(OLD, &NEW.replace("(int n) { return n < 0 ? 7 : n * 2", "(int m) { return m < 0 ? 7 : m * 2"));
    assert_eq!(under(&place, &["f: n >= 0"]).0, Some(0));
    assert_eq!(under(&place, &["f: m >= 0"]).0, Some(0));
    assert_eq!(under(&place, &["f: n >= 0 && m >= 0"]).0, Some(2));
}

fn found(place: &Workplace, arguments: &[&str]) -> Value {
    let ran = place.run(&[&["when"], arguments, &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!((ran.code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
    let result = &report["results"][0];
    serde_json::json!([result["same_when"], result["different_when"], result["exact"]])
}

#[test]
fn the_condition_is_found_and_is_exact() {
    let place = java(OLD, NEW);
    let both = found(&place, &["old/A.java", "new/A.java", "-f", "f"]);
    assert_eq!(both, serde_json::json!(["n >= 0", "n < 0", true]));
    let place = c(
        "int f(int a, int b) { if (a > b) return a; return b; }\n",
        "int f(int a, int b) { if (a > b) return a; if (a == b && a == 10) return 0; return b; }\n",
    );
    let both = found(&place, &["old/a.c", "new/a.c"]);
    assert_eq!(both[2], true, "{both}");
    let place = c(
        "struct s { int kind, size; };\nint f(const struct s *p) { return p->size; }\n",
        "struct s { int kind, size; };\nint f(const struct s *p) { return p->kind == 2 ? p->size + 1 : p->size; }\n",
    );
    let both = found(&place, &["old/a.c", "new/a.c"]);
    assert_eq!(both, serde_json::json!(["p->kind != 2", "p->kind == 2", true]));
}

/// The condition with quantifiers that is found for two bodies of `static int f(int[] a, int k)`.
fn quantified(old: &str, new: &str) -> Value {
    let class = |body: &str| format!("class A {{ static int f(int[] a, int k) {{ {body} }} }}\n");
    let ran = java(&class(old), &class(new)).run(&[
        "when",
        "old/A.java",
        "new/A.java",
        "--effort",
        "quick",
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!((ran.code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
    let result = &report["results"][0];
    assert!(result["same_when"].is_null() || result["same_when_quantified"].is_null(), "{report}");
    result["same_when_quantified"].clone()
}

#[test]
fn a_condition_may_be_about_all_elements() {
    let sum = "int s = 0; for (int i = 0; i < a.length; i++) s += a[i]; return s;";
    let some =
        "int s = 0; for (int i = 0; i < a.length; i++) { if (a[i] == k) continue; s += a[i]; } return s;";
    let all = "(\\forall int i; 0 <= i && i < a.length; a[i] != k)";
    // Elements that are 0 may be left out.
    assert_eq!(quantified(sum, some), format!("a == null || k == 0 || {all}"));
    let each = "int s = 0; for (int x : a) { if (x < 0) x = -x; s ^= x; } return s;";
    let plain = "int s = 0; for (int x : a) s ^= x; return s;";
    let all = "(\\forall int i; 0 <= i && i < a.length; a[i] >= 0)";
    assert_eq!(quantified(plain, each), format!("a == null || {all}"));
    let place = c(
        "int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }\n",
        "int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) { int x = a[i]; if (x > 100) x = 100; s ^= x; } return s; }\n",
    );
    let ran = place.run(&["when", "old/a.c", "new/a.c"]);
    let said = "same when `(\\forall int i; 0 <= i < n ==> a[i] <= 100)`\n  elsewhere it is not known";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    let again = ["check", "old/a.c", "new/a.c", "--under", "(\\forall int i; 0 <= i < n ==> a[i] <= 100)"];
    assert_eq!(place.run(&again).code, Some(0));
}

#[test]
fn what_no_element_decides_has_no_condition_about_elements() {
    let written = "for (int i = 0; i < a.length; i++) a[i] = k; for (int i = 0; i < a.length; i++) if (a[i] < 0) return 1; return 0;";
    assert_eq!(quantified(written, "for (int i = 0; i < a.length; i++) a[i] = k; return 0;"), Value::Null);
}

#[test]
fn recursion_has_conditions_too() {
    let place = java(
        "class A { static int f(int n, int k) { if (n <= 0) return 0; return f(n - 1, k) + n; } }\n",
        "class A { static int f(int n, int k) { if (n <= 0) return 0; return f(n - 1, k) + n + k; } }\n",
    );
    let both = found(&place, &["old/A.java", "new/A.java"]);
    assert_eq!(both[0], "n <= 0 || k == 0", "{both}");
    assert_eq!(both[2], false, "{both}");
}

#[test]
fn an_evaluator_that_gained_a_feature_is_the_same_without_it() {
    let node = "class A { static class Node { int op; int value; Node left, right; }\n";
    let start = "static int eval(Node x, boolean unsigned) { if (x.op == 0) return x.value;\n\
                 int a = eval(x.left, unsigned), b = eval(x.right, unsigned);\n";
    let old = format!("{node}{start} if (x.op == 1) return a + b; return a - b; }} }}\n");
    let added = "int op = x.op; if (op == 1) return unsigned ? (a + b) & 0x7fffffff : a + b;";
    let new = format!("{node}{start} {added} return a - b; }} }}\n");
    let both = found(&java(&old, &new), &["old/A.java", "new/A.java", "-f", "eval", "--timeout", "600"]);
    assert_eq!(both[0], "!unsigned || x == null || x.op == 0", "{both}");
}

#[test]
fn what_differs_on_every_input_is_said() {
    let place = c(
        "unsigned f(unsigned char a) { return ~a; }\n",
        "unsigned f(unsigned char a) { return (unsigned char) ~a; }\n",
    );
    assert_eq!(found(&place, &["old/a.c", "new/a.c"]), serde_json::json!(["0", "1", true]));
    let place =
        java("class A { static int f() { return 1; } }\n", "class A { static int f() { return 2; } }\n");
    assert_eq!(found(&place, &["old/A.java", "new/A.java"]), serde_json::json!(["false", "true", true]));
    let ran = place.run(&["when", "old/A.java", "new/A.java"]);
    assert!(ran.stdout.contains("\n  different on every input on which both end"), "{}", ran.stdout);
}

#[test]
fn conditions_speak_of_variables_of_the_program() {
    let place = java(
        "class A { private static int s = 3; static void set() { s = 9; } static int f() { return s; } }\n",
        "class A { private static int s = 3; static void set() { s = 9; } static int f() { return 3; } }\n",
    );
    let both = found(&place, &["old/A.java", "new/A.java", "-f", "f"]);
    assert_eq!(both, serde_json::json!(["A.s == 3", "A.s != 3", true]));
    let place = c(
        "int buf[4]; int f(int *p) { buf[0] = 1; p[0] = 2; return buf[0]; }\n",
        "int buf[4]; int f(int *p) { buf[0] = 1; p[0] = 2; return 1; }\n",
    );
    let both = found(&place, &["old/a.c", "new/a.c"]);
    assert_eq!(both, serde_json::json!(["p != buf", "p == buf", true]));
}

#[test]
fn conditions_do_not_name_what_is_private_elsewhere() {
    let old = "class B { private static int s; static void set(int v) { s = v; } static int get() { return s; } }\n\
               class A { static int f() { return B.get(); } }\n";
    let place = java(old, &old.replace("return B.get()", "return 3"));
    let both = found(&place, &["old/A.java", "new/A.java", "-f", "f"]);
    assert!(!both.to_string().contains("B.s"), "{both}");
}

#[test]
fn differences_in_memory_have_both_sides() {
    let place = java(
        "class A { static void f(int[] a, int n) { a[0] = n; } }\n",
        "class A { static void f(int[] a, int n) { a[0] = n > 10 ? 10 : n; } }\n",
    );
    let both = found(&place, &["old/A.java", "new/A.java"]);
    assert_eq!(both[2], true, "{both}");
    assert!(both[0].as_str().unwrap_or_default().contains("n <= 10"), "{both}");
}

/// Both versions fail alike where both arrays are null: a condition that fails there is not exact.
#[test]
fn an_exact_condition_fails_nowhere() {
    let place = java(
        "class A { static int f(int[] a, int[] b) { a[0] = 1; b[0] = 2; return a[0]; } }\n",
        "class A { static int f(int[] a, int[] b) { a[0] = 1; b[0] = 2; return 1; } }\n",
    );
    let both = found(&place, &["old/A.java", "new/A.java"]);
    let same = both[0].as_str().unwrap_or_default();
    assert!(
        both[2] == false || same.starts_with("a == null || ") || same.starts_with("b == null || "),
        "{both}"
    );
}

/// Two new objects are made in another order: that says nothing about a difference.
#[test]
fn new_objects_are_no_difference_by_themselves() {
    let place = java(
        "class B { int v; } class A { static B f(int n) { B a = new B(); B b = new B(); a.v = n; return a; } }\n",
        "class B { int v; } class A { static B f(int n) { B b = new B(); B a = new B(); a.v = n; \
         if (n * n * n - 3 * n != 110) a.v = n + 1; return a; } }\n",
    );
    let both = found(&place, &["old/A.java", "new/A.java", "-f", "f"]);
    assert_ne!(both[1], "true", "{both}");
}

/// The condition makes a copy of the struct, as the function does, and changes nothing by that.
#[test]
fn conditions_speak_of_members_of_structs_that_are_passed_by_value() {
    let place = c(
        "struct S { int a, b; }; int f(struct S s) { struct S t = s; t.b = 1; return s.b; }\n",
        "struct S { int a, b; }; int f(struct S s) { struct S t = s; t.b = 1; return t.b; }\n",
    );
    let both = found(&place, &["old/a.c", "new/a.c"]);
    assert_eq!((&both[0], &both[2]), (&Value::from("s.b == 1"), &Value::from(true)), "{both}");
}

/// What the loop computes does not matter: the results differ by 10.
#[test]
fn what_differs_beside_a_common_loop_differs_everywhere() {
    let loops = |rest: &str| {
        format!(
            "class A {{ static long f(int n) {{ long s = 1; for (int i = 0; i < n; i++) s = s * 31 + i; {rest} }} }}\n"
        )
    };
    let both = found(&java(&loops("return s;"), &loops("return s + 10;")), &["old/A.java", "new/A.java"]);
    assert_eq!((&both[0], &both[1]), (&Value::from("false"), &Value::from("true")), "{both}");
    let place = java(&loops("return s;"), &loops("return n > 7 ? s + 10 : s;"));
    let both = found(&place, &["old/A.java", "new/A.java"]);
    assert_eq!((&both[1], &both[2]), (&Value::from("n > 7"), &Value::from(true)), "{both}");
    // What only one version has is followed.
    let place = java(&loops("return s;"), &loops("for (int i = 0; i < n; i++) s = s - 1; return s;"));
    let both = found(&place, &["old/A.java", "new/A.java"]);
    assert_ne!(both[1], "true", "{both}");
}

#[test]
fn bounds_of_lengths_are_found() {
    let place = java(
        "class A { static int f(int[] a) { return a.length / 5; } }\n",
        "class A { static int f(int[] a) { return a.length * 2 / 10 + (a.length >> 5 == 0 ? 0 : 1); } }\n",
    );
    let both = found(&place, &["old/A.java", "new/A.java"]);
    assert!(both[0].as_str().is_some_and(|same| same.contains("a.length")), "{both}");
}

#[test]
fn callers_of_a_procedure_that_changed_have_conditions() {
    let old = "class A { static int fee(int amount) { return amount > 100 ? 5 : 1; } \
               static int bill(int price, int count) { return price * count + fee(price * count); } }\n";
    let place = java(old, &old.replace("? 5 : 1", "? 7 : 1"));
    let both = found(&place, &["old/A.java", "new/A.java", "-f", "bill"]);
    assert_eq!(both, serde_json::json!(["(price * count) <= 100", "(price * count) > 100", true]));
}

#[test]
fn text_says_when_they_are_the_same() {
    let ran = java(OLD, NEW).run(&["when", "old/A.java", "new/A.java", "-f", "f"]);
    assert!(ran.stdout.contains("\n  same exactly when `n >= 0`\n"), "{}", ran.stdout);
}

#[test]
fn a_verdict_says_when_they_are_the_same_if_that_is_found_at_once() {
    let place = java(OLD, NEW);
    let ran = place.run(&["check", "old/A.java", "new/A.java", "-f", "f"]);
    assert!(ran.stdout.contains("\n  same exactly when `n >= 0`\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("with mathematical numbers"), "{}", ran.stdout);
    let ran = place.run(&["check", "old/A.java", "new/A.java", "-f", "f", "--conditions", "off"]);
    assert!(!ran.stdout.contains("same exactly when"), "{}", ran.stdout);
}

#[test]
fn a_verdict_says_that_only_the_numbers_of_the_machine_make_a_difference() {
    let place = java(
        "class A { static double f(double a, double b, double c) { return (a + b) + c; } static boolean g(int x) { return x + 1 > x; } }\n",
        "class A { static double f(double a, double b, double c) { return a + (b + c); } static boolean g(int x) { return true; } }\n",
    );
    for function in ["f", "g"] {
        let ran = place.run(&["check", "old/A.java", "new/A.java", "-f", function]);
        assert!(
            ran.stdout.contains("\n  with mathematical numbers they are proved to be the same: "),
            "{}",
            ran.stdout
        );
        let ran = place.run(&["check", "old/A.java", "new/A.java", "-f", function, "--format", "json"]);
        let report: Value = serde_json::from_str(&ran.stdout).expect("standard output should be JSON");
        assert_eq!(report["results"][0]["same_in_math"], true, "{report}");
    }
}

#[test]
fn a_pair_that_is_unknown_says_where_it_is_proved() {
    let place = c(
        "unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s = s * 3 + i; return s; }\n",
        "unsigned f(unsigned n) { unsigned s = 0, p = 1; for (unsigned i = n; i-- > 0; ) { s += i * p; p *= 3; } \
         return s; }\n",
    );
    let arguments = ["check", "old/a.c", "new/a.c", "--effort", "quick", "--timeout", "300"];
    let ran = place.run(&[&arguments[..], &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let result = &report["results"][0];
    assert_eq!((&result["verdict"], &result["exact"]), (&"unknown".into(), &Value::Null), "{report}");
    assert_eq!(result["same_when"], "n <= 10", "{report}");
    let ran = place.run(&arguments);
    assert!(ran.stdout.contains("proved to be the same when `n <= 10`"), "{}", ran.stdout);
    let ran = place.run(&[&arguments[..], &["--under", "n <= 10"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let ran = place.run(&[&arguments[..], &["--conditions", "off"]].concat());
    assert!(!ran.stdout.contains("same when"), "{}", ran.stdout);
}

#[test]
fn callers_of_recursion_use_the_condition_of_the_callee() {
    let place = java(
        "class A { static int h(int n) { if (n <= 0) return 0; return h(n - 1) + 1; }\n\
         static int g(int k) { return h(k + 1) * 2; } }\n",
        "class A { static int h(int n) { if (n <= 0) return n < -5 ? 7 : 0; return h(n - 1) + 1; }\n\
         static int g(int k) { return h(k + 1) * 2; } }\n",
    );
    let both = found(&place, &["old/A.java", "new/A.java", "-f", "g", "--effort", "quick"]);
    assert_eq!((&both[0], &both[2]), (&"(k + 1) >= -5".into(), &true.into()), "{both}");
}

#[test]
fn what_leads_to_a_condition_is_asked_first() {
    let node = "class A { static class N { N next; int v; }\n";
    let f = |result: u32| {
        format!(
            "{node}static int f(N p) {{ if (p != null && p.next != null && p.next.v > 2) return {result}; return 0; }} }}\n"
        )
    };
    let both = found(&java(&f(1), &f(2)), &["old/A.java", "new/A.java", "-f", "f"]);
    assert_eq!(both[0], "p == null || p.next == null || p.next.v <= 2", "{both}");
    assert_eq!(both[2], true, "{both}");
}

#[test]
fn numbers_that_are_printed_tell_the_versions_apart() {
    let place = c(
        "#include <stdio.h>\nvoid f(int k) { printf(\"%d\\n\", k); }\n",
        "#include <stdio.h>\nvoid f(int k) { printf(\"%d\\n\", k > 5 ? 5 : k); }\n",
    );
    let both = found(&place, &["old/a.c", "new/a.c"]);
    assert_eq!(both, serde_json::json!(["k <= 5", "k > 5", true]));
}

#[test]
fn conditions_may_speak_of_all_elements() {
    let place = java(
        "class A { static int f(int[] a) { return a[0] + a[1]; } }\n",
        "class A { static int f(int[] a) { return a[1] < 0 ? 7 : a[0] + a[1]; } }\n",
    );
    let all = "(\\forall int i; 0 <= i && i < a.length; a[i] >= 0)";
    for (condition, code) in [
        (format!("a.length == 2 && {all}"), 0),
        ("a.length == 2 && (\\exists int i; 0 <= i && i < a.length; a[i] >= 0)".to_owned(), 1),
        (format!("a.length == 2 && !{all}"), 1),
        ("a.length <= 4 && (\\forall int i, j; 0 <= i && i < a.length && 0 <= j && j < i; a[j] <= a[i] && a[j] > 3)"
            .to_owned(), 0),
    ] {
        let (found, text) = under(&place, &[&condition]);
        assert_eq!(found, Some(code), "{condition}: {text}");
    }
    for (condition, message) in [
        ("(\\forall int i; a[i] > 0)", "its range is not said"),
        ("(\\forall int i; 0 <= i; a[i] > 0)", "the bounds of `i` are not said"),
        ("(\\forall int i; 0 <= i && i < m; a[i] > 0)", "the unknown name `m`"),
        ("(\\forall int i; 0 <= i && i < 3; a[i]++ > 0)", "a condition must not change anything"),
        ("1 + (\\forall int i; 0 <= i && i < 3; a[i] > 0)", "where a value is expected"),
    ] {
        let (code, text) = under(&place, &[condition]);
        assert_eq!(code, Some(2), "{condition}: {text}");
        assert!(text.contains(message), "{condition}: {text}");
    }
}

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
fn text_says_when_they_are_the_same() {
    let ran = java(OLD, NEW).run(&["when", "old/A.java", "new/A.java", "-f", "f"]);
    assert!(ran.stdout.contains("\n  same exactly when `n >= 0`\n"), "{}", ran.stdout);
}

//! Contracts in the sources: what is said of each clause, in text and JSON.

use crate::support::Workplace;
use serde_json::Value;

fn checked(old: &str, new: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let place = Workplace::new();
    place.write("old/a.c", old).write("new/a.c", new);
    let all: Vec<&str> =
        ["check", "old/a.c", "new/a.c"].into_iter().chain(arguments.iter().copied()).collect();
    let ran = place.run(&all);
    (ran.code, ran.stdout + &ran.stderr)
}

/// The side, kind, clause and outcome of each finding of the first pair.
fn findings(old: &str, new: &str) -> Vec<String> {
    let (_, text) = checked(old, new, &["--format", "json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let contracts = report["results"][0]["contracts"].as_array().cloned().unwrap_or_default();
    let words = |it: &Value| {
        let word = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
        format!("{} {} {} `{}`: {}", word("side"), it["line"], word("kind"), word("clause"), word("outcome"))
    };
    contracts.iter().map(words).collect()
}

const OLD: &str = "//@ requires n > 0;\n//@ ensures \\result > 0;\nint f(int n) { return n; }\n";

#[test]
fn what_is_required_is_assumed_and_listed() {
    let new = OLD.replace("return n;", "return n < 0 ? 7 : n;");
    let (code, text) = checked(OLD, &new, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("assuming: only inputs that meet `requires n > 0` (old/a.c:1) are compared"),
        "{text}"
    );
    let (code, text) = checked(OLD, &new, &["--contracts", "off"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(!text.contains("requires"), "{text}");
    assert_eq!(
        findings(OLD, &new),
        [
            "old 1 requires `n > 0`: assumed",
            "old 2 ensures `\\result > 0`: proved",
            "new 1 requires `n > 0`: assumed",
            "new 2 ensures `\\result > 0`: proved",
        ]
    );
}

#[test]
fn versions_that_do_not_require_the_same_are_a_finding() {
    let new = OLD.replace("n > 0", "n >= 0").replace("return n;", "return n < 0 ? 7 : n;");
    let found = findings(OLD, &new);
    assert!(found.contains(&"both 1 requires `n >= 0`: differs".to_owned()), "{found:?}");
    // 0 meets what the new version requires.
    assert!(found.contains(&"new 2 ensures `\\result > 0`: refuted".to_owned()), "{found:?}");
}

#[test]
fn what_cannot_be_read_is_a_finding_and_costs_nothing() {
    let clauses = "//@ requires m > 0;\n//@ requires n >;\n//@ requires n = 1;\n//@ ensures \\forall integer i; i;\n\
                   //@ requires (n > 0;\n//@ requires \"n;\n";
    let new = format!("{clauses}int f(int n) {{ return n; }}\n");
    let (code, text) = checked("int f(int n) { return n + 0; }\n", &new, &[]);
    assert_eq!(code, Some(0), "{text}");
    let found = findings("int f(int n) { return n + 0; }\n", &new);
    assert!(!found.is_empty() && found.iter().all(|it| it.ends_with(": not_understood")), "{found:?}");
}

#[test]
fn calls_have_to_meet_what_is_required() {
    let with = |body: &str| format!("//@ requires n > 0;\nstatic int g(int n) {{ return n; }}\n{body}\n");
    let old = with("int f(int n) { return n > 5 ? g(n) : g(n - 9); }");
    let new = with("int f(int n) { return n > 5 ? g(n) : g(n - 9) + 0; }");
    let place = Workplace::new();
    place.write("old/a.c", &old).write("new/a.c", &new);
    let ran = place.run(&["check", "old/a.c", "new/a.c", "--function", "f"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let line = |outcome: &str| format!("the call needs `requires n > 0` of `g`: {outcome}");
    assert!(ran.stdout.contains(&line("proved")), "{}", ran.stdout);
    assert!(ran.stdout.contains(&line("does not hold (see `f(")), "{}", ran.stdout);
}

#[test]
fn contracts_survive_the_preprocessor_and_stray_ones_are_notes() {
    let old = "#define TWO 2\n//@ requires n > 0;\nint f(int n) { return n * TWO; }\n";
    let new = "#define TWO 2\n//@ requires n > 0;\nint f(int n) { return n < 0 ? 0 : n * TWO; }\n\
               //@ requires n > 0;\nint later(int n);\n";
    let (code, text) = checked(old, new, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("`requires n > 0` stands before no procedure with a body; it is not used"),
        "{text}"
    );
}

#[test]
fn what_is_modified_is_compared_with_what_is_written() {
    let code =
        |clause: &str, body: &str| format!("int k, l;\n//@ assigns {clause};\nvoid f(void) {{ {body} }}\n");
    let found = findings(&code("k", "k = 1;"), &code("k", "k = 1; l = 2;"));
    assert_eq!(found, ["old 2 modifies `k`: proved", "new 2 modifies `k`: not_proved"]);
}

#[test]
fn a_prototype_in_a_header_speaks_of_its_function() {
    let place = Workplace::new();
    let code = |body: &str| format!("#include \"a.h\"\nint f(int n) {{ return {body}; }}\n");
    for version in ["old", "new"] {
        place.write(
            &format!("{version}/a.h"),
            "//@ requires n > 0;\nint f(int n);\n//@ requires n > 3;\nint g(int n);\n",
        );
    }
    place.write("old/a.c", code("n * 2")).write("new/a.c", code("n < 0 ? 7 : n * 2"));
    let ran = place.run(&["check", "old/a.c", "new/a.c"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("meet `requires n > 0` (old/a.h:1) are compared"), "{}", ran.stdout);
    assert!(!(ran.stdout + &ran.stderr).contains("n > 3"));
    let ran = place.run(&["check", "old/a.c", "new/a.c", "--contracts", "off"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
}

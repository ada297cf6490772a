//! `--replay`: differences are run with the real compilers, which have to agree with the interpreter.

use std::process::Command;

use crate::support::{NEW_MID, OLD_MID, Workplace, class};

/// Whether a program of the real toolchain is there; its tests say that they were skipped otherwise.
fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: there is no `{program}`");
    }
    there
}

/// Checks a pair with replay; demands that it is different and that the runtime agrees.
#[track_caller]
fn replayed(place: &Workplace, arguments: &[&str], runtime: &str) {
    let (code, report) = place.json(&[arguments, &["--replay"]].concat());
    assert_eq!(code, Some(1), "{report:#}");
    let results = report["results"].as_array().unwrap();
    for result in results.iter().filter(|result| result["verdict"] == "different") {
        assert_eq!(result["witness"]["replayed"], serde_json::json!(["interpreter", runtime]), "{result:#}");
    }
}

fn java(old: &str, new: &str) {
    if has("javac") {
        let place = Workplace::new();
        place.write("old.java", old).write("new.java", new);
        replayed(&place, &["old.java", "new.java"], "java");
    }
}

fn c(old: &str, new: &str) {
    if has("cc") {
        let place = Workplace::new();
        place.write("old.c", old).write("new.c", new);
        replayed(&place, &["old.c", "new.c"], "cc");
    }
}

#[test]
fn java_agrees_on_ints() {
    java(OLD_MID, NEW_MID);
}

#[test]
fn java_classes_may_be_public_and_in_packages_whatever_their_files_are_called() {
    let text = |result: &str| {
        format!("package a.b;\n\npublic class Calc {{\n static long f(int x) {{ return {result}; }}\n}}\n")
    };
    java(&text("x + 1"), &text("x + 1L"));
}

#[test]
fn java_agrees_on_exceptions_and_output() {
    java(
        &class("A", "static int f(int[] a) { System.out.print(\"ä\" + a.length); return a[0]; }"),
        &class("A", "static int f(int[] a) { System.out.println(a.length); return a[0]; }"),
    );
}

#[test]
fn java_agrees_on_floats_by_their_bits() {
    java(
        &class("A", "static double f(double a, float b) { return a / b; }"),
        &class("A", "static double f(double a, float b) { return -(a / -b) + 0.0; }"),
    );
}

#[test]
fn java_agrees_on_static_fields_objects_and_strings() {
    java(
        &class(
            "A",
            "static int count; int x; String name;\n    void f(A other) { count++; other.x = x; name = \"old\"; }",
        ),
        &class(
            "A",
            "static int count; int x; String name;\n    void f(A other) { count += 2; other.x = x; name = \"new\"; }",
        ),
    );
}

#[test]
fn java_agrees_on_chars_and_narrow_types() {
    java(
        &class("A", "static byte f(char c, short s, boolean b) { return (byte) (b ? c : s); }"),
        &class("A", "static byte f(char c, short s, boolean b) { return (byte) (b ? c + 1 : s); }"),
    );
}

#[test]
fn cc_agrees_on_ints() {
    c("int f(int a, unsigned b) { return a < b; }", "int f(int a, unsigned b) { return a < (int)b; }");
}

#[test]
fn cc_agrees_on_arrays_and_output() {
    let body = |text: &str| {
        format!(
            "#include <stdio.h>\nvoid f(int *a, int n) {{ if (n > 0 && a) {{ a[0] = n; printf(\"{text}\", a[0]); }} }}\n"
        )
    };
    c(&body("%d\\n"), &body("%x\\n"));
}

#[test]
fn cc_agrees_on_globals_and_private_functions() {
    let text = |sum: &str| {
        format!(
            "static int total = 3;\nint table[4];\nstatic int f(int a) {{ total += a; table[1] = {sum}; return total; }}\nint g(int a) {{ return f(a); }}\n"
        )
    };
    c(&text("a"), &text("a + 1"));
}

#[test]
fn cc_agrees_on_doubles_and_division_by_zero() {
    c(
        "double f(double a, int b) { return a * (10 / b); }",
        "double f(double a, int b) { return b == 0 ? 0 : a * (10 / b); }",
    );
}

#[test]
fn cc_agrees_on_structs_behind_pointers() {
    let text = |y: &str| {
        format!(
            "struct point {{ int x; int y; }};\nvoid f(struct point *p) {{ if (p) {{ p->x = 1; p->y = {y}; }} }}\n"
        )
    };
    c(&text("2"), &text("3"));
}

#[test]
fn mathematical_numbers_cannot_be_replayed() {
    let place = Workplace::new();
    place.write("old.java", class("A", "static int f(int a) { return a; }"));
    place.write("new.java", class("A", "static int f(int a) { return a + 1; }"));
    let (code, report) = place.json(&["old.java", "new.java", "--replay", "--numbers", "math"]);
    assert_eq!(code, Some(1));
    let witness = &report["results"][0]["witness"];
    assert_eq!(witness["replayed"], serde_json::json!(["interpreter"]));
    assert!(witness["not_replayed"].as_str().unwrap().contains("mathematical numbers"), "{witness}");
}

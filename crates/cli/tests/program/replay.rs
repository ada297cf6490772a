//! `--replay`: differences are run with the real compilers, which have to agree with the interpreter.

use std::process::Command;

use crate::support::{Workplace, class, verdicts};

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
fn java_classes_may_be_public_and_in_packages_whatever_their_files_are_called() {
    let text = |result: &str| {
        format!("package a.b;\n\npublic class Calc {{\n static long f(int x) {{ return {result}; }}\n}}\n")
    };
    java(&text("x + 1"), &text("x + 1L"));
}

/// One method for each kind of value, so that both versions are compiled once.
#[test]
fn java_agrees_on_values_of_every_kind() {
    let text = |seven: &str, two: &str, word: &str| {
        format!(
            "class A {{
    static int count;
    int x;
    String name;
    A next;
    static class Point {{ int x; double y; char c; long[] z; }}
    static int ints(int a, int b) {{ return a * {seven} + b; }}
    static double floats(double a, float b) {{ return a / b * {seven}; }}
    static byte narrow(char c, short s, boolean b) {{ return (byte) (b ? c + {two} : s); }}
    static int throwing(int[] a) {{ System.out.print(\"ä\" + a.length + \"{word}\"); return a[0]; }}
    static boolean text(String s) {{ return s.equals(\"{word}\"); }}
    static Point made(char c, double d) {{ Point p = new Point(); p.c = c; p.y = d + {two}; p.z = new long[{two}]; return p; }}
    void fields(A other) {{ count += {two}; other.x = x + {two}; name = \"{word}\"; }}
    static int[][] nested(int[][] a) {{ if (a.length > 1) a[1] = a[0]; return new int[][] {{ a[0], {{ {seven} }} }}; }}
    static A linked(A a) {{ A b = new A(); b.next = a; a.next = b; b.x = {seven}; return b; }}
}}
"
        )
    };
    java(&text("7", "2", "old"), &text("8", "3", "new"));
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

/// The input has values for the variables; the programs start with their own.
#[test]
fn cc_and_java_agree_on_main_which_starts_from_initial_values() {
    let text =
        |result: &str| format!("int a = 1;\nint b[3] = {{5, 6}};\nint main(void) {{ return {result}; }}\n");
    c(&text("a + b[1]"), &text("a - b[1]"));
    let text = |result: &str| {
        let main = format!("public static void main(String[] args) {{ System.out.println({result}); }}");
        format!("class A {{\n static int count = 3;\n {main}\n}}\n")
    };
    java(&text("count"), &text("count + 1"));
}

#[test]
fn java_agrees_on_a_field_that_only_a_static_block_assigns() {
    let text = |limit: i32| {
        format!(
            "class A {{ private static int limit; static {{ limit = {limit}; }} static int f() {{ return limit; }} }}"
        )
    };
    if has("javac") {
        let place = Workplace::new();
        place.write("old.java", text(7)).write("new.java", text(8));
        replayed(&place, &["old.java", "new.java", "--function", "f"], "java");
    }
}

/// Only a call by `super` gets at the method, and the driver makes none.
#[test]
fn a_method_that_the_receiver_overrides_is_not_replayed() {
    if !has("javac") {
        return;
    }
    let text = |value: i32| {
        format!(
            "class A {{ int n; void f() {{ if (this instanceof B) n = {value}; }} }}\n\
             class B extends A {{ void f() {{ n = 7; }} }}\n"
        )
    };
    let place = Workplace::new();
    place.write("old.java", text(1)).write("new.java", text(2));
    let (code, report) = place.json(&["old.java", "new.java", "--function", "A.f", "--replay"]);
    assert_eq!(code, Some(1), "{report:#}");
    let why = report["results"][0]["witness"]["not_replayed"].as_str().unwrap_or_default();
    assert!(why.contains("the receiver's class overrides the method"), "{report:#}");
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

#[test]
fn a_driver_that_eats_memory_is_stopped_and_says_nothing_about_the_witness() {
    let place = Workplace::new();
    place.write("old.c", "int f(int a) { return a; }\n").write("new.c", "int f(int a) { return a + 1; }\n");
    // Whatever is compiled becomes a program that keeps all of an endless line.
    let compiler = place.script(
        "compiler",
        "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\nprintf '#!/bin/sh\\ntail /dev/zero\\n' > \"$2\"\nchmod +x \"$2\"\n",
    );
    let mut command = place.command(&["check", "old.c", "new.c", "--replay", "--format", "json"]);
    let ran = crate::support::finish(command.env("CC", compiler));
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(ran.code, Some(1), "{report}");
    let witness = &report["results"][0]["witness"];
    assert_eq!(witness["not_replayed"], "the old version: the driver used more than 1024 MB", "{witness}");
}

#[test]
fn main_ends_alike_by_exit_and_by_return() {
    if !has("cc") {
        return;
    }
    let place = Workplace::new();
    place.write(
        "old.c",
        "#include <stdlib.h>\nint g;\nint main(int argc, char **argv) { g = 9; exit(argc + 3); }\n",
    );
    place.write("new.c", "int g;\nint main(int argc, char **argv) { g = 8; return argc + 4; }\n");
    let (code, report) = place.json(&["old.c", "new.c", "--replay"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
    let replayed = report["results"][0]["witness"]["replayed"].to_string();
    assert!(replayed.contains("cc"), "{report}");
}

#[test]
fn what_was_never_written_is_not_compared() {
    if !has("cc") {
        return;
    }
    let text =
        "#include <stdlib.h>\nint *f(int n) { int *p = malloc(2 * sizeof(int)); p[0] = n + BY; return p; }\n";
    let place = Workplace::new();
    place.write("old.c", text.replace("BY", "0")).write("new.c", text.replace("BY", "1"));
    let (code, report) = place.json(&["old.c", "new.c", "--replay"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
    assert!(report["results"][0]["witness"]["replayed"].to_string().contains("cc"), "{report}");
}

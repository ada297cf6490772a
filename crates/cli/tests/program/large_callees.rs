//! Large callees that did not change count as code that is not there, where that proves the pair.

use crate::support::{Workplace, verdicts};

/// A function with many statements on the memory of its argument, and one of the file.
fn large(last: &str) -> String {
    let mut text =
        String::from("static int calls;\nstatic int large(int *p, int n) {\n int r = n; calls++;\n");
    for number in 0..120 {
        text.push_str(&format!(" for (int i = 0; i < n; i++) {{ r = r * {number} + p[i]; p[i] ^= r; }}\n"));
    }
    text.push_str(last);
    text.push_str(" return r;\n}\n");
    text
}

fn verdict(last: &str, old: &str, new: &str) -> (Vec<String>, String) {
    let place = Workplace::new();
    let file =
        |body: &str| format!("#include <stdlib.h>\n{}int f(int *p, int n) {{ {body} }}\n", large(last));
    place.write("old.c", file(old)).write("new.c", file(new));
    let (_, report) = place.json(&["old.c", "new.c", "-f", "f", "--effort", "quick", "--timeout", "100"]);
    (verdicts(&report).into_iter().map(str::to_owned).collect(), report.to_string())
}

#[test]
fn a_change_beside_a_large_callee_is_proved() {
    let place = Workplace::new();
    // It works on a variable, so that it is never undefined.
    let file =
        |body: &str| format!("{}int f(int *p, int n) {{ {body} }}\n", large("").replace("p[i]", "calls"));
    place.write("old.c", file("int a = large(p, n); return a + a;"));
    place.write("new.c", file("int a = large(p, n); return 2 * a;"));
    let (_, report) = place.json(&["old.c", "new.c", "-f", "f", "--effort", "quick", "--timeout", "100"]);
    assert_eq!(verdicts(&report), ["equivalent"], "{report}");
    assert!(report.to_string().contains("`large`, whose code did not change"), "{report}");
}

#[test]
fn a_large_callee_that_is_always_undefined_proves_nothing() {
    let (verdicts, report) = verdict(
        " int *q = 0; *q = 1;\n",
        "int a = large(p, n); return a + a;",
        "int a = large(p, n); return 2 * a;",
    );
    assert_ne!(verdicts, ["equivalent"], "{report}");
}

#[test]
fn what_a_large_callee_writes_counts() {
    let (verdicts, report) =
        verdict("", "int a = p[0]; return large(p, n) + a;", "int a = large(p, n); return a + p[0];");
    assert_eq!(verdicts, ["different"], "{report}");
    let (verdicts, report) =
        verdict("", "int a = calls; return large(p, n) + a;", "int a = large(p, n); return a + calls;");
    assert_eq!(verdicts, ["different"], "{report}");
}

#[test]
fn a_large_callee_that_frees_keeps_its_code() {
    let old = "int a = *p; return a + large(p, n);";
    let (verdicts, report) = verdict(" free(p);\n", old, "int a = large(p, n); return a + *p - *p + *p;");
    assert_eq!(verdicts, ["different"], "{report}");
    let new = "int a = large(p, 0); return a + (*p - *p);";
    let (verdicts, report) = verdict(" free(p);\n", "return large(p, 0);", new);
    assert_eq!(verdicts, ["different"], "{report}");
}

//! What a verdict takes for granted is listed, with its kind.

use crate::support::{Workplace, reasons, verdicts};

const VIRTUAL: &str = "class A { int size() { return 2; } }\nclass B {\n static int f(A a, int x) { return a.size() + BODY; }\n}\n";

fn place(old: &str, new: &str) -> Workplace {
    let place = Workplace::new();
    place.write("old.java", VIRTUAL.replace("BODY", old)).write("new.java", VIRTUAL.replace("BODY", new));
    place
}

fn kinds(report: &serde_json::Value) -> Vec<&str> {
    let listed = report["results"][0]["assumption_kinds"].as_array().unwrap();
    listed.iter().map(|it| it["kind"].as_str().unwrap()).collect()
}

#[test]
fn a_method_that_could_be_overridden_rests_on_the_classes_at_hand() {
    for new in ["x * 2", "x + x"] {
        let place = place("x * 2", new);
        let (code, report) = place.json(&["old.java", "new.java", "-f", "B.f"]);
        assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
        assert!(kinds(&report).contains(&"closed_world"), "{report}");
        let (code, report) = place.json(&["old.java", "new.java", "-f", "B.f", "--open-world"]);
        assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
        assert!(reasons(&report).contains("classes at hand"), "{report}");
    }
}

#[test]
fn code_without_objects_assumes_nothing() {
    let place = Workplace::new();
    let text = |body: &str| format!("class A {{\n static int f(int x) {{ return {body}; }}\n}}\n");
    place.write("old.java", text("x * 2")).write("new.java", text("x + x"));
    let (code, report) = place.json(&["old.java", "new.java", "--open-world"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
    assert!(kinds(&report).is_empty(), "{report}");
}

/// The kinds that are listed for a function, whether its code changed or not.
fn kinds_of(file: &str, text: &str, function: &str) -> Vec<String> {
    let place = Workplace::new();
    let (old, new) = (format!("old.{file}"), format!("new.{file}"));
    place.write(&old, text.replace("BODY", "x + x")).write(&new, text.replace("BODY", "2 * x"));
    let mut listed = Vec::new();
    for new in [&old, &new] {
        let (code, report) = place.json(&[&old, new, "-f", function]);
        assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
        // What is said of the inputs depends on the way of the proof.
        let kinds = kinds(&report).into_iter().filter(|kind| *kind != "object_size");
        listed.push(kinds.map(str::to_owned).collect::<Vec<String>>());
    }
    assert_eq!(listed[0], listed[1], "identical code assumes what changed code does");
    listed.remove(0)
}

#[test]
fn assertions_are_listed_where_they_stand() {
    let java = "class A {\n static int f(int x) { assert x > 0; return BODY; }\n static int g(int x) { return BODY; }\n}\n";
    assert_eq!(kinds_of("java", java, "A.f"), ["assertions"]);
    assert!(kinds_of("java", java, "A.g").is_empty());
    let c = "#include <assert.h>\nint f(int x) { assert(x > 0); return BODY; }\n";
    assert_eq!(kinds_of("c", c, "f"), ["assertions"]);
}

#[test]
fn that_no_object_begins_at_the_end_of_another_is_listed_where_pointers_are_compared() {
    let c = "int v;
        int equal(int *p, int *q, int x) { return p == q ? BODY : 0; }
        int named(int *p, int x) { return p == &v ? BODY : 0; }
        int null(int *p, int x) { return p ? BODY : 0; }
        ";
    let place = Workplace::new();
    place.write("old.c", c.replace("BODY", "x + x")).write("new.c", c.replace("BODY", "2 * x"));
    for (function, is_listed) in [("equal", true), ("named", true), ("null", false)] {
        let (code, report) = place.json(&["old.c", "new.c", "-f", function]);
        assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
        assert_eq!(kinds(&report).contains(&"addresses"), is_listed, "{report}");
    }
}

#[test]
fn that_literals_do_not_share_their_ends_is_listed_where_they_could() {
    let text = |other: &str| {
        format!(
            "int f(int x) {{ const char *p = \"abc\", *q = \"{other}\"; if (p + 1 == q) return 0; return BODY; }}\n"
        )
    };
    let listed = |other: &str| kinds_of("c", &text(other), "f");
    // One kind is that of the ends of objects.
    assert_eq!(listed("bc"), ["addresses", "addresses"], "`bc` may be the end of `abc`");
    assert_eq!(listed("bd"), ["addresses"], "`bd` is the end of no other literal");
}

#[test]
fn that_unknown_code_returns_is_listed_where_the_new_version_may_do_anything_after_it() {
    let place = Workplace::new();
    let text = |number: u32, end: &str| {
        format!("void ext(int);\nint f(int *p) {{ ext({number}); {end} return 1; }}\n")
    };
    place.write("old.c", text(1, "*(volatile int *) 0 = 1;")).write("new.c", text(2, ""));
    place.write("a.c", text(1, "if (!p) return *p;")).write("b.c", text(1, ""));
    for files in [["old.c", "new.c"], ["a.c", "b.c"]] {
        let (_, report) = place.json(&[files[0], files[1], "--refine"]);
        let is_listed = kinds(&report).contains(&"unknown_code")
            && report["results"][0]["assumptions"].to_string().contains("source is not there returns");
        assert!(verdicts(&report) != ["equivalent"] || is_listed, "{report}");
    }
    let (code, report) = place.json(&["a.c", "b.c", "--refine"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
}

#[test]
fn the_order_of_evaluation_is_listed_where_it_could_matter() {
    let c = "#include <stdio.h>
        static int n;
        static int up(void) { return ++n; }
        static int down(void) { return --n; }
        static int once(int x) { return x + 1; }
        static int twice(int x) { return x + 2; }
        static int say(int x) { printf(\"%d\", x); return x; }
        int calls(int x) { return up() - down() + BODY; }
        int arguments(int x) { return once(n) + twice(up()) + BODY; }
        int prints(int x) { return say(1) + say(2) + BODY; }
        int local(int x) { int i = x & 3; return i + i++ + BODY; }
        int quiet(int x) { return once(x) - twice(x) + BODY; }
        int one(int x) { return up() + once(x) + BODY; }\n";
    for function in ["calls", "arguments", "prints", "local"] {
        assert_eq!(kinds_of("c", c, function), ["evaluation_order"], "{function}");
    }
    for function in ["quiet", "one"] {
        assert!(kinds_of("c", c, function).is_empty(), "{function}");
    }
}

#[test]
fn two_streams_are_listed_where_both_are_written() {
    let java = "class A {\n static int f(int x) { System.out.print(x); System.err.print(x); return BODY; }\n \
                static int g(int x) { System.err.print(x); return BODY; }\n}\n";
    assert_eq!(kinds_of("java", java, "A.f"), ["streams"]);
    assert!(kinds_of("java", java, "A.g").is_empty());
}

#[test]
fn memory_that_is_not_set_is_listed() {
    let c = "#include <stdlib.h>\nint f(int x) { int *p = malloc(sizeof *p); *p = 1; x += *p; free(p); return BODY; }\n";
    let listed = kinds_of("c", c, "f");
    assert!(listed.contains(&"allocation".to_owned()), "{listed:?}");
}

#[test]
fn printed_floats_and_restricted_pointers_are_listed() {
    let c = "#include <stdio.h>\nint f(int x, double d) { printf(\"%f\", d); return BODY; }\n";
    assert_eq!(kinds_of("c", c, "f"), ["numbers"]);
    let place = Workplace::new();
    place.write("old.c", "int f(int *restrict p, int *restrict q) { *p = 1; return *q; }");
    place.write("new.c", "int f(int *restrict p, int *restrict q) { int t = *q; *p = 1; return t; }");
    let (_, report) = place.json(&["old.c", "new.c"]);
    assert_eq!(verdicts(&report), ["equivalent"], "{report}");
    assert!(kinds(&report).contains(&"aliasing"), "{report}");
}

/// A file that says where it is, with a header that does so too, in two folders.
fn places() -> Workplace {
    let place = Workplace::new();
    let header = "static inline const char *where(void) { return __FILE__; }\n";
    let text = |body: &str| {
        format!(
            "#include \"where.h\"\n#include <assert.h>\nvoid log_it(const char *, const char *, int);\n{body}\n\
             int g(int x) {{ assert(x > 0); return x + x; }}\n"
        )
    };
    let body = "void f(int x) { log_it(where(), __BASE_FILE__, __LINE__); log_it(__FILE__, \"\", x); }";
    place.write("old/where.h", header).write("new/where.h", format!("/* Where it is. */\n{header}"));
    place.write("old/a.c", text(body)).write("new/a.c", text(&format!("\n{body}")).replace("x + x", "2 * x"));
    place
}

#[test]
fn where_a_file_lies_is_no_change_and_is_listed_where_it_matters() {
    let place = places();
    let (code, report) = place.json(&["old", "new"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"; 3]), "{report}");
    let found: Vec<Vec<&str>> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let kinds = result["assumption_kinds"].as_array().unwrap().iter();
            kinds.map(|it| it["kind"].as_str().unwrap()).filter(|kind| *kind == "compilation").collect()
        })
        .collect();
    let names: Vec<&str> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["new"]["name"].as_str().unwrap_or(""))
        .collect();
    // `where` has one, `f` has that and its own; what an assertion says is not compared.
    let counts: Vec<usize> = found.iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 2, 0], "{names:?} {report}");
}

#[test]
fn code_that_says_where_it_is_cannot_be_replayed() {
    let place = Workplace::new();
    place.write("old.c", "int f(void) { return __LINE__; }\n").write("new.c", "int f(void) { return 1; }\n");
    let (code, report) = place.json(&["old.c", "new.c", "--replay"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
}

#[test]
fn a_variable_that_starts_with_another_value_is_taken_to_hold_the_same() {
    let place = Workplace::new();
    let text = |value: i32, body: &str| {
        format!("static int t = {value};\nint f(int x) {{ return {body}; }}\nvoid s(int x) {{ t = x; }}\n")
    };
    place.write("old.c", text(1, "t + x")).write("new.c", text(2, "x + t")).write("same.c", text(1, "x + t"));
    let (code, report) = place.json(&["old.c", "new.c", "-f", "f"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
    assert!(report["results"][0]["assumptions"].to_string().contains("<value of t>"), "{report}");
    assert!(kinds(&report).contains(&"inputs"), "{report}");
    let (_, report) = place.json(&["old.c", "same.c", "-f", "f"]);
    assert!(!kinds(&report).contains(&"inputs"), "{report}");
    let (code, report) = place.json(&["old.c", "new.c"]);
    assert_eq!(code, Some(1), "{report}");
}

/// What is listed for two versions of a function of C.
fn listed_for(text: &str, old: &str, new: &str) -> String {
    let place = Workplace::new();
    place.write("old.c", text.replace("BODY", old)).write("new.c", text.replace("BODY", new));
    let (code, report) = place.json(&["old.c", "new.c", "-f", "f"]);
    assert_eq!(code, Some(0), "{report}");
    report["results"][0]["assumptions"].to_string()
}

#[test]
fn texts_that_inputs_do_not_lead_to_are_listed() {
    let text =
        "static const char *const names[] = { \"a\", \"b\" };\nint f(const char *q) { return BODY; }\n";
    assert!(listed_for(text, "q == names[1]", "names[1] == q").contains("do not lead to the constant"));
}

#[test]
fn addresses_that_are_numbers_are_no_pointers_to_unknown_code() {
    let text =
        "void ext(long);\nint f(void) { int a = 1; long u = (long)&a; ext(u + 1 - 1); return BODY; }\n";
    assert!(listed_for(text, "a", "1").contains("makes no pointers of numbers"));
}

//! What a user sees: verdicts in both formats, with the exit code that belongs to them.

use crate::support::{NEW_MID, OLD_MID, Workplace, class, reasons, verdicts};
use expect_test::expect;

#[test]
fn a_difference_is_shown_as_a_call_with_its_two_results() {
    let place = Workplace::new();
    place.write("old/Mid.java", OLD_MID).write("new/Mid.java", NEW_MID);
    let ran = place.run(&["check", "old/Mid.java", "new/Mid.java"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    expect![[r#"
        different   Mid.mid  (the results differ)
          mid(1, 0)
            old: 0
            new: 1
          --- old/Mid.java:2
          +++ new/Mid.java:2
          - 2     static int mid(int a, int b) { return (a + b) / 2; }
          + 2     static int mid(int a, int b) { return a + (b - a) / 2; }

        1 pair: 1 different
    "#]]
    .assert_eq(&ran.stdout);
}

#[test]
fn an_equivalent_pair_says_how_it_was_proved() {
    let place = Workplace::new();
    place.write("old.java", class("A", "static int twice(int a) { return a + a; }"));
    place.write("new.java", class("A", "static int twice(int a) { return 2 * a; }"));
    let ran = place.run(&["check", "old.java", "new.java"]);
    assert_eq!(ran.code, Some(0));
    expect![[r#"
        equivalent  A.twice  (both compute the same terms)
          --- old.java:2
          +++ new.java:2
          - 2     static int twice(int a) { return a + a; }
          + 2     static int twice(int a) { return 2 * a; }

        1 pair: 1 equivalent
    "#]]
    .assert_eq(&ran.stdout);
}

#[test]
fn a_loop_beyond_the_bound_is_unknown_and_says_how_far_it_got() {
    let place = Workplace::new();
    place.write(
        "old.c",
        "int sum(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += i;\n  return s;\n}\n",
    );
    place.write(
        "new.c",
        "int sum(int n) {\n  int s = 0;\n  for (int i = n - 1; i >= 0; i--)\n    s += i;\n  return s;\n}\n",
    );
    let ran = place.run(&["check", "old.c", "new.c", "--bound", "4"]);
    assert_eq!(ran.code, Some(3));
    expect![[r#"
        unknown     sum  (no difference up to 4 iterations)
          the loop at old.c:3 may run longer than 4 iterations
          the loop at new.c:3 may run longer than 4 iterations
          proved to be the same when `n >= 0 && n <= 3`
           --> old.c:3:3
            |
          3 |   for (int i = 0; i < n; i++)
            |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ may run longer than 4 iterations
            |
           ::: new.c:3:3
            |
          3 |   for (int i = n - 1; i >= 0; i--)
            |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ may run longer than 4 iterations
          --- old.c:1
          +++ new.c:1
          - 3   for (int i = 0; i < n; i++)
          + 3   for (int i = n - 1; i >= 0; i--)

        1 pair: 1 unknown
    "#]]
    .assert_eq(&ran.stdout);
}

#[test]
fn json_is_the_whole_of_standard_output() {
    let place = Workplace::new();
    place.write("old/Mid.java", OLD_MID).write("new/Mid.java", NEW_MID);
    let (code, report) = place.json(&["old/Mid.java", "new/Mid.java", "--function", "mid"]);
    assert_eq!(code, Some(1));
    assert_eq!(report["schema"], "selfsame/1");
    let result = &report["results"][0];
    assert_eq!(result["function"], "Mid.mid");
    assert_eq!(result["language"], "java");
    assert_eq!(result["numbers"], "machine");
    assert!(result["bound"].is_null() && result["same_when"].is_null());
    assert_eq!(result["witness"]["replayed"], serde_json::json!(["interpreter"]));
    let [a, b] =
        ["a", "b"].map(|name| result["witness"]["inputs"][name].as_str().unwrap().parse::<i32>().unwrap());
    let outcome = |side: &str| result["witness"][side]["result"].as_str().unwrap().parse::<i32>().unwrap();
    assert_eq!(outcome("old"), a.wrapping_add(b) / 2);
    assert_eq!(outcome("new"), a.wrapping_add(b.wrapping_sub(a) / 2));
    assert_ne!(outcome("old"), outcome("new"));
    assert!(result["statistics"]["seconds"].is_number());
    assert_eq!(report["summary"]["different"], 1);
}

#[test]
fn mathematical_numbers_do_not_overflow() {
    let place = Workplace::new();
    place.write("old.java", class("A", "static boolean more(int a) { return a + 1 > a; }"));
    place.write("new.java", class("A", "static boolean more(int a) { return true; }"));
    let (code, report) = place.json(&["old.java", "new.java", "--numbers", "math"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
    assert_eq!(report["results"][0]["numbers"], "math");
    let (code, report) = place.json(&["old.java", "new.java"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
}

#[test]
fn a_changed_signature_is_unknown_with_the_reason() {
    let place = Workplace::new();
    place.write("old.java", class("A", "static int f(int a) { return a; }"));
    place.write("new.java", class("A", "static int f(long a) { return (int) a; }"));
    let (code, report) = place.json(&["old.java", "new.java", "--function", "f"]);
    assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
    assert!(reasons(&report).contains("interface changed"), "{report}");
}

#[test]
fn overloads_with_the_name_are_all_compared() {
    let place = Workplace::new();
    let body = "static int f(int a) { return a; }\n    static int f(long a) { return 1; }";
    place
        .write("old.java", class("A", body))
        .write("new.java", class("A", &body.replace("return 1", "return 2")));
    let (code, report) = place.json(&["old.java", "new.java", "--function", "f"]);
    assert_eq!(code, Some(1));
    let mut all = verdicts(&report);
    all.sort_unstable();
    assert_eq!(all, ["different", "equivalent"], "{report}");
}

#[test]
fn errors_and_output_are_part_of_what_is_compared() {
    let place = Workplace::new();
    place.write("old.java", class("A", "static int f(int a) { return 10 / a; }"));
    place.write("new.java", class("A", "static int f(int a) { if (a == 0) return 0; return 10 / a; }"));
    let ran = place.run(&["check", "old.java", "new.java"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("old: throws ArithmeticException\n    new: 0\n"), "{}", ran.stdout);
    place.write("old.c", "#include <stdio.h>\nvoid f(int a) { if (a == 7) printf(\"%d\", a); }");
    place.write("new.c", "#include <stdio.h>\nvoid f(int a) { if (a == 7) printf(\"%d\\n\", a); }");
    let ran = place.run(&["check", "old.c", "new.c"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("f(7)\n    old: prints \"7\"\n    new: prints \"7\\n\"\n"), "{}", ran.stdout);
}

#[test]
fn arrays_are_shown_as_arrays() {
    let place = Workplace::new();
    place.write(
        "old.java",
        class("A", "static void f(int[] a) { if (a != null && a.length == 2) a[0] = 1; }"),
    );
    place.write(
        "new.java",
        class("A", "static void f(int[] a) { if (a != null && a.length == 2) a[0] = 2; }"),
    );
    let ran = place.run(&["check", "old.java", "new.java"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("f(int[]{0, 0})"), "{}", ran.stdout);
    assert!(ran.stdout.contains("old: a = int[]{1, 0}\n    new: a = int[]{2, 0}"), "{}", ran.stdout);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let place = Workplace::new();
    for (side, factor) in [("old", 2), ("new", 3)] {
        let methods: String = (0..6)
            .map(|i| {
                format!(
                    "static int f{i}(int a) {{ return a > {i} ? {} * a : a; }}\n",
                    if i % 2 == 0 { 2 } else { factor }
                )
            })
            .collect();
        place.write(&format!("{side}/A.java"), class("A", &methods));
    }
    let text = |jobs: &str| place.run(&["check", "old", "new", "--jobs", jobs]);
    let first = text("1");
    assert_eq!(first.code, Some(1));
    assert_eq!(text("2"), first);
    assert_eq!(text("4"), first);
    // Seconds are the one thing in the JSON that may differ.
    let json = || {
        let ran = place.run(&["check", "old", "new", "--format", "json"]).stdout;
        ran.lines().filter(|line| !line.contains("seconds\"")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(json(), json());
}

#[test]
fn colours_stay_away_from_pipes() {
    let place = Workplace::new();
    place.write("old.java", OLD_MID).write("new.java", NEW_MID);
    assert!(!place.run(&["check", "old.java", "new.java"]).stdout.contains('\u{1b}'));
}

#[test]
fn dumps_show_what_a_stage_works_with() {
    let place = Workplace::new();
    place.write(
        "old.java",
        class("A", "static int g(int a) { return a; }\n    static int f(int a, int b) { return g(a) * b; }"),
    );
    place.write(
        "new.java",
        class(
            "A",
            "static int g(int a) { return a; }\n    static int f(int a, int b) { return b * a + b % 1; }",
        ),
    );
    let ir = place.run(&["check", "old.java", "new.java", "--function", "f", "--dump", "ir"]);
    assert_eq!(ir.code, Some(0));
    assert!(ir.stdout.contains("// old: A.f") && ir.stdout.contains("// new: A.f"), "{}", ir.stdout);
    assert!(ir.stdout.contains("A.g"), "the callee should be shown\n{}", ir.stdout);
    let terms = place.run(&["check", "old.java", "new.java", "--function", "f", "--dump", "terms"]);
    assert!(terms.stdout.starts_with("; A.f"), "{}", terms.stdout);
    let smt = place.run(&["check", "old.java", "new.java", "--function", "f", "--dump", "smt"]);
    assert!(smt.stdout.starts_with("; A.f"), "{}", smt.stdout);
}

#[test]
fn the_alignment_puts_lines_side_by_side() {
    let place = Workplace::new();
    place.write(
        "old.c",
        "int sum(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += i;\n  return s;\n}\n",
    );
    place.write(
        "new.c",
        "int sum(int n) {\n  int t = 0;\n  for (int i = 0; i < n; i++)\n    t += 2 * i;\n  // done\n  return t;\n}\n",
    );
    let ran = place.run(&["check", "old.c", "new.c", "--dump", "alignment"]);
    assert_eq!(ran.code, Some(0));
    expect![[r#"
        sum
            old.c                             new.c
          1 int sum(int n) {              = 1 int sum(int n) {
          2   int s = 0;                  = 2   int t = 0;
          3   for (int i = 0; i < n; i++) = 3   for (int i = 0; i < n; i++)
          4     s += i;                   | 4     t += 2 * i;
                                          > 5   // done
          5   return s;                   = 6   return t;
          6 }                             = 7 }

    "#]]
    .assert_eq(&ran.stdout);
}

#[test]
fn a_procedure_that_was_renamed_is_compared_under_both_names() {
    let place = Workplace::new();
    let body = "(int n) { return n <= 1 ? 1 : n * (n - 1) / 2; }\n";
    place.write("old.c", format!("int pairs{body}")).write("new.c", format!("int couples{body}"));
    let ran = place.run(&["check", "old.c", "new.c"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("couples, was pairs"), "{}", ran.stdout);
}

#[test]
fn what_only_the_iterations_of_a_loop_take_for_granted_is_listed() {
    let place = Workplace::new();
    place.write("old.c", "int f(const char *s) { int i = 0; while (s[i]) i++; return i; }");
    place.write("new.c", "int f(const char *s) { const char *p = s; while (*p) p++; return (int)(p - s); }");
    let (_, report) = place.json(&["old.c", "new.c"]);
    assert_eq!(verdicts(&report), ["equivalent"], "{report}");
    let assumptions = report["results"][0]["assumptions"].to_string();
    assert!(assumptions.contains("no object has more than 2147483647 elements"), "{assumptions}");
}

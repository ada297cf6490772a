//! Explanations of differences: text, JSON, and a page.

use crate::support::Workplace;
use expect_test::{Expect, expect};
use serde_json::Value;

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

/// The text for a pair that is different; the same words each time.
fn text(place: &Workplace, more: &[&str]) -> String {
    let args = [&["explain", "old", "new"], more].concat();
    let ran = place.run(&args);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout, place.run(&args).stdout, "the report should be the same each time");
    ran.stdout
}

fn explanation(place: &Workplace) -> Value {
    let ran = place.run(&["explain", "old", "new", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error} in {:?}, {}", ran.stdout, ran.stderr));
    document["results"][0]["explanation"].clone()
}

fn check(place: &Workplace, more: &[&str], expected: Expect) {
    expected.assert_eq(&text(place, more));
}

const FEE: &str = "\
class A {
    static int fee(int amount) {
        int fee = 0;
        if (amount > 1000)
            fee = 10;
        return fee;
    }
}
";

#[test]
fn the_table_and_the_ways_of_both_versions_stand_side_by_side() {
    let place = java(FEE, &FEE.replace("fee = 10", "fee = 12"));
    check(
        &place,
        &[],
        expect![[r#"
        different   A.fee  (the results differ)
          same exactly when `amount <= 1000`

          when           old       new
          amount > 1000  10        12
          otherwise      the same

          fee(1001)  (when amount > 1000)
            old: 10
            new: 12
            old/A.java                       new/A.java
            2 static int fee(int amount) { = 2 static int fee(int amount) {
                amount = 1001                    amount = 1001
            3 int fee = 0;                 = 3 int fee = 0;
                fee = 0                          fee = 0
            4 if (amount > 1000)           = 4 if (amount > 1000)
                true                             true
        >>> 5 fee = 10;                    | 5 fee = 12;
                fee = 10                         fee = 12
            ^ here the versions part
            6 return fee;                  ≠ 6 return fee;
                returns 10                       returns 12

        1 pair: 1 different
    "#]],
    );
}

const PARSE: &str = "\
class A {
    static int skip(String s) {
        if (s.length() > 0 && s.charAt(0) == '-')
            return 1;
        return 0;
    }
    static int parse(String s) {
        int at = skip(s);
        return s.length() - at;
    }
}
";

#[test]
fn a_difference_that_comes_from_a_callee_says_so() {
    let place = java(PARSE, &PARSE.replace("'-'", "'+'"));
    let shown = text(&place, &["--function", "parse"]);
    assert!(shown.contains("`parse` differs because `skip` differs"), "{shown}");
    assert!(shown.contains(">>> 3 if (s.length() > 0 && s.charAt(0) == '-')"), "{shown}");
}

#[test]
fn programs_read_the_rows_of_the_table_and_of_the_ways() {
    let place = java(FEE, &FEE.replace("fee = 10", "fee = 12"));
    let found = explanation(&place);
    assert_eq!(found["table"][0]["condition"], "amount > 1000");
    assert_eq!(found["table"][0]["effects"]["old"], "10");
    assert_eq!(found["table"][0]["effects"]["new"], "12");
    let rows = found["paths"][0]["rows"].as_array().unwrap();
    let parting: Vec<&Value> = rows.iter().filter(|row| row["steps"]["parts"] == true).collect();
    assert_eq!(parting.len(), 1, "{rows:?}");
    assert_eq!(parting[0]["steps"]["steps"]["new"]["text"], "fee = 12;");
    assert_eq!(parting[0]["steps"]["steps"]["new"]["seen"][0]["value"], "12");
}

#[test]
fn a_loop_leaves_the_table_out_but_not_the_ways() {
    let source = "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += i;\n  return s;\n}\n";
    let place = c(source, &source.replace("s += i;", "s += i * i;"));
    let shown = text(&place, &[]);
    assert!(shown.contains("no table of conditions: `f` has loops"), "{shown}");
    assert!(shown.contains(">>>"), "{shown}");
}

#[test]
fn the_page_escapes_what_stands_in_the_programs() {
    let source =
        "class A { static String f(int n) { return n < 0 ? \"<script>alert(1)</script>\" : \"&amp;\"; } }\n";
    let place = java(source, &source.replace("alert(1)", "alert('2')"));
    let ran = place.run(&["explain", "old", "new", "--format", "html", "--out", "page.html"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
    let page = std::fs::read_to_string(place.path().join("page.html")).unwrap();
    assert!(!page.contains("<script"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(&#39;2&#39;)"), "{page}");
    assert!(!page.contains("http"), "a page should need nothing else: {page}");
    assert!(page.contains("here the versions part"), "{page}");
}

#[test]
fn what_is_not_different_has_one_line() {
    let source = "class A {\n    static int f(int n) { return n + n; }\n}\n";
    let place = java(source, &source.replace("n + n", "2 * n"));
    let ran = place.run(&["explain", "old", "new"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout.lines().filter(|line| line.contains("equivalent")).count(), 2, "{}", ran.stdout);
    assert!(!ran.stdout.contains("return"), "{}", ran.stdout);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let place = java(FEE, FEE);
    let ran = place.run(&["check", "old", "new", "--format", "html"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("`--format html` is for `selfsame explain`"), "{}", ran.stderr);
    let ran = place.run(&["explain", "old", "new", "--dump", "ir"]);
    assert_eq!(ran.code, Some(2));
    let ran = place.run(&["explain", "old", "new", "--out", "no/such/folder"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("cannot be written"), "{}", ran.stderr);
}

/// The shape of figure 7 of the paper on conditional equivalence: a token reader that no longer stores a character, which
/// shows only where two guarded statements are executed in one run.
#[test]
fn the_way_to_a_lost_store_is_shown_with_both_buffers() {
    let example = |name: &str| {
        let file = format!("{}/../../examples/token/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(file).unwrap()
    };
    let place = c(&example("old.c"), &example("new.c"));
    let shown = text(&place, &["--function", "get_token"]);
    let lines: Vec<&str> = shown.lines().collect();
    let at = lines.iter().position(|line| line.starts_with(">>>")).unwrap_or_else(|| panic!("{shown}"));
    assert!(lines[at].starts_with(">>> 27 buffer[n] = c;") && lines[at].ends_with('<'), "{shown}");
    assert!(lines[at + 1].trim().starts_with("buffer[1] = "), "{shown}");
    assert!(lines.iter().any(|line| line.contains("quoted = 1;  ")), "{shown}");
    let ends: Vec<&&str> = lines.iter().filter(|line| line.contains("buffer = {")).collect();
    assert_eq!(ends.len(), 2, "{shown}");
    assert!(ends[1].contains("buffer = {34, 0, "), "{shown}");
}

/// The rows of the table, as `condition | old | new`, or why there is none.
fn rows(place: &Workplace) -> Vec<String> {
    let ran = place.run(&["explain", "old", "new", "-f", "f", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let explanation = &document["results"][0]["explanation"];
    let row = |row: &Value| {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let effects = &row["effects"];
        format!("{} | {} | {}", word(&row["condition"]), word(&effects["old"]), word(&effects["new"]))
    };
    match explanation["table"].as_array() {
        Some(rows) => rows.iter().map(row).collect(),
        None => vec![explanation["no_table"].as_str().unwrap_or_default().to_owned()],
    }
}

#[test]
fn the_table_speaks_of_fields_elements_and_output() {
    let field = |value: &str| {
        format!(
            "class A {{ int n; static void f(A a, int k) {{ if (k > 3) a.n = {value}; else a.n = 0; }} }}\n"
        )
    };
    let found = rows(&java(&field("k"), &field("k + 1")));
    assert_eq!(found, ["k > 3 && a != null | a.n = k | a.n = k + 1"]);
    let element = |value: &str| format!("void f(int *p, int i, int v) {{ p[i] = {value}; }}\n");
    assert_eq!(rows(&c(&element("v"), &element("v > 9 ? 9 : v"))), ["v > 9 | p[i] = v | p[i] = 9"]);
    let output =
        |value: &str| format!("#include <stdio.h>\nvoid f(int k) {{ printf(\"k=%d\\n\", {value}); }}\n");
    let found = rows(&c(&output("k"), &output("k > 7 ? 7 : k")));
    assert_eq!(found, ["k > 7 | prints \"k=\" k \"\\n\" | prints \"k=\" 7 \"\\n\""]);
}

#[test]
fn the_table_speaks_of_members_of_structs() {
    let head = "struct s { int a; int t[2]; struct { int r; } in; };\nstruct s g;\n";
    let member =
        |value: &str| format!("{head}void f(struct s *p, int k) {{ if (k > 3) p->in.r = {value}; }}\n");
    assert_eq!(rows(&c(&member("k"), &member("7"))), ["k > 3 && k != 7 | p->in.r = k | p->in.r = 7"]);
    let element = |value: &str| format!("{head}void f(struct s *p) {{ if (p->t[1] > 3) p->a = {value}; }}\n");
    assert_eq!(rows(&c(&element("2"), &element("5"))), ["p->t[1] > 3 | p->a = 2 | p->a = 5"]);
    let variable = |value: &str| format!("{head}void f(int k) {{ if (k > 5) g.t[1] = {value}; }}\n");
    assert_eq!(rows(&c(&variable("k"), &variable("k + 1"))), ["k > 5 | g.t[1] = k | g.t[1] = k + 1"]);
    // Members of a union share their cells.
    let head = "union u { int a; unsigned b; };\n";
    let shared = |value: &str| format!("{head}void f(union u *p, int k) {{ if (k > 5) p->a = {value}; }}\n");
    assert_eq!(rows(&c(&shared("k"), &shared("k + 1"))), ["what they do cannot be said in a line"]);
}

#[test]
fn the_table_speaks_of_new_objects_and_of_results_that_are_objects() {
    let made = |y: &str| java(&program("y"), &program(y));
    fn program(y: &str) -> String {
        format!(
            "class P {{ int x; int y; P(int x, int y) {{ this.x = x; this.y = y; }} }}\n\
             class A {{ static P f(int x, int y) {{ return new P(x, {y}); }} }}\n"
        )
    }
    assert_eq!(rows(&made("y > 5 ? 5 : y")), ["y > 5 | (new P).y = y | (new P).y = 5"]);
    let choice = |test: &str| {
        format!("class P {{ int x; }} class A {{ static P f(P a, int k) {{ return {test} ? a : null; }} }}\n")
    };
    let found = rows(&java(&choice("k > 3"), &choice("k > 5")));
    assert_eq!(found, ["k <= 5 && k > 3 && a != null | a | null"]);
    // An object that nobody sees makes no difference.
    let unseen = |value: &str, result: &str| {
        format!(
            "class P {{ int x; }} class A {{ static int f(int k) {{ P p = new P(); p.x = {value}; \
             return k > 3 ? {result} : 0; }} }}\n"
        )
    };
    assert_eq!(rows(&java(&unseen("k", "1"), &unseen("k + 1", "2"))), ["k > 3 | 1 | 2"]);
}

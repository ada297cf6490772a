//! An affected client is shown the call of the library, on the way, that the versions answer differently.

use crate::support::{Workplace, class};

/// Two versions of a C library, each with the same client behind it.
fn c(old: &str, new: &str, client: &str) -> Workplace {
    let place = Workplace::new();
    place.write("old.c", format!("{old}\n{client}\n"));
    place.write("new.c", format!("{new}\n{client}\n"));
    place
}

/// Two versions of a class of a Java library, and a client in another file.
fn java(old: &str, new: &str, client: &str) -> Workplace {
    let place = Workplace::new();
    place.write("old/Lib.java", class("Lib", old));
    place.write("new/Lib.java", class("Lib", new));
    place.write("app/App.java", class("App", client));
    place
}

/// What the report says of the way to the difference of the C function `client`; the same words each time.
fn way_in_c(place: &Workplace) -> String {
    way(place, &["check", "old.c", "new.c", "--function", "client"])
}

fn way_in_java(place: &Workplace) -> String {
    way(place, &["check", "old", "new", "--client", "app"])
}

fn way(place: &Workplace, args: &[&str]) -> String {
    let ran = place.run(args);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout, place.run(args).stdout, "the report should be the same each time");
    let lines: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("  on the way")).collect();
    lines.join("\n").trim().to_owned()
}

#[test]
fn the_call_of_the_library_stands_below_the_inputs_of_the_client() {
    let place = java(
        "static int size(int n) { return n > 5 ? 2 : 0; }",
        "static int size(int n) { return n > 5 ? 3 : 0; }",
        "static int size(int n) { return Lib.size(n) + 1; }",
    );
    let text = place.run(&["check", "old", "new", "--client", "app"]).stdout;
    let expected = "different   App.size  (the results differ)
  same exactly when `n <= 5`
  size(6)
    old: 3
    new: 4
  on the way, Lib.size(6) gives 2 in the old version and 3 in the new one
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn programs_read_the_call_with_its_arguments_and_both_results() {
    let client = "int client(int n) { return wrap(n); }";
    let wrap = "static int wrap(int n) { return lib(n + 1); }";
    let place = c(
        &format!("static int lib(int a) {{ return a; }}\n{wrap}"),
        &format!("static int lib(int a) {{ return a > 3 ? 9 : a; }}\n{wrap}"),
        client,
    );
    let (_, report) = place.json(&["old.c", "new.c", "--function", "client"]);
    let way = &report["results"][0]["witness"]["on_the_way"];
    assert_eq!(way["same_arguments"], true, "{report}");
    assert_eq!(way["difference"], "the results differ");
    // The innermost procedure whose own code changed, not the one that passes its result on.
    assert_eq!((&way["old"]["function"], &way["old"]["call"]), (&"lib".into(), &"lib(4)".into()));
    assert_eq!(way["old"]["inputs"], serde_json::json!({ "a": "4" }));
    assert_eq!((&way["old"]["result"], &way["new"]["result"]), (&"4".into(), &"9".into()));
}

#[test]
fn of_many_calls_in_a_loop_the_first_that_differs_is_shown() {
    let place = c(
        "int weight(int i) { return i * 2; }",
        "int weight(int i) { return i >= 2 ? i * 3 : i * 2; }",
        "int client(int n) { int s = 0; for (int i = 0; i < n && i < 9; i++) s += weight(i); return s; }",
    );
    assert_eq!(way_in_c(&place), "on the way, weight(2) gives 4 in the old version and 6 in the new one");
}

#[test]
fn in_a_recursive_library_it_is_the_innermost_call_that_differs() {
    let place = c(
        "int power(int b, int n) { if (n <= 0) return 1; return b * power(b, n - 1); }",
        "int power(int b, int n) { if (n <= 0) return 0; return b * power(b, n - 1); }",
        "int client(int b) { return power(b, 3) + 1; }",
    );
    assert_eq!(way_in_c(&place), "on the way, power(1, 0) gives 1 in the old version and 0 in the new one");
}

#[test]
fn a_recursion_that_became_a_loop_is_compared_where_the_client_calls_it() {
    let place = c(
        "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }",
        "int sum(int n) { int s = 1; for (; n > 0; n--) s += n; return s; }",
        "int client(int b) { return b == 2 ? sum(b) : 0; }",
    );
    assert_eq!(way_in_c(&place), "on the way, sum(2) gives 3 in the old version and 4 in the new one");
}

#[test]
fn a_library_may_throw_in_one_version() {
    let place = java(
        "static int half(int n) { if (n < 0) throw new IllegalArgumentException(); return n / 2; }",
        "static int half(int n) { if (n < 0) return 0; return n / 2; }",
        "static int safe(int n) { try { return Lib.half(n); } catch (IllegalArgumentException e) { return -1; } }",
    );
    let thrown = "on the way, Lib.half(-1) throws IllegalArgumentException in the old version and gives 0 in the new one";
    assert_eq!(way_in_java(&place), thrown);
}

#[test]
fn what_is_written_through_a_pointer_is_shown() {
    let place = c(
        "static void put(int *p, int v) { p[0] = v; }",
        "static void put(int *p, int v) { p[0] = v; p[1] = v; }",
        "int client(int v) { int a[2]; a[0] = 5; a[1] = 6; put(a, v); return a[0] + a[1]; }",
    );
    let written = "on the way, put((int[]){5, 6}, 0) leaves p = (int[]){0, 6} in the old version \
                   and p = (int[]){0, 0} in the new one";
    assert_eq!(way_in_c(&place), written);
}

#[test]
fn an_object_that_got_another_field_is_compared_by_those_that_both_versions_have() {
    let place = java(
        "int n; void add(int k) { n += k; }",
        "int n; int calls; void add(int k) { calls++; if (k > 0) n += k; }",
        "static int use(int k) { Lib lib = new Lib(); lib.n = 3; lib.add(k); return lib.n; }",
    );
    let left = "on the way, Lib{n: 3}.add(-1) leaves this = Lib{n: 2} in the old version and this = Lib{n: 3} in the new one";
    assert_eq!(way_in_java(&place), left);
}

#[test]
fn a_variable_that_the_library_reads_is_part_of_the_call() {
    let place = c(
        "int limit = 3;\nint lib(int n) { return n > limit ? limit : n; }",
        "int limit = 3;\nint lib(int n) { return n >= limit ? limit - 1 : n; }",
        "int client(int n) { limit = 4; return n == 4 ? lib(n) : 0; }",
    );
    let shown = "on the way, lib(4) where limit is 4 gives 4 in the old version and 3 in the new one";
    assert_eq!(way_in_c(&place), shown);
}

#[test]
fn calls_whose_arguments_already_differ_are_said_to_be_such() {
    let place = Workplace::new();
    place.write("old.c", "int lib(int n) { return n + n; }\nint client(int n) { return lib(n); }\n");
    place.write("new.c", "int lib(int n) { return n * 2; }\nint client(int n) { return lib(n + 1); }\n");
    let differ = "on the way the arguments already differ: lib(0) gives 0 in the old version, \
                  and lib(1) gives 2 in the new one";
    assert_eq!(way_in_c(&place), differ);
}

#[test]
fn a_call_that_only_one_version_makes_is_said_to_be_such() {
    let place = Workplace::new();
    place.write("old.c", "int lib(int n) { return n + n; }\nint client(int n) { return n ? lib(n) : 7; }\n");
    place.write("new.c", "int lib(int n) { return n * 2; }\nint client(int n) { return lib(n); }\n");
    assert_eq!(way_in_c(&place), "on the way only the new version calls lib(0), which gives 0");
}

#[test]
fn a_library_that_does_not_end_in_one_version_is_shown_with_total() {
    let place = c(
        "int lib(int n) { return n; }",
        "int lib(int n) { while (n == 5) { } return n; }",
        "int client(int n) { return lib(n); }",
    );
    let shown = "on the way, lib(5) gives 5 in the old version and does not end in the new one";
    assert_eq!(way(&place, &["check", "old.c", "new.c", "--function", "client", "--total"]), shown);
}

#[test]
fn without_a_call_of_something_changed_there_is_nothing_to_show() {
    // The callee is the same in both versions, and the function itself is what changed.
    let place = Workplace::new();
    place.write("old.c", "int lib(int n) { return n; }\nint client(int n) { return lib(n); }\n");
    place.write("new.c", "int lib(int n) { return n; }\nint client(int n) { return lib(n) + 1; }\n");
    assert_eq!(way_in_c(&place), "");
    // A function that calls itself is no call on its own way.
    place.write("old.c", "int client(int n) { return n <= 0 ? 0 : client(n - 1) + 1; }\n");
    place.write("new.c", "int client(int n) { return n <= 0 ? 1 : client(n - 1) + 1; }\n");
    assert_eq!(way_in_c(&place), "");
}

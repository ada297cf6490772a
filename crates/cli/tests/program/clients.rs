//! A library in two versions, and a program that uses it.

use crate::support::{Workplace, class, verdicts};

const APP: &str = "static int sign(int n) { return Lib.size(n) > 0 ? 1 : 0; }
    static int size(int n) { return Lib.size(n) + 1; }
    static int twice(int n) { return 2 * n; }";

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("old/Lib.java", class("Lib", "static int size(int n) { return n > 5 ? 2 : 0; }"));
    place.write("new/Lib.java", class("Lib", "static int size(int n) { return n > 5 ? 3 : 0; }"));
    place.write("app/App.java", class("App", APP));
    place
}

#[test]
fn a_client_is_affected_unaffected_or_does_not_reach_the_change() {
    let place = place();
    let (code, report) = place.json(&["old", "new", "--client", "app"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["equivalent", "different"]), "{report}");
    assert_eq!(report["summary"]["unaffected"], serde_json::json!(["App.twice"]));
    let text = place.run(&["check", "old", "new", "--client", "app"]).stdout;
    let boundary = "gives the same with either `size`, although size(6) gives 2 in the old version";
    assert!(text.contains(boundary), "{text}");
    assert!(text.contains("unaffected  App.twice\n"), "{text}");
}

#[test]
fn a_client_that_reaches_no_change_needs_no_work() {
    let place = place();
    place.write("other/Other.java", class("Other", "static int f(int n) { return n; }"));
    let (code, report) = place.json(&["old", "new", "--client", "other"]);
    assert_eq!((code, verdicts(&report)), (Some(0), Vec::new()), "{report}");
    assert_eq!(report["summary"]["unaffected"], serde_json::json!(["Other.f"]));
}

#[test]
fn a_client_in_another_language_is_refused() {
    let place = place();
    place.write("main.c", "int f(int x) { return x; }");
    let ran = place.run(&["check", "old", "new", "--client", "main.c"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("main.c: the client is C, and the library is not"), "{}", ran.stderr);
}

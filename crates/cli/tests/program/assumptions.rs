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

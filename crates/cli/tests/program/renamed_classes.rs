//! A class that was renamed is the same class: its fields are the same inputs of both versions.

use crate::support::{Workplace, verdicts};

const OLD: &str = "class Before { static int n; int f;
    static int plus(int x) { return x + n; }
    int add(int x) { f += x; return f; } }";
const NEW: &str = "class After { static int n; int f;
    static int plus(int x) { return n + x + 0; }
    int add(int x) { f = x + f; return f; } }";

#[test]
fn fields_of_a_renamed_class_are_the_same_inputs() {
    let place = Workplace::new();
    place.write("old.java", OLD).write("new.java", NEW);
    let (_, report) = place.json(&["old.java", "new.java"]);
    assert_eq!(verdicts(&report), ["equivalent", "equivalent", "equivalent"]);
}

#[test]
fn a_difference_in_a_field_of_a_renamed_class_is_found() {
    let place = Workplace::new();
    place.write("old.java", OLD).write("new.java", NEW.replace("f = x + f", "f = x - f"));
    let (_, report) = place.json(&["old.java", "new.java"]);
    assert_eq!(verdicts(&report), ["equivalent", "equivalent", "different"]);
}

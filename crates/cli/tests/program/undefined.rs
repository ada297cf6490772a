//! What is said of inputs on which only one version has undefined behaviour.

use crate::support::{Workplace, verdicts};

const CHECKED: &str = "int f(int *p, int x) {\n  if (p == 0) return x;\n  return *p + x;\n}\n";
const UNCHECKED: &str = "int f(int *p, int x) {\n  return *p + x;\n}\n";
/// Another result on one input, for which tests do not look.
const OTHER: &str = "int f(int *p, int x) {\n  return *p + x + (x == 77777);\n}\n";

fn place(old: &str, new: &str) -> Workplace {
    let place = Workplace::new();
    place.write("old.c", old).write("new.c", new);
    place
}

#[test]
fn that_only_the_new_version_is_undefined_is_a_difference_and_all() {
    let (code, report) = place(CHECKED, UNCHECKED).json(&["old.c", "new.c"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
    let witness = &report["results"][0]["witness"];
    assert_eq!(
        (witness["kind"].as_str(), witness["only_undefined"].as_bool()),
        (Some("undefined_new"), Some(true))
    );
    assert_eq!(witness["difference"], "only where the new version is undefined: null dereference, line 2");
}

#[test]
fn a_new_version_may_define_what_the_old_one_does_not_if_refinement_is_asked_for() {
    let (code, report) = place(UNCHECKED, CHECKED).json(&["old.c", "new.c", "--refine"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
    let (code, report) = place(CHECKED, UNCHECKED).json(&["old.c", "new.c", "--refine"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
}

#[test]
fn a_difference_in_defined_behaviour_is_shown_before_one_that_is_only_undefined() {
    let (code, report) = place(CHECKED, OTHER).json(&["old.c", "new.c"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
    assert_eq!(report["results"][0]["witness"]["kind"], "result", "{report}");
}

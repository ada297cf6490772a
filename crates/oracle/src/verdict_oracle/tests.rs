//! The drivers tell pairs apart, and a small campaign separates nothing.

use std::time::Duration;

use arbitrary_source::Language;
use casekit::workspace;
use casekit::workspace::find_solver;
use ir::Pair;

use super::campaign::{self, Plan};
use super::{c_driver, java_driver};
use crate::missing_tool;

fn is_there(language: Language) -> bool {
    let missing = missing_tool(language);
    if let Some(tool) = missing {
        eprintln!("SKIPPED: this test needs `{tool}`");
    }
    missing.is_none()
}

fn separated(language: Language, old: &str, new: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("pairs");
    std::fs::create_dir_all(&folder).unwrap();
    let pairs = [(0, Pair::new(old.to_owned(), new.to_owned()))];
    let (separated, refused) = match language {
        Language::C => c_driver::run(&pairs, 200, &folder),
        Language::Java => java_driver::run(&pairs, 200, &folder),
    }
    .unwrap();
    assert!(refused.is_empty(), "the compiler refuses\n{old}\n{new}");
    !separated.is_empty()
}

#[test]
fn c_runs_have_overlapping_pointers_externs_and_the_state_at_the_start() {
    if !is_there(Language::C) {
        return;
    }
    let both = |old: &str, new: &str, head: &str| {
        let text = |body: &str| format!("{head} {{\n    int r = 0;\n    {body}\n    return r;\n}}\n");
        separated(Language::C, &text(old), &text(new))
    };
    let pointers = "int k_entry(int *p, int *q)";
    assert!(!both("r = *p + *q;", "r = *q + *p;", pointers));
    assert!(both("*p = 1; *q = 2; r = *p;", "*p = 1; *q = 2; r = 1;", pointers));
    assert!(both("p[0] = 1; q[1] = 2; r = p[0];", "p[0] = 1; q[1] = 2; r = 1;", pointers));
    assert!(both("r = *p;", "r = p ? *p : 3;", pointers));
    let unknown = "int k_open = 4;\nint k_ext(int *p);\nint k_entry(int *p)";
    assert!(both("k_open = 1; k_ext(p); r = k_open;", "k_open = 1; k_ext(p); r = 1;", unknown));
    assert!(!both("k_ext(p); r = *p;", "k_ext(p); r = p[0];", unknown));
    let started =
        |start: i32| format!("static int k_own = {start};\nint k_entry(void) {{\n    return k_own;\n}}\n");
    assert!(separated(Language::C, &started(3), &started(4)));
}

#[test]
fn java_runs_have_shared_objects_null_and_the_state_at_the_start() {
    if !is_there(Language::Java) {
        return;
    }
    let both = |old: &str, new: &str, parameters: &str| {
        let text = |body: &str| {
            format!("class Case {{\n    static int entry({parameters}) {{\n        {body}\n    }}\n}}\n")
        };
        separated(Language::Java, &text(old), &text(new))
    };
    assert!(!both("return p[0] + q[1];", "return q[1] + p[0];", "int[] p, int[] q"));
    assert!(both("p[0] = 1; q[0] = 2; return p[0];", "p[0] = 1; q[0] = 2; return 1;", "int[] p, int[] q"));
    assert!(both("return o;", "return o == null ? 0 : o;", "Integer o"));
    let started = |start: i32| {
        format!(
            "class Case {{\n    static int open = {start};\n    static int entry() {{\n        return open;\n    }}\n}}\n"
        )
    };
    assert!(separated(Language::Java, &started(3), &started(4)));
}

#[test]
fn no_proved_c_pair_is_separated() {
    campaign(Language::C);
}

#[test]
fn no_proved_java_pair_is_separated() {
    campaign(Language::Java);
}

fn campaign(language: Language) {
    if is_there(language) {
        let folder = tempfile::tempdir().unwrap();
        let plan = Plan {
            language,
            pairs: 6,
            seed: 1,
            first: 0,
            inputs: 100,
            deadline: Duration::from_millis(200),
            batch: 6,
            jobs: 1,
            stop: Duration::from_secs(20),
            solver: find_solver(&workspace::root()),
            folder: folder.path().join("work"),
            loud: true,
        };
        let summary = campaign::run(&plan).unwrap();
        assert_eq!(summary.separated, 0, "{}", summary.show());
        assert!(summary.judged > 0, "{}", summary.show());
    }
}

//! `assert --propose` and `--write`: what is proposed is proved, and the written files are programs whose assertions hold.

use std::process::Command;

use crate::support::Workplace;
use serde_json::Value;

const JAVA: &str = "\
class Some {
    private int count;

    static int clamp(int x, int lo, int hi) {
        int r = x;
        if (r < lo) {
            r = lo;
        }
        if (r > hi) {
            r = hi;
        }
        return r;
    }

    static int positive(int[] a) {
        int s = 0;
        for (int i = 0; i < a.length; i++) {
            if (a[i] > 0) s++;
        }
        return s;
    }

    static int max(int a, int b) { return a > b ? a : b; }

    static boolean isLess(int a, int b) { return a < b; }

    void set(int to) {
        count = to;
    }

    @Deprecated
    int twice() { return count + count; }

    static int depth(int n) { if (n <= 0) return 0; int d = depth(n / 2); return d > 50 ? d : d + 1; }
}
";

const C: &str = "\
int total;

/* Half of it. */
unsigned half(unsigned x) {
    unsigned h = x / 2;
    return h;
}

void add(int by)
{
    total = total + by;
}

int digits(unsigned x) {
    int n = 1;
    while (x >= 10) {
        x = x / 10;
        n = n + 1;
    }
    return n;
}

int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; return 0; }
";

fn json(place: &Workplace, arguments: &[&str]) -> (Option<i32>, Value) {
    let all: Vec<&str> = ["assert"].iter().chain(arguments).copied().chain(["--format", "json"]).collect();
    let ran = place.run(&all);
    (ran.code, serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr)))
}

fn clauses(report: &Value, function: &str) -> Vec<String> {
    let all = report["proposals"].as_array().cloned().unwrap_or_default();
    let own = all.iter().filter(|it| it["function"].as_str() == Some(function));
    own.map(|it| it["clause"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_usual_templates_are_found_and_proved() {
    let place = Workplace::new();
    place.write("Some.java", JAVA).write("a.c", C);
    let (code, report) = json(&place, &[".", "--propose", "--store", "off"]);
    assert_eq!(code, Some(0), "{report:#}");
    for (function, clause) in [
        ("Some.clamp", "\\result <= hi"),
        ("Some.clamp", "\\result == x || \\result == lo || \\result == hi"),
        ("Some.positive", "\\result >= 0"),
        ("Some.positive", "\\result <= a.length"),
        ("Some.positive", "i >= 0"),
        ("Some.max", "\\result >= a"),
        ("Some.isLess", "\\result == (a < b)"),
        ("Some.set", "this.count == to"),
        ("Some.twice", "\\result == 2 * this.count"),
        ("Some.depth", "\\result >= 0"),
        ("half", "\\result <= x"),
        ("add", "total == \\old(total) + by"),
        ("digits", "\\result >= 1"),
        ("sign", "\\result == -1 || \\result == 0 || \\result == 1"),
    ] {
        let found = clauses(&report, function);
        assert!(found.iter().any(|it| it == clause), "{function}: `{clause}` is not among {found:?}");
    }
    // A function of the arguments says all; what follows from it is not worth a line.
    assert_eq!(clauses(&report, "add"), ["total == \\old(total) + by"]);
}

#[test]
fn what_is_written_is_a_program_and_holds() {
    let place = Workplace::new();
    place.write("Some.java", JAVA).write("a.c", C);
    let (_, proposed) = json(&place, &[".", "--propose", "--write", "--store", "off"]);
    let proposals = proposed["proposals"].as_array().unwrap();
    assert_eq!(proposed["summary"]["files_written"], 2);
    let (code, report) = json(&place, &[".", "--store", "off"]);
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(report["results"].as_array().unwrap().len(), proposals.len());
    // Each stands on the line that was said.
    for it in proposals {
        let name = it["file"].as_str().unwrap();
        let text = std::fs::read_to_string(place.path().join(name)).unwrap();
        let line = text.lines().nth(it["line"].as_u64().unwrap() as usize - 1).unwrap();
        assert!(line.contains(it["assertion"].as_str().unwrap()), "{line}: {it}");
    }
    for command in [&["javac", "-d", "out", "Some.java"][..], &["cc", "-c", "-o", "a.o", "a.c"]] {
        let ran = Command::new(command[0]).args(&command[1..]).current_dir(place.path()).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    // Lines were added, and nothing else was touched.
    let text = std::fs::read_to_string(place.path().join("Some.java")).unwrap();
    let left: Vec<&str> =
        text.lines().filter(|it| !it.contains("//@") && !it.trim().starts_with("assert ")).collect();
    assert_eq!(left, JAVA.lines().collect::<Vec<_>>());
}

#[test]
fn the_next_version_breaks_what_was_written() {
    let place = Workplace::new();
    place.write("old/Some.java", JAVA);
    place.run(&["assert", "old", "--propose", "--write", "--store", "off"]);
    let text = std::fs::read_to_string(place.path().join("old/Some.java")).unwrap();
    place.write("new/Some.java", text.replace("if (r > hi)", "if (r > hi + 1)"));
    let (code, report) = json(&place, &["old", "new", "--store", "off"]);
    assert_eq!(code, Some(1), "{report:#}");
    let results = report["results"].as_array().unwrap();
    let broken: Vec<&Value> = results.iter().filter(|it| it["outcome"] == "fails").collect();
    assert!(broken.iter().all(|it| it["function"] == "Some.clamp" && it["cause"] == "regression"));
    assert!(!broken.is_empty());
}

#[test]
fn two_versions_are_refused() {
    let place = Workplace::new();
    place.write("a.c", C);
    let ran = place.run(&["assert", "a.c", "a.c", "--propose"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("one version"), "{}", ran.stderr);
}

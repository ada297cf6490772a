//! The same input gives the same bytes, whatever the machine is doing: with a solver that answers late, beside busy
//! processes, with one thread or several.

use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::Workplace;

/// Pairs that need different engines: quick ones, loops side by side, unrolling, a bound that is reached, and two that use
/// up any effort.
const OLD: &str = "
int twice(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s; }
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int bits(unsigned x) { int c = 0; while (x) { c += x & 1; x >>= 1; } return c; }
int mix(int a, int b) { return (a ^ b) + 2 * (a & b); }
int cube(int a, int b) { return (a + b) * (a + b) * (a + b); }
unsigned hash(unsigned x) { x ^= x << 13; x *= x + 7; x ^= x >> 17; return x * x * x + x; }
int steps(int n) { int k = 0; while (n > 1 && k < 1000) { n = n % 2 ? 3 * n + 1 : n / 2; k++; } return k; }
";

const NEW: &str = "
int twice(int n) { int s = 0; for (int i = n; i > 0; i--) s += 2; return s; }
int sum(const int *a, int n) { int s = 0; int i = 0; while (i < n) { s = a[i] + s; i = i + 1; } return s; }
int bits(unsigned x) { int c = 0; while (x != 0) { if (x % 2) c++; x /= 2; } return c; }
int mix(int a, int b) { return a + b; }
int cube(int a, int b) { return a * a * a + 3 * a * a * b + 3 * a * b * b + b * b * b; }
unsigned hash(unsigned x) { x ^= x << 13; x *= x + 7; x ^= x >> 17; return x * (x * x + 1); }
int steps(int n) { int k = 0; while (n > 1 && k < 1000) { n = n & 1 ? n + n + n + 1 : n / 2; k += 1; } return k; }
";

/// Little enough for a test, and enough to get through all engines.
const EFFORT: [&str; 4] = ["--effort", "6", "--timeout", "3600"];

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("old.c", OLD).write("new.c", NEW);
    place
}

/// The report, without what the clock says.
fn report(place: &Workplace, arguments: &[&str]) -> Value {
    let arguments = [&["old.c", "new.c"], &EFFORT[..], arguments].concat();
    let (_, mut report) = place.json(&arguments);
    for result in report["results"].as_array_mut().expect("results") {
        for time in ["seconds", "solver_seconds"] {
            result["statistics"][time] = Value::Null;
        }
    }
    report
}

fn verdicts(report: &Value) -> Vec<(&str, &str)> {
    let results = report["results"].as_array().expect("results");
    results
        .iter()
        .map(|it| (it["function"].as_str().unwrap_or_default(), it["verdict"].as_str().unwrap_or_default()))
        .collect()
}

#[test]
fn a_solver_that_answers_late_changes_nothing() {
    let place = place();
    let usual = report(&place, &[]);
    assert!(verdicts(&usual).contains(&("twice", "equivalent")), "{usual}");
    let Some(solver) = cli::find_solver(None).ok().flatten() else { panic!("run `cargo xtask setup` first") };
    let script = format!(
        "#!/bin/sh\n'{}' \"$@\" | while IFS= read -r line; do sleep 0.02; printf '%s\\n' \"$line\"; done\n",
        solver.display()
    );
    let late = place.script("late", &script);
    assert_eq!(usual, report(&place, &["--solver", late.to_str().expect("a path")]));
}

#[test]
fn a_busy_machine_changes_nothing() {
    let place = place();
    let usual = report(&place, &["--jobs", "1"]);
    let busy: Vec<Busy> = (0..6).map(|_| Busy::start()).collect();
    assert_eq!(usual, report(&place, &["--jobs", "1"]));
    assert_eq!(usual, report(&place, &["--jobs", "8"]));
    drop(busy);
}

/// A process that does nothing, as fast as it can, until it is dropped.
struct Busy(Child);

impl Busy {
    fn start() -> Busy {
        let mut command = Command::new("sh");
        command.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
        Busy(command.spawn().expect("a shell"))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

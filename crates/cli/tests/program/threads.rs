//! Several threads on one pair: what comes out is what one thread finds, whatever is finished first.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use check::Threads;
use cli::{Job, Options, Source, Sources, Unit};
use ir::Language;
use serde_json::Value;

/// Two calls of what changed. At the first one the difference dies when the sign of the result is taken, at the second
/// one where the argument is made: neither is the smallest candidate.
const CLIENT: &str = "
int client(int x, int y) {
    int shifted = x + 7;
    int first = rate(shifted);
    int sign = 0;
    if (first > 0) sign = 1;
    int small = y & 15;
    int second = rate(small);
    int sum = second + small;
    return sum * 3 + sign;
}";

const RATE: &str = "int rate(int a) { if (a > 100) return a; return a & 3; }";

fn sources(library: &str) -> Sources {
    let source = Source::new("client.c", format!("{library}{CLIENT}"));
    Sources { files: vec![source], tolerant: false }
}

fn solver() -> Option<PathBuf> {
    cli::find_solver(None).ok().flatten()
}

/// The reports, without what the clock says.
fn reports(libraries: [&str; 2], count: usize) -> Vec<Value> {
    let [old, new] = libraries.map(sources);
    let function = Some("client".to_owned());
    let options = Options { function, solver: solver(), ..Options::usual() };
    let count = NonZero::new(count).expect("somebody has to work");
    // All begin at once, so that they get into each other's way as much as they can.
    let threads = Threads { count, stack_bytes: 16 << 20, head_start: Duration::ZERO };
    let job = Job { units: vec![Unit { language: Language::C, old, new }], options };
    let reports = cli::check_in_process(job, threads).expect("the sources should be good");
    let without_clock = |report| {
        let mut value = serde_json::to_value(report).expect("reports should be plain data");
        for time in ["seconds", "solver_seconds"] {
            value["statistics"][time] = Value::Null;
        }
        value
    };
    reports.into_iter().map(without_clock).collect()
}

#[test]
fn more_threads_report_the_same() {
    let cases = [
        (RATE.replace("return a;", "return a / 2 + 1;"), "equivalent"),
        (RATE.replace("return a;", "return 5;"), "equivalent"),
        (RATE.replace("return a;", "return a - 2147483647;"), "different"),
    ];
    for (new, verdict) in &cases {
        let alone = reports([RATE, new], 1);
        if solver().is_some() {
            assert_eq!(alone[0]["verdict"], *verdict, "{alone:?}");
        }
        for count in [2, 3, 4, 8] {
            assert_eq!(reports([RATE, new], count), alone, "{count} threads, {new}");
        }
    }
}

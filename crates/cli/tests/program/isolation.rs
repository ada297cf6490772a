//! What goes wrong during a check costs one pair its verdict, in time, and leaves no process behind.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Workplace, class, reasons, verdicts};

/// A pair that tests do not separate and that needs the solver.
const NEEDS_SOLVER: [&str; 2] = [
    "class A {\n static int f(int a, int b) { return (a ^ b) + 2 * (a & b); }\n}\n",
    "class A {\n static int f(int a, int b) { return a + b; }\n}\n",
];

/// A busy machine may be late, but not as late as what hangs: that sleeps for 1000 seconds, or never ends.
const SLACK: Duration = Duration::from_secs(500);

fn pair() -> Workplace {
    let place = Workplace::new();
    place.write("old.java", NEEDS_SOLVER[0]).write("new.java", NEEDS_SOLVER[1]);
    place
}

#[test]
fn with_a_good_solver_the_pair_is_proved() {
    let (code, report) = pair().json(&["old.java", "new.java"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
    assert_eq!(report["results"][0]["strategy"], "bounded");
}

#[test]
fn a_solver_that_dies_makes_the_pair_unknown() {
    let place = pair();
    let solver = place.script("dies", "#!/bin/sh\nexit 3\n");
    let (code, report) = place.json(&["old.java", "new.java", "--solver", solver.to_str().unwrap()]);
    assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
    assert!(reasons(&report).contains("the solver failed"), "{report}");
}

#[test]
fn a_solver_that_is_killed_under_way_makes_the_pair_unknown() {
    let place = pair();
    let solver = place.script("killed", "#!/bin/sh\nread line\nkill -9 $$\n");
    let (code, report) = place.json(&["old.java", "new.java", "--solver", solver.to_str().unwrap()]);
    assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
    assert!(reasons(&report).contains("the solver failed"), "{report}");
}

#[test]
fn a_solver_that_talks_nonsense_makes_the_pair_unknown() {
    let place = pair();
    let solver = place.script("junk", "#!/bin/sh\nyes '((((what'\n");
    let (code, report) =
        place.json(&["old.java", "new.java", "--timeout", "10", "--solver", solver.to_str().unwrap()]);
    assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
}

/// A solver that says *unsat* to everything.
const LIES: &str = r#"#!/bin/sh
while read -r line; do
  case "$line" in
    *check-sat*) echo unsat ;;
    *"(echo "*) marker=${line#*\"}; echo "${marker%\"*}" ;;
  esac
done
"#;

#[test]
fn a_solver_that_lies_is_caught_by_a_run_and_is_a_bug_of_ours() {
    let place = Workplace::new();
    let text = |sign: &str| format!("class A {{\n static int f(int a, int b) {{ return a {sign} b; }}\n}}\n");
    place.write("old.java", text("*")).write("new.java", text("^"));
    let solver = place.script("lies", LIES);
    let solver = solver.to_str().unwrap();
    let (code, report) = place.json(&["old.java", "new.java", "--strategy", "naive", "--solver", solver]);
    assert_eq!((code, verdicts(&report)), (Some(101), vec!["unknown"]), "{report}");
    let reasons = reasons(&report);
    assert!(reasons.contains("a bug of selfsame"), "{report}");
    assert!(reasons.contains("proved equal, but runs on"), "{report}");
}

#[test]
fn endless_words_of_a_solver_are_not_copied_into_the_report() {
    let place = pair();
    // The greeting is answered as by a solver, then a line without an end follows.
    let talks = "#!/bin/sh\nwhile read line; do case $line in *check-sat*) echo unsat;; *echo*) echo selfsame-1; break;; \
                 esac; done\nyes 'no end' | tr -d '\\n'\n";
    for (name, text) in [("talks", talks), ("floods", "#!/bin/sh\nyes 'no end' | tr -d '\\n'\n")] {
        let solver = place.script(name, text);
        let (code, report) =
            place.json(&["old.java", "new.java", "--timeout", "100", "--solver", solver.to_str().unwrap()]);
        assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{name}");
        let reasons = reasons(&report);
        assert!(reasons.contains("no end") && reasons.len() < 2000, "{name}: {reasons:.3000}");
    }
}

#[test]
fn a_solver_at_a_path_with_spaces_is_found() {
    let place = pair();
    let Some(real) = cli::find_solver(None).ok().flatten() else { return };
    let solver = place.script("my solver ä", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", real.display()));
    let (code, report) = place.json(&["old.java", "new.java", "--solver", solver.to_str().unwrap()]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
}

#[test]
fn a_worker_that_is_killed_from_outside_is_not_called_out_of_memory() {
    for signal in ["KILL", "TERM"] {
        let place = pair();
        // The worker is the parent of its solver.
        let solver = place.script("kills", &format!("#!/bin/sh\nkill -{signal} $PPID\nexec sleep 1000\n"));
        let (code, report) = place.json(&["old.java", "new.java", "--solver", solver.to_str().unwrap()]);
        assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
        let expected = format!("the process that checked this pair was killed from outside (SIG{signal})");
        assert!(reasons(&report).contains(&expected), "{report}");
    }
}

#[test]
fn little_memory_costs_threads_and_not_the_verdict() {
    let (code, report) = pair().json(&["old.java", "new.java", "--memory", "200"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
}

#[test]
fn a_killed_parent_leaves_nothing_of_the_preprocessor_behind() {
    for signal in ["KILL", "TERM", "INT"] {
        let place = Workplace::new();
        place.write("a.c", "#include <limits.h>\nint f(void) { return INT_MAX; }\n");
        // A compiler that leaves the work to another program, and waits for it. It may write no files, but links.
        let compiler =
            place.script("compiler", "#!/bin/sh\nsh -c 'ln -s \"$$ $PPID\" pids; exec sleep 1000'\nexit 1\n");
        let mut command = place.interruptible(&["check", "a.c", "a.c"]);
        let mut child = command.env("CC", compiler).stdout(Stdio::null()).spawn().unwrap();
        let pids = (0..6000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            fs::read_link(place.path().join("pids")).ok()
        });
        let pids = pids.expect("the compiler should have been started");
        let pids = pids.to_str().unwrap();
        let kill = [format!("-{signal}"), child.id().to_string()];
        assert!(Command::new("kill").args(kill).status().unwrap().success());
        child.wait().unwrap();
        for pid in pids.split_whitespace() {
            assert!(is_gone(pid), "the process {pid} should be gone after SIG{signal}");
        }
    }
}

#[test]
fn a_solver_that_hangs_is_stopped_in_time_and_leaves_nothing_behind() {
    let place = pair();
    let solver = place.script("hangs", "#!/bin/sh\necho $$ > pid\nexec sleep 1000\n");
    let start = Instant::now();
    let (code, report) =
        place.json(&["old.java", "new.java", "--timeout", "2", "--solver", solver.to_str().unwrap()]);
    assert!(start.elapsed() < Duration::from_secs(2) + SLACK, "it took {:?}", start.elapsed());
    assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
    let pid = fs::read_to_string(place.path().join("pid")).unwrap();
    assert!(is_gone(pid.trim()), "the solver {pid} should be gone");
}

#[test]
fn an_interrupt_ends_the_workers_and_their_solvers() {
    let place = pair();
    let solver =
        place.script("hangs", "#!/bin/sh\necho $$ $PPID > partial\nmv partial pids\nexec sleep 1000\n");
    let solver = solver.to_str().unwrap();
    let mut command = place.interruptible(&["check", "old.java", "new.java", "--solver", solver]);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let pids = (0..6000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        fs::read_to_string(place.path().join("pids")).ok()
    });
    let pids = pids.expect("the solver should have been started");
    // Only the parent gets the signal, as from a supervisor; at a terminal all of them would.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap();
    for pid in pids.split_whitespace() {
        assert!(is_gone(pid), "the process {pid} should be gone");
    }
}

/// Waits for the kernel to clean up; a zombie counts as gone.
fn is_gone(pid: &str) -> bool {
    (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        match fs::read_to_string(format!("/proc/{pid}/stat")) {
            Err(_) => true,
            Ok(stat) => stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
        }
    })
}

#[test]
fn without_a_solver_the_cheap_strategies_still_decide() {
    let place = Workplace::new();
    place.write(
        "old.java",
        class("A", "static int f(int a) { return a + 1; }\n static int g(int a) { return a; }"),
    );
    place.write(
        "new.java",
        class("A", "static int f(int a) { return 1 + a; }\n static int g(int a) { return -a; }"),
    );
    let mut command = place.command(&["check", "old.java", "new.java", "--format", "json"]);
    let ran = crate::support::finish(command.env_remove("SELFSAME_SOLVER").env("PATH", "/nowhere"));
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(verdicts(&report), ["equivalent", "different"], "{report}");
}

#[test]
fn a_memory_blow_up_costs_the_verdict_and_says_so() {
    let place = Workplace::new();
    // Two megabytes of source in 64 megabytes of memory, the stack included.
    let mut methods = String::new();
    while methods.len() < 2 << 20 {
        methods += &format!("static int f{}(int a) {{ return a * a + a - 7 * a; }}\n", methods.len());
    }
    place.write("old.java", class("Big", &methods));
    let (code, report) = place.json(&["old.java", "old.java", "--function", "f0", "--memory", "64"]);
    assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
    assert!(reasons(&report).contains("the memory for this pair was used up"), "{report}");
}

#[test]
fn a_timeout_stops_the_whole_process_for_a_single_pair() {
    let place = Workplace::new();
    // Factoring: no test finds the factors, and no solver does in time.
    let body = |result: &str| {
        format!(
            "int f(unsigned long long a, unsigned long long b) {{\n  if (a > 1 && b > 1 && a < 4294967296ULL && b < 4294967296ULL \
             && a * b == 18446744030759878681ULL) return {result};\n  return 0;\n}}\n"
        )
    };
    place.write("old.c", body("1")).write("new.c", body("2"));
    let start = Instant::now();
    let (code, report) = place.json(&["old.c", "new.c", "--timeout", "1.5"]);
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_millis(1500) + SLACK, "it took {elapsed:?}");
    // A solver that is faster than all of number theory would be welcome.
    if code != Some(1) {
        assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
        assert!(reasons(&report).contains("time"), "{report}");
    }
}

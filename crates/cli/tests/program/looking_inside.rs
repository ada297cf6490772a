//! What was tried, what a proof rests on, and what a second solver says of it.

use std::fs;

use serde_json::Value;

use crate::support::{Workplace, reasons, verdicts};

/// Loops that are proved in lockstep, with questions to the solver.
fn pair() -> Workplace {
    let place = Workplace::new();
    let text = |step: &str| {
        format!(
            "int sum(int *a, int n) {{ int s = 0; for (int i = 0; i < n; i++) {{ {step} }} return s; }}\n"
        )
    };
    place.write("old.c", text("s += a[i] * 3;")).write("new.c", text("s += a[i]; s += 2 * a[i];"));
    place
}

/// A second solver that knows that false is unsatisfiable, and says the same word to everything else.
fn second(place: &Workplace, says: &str) -> String {
    let text = format!(
        r#"#!/bin/sh
answer=unsat
while read -r line; do
  case "$line" in
    *check-sat*) echo $answer; answer={says} ;;
    *":name"*) echo '(:name "second")' ;;
    *":version"*) echo '(:version "1")' ;;
    *":reason-unknown"*) echo '(:reason-unknown "tired")' ;;
    *"(echo "*) marker=${{line#*\"}}; echo "${{marker%\"*}}" ;;
  esac
done
"#
    );
    place.script(says, &text).to_str().unwrap().to_owned()
}

#[test]
fn the_plan_has_a_line_for_each_step_of_the_schedule() {
    let ran = pair().run(&["check", "old.c", "new.c", "--dump", "plan"]);
    let strategies: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| !line.starts_with(';'))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(strategies[..3], ["identical", "testing", "boundary"], "{}", ran.stdout);
    let last = ran.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("coupling") && last.ends_with("equivalent"), "{}", ran.stdout);
}

#[test]
fn loops_and_invariants_are_shown() {
    let place = pair();
    let loops = place.run(&["check", "old.c", "new.c", "--dump", "loops"]).stdout;
    assert!(loops.contains("old=1 new=1 iterations="), "{loops}");
    let invariants = place.run(&["check", "old.c", "new.c", "--dump", "invariants"]).stdout;
    assert!(invariants.contains("proved=old.i = new.i"), "{invariants}");
}

#[test]
fn a_trace_is_json_lines_and_the_same_each_time() {
    let place = pair();
    let trace = |name: &str| {
        place.run(&["check", "old.c", "new.c", "--trace", name]);
        fs::read_to_string(place.path().join(name)).unwrap()
    };
    let text = trace("one.jsonl");
    let events: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned())
        .collect();
    for event in ["pair", "plan", "question", "invariants", "loops"] {
        assert!(events.iter().any(|it| it == event), "no {event} in {events:?}");
    }
    assert_eq!(text, trace("two.jsonl"));
}

#[test]
fn a_proof_is_a_manifest_and_scripts_that_are_unsat() {
    let place = pair();
    let ran = place.run(&["check", "old.c", "new.c", "--proof", "proof.json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(place.path().join("proof.json")).unwrap()).unwrap();
    let obligations = manifest["pairs"][0]["obligations"].as_array().unwrap();
    let questions: Vec<&str> = obligations.iter().filter_map(|it| it["question"].as_str()).collect();
    assert!(questions.contains(&"violation") && questions.contains(&"difference"), "{manifest}");
    assert!(!questions.contains(&"hypothetical"), "{manifest}");
    for obligation in obligations {
        let script = place.path().join("proof.json.obligations").join(obligation["script"].as_str().unwrap());
        let text = fs::read_to_string(script).unwrap();
        assert!(text.contains("(assert") && text.ends_with("(check-sat)\n"), "{text}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_bad_input_before_anything_is_done() {
    let ran = pair().run(&["check", "old.c", "new.c", "--trace", "nowhere/trace.jsonl"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.stderr.contains("nowhere/trace.jsonl cannot be written"), "{}", ran.stderr);
}

#[test]
fn a_second_solver_confirms_a_proof() {
    let place = pair();
    let solver = second(&place, "unsat");
    let (code, report) = place.json(&["old.c", "new.c", "--cross-check", &solver]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
    assert!(report["results"][0]["evidence"].to_string().contains("second 1 confirmed"), "{report}");
}

#[test]
fn a_proof_that_is_not_confirmed_is_unknown() {
    let place = pair();
    let solver = second(&place, "unknown");
    let (code, report) = place.json(&["old.c", "new.c", "--cross-check", &solver]);
    assert_eq!((code, verdicts(&report)), (Some(3), vec!["unknown"]), "{report}");
    assert!(reasons(&report).contains("second 1 could not confirm"), "{report}");
}

#[test]
fn solvers_that_disagree_are_an_internal_error() {
    let place = pair();
    let solver = second(&place, "sat");
    let (code, report) = place.json(&["old.c", "new.c", "--cross-check", &solver]);
    assert_eq!((code, verdicts(&report)), (Some(101), vec!["unknown"]), "{report}");
    assert!(reasons(&report).contains("two solvers disagree"), "{report}");
}

#[test]
fn a_second_solver_that_is_not_there_is_bad_input() {
    let ran = pair().run(&["check", "old.c", "new.c", "--cross-check", "nowhere/cvc5"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("nowhere/cvc5"), "{}", ran.stderr);
}

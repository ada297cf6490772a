//! `selfsame bench` from outside: scores, reports in every format, going on after a stop, and the user's mistakes.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, Workplace, class};

/// A line of a suite. Texts are bodies of `f`, for C as they are.
fn line(case: &str, language: &str, label: &str, old: &str, new: &str) -> String {
    let text = |text: &str| match language {
        "java" => class("A", &format!("static int f(int a) {{ {text} }}")),
        _ => text.to_owned(),
    };
    let pair = json!({
        "suite": "demo", "case": case, "language": language, "function": "f", "numbers": "machine",
        "truth": {"machine": label}, "old_name": format!("old.{language}"), "new_name": format!("new.{language}"),
        "old": text(old), "new": text(new),
    });
    format!("{pair}\n")
}

/// Six pairs: proved in Java and in C, the same code, a difference, a wrong label, a syntax error.
fn suite() -> String {
    [
        line("java/plus/Eq", "java", "equivalent", "return a + 1;", "return 1 + a;"),
        line("java/same/Eq", "java", "equivalent", "return a;", "/* still */ return a;"),
        line("java/sign/NEq", "java", "different", "return a;", "return -a;"),
        line("twice", "c", "equivalent", "int f(int a) { return a * 2; }", "int f(int a) { return 2 * a; }"),
        line("mislabelled", "java", "equivalent", "return a;", "return a + 7;"),
        line("broken", "c", "different", "int f(int a) { return a; }", "int f(int a) { return (a; }"),
    ]
    .concat()
}

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("demo.jsonl", suite());
    place
}

/// The suite with two strategies, into a folder.
fn bench(place: &Workplace, out: &str, more: &[&str]) -> Ran {
    let usual = ["bench", "demo.jsonl", "--strategies", "auto,identical", "--timeout", "20", "--out", out];
    place.run(&[&usual, more].concat())
}

fn read(place: &Workplace, name: &str) -> String {
    fs::read_to_string(place.path().join(name)).unwrap()
}

fn report(place: &Workplace, out: &str) -> Value {
    serde_json::from_str(&read(place, &format!("{out}/report.json"))).unwrap()
}

/// A report without what depends on the machine's speed.
fn without_times(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for name in ["seconds", "solver_seconds", "inputs_tried", "jobs"] {
                    fields.remove(name);
                }
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}

#[test]
fn verdicts_are_scored_and_a_contradicted_label_is_shown_with_the_evidence() {
    let place = place();
    let ran = bench(&place, "out", &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("WRONG: 1 verdict on 1 pair against the label\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  demo/mislabelled is labelled equivalent\n    auto says different: f("));
    assert!(ran.stdout.contains(" (seen by interpreter)\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains(
        "solved by auto and not by identical: 3: demo/java/plus/Eq, demo/java/sign/NEq, demo/twice\n"
    ));
    assert!(
        ran.stdout.contains("Without a verdict (2)\n  demo/broken (different), auto in "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.contains("selfsame: WRONG, or a wrong label: demo/mislabelled (equivalent) with auto\n")
    );

    let report = report(&place, "out");
    assert_eq!((&report["schema"], &report["pairs"]), (&json!("selfsame-bench/1"), &json!(6)));
    let figures = |strategy: usize| {
        let tally = &report["suites"][0]["tallies"][strategy];
        [
            "equivalent",
            "equivalent_solved",
            "different",
            "different_solved",
            "wrong",
            "unknown",
            "crash",
            "points",
        ]
        .map(|name| tally[name].as_i64().unwrap())
    };
    assert_eq!(figures(0), [4, 3, 2, 1, 1, 0, 1, 2 + 2 + 2 + 1 - 16]);
    assert_eq!(figures(1), [4, 1, 2, 0, 0, 4, 1, 2]);
    let groups: Vec<_> = report["groups"].as_array().unwrap().iter().map(|group| &group["name"]).collect();
    assert_eq!(groups, ["demo/java", "demo"]);
    assert_eq!(report["contradictions"][0]["case"], "demo/mislabelled");
    assert_eq!(report["contradictions"][0]["strategies_disagree"], false);
}

#[test]
fn every_format_is_written_and_agrees() {
    let place = place();
    let ran = bench(&place, "a/new/folder", &[]);
    assert!(ran.stderr.ends_with("selfsame: the reports are in a/new/folder\n"), "{}", ran.stderr);
    assert_eq!(read(&place, "a/new/folder/report.txt"), ran.stdout);

    let csv = read(&place, "a/new/folder/runs.csv");
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 1 + 6 * 2);
    assert!(rows[1].starts_with("demo,java,java/plus/Eq,java,f,machine,equivalent,auto,solved,equivalent,,"));
    assert!(rows[10].starts_with("demo,,mislabelled,java,f,machine,equivalent,identical,unknown,unknown,,"));
    assert!(rows[11].starts_with("demo,,broken,c,f,machine,different,auto,crash,,,,"), "{}", rows[11]);

    let markdown = read(&place, "a/new/folder/report.md");
    assert!(markdown.contains("| demo | auto | 3+0 of 4 | 1 of 2 | 1 | 0 | 1 | -9 | "), "{markdown}");
    let page = read(&place, "a/new/folder/report.html");
    assert!(
        page.contains("<td class=\"w\">auto</td><td>3+0 of 4</td><td>1 of 2</td><td class=\"bad\">1</td>")
    );
    assert!(page.contains(">auto: 4</text>") && page.contains(">identical: 1</text>"), "{page}");
    for sign in ["http", "src=", "href=", "url(", "<script", "<link"] {
        assert!(!page.contains(sign), "{sign}");
    }
}

#[test]
fn the_reports_do_not_depend_on_the_number_of_jobs() {
    let place = place();
    bench(&place, "one", &["--jobs", "1"]);
    bench(&place, "four", &["--jobs", "4"]);
    assert_eq!(without_times(report(&place, "one")), without_times(report(&place, "four")));
}

#[test]
fn a_run_that_was_cut_off_goes_on_where_it_stopped() {
    let place = place();
    bench(&place, "out", &[]);
    let whole = read(&place, "out/runs.jsonl");
    assert_eq!(whole.lines().count(), 12);
    let before = report(&place, "out");
    // Killed while it wrote the last line.
    place.write("out/runs.jsonl", &whole[..whole.len() - 30]);
    let ran = bench(&place, "out", &["--resume"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("out/runs.jsonl:12: this line is damaged and was dropped; its run is repeated\n")
    );
    assert!(ran.stderr.contains("selfsame: 11 of 12 runs were finished before\n"), "{}", ran.stderr);
    assert_eq!(without_times(report(&place, "out")), without_times(before));
    let again = bench(&place, "out", &["--resume"]);
    assert!(again.stderr.contains("selfsame: 12 of 12 runs were finished before\n"), "{}", again.stderr);
    assert_eq!(read(&place, "out/runs.jsonl").lines().count(), 12);
}

#[test]
fn what_was_finished_with_other_options_or_texts_is_repeated() {
    let place = place();
    bench(&place, "out", &[]);
    let other = bench(&place, "out", &["--resume", "--bound", "2"]);
    assert!(!other.stderr.contains("were finished before"), "{}", other.stderr);
    place.write("demo.jsonl", suite().replacen("return a + 1;", "return a + 1 + 0;", 1));
    let changed = bench(&place, "out", &["--resume"]);
    assert!(changed.stderr.contains("selfsame: 10 of 12 runs were finished before\n"), "{}", changed.stderr);
}

#[test]
fn a_folder_of_pairs_is_a_suite() {
    let place = Workplace::new();
    let java = |result: &str| {
        format!("public class V {{ public static double snippet(double x) {{ return {result}; }} }}")
    };
    place.write("set/Bess/j0/Eq/oldV.java", java("x * 2")).write("set/Bess/j0/Eq/newV.java", java("2 * x"));
    place.write("set/Bess/j0/NEq/oldV.java", java("x")).write("set/Bess/j0/NEq/newV.java", java("x + 1"));
    place.write("set/plain/NEq/old.c", "#include \"k.h\"\nint g(int a) { return a + K; }");
    place.write("set/plain/NEq/new.c", "#include \"k.h\"\nint g(int a) { return a - K; }");
    place.write("set/plain/NEq/k.h", "#define K 3\n");
    let ran = place.run(&["bench", "set", "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = report(&place, "out");
    let cases: Vec<_> = report["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| ["case", "group", "function", "numbers"].map(|name| case[name].as_str().unwrap()))
        .collect();
    assert_eq!(
        cases,
        [
            ["Bess/j0/Eq", "Bess", "snippet", "math"],
            ["Bess/j0/NEq", "Bess", "snippet", "math"],
            ["plain/NEq", "", "g", "math"]
        ]
    );
    let tally = &report["suites"][0]["tallies"][0];
    assert_eq!((&tally["equivalent_solved"], &tally["different_solved"]), (&json!(1), &json!(2)), "{tally}");
}

#[test]
fn pairs_are_chosen_by_name_by_sample_and_by_their_labels() {
    let place = place();
    let names = |arguments: &[&str]| {
        let ran = place.run(
            &[&["bench", "demo.jsonl", "--strategies", "identical", "--out", "out"], arguments].concat(),
        );
        assert!(ran.code.is_some_and(|code| code < 2), "{ran:?}");
        let report = report(&place, "out");
        fs::remove_dir_all(place.path().join("out")).unwrap();
        let cases = report["cases"].as_array().unwrap();
        cases.iter().map(|case| case["case"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["--only", "demo/java"]), ["java/plus/Eq", "java/same/Eq", "java/sign/NEq"]);
    assert_eq!(names(&["--sample", "2"]), ["java/plus/Eq", "twice"]);
    let mixed = suite().replacen("{\"machine\":\"equivalent\"}", "{\"math\":\"equivalent\"}", 1);
    place.write("demo.jsonl", mixed);
    assert_eq!(names(&["--numbers", "math"]), ["java/plus/Eq"]);
    assert_eq!(names(&["--numbers", "machine"]).len(), 5);
}

#[test]
fn mistakes_are_named() {
    let place = place();
    place.write("bad.jsonl", suite() + "{\"suite\": 3}\n").write("empty.jsonl", "\n").write("file", "x");
    place.write("nothing/readme", "x");
    place.write("out/runs.jsonl", "{}\n");
    let wrong: [(&[&str], &str); 10] = [
        (&["bench"], "<SUITE>"),
        (&["bench", "missing.jsonl"], "selfsame: missing.jsonl: this suite cannot be read: "),
        (
            &["bench", "bad.jsonl"],
            "selfsame: bad.jsonl:7: this line is not a labelled pair: invalid type: integer `3`",
        ),
        (&["bench", "empty.jsonl"], "selfsame: empty.jsonl: there is no labelled pair in this suite\n"),
        (&["bench", "nothing"], "selfsame: nothing: there is no labelled pair in this suite\n"),
        (&["bench", "file"], "selfsame: file: a suite is a .jsonl file, or a folder"),
        (
            &["bench", "demo.jsonl", "--strategies", "auto,magic"],
            "no strategy is called `magic`; there are auto, ",
        ),
        (&["bench", "demo.jsonl", "--only", "zzz"], "selfsame: no pair has `zzz` in its name (suite/case)\n"),
        (
            &["bench", "demo.jsonl", "--numbers", "math"],
            "selfsame: no pair is left: 6 have no label for math numbers\n",
        ),
        (&["bench", "demo.jsonl", "--resume"], "--out"),
    ];
    for (arguments, part) in wrong {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(part), "{arguments:?} should mention {part}:\n{}", ran.stderr);
    }
    let taken = bench(&place, "out", &[]);
    assert_eq!(taken.code, Some(2));
    assert!(
        taken.stderr.contains("out: there is a benchmark in this folder; go on with --resume"),
        "{taken:?}"
    );
    let blocked = bench(&place, "file/out", &[]);
    assert_eq!(blocked.code, Some(2));
    assert!(blocked.stderr.contains("selfsame: file/out: this folder cannot be written to: "), "{blocked:?}");
}

#[test]
fn help_teaches_with_examples_and_the_format() {
    let ran = Workplace::new().run(&["bench", "--help"]);
    assert_eq!(ran.code, Some(0));
    for part in ["Examples:", "--strategies auto,naive,testing", "\"truth\"", "Exit codes:", "--resume"] {
        assert!(ran.stdout.contains(part), "{part} is missing in\n{}", ran.stdout);
    }
}

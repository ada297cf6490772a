//! `selfsame bench` from outside: scores, reports in every format, going on after a stop, and the user's mistakes.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

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
                for name in [
                    "seconds",
                    "solver_seconds",
                    "check_seconds",
                    "solved_seconds",
                    "crash_seconds",
                    "inputs_tried",
                    "jobs",
                    "machine",
                ] {
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
        ran.stdout.contains("Without a verdict (2)\n  demo/broken (different), auto, "),
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
    assert!(page.contains(">auto: 4<title>") && page.contains(">identical: 1<title>"), "{page}");
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
        assert!(ran.code.is_some_and(|code| code != 2), "{ran:?}");
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
            "selfsame: no pair is left: 6 without a label for the numbers that are asked for; as demo/java/plus/Eq: it has no label for math numbers; `--labels FILE` gives labels\n",
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

/// A Java class with a public static method, as the published folders have it.
fn snippet(result: &str) -> String {
    format!("public class V {{ public static double snippet(double x) {{ return {result}; }} }}")
}

#[test]
fn labels_above_the_pair_count_and_what_is_left_out_is_said() {
    let place = Workplace::new();
    place
        .write("set/Mod/Eq/Add/oldV.java", snippet("x + 1"))
        .write("set/Mod/Eq/Add/newV.java", snippet("1 + x"));
    place.write("set/low/neq/é/oldv.java", snippet("x")).write("set/low/neq/é/newv.java", snippet("x + 1"));
    place.write("set/half/Eq/newV.java", snippet("x")).write("set/none/old.c", "int f(int a) { return a; }");
    place.write("set/none/new.c", "int f(int a) { return a; }");
    let ran = place.run(&["bench", "set", "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.starts_with("selfsame: left out: set/half/Eq/newV.java: there is no old version beside it\nselfsame: and 1 more"), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("Left out (2)\n  1, because no folder above it is called Eq or NEq: set/none\n"),
        "{}",
        ran.stdout
    );
    let report = report(&place, "out");
    let names: Vec<_> = report["cases"].as_array().unwrap().iter().map(|case| &case["case"]).collect();
    assert_eq!(names, ["Mod/Eq/Add", "low/neq/é"]);
    assert_eq!(report["left_out"].as_array().unwrap().len(), 2);

    // A label from elsewhere brings the pair back; one that is wrong is corrected, with its reason.
    place.write(
        "labels.csv",
        "case,label,reason\nnone,equivalent,\nset/Mod/Eq/Add,different,\"said, but not so\"\n",
    );
    let ran = place.run(&["bench", "set", "--labels", "labels.csv", "--out", "corrected"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stdout.contains("  set/Mod/Eq/Add: different instead of equivalent (said, but not so)\n  set/none: equivalent instead of no label\n"),
        "{}",
        ran.stdout
    );
    let csv = read(&place, "corrected/runs.csv");
    assert!(csv.contains("\nset,Mod,Mod/Eq/Add,java,snippet,math,different,auto,wrong,equivalent,"), "{csv}");
}

#[test]
fn crashes_are_crashes_with_their_time_and_an_exit_code() {
    let place = Workplace::new();
    let broken =
        line("broken", "c", "different", "int f(int a) { return a; }", "int f(int a) { return (a; }");
    let fine = line("plus", "java", "equivalent", "return a + 1;", "return 1 + a;");
    place.write("demo.jsonl", broken + &fine);
    let ran = place.run(&["bench", "demo.jsonl", "--out", "out"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.stdout.ends_with("No verdict is the opposite of its label, but 1 run is without one.\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains(": demo/broken with auto: crash, "), "{}", ran.stderr);
    assert!(!ran.stderr.contains("crash, 0.000 s"), "{}", ran.stderr);
    let report = report(&place, "out");
    let tally = &report["suites"][0]["tallies"][0];
    assert!(tally["crash_seconds"].as_f64().unwrap() > 0.0, "{tally}");
    assert_eq!(tally["seconds"]["least"], report["cases"][1]["runs"][0]["seconds"], "{tally}");
}

#[test]
fn a_worker_that_dies_is_a_crash_and_not_unknown() {
    let place = Workplace::new();
    place.write(
        "demo.jsonl",
        line(
            "loop",
            "java",
            "equivalent",
            "int s = 0; for (int i = 0; i < a; i++) { s += i; } return s;",
            "int s = 0; for (int i = a - 1; i >= 0; i--) { s += i; } return s;",
        ),
    );
    // The solver kills the worker that asks it.
    let killer = place.script(
        "killer",
        "#!/bin/sh\ncase \"$1\" in --version) echo killer 1; exit;; esac\nkill -KILL $PPID\n",
    );
    let ran = place.run(&[
        "bench",
        "demo.jsonl",
        "--strategies",
        "naive",
        "--solver",
        killer.to_str().unwrap(),
        "--out",
        "out",
    ]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.stderr.contains("CRASH: demo/loop with naive: the process that checked this pair was killed"),
        "{}",
        ran.stderr
    );
    assert_eq!(report(&place, "out")["machine"]["solver"], format!("killer 1 ({})", killer.display()));
    assert_eq!(read(&place, "out/runs.jsonl"), "", "it is made again after --resume");
}

#[test]
fn the_procedure_is_the_one_that_was_asked_for_or_that_nobody_calls() {
    let place = Workplace::new();
    let two =
        |by: &str| format!("int lib(int a) {{ return a; }}\nint client(int a) {{ return lib(a) * {by}; }}\n");
    let pair = json!({
        "suite": "demo", "case": "two", "language": "c", "numbers": "machine", "truth": {"machine": "different"},
        "old_name": "a.c", "new_name": "a.c", "old": two("2"), "new": two("3"),
    });
    place.write("demo.jsonl", format!("{pair}\n"));
    let ran = place.run(&["bench", "demo.jsonl", "--out", "guessed"]);
    assert_eq!(
        (ran.code, &report(&place, "guessed")["cases"][0]["function"]),
        (Some(0), &json!("client")),
        "{ran:?}"
    );
    let ran = place.run(&["bench", "demo.jsonl", "--function", "lib", "--out", "asked"]);
    assert_eq!(
        (ran.code, &report(&place, "asked")["cases"][0]["function"]),
        (Some(1), &json!("lib")),
        "{ran:?}"
    );
}

#[test]
fn repetitions_show_their_spread_and_other_tools_stand_beside() {
    let place = Workplace::new();
    let mut suite: String = [1, 2, 3, 12]
        .map(|calls| {
            let pair =
                line(&format!("g/calls/{calls}"), "java", "equivalent", "return a + 1;", "return 1 + a;");
            pair.replacen('{', &format!("{{\"calls\":{calls},"), 1)
        })
        .concat();
    suite += &line("g/ünïcode, \"q\"/NEq", "java", "different", "return a;", "return -a;");
    place.write("demo.jsonl", suite);
    place.write(
        "paper.csv",
        "tool,group,label,solved,bounded,of,mean_seconds\nPAPER,g,equivalent,15,1,17,25.04\n",
    );
    place.write("tool.csv", "tool,case,verdict,seconds\nTOOL,g/calls/1,unknown,300\n");
    let arguments =
        ["bench", "demo.jsonl", "--repeat", "2", "--published", "paper.csv", "--published", "tool.csv"];
    let ran = place.run(&[&arguments[..], &["--strategies", "auto,naive", "--out", "out"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("selfsame: 20 of 20: "), "{}", ran.stderr);
    let value = report(&place, "out");
    assert_eq!((&value["repetitions"], &value["cases"][3]["calls"]), (&json!(2), &json!(12)));
    assert_eq!(value["cases"][0]["runs"][0]["repetitions"].as_array().unwrap().len(), 2);
    assert!(value["machine"]["commit"].is_string() && value["machine"]["processor"].is_string(), "{value}");
    let solved = read(&place, "out/tables/solved-eq.csv");
    assert_eq!(
        solved,
        "group,pairs,auto,naive,PAPER,TOOL\ndemo/g,4,4,4,15+1 of 17,0 of 1\nall,4,4,4,-,0 of 1\n"
    );
    let neq = read(&place, "out/tables/neq.csv");
    assert!(neq.contains("demo/g,\"g/ünïcode, \"\"q\"\"/NEq\",solved,"), "{neq}");
    for file in [
        "tables/repetitions.tex",
        "tables/phases.csv",
        "plots/solved-within.tex",
        "plots/calls-time.svg",
        "plots/calls-solved.csv",
    ] {
        assert!(!read(&place, &format!("out/{file}")).is_empty(), "{file}");
    }
    let csv = read(&place, "out/runs.csv");
    assert_eq!(csv.lines().count(), 1 + 5 * 2 * 2);
    // What was run before is not run again; more repetitions are.
    let more = place.run(&[
        "bench",
        "demo.jsonl",
        "--strategies",
        "auto,naive",
        "--repeat",
        "3",
        "--out",
        "out",
        "--resume",
    ]);
    assert!(more.stderr.contains("selfsame: 20 of 30 runs were finished before\n"), "{}", more.stderr);
}

#[test]
fn files_beside_the_suite_are_checked_line_by_line() {
    let place = place();
    let wrong: [(&str, &str, &str); 12] = [
        ("--labels", "case,label\nmid,different\n", "f.csv:2: no pair is called `mid`\n"),
        (
            "--labels",
            "case,label\ndemo/twise,different\n",
            "f.csv:2: no pair is called `demo/twise`; did you mean demo/twice?",
        ),
        (
            "--labels",
            "case,label\ntwice,same\n",
            "f.csv:2: unknown variant `same`, expected `equivalent` or `different`",
        ),
        (
            "--labels",
            "case,label\ntwice,different\ndemo/twice,equivalent\n",
            "f.csv:3: line 2 has a label for `demo/twice` already",
        ),
        (
            "--labels",
            "case,label,numbers\ntwice,different,roman\n",
            "f.csv:2: `numbers` is `roman`; it is math, machine",
        ),
        (
            "--labels",
            "case,lable\ntwice,different\n",
            "f.csv:2: unknown field `lable`, expected one of `case`, `label`",
        ),
        (
            "--labels",
            "case,label\ntwice\n",
            "f.csv:2: the number of columns is 1 here, but 2 in the first line",
        ),
        ("--labels", "", "f.csv: this file is empty"),
        (
            "--published",
            "tool,solved\nX,3\n",
            "f.csv:1: the first line names the columns: tool,case,verdict,seconds",
        ),
        (
            "--published",
            "tool,group,label,solved\nX,jva,equivalent,3\n",
            "f.csv:2: no group is called `jva`; did you mean java?",
        ),
        (
            "--published",
            "tool,case,verdict,seconds\nX,twice,equivalent,-3\n",
            "f.csv:2: -3 is no time in seconds",
        ),
        (
            "--published",
            "tool,case,verdict\nauto,twice,equivalent\n",
            "f.csv:2: `auto` is a strategy of this run",
        ),
    ];
    for (option, text, part) in wrong {
        place.write("f.csv", text);
        let ran = place.run(&["bench", "demo.jsonl", option, "f.csv"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{text:?} {ran:?}");
        assert!(ran.stderr.contains(part), "{text:?} should say {part}:\n{}", ran.stderr);
    }
}

#[test]
fn suites_with_odd_lines_are_refused() {
    let place = place();
    let one = line("mid", "java", "equivalent", "return a;", "return a;");
    let with = |field: &str| one.replacen('{', &format!("{{{field},"), 1);
    let wrong: [(String, &str); 4] = [
        (one.clone() + &one, "odd.jsonl:2: there is another pair `demo/mid` at odd.jsonl:1"),
        (with("\"colour\":\"red\""), "odd.jsonl:1: this line is not a labelled pair: unknown field `colour`"),
        (
            with("\"args\":[\"--numbers\",\"math\"]"),
            "odd.jsonl:1: \"args\": --numbers is not for a single pair",
        ),
        (
            suite() + &one[..one.len() / 2],
            "odd.jsonl:7: this line is not a labelled pair: it ends in the middle",
        ),
    ];
    for (text, part) in wrong {
        place.write("odd.jsonl", text);
        let ran = place.run(&["bench", "odd.jsonl"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(part), "should say {part}:\n{}", ran.stderr);
    }
    let ran = place.run(&["bench", "demo.jsonl", "--repeat", "0"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--repeat"), "{ran:?}");
    place.write(
        "clients.jsonl",
        line("c", "c", "equivalent", "int f(int a) { return a; }", "int f(int a) { return a; }"),
    );
    let before = read(&place, "clients.jsonl");
    std::os::unix::fs::symlink("clients.jsonl", place.path().join("link.jsonl")).unwrap();
    for out in ["clients.jsonl", "./clients.jsonl", "link.jsonl"] {
        let ran = place.run(&["bench", "generate", "--kind", "calls", "clients.jsonl", "--out", out]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.stderr.contains("this would overwrite the suite clients.jsonl; give --out another file"),
            "{ran:?}"
        );
    }
    assert_eq!(read(&place, "clients.jsonl"), before);
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let place = place();
    let sleeper = place.script(
        "sleeper",
        "#!/bin/sh\ncase \"$1\" in --version) echo 1; exit;; esac\ntouch asked\nexec sleep 60\n",
    );
    for (arguments, part) in [
        (&["--out", "out"][..], "they are kept in out: the same command with --resume goes on from here\n"),
        (&[], "nothing is kept without --out FOLDER; with it, --resume can go on\n"),
    ] {
        let mut command = place.command(&[
            "bench",
            "demo.jsonl",
            "--strategies",
            "naive",
            "--jobs",
            "1",
            "--only",
            "twice",
        ]);
        command.args(["--timeout", "50", "--solver", sleeper.to_str().unwrap()]).args(arguments);
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let asked = place.path().join("asked");
        while !asked.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = fs::remove_file(asked);
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
        assert!(
            said.contains("selfsame: interrupted; 0 of 1 runs are finished\n") && said.contains(part),
            "{said}"
        );
    }
}

#[test]
fn help_teaches_with_examples_and_the_format() {
    let ran = Workplace::new().run(&["bench", "--help"]);
    assert_eq!(ran.code, Some(0));
    for part in [
        "Examples:",
        "--strategies auto,naive,testing",
        "\"truth\"",
        "Exit codes:",
        "--resume",
        "--labels",
        "tool,case,verdict",
        "--repeat",
    ] {
        assert!(ran.stdout.contains(part), "{part} is missing in\n{}", ran.stdout);
    }
}

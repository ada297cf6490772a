//! Folders: files belong together, a broken one costs only itself, and nothing is left out silently.

use crate::support::{Workplace, class, verdicts};

#[test]
fn calls_between_files_are_followed() {
    let place = Workplace::new();
    for (side, constant) in [("old", 1), ("new", 2)] {
        place.write(
            &format!("{side}/a/User.java"),
            class("User", "static int use(int x) { return Lib.get() + x; }"),
        );
        place.write(
            &format!("{side}/b/Lib.java"),
            class("Lib", &format!("static int get() {{ return {constant}; }}")),
        );
    }
    let (code, report) = place.json(&["old", "new"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different", "different"]), "{report}");
}

#[test]
fn procedures_without_a_counterpart_are_listed() {
    let place = Workplace::new();
    place.write(
        "old/A.java",
        class("A", "static int f(int x) { return x; }\n static int gone(long[] x) { return 1; }"),
    );
    place.write(
        "new/A.java",
        class("A", "static int f(int x) { return x; }\n static boolean fresh(double x) { return true; }"),
    );
    let (code, report) = place.json(&["old", "new"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
    assert_eq!(report["summary"]["removed"], serde_json::json!(["A.gone"]));
    assert_eq!(report["summary"]["added"], serde_json::json!(["A.fresh"]));
    let text = place.run(&["check", "old", "new"]).stdout;
    assert!(text.contains("only old    A.gone\nonly new    A.fresh\n"), "{text}");
}

#[test]
fn a_broken_file_costs_only_itself() {
    let place = Workplace::new();
    for side in ["old", "new"] {
        place.write(&format!("{side}/Good.java"), class("Good", "static int f(int x) { return x + 1; }"));
        place.write(&format!("{side}/good.c"), "int g(int x) { return x + 1; }\n");
    }
    place.write("old/Bad.java", class("Bad", "static int b(int x) { return x; }"));
    place.write("new/Bad.java", "class Bad {\n static int b(int x { return x; }\n}\n");
    place.write("new/bad.c", "int h(void) { return }\n").write("new/junk.c", b"\xff\xfe");
    let (code, report) = place.json(&["old", "new"]);
    assert_eq!((code, verdicts(&report)), (Some(2), vec!["equivalent", "equivalent"]), "{report}");
    assert_eq!(report["summary"]["removed"], serde_json::json!([]), "the error of its file says enough");
    let errors = report["summary"]["errors"].to_string();
    for file in ["new/Bad.java:2:", "new/bad.c:1:", "new/junk.c: line 1 is not UTF-8 text"] {
        assert!(errors.contains(file), "{file} is missing in {errors}");
    }
}

#[test]
fn a_difference_beside_a_broken_file_is_still_a_difference() {
    let place = Workplace::new();
    for (side, body) in [("old", "return x;"), ("new", "return -x;")] {
        place
            .write(&format!("{side}/Good.java"), class("Good", &format!("static int f(int x) {{ {body} }}")));
        place.write(&format!("{side}/Bad.java"), "class Bad {");
    }
    let (code, report) = place.json(&["old", "new"]);
    assert_eq!((code, verdicts(&report)), (Some(1), vec!["different"]), "{report}");
}

#[test]
fn both_languages_of_a_folder_are_compared() {
    let place = Workplace::new();
    for side in ["old", "new"] {
        place.write(&format!("{side}/A.java"), class("A", "static int f(int x) { return x; }"));
        place.write(&format!("{side}/b.c"), "#include \"b.h\"\nint g(int x) { return x + ONE; }\n");
        place.write(&format!("{side}/b.h"), "#define ONE 1\n");
    }
    let (code, report) = place.json(&["old", "new"]);
    assert_eq!(code, Some(0), "{report}");
    let languages: Vec<_> = report["results"].as_array().unwrap().iter().map(|r| &r["language"]).collect();
    assert_eq!(languages, ["java", "c"]);
}

#[test]
fn a_language_that_only_one_version_has_is_mentioned() {
    let place = Workplace::new();
    for side in ["old", "new"] {
        place.write(&format!("{side}/A.java"), class("A", "static int f(int x) { return x; }"));
    }
    place.write("new/b.c", "int g(int x) { return x; }\n");
    let (code, report) = place.json(&["old", "new"]);
    assert_eq!(code, Some(0));
    assert_eq!(report["summary"]["notes"][0], "only the new version has C files; they are not compared");
}

#[test]
fn classes_of_one_name_in_two_packages_are_told_apart() {
    let place = Workplace::new();
    for (side, in_b) in [("old", "x - 1"), ("new", "x - 2")] {
        place.write(
            &format!("{side}/a/Step.java"),
            "package a;\npublic class Step { public static int of(int x) { return x + 1; } }\n",
        );
        place.write(
            &format!("{side}/b/Step.java"),
            format!("package b;\npublic class Step {{ public static int of(int x) {{ return {in_b}; }} }}\n"),
        );
        for (user, import) in [("First", "import a.Step;"), ("Second", "import b.*;")] {
            place.write(
                &format!("{side}/{user}.java"),
                format!("{import}\nclass {user} {{ static int use(int x) {{ return Step.of(x); }} }}\n"),
            );
        }
    }
    let (code, report) = place.json(&["old", "new"]);
    let functions: Vec<&str> =
        report["results"].as_array().unwrap().iter().map(|it| it["function"].as_str().unwrap()).collect();
    assert_eq!(functions, ["First.use", "Second.use", "a.Step.of", "b.Step.of"], "{report}");
    let expected = vec!["equivalent", "different", "equivalent", "different"];
    assert_eq!((code, verdicts(&report)), (Some(1), expected), "{report}");
    let (code, report) = place.json(&["old", "new", "-f", "a.Step.of"]);
    assert_eq!((code, verdicts(&report)), (Some(0), vec!["equivalent"]), "{report}");
    let run = place.run(&["check", "old", "new", "-f", "Step.of"]);
    assert!(run.stderr.contains("`Step.of` may mean `a.Step.of` or `b.Step.of`"), "{}", run.stderr);
}

#[test]
fn a_class_without_a_namesake_keeps_its_short_name() {
    let place = Workplace::new();
    for side in ["old", "new"] {
        place.write(
            &format!("{side}/Outer.java"),
            "package p.q;\nclass Outer { static class Inner { static int f(int x) { return x; } } }\n",
        );
    }
    for name in ["f", "Inner.f", "Outer.Inner.f", "p.q.Outer.Inner.f"] {
        let (code, report) = place.json(&["old", "new", "-f", name]);
        assert_eq!((code, report["results"][0]["function"].as_str()), (Some(0), Some("Inner.f")), "{name}");
    }
}

#[test]
fn of_a_large_folder_only_what_changed_is_compared() {
    let place = Workplace::new();
    let many: String = (0..400).map(|n| format!("static int m{n}(int x) {{ return x + {n}; }}\n")).collect();
    for (side, result) in [("old", "x * 3"), ("new", "x * 4")] {
        place.write(&format!("{side}/Many.java"), class("Many", &many));
        place.write(
            &format!("{side}/Lib.java"),
            class("Lib", &format!("static int get(int x) {{ return {result}; }}")),
        );
        place.write(
            &format!("{side}/User.java"),
            class("User", "static int use(int x) { return Lib.get(x) * 0; }"),
        );
    }
    let (code, report) = place.json(&["old", "new"]);
    let names: Vec<&str> =
        report["results"].as_array().unwrap().iter().map(|it| it["function"].as_str().unwrap()).collect();
    assert_eq!((code, names), (Some(1), vec!["Lib.get", "User.use"]), "{report}");
    assert_eq!(verdicts(&report), ["different", "equivalent"]);
    assert_eq!(report["summary"]["unchanged"].as_array().unwrap().len(), 400);
    let text = place.run(&["check", "old", "new"]).stdout;
    assert!(text.contains("400 procedures did not change, nor what they call\n"), "{text}");
    let (_, all) = place.json(&["old", "new", "--all"]);
    assert_eq!(all["results"].as_array().unwrap().len(), 402);
}

/// A large folder with an interface of many implementations, which write a private field, and a method `f` that calls one.
fn wide(place: &Workplace, side: &str, eighth: &str, f: &str) {
    let many: String = (0..400).map(|n| format!("static int m{n}(int x) {{ return x + {n}; }}\n")).collect();
    let implementations: String = (0..8)
        .map(|n| {
            let result = if n == 7 { eighth.to_owned() } else { format!("x + {n}") };
            format!(
                "static class C{n} implements Op {{ public int op(int x) {{ hits++; return {result}; }} }}\n"
            )
        })
        .collect();
    let wide = format!(
        "interface Op {{ int op(int x); }}\nprivate static int hits;\n{implementations}\nstatic int f(Op o, int x) {{ {f} }}"
    );
    place.write(&format!("{side}/Many.java"), class("Many", &many));
    place.write(&format!("{side}/Wide.java"), class("Wide", &wide));
}

#[test]
fn calls_of_many_implementations_in_a_large_folder_are_not_looked_into() {
    let old = "hits = 0; int r = o.op(x); return r + x * 2 + hits;";
    let run = |eighth: &str, new: &str| {
        let place = Workplace::new();
        wide(&place, "old", "x", old);
        wide(&place, "new", eighth, new);
        let (_, report) = place.json(&["old", "new", "--effort", "quick"]);
        let results = report["results"].as_array().unwrap().clone();
        let f = results.iter().find(|it| it["function"] == "Wide.f").expect("`f` should be compared").clone();
        (f["verdict"].as_str().unwrap().to_owned(), f["reasons"].to_string())
    };
    let (verdict, reasons) = run("x", "hits = 0; int r = o.op(x); return r + x + x + hits;");
    assert_eq!(verdict, "unknown", "{reasons}");
    assert!(reasons.contains("one of the 8 implementations"), "{reasons}");
    // What the implementations write is not known, and one that changed may do something else.
    assert_ne!(run("x", "hits = 0; int r = o.op(x); return r + x + x;").0, "equivalent");
    assert_ne!(run("-x", "hits = 0; int r = o.op(x); return r + x + x + hits;").0, "equivalent");
}

//! Input that cannot be compared: each kind gets a message with its file and line, exit code 2, and an empty report.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::support::{NEW_MID, OLD_MID, Ran, Workplace, class};

/// Runs a check that must fail, in both formats, and gives its message.
fn complaint(place: &Workplace, arguments: &[&str]) -> String {
    let text = place.run(&[&["check"], arguments].concat());
    let json = place.run(&[&["check"], arguments, &["--format", "json"]].concat());
    assert_eq!(text, json, "the formats should agree on bad input");
    let Ran { code, stdout, stderr } = text;
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    stderr
}

#[test]
fn a_missing_file_is_named() {
    let place = Workplace::new();
    place.write("new.c", "int f(void) { return 1; }");
    assert_eq!(complaint(&place, &["old.c", "new.c"]), "selfsame: old.c: there is no such file or folder\n");
}

#[test]
fn a_file_that_vanishes_between_listing_and_reading_costs_only_itself() {
    let place = Workplace::new();
    for side in ["old", "new"] {
        place.write(&format!("{side}/Mid.java"), OLD_MID);
        // A link to nowhere is listed with its folder, but is not there when it is read.
        symlink("/no/such/file", place.path().join(side).join("Gone.java")).unwrap();
    }
    let (code, report) = place.json(&["old", "new"]);
    assert_eq!(code, Some(2), "{report}");
    assert_eq!(crate::support::verdicts(&report), ["equivalent"]);
    assert_eq!(report["summary"]["errors"][0], "old/Gone.java: there is no such file or folder");
}

#[test]
fn syntax_errors_have_their_line() {
    let place = Workplace::new();
    place.write("old.java", OLD_MID).write("new.java", "class Mid {\n    int mid( { }\n}\n");
    let message = complaint(&place, &["old.java", "new.java"]);
    assert!(message.starts_with("selfsame: new.java:2:"), "{message}");
    place.write("old.c", "int f(void) { return 1; }\n").write("new.c", "\nint f(void) { return 1 2; }\n");
    let message = complaint(&place, &["old.c", "new.c"]);
    assert!(message.starts_with("selfsame: new.c:2:"), "{message}");
}

#[test]
fn errors_of_both_versions_are_shown_together() {
    let place = Workplace::new();
    place.write("old.java", "class {").write("new.java", "}");
    let message = complaint(&place, &["old.java", "new.java"]);
    assert!(message.contains("old.java:") && message.contains("new.java:"), "{message}");
}

#[test]
fn a_missing_include_has_its_line() {
    let place = Workplace::new();
    place.write("old.c", "int f(void) { return 1; }\n");
    place.write("new.c", "\n#include \"nothing.h\"\nint f(void) { return 1; }\n");
    let message = complaint(&place, &["old.c", "new.c"]);
    assert!(message.starts_with("selfsame: new.c:2:"), "{message}");
    assert!(message.contains("nothing.h"), "{message}");
}

#[test]
fn a_missing_c_compiler_says_what_to_do() {
    let place = Workplace::new();
    place.write("a.c", "#include <limits.h>\nint f(void) { return INT_MAX; }\n");
    let ran = crate::support::finish(place.command(&["check", "a.c", "a.c"]).env("CC", "no-such-compiler"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("`no-such-compiler` cannot be run"), "{}", ran.stderr);
    assert!(ran.stderr.contains("install a C compiler, or name one with CC"), "{}", ran.stderr);
}

#[test]
fn an_include_without_an_end_is_stopped_and_named() {
    let place = Workplace::new();
    place.write("a.c", "int f(void) { return 1; }\n");
    place.write("zero.c", "#include </dev/zero>\nint f(void) { return 1; }\n");
    assert_eq!(
        complaint(&place, &["a.c", "zero.c", "--memory", "300", "--timeout", "300"]),
        "selfsame: zero.c: `cc -E` needs more than 300 MB of memory: does it include a device, a pipe or itself?\n"
    );
    assert!(Command::new("mkfifo").arg(place.path().join("pipe.h")).status().unwrap().success());
    place.write("pipe.c", "#include \"pipe.h\"\nint f(void) { return 1; }\n");
    assert_eq!(
        complaint(&place, &["a.c", "pipe.c", "--timeout", "0.5"]),
        "selfsame: pipe.c: `cc -E` took longer than 0.5 s: does it include a device, a pipe or itself?\n"
    );
}

#[test]
fn a_c_compiler_that_dies_or_babbles_is_quoted_in_one_line() {
    let place = Workplace::new();
    place.write("a.c", "#include <limits.h>\nint f(void) { return INT_MAX; }\n");
    let compilers = [
        ("dies", "#!/bin/sh\nkill -SEGV $$\n", "selfsame: a.c: `./dies -E` died of SIGSEGV\n"),
        // What is cut off may still be C, and would then be another program.
        (
            "floods",
            "#!/bin/sh\nhead -c 70000000 /dev/zero | tr '\\0' ' '\n",
            "selfsame: a.c: `./floods -E` writes more than 64 MB",
        ),
        ("silent", "#!/bin/sh\nexit 1\n", "selfsame: a.c: `./silent -E` failed without a word\n"),
        ("babbles", "#!/bin/sh\nhead -c 100000 /dev/zero | tr '\\0' 'x' >&2\nexit 1\n", " ...\n"),
    ];
    for (name, text, expected) in compilers {
        place.script(name, text);
        let mut command = place.command(&["check", "a.c", "a.c"]);
        let ran = crate::support::finish(command.env("CC", format!("./{name}")));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(expected) && ran.stderr.len() < 1000, "{name}: {}", ran.stderr);
    }
}

#[test]
fn a_c_file_without_directives_needs_no_compiler() {
    let place = Workplace::new();
    place.write("a.c", "int f(void) { return 1; }\n");
    let ran = crate::support::finish(place.command(&["check", "a.c", "a.c"]).env("CC", "no-such-compiler"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn binary_junk_is_no_source_text() {
    let place = Workplace::new();
    place.write("old.java", OLD_MID);
    place.write("nul.java", b"class A {\n\0}").write("latin.java", b"class A {\n// caf\xe9\n}");
    assert_eq!(
        complaint(&place, &["old.java", "nul.java"]),
        "selfsame: nul.java: there is a NUL byte in line 2: this is not source text\n"
    );
    assert_eq!(
        complaint(&place, &["latin.java", "old.java"]),
        "selfsame: latin.java: line 2 is not UTF-8 text\n"
    );
}

#[test]
fn an_empty_file_has_nothing_to_compare() {
    let place = Workplace::new();
    place.write("old.java", " \n").write("new.java", OLD_MID);
    assert_eq!(
        complaint(&place, &["old.java", "new.java"]),
        "selfsame: old.java: the file is empty: there is nothing to compare\n"
    );
}

#[test]
fn a_folder_without_sources_is_named() {
    let place = Workplace::new();
    place.write("old/readme.txt", "hello").write("new/A.java", OLD_MID);
    assert_eq!(
        complaint(&place, &["old", "new"]),
        "selfsame: old: there are no .java or .c files in this folder\n"
    );
}

#[test]
fn an_unknown_extension_is_refused() {
    let place = Workplace::new();
    place.write("a.py", "print()").write("b.py", "print()");
    let message = complaint(&place, &["a.py", "b.py"]);
    assert!(message.starts_with("selfsame: a.py: selfsame reads .java and .c files"), "{message}");
}

#[test]
fn versions_in_different_languages_are_refused() {
    let place = Workplace::new();
    place.write("old.c", "int mid(int a) { return a; }").write("new.java", NEW_MID);
    assert_eq!(
        complaint(&place, &["old.c", "new.java"]),
        "selfsame: the old version is C and the new one is Java: both have to be in one language\n"
    );
}

#[test]
fn an_unreadable_file_is_named() {
    let place = Workplace::new();
    place.write("old.java", OLD_MID).write("new.java", NEW_MID);
    fs::set_permissions(place.path().join("new.java"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(place.path().join("new.java")).is_ok() {
        // Nothing is unreadable to root.
        return;
    }
    assert_eq!(
        complaint(&place, &["old.java", "new.java"]),
        "selfsame: new.java: no permission to read it\n"
    );
}

#[test]
fn a_missing_function_comes_with_near_names() {
    let place = Workplace::new();
    place.write("old.java", OLD_MID).write("new.java", NEW_MID);
    assert_eq!(
        complaint(&place, &["old.java", "new.java", "--function", "midd"]),
        "selfsame: neither version has a procedure called `midd`; did you mean `mid`?\n"
    );
    place.write("new.java", class("Mid", "static int middle(int a, int b) { return a; }"));
    assert_eq!(
        complaint(&place, &["old.java", "new.java", "--function", "mid"]),
        "selfsame: the new version does not have a procedure called `mid`; it has `Mid.middle`\n"
    );
}

#[test]
fn versions_without_a_common_procedure_are_not_called_equivalent() {
    let place = Workplace::new();
    place.write("old.c", "int f(int a) { return a; }").write("new.c", "int g(int *a) { return *a; }");
    assert_eq!(
        complaint(&place, &["old.c", "new.c"]),
        "selfsame: the versions have no procedures in common: the old one has `f`, the new one has `g`\n"
    );
}

#[test]
fn deep_nesting_is_an_error_or_unsupported_and_never_a_crash() {
    let place = Workplace::new();
    let (open, close) = ("(".repeat(1 << 18), ")".repeat(1 << 18));
    place.write("old.java", OLD_MID);
    place.write(
        "new.java",
        class("Mid", &format!("static int mid(int a, int b) {{ return {open}a{close}; }}")),
    );
    place.write("old.c", "int f(int a) { return a; }");
    place.write("new.c", format!("int f(int a) {{ return {open}a{close}; }}"));
    for paths in [["old.java", "new.java"], ["old.c", "new.c"]] {
        let ran = place.run(&["check", paths[0], paths[1], "--timeout", "60"]);
        assert!([Some(2), Some(3)].contains(&ran.code), "{:?} {} {}", ran.code, ran.stdout, ran.stderr);
        assert!(!ran.stdout.contains("bug of selfsame"), "{}", ran.stdout);
    }
}

#[test]
fn a_file_of_half_a_megabyte_is_read() {
    let place = Workplace::new();
    let mut methods = String::new();
    while methods.len() < 1 << 19 {
        let number = methods.len();
        methods +=
            &format!("static int f{number}(int a) {{ int b = a + {number}; return b * b - {number}; }}\n");
    }
    place.write("old.java", class("Big", &methods));
    let (code, report) = place.json(&["old.java", "old.java", "--function", "f0", "--timeout", "600"]);
    assert_eq!((code, crate::support::verdicts(&report)), (Some(0), vec!["equivalent"]));
}

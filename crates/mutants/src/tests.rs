//! A small campaign over files of our own.

use std::fs;
use std::path::Path;
use std::process::Command;

use arbitrary_source::Language;
use casekit::workspace;

use super::ask::Asking;
use super::campaign::{self, Plan};
use super::record::Record;

fn plan(folder: &Path, language: Language, program: std::path::PathBuf) -> Plan {
    Plan {
        paths: vec![folder.join("source")],
        functions: 10,
        mutants_per_function: 4,
        max_lines: 20,
        seed: 1,
        jobs: 1,
        out: folder.join("out.jsonl"),
        asking: Asking {
            program,
            timeout: 5.0,
            language,
            flags: vec!["-DLIMIT=7".to_owned()],
            folder: folder.join("work"),
        },
        loud: false,
    }
}

/// The program as it was last built, if it was.
fn program() -> Option<std::path::PathBuf> {
    let program = workspace::root().join("target/debug/selfsame");
    if !program.is_file() || Command::new("cc").arg("--version").output().is_err() {
        eprintln!("SKIPPED: this test needs `cargo build -p cli` and a C compiler");
        return None;
    }
    Some(program)
}

fn campaign(language: Language, name: &str, text: &str) -> Option<Vec<Record>> {
    let program = program()?;
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("source")).unwrap();
    fs::write(folder.path().join("source").join(name), text).unwrap();
    // Mutants stand in another folder, and find it nevertheless.
    fs::write(folder.path().join("source/bound.h"), "#define BOUND LIMIT\n").unwrap();
    let plan = plan(folder.path(), language, program);
    let records = campaign::run(&plan).unwrap();
    // Everything is known already: a second run asks nothing and has the same records.
    assert_eq!(campaign::run(&plan).unwrap(), records);
    Some(records)
}

fn check(records: &[Record]) {
    assert!(records.len() >= 8, "{records:#?}");
    for record in records {
        assert!(["different", "refused"].contains(&record.verdict.as_str()), "{record:#?}");
    }
    assert!(records.iter().filter(|record| record.verdict == "different").count() >= 6, "{records:#?}");
}

#[test]
fn mutants_of_c_functions_are_different() {
    let text = "#include \"bound.h\"\nstatic int add(int a, int b) { return a + b * BOUND; }\n\
                int first(const int *t, int n) { int i; for (i = 0; i < n; i++) if (t[i] == 3) return i; return -1; }\n";
    if let Some(records) = campaign(Language::C, "two.c", text) {
        check(&records);
    }
}

#[test]
fn mutants_of_java_methods_are_different() {
    let text = "class Two { static int add(int a, int b) { return a + b * 7; }\n\
                static int first(int[] t) { for (int i = 0; i < t.length; i++) { if (t[i] == 3) return i; } return -1; } }\n";
    if let Some(records) = campaign(Language::Java, "Two.java", text) {
        check(&records);
    }
}

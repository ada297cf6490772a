//! A law on generated series of versions, in which code and assertions change: checking a version after the one before it
//! gives the same outcomes as checking it from scratch, with a store or without one, and for every strategy.
//!
//! A file has many methods, and each of them is a series of its own. `SELFSAME_SERIES=5000` asks for more of them.

mod generated;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use generated::{Method, Random, program};
use serde_json::Value;

/// Methods in one file.
const METHODS: usize = 20;
const VERSIONS: usize = 3;

#[test]
fn differential_checking_gives_the_outcomes_of_checking_from_scratch() {
    let wanted = std::env::var("SELFSAME_SERIES").ok().and_then(|it| it.parse().ok()).unwrap_or(20_usize);
    let seed = std::env::var("SELFSAME_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1_u64);
    for file in 0..wanted.div_ceil(METHODS) {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(file as u64));
        let folder = tempfile::tempdir().unwrap();
        let mut methods: Vec<Method> = (0..METHODS).map(|_| Method::new(&mut random)).collect();
        let mut paths = Vec::new();
        for version in 0..VERSIONS {
            if version > 0 {
                methods.iter_mut().for_each(|method| method.edit(&mut random));
            }
            let path = folder.path().join(format!("v{version}"));
            fs::create_dir(&path).unwrap();
            fs::write(path.join("Case.java"), program(&methods)).unwrap();
            paths.push(path);
        }
        // One strategy for each file, in turn.
        let strategy = ["summary", "dise", "summary"][file % 3];
        let store = folder.path().join("store").display().to_string();
        for (version, path) in paths.iter().enumerate().skip(1) {
            let before = Some(paths[version - 1].as_path());
            let scratch = outcomes(None, path, "off", strategy);
            let differential = outcomes(before, path, "off", strategy);
            let stored = outcomes(before, path, &store, strategy);
            // Another run finds what that one left: all of it, or the old version alone.
            let again = outcomes(before, path, &store, strategy);
            let alone = outcomes(None, path, &store, strategy);
            for (how, found) in [
                ("after the version before", differential),
                ("with a store", stored),
                ("with the store of another run", again),
                ("with that store, and without the version before", alone),
            ] {
                compare(&scratch, &found, how, path, before);
            }
        }
    }
}

/// The outcomes of both ways. What only one of them decides is no contradiction: the effort is bounded.
fn compare(scratch: &Outcomes, found: &Outcomes, how: &str, path: &Path, before: Option<&Path>) {
    let shown = || {
        let text = |path: &Path| fs::read_to_string(path.join("Case.java")).unwrap_or_default();
        format!("{}\n----\n{}", before.map(text).unwrap_or_default(), text(path))
    };
    assert_eq!(scratch.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>(), "{how}\n{}", shown());
    for (key, outcome) in scratch {
        assert_eq!(outcome, &found[key], "{how}: {key:?}\n{}", shown());
    }
}

type Outcomes = BTreeMap<(u64, String, usize), String>;

fn outcomes(before: Option<&Path>, path: &Path, store: &str, strategy: &str) -> Outcomes {
    // Long campaigns run a copy, so that builds do not change it.
    let program = std::env::var_os("SELFSAME_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_selfsame").into());
    let mut command = Command::new(program);
    command.arg("assert").args(before).arg(path).args(["--store", store, "--strategy", strategy]);
    command.args(["--format", "json", "--jobs", "1", "--timeout", "1800", "--effort", "4"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let document: Value = serde_json::from_str(&said)
        .unwrap_or_else(|error| panic!("{error}: {said}{}", String::from_utf8_lossy(&output.stderr)));
    let mut found = Outcomes::new();
    for result in document["results"].as_array().unwrap() {
        let (line, clause) = (result["line"].as_u64().unwrap(), result["assertion"].as_str().unwrap());
        let number = (0..).find(|at| !found.contains_key(&(line, clause.to_owned(), *at))).unwrap();
        found.insert((line, clause.to_owned(), number), result["outcome"].as_str().unwrap().to_owned());
    }
    found
}

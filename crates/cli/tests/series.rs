//! Every series of `tests/series` has its outcomes and causes, and what follows from them for free.
//!
//! Each version is checked after the one before it, with a store of its own, and once more from scratch: both give the
//! same outcomes. Failures are run with `java -ea` or with what `cc` makes, which must do what our interpreter did: those of
//! one series in four, and of all with `cargo xtask test --all`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use casekit::{ExpectedOutcome, Language, Series, read_series, share, workspace};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// One in so many series is run for real.
const REPLAYED: u64 = 4;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = workspace::root();
    let mut trials = Vec::new();
    for path in workspace::files_below(&root.join("tests/series"), "md").unwrap_or_default() {
        let file = workspace::relative(&root, &path);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let series = read_series(&file, &text).unwrap_or_else(|error| panic!("{error}"));
        trials.extend(
            series.into_iter().map(|series| {
                Trial::test(format!("{} {}", series.file, series.name), move || check(&series))
            }),
        );
    }
    assert!(trials.len() > 10, "the series should be found, not {}", trials.len());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(series: &Series) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("store");
    let name = if series.language == Language::Java { "Case.java" } else { "case.c" };
    let mut files = Vec::new();
    for (number, version) in series.versions.iter().enumerate() {
        let own = folder.path().join(format!("v{}", number + 1));
        fs::create_dir(&own)?;
        fs::write(own.join(name), &version.source.text)?;
        files.push(own.join(name));
    }
    for (number, version) in series.versions.iter().enumerate() {
        let place = format!("{}:{} v{}", series.file, version.source.line, number + 1);
        let before = number.checked_sub(1).map(|before| files[before].as_path());
        let store = store.display().to_string();
        let mut options = vec!["--store", &store];
        if share::has(&series.name, REPLAYED) {
            options.push("--replay");
        }
        let found = run(series, before, &files[number], &options, &place)?;
        expect(&place, "after the version before it", &found, &version.outcomes, true)?;
        let scratch = run(series, None, &files[number], &["--store", "off"], &place)?;
        expect(&place, "from scratch", &scratch, &version.outcomes, false)?;
    }
    Ok(())
}

/// The outcomes as the program says them.
fn run(
    series: &Series,
    before: Option<&Path>,
    file: &Path,
    options: &[&str],
    place: &str,
) -> Result<Vec<ExpectedOutcome>, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selfsame"));
    command.arg("assert").args(before).arg(file);
    command.args(["--format", "json", "--jobs", "1", "--timeout", "1800", "--effort", "8"]);
    command.args(options).args(&series.arguments);
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    if !matches!(code, Some(0 | 1 | 3)) {
        return Err(format!("{place}: exit code {code:?}\n{said}{errors}").into());
    }
    let document: Value =
        serde_json::from_str(&said).map_err(|error| format!("{place}: {error}\n{said}{errors}"))?;
    let results = document["results"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let outcomes = results.iter().map(|result| ExpectedOutcome {
        line: u32::try_from(result["line"].as_u64().unwrap_or(0)).unwrap_or(0),
        clause: text(&result["assertion"]),
        outcome: text(&result["outcome"]),
        cause: result["cause"].as_str().map(str::to_owned),
        unreached: result["reached"] == Value::Bool(false),
        inherited: result["inherited"] == Value::Bool(true),
    });
    Ok(outcomes.collect())
}

fn expect(
    place: &str,
    how: &str,
    found: &[ExpectedOutcome],
    expected: &[ExpectedOutcome],
    with_causes: bool,
) -> Result<(), Failed> {
    // From scratch nothing is inherited, and elsewhere it matters where a page says so.
    let must_inherit = |it: &ExpectedOutcome| {
        let is_it = |other: &&ExpectedOutcome| (other.line, &other.clause) == (it.line, &it.clause);
        with_causes && expected.iter().find(is_it).is_some_and(|other| other.inherited)
    };
    let shown = |list: &[ExpectedOutcome]| -> BTreeSet<String> {
        let one = |it: &ExpectedOutcome| {
            let cause = it
                .cause
                .as_ref()
                .filter(|_| with_causes)
                .map(|cause| format!(" {cause}"))
                .unwrap_or_default();
            let unreached = if it.unreached { " unreached" } else { "" };
            let inherited = if it.inherited && must_inherit(it) { " inherited" } else { "" };
            format!("{} {}: {}{cause}{unreached}{inherited}", it.line, it.clause, it.outcome)
        };
        list.iter().map(one).collect()
    };
    let (found_texts, expected_texts) = (shown(found), shown(expected));
    if found.len() == expected.len() && found_texts == expected_texts {
        return Ok(());
    }
    let list =
        |texts: &BTreeSet<String>| texts.iter().map(|text| format!("    {text}\n")).collect::<String>();
    Err(format!("{place}, {how}\n  found\n{}  expected\n{}", list(&found_texts), list(&expected_texts))
        .into())
}

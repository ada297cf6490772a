//! Every pair of `tests/cases` has its verdict, and what follows from it for free.
//!
//! Each version is equivalent to itself, and swapping the versions gives the same verdict. (A *different* was run in
//! the interpreter by construction.) A timeout is a failure unless the case asks for it, but not the first one: the machine
//! may be busy.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use casekit::{Case, Expected, Numbers};
use cli::{Job, Options, SourceLanguage, Sources, Unit, Unsettled};
use ir::Pair;
use report::{PairReport, VerdictWord};

/// How much work one pair of a case may take, in million steps, unless the case says otherwise.
const USUAL_EFFORT: u32 = 40;
/// After how many seconds the clock kills a pair. Verdicts do not depend on it: the machine may be as busy as it likes.
const PATIENCE: f64 = 1800.0;

#[test]
fn every_case_has_its_verdict() {
    let mut cases = all_cases();
    assert!(cases.len() > 200, "the cases should be found, not {}", cases.len());
    // `ONLY=c/goto cargo test -p cli --test cases` runs the cases whose file or name has this text.
    if let Ok(only) = std::env::var("ONLY") {
        cases.retain(|case| case.file.contains(&only) || case.name.contains(&only));
    }
    let failures = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        for _ in 0..threads {
            let work = || {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = judge(case);
                    failures.lock().expect("no judge should panic").extend(found);
                }
            };
            // Front ends and summaries recurse over the nesting of the source.
            let thread = std::thread::Builder::new().stack_size(64 << 20);
            thread.spawn_scoped(scope, work).expect("a thread should start");
        }
    });
    let mut failures = failures.into_inner().expect("no judge should panic");
    failures.sort();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// What is wrong with the verdicts of a case.
fn judge(case: &Case) -> Vec<String> {
    let mut failures = Vec::new();
    let place = format!("{}:{} {}", case.file, case.line, case.name);
    for (numbers, expected) in &case.expected {
        let mut fail = |what: String| failures.push(format!("{place} ({numbers:?}): {what}"));
        let said = match check(case, *numbers, &case.old.text, &case.new.text) {
            Ok(reports) => reports,
            Err(errors) => {
                fail(errors.join("; "));
                continue;
            }
        };
        if !is_as_expected(expected, &said) {
            fail(format!("expected {expected:?}, got {}", describe(&said)));
        }
        match check(case, *numbers, &case.new.text, &case.old.text) {
            Ok(swapped) if combined(&swapped) == combined(&said) => {}
            Ok(swapped) => fail(format!("{} but {} when swapped", describe(&said), describe(&swapped))),
            Err(errors) => fail(errors.join("; ")),
        }
        for (side, text) in [("old", &case.old.text), ("new", &case.new.text)] {
            match check(case, *numbers, text, text) {
                Ok(same) if combined(&same) == VerdictWord::Equivalent || is_unsupported(&same) => {}
                Ok(same) => fail(format!("the {side} version against itself: {}", describe(&same))),
                Err(errors) => fail(errors.join("; ")),
            }
        }
    }
    failures
}

/// What is said of two texts.
fn check(case: &Case, numbers: Numbers, old: &str, new: &str) -> Result<Vec<PairReport>, Vec<String>> {
    let (language, extension) = match case.language {
        casekit::Language::Java => (SourceLanguage::Java, "java"),
        casekit::Language::C => (SourceLanguage::C, "c"),
    };
    let read = |side: &str, text: &str| -> Result<Unsettled, Vec<String>> {
        let name = format!("{side}.{extension}");
        let file = match language {
            SourceLanguage::Java => Unsettled::plain(&name, text),
            SourceLanguage::C => cli::preprocess(&name, text, None, cli::PreprocessLimits::USUAL)
                .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?,
        };
        Ok(file.named(format!("case.{extension}")))
    };
    let files = Pair::new([read("old", old)?], [read("new", new)?]);
    let sources = cli::settle(files.as_ref().map(|files| &files[..]));
    let Pair { old, new } = sources.map(|files| Sources { files, tolerant: false });
    let unit = Unit { language, old, new };
    let options = Options {
        function: case.options.function.clone(),
        math: numbers == Numbers::Math,
        total: case.options.total,
        messages: case.options.messages,
        bound: case.options.bound,
        seconds: PATIENCE,
        effort: u64::from(case.options.effort.unwrap_or(USUAL_EFFORT)) * 1_000_000,
        solver: solver(),
        ..Options::usual()
    };
    cli::check_in_process(Job { units: vec![unit], options }, check::Threads::ONE)
}

/// The verdict of all pairs together: any *different* wins, then any *unknown*.
fn combined(reports: &[PairReport]) -> VerdictWord {
    let any = |word| reports.iter().any(|report| report.verdict == word);
    match () {
        () if any(VerdictWord::Different) => VerdictWord::Different,
        () if any(VerdictWord::Unknown) || reports.is_empty() => VerdictWord::Unknown,
        () => VerdictWord::Equivalent,
    }
}

fn is_as_expected(expected: &Expected, said: &[PairReport]) -> bool {
    match expected {
        Expected::Equivalent => combined(said) == VerdictWord::Equivalent,
        Expected::Different => combined(said) == VerdictWord::Different,
        Expected::Unknown(words) => combined(said) == VerdictWord::Unknown && describe(said).contains(words),
    }
}

/// Code without a meaning for us is not even proved to be the same as itself.
fn is_unsupported(reports: &[PairReport]) -> bool {
    reports.iter().all(|report| {
        report.verdict == VerdictWord::Equivalent
            || report.reasons.iter().any(|reason| reason.text.contains("not supported"))
    })
}

fn describe(reports: &[PairReport]) -> String {
    let one = |report: &PairReport| {
        let reasons: Vec<&str> = report.reasons.iter().map(|reason| reason.text.as_str()).collect();
        let call = report.witness.as_ref().map_or("", |witness| witness.call.as_str());
        let bound =
            report.bound.map_or(String::new(), |bound| format!("no difference up to the bound {bound} "));
        format!("{} {} {call}{bound}{}", report.function, report.verdict.name(), reasons.join(", "))
    };
    reports.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn all_cases() -> Vec<Case> {
    let root = root().join("tests/cases");
    let mut cases = Vec::new();
    for language in ["c", "java"] {
        let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(language))
            .expect("the folder of cases should be there")
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
            .collect();
        files.sort();
        for path in files {
            let name =
                format!("tests/cases/{language}/{}", path.file_name().expect("a name").to_string_lossy());
            let text = std::fs::read_to_string(&path).expect("a readable case file");
            match casekit::read(&name, &text) {
                Ok(found) => cases.extend(found),
                Err(error) => panic!("{error}"),
            }
        }
    }
    cases
}

/// The solver that `cargo xtask setup` installs, or one named for the tests.
fn solver() -> Option<PathBuf> {
    let installed = root().join("target/solver/z3");
    let named = std::env::var_os("SELFSAME_SOLVER").map(PathBuf::from);
    named.or_else(|| installed.exists().then_some(installed))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

//! Every pair of `tests/cases` has its verdict, and what follows from it for free.
//!
//! Each version is equivalent to itself, and swapping the versions gives the same verdict. (A *different* was run in
//! the interpreter by construction.) Work is counted in steps, so that a busy machine changes nothing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use casekit::{Case, Expected, Numbers};
use cli::{Job, Options, SourceLanguage, Sources, Unit, Unsettled};
use ir::Pair;
use libtest_mimic::{Arguments, Failed, Trial};
use report::{PairReport, VerdictWord};

/// How much work one pair of a case may take, in million steps, unless the case says otherwise.
const USUAL_EFFORT: u32 = 40;
/// After how many seconds the clock kills a pair. Verdicts do not depend on it: the machine may be as busy as it likes.
const PATIENCE: f64 = 1800.0;

/// A case that takes longer is named.
const LONG: Duration = Duration::from_secs(10);

/// `cargo test -p cli --test cases -- c/goto` runs the cases whose file or name has this text.
fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = all_cases();
    assert!(cases.len() > 200, "the cases should be found, not {}", cases.len());
    assert!(solver().is_some(), "the cases need a solver: run `cargo xtask setup`");
    let trial = |case: Case| {
        let name = format!("{}:{} {}", case.file, case.line, case.name);
        Trial::test(name.clone(), move || {
            let started = Instant::now();
            let judged = judged(case).map_err(Failed::from);
            if started.elapsed() > LONG {
                eprintln!("{name} took {:.0} s", started.elapsed().as_secs_f64());
            }
            judged
        })
    };
    libtest_mimic::run(&arguments, cases.into_iter().map(trial).collect()).exit_code()
}

/// Judges a case with stack enough: front ends and summaries recurse over the nesting of the source.
fn judged(case: Case) -> Result<(), String> {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(move || judge(&case));
    let failures = thread.expect("a thread should start").join().map_err(|_| "a panic, see above")?;
    match failures.is_empty() {
        true => Ok(()),
        false => Err(failures.join("\n")),
    }
}

/// What is wrong with the verdicts of a case.
fn judge(case: &Case) -> Vec<String> {
    let mut failures = Vec::new();
    for (numbers, expected) in &case.expected {
        let mut fail = |what: String| failures.push(format!("{numbers:?}: {what}"));
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

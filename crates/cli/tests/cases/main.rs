//! Every pair of `tests/cases` has its verdict, and what follows from it for free.
//!
//! Each version is equivalent to itself, and swapping the versions gives the same verdict, if they are decided. Each page has one more test,
//! `oracle`, which runs both versions of its cases on many inputs. Work is counted in steps, so that a busy machine
//! changes nothing. All of this but the verdict is for a share of the cases, and for all with `cargo xtask test --all`.

mod c_batch;
mod java_batch;
mod oracle;
mod real_runs;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use casekit::{Case, Expected, Numbers, share, workspace};
use cli::{Job, Options, Sources, Unit, Unsettled};
use ir::{Language, Pair};
use libtest_mimic::{Arguments, Failed, Trial};
use report::{PairReport, VerdictWord};

/// How much work one pair of a case may take, in million steps, unless the case says otherwise.
const USUAL_EFFORT: u32 = 8;
/// The same for what is not decided, which takes all of it. With `cargo xtask test --all` it gets the usual effort.
const EFFORT_FOR_UNKNOWN: u32 = 2;
/// After how many seconds the clock kills a pair. Verdicts do not depend on it: the machine may be as busy as it likes.
const PATIENCE: f64 = 1800.0;

/// One in so many cases is swapped, and its versions are compared with themselves.
const SWAPPED: u64 = 4;
/// One in so many cases is run by the oracle.
const RUN: u64 = 4;

/// How many of the longest tests are named at the end.
const NAMED: usize = 10;

/// How long each test took.
static TIMES: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

/// `cargo test -p cli --test cases -- c/goto` runs the cases whose file or name has this text, and `-- oracle` only runs
/// versions.
fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = all_cases();
    assert!(cases.len() > 200, "the cases should be found, not {}", cases.len());
    assert!(
        workspace::find_solver(&workspace::root()).is_some(),
        "the cases need a solver: run `cargo xtask setup`"
    );
    let run: Vec<Case> = cases.iter().filter(|case| share::has(&case.name, RUN)).cloned().collect();
    let pages = run.chunk_by(|case, next| case.file == next.file).map(<[Case]>::to_vec);
    let mut trials: Vec<Trial> = pages.map(oracle_trial).collect();
    trials.extend(cases.into_iter().map(verdict_trial));
    let conclusion = libtest_mimic::run(&arguments, trials);
    real_runs::say_how_many();
    say_which_took_long();
    conclusion.exit_code()
}

fn verdict_trial(case: Case) -> Trial {
    let name = format!("{}:{} {}", case.file, case.line, case.name);
    timed_trial(name, move || judge(&case))
}

fn oracle_trial(page: Vec<Case>) -> Trial {
    timed_trial(format!("oracle {}", page[0].file), move || oracle::judge(&page))
}

/// A test that passes where nothing is wrong. It gets stack enough: front ends and summaries recurse over the nesting of
/// the source.
fn timed_trial(name: String, judge: impl FnOnce() -> Vec<String> + Send + 'static) -> Trial {
    Trial::test(name.clone(), move || {
        let started = Instant::now();
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(judge);
        let failures = thread.expect("a thread should start").join().map_err(|_| "a panic, see above")?;
        TIMES.lock().expect("nothing panics with it").push((started.elapsed(), name));
        match failures.is_empty() {
            true => Ok(()),
            false => Err(Failed::from(failures.join("\n"))),
        }
    })
}

/// Names the longest tests, and writes the times of all to `target/tmp/case-times.txt`.
fn say_which_took_long() {
    let mut times = TIMES.lock().expect("nothing panics with it");
    times.sort_by(|one, other| other.cmp(one));
    let lines = times.iter().map(|(time, name)| format!("{:8.2} s  {name}", time.as_secs_f64()));
    let lines: Vec<String> = lines.collect();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("case-times.txt");
    fs::write(&file, lines.join("\n")).unwrap_or_else(|error| eprintln!("{}: {error}", file.display()));
    eprintln!("The longest (all in {}):\n{}", file.display(), lines[..lines.len().min(NAMED)].join("\n"));
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
        if !share::has(&case.name, SWAPPED) {
            continue;
        }
        // What is not decided takes all of the effort.
        if !matches!(expected, Expected::Unknown(_)) {
            match check(case, *numbers, &case.new.text, &case.old.text) {
                Ok(swapped) if combined(&swapped) == combined(&said) => {}
                Ok(swapped) => fail(format!("{} but {} when swapped", describe(&said), describe(&swapped))),
                Err(errors) => fail(errors.join("; ")),
            }
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
    cli::check_in_process(job(case, numbers, old, new)?, check::Threads::ONE)
}

/// Two texts with the options of a case.
fn job(case: &Case, numbers: Numbers, old: &str, new: &str) -> Result<Job, Vec<String>> {
    let language = case.language;
    let files = Pair::new([read(case, old)?], [read(case, new)?]);
    let sources = cli::settle(files.as_ref().map(|files| &files[..]));
    let Pair { old, new } = sources.map(|files| Sources { files, tolerant: false });
    let unit = Unit { language, old, new };
    let is_unknown = case.expected.iter().all(|(_, expected)| matches!(expected, Expected::Unknown(_)));
    let usual = if is_unknown && !share::is_all() { EFFORT_FOR_UNKNOWN } else { USUAL_EFFORT };
    let options = Options {
        function: case.options.function.clone(),
        under: case.options.under.iter().flat_map(|text| text.parse::<cli::Under>()).collect(),
        math: numbers == Numbers::Math,
        total: case.options.total,
        messages: case.options.messages,
        bound: case.options.bound,
        seconds: PATIENCE,
        effort: u64::from(case.options.effort.unwrap_or(usual)) * 1_000_000,
        solver: workspace::find_solver(&workspace::root()),
        ..Options::usual()
    };
    Ok(Job { units: vec![unit], options })
}

/// The files that were preprocessed so far: a version is read for several checks, and a compiler takes its time to start.
static READ: Mutex<BTreeMap<(String, String), Unsettled>> = Mutex::new(BTreeMap::new());

/// One version of a case, after the preprocessor.
fn read(case: &Case, text: &str) -> Result<Unsettled, Vec<String>> {
    let extension = case.language.name();
    let name = format!("{}.{extension}", if text == case.old.text { "old" } else { "new" });
    let file = match case.language {
        Language::Java => Unsettled::plain(&name, text),
        Language::C => preprocessed(name, text)?,
    };
    Ok(file.named(format!("case.{extension}")))
}

fn preprocessed(name: String, text: &str) -> Result<Unsettled, Vec<String>> {
    let key = (name, text.to_owned());
    let known = READ.lock().expect("nothing panics with it").get(&key).cloned();
    if let Some(file) = known {
        return Ok(file);
    }
    let file = cli::preprocess(&key.0, text, None, cli::PreprocessLimits::USUAL)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    READ.lock().expect("nothing panics with it").insert(key, file.clone());
    Ok(file)
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
    let languages = [casekit::Language::C, casekit::Language::Java];
    let cases = languages.map(|language| workspace::cases(&workspace::root(), language));
    cases.into_iter().flat_map(|cases| cases.unwrap_or_else(|error| panic!("{error}"))).collect()
}

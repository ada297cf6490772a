//! The engine without front ends: each file in `data/` has pairs of IR programs with their verdicts.
//!
//! A file starts with prose in `//` comments. A pair is `=== name`, the old program, `--- new`, the new program,
//! and `--- verdict` with `equivalent`, `different` or `unknown: words of a reason`. Options may follow the name in
//! brackets: `=== name [math]`, `=== name [bound 3]`, `=== name [deep]` (unroll up to 70), `=== name [total]`.
//! `equivalent by refine, dse` wants these strategies alone to see it too; none may ever say the opposite, which is
//! asked of one in four of the others, and of all with `cargo xtask test --all`.
//! `cargo test -p check --test engine -- words` judges only the pairs with these words in their name.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use budget::{Budget, Kill, Steps};
use casekit::{share, workspace};
use check::{CheckConfig, Strategy, Subject, Verdict, check_pair};
use ir::Numbers;
use ir::{Pair, ProcId, Program};
use libtest_mimic::{Arguments, Failed, Trial};

struct EngineCase {
    name: String,
    numbers: Numbers,
    bound: u32,
    programs: Pair<Program>,
    expected: String,
    /// The strategies that must say so alone.
    also_by: Vec<Strategy>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases: Vec<EngineCase> = data_files().iter().flat_map(|path| read_cases(path)).collect();
    let solver = workspace::find_solver(&workspace::root());
    assert!(!cases.is_empty(), "there should be engine cases");
    assert!(solver.is_some(), "the cases need a solver: run `cargo xtask setup`");
    let trial = |case: EngineCase| {
        let solver = solver.clone();
        Trial::test(case.name.clone(), move || {
            let mut failures = Vec::new();
            judge(&case, &solver, &mut failures);
            if failures.is_empty() { Ok(()) } else { Err(Failed::from(failures.join("\n"))) }
        })
    };
    libtest_mimic::run(&arguments, cases.into_iter().map(trial).collect()).exit_code()
}

/// The verdict itself, and what follows for free: symmetry, and each version being equivalent to itself.
fn judge(case: &EngineCase, solver: &Option<PathBuf>, failures: &mut Vec<String>) {
    let said = verdict_of(case.programs.as_ref(), case, solver, Strategy::Auto);
    if !matches(&case.expected, &said) {
        failures.push(format!("{}: expected {}, got {}", case.name, case.expected, describe(&said)));
    }
    judge_alone(case, word(&said), solver, failures);
    let swapped = verdict_of(case.programs.as_ref().swapped(), case, solver, Strategy::Auto);
    if word(&said) != word(&swapped) {
        failures.push(format!("{}: {} but {} when swapped", case.name, word(&said), word(&swapped)));
    }
    for program in [&case.programs.old, &case.programs.new] {
        let itself = verdict_of(Pair::new(program, program), case, solver, Strategy::Auto);
        let has_a_gap = ir::print(program).contains("unsupported");
        if word(&itself) != "equivalent" && !has_a_gap {
            failures.push(format!("{}: a version differs from itself: {}", case.name, describe(&itself)));
        }
    }
}

/// Each strategy alone may know less, but never the opposite.
fn judge_alone(case: &EngineCase, said: &str, solver: &Option<PathBuf>, failures: &mut Vec<String>) {
    // `auto` was asked before, and `testing` takes its time and cannot prove anything.
    let alone = Strategy::ALL.into_iter().filter(|it| !matches!(it, Strategy::Auto | Strategy::Testing));
    for strategy in alone {
        if !case.also_by.contains(&strategy) && !share::has(&format!("{} {}", case.name, strategy.name()), 4)
        {
            continue;
        }
        let alone = verdict_of(case.programs.as_ref(), case, solver, strategy);
        let is_opposite = !["unknown", said].contains(&word(&alone)) && said != "unknown";
        let is_missing = case.also_by.contains(&strategy) && word(&alone) != said;
        if is_opposite || is_missing {
            failures.push(format!("{}: {} says {}", case.name, strategy.name(), describe(&alone)));
        }
    }
}

/// What a strategy says.
fn verdict_of(
    programs: Pair<&Program>,
    case: &EngineCase,
    solver: &Option<PathBuf>,
    strategy: Strategy,
) -> Verdict {
    let pair = programs.map(|program| Subject::new(program, ProcId(0)));
    let config = CheckConfig {
        numbers: case.numbers,
        strategy,
        any_inputs: false,
        total: case.name.contains("[total]"),
        open_world: false,
        exceptions: check::Exceptions::Type,
        undefined: check::Undefined::Compared,
        bound: case.bound,
        deeper_bound: case.name.contains("[deep]").then_some(70),
        budget: Budget::new(effort(case, strategy), Kill::never()),
        stop: check::StopFlag::default(),
        threads: check::Threads::ONE,
        solver: solver.clone(),
        solver_memory_mb: 1024,
        keep_obligations: false,
        seed: 1,
    };
    check_pair(pair, &config, &mut |_| {}).verdict
}

/// Strategies that need not decide alone may do little.
fn effort(case: &EngineCase, strategy: Strategy) -> Steps {
    match strategy {
        Strategy::Auto => Steps::of_seconds(20),
        _ if case.also_by.contains(&strategy) => Steps::of_seconds(15),
        _ => Steps::of_seconds(1),
    }
}

fn matches(expected: &str, said: &Verdict) -> bool {
    match expected.split_once(": ") {
        Some(("unknown", words)) => word(said) == "unknown" && describe(said).contains(words),
        _ => word(said) == expected,
    }
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Equivalent(_) => "equivalent",
        Verdict::Different(_) => "different",
        Verdict::Unknown(_) => "unknown",
    }
}

fn describe(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Equivalent(proof) => format!("equivalent by {:?}", proof.method()),
        Verdict::Different(witness) => format!("different on {:?}", witness.input()),
        Verdict::Unknown(unknown) => format!("unknown: {:?}", unknown.reasons().collect::<Vec<_>>()),
    }
}

fn data_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of engine cases should be there")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    files
}

fn read_cases(path: &Path) -> Vec<EngineCase> {
    let text = std::fs::read_to_string(path).expect("a readable case file");
    let file = path.file_name().expect("a file name").to_string_lossy().into_owned();
    text.split("\n=== ").skip(1).map(|case| read_case(&file, case)).collect()
}

fn read_case(file: &str, text: &str) -> EngineCase {
    let (title, rest) = text.split_once('\n').expect("a case should have lines");
    let (old, rest) = rest.split_once("\n--- new\n").expect("a case should have a new version");
    let (new, expected) = rest.split_once("\n--- verdict\n").expect("a case should have a verdict");
    let name = format!("{file}: {title}");
    let bound = title
        .split_once("[bound ")
        .map_or(5, |(_, rest)| rest.trim_end_matches(']').parse().expect("the bound should be a number"));
    let read = |text: &str| match ir::read_program(text) {
        Ok(program) => program,
        Err(error) => panic!("{name}: {error:?}"),
    };
    let (expected, also_by) = match expected.trim().split_once(" by ") {
        Some((expected, strategies)) => {
            let named = strategies.split(", ").map(|name| name.parse().expect("a strategy"));
            (expected, named.collect())
        }
        None => (expected.trim(), Vec::new()),
    };
    EngineCase {
        numbers: if title.contains("[math]") { Numbers::Math } else { Numbers::Machine },
        bound,
        programs: Pair::new(read(old), read(new)),
        expected: expected.to_owned(),
        also_by,
        name: name.clone(),
    }
}

//! Compiles a version in C together with drivers for many inputs, and runs each input in a process of its own.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use cli::replay::{C_DIALECT, C_OBSERVER, C_RENAMED_MAIN, CPlan};
use tempfile::TempDir;

use crate::real_runs::{Problem, Said, compare, is_defined};

/// Processor time for a run, in seconds: a version that ended for us ends for real.
const SECONDS: u32 = 20;

/// The part of the drivers that never changes, compiled once.
static OBSERVER: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder to work in");
    let (source, object) = (folder.path().join("observe.c"), folder.path().join("observe.o"));
    fs::write(&source, C_OBSERVER).expect("a file can be written");
    let compiled = Command::new("cc").args(["-w", "-c", "-o"]).arg(&object).arg(&source).status();
    assert!(compiled.is_ok_and(|status| status.success()), "`cc` should compile the driver");
    (folder, object)
});

/// What each run of a version came to.
pub(crate) fn run(text: &str, plans: &[&CPlan]) -> Vec<Said> {
    let folder = tempfile::tempdir().expect("a folder to work in");
    let is_run = |plan: &CPlan| is_defined(plan) && !has_union(text, plan);
    let program = match plans.iter().any(|plan| is_run(plan)) {
        true => compile(folder.path(), text, plans),
        false => None,
    };
    let said = plans.iter().enumerate().map(|(number, plan)| match &program {
        Some(program) if is_run(plan) => run_one(folder.path(), program, number, plan),
        _ => Err(Problem::Cannot),
    });
    said.collect()
}

/// Structs may have unions in them, which cannot be filled in.
fn has_union(text: &str, plan: &CPlan) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    plan.driver.contains("struct ") && words.any(|word| word == "union")
}

/// The program, unless the compiler refuses it.
fn compile(folder: &Path, text: &str, plans: &[&CPlan]) -> Option<PathBuf> {
    let main = if text.contains("main") { C_RENAMED_MAIN } else { "" };
    let mut unit = format!("{main}{text}\n");
    let mut table = String::new();
    for (number, plan) in plans.iter().enumerate() {
        unit += &plan.driver.replace("selfsame_case", &format!("selfsame_case_{number}"));
        let _ = writeln!(table, "    case {number}: selfsame_case_{number}(); break;");
    }
    unit += "char *getenv(const char *);\nint atoi(const char *);\n";
    let choice = "switch (atoi(getenv(\"SELFSAME_CASE\")))";
    let _ = write!(unit, "void selfsame_case(void) {{\n    {choice} {{\n{table}    }}\n}}\n");
    let (source, program) = (folder.join("unit.c"), folder.join("program"));
    fs::write(&source, unit).expect("a file can be written");
    let mut cc = Command::new("cc");
    cc.args(C_DIALECT).arg("-o").arg(&program).arg(&source).arg(&OBSERVER.1).arg("-lm");
    cc.output().is_ok_and(|output| output.status.success()).then_some(program)
}

fn run_one(folder: &Path, program: &Path, number: usize, plan: &CPlan) -> Said {
    let report_file = folder.join(format!("report{number}"));
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -t {SECONDS}; ulimit -c 0; exec \"$0\" \"$1\""));
    command.arg(program).arg(&report_file).env("SELFSAME_CASE", number.to_string());
    let output = command.output().expect("`sh` should start");
    let report = fs::read(&report_file).unwrap_or_default();
    judge(plan, &output, &String::from_utf8_lossy(&report))
}

fn judge(plan: &CPlan, output: &Output, said: &str) -> Said {
    let expected = &plan.expected;
    // `main` may also end by `exit`, and then says no more.
    let is_exit = !said.ends_with("done\n") && expected.status.is_some();
    if is_exit && output.status.code() == expected.status.map(i32::from) && output.stdout == expected.output {
        return Ok(());
    }
    let Some(report) = said.strip_suffix("done\n").filter(|_| output.status.success()) else {
        return Err(Problem::Disagrees(format!("{} where we say that it ends", output.status)));
    };
    // Padding.
    if report.contains(": other bytes") {
        return Err(Problem::Cannot);
    }
    compare(&expected.report, report)?;
    for (stream, ours, theirs) in [
        ("output", &expected.output, &output.stdout),
        ("error output", &expected.error_output, &output.stderr),
    ] {
        if ours != theirs {
            let [ours, theirs] = [ours, theirs].map(|bytes| String::from_utf8_lossy(bytes));
            return Err(Problem::Disagrees(format!("its {stream} is {theirs:?} where we say {ours:?}")));
        }
    }
    Ok(())
}

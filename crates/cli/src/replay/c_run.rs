//! Compiles and runs the C driver with one version.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{CEnding, CPlan, Expected, Original, Said, first_difference, start};
use crate::process::{Finished, Limits, Memory, quoted};

/// The part of the driver that needs headers, with its `main`.
pub const OBSERVE: &str = include_str!("observe.c");

const COMPILER: Limits = Limits {
    time: Duration::from_secs(60),
    output: 8 << 20,
    file_bytes: 64 << 20,
    memory: Memory::AddressSpace(2 << 30),
};
/// The sanitisers reserve terabytes that they do not use.
const PROGRAM: Limits = Limits { memory: Memory::Resident(1 << 30), ..COMPILER };

/// What makes the compiler read C as we do: overflow wraps, memory has no types, products are not fused.
pub const DIALECT: [&str; 7] =
    ["-w", "-O0", "-g", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-builtin"];

/// Leaves the name free for the driver's own `main`. To the compiler it is `main` all the same, whose end returns 0.
pub const RENAMED_MAIN: &str = "int main() __asm__(\"selfsame_program_main\");\n";

/// Notices what is undefined, but for what we give a meaning.
const SANITISERS: [&str; 3] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize=signed-integer-overflow,shift,pointer-overflow,alignment,vptr",
    "-fno-sanitize-recover=all",
];

/// Runs the plan of one version in a folder that is gone afterwards.
pub(super) fn run(plan: &CPlan, files: &[Original<'_>]) -> Result<Said, String> {
    let folder = tempfile::Builder::new()
        .prefix("selfsame-replay-")
        .tempdir()
        .map_err(|error| format!("no folder to work in: {error}"))?;
    if plan.driver.contains("struct ") && files.iter().any(|file| has_word(file.text, "union")) {
        return Err("its structs may have unions in them, which cannot be filled in".to_owned());
    }
    let program = compile(folder.path(), plan, files)?;
    let report_file = folder.path().join("report");
    let mut command = Command::new(program);
    command.arg(&report_file).current_dir(folder.path());
    command.env("ASAN_OPTIONS", "detect_leaks=0:abort_on_error=0:exitcode=97:allocator_may_return_null=1");
    let finished = start(&mut command, "the driver", PROGRAM)?;
    let said = read_report(&report_file);
    Ok(judge(plan, &finished, &said))
}

/// What the driver wrote, as far as it is text.
fn read_report(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Compares what happened with what the interpreter said.
fn judge(plan: &CPlan, finished: &Finished, said: &str) -> Said {
    let expected = &plan.expected;
    let report = said.strip_suffix("done\n").filter(|_| finished.is_success());
    match (&expected.ending, report) {
        (CEnding::Fails { .. }, None) => Said::Agrees,
        (CEnding::Fails { error }, Some(_)) => Said::Cannot(format!(
            "we say it fails with {error}; C leaves open what happens then, and it ended"
        )),
        (CEnding::Normal, None) if ends_by_exit(expected, finished) => Said::Agrees,
        (CEnding::Normal, None) => {
            Said::Disagrees(format!("it fails where we say that it ends: {}", how(finished)))
        }
        (CEnding::Normal, Some(report)) if report.contains(": other bytes") => {
            Said::Cannot("structs cannot be compared byte by byte when they have padding".to_owned())
        }
        (CEnding::Normal, Some(report)) if report != expected.report => {
            Said::Disagrees(first_difference(&expected.report, report))
        }
        (CEnding::Normal, Some(_)) if finished.stdout != expected.output => {
            Said::Disagrees(other_text("it prints", &finished.stdout, &expected.output))
        }
        (CEnding::Normal, Some(_)) if finished.stderr != expected.error_output => {
            let (theirs, ours) = (&finished.stderr, &expected.error_output);
            Said::Disagrees(other_text("to the error output it writes", theirs, ours))
        }
        (CEnding::Normal, Some(_)) => Said::Agrees,
    }
}

/// Whether `main` called `exit` with the status that we say, after printing what we say.
fn ends_by_exit(expected: &Expected, finished: &Finished) -> bool {
    expected.status.is_some()
        && finished.status.code() == expected.status.map(i32::from)
        && complaint(finished).is_none()
        && finished.stdout == expected.output
        && finished.stderr == expected.error_output
}

fn other_text(verb: &str, theirs: &[u8], ours: &[u8]) -> String {
    let shown = |bytes: &[u8]| quoted(&format!("{:?}", String::from_utf8_lossy(bytes)));
    format!("{verb} {} where we say {}", shown(theirs), shown(ours))
}

/// What a sanitiser says, if it does.
fn complaint(finished: &Finished) -> Option<String> {
    let stderr = String::from_utf8_lossy(&finished.stderr);
    let mut lines = stderr.lines();
    lines.find(|line| line.contains("runtime error") || line.contains("ERROR")).map(str::to_owned)
}

fn how(finished: &Finished) -> String {
    match (complaint(finished), finished.signal()) {
        (Some(complaint), _) => quoted(&complaint),
        (None, Some(signal)) => signal.to_owned(),
        (None, None) => format!("exit code {}", finished.status.code().unwrap_or_default()),
    }
}

/// Builds the driver with one version. Where the sanitisers are not installed it goes without them.
fn compile(folder: &Path, plan: &CPlan, files: &[Original<'_>]) -> Result<PathBuf, String> {
    let units = write_units(folder, plan, files)?;
    build(folder, &units, &SANITISERS).or_else(|_| build(folder, &units, &[]))
}

/// A file of the program, and the folder where its quoted includes are.
struct TranslationUnit {
    path: PathBuf,
    beside: PathBuf,
}

fn write_units(folder: &Path, plan: &CPlan, files: &[Original<'_>]) -> Result<Vec<TranslationUnit>, String> {
    fs::write(folder.join("observe.c"), OBSERVE).map_err(|error| error.to_string())?;
    if !files.iter().any(|file| file.name == plan.file) {
        return Err(format!("the function is in {}, which is not one of the files", plan.file));
    }
    let mut units = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let path = folder.join(format!("unit{index}.c"));
        let driver = if file.name == plan.file { plan.driver.as_str() } else { "" };
        let name = file.name.replace('\\', "\\\\").replace('"', "\\\"");
        let main = if has_word(file.text, "main") { RENAMED_MAIN } else { "" };
        let text = format!("{main}#line 1 \"{name}\"\n{}\n#line 1 \"driver\"\n{driver}", file.text);
        fs::write(&path, text).map_err(|error| error.to_string())?;
        let beside = Path::new(file.name).parent().filter(|parent| !parent.as_os_str().is_empty());
        let beside = fs::canonicalize(beside.unwrap_or(Path::new("."))).unwrap_or_default();
        units.push(TranslationUnit { path, beside });
    }
    Ok(units)
}

fn build(folder: &Path, units: &[TranslationUnit], sanitisers: &[&str]) -> Result<PathBuf, String> {
    // `observe.c` has the real `main`, so it is compiled without the renaming.
    let observe = folder.join("observe.o");
    compiled(Command::new(compiler()).args(["-w", "-c", "-o"]).arg(&observe).arg(folder.join("observe.c")))?;
    let mut objects = vec![observe];
    for TranslationUnit { path, beside } in units {
        let object = path.with_extension("o");
        let mut command = Command::new(compiler());
        command.args(DIALECT).args(sanitisers).arg("-iquote").arg(beside).arg("-c").arg("-o");
        compiled(command.arg(&object).arg(path))?;
        objects.push(object);
    }
    let program = folder.join("program");
    compiled(Command::new(compiler()).args(sanitisers).arg("-o").arg(&program).args(&objects).arg("-lm"))?;
    Ok(program)
}

fn compiler() -> OsString {
    env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| OsString::from("cc"))
}

fn compiled(command: &mut Command) -> Result<(), String> {
    let finished = start(command, "`cc`", COMPILER)?;
    if finished.is_success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&finished.stderr);
    let complaint = stderr.lines().find(|line| line.contains("error")).unwrap_or("without a word");
    Err(format!("cc refuses it: {}", quoted(complaint)))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|found| found == word)
}

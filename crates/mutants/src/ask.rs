//! Asks the selfsame program about one mutant, and the C compiler whether it sees a difference.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use arbitrary_source::Language;
use serde_json::Value;

use super::functions::FoundFunction;
use super::record::texts;

/// How mutants are asked about.
pub(super) struct Asking {
    pub(super) program: PathBuf,
    pub(super) timeout: f64,
    pub(super) language: Language,
    /// What the C preprocessor gets besides: `-I`, `-D`.
    pub(super) flags: Vec<String>,
    /// Where mutants are written.
    pub(super) folder: PathBuf,
}

/// What selfsame says.
#[derive(Clone, Default, Debug)]
pub(super) struct Answer {
    pub(super) verdict: String,
    pub(super) proof: String,
    pub(super) assumptions: Vec<String>,
    pub(super) reasons: Vec<String>,
}

impl Asking {
    /// Writes the compiler that selfsame calls: it knows the folder of the original, and the flags.
    pub(super) fn prepare(&self) -> Result<()> {
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot make {}", self.folder.display()))?;
        let flags: Vec<_> = self.flags.iter().map(|flag| quoted(flag)).collect();
        let script = format!("#!/bin/sh\nexec cc -iquote \"$MUTANTS_ORIGINAL\" {} \"$@\"\n", flags.join(" "));
        let path = self.compiler();
        fs::write(&path, script).with_context(|| format!("cannot write {}", path.display()))?;
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(())
    }

    fn compiler(&self) -> PathBuf {
        self.folder.join("cc-of-mutants")
    }

    /// Compares a file with its mutant. The worker's number keeps files apart that are asked about at the same time.
    pub(super) fn ask(
        &self,
        worker: usize,
        original: &Path,
        mutant: &Path,
        function: &FoundFunction,
    ) -> Result<Answer> {
        let output = self.folder.join(format!("answer-{worker}.json"));
        let complaints = self.folder.join(format!("complaints-{worker}.txt"));
        let mut command = Command::new(&self.program);
        command.arg("check").arg(original).arg(mutant).args(["--function", &function.name]);
        command.args(["--format", "json", "--jobs", "1", "--timeout", &self.timeout.to_string()]);
        command.env("CC", self.compiler()).env("MUTANTS_ORIGINAL", folder_of(original));
        command.stdin(Stdio::null()).stdout(File::create(&output)?).stderr(File::create(&complaints)?);
        let limit = Duration::from_secs_f64(self.timeout * 3.0 + 60.0);
        let code = run_within(&mut command, limit)?;
        let complaint = || last_line(&fs::read_to_string(&complaints).unwrap_or_default());
        Ok(match code {
            Some(0 | 1 | 3) => read(&fs::read_to_string(&output)?, function),
            Some(2) => {
                Answer { verdict: "refused".to_owned(), reasons: vec![complaint()], ..Answer::default() }
            }
            Some(code) => broken(format!("exit code {code}: {}", complaint())),
            None => broken(format!("no answer in {} s", limit.as_secs())),
        })
    }

    /// Whether the preprocessor gives the same text for both: the change is in code that is not compiled.
    pub(super) fn is_left_out(&self, original: &Path, mutant: &Path) -> bool {
        self.compile_to_same(original, mutant, &["-E", "-P"])
    }

    /// Whether `cc -O2` makes the same code of both versions: then they are the same indeed.
    pub(super) fn is_same_code(&self, original: &Path, mutant: &Path) -> bool {
        let flags = ["-O2", "-fwrapv", "-fno-strict-aliasing", "-S"];
        self.compile_to_same(original, mutant, &flags)
    }

    /// Whether the C compiler accepts both and writes the same for them.
    fn compile_to_same(&self, original: &Path, mutant: &Path, flags: &[&str]) -> bool {
        let code = |path: &Path| {
            let mut command = Command::new(self.compiler());
            command.env("MUTANTS_ORIGINAL", folder_of(original));
            command.args(flags).args(["-w", "-o", "-", "-x", "c", "-"]);
            let input = File::open(path).ok()?;
            let output = command.stdin(input).stderr(Stdio::null()).output().ok()?;
            output.status.success().then_some(output.stdout)
        };
        self.language == Language::C && code(original).is_some_and(|old| code(mutant) == Some(old))
    }
}

fn broken(reason: String) -> Answer {
    Answer { verdict: "internal error".to_owned(), reasons: vec![reason], ..Answer::default() }
}

fn quoted(flag: &str) -> String {
    format!("'{}'", flag.replace('\'', "'\\''"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn last_line(text: &str) -> String {
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("").to_owned()
}

/// The exit code; nothing if the program had to be stopped.
fn run_within(command: &mut Command, limit: Duration) -> Result<Option<i32>> {
    let mut child = command.spawn().context("cannot start selfsame: build it, or name it with `--bin`")?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code().unwrap_or(-1)));
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The answer about the function. Overloads are told apart by the number of parameters; of those that are left over,
/// the mutated one is the one that is not identical, and the least favourable answer counts.
fn read(report: &str, function: &FoundFunction) -> Answer {
    let Ok(report) = serde_json::from_str::<Value>(report) else {
        return broken("the report is no JSON".to_owned());
    };
    let mut results: Vec<&Value> = report["results"].as_array().into_iter().flatten().collect();
    let fits = |result: &&Value| {
        let name = result["function"].as_str().unwrap_or_default();
        let params = name.find('(').map(|open| &name[open + 1..name.len() - 1]);
        params.is_none_or(|params| {
            params.is_empty() == (function.params == 0)
                && (params.is_empty() || params.split(',').count() == function.params)
        })
    };
    if results.iter().any(fits) {
        results.retain(fits);
    }
    let rank = |result: &&Value| match (result["verdict"].as_str(), result["strategy"].as_str()) {
        (Some("equivalent"), Some("identical")) => 3,
        (Some("equivalent"), _) => 0,
        (Some("unknown"), _) => 1,
        _ => 2,
    };
    let Some(result) = results.into_iter().min_by_key(rank) else {
        let errors = texts(&report["summary"]["errors"]);
        return Answer { verdict: "refused".to_owned(), reasons: errors, ..Answer::default() };
    };
    Answer {
        verdict: result["verdict"].as_str().unwrap_or("no verdict").to_owned(),
        proof: result["proof"].as_str().unwrap_or_default().to_owned(),
        assumptions: texts(&result["assumptions"]),
        reasons: texts(&result["reasons"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_that_of_the_overload_that_was_mutated() {
        let function = FoundFunction { name: "A.f".to_owned(), params: 1, head: 0..0, body: 0..0 };
        let report = |one: &str, two: &str| {
            format!(
                "{{\"results\": [{{\"function\": \"A.f(int)\", \"verdict\": \"{one}\", \"strategy\": \"identical\"}}, \
                 {{\"function\": \"A.f(long)\", \"verdict\": \"{two}\", \"proof\": null}}, \
                 {{\"function\": \"A.f(int,int)\", \"verdict\": \"equivalent\", \"proof\": \"naive\"}}]}}"
            )
        };
        assert_eq!(read(&report("equivalent", "different"), &function).verdict, "different");
        assert_eq!(read(&report("equivalent", "equivalent"), &function).proof, "");
        assert_eq!(read("{", &function).verdict, "internal error");
        assert_eq!(read("{\"results\": []}", &function).verdict, "refused");
    }
}

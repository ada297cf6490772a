//! Runs the program on files that a test writes, and looks at everything that comes out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A folder with the files of one test.
pub(crate) struct Workplace {
    folder: tempfile::TempDir,
}

/// What a run of the program left behind.
#[derive(Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workplace {
    pub(crate) fn new() -> Workplace {
        Workplace { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Workplace {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// Writes a program that anybody may run.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        self.write(name, text);
        let path = self.path().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The program, in the folder of the test, with the solver of `cargo xtask setup`.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selfsame"));
        command.args(arguments).current_dir(self.path());
        let solver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/solver/z3");
        match solver.exists() {
            true => command.env("SELFSAME_SOLVER", solver),
            false => command.env_remove("SELFSAME_SOLVER"),
        };
        command.env_remove("CC");
        command
    }

    /// The same for a program that is interrupted: whoever runs the tests in the background may ignore that signal.
    pub(crate) fn interruptible(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        // SAFETY: `signal` may be called between `fork` and `exec`.
        unsafe {
            command.pre_exec(|| {
                libc::signal(libc::SIGINT, libc::SIG_DFL);
                Ok(())
            });
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        finish(&mut self.command(arguments))
    }

    /// `check old new` with more arguments, and the JSON report.
    pub(crate) fn json(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let ran = self.run(&[&["check"], arguments, &["--format", "json"]].concat());
        let value = serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("{error} in {:?}, {}", ran.stdout, ran.stderr));
        (ran.code, value)
    }
}

pub(crate) fn finish(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The verdicts of a JSON report, in order.
pub(crate) fn verdicts(report: &Value) -> Vec<&str> {
    report["results"].as_array().unwrap().iter().map(|result| result["verdict"].as_str().unwrap()).collect()
}

/// All reasons of the first result in one text.
pub(crate) fn reasons(report: &Value) -> String {
    report["results"][0]["reasons"].to_string()
}

/// A Java file with one class.
pub(crate) fn class(name: &str, body: &str) -> String {
    format!("class {name} {{\n    {body}\n}}\n")
}

pub(crate) const OLD_MID: &str = "class Mid {\n    static int mid(int a, int b) { return (a + b) / 2; }\n}\n";
pub(crate) const NEW_MID: &str =
    "class Mid {\n    static int mid(int a, int b) { return a + (b - a) / 2; }\n}\n";

//! Compiles and runs many Java versions in one virtual machine, each run with classes of its own.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use cli::replay::{JAVA_DRIVER, JavaPlan, java_path};
use tempfile::TempDir;

use crate::real_runs::{Problem, Said, compare};

/// When the machine is given up: versions that ended for us end for real.
const PATIENCE: Duration = Duration::from_secs(900);

static MACHINE: Mutex<Option<VirtualMachine>> = Mutex::new(None);

/// What each run of a version came to.
pub(crate) fn run(text: &str, plans: &[&JavaPlan]) -> Vec<Said> {
    if plans.is_empty() {
        return Vec::new();
    }
    // A page that failed leaves the machine as it is: each version has a folder of its own.
    let mut machine = MACHINE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    machine.get_or_insert_with(VirtualMachine::start).run(text, plans)
}

/// A running `Batch.java`.
struct VirtualMachine {
    folder: TempDir,
    versions: usize,
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

impl VirtualMachine {
    fn start() -> VirtualMachine {
        let folder = tempfile::tempdir().expect("a folder to work in");
        let source = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("a file can be written");
            path
        };
        let sources =
            [source("Batch.java", include_str!("Batch.java")), source("SelfsameReplay.java", JAVA_DRIVER)];
        let compiled = Command::new("javac").arg("-d").arg(folder.path()).args(sources).output();
        let compiled = compiled.expect("`javac` should start");
        assert!(compiled.status.success(), "javac: {}", String::from_utf8_lossy(&compiled.stderr));
        let mut java = Command::new("java");
        java.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-Dfile.encoding=UTF-8"]);
        java.arg("-cp").arg(folder.path()).arg("Batch").arg(folder.path());
        let mut child =
            java.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("`java` should start");
        let requests = child.stdin.take().expect("its input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        VirtualMachine { folder, versions: 0, child, requests, answers }
    }

    fn run(&mut self, text: &str, plans: &[&JavaPlan]) -> Vec<Said> {
        self.versions += 1;
        let folder = self.folder.path().join(self.versions.to_string());
        let source = folder.join("sources").join(java_path(text, "Case"));
        fs::create_dir_all(source.parent().expect("a file is in a folder")).expect("a folder can be made");
        fs::write(&source, text).expect("a file can be written");
        for (number, plan) in plans.iter().enumerate() {
            fs::write(folder.join(format!("input{number}")), &plan.input).expect("a file can be written");
        }
        writeln!(self.requests, "{}", folder.display()).expect("the virtual machine should listen");
        let answer = self.answers.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            let _ = self.child.kill();
            panic!("the virtual machine should answer for\n{text}")
        });
        let said = plans.iter().enumerate().map(|(number, plan)| {
            let report = fs::read_to_string(folder.join(format!("said{number}"))).unwrap_or_default();
            match answer != "done" || report.is_empty() || report.starts_with("cannot: ") {
                true => Err(Problem::Cannot),
                false => compare(&plan.expected, &report),
            }
        });
        let said = said.collect();
        let _ = fs::remove_dir_all(&folder);
        said
    }
}

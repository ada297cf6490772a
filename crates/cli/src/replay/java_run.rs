//! Compiles one version together with the Java driver, and runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use super::{JavaPlan, Original, Said, first_difference, java_source, start};
use crate::process::{Finished, Limits, Memory, quoted};

/// The driver: it runs a method as a file describes, and prints what can be observed.
pub const DRIVER: &str = include_str!("SelfsameReplay.java");

/// The compiler is trusted to end; it may have to wait for a busy machine.
const COMPILER: Limits = Limits {
    time: Duration::from_secs(180),
    output: 1 << 20,
    file_bytes: 64 << 20,
    memory: Memory::Resident(2 << 30),
};
const PROGRAM: Limits = Limits {
    time: Duration::from_secs(60),
    output: 8 << 20,
    file_bytes: 1 << 20,
    memory: Memory::Resident(1 << 30),
};
/// What makes short runs of a virtual machine cheap.
const QUICK: [&str; 2] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

/// One version, compiled together with the driver; the folder is gone afterwards.
pub(super) struct Build {
    folder: TempDir,
    /// The binary names of the program's classes.
    names: Vec<String>,
}

impl Build {
    pub(super) fn new(files: &[Original<'_>]) -> Result<Build, String> {
        let folder = tempfile::Builder::new()
            .prefix("selfsame-replay-")
            .tempdir()
            .map_err(|error| format!("no folder to work in: {error}"))?;
        let classes = folder.path().join("classes");
        let sources = write_sources(folder.path(), files)?;
        let mut javac = Command::new("javac");
        javac.args(QUICK.map(|option| format!("-J{option}")));
        javac
            .args(["-J-Xmx1g", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"])
            .arg(&classes)
            .args(sources);
        let compiled = start(&mut javac, "`javac`", COMPILER)?;
        if !compiled.is_success() {
            return Err(format!("javac refuses it: {}", first_line(&compiled)));
        }
        Ok(Build { names: class_names(&classes), folder })
    }

    /// Runs a plan and compares what the driver says with what it should say.
    pub(super) fn run(&self, plan: &JavaPlan) -> Result<Said, String> {
        let mut input: String = self.names.iter().map(|name| format!("class {name}\n")).collect();
        input += &plan.input;
        let input_file = self.folder.path().join("input");
        fs::write(&input_file, input).map_err(|error| error.to_string())?;
        let mut java = Command::new("java");
        java.args(QUICK).args(["-ea", "-Xmx512m", "-Dfile.encoding=UTF-8"]);
        java.arg("-cp").arg(self.folder.path().join("classes")).arg("SelfsameReplay").arg(&input_file);
        let finished = start(java.current_dir(self.folder.path()), "`java`", PROGRAM)?;
        let said = String::from_utf8_lossy(&finished.stdout);
        if let Some(why) = said.strip_prefix("cannot: ") {
            return Err(why.trim_end().to_owned());
        }
        if !finished.is_success() || said.is_empty() {
            return Err(format!("java stopped: {}", first_line(&finished)));
        }
        Ok(match said == plan.expected.as_str() {
            true => Said::Agrees,
            false => Said::Disagrees(first_difference(&plan.expected, &said)),
        })
    }
}

fn write_sources(folder: &Path, files: &[Original<'_>]) -> Result<Vec<PathBuf>, String> {
    let mut paths = Vec::new();
    for file in files {
        let stem = Path::new(file.name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let relative = java_source::path_of(file.text, &stem.unwrap_or_else(|| "Source".to_owned()));
        write(folder.join("sources").join(relative), file.text, &mut paths)?;
    }
    write(folder.join("driver/SelfsameReplay.java"), DRIVER, &mut paths)?;
    Ok(paths)
}

fn write(path: PathBuf, text: &str, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    if paths.contains(&path) {
        return Err(format!("two files want to be {}", path.display()));
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(|error| error.to_string())?;
    paths.push(path);
    Ok(())
}

/// The binary names of the compiled classes, but for the driver's.
fn class_names(classes: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![(classes.to_owned(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() {
                open.push((entry.path(), format!("{prefix}{name}.")));
            } else if let Some(stem) = name.strip_suffix(".class")
                && !stem.starts_with("SelfsameReplay")
            {
                names.push(format!("{prefix}{stem}"));
            }
        }
    }
    names.sort();
    names
}

fn first_line(finished: &Finished) -> String {
    let text = String::from_utf8_lossy(&finished.stderr);
    quoted(text.lines().next().unwrap_or("without a word"))
}

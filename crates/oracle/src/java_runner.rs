//! Compiles many Java programs with one `javac` and runs them all in one `java`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use arbitrary_source::program::{GeneratedProgram, ProgramInput};

use super::real::RealRuns;
use casekit::process;

/// Programs that compare, with the inputs to run each on.
pub(crate) fn run(programs: &[(&GeneratedProgram, Vec<&ProgramInput>)], folder: &Path) -> Result<RealRuns> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("Harness.java"), include_str!("Harness.java"))?;
    for (program, _) in programs {
        fs::write(folder.join(format!("{}.java", program.name)), &program.text)?;
    }
    let rejected = compile(programs, folder)?;
    let kept = |name: &String| !rejected.iter().any(|(other, _)| other == name);
    let lines: Vec<String> = programs
        .iter()
        .filter(|(program, _)| kept(&program.name))
        .flat_map(|(program, inputs)| inputs.iter().map(|input| request(program, input)))
        .collect();
    fs::write(folder.join("inputs.txt"), lines.join("\n"))?;
    let mut java = Command::new("java");
    java.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m", "-Xmx1g", "-cp"]).arg(folder);
    let output = process::output(java.arg("Harness").arg(folder.join("inputs.txt")))?;
    let mut results = output.lines().map(str::to_owned);
    let mut runs = RealRuns::default();
    for (program, inputs) in programs {
        if let Some((_, complaint)) = rejected.iter().find(|(name, _)| *name == program.name) {
            runs.rejected.push((program.name.clone(), complaint.clone()));
            runs.results.push(Vec::new());
        } else {
            let mine: Vec<String> = results.by_ref().take(inputs.len()).collect();
            ensure!(mine.len() == inputs.len(), "the harness stopped early in {}", program.name);
            runs.results.push(mine);
        }
    }
    Ok(runs)
}

fn request(program: &GeneratedProgram, input: &ProgramInput) -> String {
    let mut words = vec![program.name.clone(), program.entry.clone(), input.args.len().to_string()];
    words.extend(input.args.iter().map(ToString::to_string));
    words.extend(
        program.globals.iter().zip(&input.globals).map(|((name, _), value)| format!("{name}={value}")),
    );
    words.join(" ")
}

/// Compiles all files; those that the compiler rejects are left out. Gives their names and its complaints.
fn compile(
    programs: &[(&GeneratedProgram, Vec<&ProgramInput>)],
    folder: &Path,
) -> Result<Vec<(String, String)>> {
    let mut rejected: Vec<(String, String)> = Vec::new();
    loop {
        let kept =
            programs.iter().filter(|(program, _)| !rejected.iter().any(|(name, _)| *name == program.name));
        let files: Vec<PathBuf> =
            kept.map(|(program, _)| folder.join(format!("{}.java", program.name))).collect();
        let list = folder.join("files.txt");
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        fs::write(&list, names.join("\n"))?;
        let mut javac = Command::new("javac");
        javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-proc:none", "-g:none"]);
        javac.args(["-Xlint:none", "-Xmaxerrs", "10000", "-d"]).arg(folder).arg(folder.join("Harness.java"));
        let output = javac.arg(format!("@{}", list.display())).output().context("cannot start `javac`")?;
        if output.status.success() {
            return Ok(rejected);
        }
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut culprits: BTreeSet<String> = BTreeSet::new();
        for line in complaints.lines().filter(|line| line.contains(": error:")) {
            let file = line.split(".java:").next().unwrap_or_default();
            let name = file.rsplit('/').next().unwrap_or_default().to_owned();
            if culprits.insert(name.clone()) {
                rejected.push((name, line.to_owned()));
            }
        }
        ensure!(!culprits.is_empty(), "javac failed without naming a file: {complaints}");
        ensure!(!culprits.contains("Harness"), "the harness does not compile: {complaints}");
    }
}

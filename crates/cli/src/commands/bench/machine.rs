//! What a benchmark ran on, for the head of its reports: times mean nothing without it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::process::{self, Limits, Memory};
use crate::supervise::Machine;

/// Program, processor, system and solver, as name and value. What cannot be known is left out.
pub(crate) fn describe(solver: Option<&Path>, fingerprint: &str) -> Vec<(String, String)> {
    let mut facts = vec![("commit", commit()), ("executable", fingerprint.to_owned())];
    facts.extend(processor().map(|name| ("processor", format!("{name}, {} cores", Machine::cores()))));
    facts.extend(memory().map(|size| ("memory", size)));
    facts.extend(
        first_line("/proc/sys/kernel/osrelease").map(|release| ("system", format!("Linux {release}"))),
    );
    facts.extend(first_line("/proc/loadavg").map(|load| ("load at the start", load)));
    facts.push(("solver", solver.map_or("none".to_owned(), solver_version)));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The commit that the program was built from, and whether it was changed after that.
fn commit() -> String {
    option_env!("SELFSAME_COMMIT").unwrap_or("unknown").to_owned()
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory() -> Option<String> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes: u64 = text.lines().next()?.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{:.1} GB", kilobytes as f64 / f64::from(1 << 20)))
}

fn first_line(path: &str) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.lines().next()?.trim().to_owned())
}

/// What the solver says of itself, with its path.
fn solver_version(path: &Path) -> String {
    let limits = Limits {
        time: Duration::from_secs(5),
        output: 4 << 10,
        file_bytes: 0,
        memory: Memory::Resident(1 << 30),
    };
    let asked = process::run(Command::new(path).arg("--version"), Vec::new(), limits);
    let said = asked.ok().filter(process::Finished::is_success);
    let text = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    match text.lines().next().map(str::trim).filter(|line| !line.is_empty()) {
        Some(version) => format!("{version} ({})", path.display()),
        None => format!("{} (it does not say its version)", path.display()),
    }
}

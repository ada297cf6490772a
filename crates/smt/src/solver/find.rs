//! Finds a solver and sees that it is one.

use super::answer::{Failure, SolverError, quoted};
use super::process::Process;
use super::sexpr::{self, SExpr};
use super::{Limits, Solver, SolverConfig, StopFlag};
use crate::print::{Encoding, Floats};
use budget::{Budget, Kill, Steps};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a solver may take to say its name. Loading it from a cold disk is slow.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program to use: the one that was asked for, or the first one that is there.
///
/// Looks only at the paths it is given; where to look is the caller's business.
pub fn find_solver(explicit: Option<&Path>, search: &[PathBuf]) -> Result<PathBuf, SolverError> {
    let candidates: Vec<PathBuf> = match explicit {
        Some(path) => vec![path.to_owned()],
        None => search.to_vec(),
    };
    match candidates.iter().find(|path| path.is_file()) {
        Some(path) => Ok(path.clone()),
        None => Err(SolverError::NotFound { looked_at: candidates }),
    }
}

/// The name and version that a solver says it has, such as `Z3 5.4.0`.
pub fn solver_version(config: &SolverConfig) -> Result<String, SolverError> {
    let mut solver = Solver::start(config.clone())?;
    let limits = Limits {
        budget: Budget::new(Steps::MAX, patience()),
        stop: StopFlag::default(),
        steps: None,
        encoding: Encoding { floats: Floats::Symbols },
    };
    let replies = solver.converse("(get-info :name)\n(get-info :version)\n", &limits);
    let words: Vec<String> = match replies {
        Ok(replies) => replies.iter().filter_map(info).collect(),
        Err(failure) => return Err(not_a_solver(&config.program, &failure)),
    };
    Ok(words.join(" "))
}

fn patience() -> Kill {
    Kill::at(Instant::now() + PATIENCE)
}

/// The text in `(:name "Z3")`.
fn info(reply: &SExpr) -> Option<String> {
    match reply.as_list()? {
        [_, SExpr::Text(text) | SExpr::Atom(text)] => Some(text.clone()),
        _ => None,
    }
}

/// Starts the program and has it decide something small, so that a wrong program is noticed here.
pub(super) fn start(config: &SolverConfig, preamble: &str) -> Result<Process, SolverError> {
    let program = &config.program;
    let mut process = Process::start(program, &arguments(config), config.memory_mb)
        .map_err(|source| SolverError::CannotStart { program: program.clone(), source })?;
    let greeting = format!("{preamble}(push 1)\n(assert false)\n(check-sat)\n(pop 1)\n");
    match process.exchange(&greeting, &patience(), &StopFlag::default()) {
        Ok(reply) if sexpr::parse(&reply) == Some(vec![SExpr::Atom("unsat".to_owned())]) => Ok(process),
        Ok(reply) => Err(not_a_solver(program, &Failure::Protocol(reply))),
        Err(failure) => Err(not_a_solver(program, &failure)),
    }
}

fn not_a_solver(program: &Path, failure: &Failure) -> SolverError {
    let what = match failure {
        Failure::Killed | Failure::Stopped => "it did not answer in time".to_owned(),
        Failure::Memory => "it ran out of memory".to_owned(),
        Failure::Died(how) => format!("it ended: {how}"),
        Failure::Protocol(text) => format!("it said {:?}", quoted(text)),
        Failure::Io(error) => error.to_string(),
    };
    SolverError::NotASolver { program: program.to_owned(), what }
}

/// Whether the program is Z3, going by its name; others get no Z3 options.
pub(super) fn is_z3(program: &Path) -> bool {
    let name = program.file_name().map(|name| name.to_string_lossy().to_lowercase());
    !name.is_some_and(|name| {
        ["cvc5", "cvc4", "bitwuzla", "yices", "mathsat"].iter().any(|other| name.contains(other))
    })
}

fn arguments(config: &SolverConfig) -> Vec<String> {
    let name =
        config.program.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    if is_z3(&config.program) {
        vec!["-in".to_owned(), "-smt2".to_owned(), format!("-memory:{}", config.memory_mb)]
    } else if name.contains("cvc") {
        vec!["--incremental".to_owned(), "--lang=smt2".to_owned()]
    } else {
        Vec::new()
    }
}

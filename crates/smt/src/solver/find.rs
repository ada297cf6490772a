//! Finds a solver and sees that it is one.

use super::answer::{Failure, SolverError, quoted};
use super::counting::{self, STEPS_SO_FAR};
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

/// A solver that has just started, and what it can do.
pub(super) struct Started {
    pub(super) process: Process,
    /// Whether it counts its steps, and can be told how many it may take. Only Z3 does in this way, which also has an
    /// engine for Horn clauses.
    pub(super) counts_steps: bool,
}

/// Ways to start a program that we have not met: each family of solvers has its own.
const FAMILIES: [fn(&SolverConfig) -> Vec<String>; 3] = [
    |config| vec!["-in".to_owned(), "-smt2".to_owned(), format!("-memory:{}", config.memory_mb)],
    |_| vec!["--incremental".to_owned(), "--lang=smt2".to_owned()],
    |_| Vec::new(),
];

/// Starts the program in the way that it understands, has it decide something small, so that a wrong program is noticed
/// here, and finds out what it can do.
pub(super) fn start(config: &SolverConfig) -> Result<Started, SolverError> {
    let mut failed = None;
    for arguments in FAMILIES {
        match start_with(config, &arguments(config)) {
            Ok(started) => return Ok(started),
            Err(error @ SolverError::NotASolver { .. }) => failed = failed.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    Err(failed.expect("each family should have been tried"))
}

fn start_with(config: &SolverConfig, arguments: &[String]) -> Result<Started, SolverError> {
    let program = &config.program;
    let mut process = Process::start(program, arguments, config.memory_mb)
        .map_err(|source| SolverError::CannotStart { program: program.clone(), source })?;
    let mut ask = |text: &str| match process.exchange(text, &patience(), &StopFlag::default()) {
        Ok(reply) => Ok(reply),
        Err(failure) => Err(not_a_solver(program, &failure)),
    };
    let counts_steps = counting::is_count(&ask(STEPS_SO_FAR)?);
    let preamble = if counts_steps { "" } else { PREAMBLE };
    let reply = ask(&format!("{preamble}(push 1)\n(assert false)\n(check-sat)\n(pop 1)\n"))?;
    match sexpr::parse(&reply).as_deref() {
        Some([SExpr::Atom(word)]) if word == "unsat" => Ok(Started { process, counts_steps }),
        _ => Err(not_a_solver(program, &Failure::Protocol(reply))),
    }
}

/// The options that hold for all questions to a solver that is not Z3.
pub(super) const PREAMBLE: &str =
    "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ALL)\n";

fn not_a_solver(program: &Path, failure: &Failure) -> SolverError {
    let what = match failure {
        Failure::Killed | Failure::Stopped => "it did not answer in time".to_owned(),
        Failure::Memory | Failure::Allocations => "it ran out of memory".to_owned(),
        Failure::Died(how) => format!("it ended: {how}"),
        Failure::Protocol(text) => format!("it said {:?}", quoted(text)),
        Failure::Io(error) => error.to_string(),
    };
    SolverError::NotASolver { program: program.to_owned(), what }
}

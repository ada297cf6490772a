//! The solver that tests use: the workspace's own, or the one named by `SELFSAME_SOLVER`.

#[allow(dead_code, reason = "each test program uses its part")]
pub(crate) mod random;

use smt::{Encoding, Floats, Limits, Solver, SolverConfig, StopFlag};
use std::path::PathBuf;

use budget::{Budget, Kill, Steps};

/// Where the solver should be; `None`, with a word on standard error, if it is not there.
#[allow(dead_code, reason = "each test program uses its part")]
pub(crate) fn program() -> Option<PathBuf> {
    let ours = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/solver/z3");
    let program = std::env::var_os("SELFSAME_SOLVER").map_or(ours, PathBuf::from);
    if program.is_file() {
        return Some(program);
    }
    eprintln!("skipped: there is no solver at {}; `cargo xtask setup` fetches one", program.display());
    None
}

/// A running solver, if there is one.
#[allow(dead_code, reason = "each test program uses its part")]
pub(crate) fn solver() -> Option<Solver> {
    let config = SolverConfig { program: program()?, memory_mb: 1000 };
    Some(Solver::start(config).expect("the solver should start"))
}

/// Limits that a test should not reach.
#[allow(dead_code, reason = "each test program uses its part")]
pub(crate) fn limits(floats: Floats) -> Limits {
    Limits {
        budget: Budget::new(Steps::of_seconds(60), Kill::never()),
        stop: StopFlag::default(),
        steps: Some(Steps::new(50_000_000)),
        encoding: Encoding { floats },
    }
}

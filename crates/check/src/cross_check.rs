//! Asks a second solver about everything that a proof rests on.
//!
//! A proof counts only if the second solver refutes every obligation too. One that it cannot refute makes the pair
//! *unknown*; one that it finds a model for is a contradiction between two solvers, and a bug of one of them or of ours.

use std::path::Path;

use smt::{Answer, Encoding, Floats, Limits, Solver, SolverConfig};

use crate::CheckConfig;
use crate::kernel::Proof;
use crate::unknown::{Reason, Unknown};
use crate::verdict::Verdict;

/// What is left of a verdict once a second solver was asked. Verdicts that are no proofs stay as they are.
pub fn cross_checked(verdict: Verdict, solver: &Path, config: &CheckConfig) -> Verdict {
    let Verdict::Equivalent(proof) = verdict else { return verdict };
    match discharge(&proof, solver, config) {
        Ok(name) => Verdict::Equivalent(proof.confirmed_by(name)),
        Err(reason) => Verdict::Unknown(Unknown::because(reason)),
    }
}

/// The name of the second solver, if it refutes all obligations.
fn discharge(proof: &Proof, program: &Path, config: &CheckConfig) -> Result<String, Reason> {
    let solver_config = SolverConfig { program: program.to_owned(), memory_mb: config.solver_memory_mb };
    let failed = |error: smt::SolverError| Reason::SolverFailed(error.to_string());
    let name = smt::solver_version(&solver_config).map_err(failed)?;
    let mut solver = Solver::start(solver_config).map_err(failed)?;
    // As much as the pair has had: what is left of that may be next to nothing.
    let budget = config.budget.apart(config.budget.left() + config.budget.spent());
    let mut not_refuted = 0;
    for (place, obligation) in proof.obligations().iter().enumerate() {
        let limits = Limits {
            budget: budget.clone(),
            stop: config.stop.clone(),
            steps: None,
            encoding: Encoding { floats: Floats::Symbols },
        };
        match solver.ask_script(&obligation.script, &limits) {
            Ok(Answer::Unsat) => {}
            Ok(Answer::Sat(_)) => {
                return Err(Reason::Contradiction(format!(
                    "two solvers disagree, obligation {} of the proof ({}) was refuted, but {name} has a model of it",
                    place + 1,
                    obligation.question
                )));
            }
            // What it does not understand it has not refuted.
            Ok(Answer::Unknown(_)) | Err(_) => not_refuted += 1,
        }
    }
    match not_refuted {
        0 => Ok(name),
        open => Err(Reason::NotConfirmed { solver: name, open, of: proof.obligations().len() }),
    }
}

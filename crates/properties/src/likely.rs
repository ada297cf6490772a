//! Likely assertions: what held in all runs of a procedure on many inputs, by the templates of Daikon (Ernst et al. 2007).
//!
//! | module | what it gives |
//! |---|---|
//! | `observe` | tables: what variables were at the end of a procedure, and before iterations of its loops |
//! | `templates` | the clauses that fit a table |
//! | `linear` | one number as a linear function of others |
//!
//! Under-approximating: runs are some of many. Nothing of it is believed before it is proved.

mod linear;
mod observe;
mod templates;

use ir::{Numbers, ProcId, Program};

/// A clause that held in all runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Likely {
    /// The less, the more it tells.
    pub weight: u32,
    pub moment: Moment,
    /// In the words of contracts: with `\result` and `\old(...)` at the end of a procedure.
    pub clause: String,
}

/// When a clause holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moment {
    /// When the procedure returns.
    End,
    /// Whenever the test of the loop on this line is evaluated.
    Loop(u32),
}

/// Clauses for one moment, at the most.
const MOST_CLAUSES: usize = 24;

/// The clauses that held whenever a procedure was run, the most telling first.
pub fn likely(program: &Program, procedure: ProcId, numbers: Numbers, seed: u64) -> Vec<Likely> {
    let mut found = Vec::new();
    let constants = ir::constants(program, procedure).integers;
    let constants: Vec<i128> = constants.into_iter().collect();
    for (moment, table) in observe::tables(program, procedure, numbers, seed) {
        let mut clauses = templates::clauses(&table, &constants);
        clauses.sort();
        clauses.dedup_by(|one, other| one.1 == other.1);
        clauses.truncate(MOST_CLAUSES);
        found.extend(clauses.into_iter().map(|(weight, clause)| Likely { weight, moment, clause }));
    }
    found
}

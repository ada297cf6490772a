//! Terms over booleans, numbers, bit-vectors, floats, arrays and texts: built, simplified,
//! evaluated, written as SMT-LIB text and put to a solver process.
//!
//! ```
//! use smt::{Sort, Terms};
//! let mut terms = Terms::new();
//! let x = terms.var("x", &Sort::Int);
//! let y = terms.var("y", &Sort::Int);
//! let one = terms.int(1);
//! let sum = terms.add(&[y, one]);
//! let old = terms.mul(&[x, sum]);
//! let product = terms.mul(&[y, x]);
//! let new = terms.add(&[product, x]);
//! assert_eq!(old, new); // both are x*y + x, no solver needed
//! ```
//!
//! This crate knows nothing of programs: it can be tested with formulas alone.

mod evaluate;
mod fingerprint;
mod horn;
mod magnitude;
mod meaning;
#[cfg(test)]
mod notation;
mod op;
mod print;
mod simplify;
mod solver;
mod sort;
mod terms;
mod traverse;
mod value;

pub use evaluate::{Assignment, FunctionTable};
pub use fingerprint::{Fingerprint, Fingerprints};
pub use horn::{Application, Clause, Definition, HornQuery};
pub use op::{BvCmp, BvOp, FloatCmp, FloatOp, Op, RoundingMode};
pub use print::{Encoding, Floats, Query};
pub use solver::{
    Answer, HornAnswer, Limits, Model, Solver, SolverConfig, SolverError, StopFlag, UnknownReason,
    find_solver, let_others_go_first, solve_horn, solver_version,
};
pub use sort::{FloatFormat, Sort};
pub use terms::{Node, Term, TermWork, Terms};
pub use value::Value;

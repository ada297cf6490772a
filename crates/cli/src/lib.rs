//! The program as a library: reads files, spreads the pairs over workers, shows reports.
//!
//! Only this crate reads arguments, files and the environment, and prints.
//! Tests and campaigns use `lower_sources`, `check_in_process` and `open`, which start no workers.

pub mod args;
pub mod commands;
mod compiler_flags;
mod conditions;
mod dump;
mod effort;
mod exit_code;
mod gather;
mod job;
mod known_input;
mod lower;
mod near_names;
mod numbers;
mod options;
mod place_macros;
mod preprocess;
mod process;
mod progress;
mod proof_file;
pub mod replay;
mod session;
mod solver_lookup;
mod sources;
mod supervise;
mod terminal;
mod trace;
mod units;
mod wire;
mod worker;

pub use effort::Effort;
pub use job::{Job, Source, Sources, Unit};
pub use lower::lower_sources;
pub use options::{Conditions, Options, Under};
pub use place_macros::{Unsettled, settle};
pub use preprocess::{PreprocessLimits, preprocess};
pub use session::{Judged, Session, check_in_process, open};
pub use solver_lookup::find as find_solver;

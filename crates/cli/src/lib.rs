//! The program as a library: reads files, spreads the pairs over workers, shows reports.
//!
//! Only this crate reads arguments, files and the environment, and prints.
//! Tests and campaigns use `lower_sources`, `check_in_process` and `open`, which start no workers.

pub mod args;
pub mod bench;
pub mod commands;
mod dump;
mod effort;
mod exit_code;
mod gather;
mod job;
mod judge;
mod lower;
mod near_names;
mod place_macros;
mod preprocess;
mod process;
mod progress;
mod proof_file;
pub mod replay;
mod select;
mod session;
mod solver_lookup;
mod sources;
mod supervise;
mod trace;
pub mod worker;
mod worker_process;

pub use effort::Effort;
pub use exit_code::Exit;
pub use job::{Job, Options, Source, Sources, Unit};
pub use judge::Judged;
pub use lower::lower_sources;
pub use place_macros::{Unsettled, settle};
pub use preprocess::{PreprocessLimits, preprocess};
pub use session::{Session, check_in_process, open};
pub use solver_lookup::find as find_solver;

//! The pipeline: two procedures in, a verdict with its evidence out.
//!
//! `check_pair` decides one pair, by the strategies of its schedule or by one that was asked for; `kernel` alone makes
//! proofs. This crate sees no source text, no language and no terminal; the only process it causes is the solver's.

mod analysis;
mod baselines;
mod boundary;
mod changed_structs;
mod common_code;
mod config;
mod cross_check;
mod effects;
mod everywhere;
mod inlining;
mod interface;
mod kernel;
mod pair_check;
mod quiet_classes;
mod resume;
mod schedule;
mod start_values;
mod strategies;
mod unknown;
mod unshared;
mod vacuity;
mod verdict;
mod verification_condition;
mod witness;

pub use budget::Statistics;
pub use config::{CheckConfig, Exceptions, Strategy, Threads, Undefined, UnknownStrategy};
pub use cross_check::cross_checked;
pub use effects::Effects;
pub use everywhere::{Compared, Comparer, DifferenceTerms, Everywhere, differ_everywhere, difference_terms};
pub use interface::{Mismatch, same_interface};
pub use ir::Subject;
pub use kernel::{Boundary, CommonCodeUse, DifferEverywhere, Proof, ProofMethod, Termination};
pub use pair_check::{Checked, check_pair, check_unchanged};
pub use query::Obligation;
pub use quiet_classes::support_quiet_classes;
pub use relate::LoopInvariants;
pub use schedule::{AUTO, Outcome, PlanStep, Share, Step, Tests, When};
pub use smt::StopFlag;
pub use start_values::{ChangedStart, substitute_start_values};
pub use unknown::{Reason, Unknown};
pub use verdict::Verdict;
pub use witness::{Kind, MadeCall, PartingCall, Witness, witness_of};

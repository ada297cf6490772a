//! The pipeline: two procedures in, a verdict with its evidence out.
//!
//! `check_pair` decides one pair; the strategies are modules with one public function each.
//! This crate sees no source text, no language and no terminal; the only process it causes is the solver's.

mod boundary;
mod changed_structs;
mod common_code;
mod config;
mod coupling;
mod event;
mod inputs;
mod pair_check;
mod parting;
mod question;
mod relevance;
mod search;
mod settled;
mod start_values;
mod strategies;
mod subject;
mod sweep;
mod termination;
mod tried;
mod unfolded;
mod unshared;
mod vacuity;
mod verdict;
mod witness;

pub use boundary::Boundary;
pub use config::{CheckConfig, Exceptions, Strategy, Threads, Undefined, UnknownStrategy};
pub use event::Event;
pub use pair_check::{Checked, check_pair};
pub use parting::{MadeCall, PartingCall};
pub use smt::StopFlag;
pub use start_values::{ChangedStart, settle_start_values};
pub use subject::{Mismatch, Subject, same_interface};
pub use termination::Termination;
pub use verdict::{CommonCodeUse, LoopRelations, Proof, ProofMethod, Reason, Statistics, Unknown, Verdict};
pub use witness::{Kind, Witness};

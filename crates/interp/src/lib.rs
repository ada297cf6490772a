//! Runs IR on concrete values: the executable meaning of the IR, in `machine` and in `math` numbers.
//!
//! `docs/ir.md` has the meaning in words. A program is compiled once into a compact form ([`Machine::new`]) and then
//! run on many inputs ([`Machine::run`]); every run ends, by its [`Limits`]. [`compare`] says whether two runs on the
//! same input behaved the same. This crate knows no solver and no source language, but for Java's `pow`.
#![warn(clippy::wildcard_enum_match_arm, reason = "a new construct must be thought about here")]

mod code;
mod compare;
mod compile;
mod domain;
mod doubting;
mod enclosure;
mod halt;
mod machine;
mod maps;
mod math;
mod recording;
mod run;
mod scalars;
mod show;
mod text;
mod texts;
mod value;
mod vm;

use ir::Numbers;

pub use compare::{Comparison, Difference, Errors, THE_EXCEPTION, What, compare, compare_with, one_ends};
pub use enclosure::Enclosure;
pub use recording::{Recorded, RecordedCall, Wanted};
pub use run::{Branches, Ending, Executed, ExternalCall, Limits, Mark, MemoryState, Run, SeenMemory};
pub use scalars::{Element, bytes_of_number, elements_of_bytes};
pub use show::show;
pub use value::{Input, MapValue, ObjectValue, RefValue, Value};

/// A program that is ready to run, any number of times and from any number of threads.
pub struct Machine {
    code: NumberedCode,
    /// Nothing is known of memory that was never written.
    doubting: bool,
}

/// A compiled program, in the number model that it is run in.
enum NumberedCode {
    Machine(code::Code<u64>),
    Math(code::Code<math::Num>),
    Doubting(code::Code<doubting::Doubted>),
}

impl Machine {
    pub fn new(program: &ir::Program, numbers: Numbers) -> Machine {
        Machine::marking(program, numbers, &[])
    }

    /// A machine whose runs note which of the marked statements they execute.
    pub fn marking(program: &ir::Program, numbers: Numbers, marks: &[Mark]) -> Machine {
        let code = match numbers {
            Numbers::Machine => NumberedCode::Machine(compile::compile::<machine::Machine>(program, marks)),
            Numbers::Math => NumberedCode::Math(compile::compile::<math::Math>(program, marks)),
        };
        Machine { code, doubting: false }
    }

    /// A machine that knows nothing of memory that was never written, nor of the sign and the digits of a NaN: what a run
    /// computes from these is undefined, and a run that depends on it undecided.
    pub fn doubting(program: &ir::Program, numbers: Numbers) -> Machine {
        let code = match numbers {
            Numbers::Machine => NumberedCode::Doubting(compile::compile::<doubting::Doubting>(program, &[])),
            Numbers::Math => NumberedCode::Math(compile::compile::<math::Math>(program, &[])),
        };
        Machine { code, doubting: true }
    }

    /// Runs a procedure on an input.
    pub fn run(&self, procedure: ir::ProcId, input: &Input, limits: &Limits) -> Run {
        self.run_with(procedure, input, limits, None, 0, None).0
    }

    /// Runs a procedure as other implementations of inexact functions might, by their number from 1 on: `sin` and its
    /// like give another result that the language allows, the same one for the same arguments in all programs.
    pub fn run_perturbed(&self, procedure: ir::ProcId, input: &Input, limits: &Limits, number: u32) -> Run {
        self.run_with(procedure, input, limits, None, number, None).0
    }

    /// Runs a procedure on an input, and keeps the memory after each external call.
    pub fn run_seeing_outside(
        &self,
        procedure: ir::ProcId,
        input: &Input,
        limits: &Limits,
    ) -> (Run, Vec<MemoryState>) {
        let mut states = Vec::new();
        let (run, _) = self.run_with(procedure, input, limits, None, 0, Some(&mut states));
        (run, states)
    }

    /// Runs a procedure on an input, and writes down the calls that are wanted.
    pub fn run_recording(
        &self,
        procedure: ir::ProcId,
        input: &Input,
        limits: &Limits,
        wanted: &Wanted,
    ) -> (Run, Recorded) {
        self.run_with(procedure, input, limits, Some(wanted), 0, None)
    }

    fn run_with(
        &self,
        procedure: ir::ProcId,
        input: &Input,
        limits: &Limits,
        wanted: Option<&Wanted>,
        perturbation: domain::Perturbation,
        outside: Option<&mut Vec<MemoryState>>,
    ) -> (Run, Recorded) {
        let how = domain::Implementation { perturbation, doubting: self.doubting };
        match &self.code {
            NumberedCode::Machine(code) => {
                vm::run::<machine::Machine>(code, procedure, input, limits, wanted, how, outside)
            }
            NumberedCode::Math(code) => {
                vm::run::<math::Math>(code, procedure, input, limits, wanted, how, outside)
            }
            NumberedCode::Doubting(code) => {
                vm::run::<doubting::Doubting>(code, procedure, input, limits, wanted, how, outside)
            }
        }
    }
}

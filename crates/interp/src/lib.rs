//! Runs IR on concrete values: the executable meaning of the IR, in `machine` and in `math` numbers.
//!
//! `docs/ir.md` has the meaning in words. A program is compiled once into a compact form ([`Machine::new`]) and then
//! run on many inputs ([`Machine::run`]); every run ends, by its [`Limits`]. [`compare`] says whether two runs on the
//! same input behaved the same. This crate knows no solver and no source language, but for Java's `pow`.

mod code;
mod compare;
mod compile;
mod domain;
mod machine;
mod maps;
mod math;
mod run;
mod show;
mod text;
mod texts;
mod value;
mod vm;

pub use compare::{Comparison, Difference, What, compare};
pub use math::Enclosure;
pub use run::{Branches, Ending, ExternalCall, Limits, Numbers, Run};
pub use show::show;
pub use value::{Input, MapValue, ObjectValue, RefValue, Value};

/// A program that is ready to run, any number of times and from any number of threads.
pub struct Machine {
    code: code::Code<u64>,
}

impl Machine {
    pub fn new(program: &ir::Program, _numbers: Numbers) -> Machine {
        Machine { code: compile::compile::<machine::Machine>(program) }
    }

    /// Runs a procedure on an input.
    pub fn run(&self, procedure: ir::ProcId, input: &Input, limits: &Limits) -> Run {
        vm::run::<machine::Machine>(&self.code, procedure, input, limits)
    }
}

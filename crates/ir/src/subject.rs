//! A procedure in its program: what is compared, run and summarised.

use crate::{Pair, ProcId, Procedure, Program};

/// A procedure of a program.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub program: &'a Program,
    pub procedure: ProcId,
}

impl<'a> Subject<'a> {
    pub fn new(program: &'a Program, procedure: ProcId) -> Self {
        Self { program, procedure }
    }

    pub fn procedure(self) -> &'a Procedure {
        self.program.procedure(self.procedure)
    }
}

/// Procedures of two programs.
pub fn subjects(programs: &Pair<Program>, procedures: Pair<ProcId>) -> Pair<Subject<'_>> {
    programs.as_ref().zip(procedures).map(|(program, procedure)| Subject::new(program, procedure))
}

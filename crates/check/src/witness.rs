//! Inputs that separate the versions. The only way to a witness is to run both.

use interp::{Comparison, Difference, Input, Limits, Machine, Run};
use ir::{Pair, ProcId};

use crate::inputs::minimise;
use crate::{Numbers, Subject};

/// An input on which both versions were run, and ended differently.
#[derive(Clone, Debug)]
pub struct Witness {
    input: Input,
    runs: Pair<Run>,
    difference: Difference,
}

impl Witness {
    pub fn input(&self) -> &Input {
        &self.input
    }

    pub fn runs(&self) -> &Pair<Run> {
        &self.runs
    }

    pub fn difference(&self) -> &Difference {
        &self.difference
    }
}

/// Both versions, ready to run.
pub(crate) struct Machines {
    machines: Pair<Machine>,
    procedures: Pair<ProcId>,
}

/// What running both versions on one input showed.
pub(crate) enum Trial {
    Separated(Box<Witness>),
    /// They ended the same way, or could not be compared.
    NotSeparated(Box<Pair<Run>>),
}

impl Machines {
    pub(crate) fn new(pair: Pair<Subject<'_>>, numbers: Numbers) -> Machines {
        let numbers = match numbers {
            Numbers::Machine => interp::Numbers::Machine,
            Numbers::Math => interp::Numbers::Math,
        };
        Machines {
            machines: pair.map(|subject| Machine::new(subject.program, numbers)),
            procedures: pair.map(|subject| subject.procedure),
        }
    }

    /// Runs both versions on an input.
    pub(crate) fn try_input(&self, input: &Input, limits: &Limits) -> Trial {
        let runs = self
            .machines
            .as_ref()
            .zip(self.procedures)
            .map(|(machine, procedure)| machine.run(procedure, input, limits));
        match interp::compare(&runs.old, &runs.new) {
            Comparison::Different(difference) => {
                Trial::Separated(Box::new(Witness { input: input.clone(), runs, difference }))
            }
            Comparison::Same | Comparison::Incomparable(_) => Trial::NotSeparated(Box::new(runs)),
        }
    }

    /// A simpler witness for the same pair.
    pub(crate) fn minimised(
        &self,
        witness: Box<Witness>,
        subject: Subject<'_>,
        limits: &Limits,
    ) -> Box<Witness> {
        let mut best = witness;
        let start = best.input.clone();
        minimise(start, subject, &mut |candidate| match self.try_input(candidate, limits) {
            Trial::Separated(simpler) => {
                best = simpler;
                true
            }
            Trial::NotSeparated(_) => false,
        });
        best
    }
}

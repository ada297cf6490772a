//! On which inputs conditions hold: which of them says the most, as far as runs tell.
//!
//! Neither over- nor under-approximating: a sample of inputs.

use check::{CheckConfig, Subject};
use ir::Pair;

use crate::atom::{Atoms, Holds};
use crate::samples::Samples;

/// Inputs that are run.
const INPUTS: u64 = 200;

/// The samples on which each atom holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// For each atom, whether it holds on each sample.
    holds: Vec<Vec<bool>>,
}

impl Coverage {
    /// On how many samples an atom holds, without those on which others do.
    pub fn beside(&self, atom: usize, others: &[usize]) -> usize {
        let is_new = |at: usize| {
            self.holds[atom][at] && !others.iter().any(|other| self.holds[*other].get(at) == Some(&true))
        };
        (0..self.holds[atom].len()).filter(|at| is_new(*at)).count()
    }
}

/// Whether runs show an input that is compared, and on which the versions do the same.
pub fn has_same_input(pair: Pair<Subject<'_>>, config: &CheckConfig) -> bool {
    let mut samples = Samples::new(pair, &[], config);
    samples.gather(INPUTS);
    samples.list.iter().any(|sample| sample.is_same)
}

/// Runs both versions on inputs, and asks where the atoms hold. One that holds where the versions differ holds nowhere.
pub fn coverage(pair: Pair<Subject<'_>>, atoms: Atoms<'_>, config: &CheckConfig) -> Coverage {
    let mut samples = Samples::new(pair, atoms.procedures, config);
    samples.gather(INPUTS);
    let holds = (0..atoms.atoms.len()).map(|atom| {
        let holds = |is_same: bool| {
            let of = samples.list.iter().filter(move |sample| sample.is_same == is_same);
            of.map(|sample| sample.values[atom] == Holds::Yes).collect::<Vec<bool>>()
        };
        match holds(false).contains(&true) {
            true => Vec::new(),
            false => holds(true),
        }
    });
    Coverage { holds: holds.collect() }
}

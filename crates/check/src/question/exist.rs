//! Whether there is anything to compare: everything follows from contradictory assumptions.

use interp::Limits;
use ir::Pair;

use crate::inputs::Generator;
use crate::witness::{Machines, Trial, Witness};
use crate::{CheckConfig, Subject};

/// Inputs that are run, and steps for each.
const INPUTS: u64 = 12;
const LIMITS: Limits = Limits { steps: 2_000, ..Limits::USUAL };

/// Says that the assumptions of a proof hold for some input.
pub(crate) struct InputsExist(pub(super) ());

/// What a few runs show.
pub(crate) enum Seen {
    /// Both versions ended on some input: what they assume of inputs held on the way.
    Compared(InputsExist),
    /// They ended differently: whatever was proved, it is not so.
    Separated(Box<Witness>),
    Nothing,
}

/// Runs both versions until both end on some input.
pub(crate) fn see(pair: Pair<Subject<'_>>, machines: &Machines, config: &CheckConfig) -> Seen {
    let mut generator = Generator::new(pair, config.numbers, 3);
    for number in 0..INPUTS {
        let input = match number % 2 {
            0 => generator.combination(number / 2, 2).unwrap_or_else(|| generator.random()),
            _ => generator.random(),
        };
        match machines.try_input(&input, &LIMITS) {
            Trial::Separated(witness) => return Seen::Separated(witness),
            Trial::NotSeparated(runs) => {
                if runs.old.ending.is_conclusive() && runs.new.ending.is_conclusive() {
                    return Seen::Compared(InputsExist(()));
                }
            }
        }
    }
    Seen::Nothing
}

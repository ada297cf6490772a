//! A condition that is found with a handful of questions: few samples and atoms, and only the text itself is proved.
//!
//! Good where the condition is written in the sources, which it mostly is. Everything else is left to the longer way.

use budget::Steps;
use check::{CheckConfig, Everywhere, Strategy, Verdict, differ_everywhere};
use infer::{Formula, Learner};
use interp::{Ending, Input, Limits, Machine, Value};
use ir::{Pair, ProcId, Program};

use super::atoms::{AtomList, Meaning};
use super::{Found, constants, has_no_loop};
use crate::job::Unit;
use crate::session::Session;

/// Atoms that are looked at.
const MOST_ATOMS: usize = 32;
/// Proposals that are tried.
const MOST_ROUNDS: usize = 5;
/// The work for one proof.
const FOR_A_PROOF: Steps = Steps::of_milliseconds(1500);
/// What the evaluation of a condition may take.
const LIMITS: Limits = Limits { steps: 4_000, ..Limits::USUAL };

/// Why no condition was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Missed {
    /// No condition of these atoms fits what was seen.
    Atoms,
    /// It could not be proved.
    Proof,
}

/// What became of a proposal.
enum Tried {
    Proved(Found),
    Refuted(Box<Input>),
    NotKnown,
}

impl Session {
    /// A condition under which the versions do the same exactly, if it is found and proved at once: from what is written
    /// first, since most conditions are, and then from what the versions compute.
    pub(super) fn at_first_sight(
        &self,
        index: usize,
        unit: &Unit,
        known: &Input,
        config: &CheckConfig,
    ) -> Option<Found> {
        let written = self.atoms(unit, index, known, Meaning::LeftOut, config);
        match self.quick_conditions(index, unit, &written, known, config) {
            Ok(found) => Some(found),
            Err(Missed::Proof) => None,
            Err(Missed::Atoms) => {
                let all = self.atoms(unit, index, known, Meaning::LookedAt, config);
                self.quick_conditions(index, unit, &all, known, config).ok()
            }
        }
    }

    fn quick_conditions(
        &self,
        index: usize,
        unit: &Unit,
        atoms: &AtomList,
        known: &Input,
        config: &CheckConfig,
    ) -> Result<Found, Missed> {
        // Of recursion that goes deeper than the bound nobody proves that the versions differ everywhere.
        if self.may_leave_inputs_out(index) || infer::is_recursive(self.subjects(index)) {
            return Err(Missed::Proof);
        }
        let atoms = &atoms.atoms[..atoms.written.min(MOST_ATOMS)];
        let understood = self.with_atoms(index, unit, atoms, &[]).ok_or(Missed::Proof)?;
        let mut learner = Learner::new(understood.subjects(), understood.given(), known, config);
        for _ in 0..MOST_ROUNDS {
            let same = learner.propose().ok_or(Missed::Atoms)?;
            let tried = match same.is_never() {
                true => self.always_different(index, unit, config),
                false => self.exactly(index, unit, &same, &understood.atoms, known, config),
            };
            match tried {
                Tried::Proved(found) => return Ok(found),
                Tried::Refuted(input) if learner.add(&input) => {}
                Tried::Refuted(_) | Tried::NotKnown => return Err(Missed::Proof),
            }
        }
        Err(Missed::Atoms)
    }

    /// Proves that the versions differ on every input.
    fn always_different(&self, index: usize, unit: &Unit, config: &CheckConfig) -> Tried {
        match differ_everywhere(self.subjects(index), &for_a_proof(config)) {
            Everywhere::Proved(proof) => {
                let (never, always) = constants(unit.language);
                Tried::Proved(Found {
                    same_when: Some(never.to_owned()),
                    different_when: Some(always.to_owned()),
                    exact: true,
                    assumptions: proof.assumptions().to_vec(),
                })
            }
            Everywhere::SameOn(input) => Tried::Refuted(input),
            Everywhere::NotKnown => Tried::NotKnown,
        }
    }

    /// Proves that the versions do the same exactly where a condition holds, each side as it is written.
    fn exactly(
        &self,
        index: usize,
        unit: &Unit,
        same: &Formula,
        atoms: &[infer::Atom],
        known: &Input,
        config: &CheckConfig,
    ) -> Tried {
        let texts = [same.text(atoms), same.negated().text(atoms)];
        let Some(session) = self.under_texts(index, unit, &texts, &[]) else { return Tried::NotKnown };
        let Some(whole) = session.units.first().map(|unit| &unit.programs) else { return Tried::NotKnown };
        let ids = session.pairs[0].procedures;
        if !meets(&whole.new, 1, known, config) {
            return Tried::NotKnown;
        }
        let (Some(old), Some(new)) = (otherwise(&whole.old, ids.old), otherwise(&whole.new, ids.new)) else {
            return Tried::NotKnown;
        };
        let mut assumptions =
            match differ_everywhere(ir::subjects(&Pair::new(old, new), ids), &for_a_proof(config)) {
                Everywhere::Proved(proof) => proof.assumptions().to_vec(),
                Everywhere::SameOn(input) => return Tried::Refuted(input),
                Everywhere::NotKnown => return Tried::NotKnown,
            };
        let strategy = if has_no_loop(self.subjects(index)) { Strategy::Bounded } else { Strategy::Auto };
        let judged = session.judge(0, &CheckConfig { strategy, ..for_a_proof(config) }, &mut |_| {});
        match &judged.checked.verdict {
            Verdict::Equivalent(proof) => {
                assumptions.extend([proof.assumptions(), &judged.taken_for_granted].concat());
                let [same_when, different_when] = texts.map(Some);
                Tried::Proved(Found { same_when, different_when, exact: true, assumptions })
            }
            Verdict::Different(witness) => Tried::Refuted(Box::new(witness.input().clone())),
            Verdict::Unknown(_) => Tried::NotKnown,
        }
    }
}

/// A program whose procedure is restricted to the inputs on which its first condition does not hold, or fails; and to
/// those on which the second one holds, or fails.
fn otherwise(program: &Program, procedure: ProcId) -> Option<Program> {
    let only_the_first = vec![(program.condition(0)?, true), (program.condition(1)?, false)];
    let (program, met) = rewrite::combine(program, &[only_the_first], true);
    Some(rewrite::restrict(&program, procedure, met))
}

fn for_a_proof(config: &CheckConfig) -> CheckConfig {
    CheckConfig { budget: config.budget.at_most(FOR_A_PROOF), ..config.clone() }
}

/// Whether an input meets a condition.
fn meets(program: &Program, number: usize, input: &Input, config: &CheckConfig) -> bool {
    let Some(condition) = program.condition(number) else { return false };
    match Machine::new(program, config.numbers).run(condition, input, &LIMITS).ending {
        Ending::Returned(Some(Value::Bool(holds))) => holds,
        Ending::Returned(Some(Value::Int(value))) => value != 0,
        _ => false,
    }
}

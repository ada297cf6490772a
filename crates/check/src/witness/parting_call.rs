//! Where two runs part: the call of a changed procedure, on the way of a witness, that the versions answer differently.
//!
//! ```text
//! client(3) = lib(3) + lib(4)      old: 5, new: 6      on the way, lib(4) gives 2 in the old version and 3 in the new
//! ```
//!
//! Both versions run again on the witness, and the calls of procedures whose own code changed are written down. The
//! first call of one version goes with the first of the other, the second with the second. Of the calls that were given
//! the same and ended differently the first one is shown; inside that one, the first such call again.
//! Exact for what it shows, since both calls were made; it shows nothing where it cannot tell.

mod changed;

use std::collections::BTreeSet;

use interp::{Comparison, Difference, Input, Limits, Machine, Recorded, RecordedCall, Run, Wanted};
use ir::{Pair, ProcId, Program, Subject};

use super::Witness;
use changed::changed_procedures;

/// What is written down of each version.
const MOST_CALLS: usize = 10_000;
const MOST_CELLS: u64 = 300_000;
/// Runs of witnesses are no longer than that.
const LIMITS: Limits = Limits { steps: 2_000_000, ..Limits::USUAL };

/// The call of a changed procedure at which two runs part.
#[derive(Clone, Debug)]
pub enum PartingCall {
    /// Both versions make this call, and it ends differently.
    Answered { procedures: Pair<ProcId>, input: Input, runs: Pair<Run>, difference: Difference },
    /// No call is answered differently; these are the first that are not the same. A version that makes no call where
    /// the other one does has none.
    Made(Pair<Option<MadeCall>>),
}

/// A call that one version made on its way.
#[derive(Clone, Debug)]
pub struct MadeCall {
    pub procedure: ProcId,
    pub input: Input,
    pub run: Run,
}

/// Looks for the call at which the runs of a witness part; `None` if nothing changed is called, or the calls are alike.
pub(crate) fn parting_call(
    pair: Pair<Subject<'_>>,
    witness: &Witness,
    numbers: ir::Numbers,
) -> Option<Box<PartingCall>> {
    let changed = changed_procedures(pair);
    if changed.is_empty() {
        return None;
    }
    let wanted = Pair::new(
        wanted(pair, &changed, |procedures| procedures.old),
        wanted(pair, &changed, |procedures| procedures.new),
    );
    let runs = pair.zip(wanted.as_ref()).map(|(subject, wanted)| {
        let machine = Machine::new(subject.program, numbers);
        machine.run_recording(subject.procedure, witness.input(), &LIMITS, wanted)
    });
    let is_the_same =
        |again: &Run, before: &Run| again.ending == before.ending && again.written == before.written;
    if !is_the_same(&runs.old.0, &witness.runs().old) || !is_the_same(&runs.new.0, &witness.runs().new) {
        return None;
    }
    let calls = Calls { recorded: runs.map(|(_, recorded)| recorded), changed };
    calls.answered_differently().or_else(|| calls.made_differently()).map(Box::new)
}

/// What is written down of one version: the state that both versions have and that either of them may look at.
fn wanted(
    pair: Pair<Subject<'_>>,
    changed: &[Pair<ProcId>],
    side: impl Fn(&Pair<ProcId>) -> ProcId,
) -> Wanted {
    let programs = pair.map(|subject| subject.program);
    let shared_state = shared(programs.map(state));
    let procedures = changed.iter().map(|procedures| {
        let used = programs.zip(*procedures).map(|(program, id)| used_state(program, id));
        let of_either = used.old.union(&used.new).filter(|name| shared_state.contains(*name));
        (side(procedures), of_either.cloned().collect())
    });
    Wanted {
        procedures: procedures.collect(),
        fields: shared(programs.map(fields)),
        most_calls: MOST_CALLS,
        most_cells: MOST_CELLS,
    }
}

/// The globals and static objects that a procedure may look at or change without being given them.
fn used_state(program: &Program, id: ProcId) -> BTreeSet<String> {
    let effects = ir::effects(program, id);
    let globals = effects.reads_globals.iter().chain(&effects.writes_globals);
    let globals = globals.map(|global| program.global(*global).name.clone());
    let statics = effects.statics.iter().map(|id| program.statics[id.index()].name.clone());
    globals.chain(statics).collect()
}

/// The globals and static objects of a program.
fn state(program: &Program) -> BTreeSet<String> {
    let globals = program.globals.iter().map(|global| global.name.clone());
    globals.chain(program.statics.iter().map(|object| object.name.clone())).collect()
}

fn fields(program: &Program) -> BTreeSet<String> {
    program.regions.iter().map(|region| region.name.clone()).collect()
}

/// The names that both versions have.
fn shared(names: Pair<BTreeSet<String>>) -> BTreeSet<String> {
    names.old.intersection(&names.new).cloned().collect()
}

/// The calls that both versions made on their way.
struct Calls {
    recorded: Pair<Recorded>,
    changed: Vec<Pair<ProcId>>,
}

impl Calls {
    /// The innermost of the calls that were given the same and ended differently, the first one at each level.
    fn answered_differently(&self) -> Option<PartingCall> {
        let mut found = None;
        let mut around = Pair::new(None, None);
        while let Some((indices, difference)) = self.first_difference(around) {
            found = Some((indices, difference));
            around = indices.map(Some);
        }
        let (indices, difference) = found?;
        let calls = self.calls(indices);
        Some(PartingCall::Answered {
            procedures: calls.map(|call| call.procedure),
            input: calls.new.input.clone(),
            runs: Pair::new(calls.old.run.clone()?, calls.new.run.clone()?),
            difference,
        })
    }

    /// The first difference among the calls directly inside others.
    fn first_difference(&self, around: Pair<Option<usize>>) -> Option<(Pair<usize>, Difference)> {
        let inside = self.inside(around);
        inside.old.into_iter().zip(inside.new).find_map(|(old, new)| {
            let indices = Pair { old, new };
            let calls = self.calls(indices);
            let runs = Pair::new(calls.old.run.as_ref()?, calls.new.run.as_ref()?);
            if !self.are_alike(calls) {
                return None;
            }
            let difference = match interp::compare(runs.old, runs.new) {
                Comparison::Different(difference) => Some(difference),
                Comparison::Same | Comparison::Incomparable(_) => interp::one_ends(runs.old, runs.new),
            };
            Some((indices, difference?))
        })
    }

    /// The first calls that are not of the same procedure with the same arguments, or that only one version makes.
    fn made_differently(&self) -> Option<PartingCall> {
        let inside = self.inside(Pair::new(None, None));
        let at = |indices: &[usize], place: usize| indices.get(place).copied();
        for place in 0..inside.old.len().max(inside.new.len()) {
            let indices = inside.as_ref().map(|indices| at(indices, place));
            if let Pair { old: Some(old), new: Some(new) } = indices
                && self.are_alike(self.calls(Pair { old, new }))
            {
                continue;
            }
            // A version of which not all was written down may well make the call.
            let is_known =
                |index: Option<usize>, recorded: &Recorded| index.is_some() || recorded.is_complete;
            if !is_known(indices.old, &self.recorded.old) || !is_known(indices.new, &self.recorded.new) {
                return None;
            }
            let made = indices.zip(self.recorded.as_ref()).map(|(index, recorded)| {
                let Some(call) = index.map(|index| &recorded.calls[index]) else { return Some(None) };
                let (procedure, input) = (call.procedure, call.input.clone());
                call.run.clone().map(|run| Some(MadeCall { procedure, input, run }))
            });
            return Some(PartingCall::Made(Pair::new(made.old?, made.new?)));
        }
        None
    }

    fn calls(&self, indices: Pair<usize>) -> Pair<&RecordedCall> {
        self.recorded.as_ref().zip(indices).map(|(recorded, index)| &recorded.calls[index])
    }

    /// The calls directly inside others, or in none, in order.
    fn inside(&self, around: Pair<Option<usize>>) -> Pair<Vec<usize>> {
        self.recorded.as_ref().zip(around).map(|(recorded, around)| {
            let calls = recorded.calls.iter().enumerate();
            calls.filter(|(_, call)| call.inside == around).map(|(index, _)| index).collect()
        })
    }

    /// Whether two calls are of the same procedure and were given the same.
    fn are_alike(&self, calls: Pair<&RecordedCall>) -> bool {
        self.changed.contains(&calls.map(|call| call.procedure)) && calls.old.input == calls.new.input
    }
}

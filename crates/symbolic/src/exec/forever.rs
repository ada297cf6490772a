//! Loops that never end: at the bound one more iteration is run on the side, to see whether it changes anything that
//! decides.
//!
//! Under-approximating: where the condition holds the loop surely goes on forever; where it does not, nothing is
//! known. An iteration that goes on, and leaves what it found in all places that decide which way it goes
//! (`ir::control_slice`), is followed by one that does the same, and so on.

use super::target::{ExitTest, Target};
use super::{Executor, Final};
use crate::config::Stopped;
use crate::ending::Exit;
use crate::path::{PathId, StepKind};
use crate::state::State;
use crate::summary::CutKind;
use ir::{LabelId, Place, Span, Stmt};
use smt::Term;

impl Executor<'_> {
    /// The condition under which a loop that is at the start of an iteration surely never ends.
    pub(super) fn goes_on_forever(
        &mut self,
        state: &State,
        label: LabelId,
        body: &[Stmt],
    ) -> Result<Term, Stopped> {
        let never = self.terms.bool(false);
        if self.looking_ahead || self.unfolding || !self.hidden.is_complete() {
            return Ok(never);
        }
        let slice = self.code_facts.control_slice(self.program, body);
        let Some(next) = self.on_the_side(state, label, body)? else { return Ok(never) };
        let mut unchanged = Vec::new();
        for &place in slice.iter() {
            for (before, after) in place_terms(state, place).into_iter().zip(place_terms(&next, place)) {
                unchanged.push(self.terms.eq(before, after));
            }
        }
        let unchanged = self.terms.and(&unchanged);
        if unchanged == never {
            return Ok(never);
        }
        let mut parts = self.paths.conditions(state.path, next.path);
        parts.push(unchanged);
        Ok(self.terms.and(&parts))
    }

    /// Runs an iteration without a trace: the state in which it goes on, if it does.
    fn on_the_side(
        &mut self,
        state: &State,
        label: LabelId,
        body: &[Stmt],
    ) -> Result<Option<State>, Stopped> {
        let nobody = self.targets.iter().map(without_states).collect();
        let targets = std::mem::replace(&mut self.targets, nobody);
        let finals = std::mem::take(&mut self.finals);
        let hidden_uses = self.hidden_uses.len();
        let before = self.watch();
        self.looking_ahead = true;
        let end = self.iteration(body, state.clone(), label);
        self.looking_ahead = false;
        self.forget_escapes(before);
        self.hidden_uses.truncate(hidden_uses);
        self.finals = finals;
        self.targets = targets;
        Ok(end?.0)
    }

    /// Ends paths that need more iterations: cut, or running forever where that is sure.
    pub(super) fn cut_unless(&mut self, path: PathId, forever: Term, span: Span) {
        if forever == self.terms.bool(false) {
            return self.cut(path, CutKind::Loop, span);
        }
        let rest = self.diverge(path, forever);
        if forever != self.terms.bool(true) {
            self.cut(rest, CutKind::Loop, span);
        }
    }

    /// Ends a path where it never ends; the rest of it goes on.
    pub(super) fn diverge(&mut self, path: PathId, forever: Term) -> PathId {
        let endless = self.paths.extend(path, forever, StepKind::Check);
        let ending = Final::new(self.terms, endless, Exit::Diverged);
        self.finals.push(ending);
        self.escapes.fail(0);
        let not_forever = self.terms.not(forever);
        self.paths.extend(path, not_forever, StepKind::Check)
    }
}

/// The same target with nobody waiting there.
fn without_states(target: &Target) -> Target {
    match target {
        Target::Break { label, .. } => {
            Target::Break { label: *label, states: Vec::new(), exit: ExitTest::default() }
        }
        Target::Continue { label, .. } => Target::Continue { label: *label, states: Vec::new() },
        Target::Try { .. } => Target::Try { thrown: Vec::new() },
        Target::Call { .. } => Target::Call { returned: Vec::new(), thrown: Vec::new() },
    }
}

/// What a place holds.
fn place_terms(state: &State, place: Place) -> Vec<Term> {
    let memory = &state.memory;
    match place {
        Place::Local(local) => state.locals[local.index()].leaves(),
        Place::Global(global) => memory.globals[global.index()].leaves(),
        Place::Region(region) => memory.regions[region.index()].leaves(),
        Place::Lengths => vec![memory.lengths[0], memory.lengths[1], memory.shapes],
        Place::Written(stream) => vec![memory.written[stream.index()]],
        Place::World => vec![memory.world],
    }
}

//! Where states go that leave a statement other than by its end.

use super::Executor;
use crate::state::State;
use crate::value::SymValue;
use ir::{ErrorId, LabelId, ProcId};
use smt::Term;

/// A place that states can jump to, with those that wait there. Inner ones come later in the list.
#[derive(Debug)]
pub(super) enum Target {
    /// The end of a loop or scope.
    Break { label: LabelId, states: Vec<State>, exit: ExitTest },
    /// The next iteration of a loop.
    Continue { label: LabelId, states: Vec<State> },
    /// The handlers of a `try`.
    Try { thrown: Vec<Thrown> },
    /// The end of a call.
    Call { returned: Vec<State>, thrown: Vec<Thrown> },
}

/// A state that failed.
#[derive(Clone, Debug)]
pub(crate) struct Thrown {
    pub(crate) state: State,
    pub(crate) error: ErrorId,
    /// What the failure carries.
    pub(crate) carried: SymValue,
}

/// Whether some test that leaves a loop was decided without the inputs in this iteration, and is about to be
/// decided on other values in the next one: then the loop ends by itself, whatever else may leave it before.
#[derive(Clone, Debug, Default)]
pub(super) struct ExitTest {
    pub(super) decided: bool,
    /// What the tests were decided on last, by the address of their code.
    pub(super) operands: Vec<(usize, Vec<Term>)>,
}

/// A call that is running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(super) procedure: ProcId,
    /// How many decisions between ways to go on there were before it.
    pub(super) branches: u32,
    /// How many calls of the same procedure around this one were decided by the inputs.
    pub(super) counted: u32,
    /// How many calls of the same procedure there are around this one.
    pub(super) total: u32,
}

/// The outermost targets that states went to since the last look: what stands inside of them was left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escapes {
    jump: usize,
    fail: usize,
}

impl Default for Escapes {
    fn default() -> Escapes {
        Escapes { jump: usize::MAX, fail: usize::MAX }
    }
}

impl Escapes {
    pub(super) fn jump(&mut self, target: usize) {
        self.jump = self.jump.min(target);
    }

    pub(super) fn fail(&mut self, target: usize) {
        self.fail = self.fail.min(target);
    }
}

/// How a construct was left other than by its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub(super) by_jump: bool,
    by_failure: bool,
}

impl Left {
    pub(super) fn at_all(self) -> bool {
        self.by_jump || self.by_failure
    }
}

impl Executor<'_> {
    /// Begins to watch what leaves a construct.
    pub(super) fn watch(&mut self) -> Escapes {
        std::mem::take(&mut self.escapes)
    }

    /// Whether states left for targets before `inside`. `before` is what `watch` gave.
    pub(super) fn left(&mut self, before: Escapes, inside: usize) -> Left {
        let since = self.escapes;
        self.escapes = Escapes { jump: before.jump.min(since.jump), fail: before.fail.min(since.fail) };
        Left { by_jump: since.jump < inside, by_failure: since.fail < inside }
    }

    /// Takes back what left since `watch` gave `before`.
    pub(super) fn forget_escapes(&mut self, before: Escapes) {
        self.escapes = before;
    }

    /// The place of the innermost target that satisfies a condition, within the running call.
    pub(super) fn target_place(&self, wanted: impl Fn(&Target) -> bool) -> Option<usize> {
        for (place, target) in self.targets.iter().enumerate().rev() {
            if wanted(target) {
                return Some(place);
            }
            if matches!(target, Target::Call { .. }) {
                return None;
            }
        }
        None
    }

    /// Sends a failed state to the innermost handler, or to the end of the call.
    pub(super) fn send_thrown(&mut self, sent: Thrown) {
        for (place, target) in self.targets.iter_mut().enumerate().rev() {
            if let Target::Try { thrown } | Target::Call { thrown, .. } = target {
                thrown.push(sent);
                self.escapes.fail(place);
                return;
            }
        }
        panic!("a run should be inside of a call");
    }
}

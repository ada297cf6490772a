//! Runs that never end: the whole state at the end of an iteration is what it was before, so that all of it repeats.
//!
//! Under-approximating: only a repeated state is proof, never a number of steps. Brent's algorithm: one state is
//! remembered, and replaced after 1, 2, 4, … iterations. What was printed is not part of the state, because no program
//! reads its output; calls of unknown code make every state a new one.

use super::heap::Object;
use super::{Frame, Vm};
use crate::Ending;
use crate::domain::Domain;
use crate::halt::Halt;

/// Steps before a run is watched: most runs are over by then.
const QUIET_STEPS: u64 = 4_096;
/// Slots that may be copied and compared, so that watching never costs more than running.
const MOST_SLOTS: u64 = 4_000_000;

/// What watches one run.
pub(super) struct Watch<S> {
    /// Steps from which on the run is watched.
    from: u64,
    remembered: Option<Remembered<S>>,
    iterations: u64,
    /// Iterations after which the state that is remembered is replaced.
    until: u64,
    slots_left: u64,
}

struct Remembered<S> {
    frame: Frame,
    callers: Vec<Frame>,
    slots: Vec<S>,
    globals: Vec<S>,
    objects: Vec<Object<S>>,
    calls: usize,
    steps: u64,
}

impl<S> Watch<S> {
    pub(super) fn new(steps: u64) -> Watch<S> {
        let from = QUIET_STEPS.min(steps / 4);
        Watch { from, remembered: None, iterations: 0, until: 1, slots_left: MOST_SLOTS }
    }

    /// The steps after which the remembered state was met: that of an endless run comes again and again.
    pub(super) fn repeats_since(&self) -> Option<u64> {
        self.remembered.as_ref().map(|before| before.steps)
    }
}

impl<D: Domain> Vm<'_, D> {
    /// Called where a loop goes back: ends the run if the state is one that it has been in before.
    #[inline]
    pub(super) fn watch(&mut self, frame: Frame) -> Result<(), Halt> {
        if self.steps < self.watch.from || self.watch.slots_left == 0 {
            Ok(())
        } else {
            self.look_back(frame)
        }
    }

    #[cold]
    fn look_back(&mut self, frame: Frame) -> Result<(), Halt> {
        if let Some(before) = &self.watch.remembered {
            if self.is_as_before(frame, before) {
                return Err(Box::new(Ending::Endless));
            }
            // The slots differ at once in most iterations; the objects are only looked at when they do not.
            let looked_at = if before.slots == self.slots { self.size() } else { 1 };
            self.watch.slots_left = self.watch.slots_left.saturating_sub(looked_at);
        }
        self.watch.iterations += 1;
        if self.watch.iterations >= self.watch.until {
            self.watch.slots_left = self.watch.slots_left.saturating_sub(self.size());
            self.watch.until *= 2;
            self.watch.iterations = 0;
            self.watch.remembered = Some(Remembered {
                frame,
                callers: self.callers.clone(),
                slots: self.slots.clone(),
                globals: self.globals.clone(),
                objects: self.heap.objects.clone(),
                calls: self.calls.len(),
                steps: self.steps,
            });
        }
        Ok(())
    }

    fn is_as_before(&self, frame: Frame, before: &Remembered<D::Slot>) -> bool {
        frame == before.frame
            && self.calls.len() == before.calls
            && self.slots == before.slots
            && self.globals == before.globals
            && self.callers == before.callers
            && self.heap.objects == before.objects
    }

    fn size(&self) -> u64 {
        let cells: usize = self.heap.objects.iter().map(|object| object.cells.len() + 1).sum();
        (cells + self.slots.len() + self.globals.len() + self.callers.len()) as u64
    }
}

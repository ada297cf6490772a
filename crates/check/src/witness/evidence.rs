//! What the runs of a pair have shown so far: which of its ends are defined, and which changed statements were executed.

use std::cell::RefCell;

use interp::{Ending, Executed, Mark, Run};
use ir::{Pair, ProcId, Side, Span, Subject};

use crate::common_code::ChangedStatement;
use crate::unknown::Reason;

/// Failures that are kept of each version, to tell where runs are undefined.
const MOST_FAILURES: usize = 3;

/// What the runs of a pair have shown so far.
pub(crate) struct Evidence {
    changed: Pair<Vec<ChangedStatement>>,
    seen: RefCell<SoFar>,
}

#[derive(Default)]
struct SoFar {
    /// Whether both versions ended in a defined way on some input.
    defined: bool,
    executed: Pair<Executed>,
    /// By their place among the changed statements.
    unreachable: Pair<Executed>,
    /// Those that stand in callees which were proved by themselves, and so were executed by runs of these.
    proved_alone: Pair<Executed>,
    /// How runs failed in undefined behaviour.
    undefined: Pair<Vec<(String, Option<Span>)>>,
    /// Whether some run did not count, went on for too long, or ended in any other way.
    excluded: bool,
    too_long: bool,
    other_ends: bool,
    /// What stands in the way of any proof about this pair, once that is known.
    failure: Option<Reason>,
}

impl Evidence {
    /// No runs yet. A proof needs these statements executed.
    pub(crate) fn demanding(changed: Pair<Vec<ChangedStatement>>) -> Evidence {
        Evidence { changed, seen: RefCell::default() }
    }

    /// The statements of a version whose execution is to be noted.
    pub(crate) fn marks(&self, side: Side) -> Vec<Mark> {
        self.changed.get(side).iter().map(|changed| changed.mark).collect()
    }

    /// Takes note of a run of both versions; whether it showed anything new.
    pub(crate) fn note(&self, runs: Pair<&Run>, total: bool) -> bool {
        let mut seen = self.seen.borrow_mut();
        let seen = &mut *seen;
        let is_defined = is_defined(runs.old, total) && is_defined(runs.new, total);
        let mut is_new = is_defined && !seen.defined;
        seen.defined |= is_defined;
        is_new |= seen.executed.old.add(&runs.old.executed);
        is_new |= seen.executed.new.add(&runs.new.executed);
        for (run, failures) in [(runs.old, &mut seen.undefined.old), (runs.new, &mut seen.undefined.new)] {
            match &run.ending {
                Ending::Failed { error } if ir::is_undefined(error) => {
                    let failure = (error.clone(), run.failed_at);
                    if failures.len() < MOST_FAILURES && !failures.contains(&failure) {
                        failures.push(failure);
                    }
                }
                Ending::Excluded => seen.excluded = true,
                Ending::Endless | Ending::OutOfSteps => seen.too_long = true,
                _ => seen.other_ends = true,
            }
        }
        is_new
    }

    /// Takes note of what a run of both versions executed on an input that does not meet their condition. It says nothing
    /// of how the versions end on those that do.
    pub(crate) fn note_beside(&self, runs: Pair<&Run>) {
        let mut seen = self.seen.borrow_mut();
        seen.executed.old.add(&runs.old.executed);
        seen.executed.new.add(&runs.new.executed);
    }

    /// What stands in the way of any proof about this pair, if that is known.
    pub(crate) fn failure(&self) -> Option<Reason> {
        self.seen.borrow().failure.clone()
    }

    /// Notes what stands in the way of any proof about this pair.
    pub(crate) fn fail(&self, reason: Reason) {
        self.seen.borrow_mut().failure = Some(reason);
    }

    /// Whether a proof about the pair would speak of something.
    pub(crate) fn is_complete(&self) -> bool {
        self.has_defined_end() && self.not_covered().is_empty()
    }

    /// Whether both versions ended in a defined way on some input.
    pub(crate) fn has_defined_end(&self) -> bool {
        self.seen.borrow().defined
    }

    /// Whether a run executed one of some changed statements of a version.
    pub(crate) fn is_any_executed(&self, side: Side, places: &[usize]) -> bool {
        let seen = self.seen.borrow();
        places.iter().any(|place| seen.executed.get(side).contains(*place))
    }

    /// The changed statements that were neither executed nor proved to be unreachable.
    pub(crate) fn not_covered(&self) -> Vec<(Side, usize)> {
        let seen = self.seen.borrow();
        let of = |side: Side| {
            let (unreachable, proved_alone) = (seen.unreachable.get(side), seen.proved_alone.get(side));
            let executed = self.executed_originals(side, &seen);
            let is_missing = |place: &usize| {
                !executed.contains(&self.changed.get(side)[*place].original)
                    && ![unreachable, proved_alone].iter().any(|known| known.contains(*place))
            };
            (0..self.changed.get(side).len())
                .filter(is_missing)
                .map(|place| (side, place))
                .collect::<Vec<_>>()
        };
        of(Side::Old).into_iter().chain(of(Side::New)).collect()
    }

    /// The statements of the source of which a run executed a copy.
    fn executed_originals(&self, side: Side, seen: &SoFar) -> Vec<Mark> {
        let changed = self.changed.get(side).iter().enumerate();
        let executed = changed.filter(|(place, _)| seen.executed.get(side).contains(*place));
        executed.map(|(_, changed)| changed.original).collect()
    }

    pub(crate) fn statement(&self, (side, place): (Side, usize)) -> ChangedStatement {
        self.changed.get(side)[place]
    }

    /// Takes note of callees that were proved to do the same on all inputs, with runs of their own to show for it.
    /// What is reached only through them needs no runs of the pair: whatever it calls them with, they do the same.
    pub(crate) fn are_proved_alone(&self, callees: &[Pair<ProcId>], pair: Pair<Subject<'_>>) {
        let mut seen = self.seen.borrow_mut();
        for side in [Side::Old, Side::New] {
            let Subject { program, procedure } = *pair.get(side);
            let proved = |id: ProcId| callees.iter().any(|ids| *ids.get(side) == id);
            let beside = ir::reachable_without(program, procedure, &proved);
            for (place, changed) in self.changed.get(side).iter().enumerate() {
                if !beside.contains(&changed.mark.procedure) {
                    seen.proved_alone.get_mut(side).insert(place);
                }
            }
        }
    }

    /// Notes that no input reaches a changed statement.
    pub(crate) fn is_unreachable(&self, (side, place): (Side, usize)) {
        self.seen.borrow_mut().unreachable.get_mut(side).insert(place);
    }

    /// The changed lines that no input reaches, each once.
    pub(crate) fn unreachable(&self) -> Vec<(Side, Span)> {
        let seen = self.seen.borrow();
        let mut found: Vec<(Side, Span)> = Vec::new();
        for side in [Side::Old, Side::New] {
            let executed = self.executed_originals(side, &seen);
            for (place, changed) in self.changed.get(side).iter().enumerate() {
                let line = |span: &Span| (span.file, span.line);
                let is_known =
                    found.iter().any(|(other, span)| *other == side && line(span) == line(&changed.span));
                let is_executed = executed.contains(&changed.original);
                if !is_executed && seen.unreachable.get(side).contains(place) && !is_known {
                    found.push((side, changed.span));
                }
            }
        }
        found
    }

    /// Why a proof about these versions would speak of nothing, if it would.
    pub(crate) fn gap(&self, pair: Pair<Subject<'_>>) -> Option<Reason> {
        if !self.has_defined_end() {
            return Some(self.nothing_defined());
        }
        let (side, place) = *self.not_covered().first()?;
        let ChangedStatement { mark, span, .. } = self.statement((side, place));
        let procedure = pair.get(side).program.procedure(mark.procedure).short_name.clone();
        Some(Reason::NotExecuted { side, procedure, span })
    }

    /// Why there is no run that ends in a defined way.
    fn nothing_defined(&self) -> Reason {
        let seen = self.seen.borrow();
        let is_undefined = !seen.undefined.old.is_empty() || !seen.undefined.new.is_empty();
        match (seen.other_ends, is_undefined, seen.too_long, seen.excluded) {
            (false, true, false, false) => Reason::NothingDefined { undefined: seen.undefined.clone() },
            (false, false, false, true) => Reason::Vacuous,
            (_, false, true, _) => Reason::NeverBothEnd,
            _ => Reason::NothingDefined { undefined: Pair::default() },
        }
    }
}

/// Whether the end of a run is one that can be compared with others. That a run goes on forever is, where it counts.
fn is_defined(run: &Run, total: bool) -> bool {
    match &run.ending {
        Ending::Returned(_) => true,
        Ending::Failed { error } => !ir::is_undefined(error),
        Ending::Endless => total,
        Ending::OutOfSteps | Ending::OutOfMemory | Ending::TooDeep | Ending::TooMuchOutput => false,
        Ending::Excluded | Ending::Unsupported { .. } | Ending::Undecided { .. } | Ending::Broken { .. } => {
            false
        }
    }
}

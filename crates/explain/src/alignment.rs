//! Which lines of two programs go together, over all procedures that a pair reaches.

use std::collections::BTreeMap;

use align::{match_procedures, statement_lines};
use ir::{Pair, ProcId, Subject};

use crate::events::Event;

/// The lines of both versions by their classes: lines of one class go together.
#[derive(Default)]
pub(crate) struct LineClasses {
    classes: Pair<BTreeMap<(ProcId, u32), u32>>,
    /// Whether the lines of a class are the same code.
    common: Vec<bool>,
}

impl LineClasses {
    pub(crate) fn of(pair: Pair<Subject<'_>>) -> LineClasses {
        let mut found = LineClasses::default();
        let programs = pair.map(|subject| subject.program);
        let matching = match_procedures(programs.old, programs.new);
        let reached = pair.map(|subject| ir::reachable(subject.program, subject.procedure));
        let others = matching.pairs.into_iter().chain(matching.renamed).chain(matching.signature_changed);
        let others = others
            .filter(|ids| reached.old.contains(&ids.old) && reached.new.contains(&ids.new))
            .filter(|ids| ids.old != pair.old.procedure && ids.new != pair.new.procedure);
        for ids in [pair.map(|subject| subject.procedure)].into_iter().chain(others) {
            found.add(pair, ids);
        }
        found
    }

    fn add(&mut self, pair: Pair<Subject<'_>>, ids: Pair<ProcId>) {
        let procedures = pair.zip(ids).map(|(subject, id)| subject.program.procedure(id));
        if procedures.old.body.is_none() || procedures.new.body.is_none() {
            return;
        }
        let found = statement_lines(pair.zip(ids).map(|(subject, id)| (subject.program, id)));
        let headers = procedures.map(|procedure| procedure.span.line);
        self.put(ids, headers, true);
        for line in found.matches {
            self.put(ids, line.lines, line.is_common);
        }
        // Where bodies end, nothing differs.
        self.put(ids, procedures.map(|procedure| procedure.span.end_line), true);
    }

    fn put(&mut self, ids: Pair<ProcId>, lines: Pair<u32>, is_common: bool) {
        let (old, new) = ((ids.old, lines.old), (ids.new, lines.new));
        if self.classes.old.contains_key(&old) || self.classes.new.contains_key(&new) {
            return;
        }
        let class = u32::try_from(self.common.len()).unwrap_or(u32::MAX);
        self.common.push(is_common);
        self.classes.old.insert(old, class);
        self.classes.new.insert(new, class);
    }

    /// The class of the line of an event of the old version.
    pub(crate) fn of_old(&self, event: &Event) -> Option<u32> {
        self.classes.old.get(&(event.procedure, event.line)).copied()
    }

    pub(crate) fn of_new(&self, event: &Event) -> Option<u32> {
        self.classes.new.get(&(event.procedure, event.line)).copied()
    }

    pub(crate) fn is_common(&self, class: u32) -> bool {
        self.common.get(class as usize).copied().unwrap_or(false)
    }
}

//! Whether versions that differ do the same with mathematical numbers: then only the numbers of the machine make them
//! differ.

use budget::{Budget, Steps};
use check::{CheckConfig, Verdict};
use ir::Numbers;

use crate::job::Job;
use crate::options::{CMemory, Options};
use crate::session::{Session, open, select};

/// The work for it.
const FOR_MATH: Steps = Steps::of_seconds(3);
const AT_ONCE: Steps = Steps::of_milliseconds(200);

impl Session {
    /// Whether the versions of a pair were proved to do the same with mathematical numbers.
    pub(super) fn same_in_math(&self, index: usize, is_quick: bool, config: &CheckConfig) -> bool {
        let contracts = &self.unit_of(index).contracts;
        let has_contracts = !contracts.old.is_empty() || !contracts.new.is_empty();
        if config.numbers != Numbers::Machine || !self.options.under.is_empty() || has_contracts {
            return false;
        }
        let Some(unit) = self.sources.get(self.pairs[index].unit) else { return false };
        let names = self.subjects(index).map(|subject| subject.procedure().name.as_str());
        let options = Options {
            math: true,
            c_memory: CMemory::Cells,
            ..self.options_under(&select::name_of(names), None)
        };
        let opened = open(Job { units: vec![unit.clone()], options }).ok();
        let Some(session) = opened.filter(|session| session.pairs() == 1) else { return false };
        let steps = if is_quick { AT_ONCE } else { FOR_MATH };
        let budget = Budget::new(steps, config.budget.kill().clone());
        let config = CheckConfig { numbers: Numbers::Math, budget, ..config.clone() };
        matches!(session.judge(0, &config, &mut |_| {}).checked.verdict, Verdict::Equivalent(_))
    }
}

//! Assertions decided path by path: full symbolic execution, and execution directed by what changed.

use check::CheckConfig;
use ir::{Pair, ProcId};
use properties::{Direction, ExploreConfig, Explored, Impact, Others, Site, VIOLATED, explore};
use report::{PairHeader, ReasonReport, VerdictWord};

use super::assertions::Asks;
use super::{LoweredUnit, Session, open};
use crate::job::Job;
use crate::options::{Assertions, Held, Options, PathStrategy};
use crate::wire::{Answer, AssertionHeader, AssertionKind};

impl Session {
    /// The outcome of an assertion by symbolic execution. None where that is no question about paths.
    pub(super) fn by_paths(
        &self,
        index: usize,
        strategy: PathStrategy,
        config: &CheckConfig,
    ) -> Option<Answer> {
        let asserted = &self.asserted[index];
        let exact = asserted.exact?;
        let Asks::Violated(site, _) = &self.pairs[exact].question.as_ref()?.asks else { return None };
        let wanted = self.options.assertions.as_ref()?;
        if self.may_leave_inputs_out(exact) {
            return None;
        }
        let held = wanted.held.iter().find(|held| held.at == index);
        let impact = held
            .filter(|_| strategy == PathStrategy::Dise)
            .and_then(|held| self.impact_on(exact, site, held));
        let explore_config = ExploreConfig::new(
            config.solver.clone(),
            config.solver_memory_mb,
            config.budget.clone(),
            config.numbers,
            config.bound,
        );
        let direction = match &impact {
            // What no change reaches is as it was.
            Some(impact) if !impact.on_site => {
                let mut answer = self.told(exact, Explored::default(), strategy, config);
                answer.assertion.get_or_insert_default().is_alone = true;
                return Some(answer);
            }
            Some(impact) => Direction::Directed(impact),
            None => Direction::Full,
        };
        let contracted = self.contracted(exact).and_then(|contracted| contracted.programs.as_ref());
        let program = contracted.map_or(&self.unit_of(exact).programs.new, |programs| &programs.new);
        let explored = |others: Others| {
            let procedure = self.pairs[exact].procedures.new;
            let asked = match strategy {
                // Paths that differ only in what does not matter to the assertion are one.
                PathStrategy::Dise => properties::question(program, procedure, site, others).old,
                PathStrategy::Full | PathStrategy::Summary => properties::ending_there(program, site, others),
            };
            explore(&asked, procedure, VIOLATED, direction, &explore_config)
        };
        // While other assertions do nothing first: what holds then holds in any case.
        let alone = explored(Others::Off);
        let (states, solver_calls, is_clean) =
            (alone.states, alone.solver_calls, alone.candidates.is_empty());
        let mut answer = self.told(exact, alone, strategy, config);
        answer.assertion.get_or_insert_default().is_alone = true;
        if answer.report.verdict == VerdictWord::Unknown && !is_clean {
            let mut again = explored(Others::On);
            again.states += states;
            again.solver_calls += solver_calls;
            answer = self.told(exact, again, strategy, config);
        }
        Some(answer)
    }

    /// What the paths show.
    fn told(&self, index: usize, explored: Explored, strategy: PathStrategy, config: &CheckConfig) -> Answer {
        let pair = self.asked(index);
        let how = if strategy == PathStrategy::Dise { "dise" } else { "full" };
        let witness = explored.candidates.iter().find_map(|input| check::witness_of(pair, input, config));
        let mut answer = match &witness {
            Some(witness) => self.violation(index, witness, how, config),
            None => {
                let mut report = PairHeader::new(pair).unknown(Vec::new(), config.into(), 0.0);
                report.strategy = how.to_owned();
                if explored.gaps.is_empty() && explored.candidates.is_empty() {
                    report.verdict = VerdictWord::Equivalent;
                    report.assumptions.clone_from(&explored.assumptions);
                } else {
                    let mut reasons = explored.gaps.clone();
                    if !explored.candidates.is_empty() {
                        reasons.push("an input of the solver does not violate it when it is run".to_owned());
                    }
                    report.reasons = reasons.into_iter().map(ReasonReport::because).collect();
                    report.bound = Some(config.bound);
                }
                Answer::only(report)
            }
        };
        answer.report.statistics.solver_calls = u32::try_from(explored.solver_calls).unwrap_or(u32::MAX);
        answer.assertion.get_or_insert_default().states = explored.states;
        answer
    }

    /// What the change from the version before means for an assertion. A changed callee is a changed call.
    fn impact_on(&self, index: usize, site: &Site, held: &Held) -> Option<Impact> {
        let before = self.before.get_or_init(|| self.version_before()).as_deref()?;
        let unit = &self.units[self.pairs[index].unit].programs.new;
        let name = &unit.procedure(self.pairs[index].procedures.new).name;
        let (unit_before, id) = before.procedure_before(name)?;
        let program = &unit_before.programs.new;
        // What it required before may have left runs out.
        let required = |unit: &LoweredUnit, id| unit.contract_facts().map(|facts| facts.new.meaning(id));
        let now = required(self.unit_of(index), self.pairs[index].procedures.new);
        if required(unit_before, id).unwrap_or_default() != now.unwrap_or_default() {
            return None;
        }
        let is_it = |header: &AssertionHeader| {
            (&header.entry, header.line, header.number) == (&held.entry, held.line, held.number)
                && header.kind == AssertionKind::Assertion
        };
        let old = before.listing.assertions.iter().position(is_it)?;
        let question = before.pairs[before.asserted[old].alone].question.as_ref()?;
        let Asks::Violated(old_site, _) = &question.asks else { return None };
        let versions = Pair::new((program, id), (unit, self.pairs[index].procedures.new));
        properties::impact(versions, Pair::new(old_site, site))
    }

    fn version_before(&self) -> Option<Box<Session>> {
        let wanted = self.options.assertions.as_ref()?;
        if wanted.before.is_empty() {
            return None;
        }
        let options =
            Options { assertions: Some(Assertions::plain()), function: None, ..self.options.clone() };
        open(Job { units: wanted.before.clone(), options }).ok().map(Box::new)
    }

    fn procedure_before(&self, name: &str) -> Option<(&LoweredUnit, ProcId)> {
        self.units.iter().find_map(|unit| Some((unit, unit.programs.new.procedure_named(name)?)))
    }
}

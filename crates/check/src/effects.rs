//! What both versions do, as terms, for whoever says it in words: endings, results and globals, and the question whether
//! the versions can differ where more holds.

use std::collections::BTreeMap;

use ir::{Pair, Side};
use query::{Asked, Client};
use smt::{Floats, Term, Terms};
use symbolic::{Abstraction, InputType, Inputs, SymValue};

use crate::verification_condition::{Depth, VerificationCondition};
use crate::{CheckConfig, Subject};

/// Both versions as terms over their inputs.
pub struct Effects<'a> {
    pub terms: Terms,
    vc: VerificationCondition<'a>,
    client: Client,
    config: CheckConfig,
}

impl<'a> Effects<'a> {
    /// Summarises both versions; `None` if they are too large or have nothing to compare.
    pub fn of(pair: Pair<Subject<'a>>, config: &CheckConfig) -> Option<Effects<'a>> {
        let mut terms = Terms::new();
        let mut client = Client::new(config.client());
        let nothing = Abstraction::nothing();
        let hidden = Pair { old: &nothing, new: &nothing };
        let vc = VerificationCondition::prepare(&mut terms, pair, hidden, Depth::PLAIN, config, &mut client);
        Some(Effects { terms, vc: vc.ok()?, client, config: config.clone() })
    }

    pub fn inputs(&self) -> &Inputs {
        self.vc.inputs()
    }

    /// Whether all runs were followed to their end.
    pub fn are_finished(&mut self) -> bool {
        let unfinished = self.vc.claim().unfinished();
        let asked = self.client.ask(&mut self.terms, unfinished, &[], Floats::Symbols, &self.config.budget);
        matches!(asked, Asked::Refuted(_))
    }

    /// The conditions under which a version ends normally, and in each error.
    pub fn endings(&self, side: Side) -> Vec<(Option<String>, Term)> {
        let endings = &self.vc.summaries().get(side).endings;
        endings.iter().map(|(error, condition)| (error.clone(), *condition)).collect()
    }

    pub fn result(&self, side: Side) -> Option<&SymValue> {
        self.vc.summaries().get(side).result.as_ref()
    }

    /// Whether the results are references.
    pub fn returns_references(&self) -> bool {
        let is_reference =
            |summary: &symbolic::Summary| matches!(summary.result_type, Some(InputType::Ref(_)));
        let Pair { old, new } = self.vc.summaries();
        is_reference(old) && is_reference(new)
    }

    /// The objects that a version makes: the names of their shapes, by the numbers that stand for them in terms.
    pub fn new_objects(&mut self, side: Side) -> BTreeMap<u32, String> {
        let summary = self.vc.summaries().get(side);
        summary.new_objects(&mut self.terms, self.vc.inputs())
    }

    /// The globals that may end up with different values, each with its terms.
    pub fn changed_globals(&self) -> Vec<(String, Pair<SymValue>)> {
        let Pair { old, new } = self.vc.summaries();
        let inputs = &self.vc.inputs().globals;
        let of = |summary: &symbolic::Summary, name: &String, before: &SymValue| {
            summary.globals.get(name).unwrap_or(before).clone()
        };
        inputs
            .iter()
            .map(|(name, input)| {
                (name.clone(), Pair::new(of(old, name, &input.value), of(new, name, &input.value)))
            })
            .filter(|(_, values)| values.old.leaves() != values.new.leaves())
            .collect()
    }

    /// The parts of memory that may end up with different cells: at the start, and in both versions.
    pub fn changed_cells(&self) -> Vec<(SymValue, Pair<SymValue>)> {
        let Pair { old, new } = self.vc.summaries();
        let of = |summary: &symbolic::Summary, name: &String, before: &SymValue| {
            summary.heap.get(name).unwrap_or(before).clone()
        };
        let regions = self.vc.inputs().regions.iter();
        let cells = regions.map(|(name, region)| {
            let values = Pair::new(of(old, name, &region.cells), of(new, name, &region.cells));
            (region.cells.clone(), values)
        });
        cells.filter(|(_, values)| values.old.leaves() != values.new.leaves()).collect()
    }

    /// The streams to which different text may be written, by their numbers.
    pub fn changed_texts(&self) -> Vec<(usize, Pair<Term>)> {
        let written = self.vc.summaries().as_ref().map(|summary| summary.written);
        let streams = written.old.into_iter().zip(written.new).enumerate();
        streams
            .filter(|(_, (old, new))| old != new)
            .map(|(at, (old, new))| (at, Pair::new(old, new)))
            .collect()
    }

    /// Whether the versions do the same wherever more holds.
    pub fn cannot_differ(&mut self, more: &[Term]) -> bool {
        let asked = self.vc.ask_difference_if(&mut self.terms, more, &mut self.client, &self.config.budget);
        matches!(asked, Asked::Refuted(_))
    }

    /// Whether no input meets some conditions.
    pub fn is_impossible(&mut self, conditions: &[Term]) -> bool {
        let mut all = self.vc.claim().compared(&mut self.terms);
        all.extend(conditions);
        let violation = query::Violation::of(all);
        let asked = self.client.ask(&mut self.terms, violation, &[], Floats::Symbols, &self.config.budget);
        matches!(asked, Asked::Refuted(_))
    }
}

//! Paths of both versions, one pair at a time, until every input takes one of them (as CLEVER explores clients).
//!
//! The solver gives an input that was not looked at yet. Both versions are followed along the paths that it takes,
//! into changed callees only where it leads there. These two paths are a *path pair*, which all inputs take that meet the
//! conditions on the way. Whether the versions differ on it is asked at once, and what looks like it is run at once.
//! The path pair is then excluded, and the next input asked for.
//!
//! Exact. *Equivalent* needs that every input takes a path pair on which a difference was refuted. Paths that go beyond
//! the bound make no such pair; they are followed again with a deeper one.

mod follow;
mod path_pairs;

use budget::{Budget, Steps};
use ir::{Pair, Subject};
use smt::{Floats, Model, Term, Terms};
use std::collections::BTreeSet;
use symbolic::{Inputs, Question, Summary};

use self::path_pairs::PathPairs;
use crate::CheckConfig;
use crate::kernel::{Covered, EndsAlike, InputsExist, Proof, Uncovered};
use crate::strategies::LADDER;
use crate::unknown::{Reason, Unknown};
use crate::vacuity::exercised;
use crate::verdict::Verdict;
use crate::verification_condition::{Outcome, VerificationCondition, have_floats, up_to_the_bound};
use crate::witness::{Machines, Witness};
use query::{Asked, Client, Refuted};

/// Decides a pair path by path, as far as the deeper bound and the time allow.
pub(crate) fn clever(
    pair: Pair<Subject<'_>>,
    machines: &Machines,
    config: &CheckConfig,
    client: &mut Client,
) -> Verdict {
    let mut terms = Terms::new();
    let programs = pair.map(|subject| (subject.program, subject.procedure));
    let inputs = symbolic::inputs(&mut terms, programs, &config.summaries());
    if let Some(what) = inputs.mismatches.first() {
        return Verdict::Unknown(Unknown::because(Reason::Incomparable(what.clone())));
    }
    let mut exploration = Exploration::new(pair, inputs, machines, client);
    let last = config.deeper_bound.unwrap_or(0);
    let deeper = LADDER.into_iter().filter(|bound| (config.bound + 1..=last).contains(bound));
    let mut so_far = None;
    for bound in std::iter::once(config.bound).chain(deeper) {
        let config = CheckConfig { bound, ..config.clone() };
        let unknown = match exploration.round(&mut terms, &config) {
            Verdict::Unknown(unknown) => unknown,
            decided => return decided,
        };
        // Going further helps only where nothing but the bound was in the way.
        if unknown.no_difference_up_to().is_none() {
            return Verdict::Unknown(so_far.unwrap_or(unknown));
        }
        so_far = Some(unknown);
    }
    Verdict::Unknown(so_far.expect("there should be at least one round"))
}

/// What is known of the paths of a pair.
struct Exploration<'a, 'c> {
    pair: Pair<Subject<'a>>,
    inputs: Inputs,
    machines: &'c Machines<'c>,
    client: &'c mut Client,
    path_pairs: PathPairs,
    /// How floats are read where inputs are asked for.
    floats: Floats,
    texts: Vec<String>,
}

/// Why an exploration ends before all inputs are covered.
enum Stop {
    Different(Box<Witness>),
    Because(Reason),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::Because(reason)
    }
}

impl<'a, 'c> Exploration<'a, 'c> {
    fn new(
        pair: Pair<Subject<'a>>,
        inputs: Inputs,
        machines: &'c Machines<'c>,
        client: &'c mut Client,
    ) -> Exploration<'a, 'c> {
        let path_pairs = PathPairs::new(&inputs.assumptions);
        let (floats, texts) = (Floats::Symbols, Vec::new());
        Exploration { pair, inputs, machines, client, path_pairs, floats, texts }
    }

    /// Follows all paths within one bound.
    fn round(&mut self, terms: &mut Terms, config: &CheckConfig) -> Verdict {
        self.path_pairs.forget_unfinished();
        let nothing_left = match self.explore(terms, config) {
            Ok(nothing_left) => nothing_left,
            Err(Stop::Different(witness)) => return Verdict::Different(witness),
            Err(Stop::Because(reason)) => return Verdict::Unknown(self.path_pairs.unknown(reason)),
        };
        match self.path_pairs.covered(terms, self.client, &nothing_left, self.floats, &config.budget) {
            Ok(covered) => self.conclude(config, covered),
            Err(Some(reason)) => Verdict::Unknown(self.path_pairs.unknown(reason)),
            Err(None) => Verdict::Unknown(up_to_the_bound(self.path_pairs.gaps(), config)),
        }
    }

    /// Follows one pair of paths after the other until no input is left.
    fn explore(&mut self, terms: &mut Terms, config: &CheckConfig) -> Result<Refuted<Uncovered>, Stop> {
        loop {
            let asked =
                self.path_pairs.next_input(terms, self.client, &self.inputs, self.floats, &config.budget);
            let model = match asked {
                Asked::Refuted(nothing_left) => return Ok(nothing_left),
                Asked::GaveUp(reason) => return Err(Stop::Because(reason.into())),
                Asked::Counterexample(model) => model,
            };
            let (mut summaries, mut path_pair) = self.follow_both(terms, Some(&model), config)?;
            if self.path_pairs.was_followed(path_pair) {
                // The model does not say all: of large heaps, and of what has no value outside of the solver.
                (summaries, path_pair) = self.follow_both(terms, None, config)?;
            }
            if self.path_pairs.was_followed(path_pair) {
                // With operations as symbols the solver may speak of inputs that there are not.
                if self.floats == Floats::Ieee || !have_floats(terms, &[path_pair]) {
                    let words = "its values lead to paths that were followed before".to_owned();
                    return Err(Stop::Because(Reason::SolverGaveUp(words)));
                }
                self.floats = Floats::Ieee;
                continue;
            }
            self.compare(terms, &model, summaries, path_pair, config)?;
        }
    }

    /// Asks whether the versions differ on a path pair, and excludes it.
    fn compare(
        &mut self,
        terms: &mut Terms,
        model: &Model,
        summaries: Pair<Summary>,
        path_pair: Term,
        config: &CheckConfig,
    ) -> Result<(), Stop> {
        self.path_pairs.note_followed(path_pair);
        self.client.statistics.refinements += 1;
        self.client.statistics.terms = self.client.statistics.terms.max(terms.len() as u64);
        self.path_pairs.covering.learn(summaries.old.assumptions.iter().chain(&summaries.new.assumptions));
        let inputs = self.inputs.clone();
        let mut vc =
            VerificationCondition::of_path_pair(terms, self.pair, inputs, summaries, path_pair, config);
        if tracing::enabled!(target: "terms", tracing::Level::TRACE) {
            tracing::trace!(target: "terms", text = format!("route:\n{}\n", terms.print(path_pair)));
        }
        if let Some(witness) = vc.try_counterexample(terms, self.machines, model) {
            return Err(Stop::Different(vc.simplest(self.machines, witness)));
        }
        let Question { unfinished, .. } = *vc.question();
        let finished = terms.not(unfinished);
        let within = terms.and(&[path_pair, finished]);
        let beyond = terms.and(&[path_pair, unfinished]);
        let own_config = config.within(share(config));
        match vc.discharge(terms, self.machines, &own_config, self.client).0 {
            Outcome::Found(witness) => {
                return Err(Stop::Different(vc.simplest(self.machines, witness)));
            }
            Outcome::Undecided(reason) => self.path_pairs.note_undecided(within, reason),
            Outcome::Refuted(refuted) => {
                let ends_alike = EndsAlike::seen(vc.summaries(), vc.claim(), config.total, terms);
                self.path_pairs.covering.add(terms, vc.claim(), &refuted, ends_alike);
            }
        }
        self.texts.extend(vc.assumption_texts());
        if beyond != terms.bool(false) {
            self.path_pairs.note_unfinished(beyond, vc.gaps(config));
        }
        Ok(())
    }

    /// Every input takes a path pair without a difference: equivalent, if there are inputs that count.
    fn conclude(&mut self, config: &CheckConfig, covered: Covered) -> Verdict {
        let ends_alike = self.path_pairs.covering.end_alike();
        if ends_alike.is_none() && config.total {
            return Verdict::Unknown(Unknown::because(Reason::OnlyWhereBothEnd));
        }
        let exercised = match exercised(self.machines, config, self.client) {
            Ok(exercised) => exercised,
            Err(unshown) => return unshown.verdict(self.machines),
        };
        let exist = InputsExist::were_run(&exercised);
        let mut seen = BTreeSet::new();
        let texts = self.texts.iter().filter(|text| seen.insert(*text)).cloned().collect();
        let proof =
            Proof::covered(covered, exist, &exercised, texts).with_obligations(self.client.obligations());
        Verdict::Equivalent(match ends_alike {
            Some(ends_alike) => proof.for_all_runs(ends_alike),
            None => proof,
        })
    }
}

/// A hard path pair does not take the work of all others.
fn share(config: &CheckConfig) -> Budget {
    config.budget.at_most((config.budget.left() / 3).max(Steps::of_seconds(1)))
}

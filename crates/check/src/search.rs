//! Summaries of both versions, loops and recursion unrolled to the bound, and one question to the solver.
//!
//! Exact but for what the summaries list: a refuted difference counts only together with refuted cuts, and a
//! candidate only when both versions were run on it. Where code is hidden behind symbols a refuted difference still
//! proves that there is none; that it is not refuted says less.

mod by_parts;
mod conclusion;
mod partners;

pub(crate) use conclusion::up_to_the_bound;

use std::time::{Duration, Instant};

use by_parts::Parts;
use interp::Limits;
use ir::{Pair, Side};
use smt::{Floats, Model, Sort, Term, Terms};
use symbolic::{Config, Hidden, Inputs, LoopUse, Question, Stopped, Summary};

use crate::coupling::input_variables;
use crate::inputs::{has_least_elements, input_of_model, wanted_of};
use crate::question::{Asked, Asker, Difference, Refuted, Same};
use crate::settled::Settled;
use crate::sweep::sweep;
use crate::verdict::{Reason, Unknown, Verdict};
use crate::witness::{Machines, Trial, Witness};
use crate::{CheckConfig, Event, Numbers, Subject};

/// Iterations that are followed as long as no input decides whether there is another one.
const CONCRETE_ITERATIONS: u32 = 2_000;
/// Terms of both summaries together.
const MOST_TERMS: usize = 3_000_000;
/// The time for a question that can be asked in parts.
const LEAST_AS_A_WHOLE: Duration = Duration::from_millis(100);
const MOST_AS_A_WHOLE: Duration = Duration::from_millis(300);
/// What the interpreter may use for one candidate.
const LIMITS: Limits = Limits { steps: 2_000_000, ..Limits::USUAL };

/// How much a search does beyond the first question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    /// Candidates that are run before the search ends as spurious.
    candidates: u32,
    /// How parts are merged when the question is hard, in this order.
    merges: &'static [Merge],
    /// Whether the IEEE meaning of floats is asked for when symbols are not enough.
    ieee: bool,
}

/// Which parts of a hard question are proved equal first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Merge {
    /// Those that stand in the same place.
    InPlace,
    /// Those that have the same values on random inputs.
    Alike,
}

impl Depth {
    pub(crate) const FULL: Depth =
        Depth { candidates: 6, merges: &[Merge::InPlace, Merge::Alike], ieee: true };
    /// One question after the other, as the papers' tools ask them.
    pub(crate) const PLAIN: Depth = Depth { candidates: 6, merges: &[], ieee: true };
    /// For questions in which code is hidden: a spurious candidate more likely comes from there.
    pub(crate) const SHALLOW: Depth = Depth { candidates: 1, merges: &[], ieee: false };
    /// For versions of whose loops only relations are known: random values hardly ever meet these.
    pub(crate) const COUPLED: Depth = Depth { candidates: 1, merges: &[Merge::InPlace], ieee: false };
}

/// Decides a pair by its summaries, with some statements hidden.
pub(crate) fn search(
    pair: Pair<Subject<'_>>,
    hidden: Pair<&Hidden>,
    depth: Depth,
    machines: &Machines,
    config: &CheckConfig,
    asker: &mut Asker<'_>,
) -> Verdict {
    let mut terms = Terms::new();
    match Search::prepare(&mut terms, pair, hidden, depth, config, asker) {
        Ok(search) => search.decide(&mut terms, machines, config, asker),
        Err(reason) => Verdict::Unknown(Unknown::because(reason)),
    }
}

/// The options for summaries that a check asks for.
pub(crate) fn summary_config(config: &CheckConfig) -> Config {
    Config {
        numbers: match config.numbers {
            Numbers::Machine => symbolic::Numbers::Machine,
            Numbers::Math => symbolic::Numbers::Math,
        },
        bound: config.bound,
        concrete_limit: CONCRETE_ITERATIONS,
        total: config.total,
        sqrt_axioms: false,
        any_inputs: config.any_inputs,
        max_terms: MOST_TERMS,
        deadline: config.deadline,
        stop: config.stop.clone(),
    }
}

fn summarize(
    terms: &mut Terms,
    pair: Pair<Subject<'_>>,
    hidden: Pair<&Hidden>,
    config: &CheckConfig,
) -> Result<(Inputs, Pair<Summary>), Stopped> {
    let summary_config = summary_config(config);
    let inputs =
        symbolic::inputs(terms, pair.map(|subject| (subject.program, subject.procedure)), &summary_config);
    let summaries = pair.zip(hidden).try_map(|(subject, hidden)| {
        let Subject { program, procedure } = subject;
        symbolic::summarize_hiding(terms, program, procedure, &inputs, &summary_config, hidden)
    })?;
    Ok((inputs, summaries))
}

/// The question about one pair, and what has been learnt about it.
pub(crate) struct Search<'a> {
    pair: Pair<Subject<'a>>,
    inputs: Inputs,
    summaries: Pair<Summary>,
    question: Question,
    assumptions: Vec<Term>,
    has_floats: bool,
    /// Whether some code was hidden.
    hides: bool,
    depth: Depth,
    /// In how many ways equal parts of the question were merged.
    merges: usize,
    /// Inputs that were run and did not separate the versions.
    blocked: Vec<Term>,
}

/// What became of the question whether the versions differ.
pub(crate) enum Outcome {
    Refuted(Refuted<Difference>),
    Found(Box<Witness>),
    Open(Reason),
}

impl<'a> Search<'a> {
    /// Summarises both versions and forms the question.
    pub(crate) fn prepare(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        hidden: Pair<&Hidden>,
        depth: Depth,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) -> Result<Search<'a>, Reason> {
        let summarized = summarize(terms, pair, hidden, config);
        asker.statistics.terms = asker.statistics.terms.max(terms.len() as u64);
        let (inputs, summaries) = summarized.map_err(|stopped| match stopped {
            Stopped::TooLarge => Reason::TooLarge,
            Stopped::Deadline => Reason::Timeout,
            Stopped::Undecided => Reason::Internal("a run without a guide asked for one".to_owned()),
        })?;
        if let Some(what) = inputs.mismatches.first() {
            return Err(Reason::Incomparable(what.clone()));
        }
        let mut search = Search::new(terms, pair, inputs, summaries, depth, config.total);
        search.hides = !hidden.old.is_empty() || !hidden.new.is_empty();
        if config.keep_questions {
            asker.emit(Event::Terms { text: search.describe(terms) });
        }
        Ok(search)
    }

    fn new(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        inputs: Inputs,
        summaries: Pair<Summary>,
        depth: Depth,
        total: bool,
    ) -> Search<'a> {
        let Pair { old, new } = &summaries;
        let question = symbolic::where_they_differ(terms, &inputs, old, new, total);
        let assumptions = question.assumptions.clone();
        let has_floats = have_floats(terms, &[question.differ, question.unfinished]);
        Search {
            pair,
            inputs,
            summaries,
            question,
            assumptions,
            has_floats,
            hides: false,
            depth,
            merges: 0,
            blocked: Vec::new(),
        }
    }

    /// The question about the inputs that take a route, of which the summaries alone speak.
    pub(crate) fn of_route(
        terms: &mut Terms,
        pair: Pair<Subject<'a>>,
        inputs: Inputs,
        summaries: Pair<Summary>,
        route: Term,
        total: bool,
    ) -> Search<'a> {
        let mut search = Search::new(terms, pair, inputs, summaries, Depth::PLAIN, total);
        search.has_floats |= have_floats(terms, &[route]);
        search.assumptions.push(route);
        search
    }

    pub(crate) fn decide(
        mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) -> Verdict {
        match self.settle(terms, machines, config, asker) {
            (Outcome::Found(witness), _) => self.different(machines, witness),
            (Outcome::Refuted(refuted), floats) => {
                self.conclude(terms, machines, config, asker, refuted, floats)
            }
            (Outcome::Open(reason), _) => Verdict::Unknown(self.with_gaps(Unknown::because(reason), config)),
        }
    }

    /// Whether the versions differ among the runs that were followed, and how floats were read to know that.
    pub(crate) fn settle(
        &mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) -> (Outcome, Floats) {
        let mut floats = Floats::Symbols;
        let mut outcome = self.difference(terms, machines, config, asker, floats);
        for way in self.depth.merges {
            if !matches!(outcome, Outcome::Open(Reason::SolverGaveUp(_))) {
                break;
            }
            let before = self.question.differ;
            self.merge_equal_parts(terms, *way, config, asker);
            if self.question.differ != before || self.are_parts_merged() {
                outcome = self.difference(terms, machines, config, asker, floats);
            }
        }
        if matches!(outcome, Outcome::Open(_)) && self.has_floats && self.depth.ieee {
            // The operations as symbols allow too much: ask for their IEEE meaning.
            floats = Floats::Ieee;
            outcome = self.difference(terms, machines, config, asker, floats);
        }
        (outcome, floats)
    }

    pub(crate) fn different(&self, machines: &Machines, witness: Box<Witness>) -> Verdict {
        Verdict::Different(self.simplest(machines, witness))
    }

    /// A simpler witness for the same pair.
    pub(crate) fn simplest(&self, machines: &Machines, witness: Box<Witness>) -> Box<Witness> {
        machines.minimised(witness, self.pair.old, &LIMITS)
    }

    /// Asks once whether the versions can differ if some facts hold, whatever the symbols stand for.
    pub(crate) fn ask_difference(
        &self,
        terms: &mut Terms,
        facts: &[Term],
        asker: &mut Asker<'_>,
        deadline: Instant,
    ) -> Asked<Difference> {
        let mut conditions = self.difference_conditions(terms);
        conditions.extend(facts);
        let wanted = wanted_of(terms, &conditions);
        asker.ask::<Difference>(terms, &conditions, &wanted, Floats::Symbols, deadline)
    }

    /// Whether the versions differ on every input that there is: the symbols cannot be at fault then.
    pub(crate) fn always_differ(&self, terms: &mut Terms, asker: &mut Asker<'_>, deadline: Instant) -> bool {
        let mut conditions = self.assumptions.clone();
        conditions.extend([terms.not(self.question.differ), terms.not(self.question.unfinished)]);
        let asked = asker.ask::<Same>(terms, &conditions, &[], Floats::Symbols, deadline);
        matches!(asked, Asked::Refuted(_))
    }

    fn difference_conditions(&self, terms: &mut Terms) -> Vec<Term> {
        let mut conditions = self.assumptions.clone();
        let finished = terms.not(self.question.unfinished);
        conditions.extend([self.question.differ, finished]);
        conditions
    }

    /// Adds facts that hold of all runs on which both versions end.
    pub(crate) fn assume(&mut self, facts: &[Term]) {
        self.assumptions.extend(facts);
    }

    /// Says by facts what a loop leaves behind that was stepped over: no relation needs to.
    pub(crate) fn replace_loop(&mut self, side: Side, loop_use: &LoopUse, facts: &[Term]) {
        let place = |it: &LoopUse| (it.number, it.reached, it.entry.clone(), it.exit.clone());
        self.summaries.get_mut(side).loops.retain(|other| place(other) != place(loop_use));
        self.assume(facts);
    }

    /// Leaves out the inputs that are settled. What is concluded then is a proof only together with that.
    pub(crate) fn look_beyond(&mut self, settled: &Settled) {
        self.assumptions.push(settled.open());
    }

    pub(crate) fn assumptions(&self) -> &[Term] {
        &self.assumptions
    }

    pub(crate) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Where the versions differ, and what each of them does.
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    pub(crate) fn summaries(&self) -> &Pair<Summary> {
        &self.summaries
    }

    /// Replaces parts of the question by equal ones, so that the rest of it gets easier.
    fn merge_equal_parts(
        &mut self,
        terms: &mut Terms,
        way: Merge,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
    ) {
        self.merges += 1;
        let (now, left) = (Instant::now(), config.time_left());
        let deadline = now + if self.are_parts_merged() { left / 2 } else { left / 3 };
        let Question { differ, unfinished, .. } = self.question;
        match way {
            Merge::InPlace => {
                let inputs = input_variables(terms, &self.inputs);
                let mut known = self.assumptions.clone();
                known.push(terms.not(unfinished));
                let parts = Parts::new(terms, asker, inputs, &known, deadline);
                self.question.differ = parts.simplified(differ);
            }
            Merge::Alike => {
                let roots = [differ, unfinished];
                let swept = sweep(terms, asker, &self.assumptions, &roots, Floats::Symbols, deadline);
                (self.question.differ, self.question.unfinished) = (swept[0], swept[1]);
            }
        }
    }

    /// Whether parts were merged in all ways that there are.
    fn are_parts_merged(&self) -> bool {
        self.merges == self.depth.merges.len()
    }

    /// Asks for inputs that separate the versions, and runs each candidate.
    fn difference(
        &mut self,
        terms: &mut Terms,
        machines: &Machines,
        config: &CheckConfig,
        asker: &mut Asker<'_>,
        floats: Floats,
    ) -> Outcome {
        for _ in 0..self.depth.candidates {
            let mut conditions = self.difference_conditions(terms);
            conditions.extend(&self.blocked);
            let wanted = wanted_of(terms, &conditions);
            let deadline = self.share_of_time(config, floats);
            match asker.ask::<Difference>(terms, &conditions, &wanted, floats, deadline) {
                Asked::Refuted(refuted) if self.blocked.is_empty() => {
                    return Outcome::Refuted(if self.merges > 0 { refuted.with_solver() } else { refuted });
                }
                // Only what was not blocked is refuted.
                Asked::Refuted(_) => break,
                Asked::GaveUp(reason) => return Outcome::Open(reason),
                Asked::Candidate(model) => {
                    let model = self.smaller(terms, asker, conditions, floats, deadline).unwrap_or(model);
                    if let Some(witness) = self.try_candidate(terms, machines, &model) {
                        return Outcome::Found(witness);
                    }
                    asker.emit(Event::Spurious);
                    if !self.block(terms, &model) {
                        break;
                    }
                }
            }
        }
        let candidates = self.blocked.len() as u32;
        self.blocked.clear();
        Outcome::Open(Reason::Spurious { candidates: candidates.max(1) })
    }

    /// A model of the same question with short arrays, if there is one.
    fn smaller(
        &self,
        terms: &mut Terms,
        asker: &mut Asker<'_>,
        mut conditions: Vec<Term>,
        floats: Floats,
        deadline: Instant,
    ) -> Option<Model> {
        let wishes = symbolic::preferences(terms, &self.inputs);
        if wishes.is_empty() {
            return None;
        }
        conditions.extend(wishes);
        let wanted = wanted_of(terms, &conditions);
        match asker.ask::<Difference>(terms, &conditions, &wanted, floats, deadline) {
            Asked::Candidate(model) => Some(model),
            Asked::Refuted(_) | Asked::GaveUp(_) => None,
        }
    }

    pub(crate) fn try_candidate(
        &self,
        terms: &mut Terms,
        machines: &Machines,
        model: &Model,
    ) -> Option<Box<Witness>> {
        let input = input_of_model(terms, &self.inputs, model);
        if !has_least_elements(self.pair.old, &input) {
            return None;
        }
        match machines.try_input(&input, &LIMITS) {
            Trial::Separated(witness) => Some(witness),
            Trial::NotSeparated(_) => None,
        }
    }

    /// Excludes the arguments of a candidate from the next question; false if there is nothing to exclude.
    fn block(&mut self, terms: &mut Terms, model: &Model) -> bool {
        let mut equal = Vec::new();
        for term in symbolic::input_terms(&self.inputs) {
            if let Some(value) = model.value(term) {
                let sort = terms.sort_of(term).clone();
                if !matches!(value, smt::Value::Opaque(_)) {
                    let value = terms.value(value, &sort);
                    equal.push(terms.eq(term, value));
                }
            }
        }
        let all = terms.and(&equal);
        self.blocked.push(terms.not(all));
        !equal.is_empty()
    }

    /// Where parts can be merged, the whole question is first asked with a part of the time: what is hard as a whole may
    /// be easy in parts. Floats as symbols are quick or hopeless: their IEEE meaning gets most of the time.
    fn share_of_time(&self, config: &CheckConfig, floats: Floats) -> Instant {
        let left = config.time_left();
        let share = match floats {
            Floats::Symbols if self.depth.merges == [Merge::InPlace] && self.merges == 0 => {
                (left / 8).clamp(LEAST_AS_A_WHOLE, MOST_AS_A_WHOLE)
            }
            Floats::Symbols if !self.are_parts_merged() => left / 5,
            Floats::Symbols if self.has_floats && self.depth.ieee => left / 3,
            Floats::Symbols | Floats::Ieee => left,
        };
        Instant::now() + share.max(Duration::from_millis(50)).min(left)
    }

    fn describe(&self, terms: &Terms) -> String {
        format!(
            "differ:\n{}\nunfinished:\n{}\n",
            terms.print(self.question.differ),
            terms.print(self.question.unfinished)
        )
    }
}

pub(crate) fn have_floats(terms: &Terms, roots: &[Term]) -> bool {
    let reachable = terms.reachable(roots);
    reachable.into_iter().any(|term| matches!(terms.sort_of(term), Sort::Float(_)))
}

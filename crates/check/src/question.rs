//! Questions to the solver, and the tokens that say what its answers have shown.
//!
//! A `Refuted<Q>` exists only if no input satisfies the question `Q` under the assumptions; `Proof` demands two of them.

mod answered;
mod exist;
pub(crate) mod hard;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::time::Instant;

use budget::{Budget, Steps};
use smt::{
    Answer, Encoding, Floats, HornAnswer, HornQuery, Limits, Model, Query, Solver, SolverConfig, Term, Terms,
    UnknownReason,
};

use crate::{CheckConfig, Event, Reason, Statistics};
use answered::Answered;

pub(crate) use exist::InputsExist;

/// The question whether some input makes the versions differ, among the runs that were followed to their end.
pub(crate) struct Difference;

/// The question whether some input makes a run leave what was followed: a bound, or unsupported source.
pub(crate) struct Unfinished;

/// The question whether some input takes none of the routes that were compared.
pub(crate) struct Uncovered;

/// The question whether some input makes a run of a version get somewhere.
pub(crate) struct Reached;

/// The question whether some input makes the versions do the same.
pub(crate) struct Same;

/// Says that no input satisfies a question.
pub(crate) struct Refuted<Q> {
    by_simplification: bool,
    question: PhantomData<Q>,
}

impl<Q> Refuted<Q> {
    pub(crate) fn by_simplification(&self) -> bool {
        self.by_simplification
    }

    /// The same where the solver was asked about parts of the question before.
    pub(crate) fn with_solver(self) -> Refuted<Q> {
        Refuted { by_simplification: false, ..self }
    }
}

/// What became of a question.
pub(crate) enum Asked<Q> {
    Refuted(Refuted<Q>),
    /// Some values satisfy it, if the symbols in it are read as they like.
    Candidate(Model),
    GaveUp(Reason),
}

/// What is known of two terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Equal {
    /// They have the same value wherever the assumptions hold.
    Proved,
    NotProved,
}

/// Solver steps for the question whether two parts are equal: what takes longer does not help.
const STEPS_FOR_PARTS: Steps = Steps::new(2_000_000);

/// Solver steps for a question with products and quotients as symbols, before they get their meaning.
const STEPS_WITH_SYMBOLS: Steps = Steps::new(300_000);

thread_local! {
    /// The solver of the last one who asked on this thread: starting a process costs more than most questions.
    static WARM: RefCell<Option<(SolverConfig, Solver)>> = const { RefCell::new(None) };
}

/// Puts questions to one solver, which is taken over from the last asker or started at the first question.
///
/// One that is taken over has forgotten everything, so that its answers do not depend on who asked before.
pub(crate) struct Asker<'a> {
    config: &'a CheckConfig,
    solver: Option<Solver>,
    pub(crate) statistics: Statistics,
    /// Questions that were not answered so far, mostly for lack of steps.
    pub(crate) given_up: u64,
    answered: Answered,
    on_event: &'a mut dyn FnMut(Event),
}

impl<'a> Asker<'a> {
    pub(crate) fn new(config: &'a CheckConfig, on_event: &'a mut dyn FnMut(Event)) -> Asker<'a> {
        let (statistics, answered) = (Statistics::default(), Answered::default());
        Asker { config, solver: None, statistics, given_up: 0, answered, on_event }
    }

    /// Whether nobody waits for the answers any more: all questions are given up at once from now on.
    pub(crate) fn is_stopped(&self) -> bool {
        self.config.stop.is_raised()
    }

    /// Leaves the solver to the next one on this thread who asks, until this one asks again.
    pub(crate) fn rest(&mut self) {
        let (Some(mut solver), Some(program)) = (self.solver.take(), self.config.solver.clone()) else {
            return;
        };
        // What the next one gets must not depend on this one.
        solver.forget();
        let config = SolverConfig { program, memory_mb: self.config.solver_memory_mb };
        WARM.with(|warm| *warm.borrow_mut() = Some((config, solver)));
    }

    pub(crate) fn emit(&mut self, event: Event) {
        (self.on_event)(event);
    }

    /// Asks whether all conditions can hold together; on a candidate the model has the values of `wanted`.
    pub(crate) fn ask<Q>(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        wanted: &[Term],
        floats: Floats,
        budget: &Budget,
    ) -> Asked<Q> {
        let all = terms.and(conditions);
        if all == terms.bool(false) {
            return Asked::Refuted(Refuted { by_simplification: true, question: PhantomData });
        }
        if self.is_refuted_with_symbols(terms, conditions, floats, budget) {
            return Asked::Refuted(Refuted { by_simplification: false, question: PhantomData });
        }
        self.ask_exactly(terms, conditions, wanted, floats, budget)
    }

    /// Whether the conditions cannot hold together whatever products and quotients are; with little effort.
    fn is_refuted_with_symbols(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        floats: Floats,
        budget: &Budget,
    ) -> bool {
        let Some(conditions) = hard::with_symbols(terms, conditions) else { return false };
        let limits = self.limits(budget, Some(STEPS_WITH_SYMBOLS), floats);
        matches!(self.answer(terms, &conditions, &[], &limits), Ok(Answer::Unsat))
    }

    /// Asks without trying symbols first.
    pub(crate) fn ask_exactly<Q>(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        wanted: &[Term],
        floats: Floats,
        budget: &Budget,
    ) -> Asked<Q> {
        let limits = self.limits(budget, None, floats);
        let reason = match self.answer(terms, conditions, wanted, &limits) {
            Ok(Answer::Unsat) => {
                return Asked::Refuted(Refuted { by_simplification: false, question: PhantomData });
            }
            Ok(Answer::Sat(model)) => return Asked::Candidate(model),
            Ok(Answer::Unknown(reason)) => self.why(reason),
            Err(reason) => reason,
        };
        self.given_up += 1;
        Asked::GaveUp(reason)
    }

    /// Inputs exist; that what we added to the assumptions does not contradict them is asked with little effort.
    pub(crate) fn not_contradictory(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
        seen: InputsExist,
        floats: Floats,
        budget: &Budget,
    ) -> Result<InputsExist, Reason> {
        let conditions = hard::with_symbols(terms, assumptions).unwrap_or_else(|| assumptions.to_vec());
        let limits = self.limits(budget, Some(STEPS_WITH_SYMBOLS), floats);
        match self.answer(terms, &conditions, &[], &limits) {
            Ok(Answer::Unsat) => Err(Reason::Vacuous),
            Ok(Answer::Sat(_) | Answer::Unknown(_)) => Ok(seen),
            Err(reason) => Err(reason),
        }
    }

    /// Whether two terms are equal under the assumptions, with little effort.
    pub(crate) fn equal(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
        a: Term,
        b: Term,
        floats: Floats,
        budget: &Budget,
    ) -> Equal {
        let equal = terms.eq(a, b);
        let mut conditions = assumptions.to_vec();
        conditions.push(terms.not(equal));
        let limits = self.limits(budget, Some(STEPS_FOR_PARTS), floats);
        match self.answer(terms, &conditions, &[], &limits) {
            Ok(Answer::Unsat) => Equal::Proved,
            Ok(Answer::Sat(_) | Answer::Unknown(_)) | Err(_) => Equal::NotProved,
        }
    }

    /// Whether some values of the chosen terms make a condition hold for all values of the inputs and of the other
    /// terms. The terms are taken for variables; with little effort, so that *no* may also mean that we do not know.
    pub(crate) fn holds_for_some(
        &mut self,
        terms: &mut Terms,
        condition: Term,
        chosen: &[Term],
        others: &[Term],
        steps: Steps,
        budget: &Budget,
    ) -> bool {
        let mut variables = BTreeMap::new();
        for (place, &term) in chosen.iter().chain(others).enumerate() {
            let sort = terms.sort_of(term).clone();
            variables.insert(term, terms.var(&format!("quantified.{place}"), &sort));
        }
        let condition = terms.substitute(condition, &variables);
        let free: Vec<Term> = chosen.iter().map(|term| variables[term]).collect();
        let bound: Vec<Term> =
            terms.variables(condition).into_iter().filter(|variable| !free.contains(variable)).collect();
        let limits = self.limits(budget, Some(steps), Floats::Symbols);
        let query = Query::for_all(terms, &bound, condition, limits.encoding);
        if budget.is_over() || self.is_stopped() {
            return false;
        }
        if self.config.keep_questions {
            self.emit(Event::Question { text: query.text().to_owned() });
        }
        let started = Instant::now();
        let Ok(solver) = self.solver() else { return false };
        let answer = solver.ask(terms, &query, &[], &limits);
        self.statistics.solver_calls += 1;
        self.statistics.solver_time += started.elapsed();
        matches!(answer, Ok(Answer::Sat(_)))
    }

    /// Looks for predicates that meet Horn clauses, in a process of its own. What is found proves nothing yet.
    pub(crate) fn solve_horn(
        &mut self,
        terms: &mut Terms,
        query: &HornQuery,
        budget: &Budget,
    ) -> Result<HornAnswer, Reason> {
        if self.is_stopped() || budget.is_over() {
            return Err(Reason::UsedUp);
        }
        if self.config.keep_questions {
            let text = query.text(terms);
            self.emit(Event::Question { text });
        }
        let config = self.solver_config()?;
        let started = Instant::now();
        let answer = smt::solve_horn(terms, query, &config, budget, &self.config.stop);
        let elapsed = started.elapsed();
        self.statistics.solver_calls += 1;
        self.statistics.solver_time += elapsed;
        let name = match &answer {
            Ok(HornAnswer::Solved(_)) => "sat",
            Ok(HornAnswer::Refuted) => "unsat",
            Ok(HornAnswer::Unknown(_)) => "unknown",
            Err(_) => "error",
        };
        self.emit(Event::QuestionAnswered { answer: name, elapsed });
        answer.map_err(|error| Reason::SolverFailed(error.to_string()))
    }

    fn answer(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        wanted: &[Term],
        limits: &Limits,
    ) -> Result<Answer, Reason> {
        if limits.budget.is_over() || self.is_stopped() {
            return Err(Reason::UsedUp);
        }
        let question = self.answered.question(terms, conditions, wanted, limits.encoding);
        if let Some(answer) = question.as_ref().and_then(|question| self.answered.answer(question, wanted)) {
            return Ok(answer);
        }
        if self.config.keep_questions {
            let text = Query::new(terms, conditions, wanted, limits.encoding).text().to_owned();
            self.emit(Event::Question { text });
        }
        let started = Instant::now();
        let solver = self.solver()?;
        let answer = solver.check(terms, conditions, wanted, limits);
        let elapsed = started.elapsed();
        self.statistics.solver_calls += 1;
        self.statistics.solver_time += elapsed;
        let name = match &answer {
            Ok(Answer::Sat(_)) => "sat",
            Ok(Answer::Unsat) => "unsat",
            Ok(Answer::Unknown(_)) => "unknown",
            Err(_) => "error",
        };
        self.emit(Event::QuestionAnswered { answer: name, elapsed });
        if let (Ok(answer), Some(question)) = (&answer, question) {
            self.answered.note(question, wanted, answer);
        }
        answer.map_err(|error| Reason::SolverFailed(error.to_string()))
    }

    fn limits(&self, budget: &Budget, steps: Option<Steps>, floats: Floats) -> Limits {
        let (budget, stop) = (budget.clone(), self.config.stop.clone());
        Limits { budget, stop, steps, encoding: Encoding { floats } }
    }

    fn why(&self, reason: UnknownReason) -> Reason {
        match reason {
            UnknownReason::Killed => Reason::UsedUp,
            UnknownReason::Steps if self.config.is_over() => Reason::UsedUp,
            UnknownReason::Steps => Reason::SolverGaveUp("its steps were used up".to_owned()),
            UnknownReason::Memory => Reason::SolverGaveUp("its memory was used up".to_owned()),
            UnknownReason::Incomplete(words) => Reason::SolverGaveUp(words),
        }
    }

    fn solver_config(&self) -> Result<SolverConfig, Reason> {
        let program = self.config.solver.clone().ok_or_else(|| {
            Reason::SolverFailed(
                "no solver was found: run `cargo xtask setup`, install z3, or name one with --solver"
                    .to_owned(),
            )
        })?;
        Ok(SolverConfig { program, memory_mb: self.config.solver_memory_mb })
    }

    fn solver(&mut self) -> Result<&mut Solver, Reason> {
        if self.solver.is_none() {
            let config = self.solver_config()?;
            let warm = WARM.with(|warm| warm.borrow_mut().take()).filter(|(known, _)| *known == config);
            self.solver = Some(match warm {
                Some((_, solver)) => solver,
                None => Solver::start(config).map_err(|error| Reason::SolverFailed(error.to_string()))?,
            });
        }
        Ok(self.solver.as_mut().expect("the solver was just started"))
    }
}

impl Drop for Asker<'_> {
    fn drop(&mut self) {
        self.rest();
    }
}

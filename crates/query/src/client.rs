//! Puts questions to a solver.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use budget::{Budget, Statistics, Steps};
use smt::{
    Answer, Encoding, Floats, HornAnswer, HornQuery, Limits, Query, Solver, SolverConfig, StopFlag, Term,
    Terms, UnknownReason,
};

use crate::cache::Cache;
use crate::journal::{Journal, Mark, Obligation};
use crate::nonlinear;
use crate::question::{Asked, GaveUp, Question, Refuted};

/// What questions are put to, and with how much work.
#[derive(Clone, Debug)]
pub struct Config {
    /// The solver program, if one was found.
    pub solver: Option<PathBuf>,
    pub memory_mb: u64,
    /// All that may be spent.
    pub budget: Budget,
    /// Ends all work when it is raised.
    pub stop: StopFlag,
    /// Whether obligations are kept.
    pub keep_obligations: bool,
}

/// What is known of two terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equal {
    /// They have the same value wherever the assumptions hold.
    Proved,
    NotProved,
}

/// Whether conditions can hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Consistency {
    Contradictory,
    /// No contradiction was found.
    Consistent,
    GaveUp(GaveUp),
}

/// Solver steps for the question whether two parts are equal: what takes longer does not help.
const STEPS_FOR_PARTS: Steps = Steps::new(2_000_000);

/// Solver steps for a question with products and quotients as symbols, before they get their meaning.
const STEPS_WITH_SYMBOLS: Steps = Steps::new(300_000);

thread_local! {
    /// The solver of the last client on this thread: starting a process costs more than most questions.
    static WARM: RefCell<Option<(SolverConfig, Solver)>> = const { RefCell::new(None) };
}

/// What kind of question is put.
#[derive(Clone, Copy)]
struct Asking {
    question: &'static str,
    /// Whether a proof may rest on its refutation.
    proves: bool,
}

impl Asking {
    fn of<Q: Question>() -> Asking {
        Asking { question: Q::NAME, proves: Q::PROVES }
    }
}

/// Puts questions to one solver, which is taken over from the last client or started at the first question.
///
/// One that is taken over has forgotten everything, so that its answers do not depend on who asked before.
pub struct Client {
    config: Config,
    solver: Option<Solver>,
    /// What this client has cost so far; whoever uses it may add to that.
    pub statistics: Statistics,
    given_up: u64,
    cache: Cache,
    journal: Journal,
}

impl Client {
    pub fn new(config: Config) -> Client {
        let (statistics, cache, journal) = (Statistics::default(), Cache::default(), Journal::default());
        Client { config, solver: None, statistics, given_up: 0, cache, journal }
    }

    /// How many questions were given up so far, mostly for lack of steps.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    /// Makes as if questions had not been given up since there were only so many.
    pub fn excuse(&mut self, given_up: u64) {
        self.given_up = given_up;
    }

    /// Whether nobody waits for the answers any more: all questions are given up at once from now on.
    pub fn is_stopped(&self) -> bool {
        self.config.stop.is_raised()
    }

    /// Where the journal of obligations is now.
    pub fn mark(&self) -> Mark {
        self.journal.mark()
    }

    /// Forgets the obligations of an attempt that came to nothing.
    pub fn strike_out_since(&mut self, mark: Mark) {
        self.journal.strike_out_since(mark);
    }

    /// What was refuted so far, without what was struck out.
    pub fn obligations(&self) -> &[Obligation] {
        self.journal.obligations()
    }

    /// Writes down a question again that was refuted before, because something new rests on it.
    pub fn rest_on<Q: Question>(&mut self, terms: &mut Terms, question: &Q) {
        let encoding = Encoding { floats: Floats::Symbols };
        self.note_refuted(Asking::of::<Q>(), terms, question.conditions(), encoding);
    }

    /// Leaves the solver to the next client on this thread, until this one asks again.
    pub fn rest(&mut self) {
        let (Some(mut solver), Some(program)) = (self.solver.take(), self.config.solver.clone()) else {
            return;
        };
        // What the next one gets must not depend on this one.
        solver.forget();
        let config = SolverConfig { program, memory_mb: self.config.memory_mb };
        WARM.with(|warm| *warm.borrow_mut() = Some((config, solver)));
    }

    /// Asks a question; a counterexample has the values of `wanted`.
    pub fn ask<Q: Question>(
        &mut self,
        terms: &mut Terms,
        question: Q,
        wanted: &[Term],
        floats: Floats,
        budget: &Budget,
    ) -> Asked<Q> {
        if terms.and(question.conditions()) == terms.bool(false) {
            return Asked::Refuted(Refuted::new(question, true));
        }
        if self.is_refuted_with_symbols(terms, &question, floats, budget) {
            return Asked::Refuted(Refuted::new(question, false));
        }
        self.ask_exactly(terms, question, wanted, floats, budget)
    }

    /// Whether the conditions cannot hold together whatever products and quotients are; with little effort.
    fn is_refuted_with_symbols<Q: Question>(
        &mut self,
        terms: &mut Terms,
        question: &Q,
        floats: Floats,
        budget: &Budget,
    ) -> bool {
        let Some(conditions) = nonlinear::with_symbols(terms, question.conditions()) else { return false };
        let limits = self.limits(budget, Some(STEPS_WITH_SYMBOLS), floats);
        matches!(self.answer(Asking::of::<Q>(), terms, &conditions, &[], &limits), Ok(Answer::Unsat))
    }

    /// Asks without trying symbols first.
    pub fn ask_exactly<Q: Question>(
        &mut self,
        terms: &mut Terms,
        question: Q,
        wanted: &[Term],
        floats: Floats,
        budget: &Budget,
    ) -> Asked<Q> {
        let limits = self.limits(budget, None, floats);
        let reason = match self.answer(Asking::of::<Q>(), terms, question.conditions(), wanted, &limits) {
            Ok(Answer::Unsat) => return Asked::Refuted(Refuted::new(question, false)),
            Ok(Answer::Sat(model)) => return Asked::Counterexample(model),
            Ok(Answer::Unknown(reason)) => self.why(reason),
            Err(reason) => reason,
        };
        self.given_up += 1;
        Asked::GaveUp(reason)
    }

    /// Whether conditions contradict each other, with little effort.
    pub fn consistency(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        floats: Floats,
        budget: &Budget,
    ) -> Consistency {
        let conditions = nonlinear::with_symbols(terms, conditions).unwrap_or_else(|| conditions.to_vec());
        let limits = self.limits(budget, Some(STEPS_WITH_SYMBOLS), floats);
        match self.answer(Asking { question: "consistency", proves: false }, terms, &conditions, &[], &limits)
        {
            Ok(Answer::Unsat) => Consistency::Contradictory,
            Ok(Answer::Sat(_) | Answer::Unknown(_)) => Consistency::Consistent,
            Err(reason) => Consistency::GaveUp(reason),
        }
    }

    /// Whether two terms are equal under the assumptions, with little effort.
    pub fn equal(
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
        match self.answer(Asking { question: "equal parts", proves: true }, terms, &conditions, &[], &limits)
        {
            Ok(Answer::Unsat) => Equal::Proved,
            Ok(Answer::Sat(_) | Answer::Unknown(_)) | Err(_) => Equal::NotProved,
        }
    }

    /// Whether some values of the chosen terms make a condition hold for all values of the inputs and of the other
    /// terms. The terms are taken for variables; with little effort, so that *no* may also mean that we do not know.
    pub fn holds_for_some(
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
        self.trace_script(|| query.text().to_owned());
        let (started, before) = (Instant::now(), budget.spent());
        let Ok(solver) = self.solver() else { return false };
        let answer = solver.ask(terms, &query, &[], &limits);
        let name = match &answer {
            Ok(answer) => name_of(answer),
            Err(_) => "error",
        };
        self.done("holds for some", name, started, budget.spent().saturating_sub(before));
        matches!(answer, Ok(Answer::Sat(_)))
    }

    /// Looks for predicates that meet Horn clauses, in a process of its own. What is found proves nothing yet.
    pub fn solve_horn(
        &mut self,
        terms: &mut Terms,
        query: &HornQuery,
        budget: &Budget,
    ) -> Result<HornAnswer, GaveUp> {
        if self.is_stopped() || budget.is_over() {
            return Err(GaveUp::UsedUp);
        }
        self.trace_script(|| query.text(terms));
        let config = self.solver_config()?;
        let (started, before) = (Instant::now(), budget.spent());
        let answer = smt::solve_horn(terms, query, &config, budget, &self.config.stop);
        let name = match &answer {
            Ok(HornAnswer::Solved(_)) => "sat",
            Ok(HornAnswer::Refuted) => "unsat",
            Ok(HornAnswer::Unknown(_)) => "unknown",
            Err(_) => "error",
        };
        self.done("Horn clauses", name, started, budget.spent().saturating_sub(before));
        answer.map_err(|error| GaveUp::Failed(error.to_string()))
    }

    fn answer(
        &mut self,
        asking: Asking,
        terms: &mut Terms,
        conditions: &[Term],
        wanted: &[Term],
        limits: &Limits,
    ) -> Result<Answer, GaveUp> {
        if limits.budget.is_over() || self.is_stopped() {
            return Err(GaveUp::UsedUp);
        }
        let key = self.cache.key(terms, conditions, wanted, limits.encoding);
        if let Some(answer) = key.as_ref().and_then(|key| self.cache.answer(key, wanted)) {
            tracing::debug!(target: "question", question = asking.question, answer = name_of(&answer), cached = true);
            if let Answer::Unsat = answer {
                self.note_refuted(asking, terms, conditions, limits.encoding);
            }
            return Ok(answer);
        }
        self.trace_script(|| Query::new(terms, conditions, wanted, limits.encoding).text().to_owned());
        let (started, before) = (Instant::now(), limits.budget.spent());
        let solver = self.solver()?;
        let answer = solver.check(terms, conditions, wanted, limits);
        let steps = limits.budget.spent().saturating_sub(before);
        self.done(asking.question, answer.as_ref().map_or("error", name_of), started, steps);
        let answer = answer.map_err(|error| GaveUp::Failed(error.to_string()))?;
        if let Some(key) = key {
            self.cache.note(key, wanted, &answer);
        }
        if let Answer::Unsat = answer {
            self.note_refuted(asking, terms, conditions, limits.encoding);
        }
        Ok(answer)
    }

    fn note_refuted(&mut self, asking: Asking, terms: &mut Terms, conditions: &[Term], encoding: Encoding) {
        if self.config.keep_obligations && asking.proves {
            let script = Query::new(terms, conditions, &[], encoding).text().to_owned();
            self.journal.note(asking.question, script);
        }
    }

    /// Counts a question that the solver is done with.
    fn done(&mut self, question: &'static str, answer: &'static str, started: Instant, steps: Steps) {
        self.statistics.solver_calls += 1;
        self.statistics.solver_time += started.elapsed();
        let (id, steps) = (self.statistics.solver_calls, steps.get());
        tracing::debug!(target: "question", id, question, answer, steps);
    }

    /// Shows what the solver is asked to whoever wants to see it.
    fn trace_script(&self, script: impl FnOnce() -> String) {
        if tracing::enabled!(target: "smt", tracing::Level::TRACE) {
            tracing::trace!(target: "smt", id = self.statistics.solver_calls + 1, text = script());
        }
    }

    fn limits(&self, budget: &Budget, steps: Option<Steps>, floats: Floats) -> Limits {
        let (budget, stop) = (budget.clone(), self.config.stop.clone());
        Limits { budget, stop, steps, encoding: Encoding { floats } }
    }

    fn why(&self, reason: UnknownReason) -> GaveUp {
        let is_over = self.config.stop.is_raised() || self.config.budget.is_over();
        match reason {
            UnknownReason::Killed => GaveUp::UsedUp,
            UnknownReason::Steps if is_over => GaveUp::UsedUp,
            UnknownReason::Steps => GaveUp::Solver("its steps were used up".to_owned()),
            UnknownReason::Memory => GaveUp::Solver("its memory was used up".to_owned()),
            UnknownReason::Incomplete(words) => GaveUp::Solver(words),
        }
    }

    fn solver_config(&self) -> Result<SolverConfig, GaveUp> {
        let program = self.config.solver.clone().ok_or_else(|| {
            GaveUp::Failed(
                "no solver was found: run `cargo xtask setup`, install z3, or name one with --solver"
                    .to_owned(),
            )
        })?;
        Ok(SolverConfig { program, memory_mb: self.config.memory_mb })
    }

    fn solver(&mut self) -> Result<&mut Solver, GaveUp> {
        if self.solver.is_none() {
            let config = self.solver_config()?;
            let warm = WARM.with(|warm| warm.borrow_mut().take()).filter(|(known, _)| *known == config);
            self.solver = Some(match warm {
                Some((_, solver)) => solver,
                None => Solver::start(config).map_err(|error| GaveUp::Failed(error.to_string()))?,
            });
        }
        Ok(self.solver.as_mut().expect("the solver was just started"))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.rest();
    }
}

fn name_of(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}
